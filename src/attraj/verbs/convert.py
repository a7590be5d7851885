"""Convert: the same facts in another format, and what was lost on the way. Every format goes through the Bundle."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from attraj.bundle.model import Bundle
from attraj.findings import DocumentReport, Stratum
from attraj.formats.mapping.account import losses_of
from attraj.formats.mapping.again import losses_again
from attraj.formats.mapping.again_beside import said_in_folder
from attraj.formats.mapping.assets import Extracted, extracted
from attraj.formats.mapping.beside import FOLDERS, is_lone, losses_beside, losses_of_files
from attraj.formats.mapping.draft import Draft, Settings
from attraj.formats.mapping.edits import losses_of_edits
from attraj.formats.mapping.facts import OF_BUNDLES, Facts
from attraj.formats.mapping.fields import At, Reading, pointer_of
from attraj.formats.mapping.file_names import part_of, rename, renamed
from attraj.formats.mapping.held import Ledger, settle
from attraj.formats.mapping.loss import Loss
from attraj.formats.mapping.reference_form import native_with_losses, reference_of
from attraj.formats.mapping.restore import NotRestorable, restore, sources
from attraj.formats.mapping.rooms import READABLE, NotWritable, Wanted, reader, writer
from attraj.formats.mapping.said import notes_of
from attraj.jsonio import Document, parse
from attraj.jsonio.write import dumps, holds_finite
from attraj.limits import DEFAULT_LIMITS, Limits
from attraj.verbs.convert_repairs import MISSHAPEN, errors_of, is_misshapen, lowered, repairs
from attraj.verbs.convert_verdicts import LEFT, add_verdicts, unread_verdicts
from attraj.verbs.validate import Request as ValidateRequest
from attraj.verbs.validate import validate

if TYPE_CHECKING:
    from attraj.formats.swe_bench.beside import Beside
    from attraj.formats.swe_bench.report import Report

WRITABLE = ("bundle", *READABLE)
NO_STEPS = "this kind of document has no steps to convert"
ConvertStatus = Literal["converted", "findings", "unreadable", "rejected", "refused", "skipped"]


class Request(NamedTuple):
    """What is asked of each document.

    Attributes:
        to: Name of the target format, one of `WRITABLE`.
        format: Name of the source format to insist on; "" to tell it by content.
        version: Version to write ("1.7"); "" for the version that the document was read from, else the room's default.
        form: "morphz-ref" for the strict reference form of a Bundle; "" for the native one.
        trajectory_id: Identity to give; "" for the source's own, or the one made of its name.
        is_lenient: Convert what can be read of a document with errors in its shape; every repair is a loss.
        is_verified: Prove afterwards that each value of the source stands in the target or in a loss.
        has_inferred_edges: Write edges that rest on turn order or loop semantics.
        strips_thoughts, splits_subagents, embeds_subagents, upgrades: Declared operations; each is a loss or a step.
        extracts_assets: Give `data:` URIs as files of their own; of a Bundle none are taken out.
        assets_folder: Where those files will stand, relative to the folder of what is written, with "/": the written
            document names them so. A caller that writes several documents into one folder gives each its own.
        verdicts: Reports of a harness that the caller names; see formats/swe_bench/report.py.
        beside: What stands beside the document, in a folder that was given; None when nothing was looked for.
    """

    to: str
    format: str = ""
    version: str = ""
    form: str = ""
    trajectory_id: str = ""
    is_lenient: bool = False
    is_verified: bool = False
    has_inferred_edges: bool = True
    strips_thoughts: bool = False
    splits_subagents: bool = False
    embeds_subagents: bool = False
    upgrades: bool = False
    extracts_assets: bool = False
    assets_folder: str = "assets"
    is_derived: bool = False
    limits: Limits = DEFAULT_LIMITS
    verdicts: tuple[Report, ...] = ()
    beside: Beside | None = None


class Output(NamedTuple):
    """One document that came out.

    Attributes:
        text: The bytes to write.
        part: What tells the documents of one input apart ("attempt-1", "subagent-2"); "" for the only or main one.
        assets: Path, relative to the folder of the document and as the document names it, to bytes.
    """

    text: bytes
    part: str = ""
    assets: Mapping[str, bytes] = {}


class Converted(NamedTuple):
    """What became of one input document.

    Attributes:
        status: `converted`; `findings` (not converted for the errors in the report); `refused` (the target cannot
            hold it; `reason` says why); the others as in a report.
        outputs: () unless converted.
        losses: In the order of their places; every one, not gathered.
        report: The validator's report of the input.
        reason: Why nothing came out; "" when something did.
        is_unproven: It is refused because `is_verified` does not hold (exit code 5).
        errors: How many errors there are in what was read, in spite of which it was converted.
        notes: Facts about what was written that are no loss, in our own words.
    """

    status: ConvertStatus
    outputs: tuple[Output, ...] = ()
    losses: tuple[Loss, ...] = ()
    report: DocumentReport | None = None
    reason: str = ""
    is_unproven: bool = False
    errors: int = 0
    notes: tuple[str, ...] = ()


def convert(document: Document, name: str, request: Request) -> Converted:
    """Convert one document.

    Args:
        document: Never modified.
        name: Its path within what was given, without known suffixes, for an identity where the source has none.
        request: Target, version, operations.

    Returns:
        What came out, every loss of reading and writing, and the validator's report of the input. A document with
        errors in its shape is not converted unless the request is lenient.

    Source: DESIGN.md §3, §4; spec decisions 11, 16 to 22.
    """
    report = validate(document, _checks(document, request))
    if report.status in ("unreadable", "rejected", "skipped"):
        return Converted(report.status, report=report, reason=report.reason or "")
    if not request.is_lenient and is_misshapen(report):
        return Converted("findings", report=report, reason=MISSHAPEN)
    if report.format not in WRITABLE:  # each is read as well
        return Converted("refused", report=report, reason=NO_STEPS)
    if not holds_finite(document.tree):
        return Converted("refused", report=report, reason=INFINITE)
    errors = len(errors_of(report))
    losses = list(repairs(document, report))
    if report.format == "bundle":
        raw = document.raw or dumps(document.tree)
        tree, lost = native_with_losses(document.tree)
        if errors:
            tree, more = lowered(tree)
            lost += more
        losses += unread_verdicts(request)
        made = written(tree, request, [*losses, *lost], report, raw=raw, stem=os.path.basename(name))
        return made._replace(errors=errors)
    draft = _draft(document, name, request, report.format)
    draft.losses += losses
    if request.verdicts or request.beside is not None:
        add_verdicts(draft, document, name, request)
    made = written(draft.finish(), request, draft.losses, report, draft.readings, stem=os.path.basename(name))
    return made._replace(errors=errors)


def written(
    tree: dict[str, Any],
    request: Request,
    losses: list[Loss],
    report: DocumentReport,
    readings: Sequence[Reading] = (),
    raw: bytes = b"",
    stem: str = "",
) -> Converted:
    """A Bundle in the target format, with the losses of reading it before those of writing it.

    Args:
        losses: Of reading.
        readings: The documents that the Bundle was read from just now; () when it is one that was given.
        raw: Bytes of the Bundle that was given; b"" when there is none.
        stem: What the names of the output's files begin with, for documents that name each other.
    """
    bundle, files, moved = Extracted(Bundle(tree), {}, [])
    if request.extracts_assets and request.to != "bundle":
        bundle, files, moved = extracted(bundle, request.assets_folder)
    try:
        product = _product(bundle, request, stem, readings)
    except NotWritable as error:
        return Converted("refused", (), tuple(losses), report, error.message)
    if files and product.outputs:
        product.outputs[0] = product.outputs[0]._replace(assets=files)
    is_restored = product.traces is None and request.to != "bundle"
    if is_restored or product.ledger.gives_back:
        losses = _remaining(losses, readings, request)
    elif request.to not in ("bundle", "swe-agent"):  # which have views of their own
        losses = [loss for loss in losses if loss.code not in OF_BUNDLES]
    lost = (*losses, *moved, *product.losses)
    if request.is_verified:
        from attraj.verbs.proof import Work, doubt  # only where a proof is asked for

        texts = [output.text for output in product.outputs]
        is_sound = bool(readings) and not errors_of(report)
        work = Work(
            tree, raw, readings, texts, product.trees, product.traces, product.ledger, lost, is_sound, product.made
        )
        why = doubt(work, request.to)
        if why:
            return Converted("refused", (), lost, report, why, is_unproven=True)
    return Converted("converted", tuple(product.outputs), lost, report, notes=tuple(product.ledger.notes))


def _draft(document: Document, name: str, request: Request, room: str) -> Draft:
    settings = _settings(document, name, request)
    if room != "atif" or request.to != "atif" or not request.embeds_subagents:
        return reader(room).read(document, settings)
    from attraj.formats.atif.read import read_family  # only where subagents in files are asked for
    from attraj.verbs.convert_family import family_of

    def is_sound(one: Document) -> bool:
        report = validate(one, _checks(one, request)._replace(format=""))
        return report.format == "atif" and not is_misshapen(report) and holds_finite(one.tree)

    return read_family(document, settings, *family_of(document, is_sound, request.limits))


INFINITE = "a number in it is beyond every double"


def _checks(document: Document, request: Request) -> ValidateRequest:
    base = ValidateRequest(format=request.format, is_lenient=request.is_lenient)
    return base._replace(options=base.options._replace(limits=request.limits, level=Stratum.SHAPE))


def _settings(document: Document, name: str, request: Request) -> Settings:
    return Settings(request.trajectory_id, name or os.path.basename(document.path), request.has_inferred_edges)


def _remaining(losses: list[Loss], readings: Sequence[Reading], request: Request) -> list[Loss]:
    """The losses of reading that are still losses where documents come back as they were."""
    given = [reading.artifact for reading in readings if reading.format == request.to]
    paths = [pointer_of(tuple(one.removeprefix("file:").split("/"))) for one in given if one.startswith("file:")]
    if len(paths) < len(given):  # a lone document, of which every place is
        return [loss for loss in losses if loss.code in ("repaired-text", "renamed", *LEFT)]
    return [loss for loss in losses if not any(loss.pointer.startswith(f"{path}/") for path in paths)]


@dataclass(slots=True)
class _Product:
    """What a Bundle was made into.

    Attributes:
        trees: What each output says.
        traces: Of each output what of the Bundle stands where in it; None when it is a Bundle, or documents that are
            given back.
        ledger: What of the Bundle a writer says in its own way.
        made: Of each output what is said less exactly where in it.
    """

    outputs: list[Output]
    losses: list[Loss]
    trees: list[Any]
    traces: list[list[tuple[At, At]]] | None = None
    ledger: Ledger = field(default_factory=Ledger)
    made: list[list[tuple[tuple[At, ...], At]]] = field(default_factory=list)


def _product(bundle: Bundle, request: Request, stem: str, readings: Sequence[Reading]) -> _Product:
    """The documents that a Bundle is in the target format; `readings` when it was made of them just now."""
    is_given = not readings
    if request.to == "bundle":
        tree, lost = bundle.tree, list[Loss]()
        if request.strips_thoughts:
            from attraj.formats.mapping.thoughts import without_thoughts  # only where it is asked for

            tree, lost = without_thoughts(tree, is_given=is_given)
        if request.form == "morphz-ref":
            tree, more = reference_of(tree)
            lost = [*lost, *more]
        return _Product([Output(dumps(tree, indent=True, is_finite=True) + b"\n")], lost, [tree])
    restored = _restored(bundle, request, stem, is_given=is_given)
    if restored is not None:
        return restored
    ledger, wanted = Ledger(), _wanted(request, stem, is_given=is_given)
    room = writer(request.to)
    documents = room.compose(bundle, ledger, wanted)
    settled = [settle(one.tree, ledger) for one in documents]
    outputs = [
        Output(dumps(one.tree, indent=True) + b"\n", document.part)
        for document, one in zip(documents, settled, strict=True)
    ]
    facts = None if is_given else Facts(bundle, readings)
    lost = list(losses_of(bundle.tree, ledger, getattr(room, "KINDS", ()), facts=facts))
    traces = [one.trace for one in settled]
    if is_given:
        lost += losses_of_edits(bundle, traces, lost)
    made = [one.made for one in settled]
    return _Product(outputs, lost, [one.tree for one in settled], traces, ledger, made)


def _wanted(request: Request, stem: str, *, is_given: bool) -> Wanted:
    return Wanted(
        request.version,
        request.strips_thoughts,
        request.splits_subagents,
        request.embeds_subagents,
        request.is_derived,
        request.upgrades,
        stem,
        is_given,
    )


def _is_version(declared: Any, asked: str) -> bool:
    """Whether a document's own word for its version is what is asked for, in full or by its number alone."""
    number = declared.rpartition("-")[2].removeprefix("v") if type(declared) is str else ""
    return bool(asked) and asked in (declared, number)


def _restored(bundle: Bundle, request: Request, stem: str, *, is_given: bool) -> _Product | None:
    """The documents that the Bundle was read from, when that is what is asked for; None when a writer has to.

    Files of a folder that is only read (a trial's) have no document to come back as: what they say is a loss. Where
    its documents name each other, they name what is written.
    """
    whole = sources(bundle)
    found = [one for one in whole if one.get("format") not in FOLDERS]
    is_changed = request.strips_thoughts or request.is_derived
    change = getattr(writer(request.to), "change", None) if is_changed else None
    by_writer = request.strips_thoughts and change is None
    operations = (by_writer, request.splits_subagents, request.embeds_subagents, request.upgrades)
    if not found or any(operations) or any(one.get("format") != request.to for one in found):
        return None
    if request.version and any(not _is_version(one.get("format_version"), request.version) for one in found):
        return None
    room = reader(request.to)
    lost: list[Loss] = []
    try:
        trees = [restore(bundle, one, room.PLACES, lost) for one in found]
    except NotRestorable:
        return None  # a record is gone: what is left is written anew, and the losses are counted
    said = None
    others = [one for one in whole if not any(one is given for given in found)]
    is_alone = len(found) == 1 and is_lone(found[0])
    if is_given and not is_alone and len(whole) > 1:
        said = said_in_folder(bundle, list(zip(found, trees, strict=True)), others, room)
    for tree, names in zip(trees, renamed(bundle, found, room.PLACES, stem, request.to), strict=True):
        lost += rename(tree, names)
    if is_given and (is_alone or len(whole) == 1):
        lost += losses_again(bundle, parse(dumps(trees[0])), room, request.to)
    if change is not None:
        trees = [parse(dumps(tree)).tree for tree in trees]  # what is changed is the document's own
        for tree, one in zip(trees, found, strict=True):
            lost += change(tree, _wanted(request, stem, is_given=is_given), notes_of(bundle, one, room.PLACES))
    outputs = [
        Output(dumps(tree, indent=True, is_finite=True) + b"\n", part_of(found[position], position))
        for position, tree in enumerate(trees)
    ]
    lost += (
        losses_of_files(bundle, others, is_given=is_given) if is_alone else losses_beside(bundle, whole, found, said)
    )
    return _Product(outputs, lost, trees)
