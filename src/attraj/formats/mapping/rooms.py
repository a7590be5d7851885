"""What a room offers for conversion, and where: `read.py` into the Bundle, `write.py` out of it."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib import import_module
from typing import Any, NamedTuple, Protocol

from attraj.bundle.model import Bundle
from attraj.errors import AttrajError
from attraj.formats.mapping.draft import Draft, Settings
from attraj.formats.mapping.fields import Place
from attraj.formats.mapping.held import Ledger
from attraj.jsonio import Document


class NotWritable(AttrajError):
    """The target cannot hold what the Bundle says, even with losses; the message says what, without a value."""


class Wanted(NamedTuple):
    """What a caller asks of a writer.

    Attributes:
        version: Version to write; "" for the room's default.
        strips_thoughts: Leave reasoning out, as a declared loss.
        splits_subagents: Subagents as documents of their own.
        embeds_subagents: Subagents inside the document that called them.
        is_derived: Add fields that can be derived, flagged as such.
        upgrades: Write an older version of the target's own format as the room's default.
        stem: What the names of the output's files begin with ("run" for "run.attempt-1.atif.json").
        is_given: The Bundle was not made of its sources just now: somebody may have changed it since.
    """

    version: str = ""
    strips_thoughts: bool = False
    splits_subagents: bool = False
    embeds_subagents: bool = False
    is_derived: bool = False
    upgrades: bool = False
    stem: str = ""
    is_given: bool = False


class Written(NamedTuple):
    """One document of a writer: `Held`, `Made` and plain values.

    Attributes:
        tree: See `held.settle`.
        part: What tells it from the others of the same Bundle; "" for the only or main one.
    """

    tree: Any
    part: str = ""


class Reader(Protocol):
    """`read.py` of a room."""

    PLACES: Mapping[str, Place]

    def read(self, document: Document, settings: Settings) -> Draft:
        """One document as a Bundle in the making. Members of the wrong type stay in the residue."""
        ...


class Writer(Protocol):
    """`write.py` of a room.

    One that can change a document of its own format which is given back, without composing it anew, has besides
    `change(tree, wanted, notes) -> list[Loss]` (see swe_agent/write_back.py), for `strips_thoughts` and `is_derived`.
    """

    def compose(self, bundle: Bundle, ledger: Ledger, wanted: Wanted) -> list[Written]:
        """The documents that say what a Bundle says. Raises NotWritable when none can."""
        ...


_MODULES = {
    "atif": "attraj.formats.atif",
    "swe-agent": "attraj.formats.swe_agent",
    "mini-swe-agent": "attraj.formats.mini_swe_agent",
    "react-web": "attraj.formats.react_web",
}
READABLE = tuple(_MODULES)


def reader(name: str) -> Reader:
    """The reader of a foreign format, imported when it is first needed."""
    module: Reader = _load(f"{_MODULES[name]}.read")
    return module


def writer(name: str) -> Writer:
    """The writer of a foreign format."""
    module: Writer = _load(f"{_MODULES[name]}.write")
    return module


def _load(module: str) -> Any:
    return sys.modules.get(module) or import_module(module)
