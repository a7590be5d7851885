"""Outputs that would have one name: told of all at once, before anything is read or written (decisions 11)."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from attraj.batch.convert_names import output_name, stem
from attraj.errors import AttrajError

if TYPE_CHECKING:
    from attraj.batch.convert_plan import Entry

_NAMED = 20


class _Pair(NamedTuple):
    first: Entry
    second: Entry

    def __str__(self) -> str:
        return f"{self.first.item.path} and {self.second.item.path}"


def require_own_names(entries: Iterable[Entry], to: str, out: str) -> tuple[str, ...]:
    """Raise AttrajError unless every output has a name of its own, and none is that of a folder that is needed.

    Args:
        entries: Of a plan.
        to: Name of the target format.
        out: Folder of the outputs.

    Returns:
        What is worth knowing: names that another file system would take for one.
    """
    first: dict[str, Entry] = {}
    same: list[_Pair] = []
    for entry in entries:
        if entry.is_converted:
            other = first.setdefault(entry.name, entry)
            if other is not entry:
                same.append(_Pair(other, entry))
    alike = _alike(first.values())
    if same or (alike and _folds_names(out)):
        raise _clash([*same, *alike] if _folds_names(out) else same)
    folders = {folder for name in first for folder in _folders(name)}
    for entry in first.values():
        if output_name(entry.name, "", to) in folders:
            raise AttrajError(f"{entry.item.path}: its output would have the name of a folder that is needed")
    if not alike:
        return ()
    more = f", and {len(alike) - 1:,} more such pairs" if len(alike) > 1 else ""
    what = "outputs whose names a file system that folds case or accents takes for one"
    return (f"{alike[0]}: {what}{more}",)


def _clash(pairs: list[_Pair]) -> AttrajError:
    apart = any(stem(os.path.abspath(one.item.path)) != stem(os.path.abspath(two.item.path)) for one, two in pairs)
    hint = "--relative-to a folder above both keeps their paths apart; else " if apart else ""
    hint += "--exclude PATH leaves out one of two that a walk meets"
    if len(pairs) == 1:
        return AttrajError(f"{pairs[0]} would be written to the same file", hint=hint)
    lines = [f"  {pair}" for pair in pairs[:_NAMED]]
    lines += [f"  and {len(pairs) - _NAMED:,} more"] if len(pairs) > _NAMED else []
    told = "\n".join(lines)
    return AttrajError(f"{len(pairs):,} pairs of inputs would be written to the same file:\n{told}", hint=hint)


def _alike(entries: Iterable[Entry]) -> list[_Pair]:
    """Those whose names differ in case, or in how an accent is written, alone."""
    first: dict[str, Entry] = {}
    found: list[_Pair] = []
    for entry in entries:
        name = entry.name
        folded = name.lower() if name.isascii() else unicodedata.normalize("NFC", name.casefold())
        other = first.setdefault(folded, entry)
        if other is not entry:
            found.append(_Pair(other, entry))
    return found


def _folds_names(folder: str) -> bool:
    """Whether the file system of a folder, which need not be there yet, takes names in another case for the same."""
    here = os.path.realpath(folder)
    while here != os.path.dirname(here):
        above, name = os.path.split(here)
        other = os.path.join(above, name.swapcase())
        if name != name.swapcase() and os.path.exists(here):
            return os.path.exists(other) and os.path.samefile(here, other)
        here = above
    return False


def _folders(name: str) -> Iterator[str]:
    end = name.rfind("/")
    while end > 0:
        yield name[:end]
        end = name.rfind("/", 0, end)
