"""ATIF → Bundle → ATIF with a change on the way: another version, without thoughts, subagents inside or beside.

The documents are restored, and each value keeps its place in the Bundle; then they are changed, each change by name.
`extra`, `notes` and whatever else the Bundle's core does not hold stay where they are. Spec: decisions 18.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from attraj.bundle.markers import is_marker
from attraj.bundle.model import Bundle
from attraj.formats.atif import upgrade_steps
from attraj.formats.atif.places import PLACES
from attraj.formats.atif.shape import NEWEST, VERSIONS
from attraj.formats.atif.upgrade_subagents import EMBEDDING, embed, name_documents, split
from attraj.formats.mapping import withheld
from attraj.formats.mapping.again import losses_again
from attraj.formats.mapping.again_beside import said_in_folder
from attraj.formats.mapping.beside import keep_beside
from attraj.formats.mapping.fields import At, Json, look_up, tokens_of
from attraj.formats.mapping.file_names import part_of, renamed
from attraj.formats.mapping.held import Held, Ledger
from attraj.formats.mapping.loss import Loss
from attraj.formats.mapping.residue import EXTENSION
from attraj.formats.mapping.restore import NotRestorable, Records, restore, sources
from attraj.formats.mapping.rooms import NotWritable, Wanted, Written, reader
from attraj.jsonio import MISSING, parse
from attraj.jsonio.write import dumps

DEFAULT, OLDEST = 7, 6
# What speaks of the Bundle itself, and what the documents say again in their own way.
_OWN: tuple[At, ...] = (
    *(("spec_version",), ("profiles",), ("trajectory_id",), ("source",), ("scope",), ("completeness",)),
    *(("bindings",), ("states",), ("nodes",), ("edges",), ("transform",), ("disclosure",), ("integrity",)),
)


@dataclass(slots=True)
class Restored:
    """One document, with values that know their place.

    Attributes:
        tree: Objects, arrays, `Held` values.
        part: What its reader called it among the documents of its Bundle; "" for the main one.
        links: Of its entry in the residue: place to record to pointer.
        losses: What was withheld from the Bundle and has no name to stand for it.
    """

    tree: Json
    part: str
    links: Json
    losses: list[Loss]


def restored(bundle: Bundle, ledger: Ledger, wanted: Wanted) -> list[Written] | None:
    """The documents that a Bundle was read from, as a caller wants them; None when a writer has to compose them."""
    entries = [one for one in sources(bundle) if one.get("format") == "atif"]
    others = [one for one in sources(bundle) if one.get("format") not in ("atif", "harbor")]
    if not entries or others:
        return None
    try:
        documents = [_restored(bundle, one, part_of(one, i)) for i, one in enumerate(entries)]
    except NotRestorable:
        return None
    if any(type(one.tree) is not dict for one in documents):
        return None
    ledger.gives_back = True
    for document in documents:
        ledger.losses += document.losses
    _account(bundle, ledger, entries, wanted)
    names = [one for found in renamed(bundle, entries, PLACES, wanted.stem, "atif") for one in found]
    version = minor(wanted.version) if wanted.version else None
    if wanted.embeds_subagents and not wanted.splits_subagents:
        documents = embed(bundle, documents, ledger, names)
    written: list[Written] = []
    for document in documents:
        target = _target(document.tree, version, wanted)
        parts = [(document.part, document.tree)]
        if wanted.splits_subagents or target < EMBEDDING:
            parts = split(document.part, document.tree, wanted.stem, ledger, has_sessions=target < EMBEDDING)
        for part, tree in parts:
            name_documents(tree, names)
            if wanted.strips_thoughts:
                upgrade_steps.strip_thoughts(tree, ledger)
            if target >= OLDEST and target != _declared(tree):
                upgrade_steps.rewrite(tree, target, ledger)
            written.append(Written(tree, part))
    return written


def minor(version: str) -> int:
    """The minor number of a version as a caller writes it ("1.7", "ATIF-v1.7"); the default for ""."""
    if not version:
        return DEFAULT
    number = VERSIONS.get(f"ATIF-v{version.removeprefix('ATIF-v')}")
    if number is None or not OLDEST <= number <= NEWEST:
        raise NotWritable(f"ATIF is written from version 1.{OLDEST} to 1.{NEWEST}")
    return number


def _declared(tree: Json) -> int:
    """The version that a document declares; -1 when it is none that is known."""
    tag = upgrade_steps.plain(tree.get("schema_version"))
    return VERSIONS.get(tag, -1) if type(tag) is str else -1


def _target(tree: Json, version: int | None, wanted: Wanted) -> int:
    """The version to write: the one asked for, else the document's own where it can hold what is asked for."""
    declared = _declared(tree)
    if version is not None:
        return version
    if wanted.upgrades:
        return NEWEST
    return max(declared, EMBEDDING) if wanted.embeds_subagents and "subagent_trajectories" in tree else declared


def _account(bundle: Bundle, ledger: Ledger, entries: list[Json], wanted: Wanted) -> None:
    """What the documents say again is said; what was added to the Bundle since is left to be counted.

    Of a trial's folder they are a part, and the rest of it is lost by name.
    """
    if wanted.is_given and len(sources(bundle)) == 1:
        document = parse(dumps(restore(bundle, entries[0], PLACES)))
        ledger.losses += losses_again(bundle, document, reader("atif"), "atif")
        ledger.used.update([(name,) for name in bundle.tree])
        return
    whole = sources(bundle)
    if len(entries) < len(whole):
        said = None
        if wanted.is_given:
            others = [one for one in whole if not any(one is entry for entry in entries)]
            given = [(one, restore(bundle, one, PLACES)) for one in entries]
            said = said_in_folder(bundle, given, others, reader("atif"))
        keep_beside(bundle, ledger, whole, entries, said)
        return
    ledger.used.update(_OWN)
    rights = bundle.tree.get("rights")
    if type(rights) is dict and all(value == "unknown" for value in rights.values()):
        ledger.used.add(("rights",))
    for position, one in enumerate(whole):
        if any(one is entry for entry in entries):
            ledger.used.add(("extensions", EXTENSION, "data", "artifacts", position))


# --- values that know their place --------------------------------------------------------------------------------


def _restored(bundle: Bundle, source: Json, part: str) -> Restored:
    lost: list[Loss] = []
    tree = restore(bundle, source, PLACES, lost)
    position = next(i for i, one in enumerate(sources(bundle)) if one is source)
    origins = _Origins(bundle, source, position)
    held = origins.held(tree)
    # What has a place in the document is told of where that is written.
    gone = [one for one in lost if not origins.has_written(tokens_of(one.pointer))]
    return Restored(held, part, source["links"], gone)


def _token(name: str) -> str | int:
    """A name as pointers read it."""
    return tokens_of(f"/{name}")[0] if name.isdigit() else name


class _Origins:
    """Where in the Bundle each value of a restored document stands."""

    def __init__(self, bundle: Bundle, source: Json, position: int) -> None:
        self._bundle = bundle
        self._core: dict[At, At] = {}
        self._open: set[At] = set()  # places above those that the core holds
        self._written: set[At] = set()
        at: At = ("extensions", EXTENSION, "data", "artifacts", position, "rest")
        self._rest = {tokens_of(pointer): (value, (*at, pointer)) for pointer, value in source["rest"].items()}
        records = Records(bundle)
        for name, linked in source["links"].items():
            place = PLACES[name]
            for record, pointer in linked.items():
                found, where = records.find(place, record)
                for one in place.fields:
                    if look_up(found, one.core) is not MISSING:
                        self._add((*tokens_of(pointer), *one.source), (*where, *one.core))

    def _add(self, at: At, origin: At) -> None:
        self._core[at] = origin
        while at and at[:-1] not in self._open:
            at = at[:-1]
            self._open.add(at)

    def has_written(self, origin: At) -> bool:
        """Whether a place of the Bundle stands in what `held` gave, or in a value of it."""
        return any(origin[:depth] in self._written for depth in range(len(origin) + 1))

    def _is_silent(self, origin: At) -> bool:
        """Whether the core says that it cannot hold what the document says here: the residue has it."""
        value = look_up(self._bundle.tree, origin)
        return is_marker(value) and withheld.plain(value, origin, _tell_nobody) is MISSING

    def held(self, tree: Any) -> Any:
        """The document with `Held` for its values; objects and arrays on the way to them are new."""
        root: list[Any] = [None]
        pending: list[tuple[Any, At, Any, Any, Any]] = [(tree, (), root, 0, None)]
        while pending:
            value, at, parent, key, rest = pending.pop()
            rest = self._rest.get(at, rest)
            origin = self._core.get(at)
            if origin is not None and (rest is None or not self._is_silent(origin)):
                parent[key] = Held(look_up(self._bundle.tree, origin), origin)
                self._written.add(origin)
            elif rest is not None and at not in self._open:
                parent[key] = Held(*rest)
            elif type(value) is dict:
                members: Json = dict.fromkeys(value)
                parent[key] = members
                pending.extend(
                    (one, (*at, _token(name)), members, name, _below(rest, name)) for name, one in value.items()
                )
            elif type(value) is list:
                items: list[Any] = [None] * len(value)
                parent[key] = items
                pending.extend((one, (*at, i), items, i, _below(rest, i)) for i, one in enumerate(value))
            else:
                parent[key] = value
        return root[0]


def _tell_nobody(_handling: str, _at: At, _code: str) -> None:
    """What is withheld is told of where it is written."""


def _below(rest: Any, token: Any) -> Any:
    """What the residue holds below a place, with its own place."""
    if rest is None:
        return None
    value, origin = rest
    inner = look_up(value, (token,))
    return None if inner is MISSING else (inner, (*origin, token))
