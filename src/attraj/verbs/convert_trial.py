"""Convert the folder of a Harbor trial: one Bundle for the trial, or for each step of a multi-step trial."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from attraj.errors import Unreadable
from attraj.findings import DocumentReport, Severity, Stratum
from attraj.formats.harbor import SUPERSEDED, Trial, TrialChecked, check_trial, read_trial
from attraj.formats.harbor.facts import Facts, RunResult
from attraj.formats.mapping.draft import Settings
from attraj.formats.mapping.file_names import file_part
from attraj.formats.mapping.loss import Loss
from attraj.jsonio import Document, parse, read_bytes
from attraj.jsonio.write import holds_finite
from attraj.pointer import join
from attraj.verbs.convert import INFINITE, Converted, ConvertStatus, Request, written
from attraj.verbs.convert_repairs import MISSHAPEN, errors_of, is_misshapen, repairs
from attraj.verbs.convert_verdicts import unread_verdicts
from attraj.verbs.validate import Request as ValidateRequest
from attraj.verbs.validate import folder_report, validate

NO_TRAJECTORY = "no trajectory"
UNREAD = "its trajectory cannot be read"
NOTHING_HERE = "nothing of a trial is here"

# Faults of the folder after which what is read would be a guess. A missing result.json is none: the trial is open.
_BLOCKING = frozenset({"HB004", "HB005", "HB007", "HB009"})


def convert_trial(folder: str, name: str, request: Request, release: str = "") -> list[tuple[str, Converted]]:
    """Convert one trial.

    Args:
        folder: Of the trial; nothing outside of it is looked at.
        name: Its path within what was given, for an identity where the trial has none.
        request: Target, version, operations.
        release: The Harbor release, which only the lock.json of the trial's job names; "" when it is not known.

    Returns:
        For each run what tells it apart ("", or the step's name), and what came of it. A run without a trajectory is
        a Bundle of what the trial says of it: its `reason` is NO_TRAJECTORY then, although it is converted. Other
        formats hold nothing of such a run, and it is skipped for that reason.

    Source: spec atif.md §5.7; decisions 9 to 11, 16.
    """
    from attraj.formats.harbor.read import parts_of  # the reader of ATIF with it

    trial = _Trial(read_trial(folder, request.limits), name, request, release)
    trial.read([file.path for file in trial.trial.trajectories])
    checked = check_trial(trial.trial, trial.documents, release=release or None)
    trial.read(checked.further)
    trial.judge(checked)
    if not request.is_lenient and trial.is_blocked:
        status: ConvertStatus = "unreadable" if trial.report.status == "unreadable" else "findings"
        return [("", Converted(status, report=trial.report, reason=trial.report.reason or MISSHAPEN))]
    trial.leave_out_unreadable()
    facts = Facts(trial.trial, trial.documents, trial.not_read)
    parts = parts_of(facts)
    if not parts:
        return [("", Converted("findings", report=trial.report, reason=NOTHING_HERE))]
    return [(run.run.step, trial.convert(facts, run)) for run in parts]


@dataclass(slots=True)
class _Trial:
    """One trial while it is converted.

    Attributes:
        documents: Its trajectories by path, those that could be parsed or partly parsed.
        unread: Path of each other one, and why.
        report: Of its folder.
        small: Its small files that give no JSON value.
        lost: What a lenient reading leaves out with them.
        shapes: Path of each trajectory that was judged to its report.
    """

    trial: Trial
    name: str
    request: Request
    release: str
    documents: dict[str, Document] = field(default_factory=dict)
    unread: dict[str, DocumentReport] = field(default_factory=dict)
    report: DocumentReport = field(default_factory=lambda: DocumentReport(""))
    small: list[str] = field(default_factory=list)
    lost: list[Loss] = field(default_factory=list)
    shapes: dict[str, DocumentReport] = field(default_factory=dict)

    def read(self, paths: list[str] | tuple[str, ...]) -> None:
        """Parse trajectories, each whole as one document, as Harbor does."""
        for path in paths:
            full = self.trial.full(path)
            try:
                document = parse(read_bytes(full, self.request.limits), self.request.limits)
            except Unreadable as error:
                self.unread[path] = DocumentReport(full, format="atif", status="unreadable", reason=error.message)
                continue
            document.path = full
            self.documents[path] = document

    def judge(self, checked: TrialChecked) -> None:
        """Make the report of the folder."""
        self.report = folder_report(
            self.trial.folder,
            checked.findings,
            checked.entries,
            self._checks(),
            format_name="harbor",
            version=checked.version,
            verdicts=checked.verdicts,
            notes=checked.notes,
            unreadable=checked.unreadable,
        )

    def leave_out_unreadable(self) -> None:
        """Go on without the files that give no JSON value, and name each as a loss."""
        trial = self.trial
        self.trial = replace(
            trial,
            config=self._readable("config.json", trial.config),
            lock=self._readable("lock.json", trial.lock),
            result=self._readable("result.json", trial.result),
        )
        for path, document in list(self.documents.items()):
            if not (document.is_readable and type(document.tree) is dict):
                report = validate(document, self._checks())
                self.unread[path] = replace(report, status="unreadable")
                del self.documents[path]

    @property
    def not_read(self) -> set[str]:
        """Paths of the files that are there and give no JSON value."""
        return {*self.unread, *self.small}

    def _readable(self, name: str, document: Document | None) -> Document | None:
        if document is None or (document.is_readable and type(document.tree) is dict):
            return document
        self.small.append(name)
        self.lost.append(Loss("unreadable-file", "other", "dropped", join(name), 1, f"{name} cannot be read"))
        return None

    @property
    def is_blocked(self) -> bool:
        """Whether nothing should be made of the folder as it is."""
        return self.report.status == "unreadable" or any(
            finding.code in _BLOCKING and finding.severity is Severity.ERROR for finding in self.report.findings
        )

    def convert(self, facts: Facts, run: RunResult) -> Converted:
        """Convert one run."""
        from attraj.formats.harbor.read import files_of, read_run

        paths = files_of(facts, run.run)
        if not self.request.is_lenient:
            for path in paths:
                bad = self._bad(path)
                if bad is not None:
                    return bad
        has_trajectory = any(path in self.documents for path in paths)
        if not has_trajectory and self.request.to != "bundle":
            unread = next((self.unread[path] for path in paths if path in self.unread), None)
            if unread is not None:
                return Converted("unreadable", report=unread, reason=unread.reason or UNREAD)
            return Converted("skipped", report=self.report, reason=NO_TRAJECTORY)
        settings = Settings(self.request.trajectory_id, self.name, self.request.has_inferred_edges)
        draft = read_run(facts, run, settings, release=self.release, limits=self.request.limits)
        if not all(holds_finite(reading.tree) for reading in draft.readings):
            return Converted("refused", report=self.report, reason=INFINITE)
        tree = draft.finish()
        losses = [*self.lost, *self._repairs(paths), *draft.losses, *unread_verdicts(self.request)]
        stem = os.path.basename(self.name) or self.trial.name
        if run.run.step:
            stem = f"{stem}.{file_part(run.run.step)}"
        made = written(tree, self.request, losses, self.report, draft.readings, stem=stem)
        made = made._replace(errors=self._errors(paths))
        if has_trajectory or made.status != "converted":
            return made
        return made._replace(reason=NO_TRAJECTORY if self.unread.keys().isdisjoint(paths) else UNREAD)

    def _bad(self, path: str) -> Converted | None:
        """What keeps a trajectory from being converted; None when nothing does."""
        report = self.unread[path] if path in self.unread else self._shape(path)
        if report.status in ("unreadable", "rejected", "skipped"):
            return Converted(report.status, report=report, reason=report.reason or "")
        return Converted("findings", report=report, reason=MISSHAPEN) if is_misshapen(report) else None

    def _repairs(self, paths: list[str]) -> Iterator[Loss]:
        """What a lenient reading leaves out, and what it reads over."""
        if not self.request.is_lenient:
            return
        yield from repairs(None, self.report)
        for path in paths:
            place = join(*path.split("/"))
            if path in self.unread:
                yield Loss("unreadable-file", "other", "dropped", place, 1, "a trajectory")
            elif path in self.documents:
                yield from repairs(self.documents[path], self._shape(path), place)

    def _errors(self, paths: list[str]) -> int:
        """How many errors the folder and its trajectories have."""
        reports = [self.unread[path] for path in paths if path in self.unread]
        reports += [self._shape(path) for path in paths if self.request.is_lenient and path in self.documents]
        return sum(len(errors_of(report)) or report.status == "unreadable" for report in (self.report, *reports))

    def _shape(self, path: str) -> DocumentReport:
        """The report of a trajectory, made once."""
        if path not in self.shapes:
            self.shapes[path] = validate(self.documents[path], self._checks())
        return self.shapes[path]

    def _checks(self) -> ValidateRequest:
        """The shape alone: what a trajectory says with the whole trial in view is no fault of its shape."""
        base = ValidateRequest(format="atif", drop=SUPERSEDED, is_lenient=self.request.is_lenient)
        return base._replace(options=base.options._replace(limits=self.request.limits, level=Stratum.SHAPE))
