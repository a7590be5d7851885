"""`scan`: does a file hold secrets or personal data? By place and kind, never by value."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from attraj.errors import Unreadable
from attraj.findings import DocumentReport, Finding, Location, Rule, Severity, Status
from attraj.formats import detect
from attraj.limits import DEFAULT_LIMITS, Limits
from attraj.locating import locate
from attraj.pointer import document_order, shown
from attraj.redaction.policy import Policy
from attraj.redaction.search import Search, Value
from attraj.redaction.seen import hits_in, visible
from attraj.redaction.source import BINARY, Part, Source, read_source
from attraj.secrets.codes import MEDIA, UNSCANNED, code_of
from attraj.secrets.detector import Detector
from attraj.secrets.spans import Found, Hit, Span
from attraj.verbs.validate import LOCATED

_SURE = "high"


@dataclass(frozen=True, slots=True)
class ScanRequest:
    """What is asked of each file.

    Attributes:
        detector: Finds secrets and personal data.
        policy: What stays although it looks like a secret.
        known: Values that are secret whatever they look like.
        key: Marks findings by an HMAC of their value, so that a baseline tells one from another; b"" for none.
        limits: Bounds of JSON documents.
        located: How many findings of a document get a line and a column; None for all.
    """

    detector: Detector
    policy: Policy = field(default_factory=Policy)
    known: tuple[Value, ...] = field(default=(), repr=False)
    key: bytes = field(default=b"", repr=False)
    limits: Limits = DEFAULT_LIMITS
    located: int | None = LOCATED


class Scan:
    """Looks at files, one after another."""

    def __init__(self, request: ScanRequest) -> None:
        self._asked = request
        self._known = Search(request.known)

    def file(self, path: str, raw: bytes, *, name: str = "", is_named: bool = False) -> Iterator[DocumentReport]:
        """The reports of the documents of one file, or of the file when it is a text.

        Args:
            path: As it is reported; what it holds of secrets is not shown.
            raw: Its bytes, expanded.
            name: Its path within what was given, which is looked at as well; "" takes the path's last part.
            is_named: A file that was named must be read; one that a walk met is skipped when it is no text.
        """
        name = name or path.replace("\\", "/").rpartition("/")[2]
        in_name = self._found(name, self._asked.detector.scan_text(name), "", name)
        path = masked_path(self._asked.detector, path)
        try:
            source = read_source(name, raw, self._asked.limits)
        except Unreadable as error:
            if error.message == BINARY:
                findings = tuple(_in_name(in_name, self._mark))
                status: Status = "findings" if findings else "skipped"
                yield DocumentReport(path, status=status, reason="not text: not looked at", findings=findings)
            else:
                yield DocumentReport(path, status="unreadable", reason=error.message)
            return
        named = list(_in_name(in_name, self._mark))
        if not source.parts:
            yield self._text(path, source, named)
        for part in source.parts:
            yield self._document(path, source, part, named if part.index == 0 else [])

    def shown(self, path: str) -> str:
        """A path as it is reported."""
        return masked_path(self._asked.detector, path)

    # --- texts and documents ---

    def _text(self, path: str, source: Source, named: Sequence[Finding]) -> DocumentReport:
        text = visible(source.text)
        found = self._asked.detector.scan_text(text)
        spans = self._found(text, found, "", source.name)
        findings = [*named, *_not_looked_at(found, "")]
        line, seen, start = 1, 0, 0
        for number, span in enumerate(spans):
            made = self._finding(span, "", is_key=False)
            if self._asked.located is None or number < self._asked.located:
                line += text.count("\n", seen, span.start)
                start = text.rfind("\n", 0, span.start) + 1
                seen = span.start
                made = made.moved(Location("", line, span.start - start + 1))
            findings.append(made)
        return _report(path, 0, "text", None, findings)

    def _document(self, path: str, source: Source, part: Part, named: Sequence[Finding]) -> DocumentReport:
        findings: list[Finding] = []
        tree = part.tree
        seen: set[tuple[str, bool]] = set()
        for hit in hits_in(tree, self._asked.detector):
            seen.add((hit.pointer, hit.is_key))
            findings += _not_looked_at(hit, hit.pointer)
            for span in self._allowed(hit.spans, source.name, hit.pointer):
                findings.append(self._finding(span, hit.pointer, is_key=hit.is_key))
        findings += self._known_in(tree, seen)
        order = document_order(tree)
        findings.sort(key=lambda f: (order(f.location.pointer), f.code, f.message))
        known = detect(tree) if type(tree) in (dict, list) else None
        return _report(
            path, part.index, known.name if known else "json", None, [*named, *self._placed(findings, source, part)]
        )

    def _known_in(self, tree: Any, seen: set[tuple[str, bool]]) -> Iterator[Finding]:
        if not self._known.values:
            return
        from attraj.pointer import join
        from attraj.redaction.leaves import leaves

        for leaf in leaves(tree):
            if type(leaf.value) is str and self._known.find(leaf.value):
                at = join(*leaf.keys)
                if (at, leaf.is_key) not in seen:
                    match = self._known.find(leaf.value)[0]
                    span = Span(match.start, match.end, match.value.kind, "known-value", value=match.value.text)
                    yield self._finding(span, at, is_key=leaf.is_key)

    def _placed(self, findings: Sequence[Finding], source: Source, part: Part) -> list[Finding]:
        wanted = {f.location.pointer for f in findings[: self._asked.located]}
        raw = source.encoded(source.text[part.start : part.end])
        first = source.text.count("\n", 0, part.start) + 1
        places = locate(raw, wanted, first_line=first) if wanted else {}
        return [
            f.moved(Location(shown(f.location.pointer, part.tree), *places.get(f.location.pointer, (None, None))))
            for f in findings
        ]

    # --- findings ---

    def _found(self, text: str, found: Found | Hit, pointer: str, name: str) -> list[Span]:
        spans = list(self._allowed(found.spans, name, pointer))
        for match in self._known.find(text) if self._known.values else ():
            if not any(s.start < match.end and match.start < s.end for s in spans):
                spans.append(Span(match.start, match.end, match.value.kind, "known-value", value=match.value.text))
        return sorted(spans, key=lambda span: (span.start, span.end))

    def _allowed(self, spans: Sequence[Span], name: str, pointer: str) -> Iterator[Span]:
        return (span for span in spans if not self._asked.policy.allows(span, name, pointer))

    def _finding(self, span: Span, pointer: str, *, is_key: bool) -> Finding:
        where = "in the name of a member" if is_key else "in a text"
        seen = f", seen through {', '.join(span.via)}" if span.via else ""
        rule: Rule = code_of(span.type)
        made = rule.at(
            pointer,
            f"{_words(span)} {where} (rule {span.rule}, {span.confidence} confidence{seen})",
            hint=_HINTS[span.is_secret],
            severity=Severity.WARNING if span.confidence == "low" else None,
        )
        return replace(made, mark=self._mark(span))

    def _mark(self, span: Span) -> str:
        if not self._asked.key:
            return ""
        said = f"{span.type}\0{span.value}".encode("utf-8", "surrogatepass")
        return hmac.new(self._asked.key, said, hashlib.sha256).hexdigest()


def masked_path(detector: Detector, path: str) -> str:
    """A path without the secrets in it. A user's name stays: who asks knows where the file is."""
    spans = [span for span in detector.scan_text(visible(path)).spans if span.is_secret]
    for span in reversed(spans):
        path = f"{path[: span.start]}<{span.type}>{path[span.end :]}"
    return path


_HINTS = {
    True: "revoke it if it was ever real, then `attraj redact`: taking it out does not make it harmless",
    False: "`attraj redact` takes it out; --pii none does not look for it",
}


def _words(span: Span) -> str:
    return span.type.lower().replace("_", " ")


def _in_name(spans: Sequence[Span], mark: Callable[[Span], str]) -> Iterator[Finding]:
    for span in spans:
        made = code_of(span.type).at("", f"{_words(span)} in the name of the file (rule {span.rule})")
        yield replace(made, mark=mark(span))


def _not_looked_at(found: Found | Hit, pointer: str) -> Iterator[Finding]:
    if found.unscanned:
        message = f"a text was not looked at whole: {found.unscanned}"
        yield UNSCANNED.at(pointer, message, hint="look at it yourself; `attraj redact` refuses the document")
    if found.media:
        yield MEDIA.at(pointer, f"{found.media}: images and other data are not looked at")


def _report(path: str, index: int, form: str, version: str | None, findings: Sequence[Finding]) -> DocumentReport:
    return DocumentReport(
        path,
        index,
        format=form,
        format_version=version,
        status="findings" if findings else "clean",
        findings=tuple(findings),
    )
