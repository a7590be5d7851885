"""The maps of the rooms as rows for people: each member of a format and its place in the Bundle."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, NamedTuple

from attraj.formats.mapping.fields import At, Place

_TABLES = {
    "atif": "attraj.formats.atif.places",
    "harbor": "attraj.formats.harbor.places",
    "swe-agent": "attraj.formats.swe_agent.places",
    "mini-swe-agent": "attraj.formats.mini_swe_agent.places",
    "react-web": "attraj.formats.react_web.places",
}


class Row(NamedTuple):
    """One member of one kind of object.

    Attributes:
        place: The kind of object, in the room's words.
        record: The collection of the Bundle that its record stands in; "the Bundle" for a part of it that is no record.
        member: The member, with those that it stands in.
        core: Its place below the record.
        says: What is to be known of it; "" for nothing.
    """

    place: str
    record: str
    member: str
    core: str
    says: str


def has_map(name: str) -> bool:
    """Whether this format is converted by a map of its own; the Bundle needs none."""
    return name in _TABLES


def rows_of(name: str) -> list[Row]:
    """The map of one format, in the order of the room's table. Imports the room's table alone."""
    module: Any = import_module(_TABLES[name])
    places: Mapping[str, Place] = module.PLACES
    return [row for place in places.values() for row in _rows(place, places.get(place.variant_of))]


def _rows(place: Place, base: Place | None) -> list[Row]:
    """The rows of one place; of a variant those that differ."""
    record = place.collection or "the Bundle"
    if place.is_messages:
        return [Row(place.name, record, "[…]", "view, or delta", "messages that several views share are stored once")]
    return [
        Row(place.name, record, _path(one.source), _path(one.core), one.says)
        for one in place.fields
        if base is None or one not in base.fields
    ]


def _path(at: At) -> str:
    return ".".join([str(token) for token in at]) or "(whole)"
