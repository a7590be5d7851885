"""The formats, and how a document's format is told: by its content marks, never by its file name.

Each format is a folder; this module knows their names, marks and where they live, and imports none of them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from attraj.findings import Finding, Rule, Stratum
from attraj.formats import marks, swe_agent_marks
from attraj.limits import DEFAULT_LIMITS, Limits

if TYPE_CHECKING:
    from attraj.jsonio import Document

Json = dict[str, Any]


class Options(NamedTuple):
    """What a caller asks of a format's checks. Everything has a default that asks for the whole answer.

    Attributes:
        level: The last stratum that runs.
        folder: Folder of the document, for what it names beside itself; "" when there is none (standard input,
            memory): then nothing is looked up and what depends on it is undecided.
        now, purpose, needs_closure, as_reference: See `attraj.bundle.checks.check.Asked`.
        profiles: Profiles to judge a Bundle by besides those that it claims.
    """

    level: Stratum = Stratum.PROFILES
    folder: str = ""
    now: str = ""
    purpose: str = ""
    needs_closure: bool = False
    as_reference: bool = False
    profiles: frozenset[str] = frozenset()
    limits: Limits = DEFAULT_LIMITS


class Checked(NamedTuple):
    """What a format's checks say of one document.

    Attributes:
        findings: In any order; pointers from the root of the document.
        verdicts: Name to word, for example {"AT-Core": "conforms"}.
        stopped_after: The stratum after which checking had to stop; None when it ran to the asked level.
        version: The version that the document declares, when it is a known one.
        notes: Facts that are no fault, in our own words.
    """

    findings: Sequence[Finding] = ()
    verdicts: Mapping[str, str] = {}
    stopped_after: Stratum | None = None
    version: str | None = None
    notes: tuple[str, ...] = ()


class Format(Protocol):
    """What the module of a format offers."""

    def check(self, document: Document, options: Options) -> Checked:
        """All findings of one document of this format. The document is never modified."""
        ...

    def rules(self) -> Sequence[Rule]:
        """Every rule that `check` may report, by code."""
        ...


class Known(NamedTuple):
    """One format that attraj knows.

    Attributes:
        name: As on the command line.
        title: For people.
        module: Where its `check` and `rules` live.
        family: Prefix of its codes.
        score: How strongly a JSON object looks like this format; 0 when not at all.
        reads: The versions that are read, for people.
        marks: What it is recognised by, for people.
        bare: The same score for a JSON array: its elements without the object that belongs around them.
    """

    name: str
    title: str
    module: str
    family: str
    score: Callable[[Json], int]
    reads: str
    marks: str
    bare: Callable[[list[Any]], int] = lambda _elements: 0

    def load(self) -> Format:
        """Import the format's module (only when a document of it is met)."""
        module: Any = sys.modules.get(self.module) or import_module(self.module)  # asked for with every document
        return module  # type: ignore[no-any-return]


def _bundle_score(tree: Json) -> int:
    marks = ("spec_version", "trajectory_id", "nodes", "edges", "rights", "disclosure", "completeness", "profiles")
    return sum(mark in tree for mark in marks) if "schema_version" not in tree else 0


def _episode_score(tree: Json) -> int:
    return 4 * ("episode_version" in tree) + 2 * ("transitions" in tree) + ("source_trajectory_id" in tree)


def _dataset_score(tree: Json) -> int:
    return 4 * ("dataset_version" in tree) + 2 * ("dataset_id" in tree) + ("members" in tree)


def _atif_score(tree: Json) -> int:
    version = tree.get("schema_version")
    named = type(version) is str and version.upper().startswith("ATIF")
    steps = tree.get("steps")
    first = steps[0] if type(steps) is list and steps else None
    has_steps = type(first) is dict and ("step_id" in first or ("source" in first and "message" in first))
    marks = ("agent", "steps", "session_id", "trajectory_id", "final_metrics", "schema_version")
    if not named and not has_steps and not ("steps" in tree and "agent" in tree):
        return 0
    return 6 * named + 3 * has_steps + sum(mark in tree for mark in marks)


def _folder_score(_tree: Json) -> int:
    return 0  # a folder, never a document


FORMATS: tuple[Known, ...] = (
    Known(
        "bundle",
        "Agent Trajectory Bundle",
        "attraj.formats.native",
        "AT",
        _bundle_score,
        "v0.1",
        "spec_version with trajectory_id, nodes, edges, rights, disclosure",
    ),
    Known(
        "episode",
        "Agent Trajectory Episode",
        "attraj.formats.episode",
        "AT",
        _episode_score,
        "v0.1",
        "episode_version with transitions",
    ),
    Known(
        "dataset",
        "Agent Trajectory Dataset manifest",
        "attraj.formats.dataset",
        "AT",
        _dataset_score,
        "v0.1",
        "dataset_version with members",
    ),
    Known(
        "atif",
        "Agent Trajectory Interchange Format",
        "attraj.formats.atif",
        "ATIF",
        _atif_score,
        "v1.0 to v1.8",
        "schema_version ATIF-v1.N, or steps with step_id, source and message",
    ),
    Known(
        "harbor",
        "Harbor trial and job folders",
        "attraj.formats.harbor",
        "HB",
        _folder_score,
        "0.1x to 0.26",
        "a folder with result.json or config.json beside agent/ or steps/*/agent/",
    ),
    Known(
        "swe-agent",
        "SWE-agent trajectory",
        "attraj.formats.swe_agent",
        "TJ",
        swe_agent_marks.swe_agent,
        "0.1 to 1.1, files of retry agents, demonstrations",
        "trajectory with action, observation, response and thought, beside history and info",
    ),
    Known(
        "mini-swe-agent",
        "mini-swe-agent trajectory",
        "attraj.formats.mini_swe_agent",
        "MJ",
        marks.mini,
        "1 and 1.1 (mini-swe-agent 1.0 to 2.4), bare message lists",
        "trajectory_format mini-swe-agent-N, or messages with info.exit_status or info.model_stats",
        marks.mini_bare,
    ),
    Known(
        "react-web",
        "ReAct web JSON",
        "attraj.formats.react_web",
        "RW",
        marks.react_web,
        "unversioned, with its envelope or as a bare list of steps",
        "steps with a type (thought, action, observation, answer) and an iteration",
        marks.react_web_bare,
    ),
)


def detect(tree: Any) -> Known | None:
    """The format whose marks fit best, also for a broken document of it; None when no mark is there.

    Two marks at least are asked for: a single common word ("steps") proves nothing.
    """
    if type(tree) is dict:
        version = tree.get("schema_version")
        if type(version) is str and version.startswith("ATIF-v"):
            return by_name("atif")  # says so itself: the usual case of a batch
        scored = [(known.score(tree), known) for known in FORMATS]
    elif type(tree) is list:
        scored = [(known.bare(tree), known) for known in FORMATS]
    else:
        return None
    best = max(score for score, _ in scored)
    return next(known for score, known in scored if score == best) if best >= 2 else None


def is_one(elements: list[Any]) -> bool:
    """Whether a JSON array is one document, the bare list of its messages or steps, rather than many documents.

    Of an array in which not every element is an object, one at least must look like a document for it to be many.
    """
    objects = [element for element in elements if type(element) is dict]
    if detect(objects) is not None:
        return True
    return len(objects) < len(elements) and not any(detect(element) for element in objects)


def by_name(name: str) -> Known | None:
    """The format of this name."""
    return next((known for known in FORMATS if known.name == name), None)


# What stands near the start of a text that gives no tree; all of one row must be there.
_HEADS: tuple[tuple[str, tuple[bytes, ...]], ...] = (
    ("bundle", (b'"spec_version"',)),
    ("atif", (b'"ATIF-v',)),
    ("mini-swe-agent", (b'"messages"', b'"role"', b'"info"')),
    ("swe-agent", (b'"trajectory"', b'"action"', b'"observation"')),
    ("react-web", (b'"steps"', b'"iteration"', b'"type"')),
    ("mini-swe-agent", (b'"info"', b'"model_stats"', b'"config"')),  # 2.x: settings fill the head
)


def guess(raw: bytes) -> Known | None:
    """The format that a text which gives no tree was meant to be, by words near its start; None when there are none."""
    head = raw[:4096]
    return next((by_name(name) for name, words in _HEADS if all(word in head for word in words)), None)
