"""A user's own gitleaks configuration: its rules find what they find, and what is not understood is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from attraj.errors import AttrajError
from attraj.secrets.detector import Detector
from attraj.secrets.policy import DetectionPolicy

pytest.importorskip("re2")
from attraj.secrets.gitleaks import load

RULE = """
[[rules]]
id = "tide-key"
description = "a key of the gauge"
regex = '''(?i)tide[_-]key\\s*[=:]\\s*([a-z0-9]{12})\\b'''
keywords = ["tide"]
entropy = 2.5
"""


def found(tmp_path: Path, config: str, text: str) -> list[tuple[str, str]]:
    path = tmp_path / "rules.toml"
    path.write_text(config)
    return [(rule, text[start:end]) for start, end, rule in load(str(path)).find(text)]


SECRET = "a1b2" + "c3d4e5f6"
CASES = [
    pytest.param(RULE, f"TIDE_KEY={SECRET}", [("tide-key", SECRET)], id="first-group-is-the-secret"),
    pytest.param(RULE, f"key={SECRET}", [], id="no-keyword"),
    pytest.param(RULE, "tide_key=aaaaaaaaaaaa", [], id="too-little-entropy"),
    pytest.param(RULE + "secretGroup = 1\n", f"tide-key: {SECRET}", [("tide-key", SECRET)], id="group"),
    pytest.param(RULE + "[[rules.allowlists]]\nregexes = ['^a1']\n", f"tide_key={SECRET}", [], id="allowed-by-regex"),
    pytest.param(RULE + "[[rules.allowlists]]\nstopwords = ['C3D4']\n", f"tide_key={SECRET}", [], id="stop-word"),
    pytest.param(
        RULE + "[[rules.allowlists]]\nregexTarget = 'line'\nregexes = ['spec']\n",
        f"a\nspec tide_key={SECRET}\nb",
        [],
        id="allowed-by-line",
    ),
    pytest.param(
        RULE + "[[rules.allowlists]]\ncondition = 'AND'\nregexes = ['^a1']\nstopwords = ['zz']\n",
        f"tide_key={SECRET}",
        [("tide-key", SECRET)],
        id="both-have-to-hold",
    ),
    pytest.param(
        RULE + "[[allowlists]]\ntargetRules = ['other']\nregexes = ['.']\n",
        f"tide_key={SECRET}",
        [("tide-key", SECRET)],
        id="allow-list-of-another-rule",
    ),
    pytest.param(
        "[extend]\nuseDefault = true\ndisabledRules = ['tide-key']\n" + RULE, f"tide_key={SECRET}", [], id="disabled"
    ),
    pytest.param("[[rules]]\nid = 'p'\npath = 'x'\n", f"tide_key={SECRET}", [], id="paths-alone-say-nothing-of-text"),
]


@pytest.mark.parametrize(("config", "text", "expected"), CASES)
def test_finds(tmp_path: Path, config: str, text: str, expected: list[tuple[str, str]]) -> None:
    assert expected == found(tmp_path, config, text)


REFUSED = [
    pytest.param("no toml [", id="no-toml"),
    pytest.param("[[rules]]\nid = 'x'\nregex = 'a'\n[[rules.required]]\nid = 'y'\n", id="composite"),
    pytest.param("[[rules]]\nid = 'x'\nregex = 'a'\nfilter = 'x'\n", id="unknown-field"),
    pytest.param("[[rules]]\nid = 'x'\nregex = '(?=a)b'\n", id="no-re2"),
    pytest.param("[[rules]]\nregex = 'a'\n", id="no-id"),
    pytest.param("[[rules]]\nid = 'x'\n", id="no-regex"),
    pytest.param("[[rules]]\nid = 'x'\nregex = 'a'\nsecretGroup = 2\n", id="no-such-group"),
    pytest.param("[extend]\npath = '../other.toml'\n", id="extends-another-folder"),
    pytest.param("[extend]\npath = 'rules.toml'\n", id="extends-itself"),
    pytest.param("[extend]\npath = 'missing.toml'\n", id="extends-nothing"),
    pytest.param("rules = 3\n", id="rules-are-no-tables"),
    pytest.param("[[rules]]\nid = 'x'\nregex = 'a'\nkeywords = [1]\n", id="keyword-is-no-text"),
    pytest.param("[[allowlists]]\ncondition = 'XOR'\n", id="unknown-condition"),
]


@pytest.mark.parametrize("config", REFUSED)
def test_refuses(tmp_path: Path, config: str) -> None:
    with pytest.raises(AttrajError) as refused:
        found(tmp_path, config, "")
    assert 2 == refused.value.exit_code


def test_extends_a_file_beside_it(tmp_path: Path) -> None:
    (tmp_path / "base.toml").write_text(RULE)
    assert [("tide-key", SECRET)] == found(tmp_path, "[extend]\npath = 'base.toml'\n", f"tide_key={SECRET}")


def test_is_one_more_pack_of_the_detector(tmp_path: Path) -> None:
    path = tmp_path / "rules.toml"
    path.write_text(RULE.replace("tide", "gauge"))
    detector = Detector(DetectionPolicy(gitleaks=str(path)))
    spans = detector.scan_text(f"see gauge_key = {SECRET}").spans
    assert [("SECRET", "gauge-key", "gitleaks")] == [(s.type, s.rule, s.pack) for s in spans if s.pack == "gitleaks"]
    assert "gitleaks" == detector.packs[-1].id
