"""A second opinion: what it is asked, how findings lead back, and that a broken answer is never a clean one."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from attraj.cli import run
from attraj.errors import AttrajError
from attraj.redaction.opinions import NAMES, NoOpinion, Remark, Text, second_opinion
from attraj.redaction.opinions.opinion import Joined, Raw, try_out
from attraj.redaction.policy import Allow, Policy
from attraj.redaction.run import redact_scope
from attraj.redaction.source import read_source
from attraj.secrets.detector import Detector
from attraj.verbs.scan import Scan, ScanRequest
from tests.redaction.made_up import GITHUB, made_tools, source

# --- findings lead back to texts -------------------------------------------------------------------------------------

TEXTS = [
    Text("", "short"),
    Text("api_key", "é\n日本 quartz-9 x"),
    Text("b c", "two\nthree quartz-9"),
    Text("", "<SECRET_1>"),
]


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        pytest.param(Raw("r", "quartz-9", line=4), [(1, 5, 13)], id="by-line"),
        pytest.param(Raw("r", "quartz-9", line=7), [(2, 10, 18)], id="by-line-of-another-text"),
        pytest.param(Raw("r", "elsewhere", line=7), [(2, 0, 18)], id="something-decoded-is-the-whole-text"),
        pytest.param(Raw("r", "quartz-9", line=3), [(1, 5, 13)], id="a-line-too-early"),
        pytest.param(Raw("r", "<SECRET_1>", line=9), [], id="a-placeholder"),
        pytest.param(Raw("r", "=<SECRET_1>", line=9), [], id="a-placeholder-and-more-that-was-decoded"),
    ],
)
def test_a_finding_leads_to_a_place_in_a_text(raw: Raw, expected: list[tuple[int, int, int]]) -> None:
    assert expected == [remark[:3] for remark in map(members, Joined(TEXTS).remarks([raw], "gitleaks"))]


def members(remark: Remark) -> tuple[int, int, int, str]:
    return remark.text, remark.start, remark.end, remark.rule


def test_an_offset_leads_to_the_same_place() -> None:
    joined = Joined(TEXTS)
    for text in ("日本 quartz-9", "three quartz-9"):
        at = joined.data.index(text.encode()) + len(text[:-8].encode())
        (remark,) = joined.remarks([Raw("r", "quartz-9", offset=at)], "kingfisher")
        assert "quartz-9" == TEXTS[remark.text].text[remark.start : remark.end]


@pytest.mark.parametrize("raw", [Raw("r", "x", line=1), Raw("r", "x", line=99), Raw("r", "x", offset=3)])
def test_a_place_that_was_not_given_is_no_answer(raw: Raw) -> None:
    with pytest.raises(NoOpinion):
        Joined(TEXTS).remarks([raw], "gitleaks")


def test_the_name_of_a_rule_is_shown_only_when_it_is_one() -> None:
    names = [
        r.rule for r in Joined(TEXTS).remarks([Raw("github-pat", "quartz-9", 4), Raw("a\x1b[1m b", "two", 6)], "x")
    ]
    assert ["x:github-pat", "x:unnamed"] == names


# --- what it means for a scan and for a proof ------------------------------------------------------------------------


@dataclass
class Strict:
    """Finds the word it was made with, wherever it stands."""

    word: str
    name: str = "gitleaks"
    version: str = "8.0.0"
    asked: list[Text] = field(default_factory=list)

    def look(self, texts: Sequence[Text]) -> list[Remark]:
        self.asked += texts
        places = [(n, text.text.find(self.word)) for n, text in enumerate(texts)]
        return [Remark(n, at, at + len(self.word), "gitleaks:word") for n, at in places if at >= 0]


class Failing(Strict):
    def look(self, texts: Sequence[Text]) -> list[Remark]:
        raise NoOpinion("gitleaks failed")


def scanned(opinion: Strict, raw: bytes, name: str, policy: Policy = Policy()) -> list[tuple[str, str, int | None]]:  # noqa: B008
    scan = Scan(ScanRequest(Detector(), policy, opinion=opinion))
    scan.ask([(name, raw)])
    return [
        (finding.code, finding.location.pointer, finding.location.line)
        for report in scan.file(name, raw)
        for finding in report.findings
    ]


@pytest.mark.parametrize(
    ("raw", "name", "expected"),
    [
        pytest.param(b'{"a": 1,\n"b": ["x quartz-9"]}', "a.json", [("SEC-SECRET", "/b/0", 2)], id="in-a-document"),
        pytest.param(b'{"quartz-9": 1}', "a.json", [("SEC-SECRET", "/{0}", 1)], id="a-name"),
        pytest.param(b"one\ntwo quartz-9\n", "a.log", [("SEC-SECRET", "", 2)], id="in-a-log"),
        pytest.param(b"one\n", "quartz-9.log", [("SEC-SECRET", "", None)], id="in-the-name-of-a-file"),
        pytest.param(b"\x89PNG\0", "quartz-9.png", [("SEC-SECRET", "", None)], id="in-the-name-of-a-picture"),
    ],
)
def test_what_it_finds_is_reported(raw: bytes, name: str, expected: list[tuple[str, str, int | None]]) -> None:
    assert expected == scanned(Strict("quartz-9"), raw, name)


def test_what_both_find_is_told_once() -> None:
    assert [("SEC-API_TOKEN", "/a", 1)] == scanned(Strict(GITHUB), json.dumps({"a": f"x {GITHUB}"}).encode(), "a.json")


def test_what_is_allowed_by_its_own_rule_stays() -> None:
    policy = Policy(allow=(Allow(rule="gitleaks:word", reason="a stone"),))
    assert [] == scanned(Strict("quartz-9"), b'{"a": "quartz-9"}', "a.json", policy)
    tools = replace(made_tools(policy), opinion=Strict("quartz-9"))
    assert [] == redact_scope([source({"a": "quartz-9"})], tools).failures


def test_a_document_that_it_finds_something_in_is_not_proven() -> None:
    done = redact_scope([source({"a": [GITHUB, "quartz-9"]})], replace(made_tools(), opinion=Strict("quartz-9")))
    assert [("second_opinion", "/a/1", "rule gitleaks:word finds something")] == [
        (failure.proof, failure.pointer, failure.detail) for failure in done.failures
    ]


def test_it_looks_at_what_would_be_written_and_once_at_each_text() -> None:
    opinion = Strict("quartz-9")
    done = redact_scope([source({"a": [GITHUB, "slate", "slate"], "n": 5})], replace(made_tools(), opinion=opinion))
    assert "passed" == done.proof.words["second_opinion"]
    assert [("", "trajectory.json"), ("", "a"), ("", "<API_TOKEN_1>"), ("", "slate"), ("", "n")] == opinion.asked


def test_when_it_fails_nothing_is_proven() -> None:
    done = redact_scope([read_source("a.log", b"slate\n")], replace(made_tools(), opinion=Failing("")))
    assert [("second_opinion", "gitleaks failed")] == [(f.proof, f.detail) for f in done.failures]


# --- programs that fail ----------------------------------------------------------------------------------------------


def pretend(folder: Path, name: str, says: str, code: int = 0) -> None:
    """A program that tells a version, and otherwise says one thing whatever it is asked."""
    script = (
        f"#!{sys.executable}\nimport sys\nif 'version' in sys.argv[1].lstrip('-'): print('8.30.1'); sys.exit()\n"
        f"sys.stdin.read(); print({says!r}); sys.exit({code})\n"
    )
    path = folder / name
    path.write_text(script, encoding="utf-8")
    path.chmod(0o755)


BROKEN = [
    pytest.param("gitleaks", "[]", 1, id="fails"),
    pytest.param("gitleaks", "[]", 0, id="finds-nothing-of-what-it-is-tried-with"),
    pytest.param("gitleaks", "no leaks found", 0, id="says-something-else"),
    pytest.param("gitleaks", '[{"RuleID": "x", "Secret": "y", "StartLine": 5', 77, id="breaks-off"),
    pytest.param("gitleaks", '[{"RuleID": "x", "Secret": "y", "StartLine": "5"}]', 77, id="wrong-type"),
    pytest.param("gitleaks", '[{"RuleID": "x", "Secret": "y", "StartLine": 9000}]', 77, id="a-place-out-of-reach"),
    pytest.param("betterleaks", '{"scan": {"state": "partial", "num_findings": 0}}', 0, id="says-it-is-not-whole"),
    pytest.param("betterleaks", '{"scan": {"state": "complete", "num_findings": 2}}', 0, id="keeps-findings-back"),
    pytest.param("kingfisher", '{"findings": 0}', 0, id="leaves-out-the-account"),
]


@pytest.mark.parametrize(("name", "says", "code"), BROKEN)
def test_a_broken_answer_stops_everything_before_anything_is_read(
    name: str, says: str, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pretend(tmp_path, name, says, code)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setitem(sys.modules, "kingfisher_sdk", None)
    (tmp_path / "in.json").write_text('{"a": 1}', "utf-8")
    assert 2 == run(["scan", "--second-opinion", name, str(tmp_path / "in.json")])
    assert 2 == run(["redact", "--second-opinion", name, str(tmp_path / "in.json"), "-o", str(tmp_path / "out.json")])
    assert ("", False) == (capsys.readouterr().out, (tmp_path / "out.json").exists())


def test_a_program_that_fails_later_leaves_the_document_unwritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("attraj.batch.scan.second_opinion", lambda _: Failing(""))
    monkeypatch.setattr("attraj.batch.redact.second_opinion", lambda _: Failing(""))
    (tmp_path / "in.json").write_text('{"a": 1}', "utf-8")
    assert 2 == run(["scan", "--second-opinion", "gitleaks", str(tmp_path / "in.json")])
    assert 5 == run(
        ["redact", "--second-opinion", "gitleaks", str(tmp_path / "in.json"), "-o", str(tmp_path / "out.json")]
    )
    assert (True, False) == (
        "second opinion: gitleaks failed" in capsys.readouterr().out,
        (tmp_path / "out.json").exists(),
    )


@pytest.mark.parametrize("name", NAMES)
def test_one_that_is_not_installed_stops_everything(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setitem(sys.modules, "kingfisher_sdk", None)
    assert 2 == run(["scan", "--second-opinion", name, "nowhere.json"])
    with pytest.raises(AttrajError):
        second_opinion(name)


# --- the real ones ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_the_real_one(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if shutil.which(name) is None:
        pytest.skip(f"{name} is not on the PATH")
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setitem(sys.modules, "kingfisher_sdk", None)  # the program, not the library
    opinion = second_opinion(name)
    try_out(opinion)
    texts = [
        Text("", "a page about tides"),
        Text("stdout", f"first\nnow {GITHUB} # {name}:allow\n"),
        Text("token", "<API_TOKEN_1>"),
    ]
    assert [(1, 10, 50)] == [(r.text, r.start, r.end) for r in opinion.look(texts)]
    assert ([], []) == (opinion.look([]), list(home.iterdir()))


def test_the_real_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("kingfisher_sdk", reason="kingfisher-secret-scanner is not installed")
    from attraj.redaction.opinions.library import KingfisherLibrary

    monkeypatch.setenv("HOME", str(tmp_path))
    opinion = KingfisherLibrary()
    try_out(opinion)
    assert [] == list(tmp_path.iterdir())
