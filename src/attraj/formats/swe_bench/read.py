"""Verdicts of a harness → the Bundle of the trajectory that they are about, as verifier results.

Whether a report is about a trajectory is told by the instance's id: where the folder and the trajectory name it
otherwise, or a report names others alone, there is no verdict, and it is said. Spec: traj.md §7.1, decisions 21.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from attraj.bundle.markers import unknown
from attraj.formats.mapping.draft import Draft
from attraj.formats.mapping.fields import At, Json, look_up, merged, pointer_of
from attraj.formats.swe_bench.beside import Beside
from attraj.formats.swe_bench.places import PLACES
from attraj.formats.swe_bench.report import Report
from attraj.formats.swe_bench.status import OTHER_PATCH, Status, of_entry, of_lists

FORMAT = "swe-bench"
VERIFIER = "verifier:swe-bench-harness"
PROPERTY = "resolved"  # the harness's own word: the tests that should turn have, those that should stay have stayed


@dataclass(frozen=True, slots=True)
class Given:
    """What speaks of a trajectory.

    Attributes:
        beside: What stands in its folder, where the folder was given.
        reports: Those that the caller names.
        name: What the trajectory's file is called, without the suffix.
        submission: What it submitted, of any type.
    """

    beside: Beside = field(default_factory=Beside)
    reports: Sequence[Report] = ()
    name: str = ""
    submission: Any = None


def read_verdicts(draft: Draft, given: Given) -> None:
    """Add what harnesses say of a trajectory to its Bundle.

    Args:
        draft: Of the trajectory, read whole.
        given: The reports, and what stands beside it.
    """
    for name in given.beside.unread:
        detail = "a file in the place of a harness's report, which cannot be read as one"
        draft.lose("unread-verdict", "verifier_vs_reward", "dropped", pointer_of((name,)), detail)
    reports = [*given.beside.reports, *given.reports]
    if not reports:
        return
    own = _own_id(draft)
    instance = own or given.beside.instance or given.name
    is_other = bool(own and given.beside.instance and own != given.beside.instance)
    verdicts = _Verdicts(draft, given, instance)
    for report in reports:
        is_beside = any(report is one for one in given.beside.reports)
        if is_other and is_beside:
            detail = "the folder is called after another instance than the trajectory names: no verdict is taken of it"
            verdicts.leave(report, "other-instance", detail)
        else:
            verdicts.read(report)


def _own_id(draft: Draft) -> str:
    """The id of the task that the trajectory names itself; "" when it names none, or several."""
    tasks = draft.bindings.get("tasks")
    found = {task.get("id") for task in (tasks if type(tasks) is list else []) if type(task.get("id")) is str}
    return found.pop() if len(found) == 1 else ""


@dataclass(slots=True)
class _Verdicts:
    """The verdicts of one trajectory while they are read.

    Attributes:
        files: What files of the Bundle are called by now.
        evidence: Artifacts of the patches beside it; None until they are needed.
    """

    draft: Draft
    given: Given
    instance: str
    files: set[str] = field(default_factory=set)
    evidence: list[str] | None = None

    def read(self, report: Report) -> None:
        """One report, where it says something of the instance."""
        part = report.about(self.instance)
        if part is None:
            self.leave(report, "no-verdict", "the report is about other instances, and says nothing of this one")
            return
        result_id = f"verdict:{len(self.draft.verifier_results)}"
        reading = self._open(report, part)
        at: At = (self.instance,) if report.form == "entries" else ()
        entry = look_up(part, at)
        status = of_lists(report, part.keys()) if report.form == "summary" else of_entry(entry)
        if self._is_other_patch():
            status = OTHER_PATCH
        taken = reading.take("listing" if report.form == "summary" else "verdict", result_id, at, entry)
        evidence = [reading.artifact, *self._patches()]
        self.draft.verifier_results.append(merged(self._result(result_id, status, evidence), taken))

    def leave(self, report: Report, code: str, detail: str) -> None:
        """Say that a report gives no verdict."""
        self.draft.lose(code, "verifier_vs_reward", "dropped", pointer_of((_plain(report.name),)), detail)

    def _result(self, result_id: str, status: Status, evidence: list[str]) -> Json:
        return {
            "verifier_result_id": result_id,
            "verifier": VERIFIER,
            "verifier_version": unknown("the report does not say which release of the harness wrote it"),
            "checked_property": PROPERTY,
            "scope": [self.draft.identity],
            "evidence_refs": evidence,
            "environment": unknown("the report does not say where the tests were run"),
            "status": status.word,
            "output": {"reason": status.why},
        }

    def _open(self, report: Report, part: Json) -> Any:
        """The part of a report that is about the instance, as a source of the Bundle."""
        draft, is_whole = self.draft, part == report.tree
        draft.file = self._file(report.name)
        reading = draft.read(part, report.raw if is_whole else b"", report.name, "", PLACES, FORMAT)
        draft.file = ""
        draft.source["artifacts"][-1]["digest"] = report.digest
        return reading

    def _file(self, name: str) -> str:
        """The name of a file within the Bundle: no two have the same."""
        plain = _plain(name)
        file, number = plain, 1
        while file in self.files:
            number += 1
            file = f"{number}/{plain}"
        self.files.add(file)
        return file

    # --- what was handed in --------------------------------------------------------------------------------------

    def _is_other_patch(self) -> bool:
        """Whether what was handed in is not what the trajectory submitted."""
        return any(not _is_same(patch.text, self.given.submission) for patch in self.given.beside.patches)

    def _patches(self) -> list[str]:
        """The files of the patch, which the Bundle names and does not hold."""
        if self.evidence is None:
            self.evidence = []
            for patch in self.given.beside.patches:
                record: Json = {
                    "artifact_id": f"file:{self._file(patch.name)}",
                    "availability": "omitted",
                    "reason": "what was handed in to the harness; the trajectory holds its submission",
                    "digest": f"sha256:{sha256(patch.raw).hexdigest()}",
                }
                self.draft.source.setdefault("artifacts", []).append(record)
                self.evidence.append(record["artifact_id"])
        return self.evidence


def _is_same(patch: str | None, submission: Any) -> bool:
    """Whether a patch is a submission, apart from spaces at the ends of lines; no patch is no submission."""
    if type(submission) is not str:
        return not patch
    return _trimmed(patch or "") == _trimmed(submission)


def _trimmed(patch: str) -> str:
    return "\n".join([line.rstrip() for line in patch.strip().splitlines()])


def _plain(name: str) -> str:
    """The name of a file as a text that can be written."""
    return name if name.isprintable() else "report"
