"""Rows as a table, as JSON and as CSV."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from typing import Any

import pytest

from attraj.formats.story import Facts, Tokens
from attraj.reports.count_table import write_table
from attraj.reports.counts import write_csv, write_json
from attraj.verbs.stats import Row

FULL = Facts(
    "harbor", "0.26.0", "agent", "1", ("m",), 3, 2, 0, Tokens(10, 4, None, "unknown", "agent_result"), 0.25,
    rewards=(("reward", 1.0),), outcomes=(("runtime", "finished"),), termination="finished",
)  # fmt: skip
ROWS = [Row("job/a", facts=FULL), Row("job/b", facts=Facts("harbor", "0.26.0", "agent", "1", ("m",)))]


def drawn(writer: Any, rows: list[Row], *arguments: Any) -> str:
    out = io.StringIO()
    writer(rows, out.write, *arguments)
    return out.getvalue()


def table(rows: list[Row], width: int = 80) -> list[str]:
    return drawn(write_table, rows, width).splitlines()


def test_the_table() -> None:
    assert [
        "in job",
        "",
        "harbor 0.26.0 - agent agent 1 - model m",
        "       steps    calls    input   output  cost USD  reward      ended",
        "  a        3        2       10        4    0.2500  reward=1.0  finished",
        "  b  unknown  unknown  unknown  unknown   unknown  unknown     unknown",
    ] == table(ROWS)[:6]


@pytest.mark.parametrize("width", [80, 120])
def test_the_table_fits(width: int) -> None:
    many = tuple((f"a_long_key_{i}", 0.125) for i in range(9))
    rows = [*ROWS, Row("job/" + "n" * 90, facts=FULL), Row("job/c", status="unreadable", reason="gone " * 30)]
    rows.append(Row("job/d", facts=replace(FULL, rewards=many, termination="NonZeroAgentExitCodeError, " * 3)))
    assert [] == [line for line in table(rows, width) if len(line) > width and "n" * 50 not in line]


def test_what_was_not_counted_is_listed_and_the_account_adds_up() -> None:
    lines = table([Row("a.txt", status="skipped", reason="not JSON"), Row("b", status="unreadable", reason="gone")])
    assert [
        "not counted:",
        "  a.txt: skipped: not JSON",
        "  b: unreadable: gone",
        "",
        "2 documents: 1 unreadable, 1 skipped",
    ] == lines


def test_nothing_at_all() -> None:
    assert ["no documents"] == table([])


def test_unknown_is_null_in_json() -> None:
    report = json.loads(drawn(write_json, ROWS))
    second = report["documents"][1]
    assert (None, None, [], {"usd": None, "origin": None}) == (
        second["steps"],
        second["tokens"]["input"],
        second["rewards"],
        second["cost"],
    )
    assert {"total": 3, "known": 1, "unknown": 1} == report["summary"]["steps"]


def test_sums_beyond_64_bits_and_beyond_floats() -> None:
    most = (1 << 63) - 1
    facts = Facts("a", tokens=Tokens(most, most, None, "unknown", "x"), rewards=(("r", 1.7e308),), cost_usd=1.7e308)
    report = json.loads(drawn(write_json, [Row("p", facts=facts)] * 3))
    assert (3 * most, None, None) == (
        report["summary"]["tokens"][0]["input"]["total"],
        report["summary"]["rewards"][0]["mean"],
        report["summary"]["cost_usd"]["total"],
    )


def cells(row: Row) -> dict[str, str]:
    text = drawn(write_csv, [row])
    assert text.count("\r\n") == 2
    return next(csv.DictReader(io.StringIO(text, newline="")))


@pytest.mark.parametrize("start", ["=", "+", "-", "@"])
def test_no_cell_begins_like_a_formula(start: str) -> None:
    name = f"{start}cmd|' /C calc'!A0"
    found = cells(Row(f"{start}path", facts=Facts("atif", None, name, models=(name,), rewards=((name, 1),))))
    texts = [found["path"], found["agent"], found["models"], found["rewards"]]
    assert ["'" + start] * 4 == [text[:2] for text in texts]


def test_no_cell_is_empty_and_a_number_stays_one() -> None:
    found = cells(Row("p", facts=Facts("atif", cost_usd=-0.5, agent='a,"b"')))
    assert ("-0.5", 'a,"b"', "unknown") == (found["cost_usd"], found["agent"], found["steps"])
    assert [] == [name for name, value in found.items() if value == ""]


SECRET = "".join(["gh", "p_", "a1B2c3D4e5", "F6g7H8i9J0", "k1L2m3N4o5", "P6q7R8"])


@pytest.mark.parametrize("writer", [write_table, write_json, write_csv])
def test_a_name_that_looks_like_a_secret_is_not_repeated(writer: Any) -> None:
    facts = Facts("atif", None, SECRET, SECRET, (SECRET,), rewards=((SECRET, 1),))
    assert SECRET not in drawn(writer, [Row("p", facts=facts)])


@pytest.mark.parametrize("writer", [write_table, write_csv])
def test_nothing_reaches_a_terminal_raw(writer: Any) -> None:
    bad = "a\x1b[31m\u202eb\nc\x9b"
    text = drawn(writer, [Row(bad, facts=Facts("atif", None, bad, bad, (bad,), rewards=((bad, 1),)))])
    assert all(c.isprintable() or c in "\r\n" for c in text)
    assert "\\x1b[31m\\u202eb\\x0ac\\x9b" in text
