"""What the small files of a trial say, read without trusting any of their types.

Nothing is filled in: what a file does not say is None, {} or absent.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from attraj.formats.harbor.layout import Run, TrajectoryFile, Trial
from attraj.jsonio import Document

Json = dict[str, Any]

_MOST = 1 << 63


def tree_of(document: Document | None) -> Json:
    """The object that a file holds; {} when it is missing, unreadable or no object."""
    tree = document.tree if document is not None else None
    return tree if type(tree) is dict else {}


def child(item: Json, *names: str) -> Json:
    """The object at the end of this path of members; {} when there is none."""
    for name in names:
        found = item.get(name)
        item = found if type(found) is dict else {}
    return item


def text(item: Json, name: str) -> str | None:
    value = item.get(name)
    return value if type(value) is str else None


def number(item: Json, name: str) -> int | float | None:
    """The member when it is a number that sums can be made of (an integer beyond 2^63 counts nothing real)."""
    value = item.get(name)
    if type(value) is int:
        return value if -_MOST < value < _MOST else None
    return value if type(value) is float else None


def objects(value: Any) -> list[tuple[int, Json]]:
    """Position and object of each element that is an object; [] when this is no array."""
    return [(i, item) for i, item in enumerate(value) if type(item) is dict] if type(value) is list else []


def moment(value: Any) -> datetime | None:
    """A point in time that can be compared: ISO 8601 with a zone. None otherwise (a naive time is not guessed at)."""
    if type(value) is not str or len(value) > 64:
        return None
    try:
        found = datetime.fromisoformat(value)
    except ValueError:
        return None
    # The first and the last year leave no room for a tolerance around them.
    return found if found.utcoffset() is not None and 1 < found.year < 9999 else None


@dataclass(frozen=True, slots=True)
class RunResult:
    """What result.json says of one run.

    Attributes:
        run: Its folders.
        said: The result itself, or the step's entry of step_results; {} when there is none.
        pointer: Where that is: "/result.json", or "/result.json/step_results/0".
    """

    run: Run
    said: Json
    pointer: str

    @property
    def exception_type(self) -> str | None:
        return text(child(self.said, "exception_info"), "exception_type")

    @property
    def has_exception(self) -> bool:
        return self.said.get("exception_info") is not None

    @property
    def rewards(self) -> Json:
        return child(self.said, "verifier_result", "rewards")


class Facts:
    """One trial, its small files and its trajectories.

    Args:
        trial: As listed.
        documents: The trajectories by path; those that are missing here are not looked at.
        unread: Paths of files that are there and cannot be read: what they say is unavailable, and not absent.
    """

    def __init__(
        self, trial: Trial, documents: Mapping[str, Document] | None = None, unread: Iterable[str] = ()
    ) -> None:
        self.trial = trial
        self.unread = frozenset(unread)
        self.documents = documents or {}
        self.config = tree_of(trial.config)
        self.lock = tree_of(trial.lock)
        self.result = tree_of(trial.result)
        # What several checks of segments.py ask for: where a reference leads, and what a trajectory refers to.
        self.resolved: dict[tuple[str, str], Any] = {}
        self.references: dict[str, list[tuple[str, str]]] = {}

    @cached_property
    def runs(self) -> list[RunResult]:
        """The runs of the trial, each with its result."""
        found = []
        for run in self.trial.runs:
            if not run.step:
                found.append(RunResult(run, self.result, "/result.json"))
            elif run.step in self._steps:
                position, said = self._steps[run.step]
                found.append(RunResult(run, said, f"/result.json/step_results/{position}"))
            else:
                found.append(RunResult(run, {}, ""))
        return found

    @cached_property
    def _steps(self) -> dict[str, tuple[int, Json]]:
        return {
            name: (i, step)
            for i, step in reversed(objects(self.result.get("step_results")))
            if (name := text(step, "step_name")) is not None
        }

    @property
    def step_names(self) -> dict[str, int]:
        """Name and position of each entry of step_results, in its order."""
        return {name: position for name, (position, _) in reversed(self._steps.items())}

    @cached_property
    def exceptions(self) -> list[tuple[str, str | None]]:
        """Place and type of every recorded exception: the trial's, then the steps'."""
        found: list[tuple[str, str | None]] = []
        places = [("/result.json", self.result)]
        places += [(f"/result.json/step_results/{i}", step) for i, step in objects(self.result.get("step_results"))]
        for pointer, said in places:
            if said.get("exception_info") is not None:
                found.append((f"{pointer}/exception_info", text(child(said, "exception_info"), "exception_type")))
        return found

    @property
    def agent_name(self) -> str | None:
        return text(child(self.result, "agent_info"), "name") or text(child(self.config, "agent"), "name")

    @property
    def is_derived(self) -> bool:
        """Whether agent files were copied in: a regrade, a loaded or a resumed trajectory."""
        agents = child(self.config, "agent"), child(self.lock, "agent")
        sources = self.config.get("source_trial"), self.lock.get("source_trial")
        loaded = any(agent.get("load_trajectory") or agent.get("resume_trajectory") for agent in agents)
        return loaded or any(source is not None for source in sources)

    @property
    def is_simulated_user(self) -> bool:
        """Whether a user agent ran beside the agent: the trial's token counts are then the user agent's."""
        has_user_agent = any(file.role == "user-agent" for file in self.trial.trajectories)
        return has_user_agent or self.config.get("user_agent") is not None

    def of_run(self, run: Run) -> list[TrajectoryFile]:
        """The trajectories of one run (without the user agent's)."""
        return [f for f in self.trial.trajectories if f.step == run.step and f.role != "user-agent"]

    def document(self, file: TrajectoryFile) -> Json:
        """The object in a trajectory file; {} when it was not given, is unreadable or no object."""
        return tree_of(self.documents.get(file.path))
