"""A policy that cannot be followed to the letter stops everything before anything is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from attraj.errors import AttrajError
from attraj.redaction.known import read_known
from attraj.redaction.policy import Policy, read_allow, read_policy, require_rules
from attraj.secrets.spans import Span

TODAY = "2026-12-01"


def written(folder: Path, text: str) -> Path:
    path = folder / "policy.toml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("= =", id="no-toml"),
        pytest.param("[policy]\ndorp = []", id="unknown-member"),
        pytest.param('[policy]\ndrop = ["everything"]', id="unknown-field-to-drop"),
        pytest.param('[policy]\nmedia = "blur"', id="unknown-word"),
        pytest.param("[policy]\nclean_queries = 1", id="wrong-type"),
        pytest.param('[[allow]]\nrule = "email"', id="no-reason"),
        pytest.param('[[allow]]\nreason = "why not"', id="allows-everything"),
        pytest.param('[[allow]]\nrule = "email"\nreason = "r"\nexpires = "2026-11-30"', id="expired"),
        pytest.param('[[allow]]\nrule = "email"\nreason = "r"\nexpires = "soon"', id="no-day"),
        pytest.param('[[allow]]\nrule = "email"\nreason = "r"\nuntil = "2027"', id="unknown-condition"),
    ],
)
def test_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(AttrajError) as refused:
        read_policy(written(tmp_path, text), today=TODAY)
    assert 2 == refused.value.exit_code


def test_a_policy_is_read_whole(tmp_path: Path) -> None:
    text = (
        '[policy]\nid = "own"\nversion = "3"\npersonal = "none"\ndrop = ["user_content"]\nmedia = "drop"\n'
        'coarsen_time = "day"\nkeep = ["a@b.example"]\nheaders = ["Accept"]\nclean_queries = true\n'
        'retype_numbers = true\n[[allow]]\nrule = "email"\nreason = "public"\nexpires = 2027-01-01\n'
    )
    policy = read_policy(written(tmp_path, text), today=TODAY)
    assert (
        Policy(
            "own",
            "3",
            "none",
            frozenset({"user_content"}),
            "drop",
            "day",
            frozenset({"a@b.example"}),
            frozenset({"accept"}),
            True,
            True,
            policy.allow,
        )
        == policy
    )
    assert ("email", "2027-01-01") == (policy.allow[0].rule, policy.allow[0].expires)


@pytest.mark.parametrize(
    ("entry", "confidence", "stays"),
    [
        pytest.param('rule = "email"', "medium", True, id="by-rule"),
        pytest.param('rule = "EMAIL"', "medium", True, id="by-type"),
        pytest.param('rule = "phone"', "medium", False, id="another-rule"),
        pytest.param('rule = "email"', "high", False, id="sure-and-not-allowed"),
        pytest.param('rule = "email"\nallow_critical = true', "high", True, id="sure-and-allowed"),
        pytest.param('pointer = "/steps/*/message"', "low", True, id="by-pointer"),
        pytest.param('pointer = "/steps/0"', "low", False, id="above-the-pointer"),
        pytest.param('file = "*.log"', "low", False, id="another-file"),
    ],
)
def test_allowed(tmp_path: Path, entry: str, confidence: str, stays: bool) -> None:
    path = written(tmp_path, f'[[allow]]\nreason = "r"\n{entry}\n')
    policy = Policy(allow=read_allow(path, today=TODAY))
    span = Span(0, 3, "EMAIL", "email", confidence, value="abc")  # type: ignore[arg-type]
    assert stays is policy.allows(span, "trajectory.json", "/steps/4/message")


def test_an_entry_for_a_rule_that_nobody_has_is_refused(tmp_path: Path) -> None:
    entries = read_allow(written(tmp_path, '[[allow]]\nrule = "emial"\nreason = "r"\n'), today=TODAY)
    with pytest.raises(AttrajError):
        require_rules(entries, frozenset({"email"}))


def test_known_secrets_are_values_of_assignments_or_lines(tmp_path: Path) -> None:
    path = tmp_path / ".env"
    path.write_text("# note\nexport A='quoted value'\nB=plain-value # remark\nshort=abc\nwhole line\n\n", "utf-8")
    assert ["quoted value", "plain-value", "whole line"] == [value.text for value in read_known(path)]


@pytest.mark.parametrize("text", [pytest.param("", id="empty"), pytest.param("A=1\n", id="too-short")])
def test_a_list_without_a_value_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / ".env"
    path.write_text(text, "utf-8")
    with pytest.raises(AttrajError):
        read_known(path)
