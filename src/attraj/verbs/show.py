"""A document as a person reads it: its story, and what is wrong with it beside the steps that it is wrong with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from attraj.errors import Refused, Unreadable
from attraj.findings import DocumentReport, Finding
from attraj.formats import detect
from attraj.formats.story import Step, Story, room_of
from attraj.jsonio import MISSING, Document
from attraj.verbs.validate import DEFAULT_REQUEST, NO_FORMAT, Request, named_format, validate


@dataclass(frozen=True, slots=True)
class Reading:
    """What is shown of one document.

    Attributes:
        path, index: As in a report.
        story: The telling; its steps may be read once only.
        report: What `validate` says; None when it was not asked (a document too large to be held in memory).
        places: Every place at or above that of a finding, to the findings there and below, in document order.
    """

    path: str
    index: int
    story: Story
    report: DocumentReport | None = None
    places: Mapping[str, Sequence[Finding]] = field(default_factory=dict)

    def findings_at(self, step: Step) -> Sequence[Finding]:
        """The findings whose place is the step or inside it."""
        return self.places.get(step.pointer, ())


def show(document: Document, request: Request = DEFAULT_REQUEST, *, is_checked: bool = True) -> Reading:
    """Tell one document.

    Args:
        document: Never modified. One whose bytes are broken is told as far as a tree of it could be had.
        request: The format to insist on, the codes to leave out of the findings.
        is_checked: Whether to look for findings; not in a document of which parts were left out on reading.

    Raises:
        Unreadable: There is no tree, no known format, or a format that tells no run.
        Refused: The specification tells a reader not to go on with this document.
    """
    if document.tree is MISSING:
        fault = next((fault for fault in document.faults if fault.is_fatal), None)
        where = f"line {fault.line}, column {fault.column}: " if fault is not None and fault.line is not None else ""
        raise Unreadable(where + (fault.message if fault is not None else "not readable"))
    known = named_format(request.format) if request.format else detect(document.tree)
    if known is None:
        raise Unreadable(NO_FORMAT, hint="attraj formats lists what is recognised; --from insists on one")
    room = room_of(known.name)
    if room is None:
        raise Unreadable(f"a document of the format {known.name} tells no run", hint="attraj validate checks it")
    story = room.tell(document)
    if story.facts.is_refused:
        raise Refused("a reader must not go on with this document", hint="attraj validate says why")
    if not is_checked:
        return Reading(document.path, document.index, story)
    report = validate(document, request)
    return Reading(document.path, document.index, story, report, _by_place(report.findings))


def _by_place(findings: Iterable[Finding]) -> Mapping[str, Sequence[Finding]]:
    places: dict[str, list[Finding]] = {}
    for finding in findings:
        place = finding.location.pointer
        while place:
            places.setdefault(place, []).append(finding)
            place = place.rpartition("/")[0]
    return places


def chosen(steps: Iterable[Step], first: int, last: int | None) -> Iterator[Step]:
    """The steps with these numbers; reading stops after the last of them."""
    for step in steps:
        if last is not None and step.number > last:
            return
        if step.number >= first:
            yield step
