"""`validate NEW --against OLD`: is a document what it claims to be, and is it honest about what it was made from?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from attraj.bundle.checks.pairs import check_pair, infer_relation
from attraj.bundle.checks.pairs.relation import RELATIONS, kind_of
from attraj.bundle.model import Bundle
from attraj.bundle.vocabulary import CORE, PROFILES
from attraj.errors import AttrajError, Unreadable
from attraj.findings import DocumentReport, Finding, Severity
from attraj.formats import detect, is_one
from attraj.jsonio import Document, documents
from attraj.jsonio.read import read_stdin
from attraj.limits import Limits
from attraj.verbs.source import Source, document_of
from attraj.verbs.validate import DEFAULT_REQUEST, Request, named_format, validate

NATIVE = ("bundle", "episode", "dataset")


def against(new: Source, old: Source, relation: str = "", request: Request = DEFAULT_REQUEST) -> DocumentReport:
    """Check one document, alone and as made from an older one.

    Args:
        new: The document that is judged; "-" reads standard input. Never modified.
        old: The document that it was made from. Never modified, and not judged.
        relation: One of derive, redaction, reexport, revision, reward_derivation; "" takes it from what `new` says.
        request: Format, level, codes.

    Returns:
        The report on `new`. A fault that both `new` alone and the pair show is told once; `related` places with the
        message "in the older document" are places of `old`.

    Raises:
        AttrajError: The relation is no known word, or nothing in `new` says what it is.
        Unreadable: `old` cannot be read, or one of the two is no native document.

    Source: decisions 8a; spec bundle.md §6.1, §6.2.
    """
    if relation and relation not in RELATIONS:
        raise AttrajError("this relation is not known", hint=f"the relations are {', '.join(RELATIONS)}")
    limits = request.options.limits
    document = _read(new, limits)
    older = _older(_read(old, limits))
    if type(document.tree) is not dict or not document.is_readable:
        return validate(document, request)
    known = named_format(request.format) if request.format else detect(document.tree)
    if known is None:
        return validate(document, request)
    if known.name not in NATIVE:
        raise Unreadable("only Bundles, Episodes and Dataset manifests are compared", hint=_CONVERT)
    newer = Bundle(document.tree, document.raw)
    if kind_of(older) not in _SOURCES[kind_of(newer)]:
        raise Unreadable(
            "the older document is of a kind that the newer one is not made from",
            hint="a Bundle and an Episode are compared with a Bundle, a Dataset manifest with one of its members",
        )
    word = relation or infer_relation(newer, older)
    added = [f for f in check_pair(newer, older, word) if f.rule.stratum <= request.options.level]
    report = validate(document, request, added=added)
    return replace(
        report,
        findings=_once(report.findings),
        verdicts=_verdicts(report, added),
        notes=(*report.notes, f"compared with the older document as: {word}"),
    )


_SOURCES = {"bundle": ("bundle",), "episode": ("bundle",), "dataset": ("bundle", "episode")}
_CONVERT = "convert both to Bundles first"


def _read(source: Source, limits: Limits) -> Document:
    if source != "-":
        return document_of(source, limits)
    found = list(documents(read_stdin(limits), limits, is_one))
    if len(found) != 1:
        raise Unreadable(f"expected one document, found {len(found)}", hint="--against compares two documents")
    found[0].path = "-"
    return found[0]


def _older(document: Document) -> Bundle:
    if type(document.tree) is not dict or not document.is_readable:
        raise Unreadable("the older document is no JSON object that can be read", hint="attraj validate says why")
    known = detect(document.tree)
    if known is None or known.name not in NATIVE:
        raise Unreadable("the older document is no Bundle, Episode or Dataset manifest", hint=_CONVERT)
    return Bundle(document.tree, document.raw)


# Rules that one document can break alone and that two can break together.
_BOTH_HALVES = frozenset({"AT614", "AT807", "AT808", "AT924", "AT928"})


def _once(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """One finding for one fault: what the document shows alone and the pair shows too stands at the same place."""
    told: set[tuple[str, str]] = set()
    found: list[Finding] = []
    for finding in findings:
        key = (finding.code, finding.location.pointer)
        if key not in told or finding.code not in _BOTH_HALVES:
            found.append(finding)
        told.add(key)
    return tuple(found)


def _verdicts(report: DocumentReport, added: Sequence[Finding]) -> dict[str, str]:
    """The verdicts of the document alone; no profile conforms when its lineage breaks a rule of AT-Core."""
    words = dict(report.verdicts)
    if any(f.severity is Severity.ERROR and f.rule.profile == CORE for f in added):
        words.update({name: "fails" for name in PROFILES if words.get(name) in ("conforms", "undecided")})
    return words
