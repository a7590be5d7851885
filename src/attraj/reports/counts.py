"""Rows of `stats` as JSON, and as CSV for a spreadsheet; `count_table.py` draws them for people.

What is not known is `unknown` (null in JSON): never 0, never an empty cell. Names come from documents: they are
escaped, and one that looks like a secret is not repeated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from math import isfinite
from typing import Any

from attraj.reports.escaping import escaped
from attraj.reports.json_v1 import REPORT_VERSION, printable_path, tool
from attraj.verbs.stats import Row, Sum, Totals

Write = Callable[[str], object]

UNKNOWN = "unknown"
WITHHELD = "(looks like a secret)"
_MOST_CHARS = 80  # of a name


@lru_cache(maxsize=4096)
def shown_name(name: str) -> str:
    """The name of an agent, a model or a reward as it may be repeated."""
    from attraj.secrets.quick.scan import is_secret_like  # the detectors: only where names are shown

    if is_secret_like(name):
        return WITHHELD
    return escaped(name if len(name) <= _MOST_CHARS else name[:_MOST_CHARS] + "…")


def record(row: Row) -> dict[str, Any]:
    """One row for the JSON report."""
    found: dict[str, Any] = {"path": printable_path(row.path), "index": row.index, "status": row.status}
    facts = row.facts
    if facts is None:
        return {**found, "format": None, "format_version": None, "reason": row.reason}
    tokens = facts.tokens
    return {
        **found,
        "format": facts.format,
        "format_version": facts.version,
        "agent": {"name": _name(facts.agent), "version": _name(facts.agent_version)},
        "models": [shown_name(model) for model in facts.models],
        "steps": facts.steps,
        "calls": facts.calls,
        "subagents": facts.subagents,
        "attempts": facts.attempts,
        "tokens": {
            "input": tokens.input,
            "output": tokens.output,
            "cached": tokens.cached,
            "basis": tokens.basis or None,
            "origin": tokens.origin if tokens.basis else None,
        },
        "cost": {"usd": facts.cost_usd, "origin": None if facts.cost_usd is None else facts.cost_origin},
        "rewards": [{"key": shown_name(key), "value": value} for key, value in facts.rewards],
        "reward_valid": facts.reward_valid,
        "outcomes": [{"authority": who, "status": status} for who, status in facts.outcomes],
        "termination": facts.termination,
        "is_segment": facts.is_segment,
    }


def _name(name: str | None) -> str | None:
    return None if name is None else shown_name(name)


def write_json(rows: Iterable[Row], write: Write) -> Totals:
    """One JSON object, written as the rows come."""
    import orjson  # only when JSON is written

    from attraj.jsonio.write import dumps  # sums may be beyond 64 bits, the numbers of a row are not

    totals = Totals()
    head = {"report_version": REPORT_VERSION, "tool": tool(), "command": "stats"}
    write(dumps(head).decode()[:-1] + ',"documents":[')
    separator = "\n"
    for row in rows:
        totals.add(row)
        write(separator + orjson.dumps(record(row)).decode())
        separator = ",\n"
    write('],\n"summary":' + dumps(summary(totals)).decode() + "}\n")
    return totals


def summary(totals: Totals) -> dict[str, Any]:
    """The account, and what may be added up."""
    statuses = {name: totals.statuses[name] for name in ("counted", "unreadable", "rejected", "skipped")}
    return {
        "documents": totals.documents,
        **statuses,
        "formats": dict(sorted(totals.formats.items())),
        "steps": _sum(totals.steps),
        "calls": _sum(totals.calls),
        "tokens": [
            {"origin": origin, "input": _sum(sums[0]), "output": _sum(sums[1])}
            for origin, sums in sorted(totals.tokens.items())
        ],
        "tokens_unknown": totals.tokens_unknown,
        "cost_usd": _sum(totals.cost),
        "rewards": [
            {
                "key": shown_name(key),
                "counted": len(spread.values),
                "mean": _finite(spread.mean),
                "min": min(spread.values, default=None),
                "max": max(spread.values, default=None),
                "not_valid": spread.not_valid,
                "unavailable": spread.unavailable,
            }
            for key, spread in sorted(totals.rewards.items())
        ],
        "without_reward": totals.without_reward,
        "outcomes": [
            {"authority": who, "status": status, "count": number}
            for (who, status), number in sorted(totals.outcomes.items())
        ],
        "terminations": dict(sorted(totals.terminations.items())),
    }


def _sum(found: Sum) -> dict[str, Any]:
    return {"total": _finite(found.total) if found.known else None, "known": found.known, "unknown": found.unknown}


def _finite(number: float | int | None) -> float | int | None:
    """The number, unless it has grown beyond what JSON can hold."""
    return None if type(number) is float and not isfinite(number) else number


# --- CSV ---------------------------------------------------------------------------------------------------------


def write_csv(rows: Iterable[Row], write: Write) -> Totals:
    """A line a row, RFC 4180; no cell begins as a formula does."""
    import csv  # only when CSV is written
    from io import StringIO

    totals = Totals()
    line = StringIO()
    writer = csv.writer(line, lineterminator="\r\n")
    is_first = True
    for row in rows:
        totals.add(row)
        cells = _cells(record(row), row)
        if is_first:
            writer.writerow(cells)
            is_first = False
        writer.writerow(map(_cell, cells.values()))
        write(line.getvalue())
        line.seek(0)
        line.truncate()
    return totals


def _cells(found: Mapping[str, Any], row: Row) -> dict[str, Any]:
    tokens: Mapping[str, Any] = found.get("tokens", {})
    cost: Mapping[str, Any] = found.get("cost", {})
    agent: Mapping[str, Any] = found.get("agent", {})
    rewards = (f"{one['key']}={shown_value(one['value'])}" for one in found.get("rewards", ()))
    outcomes = (f"{one['authority']}: {one['status']}" for one in found.get("outcomes", ()))
    return {
        "path": escaped(row.path),
        "index": row.index,
        "status": row.status,
        "reason": row.reason or "none",
        "format": found["format"],
        "format_version": found["format_version"],
        "agent": agent.get("name"),
        "agent_version": agent.get("version"),
        "models": "; ".join(found.get("models", ())),
        **{name: found.get(name) for name in ("steps", "calls", "subagents", "attempts")},
        **{f"{name}_tokens": tokens.get(name) for name in ("input", "output", "cached")},
        "tokens_basis": tokens.get("basis"),
        "tokens_origin": tokens.get("origin"),
        "cost_usd": cost.get("usd"),
        "cost_origin": cost.get("origin"),
        "rewards": "; ".join(rewards),
        "reward_valid": found.get("reward_valid"),
        "outcomes": "; ".join(outcomes),
        "termination": found.get("termination"),
        "is_segment": found.get("is_segment"),
    }


def shown_value(value: float | int | None) -> str:
    """A reward's value as it is written beside its key."""
    return UNKNOWN if value is None else str(value)


def _cell(value: Any) -> str:
    """A cell as text. A spreadsheet runs what begins like a formula: a quote in front makes it text."""
    if value is None or value == "":
        return UNKNOWN
    if type(value) is bool:
        return "true" if value else "false"
    if type(value) is not str:
        return str(value)
    return "'" + value if value[0] in "=+-@\t\r" else value
