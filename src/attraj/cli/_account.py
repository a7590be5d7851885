"""The account that `redact` gives of each file: what went, by kind and place, or why nothing was written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

from attraj.batch.redact import Group, Outputs, unlooked
from attraj.pointer import Ranks, join, shown
from attraj.redaction.changes import Change
from attraj.redaction.run import Done, Tools
from attraj.redaction.source import Source
from attraj.reports.escaping import escaped
from attraj.reports.json_v1 import REPORT_VERSION, tool
from attraj.verbs.scan import masked_path

_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Place:
    """One place at which something goes. No value, and no name that may hold one."""

    pointer: str
    type: str
    rule: str
    confidence: str


@dataclass(frozen=True, slots=True)
class FileAccount:
    """What became of one file.

    Attributes:
        path: As given, without the secrets in it.
        status: redacted, unchanged, refused, unreadable, skipped, crashed.
        output: Where it was written; None when it was not.
        counts: Places by TYPE.
        values: How many distinct values, of the whole scope.
        places: Each of them.
        reasons: Why it was not written, or what is left to look at.
    """

    path: str
    status: str
    output: str | None = None
    counts: dict[str, int] | None = None
    places: tuple[Place, ...] = ()
    reasons: tuple[str, ...] = ()


def account_of(group: Group, tools: Tools, outputs: Outputs | None) -> list[FileAccount]:
    """The account of the files of one scope."""
    made: list[FileAccount] = []
    for left in group.left_out:
        status = "unreadable" if left.exit_code == 2 else "skipped"
        made.append(FileAccount(masked_path(tools.detector, left.found.path), status, reasons=(left.reason,)))
    for number, file in enumerate(group.files):
        path = masked_path(tools.detector, file.path)
        if group.done is None:
            made.append(FileAccount(path, "crashed", reasons=("a bug in attraj: nothing was written",)))
        else:
            made.append(_file(path, number, group, group.done, tools, outputs))
    return made


def _file(path: str, number: int, group: Group, done: Done, tools: Tools, outputs: Outputs | None) -> FileAccount:
    places = tuple(_places(done, number))
    counts = dict(sorted(Counter(place.type for place in places).items()))
    if not group.is_written:
        return FileAccount(path, "refused", None, counts, places, (*group.reasons, *_failed_at(done, number, tools)))
    status = (
        "redacted" if done.is_changed(number) or done.outputs[number][0] != done.sources[number].name else "unchanged"
    )
    output = outputs.path(done.outputs[number][0]) if outputs is not None else None
    return FileAccount(path, status, output, counts, places, tuple(_remains(done, number, tools)))


def _places(done: Done, number: int) -> Iterator[Place]:
    ranks = Ranks()
    for (file, position), changes in done.changes.items():
        if file != number:
            continue
        source = done.sources[file]
        for change in changes:
            pointer = _pointer(source, position, change, ranks)
            for stretch in change.stretches:
                if stretch.new and stretch.kind != "TIME":
                    yield Place(pointer, stretch.kind, stretch.rule, stretch.confidence)


def _pointer(source: Source, position: int, change: Change, ranks: Ranks) -> str:
    if not source.parts:
        return ""
    place = shown(join(*change.keys), source.parts[position].tree, ranks)
    return place + (" (name)" if change.is_key else "")


def _failed_at(done: Done, number: int, tools: Tools) -> Iterator[str]:
    from attraj.redaction.source import read_source

    failures = [f for f in done.failures if f.file == number and f.pointer][:_SHOWN]
    if failures:
        parts = read_source(*done.outputs[number], tools.limits, tools.forms).parts
        tree, ranks = parts[0].tree if len(parts) == 1 else None, Ranks()
        for failure in failures:
            yield f"{failure.proof}: {shown(failure.pointer, tree, ranks)}: {failure.detail}"


def _remains(done: Done, number: int, tools: Tools) -> Iterator[str]:
    left = Counter(u.reason for u in unlooked(done, tools.policy) if u.source == number)
    for reason, count in sorted(left.items()):
        yield f"not looked at: {count} ({reason})"
    reviews = Counter(r.rule for r in done.reviews if r.file == number)
    for rule, count in sorted(reviews.items()):
        yield f"to look at: {count} (rule {rule}, low confidence)"
    if done.sealed:
        yield f"encrypted reasoning that nobody can look at: {done.sealed} in this scope"


class Account:
    """Writes the account as the scopes come."""

    def __init__(self, write: Callable[[str], object], form: str, *, is_dry: bool, has_places: bool) -> None:
        self._write = write
        self._form = form
        self._is_dry = is_dry
        self._has_places = has_places
        self._statuses: Counter[str] = Counter()
        self.manifest = ""
        if form == "json":
            import orjson

            self._dumps: Callable[[Any], bytes] = orjson.dumps
            head = {"report_version": REPORT_VERSION, "tool": tool(), "command": "redact"}
            write(orjson.dumps(head).decode()[:-1] + ',"documents":[')
        self._separator = "\n"

    def add(self, files: list[FileAccount]) -> None:
        """Tell of the files of one scope."""
        for file in files:
            self._statuses[file.status] += 1
            if self._form == "json":
                self._write(self._separator + self._dumps(asdict(file)).decode())
                self._separator = ",\n"
            else:
                for line in self._lines(file):
                    self._write(line + "\n")

    def close(self) -> None:
        """Tell how it went altogether."""
        if self._form == "json":
            rest = {"summary": dict(sorted(self._statuses.items())), "manifest": self.manifest or None}
            self._write("],\n" + self._dumps(rest).decode()[1:] + "\n")
            return
        total = sum(self._statuses.values())
        told = ", ".join(f"{count} {status}" for status, count in sorted(self._statuses.items()))
        self._write(f"\n{total} {'file' if total == 1 else 'files'}: {told}\n")
        if self.manifest:
            self._write(f"manifest: {escaped(self.manifest)}\n")

    def _lines(self, file: FileAccount) -> Iterator[str]:
        goes = f" -> {escaped(file.output)}" if file.output else ""
        counts = ", ".join(f"{count} {kind}" for kind, count in (file.counts or {}).items())
        status = "would be redacted" if self._is_dry and file.status == "redacted" else file.status
        yield f"{escaped(file.path)}{goes}: {status}{f' ({counts})' if counts else ''}"
        if self._has_places:
            for place in file.places:
                yield f"  {escaped(place.pointer) or '(text)'}: {place.type} (rule {place.rule}, {place.confidence})"
        for reason in file.reasons:
            yield f"  {escaped(reason)}"
