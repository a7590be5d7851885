"""Files to reports of what they hold: one after another, or on a pool of processes when that pays."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from attraj.batch.files import Found
from attraj.errors import Unreadable, bug_report
from attraj.findings import FAILED, DocumentReport
from attraj.jsonio.read import read_bytes, read_stdin
from attraj.limits import Limits
from attraj.redaction.opinions import NoOpinion, second_opinion
from attraj.secrets.detector import Detector
from attraj.secrets.policy import DetectionPolicy
from attraj.verbs.scan import Scan, ScanRequest

# Below this many bytes, starting a pool costs more than it saves; a file that is not known to be large is not.
PAYS_BYTES = 8 << 20
# The other scanner is asked about this much at a time: it is slow to start, and all of it stands in memory.
ASKED_BYTES = 32 << 20
ASKED_FILES = 1000


@dataclass(frozen=True, slots=True)
class ScanTask:
    """What is asked of each file, as values that can travel to a worker.

    Attributes:
        detection: What the detector is made from.
        asked: The members of ScanRequest, but for the detector and the other scanner, which do not travel.
        opinion: Name of the other scanner; "" for none.
        stdin_name: Name under which standard input is reported; "" for "-".
    """

    detection: DetectionPolicy
    asked: Mapping[str, Any] = field(default_factory=dict, repr=False)
    opinion: str = ""
    stdin_name: str = ""

    def begin(self) -> Callable[[Found], list[DocumentReport]]:
        """See `pool.Task`."""
        return self.looking().alone

    def looking(self, detector: Detector | None = None) -> _Looking:
        """What looks at files in this process. Raises AttrajError for what is not installed or cannot be used."""
        opinion = second_opinion(self.opinion) if self.opinion else None
        request = ScanRequest(detector or Detector(self.detection), opinion=opinion, **self.asked)
        return _Looking(request, self.stdin_name)

    def lost(self, item: Found) -> list[DocumentReport]:
        """See `pool.Task`."""
        return [DocumentReport(item.path, status="unreadable", reason="the worker died while reading it")]

    def size(self, item: Found) -> int:
        """See `pool.Task`."""
        return item.size


def scan_files(
    found: Iterable[Found], task: ScanTask, jobs: int = 1, detector: Detector | None = None
) -> Iterator[tuple[Found, DocumentReport]]:
    """Each file with each of its reports, in order, whatever engine runs.

    Args:
        found: What `files` found.
        task: What is asked.
        jobs: The most processes to use; 1 never starts one.
        detector: Made from the task's detection already, for this process; None makes one.

    Raises:
        AttrajError: Before anything is read, for what is not installed or cannot be used.
    """
    looking = task.looking(detector)
    return _results(found, task, jobs, looking)


def _results(
    found: Iterable[Found], task: ScanTask, jobs: int, looking: _Looking
) -> Iterator[tuple[Found, DocumentReport]]:
    if jobs > 1:
        found = list(found)
        if _pays(found):
            from attraj.batch.engines import pool  # imports multiprocessing

            for file, reports in pool.run_task(found, task, jobs):
                yield from ((file, report) for report in reports)
            return
    if looking.asks:
        for chunk in _chunks(found):
            yield from looking.together(chunk)
        return
    for file in found:
        yield from ((file, report) for report in looking.alone(file))


def _pays(found: list[Found]) -> bool:
    """Whether there is work for several processes; a file is never split, so the largest counts for one alone."""
    if any(file.path == "-" for file in found):
        return False  # a worker has no standard input of ours
    total = sum(file.size for file in found)
    return total > PAYS_BYTES and total - max(file.size for file in found) > PAYS_BYTES // 4


def _chunks(found: Iterable[Found]) -> Iterator[list[Found]]:
    chunk: list[Found] = []
    size = 0
    for file in found:
        chunk.append(file)
        size += file.size
        if size >= ASKED_BYTES or len(chunk) >= ASKED_FILES:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk


class _Looking:
    """Reads files and looks at them. A bug that one of them meets is told as one, and does not stop the others."""

    def __init__(self, request: ScanRequest, stdin_name: str) -> None:
        self._scan = Scan(request)
        self.asks = request.opinion is not None
        self._limits: Limits = request.limits
        self._stdin_name = stdin_name

    def alone(self, file: Found) -> list[DocumentReport]:
        """The reports of one file."""
        raw = self._read(file)
        if isinstance(raw, DocumentReport):
            return [raw]
        return self._reports(file, raw, self._ask([(file, raw)]))

    def together(self, chunk: list[Found]) -> Iterator[tuple[Found, DocumentReport]]:
        """The reports of several files, about which the other scanner is asked at once."""
        read = [(file, self._read(file)) for file in chunk]
        is_asked = self._ask(read) is None
        for file, raw in read:
            # When it failed, which of them it was is found out by asking about each.
            error = None if is_asked else self._ask([(file, raw)])
            for report in [raw] if isinstance(raw, DocumentReport) else self._reports(file, raw, error):
                yield file, report

    def _ask(self, read: Sequence[tuple[Found, bytes | DocumentReport]]) -> NoOpinion | None:
        """Ask the other scanner, if there is one. Returns why it gave no answer."""
        try:
            self._scan.ask((file.name, raw) for file, raw in read if isinstance(raw, bytes))
        except NoOpinion as error:
            return error
        return None

    def _read(self, file: Found) -> bytes | DocumentReport:
        path = self._scan.shown(file.path)
        if file.reason:
            return DocumentReport(path, status="unreadable" if file.is_unreadable else "skipped", reason=file.reason)
        try:
            return read_stdin(self._limits) if file.path == "-" else read_bytes(file.path, self._limits)
        except Unreadable as error:
            return DocumentReport(path, status="unreadable", reason=error.message)

    def _reports(self, file: Found, raw: bytes, error: NoOpinion | None) -> list[DocumentReport]:
        path = self._scan.shown(file.path)
        if error is not None:
            return [DocumentReport(path, status="unreadable", reason=f"second opinion: {error.message}")]
        try:
            reports = list(self._scan.file(file.path, raw, name=file.name, is_named=file.is_named))
        except Exception as bug:  # noqa: BLE001  (where a batch isolates one file from the next)
            return [DocumentReport(path, status="unreadable", reason=FAILED, notes=(bug_report(bug),))]
        self._scan.forget()
        if file.path == "-" and self._stdin_name:
            return [replace(report, path=self._stdin_name) for report in reports]
        return reports
