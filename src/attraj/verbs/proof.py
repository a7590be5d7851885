"""`convert --verify`: whether each value of the source stands in what was written, or in a loss. Works from bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

from attraj.bundle.model import Bundle
from attraj.formats.mapping.beside import FOLDERS
from attraj.formats.mapping.containers import NotRestorable
from attraj.formats.mapping.covers import ReadLosses, WriteLosses
from attraj.formats.mapping.fields import At, Json, Reading, look_up, pointer_of, tokens_of
from attraj.formats.mapping.held import Ledger
from attraj.formats.mapping.loss import Loss
from attraj.formats.mapping.reference_form import native_of
from attraj.formats.mapping.restore import restore, sources
from attraj.formats.mapping.rooms import reader
from attraj.formats.mapping.said import Notes, notes_of
from attraj.formats.mapping.verify import (
    Target,
    gone,
    misplaced,
    missing_in_bundle,
    missing_in_copy,
    missing_in_targets,
    missing_of_bundle,
)
from attraj.formats.mapping.verify_meaning import garbled, misread
from attraj.jsonio import MISSING, parse
from attraj.jsonio.write import dumps
from attraj.pointer import shown
from attraj.verbs.convert_repairs import errors_of
from attraj.verbs.validate import Request as Checks
from attraj.verbs.validate import validate


class Work(NamedTuple):
    """One conversion, as the proof looks at it.

    Attributes:
        tree: The Bundle between, as its writer had it.
        raw: Bytes of the document that was converted, when that is a Bundle itself; b"" otherwise.
        readings: The documents that the Bundle was read from.
        texts: What was written.
        trees: What each text has to say, to the last member.
        traces: Of each text what stands where in it; None when the texts are the documents given back.
        ledger: What of the Bundle the writer says in its own way.
        losses: Of both stages.
        is_sound: What was read has no errors, so that a Bundle made of it has none.
        made: Of each text what is said in another form where in it.
    """

    tree: Json
    raw: bytes
    readings: Sequence[Reading]
    texts: Sequence[bytes]
    trees: Sequence[Any]
    traces: Sequence[Sequence[tuple[At, At]]] | None
    ledger: Ledger
    losses: Sequence[Loss]
    is_sound: bool = False
    made: Sequence[Sequence[tuple[tuple[At, ...], At]]] = ()


def doubt(work: Work, to: str) -> str:
    """Why a conversion is not proven, in one line without a value; "" when it is.

    Args:
        to: Name of the target format.
    """
    written = [parse(text).tree for text in work.texts]
    between: Callable[[], Json] = cache(lambda: parse(dumps(work.tree)).tree)  # from its bytes as well, and once
    why = _told(_astray(work, written), "of what was written", "where nothing that was converted says it")
    if to == "bundle" and work.is_sound:
        why = why or _told(_unsound(work), "of the Bundle", "where the specification has none like it")
    why = why or _told(
        _misplaced(work, between, to, written), "of the Bundle between", "where something else is written"
    )
    return why or _told(
        _missing(work, between, to, written), "of the source", "neither in what was written nor in a loss"
    )


def _told(found: Iterable[tuple[Any, list[At]]], of: str, where: str) -> str:
    """How many places there are in some documents, and the first of them; "" when there is none."""
    count = 0
    first = ""
    for tree, places in found:
        count += len(places)
        if places and not first:
            first = shown(pointer_of(places[0]), tree) or "the document itself"
    if not count:
        return ""
    values = f"1 value {of} stands" if count == 1 else f"{count} values {of} stand"
    return f"{values} {where}; the first: {first}"


def _astray(work: Work, written: Sequence[Any]) -> Iterator[tuple[Any, list[At]]]:
    """What was written with the places that are not as its writer made them: added, gone, or another value.

    What a writer makes is a value of the Bundle, a loss, or a word of the format (held.settle): nothing else is there.
    """
    for made, one in zip(work.trees, written, strict=True):
        yield one, missing_in_copy(made, one)


def _unsound(work: Work) -> Iterator[tuple[Any, list[At]]]:
    """A Bundle that was made with the places at which it breaks its own rules: a cause that is no node, a claim
    without its authority."""
    for text in work.texts:
        document = parse(text)
        found = [one.location.pointer for one in errors_of(validate(document, Checks(format="bundle")))]
        yield document.tree, [tokens_of(one) for one in found]


def _targets(traces: Sequence[Sequence[tuple[At, At]]], written: Sequence[Any]) -> list[Target]:
    return [Target(one, trace) for one, trace in zip(written, traces, strict=True)]


def _misplaced(
    work: Work, between: Callable[[], Json], to: str, written: Sequence[Any]
) -> Iterator[tuple[Any, list[At]]]:
    """The Bundle with the places that say something else where its writer has put them: a value, a role, a cause."""
    if work.traces is not None:
        bundle, targets = between(), _targets(work.traces, written)
        yield bundle, misplaced(bundle, targets, work.losses)
        made = zip(written, work.made, strict=True) if work.made else ()
        yield bundle, [at for tree, of in made for at in garbled(bundle, tree, of)]
        yield bundle, misread(bundle, work.texts, targets, to, work.losses)


def _missing(
    work: Work, between: Callable[[], Json], to: str, written: Sequence[Any]
) -> Iterator[tuple[Any, list[At]]]:
    """Each source with the places of its values that are not accounted for."""
    if work.raw:
        tree = native_of(parse(work.raw).tree)
        if to == "bundle":
            told = ReadLosses(work.losses)
            yield tree, [at for at in missing_in_copy(tree, native_of(written[0])) if not told.cover(at)]
        elif work.traces is None:
            yield from _of_given(work, Bundle(tree), to, written)
        else:
            yield tree, missing_of_bundle(tree, _targets(work.traces, written), work.losses, work.ledger)
        return
    given = iter(written)
    native = native_of(written[0]) if to == "bundle" and work.readings else None
    for reading in work.readings:
        tree = parse(reading.raw).tree if reading.raw else MISSING
        tree = reading.tree if tree is MISSING else tree
        losses = _within(work.losses, reading)
        if to == "bundle":
            yield tree, _lacking(native, reading, tree, losses)
        elif work.traces is None:
            if reading.format == to:
                yield tree, _changed(between, reading, tree, next(given), losses)
        else:
            notes = _notes(between(), reading)
            if notes is None:
                yield tree, [()]
                continue
            targets = _targets(work.traces, written)
            missing = missing_in_targets(tree, notes, between(), targets, losses, work.ledger)
            # The small files of a folder say by null that there is nothing to say, and no target has a place for it.
            yield tree, [at for at in missing if reading.format not in FOLDERS or look_up(tree, at) is not None]


def _lacking(bundle: Any, reading: Reading, tree: Any, losses: Sequence[Loss]) -> list[At]:
    """The values that a Bundle does not hold at their place, or that do not come back out of it."""
    notes = _notes(bundle, reading)
    if notes is None:
        return [()]
    missing = missing_in_bundle(tree, notes, losses)
    if missing or reading.format in FOLDERS:  # a folder is only read
        return missing
    source = next(one for one in sources(Bundle(bundle)) if one.get("artifact_id") == reading.artifact)
    told = ReadLosses(losses)
    return [at for at in missing_in_copy(tree, restore(Bundle(bundle), source, reading.places)) if not told.cover(at)]


def _changed(between: Callable[[], Json], reading: Reading, tree: Any, copy: Any, losses: Sequence[Loss]) -> list[At]:
    """Where a document that was given back is not what it was, and no loss says so."""
    missing = missing_in_copy(tree, copy)
    notes = _notes(between(), reading) if missing else None
    if notes is None:
        return missing
    told, read = WriteLosses(losses), ReadLosses(losses)
    added = {loss.pointer for loss in losses if loss.stage == "write" and loss.handling == "synthesized"}
    changed: list[At] = []
    for at in missing:
        if look_up(tree, at) is MISSING and pointer_of(at) in added:
            continue
        said = notes.of(at)
        if not (read.cover(at) or (said is not None and told.cover(said.at))):
            changed.append(at)
    return changed


def _of_given(work: Work, bundle: Bundle, to: str, written: Sequence[Any]) -> Iterator[tuple[Any, list[At]]]:
    """Each document that was given back of a Bundle, with the places that are not as the Bundle has them."""
    places = reader(to).PLACES
    entries = [one for one in sources(bundle) if one.get("format") == to]
    for entry, tree in zip(entries, written, strict=True):
        try:
            notes = notes_of(bundle, entry, places)
        except NotRestorable:
            yield tree, [()]
            continue
        told = WriteLosses(work.losses, bundle.tree)
        added = {loss.pointer for loss in work.losses if loss.stage == "write" and loss.handling == "synthesized"}
        found = [*missing_in_bundle(tree, notes, ()), *gone(tree, notes)]
        at_loss = [(at, notes.of(at)) for at in found if pointer_of(at) not in added]
        yield tree, [at for at, said in at_loss if said is None or not told.cover(said.at)]


def _notes(tree: Any, reading: Reading) -> Notes | None:
    bundle = Bundle(tree)
    source = next((one for one in sources(bundle) if one.get("artifact_id") == reading.artifact), None)
    try:
        return None if source is None else notes_of(bundle, source, reading.places)
    except NotRestorable:
        return None


def _within(losses: Iterable[Loss], reading: Reading) -> list[Loss]:
    """The losses with their places in this document, where they have them in the folder that it is a file of."""
    path = reading.artifact.removeprefix("file:")
    if path == reading.artifact:
        return list(losses)
    prefix = pointer_of(tuple(path.split("/")))
    return [
        replace(loss, pointer=loss.pointer[len(prefix) :]) if loss.pointer.startswith(prefix) else loss
        for loss in losses
        if loss.stage == "write" or loss.pointer.startswith(prefix)
    ]
