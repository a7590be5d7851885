"""The maps of the rooms as rows for people: each member of a format and its place in the Bundle, and what is lost.

losses.json holds the losses that the code of the rooms names, as a test reads them off it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib import import_module
from importlib.resources import files
from typing import Any, NamedTuple

from attraj.formats.mapping.fields import At, Place
from attraj.formats.mapping.standing import words_of
from attraj.formats.mapping.withheld import DETAILS

_TABLES = {
    "atif": "attraj.formats.atif.places",
    "harbor": "attraj.formats.harbor.places",
    "swe-agent": "attraj.formats.swe_agent.places",
    "mini-swe-agent": "attraj.formats.mini_swe_agent.places",
    "react-web": "attraj.formats.react_web.places",
}
# What a run folder holds beside trajectories of a format, and is read with them: its table, and what it is called.
_BESIDE = {"swe-agent": ("attraj.formats.swe_bench.places", "in a report of SWE-bench or SWE-smith")}


class Row(NamedTuple):
    """One member of one kind of object.

    Attributes:
        place: The kind of object, in the room's words.
        record: What of the Bundle stands for it: "nodes: decision", "bindings.models", "outcomes", "the Bundle".
        member: The member, with those that it stands in.
        core: Its place below the record.
        says: What is to be known of it; "" for nothing.
    """

    place: str
    record: str
    member: str
    core: str
    says: str


class LossRow(NamedTuple):
    """One way in which a conversion does not say what its source says.

    Attributes:
        stage: "read" into the Bundle, or "write" out of it.
        code, category, handling: See `attraj.formats.mapping.loss.Loss`; category "" where it depends on the document.
        says: In words; "" where they depend on the document.
    """

    stage: str
    code: str
    category: str
    handling: str
    says: str


def directions(name: str) -> tuple[bool, bool]:
    """Whether a format is converted from, and to."""
    is_written = name in _TABLES and name != _FOLDERS
    return name in _TABLES or name == _NATIVE, is_written or name == _NATIVE


_NATIVE, _FOLDERS = "bundle", "harbor"


def losses_of(name: str) -> list[LossRow]:
    """What reading and writing a format can lose, in the words of the losses; reading first, by handling and code.

    A writer drops whatever it has no place for as well: those are the rows that are "dropped" under general codes.
    """
    import json  # of the standard library: the file is small, and read once

    from attraj.formats.mapping.account import KINDS  # with the rooms' own rows: only where somebody asks
    from attraj.formats.mapping.edits import DETAIL  # as above

    found: dict[str, Any] = json.loads(files(__package__).joinpath("losses.json").read_text(encoding="utf-8"))
    rows = [LossRow(*one) for one in (*found["*"], *found[name])]
    if directions(name)[1]:
        own = getattr(import_module(_TABLES[name].replace(".places", ".write")), "KINDS", ())
        silent = {kind.place for kind in own if not kind.code}
        dropped = [kind for kind in (*own, *KINDS) if kind.code and kind.place not in silent]
        rows += [*_OF_WRITERS, LossRow("write", "edited", "other", "dropped", DETAIL)]
        rows += [LossRow("write", kind.code, kind.category, "dropped", kind.detail) for kind in dropped]
    return sorted(set(rows), key=lambda row: (row.stage, _ORDER.index(row.handling), row.code, row.says))


_OF_WRITERS = [
    LossRow("write", "content", "other", "dropped", "content of a record that nothing else here speaks of"),
    *[LossRow("write", code, "other", "dropped", detail) for code, detail in DETAILS.items()],
]
_ORDER = ("synthesized", "approximated", "dropped")


def has_map(name: str) -> bool:
    """Whether this format is converted by a map of its own; the Bundle needs none."""
    return name in _TABLES


def rows_of(name: str) -> list[Row]:
    """The map of one format, in the order of the room's table, with what is read beside it. Imports tables alone."""
    found = _rows_of(name, _TABLES[name])
    if name in _BESIDE:
        table, of = _BESIDE[name]
        found += [row._replace(place=f"{row.place} {of}") for row in _rows_of(name, table)]
    return found


def _rows_of(name: str, table: str) -> list[Row]:
    module: Any = import_module(table)
    places: Mapping[str, Place] = module.PLACES
    return [row for place in places.values() for row in _rows(name, place, places.get(place.variant_of))]


def base_of(place: Place) -> str:
    """Name of the place that this one is a variant of, or another form of; its own for most."""
    return place.variant_of or _FORM.split(place.name)[0]


_FORM = re.compile(r", (?=spaced|compact)|-(?=spaced|compact)")  # of JSON texts: see forms.py


def _rows(form: str, place: Place, base: Place | None) -> list[Row]:
    """The rows of one place; of a variant those that differ."""
    record = words_of(form, place, base_of(place)) or place.collection or "the Bundle"
    if place.is_messages:
        return [Row(place.name, record, "[…]", "view, or delta", "messages that several views share are stored once")]
    return [
        Row(place.name, record, _path(one.source), _path(one.core), one.says)
        for one in place.fields
        if base is None or one not in base.fields
    ]


def _path(at: At) -> str:
    return ".".join([str(token) for token in at]) or "(whole)"
