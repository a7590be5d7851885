"""`scan`: does a file hold secrets or personal data? By place and kind, never by value."""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from attraj.errors import Unreadable
from attraj.findings import DocumentReport, Finding, Location, Rule, Severity, Status
from attraj.formats import detect, is_one
from attraj.limits import DEFAULT_LIMITS, Limits
from attraj.locating import locate
from attraj.pointer import Ranks, document_order, join, shown
from attraj.redaction.leaves import leaves
from attraj.redaction.opinions.asked import span_of, text_of_leaf, texts_of
from attraj.redaction.opinions.opinion import Opinion, Remark, Text
from attraj.redaction.policy import Policy
from attraj.redaction.seen import hits_in, touches, visible
from attraj.redaction.source import BINARY, Forms, Part, Source, read_source
from attraj.redaction.strings import strings
from attraj.secrets.codes import MEDIA, UNSCANNED, code_of
from attraj.secrets.detector import Detector
from attraj.secrets.spans import Found, Hit, Span
from attraj.verbs.validate import LOCATED

if TYPE_CHECKING:
    from attraj.redaction.search import Search, Value


def is_bundle(tree: object) -> bool:
    """Whether a tree is a Bundle, told as everywhere else."""
    known = detect(tree)
    return known is not None and known.name == "bundle"


FORMS = Forms(is_bundle, is_one)
"""What redaction and scanning have to know of the formats."""


@dataclass(frozen=True, slots=True)
class ScanRequest:
    """What is asked of each file.

    Attributes:
        detector: Finds secrets and personal data.
        policy: What stays although it looks like a secret.
        known: Values that are secret whatever they look like.
        key: Marks findings by an HMAC of their value, so that a baseline tells one from another; b"" for none.
        opinion: Another scanner that looks as well (see `Scan.ask`); None for none.
        keep, drop: Codes of secrets and personal data to report (None for all), and to leave out.
        limits: Bounds of JSON documents.
        located: How many findings of a document get a line and a column; None for all.
    """

    detector: Detector
    policy: Policy = field(default_factory=Policy)
    known: tuple[Value, ...] = field(default=(), repr=False)
    key: bytes = field(default=b"", repr=False)
    opinion: Opinion | None = None
    keep: frozenset[str] | None = None
    drop: frozenset[str] = frozenset()
    limits: Limits = DEFAULT_LIMITS
    located: int | None = LOCATED


class Scan:
    """Looks at files, one after another."""

    def __init__(self, request: ScanRequest) -> None:
        self._asked = request
        self._known = _search(request.known)
        self._said: dict[Text, list[Remark]] = {}

    def ask(self, files: Iterable[tuple[str, bytes]]) -> None:
        """Ask the other scanner about files that are looked at next: all at once, since it is slow to start.

        Args:
            files: Names and bytes.

        Raises:
            NoOpinion: It failed. None of these files has been looked at whole.
        """
        self._said.clear()
        if self._asked.opinion is None:
            return
        texts: dict[Text, None] = {}
        for name, raw in files:
            try:
                source = read_source(name, raw, self._asked.limits, FORMS)
            except Unreadable:
                texts[Text("", visible(name))] = None
                continue
            texts.update(dict.fromkeys(texts_of(source)))
        listed = list(texts)
        self._said = {text: [] for text in listed}
        for remark in self._asked.opinion.look(listed):
            self._said[listed[remark.text]].append(remark)

    def file(self, path: str, raw: bytes, *, name: str = "", is_named: bool = False) -> Iterator[DocumentReport]:
        """The reports of the documents of one file, or of the file when it is a text.

        Args:
            path: As it is reported; what it holds of secrets is not shown.
            raw: Its bytes, expanded.
            name: Its path within what was given, which is looked at as well; "" takes the path's last part.
            is_named: A file that was named must be read; one that a walk met is skipped when it is no text and nothing
                is found in what is readable of it.
        """
        name = name or path.replace("\\", "/").rpartition("/")[2]
        in_name = self._found(Text("", visible(name)), self._asked.detector.scan_text(visible(name)), name)
        path = masked_path(self._asked.detector, path)
        try:
            source = read_source(name, raw, self._asked.limits, FORMS)
        except Unreadable as error:
            if error.message == BINARY:
                findings = self._wanted([*_in_name(in_name, self._mark), *self._in_strings(raw, name)])
                status: Status = "findings" if findings else "unreadable" if is_named else "skipped"
                reason = "not text: only what is readable in it was looked at"
                yield DocumentReport(path, status=status, reason=reason, findings=findings)
            else:
                yield DocumentReport(path, status="unreadable", reason=error.message)
            return
        named = list(_in_name(in_name, self._mark))
        if not source.parts:
            yield self._text(path, source, named)
        for part in source.parts:
            yield self._document(path, source, part, named if part.index == 0 else [])

    def forget(self) -> None:
        """Drop what is remembered of texts."""
        self._asked.detector.forget()

    def shown(self, path: str) -> str:
        """A path as it is reported."""
        return masked_path(self._asked.detector, path)

    # --- texts and documents ---

    def _in_strings(self, raw: bytes, name: str) -> Iterator[Finding]:
        """What is secret in the readable runs of a file that is no text. Numbers in it are nobody's address."""
        text = strings(raw)
        found = self._asked.detector.scan_text(text)
        yield from _not_looked_at(replace(found, media=""), "")
        for span in self._found(Text("", text), found, name):
            if span.is_secret:
                made = code_of(span.type).at("", f"{_words(span)} in a file that is no text (rule {span.rule})")
                yield replace(made, mark=self._mark(span))

    def _text(self, path: str, source: Source, named: Sequence[Finding]) -> DocumentReport:
        text = visible(source.text)
        found = self._asked.detector.scan_text(text)
        spans = self._found(Text("", text), found, source.name)
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
        return _report(path, 0, "text", self._wanted(findings))

    def _document(self, path: str, source: Source, part: Part, named: Sequence[Finding]) -> DocumentReport:
        findings: list[Finding] = []
        tree = part.tree
        seen: dict[tuple[str, bool], Sequence[Span]] = {}
        for hit in hits_in(tree, self._asked.detector):
            seen[hit.pointer, hit.is_key] = hit.spans
            findings += _not_looked_at(hit, hit.pointer)
            for span in self._allowed(hit.spans, source.name, hit.pointer):
                findings.append(self._finding(span, hit.pointer, is_key=hit.is_key))
        findings += self._besides(tree, source.name, seen)
        ranks = Ranks()
        order = document_order(tree, ranks)
        findings.sort(key=lambda f: (order(f.location.pointer), f.code, f.message))
        known = detect(tree) if type(tree) in (dict, list) else None
        form = known.name if known else "json"
        return _report(path, part.index, form, self._wanted([*named, *self._placed(findings, source, part, ranks)]))

    def _besides(self, tree: Any, name: str, seen: Mapping[tuple[str, bool], Sequence[Span]]) -> Iterator[Finding]:
        """What is found by known values, and by the other scanner, where the detector finds nothing."""
        if self._known is None and not any(self._said.values()):
            return
        for leaf in leaves(tree):
            if type(leaf.value) is not str:
                continue
            more = list(self._more(text_of_leaf(leaf)))
            if more:
                at = join(*leaf.keys)
                for span in self._allowed(_beside(more, seen.get((at, leaf.is_key), ())), name, at):
                    yield self._finding(span, at, is_key=leaf.is_key)

    def _placed(self, findings: Sequence[Finding], source: Source, part: Part, ranks: Ranks) -> list[Finding]:
        wanted = {f.location.pointer for f in findings[: self._asked.located]}
        raw = source.encoded(source.text[part.start : part.end])
        first = source.text.count("\n", 0, part.start) + 1
        places = locate(raw, wanted, first_line=first) if wanted else {}
        return [
            f.moved(
                Location(shown(f.location.pointer, part.tree, ranks), *places.get(f.location.pointer, (None, None)))
            )
            for f in findings
        ]

    # --- findings ---

    def _wanted(self, findings: Iterable[Finding]) -> tuple[Finding, ...]:
        """The findings whose codes are asked for; that a text was not looked at whole is always told."""
        keep, drop = self._asked.keep, self._asked.drop
        if keep is None and not drop:
            return tuple(findings)
        return tuple(
            f for f in findings if f.code not in drop and (keep is None or f.code in keep or f.rule is UNSCANNED)
        )

    def _found(self, text: Text, found: Found, name: str) -> list[Span]:
        """What is found in a text that is no part of a document."""
        spans = [*found.spans, *_beside(self._more(text), found.spans)]
        return sorted(self._allowed(spans, name, ""), key=lambda span: (span.start, span.end))

    def _more(self, text: Text) -> Iterator[Span]:
        for match in self._known.find(text.text) if self._known else ():
            yield Span(match.start, match.end, match.value.kind, "known-value", value=match.value.text)
        for remark in self._said.get(text, ()):
            yield span_of(remark, text.text)

    def _allowed(self, spans: Iterable[Span], name: str, pointer: str) -> Iterator[Span]:
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
        import hashlib  # only where there is a baseline
        import hmac

        said = f"{span.type}\0{span.value}".encode("utf-8", "surrogatepass")
        return hmac.new(self._asked.key, said, hashlib.sha256).hexdigest()


def _search(values: Sequence[Value]) -> Search | None:
    if not values:
        return None
    from attraj.redaction.search import Search  # only where values are known

    return Search(values)


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


def _beside(spans: Iterable[Span], taken: Sequence[Span]) -> Iterator[Span]:
    """The spans that none of the others, nor an earlier one of them, overlaps."""
    kept = sorted((span.start, span.end) for span in taken)
    for span in spans:
        if not touches(span, kept):
            insort(kept, (span.start, span.end))
            yield span


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


def _report(path: str, index: int, form: str, findings: tuple[Finding, ...]) -> DocumentReport:
    status: Status = "findings" if findings else "clean"
    return DocumentReport(path, index, format=form, status=status, findings=findings)
