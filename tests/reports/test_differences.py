"""Two documents drawn side by side: where they differ, safe for a terminal, and in JSON without a value."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from attraj.cli import run
from attraj.jsonio.values import of_value
from attraj.limits import DEFAULT_LIMITS
from attraj.reports.differences import drawn
from attraj.reports.differences_json import as_json
from attraj.reports.layout import View
from attraj.reports.texts import hunks
from attraj.verbs.diff import Difference, diff
from tests.support import REPOSITORY

VIEW = View(width=80)
TOKEN = "".join(["zq7", "Canary", "41x"])


def lines(count: int, **changed: str) -> str:
    return "\n".join(changed.get(f"l{number}", f"line {number}") for number in range(count))


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        pytest.param("old", "new", [("-", "old"), ("+", "new")], id="one-line"),
        pytest.param(
            lines(100),
            lines(100, l50="changed"),
            [(" ", "line 49"), ("-", "line 50"), ("+", "changed"), (" ", "line 51")],
            id="one-line-of-many",
        ),
        pytest.param(
            lines(9, l2="x", l4="y"),
            lines(9, l2="z", l4="w"),
            [(" ", "line 1"), ("-", "x"), ("+", "z"), (" ", "line 3"), ("-", "y"), ("+", "w"), (" ", "line 5")],
            id="two-lines-apart",
        ),
        pytest.param("a\nb", "a\nb\nc", [(" ", "b"), ("+", "c")], id="a-line-more"),
        pytest.param("a\nb\nc", "b\nc", [("-", "a"), (" ", "b")], id="a-line-less"),
        pytest.param(
            "x" * 400 + "1" + "y" * 400,
            "x" * 400 + "2" + "y" * 400,
            [("-", f"… {'x' * 40}1{'y' * 40} …"), ("+", f"… {'x' * 40}2{'y' * 40} …")],
            id="one-character-of-a-long-line",
        ),
    ],
)
def test_texts_are_shown_where_they_differ(a: str, b: str, expected: list[tuple[str, str]]) -> None:
    assert expected == list(hunks(a, b, VIEW))


def test_whole_texts_are_shown_when_asked_for() -> None:
    a, b = lines(30), lines(30, l3="x")
    assert [("-", a), ("+", b)] == list(hunks(a, b, View(is_full=True)))


def compared(a: Any, b: Any) -> Difference:
    return diff(of_value(a, DEFAULT_LIMITS), of_value(b, DEFAULT_LIMITS))


def hostile(text: str) -> Any:
    step = {
        "step_id": 1,
        "source": "agent",
        "message": text,
        "tool_calls": [{"tool_call_id": "c", "function_name": text, "arguments": {text: text}}],
        "extra": {text: {text: text}},
    }
    return {
        "schema_version": "ATIF-v1.7",
        "session_id": text,
        "agent": {"name": text, "version": text},
        "steps": [step],
    }


@pytest.mark.parametrize("is_full", [False, True])
def test_nothing_of_a_document_moves_the_cursor_or_passes_for_a_heading(is_full: bool) -> None:
    evil = "\x1b[2J\u202ex\nStep 9  decision\r"
    found = compared(hostile(evil), hostile(evil + "!"))
    shown = list(drawn(found, View(width=80, is_full=is_full)))
    assert [] == [line for line in shown if not line.isprintable()]
    assert [] == [line for line in shown if line.startswith("Step 9")]


def planted(tree: Any) -> Any:
    if isinstance(tree, dict):
        return {name: value if name == "schema_version" else planted(value) for name, value in tree.items()} | {
            TOKEN: TOKEN
        }
    if isinstance(tree, list):
        return [planted(value) for value in tree]
    return tree + TOKEN if isinstance(tree, str) and tree not in ("agent", "user", "system") else tree


@pytest.mark.parametrize(
    "options",
    [
        pytest.param(["--format", "json"], id="json"),
        pytest.param(["--format", "json", "--summary"], id="json-summary"),
        pytest.param(["--summary"], id="summary"),
        pytest.param(["--quiet"], id="quiet"),
    ],
)
def test_an_account_repeats_nothing_of_a_document(
    options: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tree = json.loads((REPOSITORY / "examples" / "trajectory.json").read_text(encoding="utf-8"))
    path = tmp_path / "planted.json"
    path.write_text(json.dumps(planted(tree)), encoding="utf-8")
    code = run(["diff", *options, str(path), str(REPOSITORY / "examples" / "trajectory.json")])
    out, err = capsys.readouterr()
    assert (1, False) == (code, TOKEN in out or TOKEN in err)


def test_json_holds_values_only_when_they_are_asked_for() -> None:
    found = compared(hostile("one"), hostile("two"))
    brief = json.loads(as_json(found, is_full=False, is_brief=False))
    full = json.loads(as_json(found, is_full=True, is_brief=False))
    place = {"pointer": "/steps/0/message"}
    change = next(c for c in brief["steps"][0]["changes"] if c["topic"] == "messages")
    assert {"topic": "messages", "name": "message", "kind": "different", "a": place, "b": place} == change
    change = next(c for c in full["steps"][0]["changes"] if c["topic"] == "messages")
    assert ({**place, "value": "one"}, {**place, "value": "two"}) == (change["a"], change["b"])


def test_what_one_never_speaks_of_is_counted_once() -> None:
    def timed(**members: str) -> Any:
        steps = [{"step_id": n, "source": "agent", "message": f"m{n}", **members} for n in range(1, 5)]
        return {"schema_version": "ATIF-v1.7", "agent": {"name": "a", "version": "1"}, "steps": steps}

    found = compared(timed(), timed(timestamp="2026-11-30T09:00:00Z"))
    brief, full = list(drawn(found, VIEW)), list(drawn(found, View(width=80, is_full=True)))
    assert ["Of the steps, B alone says (--full shows it): times (4)"] == [t for t in brief if "times (" in t]
    assert (0, 4) == tuple(sum(line.startswith("+ time:") for line in shown) for shown in (brief, full))
