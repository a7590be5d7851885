"""Is a document what it claims to be? Findings with their places, and a word for each verdict."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from attraj.errors import Unreadable
from attraj.findings import DocumentReport, Finding, Location, Related, Severity, Status, Stratum
from attraj.formats import Checked, Known, Options, by_name, detect, guess
from attraj.formats.bytes_rules import byte_findings, untold
from attraj.jsonio import MISSING, Document, FaultKind
from attraj.pointer import Ranks, document_order, shown

if TYPE_CHECKING:
    from attraj.formats.folders import Entries
    from attraj.verbs.source import Source

LOCATED = 50  # findings of a document that get a line and a column unless the caller asks for more

NO_FORMAT = "no known format"


class Request(NamedTuple):
    """What is asked of each document.

    Attributes:
        format: Name of the format to insist on; "" to tell it by content.
        options: What is asked of the format's checks.
        keep: Codes to report; None for all.
        drop: Codes to leave out of findings, status and counts. Verdicts and rejections are not changed by it.
        located: How many findings get a line and a column, in document order; None for all.
        is_lenient: Of a text that breaks off, also check what stands complete before the break.
    """

    format: str = ""
    options: Options = Options()
    keep: frozenset[str] | None = None
    drop: frozenset[str] = frozenset()
    located: int | None = LOCATED
    is_lenient: bool = False


DEFAULT_REQUEST = Request()
_UNCHECKED = Checked()


def validate(
    source: Source,
    request: Request = DEFAULT_REQUEST,
    *,
    added: Sequence[Finding] = (),
    explained: frozenset[str] = frozenset(),
) -> DocumentReport:
    """Check one document and say what is wrong, where.

    Args:
        source: A document, the path of a file that holds one, or a JSON value (tuples and subclasses of dict and list
            count as what JSON makes of them). Never modified. Several documents and folders: `validate_paths`.
        request: Format, level, codes.
        added: Findings that checks of the document's surroundings have made already.
        explained: Codes whose findings the surroundings explain: they are remarks then.

    Returns:
        The report; its findings are sorted by place in the document, empty if clean.

    Raises:
        Unreadable: The file cannot be read, the value holds what JSON cannot, or the named format is unknown.

    Source: spec bundle.md §5, atif.md §3, decisions 1 to 9.
    """
    document = _document(source, request)
    known = named_format(request.format) if request.format else detect(document.tree)
    if document.tree is MISSING:
        known = known or guess(document.raw)
        if request.is_lenient and known is not None and known.name == "swe-agent":
            return _salvaged(document, known, request) or _unreadable(document, known, request)
        return _unreadable(document, known, request)
    if known is None:
        findings = list(byte_findings(document.faults, "JSON"))
        odd = next((fault.message for fault in document.faults if fault.kind is FaultKind.TOP_LEVEL), NO_FORMAT)
        return _report(document, None, findings, request, reason=odd, status="unreadable")
    options = request.options
    if not options.folder and document.path not in ("", "-"):
        options = options._replace(folder=os.path.dirname(os.path.abspath(document.path)))
    checked = known.load().check(document, options)
    own = checked.findings
    if explained:
        own = [replace(f, severity=Severity.INFO) if f.code in explained else f for f in own]
    told: Iterable[Finding] = ()
    if document.faults:
        told = byte_findings(document.faults, known.family)
        own = untold(own, document.faults, known.family, document.tree)
    return _report(document, known, [*told, *own, *added], request, checked)


def folder_report(
    path: str,
    findings: Sequence[Finding],
    entries: Entries,
    request: Request,
    *,
    format_name: str,
    version: str | None,
    verdicts: Mapping[str, str],
    notes: tuple[str, ...],
    unreadable: str | None = None,
) -> DocumentReport:
    """The report of a folder, which is no document of its own: its findings stand in its entries.

    Args:
        path: The folder.
        findings: Pointers from the folder, whose entries are members.
        entries: What these pointers lead into.
        unreadable: What of the folder itself cannot be read; None when everything can.
    """
    kept = [f for f in _kept(findings, request) if f.rule.stratum <= request.options.level]
    return DocumentReport(
        path,
        format=format_name,
        format_version=version,
        status="unreadable" if unreadable else "findings" if kept else "clean",
        findings=tuple(_placed_in(entries, kept, request.located)),
        verdicts=verdicts,
        reason=unreadable,
        notes=notes,
    )


def _placed_in(entries: Entries, findings: list[Finding], located: int | None) -> Iterator[Finding]:
    """The findings of a folder in the order of its entries, with the file that each stands in, and the place there."""
    ranks = Ranks()
    order = document_order(entries.tree, ranks)
    findings.sort(key=lambda f: (order(f.location.pointer), f.code, f.message))
    places = _places_in(entries, [f.location.pointer for f in findings[:located] if f.location.line is None])
    for finding in findings:
        at = finding.location
        line, column = (at.line, at.column) if at.line is not None else places.get(at.pointer, (None, None))
        place = Location(entries.shown(at.pointer, ranks), line, column, entries.inside(at.pointer).file)
        related = tuple(Related(entries.shown(r.pointer, ranks), r.message) for r in finding.related)
        yield replace(finding, location=place, related=related)


def _places_in(entries: Entries, pointers: Iterable[str]) -> dict[str, tuple[int, int]]:
    """Line and column of the pointers that lead into a document of the folder, each document gone through once."""
    wanted: dict[int, tuple[Document, dict[str, str]]] = {}
    for pointer in pointers:
        document, inside = entries.document(pointer)
        if document is not None:
            wanted.setdefault(id(document), (document, {}))[1][inside] = pointer
    places: dict[str, tuple[int, int]] = {}
    for document, inner in wanted.values():
        found = _located(document, inner)
        places.update({inner[inside]: place for inside, place in found.items()})
    return places


def named_format(name: str) -> Known:
    """The format that the caller insists on. Raises Unreadable for a name that attraj does not know."""
    known = by_name(name)
    if known is None:
        raise Unreadable("the format that --from names is not known", hint="attraj formats lists the names")
    return known


def _document(source: Source, request: Request) -> Document:
    if isinstance(source, Document):
        return source
    from attraj.verbs.source import document_of  # the command line reads its documents itself

    return document_of(source, request.options.limits)


def _unreadable(document: Document, known: Known | None, request: Request) -> DocumentReport:
    """The report of a text that gives no tree. What can be said of it is said, Harbor's verdict among it."""
    findings = _kept(list(byte_findings(document.faults, known.family if known else "JSON")), request)
    verdicts: Mapping[str, str] = {}
    if known is not None and known.name == "atif":
        verdicts = known.load().check(document, request.options).verdicts
    return DocumentReport(
        document.path,
        document.index,
        format=known.name if known else None,
        status="unreadable",
        findings=tuple(f.moved(f.location._replace(pointer=shown(f.location.pointer, None))) for f in findings),
        verdicts=verdicts,
        stopped_after=Stratum.BYTES,
        reason=next((fault.message for fault in document.faults if fault.is_fatal), "not readable"),
    )


def _salvaged(document: Document, known: Known, request: Request) -> DocumentReport | None:
    """The report of a `.traj` that was cut, with what its complete steps say; None when nothing stands complete."""
    from attraj.formats.swe_agent import check  # only for files that were cut
    from attraj.formats.swe_agent.salvage import salvage

    end = next((fault.offset for fault in reversed(document.faults) if fault.offset is not None), None)
    is_cut = end == len(document.raw) and len(document.faults) == 1
    saved = salvage(document.raw, request.options.limits, is_cut=is_cut)
    if saved is None:
        return None
    partial = replace(document, tree=saved.tree)
    checked = check(partial, request.options, saved.open)
    report = _report(partial, known, [*byte_findings(document.faults, known.family), *checked.findings], request)
    return replace(report, stopped_after=Stratum.BYTES, notes=(saved.note(end), *checked.notes))


def _report(
    document: Document,
    known: Known | None,
    findings: Sequence[Finding],
    request: Request,
    checked: Checked = _UNCHECKED,
    *,
    reason: str | None = None,
    status: Status | None = None,
) -> DocumentReport:
    kept = _kept(findings, request)
    if status is None:
        status = _status(document, findings, kept)
    if status == "unreadable" and reason is None:
        reason = next(fault.message for fault in document.faults if fault.is_fatal)
    return DocumentReport(
        document.path,
        document.index,
        format=known.name if known else None,
        format_version=checked.version,
        status=status,
        findings=tuple(_placed(kept, document, request.located)) if kept else (),
        verdicts=checked.verdicts,
        stopped_after=checked.stopped_after,
        reason=reason,
        notes=checked.notes,
    )


def _status(document: Document, findings: Iterable[Finding], kept: Sequence[Finding]) -> Status:
    if document.faults and not document.is_readable:
        return "unreadable"
    if any(f.rule.rejects and f.severity is Severity.ERROR for f in findings):
        return "rejected"
    return "findings" if kept else "clean"


def _kept(findings: Sequence[Finding], request: Request) -> list[Finding]:
    if request.keep is None and not request.drop:
        return list(findings)
    return [f for f in findings if (request.keep is None or f.code in request.keep) and f.code not in request.drop]


def _placed(findings: list[Finding], document: Document, located: int | None) -> list[Finding]:
    """In document order, the first ones with line and column, every pointer without free-form keys (decisions 7)."""
    ranks = Ranks()
    order = document_order(document.tree, ranks)
    findings.sort(key=lambda f: (order(f.location.pointer), f.code, f.message))
    wanted = [f.location.pointer for f in findings[:located] if f.location.line is None]
    places: dict[str, tuple[int, int]] = {}
    if wanted and document.raw:
        places = _located(document, wanted)
    return [_shown(f, places, document.tree, ranks) for f in findings]


def _located(document: Document, pointers: Iterable[str]) -> dict[str, tuple[int, int]]:
    from attraj.locating import locate  # only when there is something to place

    line, column = document.start
    tree = None if document.faults else document.tree
    return locate(document.raw, pointers, first_line=line, first_column=column, tree=tree)


def _shown(finding: Finding, places: dict[str, tuple[int, int]], tree: Any, ranks: Ranks) -> Finding:
    at = finding.location
    line, column = (at.line, at.column) if at.line is not None else places.get(at.pointer, (None, None))
    related = finding.related
    if related:
        related = tuple(Related(shown(r.pointer, tree, ranks), r.message) for r in related)
    location = Location(shown(at.pointer, tree, ranks), line, column)
    if location == at and related == finding.related:
        return finding
    return replace(finding, location=location, related=related)
