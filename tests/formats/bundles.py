"""What tests of rooms that read and write ask: a Bundle of a document, the document again, other documents of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from attraj.bundle.model import Bundle
from attraj.bundle.shape import COLLECTIONS
from attraj.findings import Finding, Severity
from attraj.formats.mapping.account import losses_of
from attraj.formats.mapping.draft import Draft, Settings
from attraj.formats.mapping.fields import COPY, At, Reading, look_up, pointer_of, tokens_of
from attraj.formats.mapping.held import Ledger, settle
from attraj.formats.mapping.loss import Loss
from attraj.formats.mapping.restore import restore, sources
from attraj.formats.mapping.rooms import Wanted, reader, writer
from attraj.jsonio import Document, parse
from attraj.jsonio.write import dumps
from attraj.verbs.validate import Request, validate
from tests.support import CORPUS, base_document

Json = dict[str, Any]

PAGES = {
    "atif": ("minimal", "full"),
    "swe-agent": ("minimal", "full", "old", "retry"),
    "mini-swe-agent": ("minimal", "full", "first"),
    "react-web": ("minimal", "full"),
}
ENDINGS = {"atif": ".json", "swe-agent": ".traj", "mini-swe-agent": ".traj.json", "react-web": ".json"}
AS_IT_IS = Wanted()
_MOST_BYTES = 300_000


def draft(room: str, raw: bytes) -> Draft:
    """A document read by its room."""
    return reader(room).read(parse(raw), Settings(name="document"))


def bundle(room: str, raw: bytes) -> Json:
    """Its Bundle, as its bytes say it."""
    tree: Json = json.loads(dumps(draft(room, raw).finish()))
    return tree


def page_bundles() -> Iterator[tuple[str, Json]]:
    """Name and Bundle of every base document of the rules' pages."""
    for room, names in PAGES.items():
        for name in names:
            package = f"attraj.formats.{room.replace('-', '_')}"
            yield f"{room} {name}", bundle(room, json.dumps(base_document(package, name)).encode())
    for name in ("minimal", "full"):
        yield f"bundle {name}", base_document("attraj.bundle.checks", name)


def corpus_files(room: str) -> list[Path]:
    """The corpus files of a room that are small enough for every run."""
    found = sorted((CORPUS / room).rglob(f"*{ENDINGS[room]}")) if CORPUS.is_dir() else []
    return [path for path in found if path.stat().st_size < _MOST_BYTES]


def is_readable(room: str, raw: bytes) -> bool:
    """Whether the room takes the document for its own, and finds no error in its shape."""
    report = validate(parse(raw), Request())
    return report.format == room and not any(finding.severity is Severity.ERROR for finding in report.findings)


def errors(tree: Json) -> list[str]:
    """What a validator objects to in a Bundle: code and pointer of each error."""
    return [f"{f.code} {f.location.pointer}" for f in _findings(tree, "bundle") if f.severity is Severity.ERROR]


def faults(tree: Any, room: str) -> list[str]:
    """What a validator objects to in a document of a room."""
    return [f"{f.code} {f.location.pointer}" for f in _findings(tree, room) if f.severity is Severity.ERROR]


def _findings(tree: Any, name: str) -> list[Finding]:
    return list(validate(parse(dumps(tree)), Request(format=name)).findings)


def restored(tree: Json, room: str) -> Any:
    """The document that a Bundle was read from."""
    whole = Bundle(tree)
    return restore(whole, sources(whole)[0], reader(room).PLACES)


def composed(tree: Json, room: str, wanted: Wanted = AS_IT_IS) -> tuple[list[Any], list[Loss], list[Any]]:
    """The documents that a room's writer makes of a Bundle, every loss, and the words that it wrote itself."""
    ledger = Ledger()
    module: Any = writer(room)
    settled = [settle(one.tree, ledger) for one in module.compose(Bundle(tree), ledger, wanted)]
    words = [look_up(one.tree, at) for one in settled for at in one.words]
    return [one.tree for one in settled], list(losses_of(tree, ledger, getattr(module, "KINDS", ()))), words


def changed(tree: Any, path: At, value: Any) -> Any:
    """A copy with one value replaced."""
    copy = json.loads(dumps(tree))
    look_up(copy, path[:-1])[path[-1]] = value
    return copy


def mapped_values(reading: Reading, tree: Json) -> Iterator[tuple[At, At]]:
    """Each place of the source that the core holds, with the place in the Bundle that holds it."""
    for at, taken in reading.taken.items():
        if taken.place == COPY:
            continue
        collection = reading.places[taken.place].collection
        if not collection:
            yield at, (*tokens_of(taken.record), *taken.core)
            continue
        member = COLLECTIONS[collection][1]
        position = next(i for i, one in enumerate(tree[collection]) if one[member] == taken.record)
        yield at, (collection, position, *taken.core)


def another(reading: Reading, at: At) -> tuple[Any, Any]:
    """Another value for a place of the source: as the core says it, and as the source writes it."""
    taken = reading.taken[at]
    fields = reading.places[taken.place].fields
    form = next(one.form for one in fields if one.core == taken.core and at[len(at) - len(one.source) :] == one.source)
    if form is None:
        return "another value", "another value"
    said = next(one for one in ("failed", "2026-01-01T00:00:00Z", {"another": 1}) if form.written(one) is not None)
    return said, form.written(said)


def copies_of(reading: Reading, at: At) -> list[At]:
    """Places of the source that say the same as this one, each below the copy that it is a part of."""
    found = [at]
    for copy, first in reading.copies.items():
        head = tokens_of(first)
        found += [(*tokens_of(copy), *one[len(head) :]) for one in found if one[: len(head)] == head]
    return found


def as_document(tree: Any) -> Document:
    """A document without bytes."""
    return Document(b"", tree)


def pointer(at: At) -> str:
    return pointer_of(at)
