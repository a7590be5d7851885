"""A document or a trial read into the Bundle for a comparison, and where each of its values stands in the source."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from attraj.bundle.model import Bundle
from attraj.bundle.shape import COLLECTIONS
from attraj.errors import Refused, Unreadable
from attraj.findings import DocumentReport, Severity, Stratum
from attraj.formats.mapping.draft import Settings
from attraj.formats.mapping.fields import At, Json, Place, pointer_of, tokens_of
from attraj.formats.mapping.restore import sources
from attraj.formats.mapping.rooms import READABLE, reader
from attraj.formats.story import Facts, room_of
from attraj.jsonio import Document, parse
from attraj.limits import DEFAULT_LIMITS, Limits
from attraj.pointer import shown
from attraj.verbs.validate import Request as ValidateRequest
from attraj.verbs.validate import validate

_MADE_NAME = "document"
_OF_BUNDLE = ("/extensions/", "/edges/")
_REMARK = "errors in its shape: what has the wrong type is compared as it stands (attraj validate lists them)"


@dataclass(frozen=True, slots=True)
class Side:
    """One of two documents.

    Attributes:
        path, index: As in a report.
        facts: What is counted of it.
        tree: Of the document, for masking pointers into it; None for the folder of a trial, which is several.
        bundle: What it says; the document itself when that is a Bundle.
        is_native: The document is a Bundle.
        origins: Formats of what the Bundle was read from; () for one that was not read from another format.
        places: Record of the Bundle ("" for the Bundle itself) → path below it → place in the source document.
        declared: Identities that the records of the Bundle have.
        numbers: Place of a step → its number, as `attraj show` counts.
        remarks: What is to be known of the whole document, in our words.
    """

    path: str
    index: int
    facts: Facts
    tree: Any
    bundle: Bundle
    is_native: bool
    origins: tuple[str, ...]
    places: Mapping[str, Mapping[At, At]]
    declared: frozenset[str]
    numbers: Mapping[str, int]
    remarks: tuple[str, ...] = ()

    def is_said(self, at: At) -> bool:
        """Whether this place of the Bundle holds a word of the source, and not one of its reader."""
        return not self.places or self.source(at) is not None

    def names(self, value: Any) -> bool:
        """Whether a value is the identity of a record of this Bundle."""
        return type(value) is str and value in self.declared

    def is_about_itself(self, value: Any) -> bool:
        """Whether the scope of a record says that it is about this whole Bundle, by its identity."""
        return type(value) is str and value == self.bundle.tree.get("trajectory_id")

    def pointer(self, at: At | str) -> str:
        """Where this place of the Bundle stands in the document, or in the folder of a trial; a pointer as it is."""
        if type(at) is str:
            return at
        assert type(at) is tuple
        if self.is_native:
            return pointer_of(at)
        source = self.source(at)
        return pointer_of(source) if source is not None else self.event(at)

    def event(self, at: At) -> str:
        """Where the record that this place stands in comes from; "" where that is not noted."""
        record = self.record(at) or {}
        refs = record.get("source_refs")
        events = [record.get("source_event_id"), *(refs if type(refs) is list else ())]
        event = next((one for one in events if type(one) is str and "#" in one), "")
        artifact, _, pointer = event.partition("#")
        return pointer_of(file_of(artifact)) + pointer

    def shown(self, where: At | str) -> str:
        """The pointer of a place as it may be shown. Of a source that is only in a Bundle the names alone can tell."""
        pointer = self.pointer(where)
        is_of_source = self.is_native and type(where) is str and not where.startswith(_OF_BUNDLE)
        return shown(pointer, None if is_of_source else self.tree)

    def record(self, at: At) -> Json | None:
        """The record of a collection that this place stands in."""
        if len(at) < 2 or at[0] not in COLLECTIONS or type(at[1]) is not int:
            return None
        items = self.bundle.items(str(at[0]))
        found = items[at[1]] if at[1] < len(items) else None
        return found if type(found) is dict else None

    def source(self, at: At) -> At | None:
        """The place in the source document that this place of the Bundle was read from; None for a reader's word."""
        record = self.record(at)
        if record is None:
            known, path = self.places.get("", {}), at
        else:
            identity = record.get(COLLECTIONS[str(at[0])][1])
            known = self.places.get(identity, {}) if type(identity) is str else {}
            path = at[2:]
        for end in range(len(path), -1, -1):
            source = known.get(path[:end])
            if source is not None:
                return (*source, *path[end:])
        return None


def side_of(document: Document, limits: Limits = DEFAULT_LIMITS) -> Side:
    """Read one document.

    Args:
        document: Never modified.
        limits: Bounds of a document.

    Raises:
        Unreadable: There is no tree, no known format, or a format that holds no run.
        Refused: The specification tells a reader not to go on with this document.
    """
    report = _checked(document, limits)
    name = report.format or ""
    room = room_of(name)
    if room is None or (name != "bundle" and name not in READABLE):
        raise Unreadable("a document of no run", hint="attraj validate checks it")
    story = room.tell(document)
    if story.facts.is_refused:
        raise Refused("a reader must not go on with this document", hint="attraj validate says why")
    is_native = name == "bundle"
    tree: Json = document.tree if is_native else reader(name).read(document, Settings(name=_MADE_NAME)).finish()
    made = _side(document.path, story.facts, tree, is_native=is_native)
    numbers = {step.pointer: step.number for step in story.steps if step.number}
    remarks = (_REMARK,) if any(_is_of_shape(finding) for finding in report.findings) else ()
    return replace(made, index=document.index, tree=document.tree, numbers=numbers, remarks=remarks)


def side_of_trial(folder: str, limits: Limits = DEFAULT_LIMITS) -> Side:
    """Read the folder of a Harbor trial of one run: its trajectories, and what its other files say of the run.

    Raises:
        Unreadable: It cannot be read, holds nothing of a trial, or holds several runs.
    """
    from attraj.formats.harbor import release_of_job
    from attraj.verbs.convert import Request  # with every reader and writer's account: only for folders
    from attraj.verbs.convert_trial import convert_trial

    request = Request("bundle", is_lenient=True, limits=limits)
    found = convert_trial(folder, _MADE_NAME, request, release_of_job(folder, limits))
    if len(found) != 1:
        hint = "attraj convert --to bundle gives a Bundle for each of them"
        raise Unreadable(f"a trial of {len(found)} runs, of which one can be compared at a time", hint=hint)
    converted = found[0][1]
    if not converted.outputs:
        raise Unreadable(converted.reason or "nothing of a trial can be read", hint="attraj validate says why")
    tree = parse(converted.outputs[0].text, limits).tree
    return _side(folder, Facts("harbor"), tree, is_native=False)


def _side(path: str, facts: Facts, tree: Json, *, is_native: bool) -> Side:
    bundle = Bundle(tree)
    known = sources(bundle)
    origins = tuple(sorted({one["format"] for one in known if type(one.get("format")) is str}))
    return Side(path, 0, facts, None, bundle, is_native, origins, _places(known), _declared(bundle), {})


def _checked(document: Document, limits: Limits) -> DocumentReport:
    base = ValidateRequest(located=0)
    report = validate(document, base._replace(options=base.options._replace(limits=limits, level=Stratum.SHAPE)))
    if report.status in ("unreadable", "skipped"):
        fault = next((finding for finding in report.findings if finding.severity is Severity.ERROR), None)
        raise Unreadable(fault.message if fault is not None else report.reason or "not readable")
    if report.status == "rejected":
        raise Refused("a reader must not go on with this document", hint="attraj validate says why")
    return report


def _is_of_shape(finding: Any) -> bool:
    return finding.severity is Severity.ERROR and finding.rule.stratum <= Stratum.SHAPE


def _declared(bundle: Bundle) -> frozenset[str]:
    return frozenset(
        record[member]
        for collection, (_, member) in COLLECTIONS.items()
        for _, record in bundle.objects(collection)
        if type(record.get(member)) is str
    )


def _table(name: Any) -> Mapping[str, Place] | None:
    """The table by which a room reads; None for a name that is none of a room."""
    if name == "harbor":
        from attraj.formats.harbor.places import PLACES  # a room of folders, which writes nothing

        return PLACES
    return reader(name).PLACES if name in READABLE else None


def file_of(artifact: Any) -> At:
    """The path of a file of a folder, whose entries are the members of one object; () for a lone document."""
    is_file = type(artifact) is str and artifact.startswith("file:")
    return tuple(artifact.removeprefix("file:").split("/")) if is_file else ()


def _places(known: list[Json]) -> dict[str, dict[At, At]]:
    """Record → path → place in the source, by the links that reading left and the tables of the rooms."""
    found: dict[str, dict[At, At]] = {}
    for source in known:
        links, name = source.get("links"), source.get("format")
        table = _table(name)
        if type(links) is not dict or table is None:
            continue
        file = file_of(source.get("artifact_id"))
        for kind, linked in links.items():
            place = table.get(kind)
            if place is None or type(linked) is not dict:
                continue
            for record, pointer in linked.items():
                at = (*file, *tokens_of(pointer)) if type(pointer) is str else file
                own = () if place.collection else tokens_of(record)
                paths = found.setdefault(record if place.collection else "", {})
                if place.is_messages:
                    paths[()] = at
                for one in place.fields:
                    paths[(*own, *one.core)] = (*at, *one.source)
    return found
