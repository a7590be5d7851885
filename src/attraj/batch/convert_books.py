"""The bookkeeping of an output folder: what was written, what became of each input, what was lost.

    manifest.jsonl    a line for the plan, one for each input in the order of the plan, one for the end
    documents.jsonl   a record for each document
    losses.jsonl      on the same lines, the losses of each document with every place
    earlier.jsonl     while it runs: what the runs wrote that it takes the place of (see convert_earlier)

A line of the manifest is written when everything that it speaks of is on the disk. So a run that was killed is gone on
with after the last line that holds: its plan is the same, and its outputs have the digests that it names. What was
written after that line is written again, to the same bytes.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, BinaryIO, NamedTuple

from attraj.batch.convert_earlier import EARLIER, Cleared, clear, holds, object_of, remember
from attraj.batch.convert_lock import reason_of
from attraj.batch.convert_plan import BOOKS, MANIFEST, Entry, Plan, earlier_run
from attraj.batch.convert_records import Made, Record, Written, from_line, to_line
from attraj.errors import AttrajError
from attraj.jsonio.write import dumps

DOCUMENTS, LOSSES = "documents.jsonl", "losses.jsonl"
FILES = (MANIFEST, DOCUMENTS, LOSSES)  # in the order in which `Books` has them open
MANIFEST_VERSION = 1
COMMIT_INPUTS = 64  # lines that may be lost when the run is killed: more would save no time
COMMIT_BYTES = 8 << 20

_LEFTOVER = re.compile(r"\.attraj-\d+-\d+\.tmp").fullmatch


class Saved(NamedTuple):
    """What an earlier run has done of one input: lines of the three files.

    Attributes:
        manifest, losses: b"" and () when they stand where they belong, and need not be written again.
    """

    manifest: bytes
    documents: tuple[bytes, ...]
    losses: tuple[bytes, ...]

    def records(self) -> tuple[Record, ...]:
        return tuple(map(from_line, self.documents))


class Books:
    """The bookkeeping of one run, which holds the lock of the folder.

    Args:
        plan: Of this run.
        goes_on: Go on with an earlier run of the same plan.
        starts_anew: An earlier run, of whatever plan, may be written over.
    """

    def __init__(self, plan: Plan, *, goes_on: bool = False, starts_anew: bool = False) -> None:
        self._plan = plan
        self._folder = os.path.join(plan.destination.path, BOOKS)
        self._plan_id = plan.plan_id
        self.saved: dict[int, Saved] = {}
        self._lengths = [0, 0, 0]
        if os.path.lexists(self._path(MANIFEST)):
            self._earlier(goes_on, starts_anew)
        self._files = [self._open(name, length) for name, length in zip(FILES, self._lengths, strict=True)]
        self._pending: list[bytes] = []
        self._bytes = 0
        if not self._lengths[0]:
            self._pending.append(_line(self._header()))
            self.commit()

    def _path(self, name: str) -> str:
        return os.path.join(self._folder, name)

    def _open(self, name: str, length: int) -> BinaryIO:
        try:
            file = open(self._path(name), "r+b" if length else "w+b")  # noqa: SIM115  (closed by `close`)
            file.truncate(length)
            file.seek(length)
        except OSError as error:
            raise _unwritable(error) from error
        return file

    def _header(self) -> dict[str, Any]:
        from attraj import __version__

        plan = self._plan
        return {
            "manifest_version": MANIFEST_VERSION,
            "command": "convert",
            "tool": {"name": "attraj", "version": __version__},
            "plan_id": self._plan_id,
            "inputs_id": plan.inputs_id,
            "options_id": plan.options_id,
            "to": plan.to,
            "given_id": plan.given_id,
            "inputs": len(plan.entries),
        }

    # --- writing ---

    def add(self, entry: Entry, made: Made) -> None:
        """Keep what became of an input. The inputs come in the order of the plan."""
        lines = [to_line(record) for record in made.records]
        losses = [places + b"\n" for places in made.places]
        outputs = [written for record in made.records for written in record.outputs]
        value = {
            "plan_id": self._plan_id,
            "number": entry.number,
            "input": entry.name,
            "statuses": [record.status for record in made.records],
            "outputs": [_output(written) for written in outputs],
            "sha256": _sha256(*lines, *losses),
            "is_final": all(record.is_final for record in made.records),
        }
        self._keep(Saved(_line(value), tuple(lines), tuple(losses)), sum(written.size for written in outputs))

    def repeat(self, saved: Saved) -> None:
        """Keep what an earlier run has kept, where something before it had to be done again."""
        if saved.manifest:
            self._keep(saved, 0)

    def _keep(self, saved: Saved, size: int) -> None:
        try:
            self._files[1].writelines(saved.documents)
            self._files[2].writelines(saved.losses)
        except OSError as error:
            raise _unwritable(error) from error
        self._pending.append(saved.manifest)
        self._bytes += size
        if len(self._pending) >= COMMIT_INPUTS or self._bytes >= COMMIT_BYTES:
            self.commit()

    def commit(self) -> None:
        """Put everything on the disk: first what the manifest speaks of, then the manifest."""
        manifest, *others = self._files
        try:
            for file in others:
                _sync(file)
            manifest.writelines(self._pending)
            _sync(manifest)
        except OSError as error:
            raise _unwritable(error) from error
        self._pending.clear()
        self._bytes = 0

    def finish(self, counts: Mapping[str, int]) -> Cleared:
        """Say that every input is accounted for, and clear away what earlier runs wrote and this one does not give."""
        self._pending.append(_line({"plan_id": self._plan_id, "is_finished": True, "counts": dict(counts)}))
        self.commit()
        if not os.path.lexists(self._path(EARLIER)):
            return Cleared()
        given = {output.name for record, _ in self.everything() for output in record.outputs}
        return clear(self._folder, self._plan, given)

    def close(self) -> None:
        """Close the files; what was not committed is lost, and is done again by a run that goes on."""
        for file in self._files:
            with suppress(OSError):
                file.close()

    # --- reading ---

    def everything(self) -> Iterator[tuple[Record, bytes]]:
        """Each record of the run with the places of its losses, in order."""
        with open(self._path(DOCUMENTS), "rb") as documents, open(self._path(LOSSES), "rb") as losses:
            for line, places in zip(documents, losses, strict=True):
                yield from_line(line), places.rstrip(b"\n")

    def _earlier(self, goes_on: bool, starts_anew: bool) -> None:
        """See what an earlier run has left, and whether it may be gone on with."""
        if not goes_on and not starts_anew:
            raise earlier_run()
        try:
            with open(self._path(MANIFEST), "rb") as file:
                header = _object(file.readline())
                if goes_on and header is not None and header.get("plan_id") == self._plan_id:
                    self._load(file)
                elif goes_on and header is not None and not starts_anew:
                    raise self._another(header)
                else:
                    remember(self._folder)
        except OSError as error:
            raise _unwritable(error) from error
        self.sweep()

    def _another(self, header: Mapping[str, Any]) -> AttrajError:
        if header.get("options_id") == self._plan.options_id:
            what = "other inputs, or the same ones before they were changed"
        else:
            what = "other options, or by another version of attraj"
        return AttrajError(
            f"the run to resume was made with {what}",
            hint="--overwrite starts again, or name another folder with -o",
        )

    def _load(self, manifest: BinaryIO) -> None:
        """Read the lines that hold. The first ones stay where they are; those behind a gap are kept to be repeated."""
        lengths = [manifest.tell(), 0, 0]
        is_whole = True
        try:
            with open(self._path(DOCUMENTS), "rb") as documents, open(self._path(LOSSES), "rb") as losses:
                for number, line in enumerate(manifest):
                    value = _entry(line)
                    if value is None or value["number"] != number or number >= len(self._plan.entries):
                        break
                    count = len(value["statuses"])
                    own = tuple(documents.readline() for _ in range(count))
                    lost = tuple(losses.readline() for _ in range(count))
                    if _sha256(*own, *lost) != value["sha256"]:
                        break
                    if not value["is_final"] or not self._holds(value["outputs"]):
                        is_whole = False
                        continue
                    self.saved[number] = Saved(b"", own, ()) if is_whole else Saved(line, own, lost)
                    if is_whole:
                        lengths = [lengths[0] + len(line), documents.tell(), losses.tell()]
        except FileNotFoundError:
            pass  # the run was killed before it wrote these: nothing of it holds
        self._lengths = lengths

    def _holds(self, outputs: list[dict[str, Any]]) -> bool:
        """Whether the outputs are there, with the bytes that were written."""
        for output in outputs:
            if not holds(self._plan.destination.place(output["path"]), output["bytes"], output["sha256"]):
                return False
        return True

    def sweep(self) -> None:
        """Remove what a killed run has left half-written. The lock is held: nobody else is writing here."""
        out, entries = self._plan.destination, self._plan.entries
        folders = {os.path.dirname(self._plan.first_output(entry)) for entry in entries if entry.is_converted}
        trials = [out.place(entry.name) for entry in entries if entry.item.kind == "trial"]
        for trial in trials:  # what lay beside a trial goes into folders of its own
            folders.update(folder for folder, _, _ in os.walk(trial))
        for folder in sorted({*folders, self._folder}):
            with suppress(OSError), os.scandir(folder) as listing:
                for entry in listing:
                    if _LEFTOVER(entry.name) and entry.is_file(follow_symlinks=False):
                        os.unlink(entry.path)


def _output(written: Written) -> dict[str, Any]:
    return {"path": written.name, "bytes": written.size, "sha256": written.sha256}


def _object(line: bytes) -> dict[str, Any] | None:
    """The object of a whole line; None for one that a killed run has left torn."""
    return object_of(line) if line.endswith(b"\n") else None


def _entry(line: bytes) -> dict[str, Any] | None:
    """The line of an input, when all that is asked of it is there, in the right types."""
    value = _object(line)
    if value is None or any(type(value.get(name)) is not kind for name, kind in _MEMBERS.items()):
        return None
    for output in value["outputs"]:
        if type(output) is not dict or any(type(output.get(name)) is not kind for name, kind in _OUTPUT.items()):
            return None
    return value


_MEMBERS = {"number": int, "statuses": list, "outputs": list, "sha256": str, "is_final": bool}
_OUTPUT = {"path": str, "bytes": int, "sha256": str}


def _line(value: Mapping[str, Any]) -> bytes:
    return dumps(dict(value)) + b"\n"


def _sync(file: BinaryIO) -> None:
    file.flush()
    os.fsync(file.fileno())


def _sha256(*parts: bytes) -> str:
    import hashlib  # takes milliseconds to import

    made = hashlib.sha256()
    for part in parts:
        made.update(part)
    return made.hexdigest()


def _unwritable(error: OSError) -> AttrajError:
    return AttrajError(f"the bookkeeping of the output folder cannot be written: {reason_of(error)}")
