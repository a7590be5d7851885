"""Rows of `stats` as a table for people: by agent and model, at 80 columns, with an account that adds up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from os.path import commonpath, dirname
from textwrap import wrap

from attraj.formats.story import Facts
from attraj.reports.counts import UNKNOWN, Write, shown_name, shown_value
from attraj.reports.escaping import escaped
from attraj.reports.layout import width_of
from attraj.verbs.stats import Row, Sum, Totals

_NARROW = 20  # columns; a name that would get fewer stands on a line of its own
_COLUMNS = ("steps", "calls", "input", "output", "cost USD", "reward", "ended")
_SHORT = 12  # columns that a text keeps in any case
_FIRST_TEXT = _COLUMNS.index("reward")  # numbers stand to the right, texts to the left


def write_table(rows: Iterable[Row], write: Write, width: int = 80, *, quiet: bool = False) -> Totals:
    """Rows by agent and model, then what was not counted, then the account and what may be added up.

    Args:
        width: Columns of the terminal.
        quiet: Leave out the list of what was skipped (it stays in the account).
    """
    totals = Totals()
    counted: list[tuple[Row, Facts]] = []
    others: list[Row] = []
    for row in rows:
        totals.add(row)
        if row.facts is not None:
            counted.append((row, row.facts))
        elif not (quiet and row.status == "skipped"):
            others.append(row)
    width = max(width, 60)
    for line in _table(counted, width):
        write(line + "\n")
    if others:
        write("\nnot counted:\n" if counted else "not counted:\n")
    for row in others:
        for line in _wrapped(f"{_place(row)}: {row.status}: {row.reason}", width):
            write(line + "\n")
    if counted or others:
        write("\n")
    for line in _account(totals, width):
        write(line + "\n")
    return totals


def _table(counted: list[tuple[Row, Facts]], width: int) -> Iterator[str]:
    folder = _folder([row for row, _ in counted])
    if folder:
        yield from wrap(f"in {escaped(folder)}", width)
    groups: dict[tuple[object, ...], list[tuple[str, tuple[str, ...]]]] = {}
    titles: list[str] = []
    for row, facts in counted:
        group = (facts.format, facts.version, facts.agent, facts.agent_version, facts.models)
        lines = groups.get(group)
        if lines is None:
            lines = groups[group] = []
            titles.append(_title(facts))
        lines.append((_place(row, folder), _row_cells(facts)))
    layout = _Layout([line for lines in groups.values() for line in lines], width)
    is_first = not folder
    for title, lines in zip(titles, groups.values(), strict=True):
        if not is_first:
            yield ""
        is_first = False
        yield from wrap(title, width, subsequent_indent="  ")
        yield from layout.heading()
        for name, cells in lines:
            yield from layout.line(name, cells)
    hidden = [name for i, name in enumerate(_COLUMNS) if i not in layout.widths]
    if counted and hidden:
        yield ""
        yield from wrap(f"unknown for all of them: {', '.join(hidden)}", width)


def _folder(rows: list[Row]) -> str:
    """The folder that all rows stand in; "" for a single row, and when there is none."""
    if len(rows) < 2:
        return ""
    try:
        return commonpath({dirname(row.path) for row in rows})
    except ValueError:  # absolute and relative paths side by side
        return ""


class _Layout:
    """Columns that are as wide as what stands in them; a name that finds no room stands above its row."""

    def __init__(self, lines: list[tuple[str, tuple[str, ...]]], width: int) -> None:
        self._width = width
        # Few numbers differ from one row to the next: a column is measured by its distinct cells.
        columns = [set(column) for column in zip(*(cells for _, cells in lines), strict=True)]
        self.widths = {
            i: max(len(_COLUMNS[i]), *map(width_of, cells)) for i, cells in enumerate(columns) if cells != {UNKNOWN}
        }
        self._shorten(width - 2)
        names = max((width_of(name) for name, _ in lines), default=0)
        room = width - 2 - sum(2 + one for one in self.widths.values())
        self._names = min(names, room)
        self._is_apart = room < min(names, _NARROW)

    def _shorten(self, room: int) -> None:
        """Texts give way to numbers where a row would be wider than the terminal; JSON and CSV hold them whole."""
        for i in (_FIRST_TEXT, _FIRST_TEXT + 1):
            over = sum(2 + one for one in self.widths.values()) - 2 - room
            if i in self.widths and over > 0:
                self.widths[i] = max(_SHORT, self.widths[i] - over)

    def heading(self) -> Iterator[str]:
        if self.widths:
            yield self._joined(" " * self._names, _COLUMNS)

    def line(self, name: str, cells: tuple[str, ...]) -> Iterator[str]:
        if self._is_apart:
            yield from _wrapped(name, self._width)
            yield self._joined("", cells)
        else:
            name = _tail(name, self._names)
            yield self._joined(name + " " * (self._names - width_of(name)), cells)

    def _joined(self, name: str, cells: tuple[str, ...]) -> str:
        shown = [_padded(cells[i], width, i) for i, width in self.widths.items()]
        return "  " + "  ".join(shown if self._is_apart else [name, *shown]).rstrip()


def _padded(text: str, width: int, column: int) -> str:
    is_text = column >= _FIRST_TEXT
    if is_text and width_of(text) > width:
        text = _beginning(text, width)
    if text.isascii():
        return text.ljust(width) if is_text else text.rjust(width)
    space = " " * (width - width_of(text))
    return text + space if is_text else space + text


def _title(facts: Facts) -> str:
    agent = UNKNOWN if facts.agent is None else shown_name(facts.agent)
    version = "" if facts.agent_version is None else f" {shown_name(facts.agent_version)}"
    models = ", ".join(map(shown_name, facts.models)) or UNKNOWN
    called = f"{facts.format} {facts.version}" if facts.version else facts.format
    return f"{called} - agent {agent}{version} - model {models}"


def _row_cells(facts: Facts) -> tuple[str, ...]:
    rewards = ended = ""
    if facts.rewards:
        rewards = ", ".join([f"{shown_name(key)}={shown_value(value)}" for key, value in facts.rewards])
        rewards += " (not valid)" if facts.reward_valid is False else ""
    if facts.termination or facts.outcomes:
        ended = facts.termination or ", ".join(dict.fromkeys([status for _, status in facts.outcomes]))
    return (
        _counted(facts.steps),
        _counted(facts.calls),
        _counted(facts.tokens.input),
        _counted(facts.tokens.output),
        UNKNOWN if facts.cost_usd is None else f"{facts.cost_usd:.4f}",
        rewards or UNKNOWN,
        ended or UNKNOWN,
    )


def _counted(number: int | None) -> str:
    return UNKNOWN if number is None else f"{number:,}"


def _place(row: Row, folder: str = "") -> str:
    path = row.path[len(folder) :].lstrip("/") if folder else row.path
    name = "(standard input)" if row.path == "-" else escaped(path)
    return f"{name}[{row.index}]" if row.index else name


def _beginning(text: str, room: int) -> str:
    while width_of(text) > room - 1:
        text = text[:-1]
    return text + "…"


def _tail(name: str, room: int) -> str:
    """The end of a path, where the names differ."""
    if width_of(name) <= room:
        return name
    while width_of(name) > room - 1:
        name = name[1 + max(0, (width_of(name) - room) // 2) :]
    return "…" + name


def _wrapped(text: str, width: int) -> Iterator[str]:
    yield from wrap(text, width, initial_indent="  ", subsequent_indent="    ")


def _account(totals: Totals, width: int) -> Iterator[str]:
    if not totals.documents:
        yield "no documents"
        return
    parts = [f"{totals.statuses[s]:,} {s}" for s in ("counted", "unreadable", "rejected", "skipped")]
    shown = ", ".join(part for part in parts if not part.startswith("0 "))
    yield from wrap(f"{totals.documents:,} document{'s' if totals.documents > 1 else ''}: {shown}", width)
    if not totals.statuses["counted"]:
        return
    for label, text in _totals(totals):
        yield from wrap(text, width, initial_indent=f"  {label:<10}", subsequent_indent=" " * 12)


def _totals(totals: Totals) -> Iterator[tuple[str, str]]:
    yield "steps", _summed(totals.steps)
    yield "calls", _summed(totals.calls)
    for origin, (given, made) in sorted(totals.tokens.items()):
        yield "tokens", f"{_summed(given)} input, {_summed(made)} output, counted by: {origin}"
    if totals.tokens_unknown:
        yield "tokens", f"unknown, or not to be added, for {totals.tokens_unknown:,}"
    if totals.cost.known:
        yield "cost", _summed(totals.cost, ".4f", " USD")
    for key, spread in sorted(totals.rewards.items()):
        parts = [f"{shown_name(key)}: {len(spread.values):,} recorded"]
        if spread.mean is not None:
            parts.append(f"mean {spread.mean:.4g}, from {min(spread.values):.4g} to {max(spread.values):.4g}")
        if spread.not_valid:
            parts.append(f"{spread.not_valid:,} not valid")
        if spread.unavailable:
            parts.append(f"{spread.unavailable:,} without a number")
        yield "reward", "; ".join(parts)
    if totals.rewards and totals.without_reward:
        yield "reward", f"none recorded for {totals.without_reward:,}"
    for (who, status), number in sorted(totals.outcomes.items()):
        yield "outcome", f"{status}, by {who}: {number:,}".replace("_", " ")
    for word, number in sorted(totals.terminations.items()):
        yield "ended", f"{word}: {number:,}"


def _summed(found: Sum, form: str = ",", unit: str = "") -> str:
    if not found.known:
        return UNKNOWN
    of = found.known + found.unknown
    return f"{found.total:{form}}{unit}" + (f" ({found.known:,} of {of:,} documents say)" if found.unknown else "")
