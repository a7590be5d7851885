"""The files of one run of a trial while a Bundle is made of them: each with its residue and its artifact."""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, NamedTuple

from attraj.formats.harbor.facts import Facts, RunResult, child, text
from attraj.formats.harbor.files import Kind, entries, read_json
from attraj.formats.harbor.places import PLACES
from attraj.formats.harbor.records import at
from attraj.formats.mapping.draft import Draft
from attraj.formats.mapping.fields import At, Json, Reading, Taken, look_up, pointer_of
from attraj.formats.mapping.loss import Handling
from attraj.jsonio import Document
from attraj.limits import Limits

OTHER_STEP = Taken("", "", ())  # what stands in the Bundle of another step of the same trial


@dataclass(slots=True)
class Material:
    """What one Bundle is made of.

    Attributes:
        draft: The Bundle in the making.
        facts: The trial.
        run: The run that the Bundle is of, with what result.json says of it.
        identity: The Bundle's trajectory_id.
        release: The Harbor release; "" when it is not known.
        is_last: Whether what is said of the whole trial belongs here: its only run, or its last step with a result.
        limits: For the files that are read besides.
        readings: By the path of the file.
        files: Path of a file to its artifact, for evidence.
    """

    draft: Draft
    facts: Facts
    run: RunResult
    identity: str
    release: str = ""
    is_last: bool = True
    limits: Limits = field(default_factory=Limits)
    readings: dict[str, Reading] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)

    @property
    def is_step(self) -> bool:
        """Whether the run is a step of a multi-step trial."""
        return bool(self.run.run.step)

    @property
    def said_at(self) -> At:
        """Where result.json speaks of the run."""
        position = self.facts.step_names.get(self.run.run.step) if self.is_step else None
        return () if position is None else ("step_results", position)

    @property
    def scope(self) -> str:
        """What outcomes, results and rewards of the run speak about: an id of the scope where it has one."""
        if self.is_step:
            return text(self.run.said, "step_name") or self.identity
        return text(self.facts.result, "id") or self.identity

    @property
    def has_scope(self) -> bool:
        """Whether the trial gives an id that `scope` holds."""
        return bool(text(self.facts.result, "id") or (self.is_step and text(self.run.said, "step_name")))

    def open(self, path: str, document: Document | None) -> Reading | None:
        """Take a JSON file in as a source; None when it is missing, unreadable or neither object nor array."""
        tree = document.tree if document is not None and document.is_readable else None
        if document is None or type(tree) not in (dict, list):
            if document is not None:
                self.draft.omit("file", f"{path.rpartition('/')[2]} cannot be read")
            return None
        version = self.release if path == "result.json" else ""
        self.draft.file = path
        reading = self.draft.read(tree, document.raw, path.rpartition("/")[2], version, PLACES, "harbor")
        self.draft.file = ""
        self.readings[path] = reading
        self.files[path] = reading.artifact
        return reading

    def open_verifier_file(self, name: str) -> Reading | None:
        """A JSON file of the verifier's folder, when it is there."""
        path = f"{self.run.run.verifier}/{name}"
        if name not in self.run.run.verifier_files:
            return None
        if path not in self.readings:
            return self.open(path, read_json(self.facts.trial.folder, path, self.limits))
        return self.readings[path]

    def take(self, place: str, record: str, file: str, *path: str | int) -> Json:
        """The members that the object at this path of a file gives to a record; {} when it is not there."""
        reading = self.readings.get(file)
        value = look_up(reading.tree, path) if reading is not None else None
        if reading is None or type(value) is not dict:
            return {}
        fields = PLACES[place].fields
        if any((*path, *one.source) in reading.taken for one in fields):
            return {}  # a value stands in one place of the core
        known, was_open = len(reading.taken), path in reading.opened
        members = reading.take(place, record, path, value)
        if len(reading.taken) == known:  # it says nothing that is held: no link to it either
            del reading.links[place][record]
            if not reading.links[place]:
                del reading.links[place]
            if not was_open:
                reading.opened.discard(path)
        return members

    def hold(self, place: str, record: str, file: str, *path: str | int) -> Any:
        """A single value as the whole of what a place carries (a reward of any key)."""
        reading = self.readings[file]
        reading.links.setdefault(place, {})[record] = pointer_of(path)
        reading.taken[path] = Taken(place, record, PLACES[place].fields[0].core)
        return look_up(reading.tree, path)

    def bind(self, kind: str, members: Json) -> None:
        """Add a binding that says something."""
        if members:
            self.draft.bindings.setdefault(kind, []).append(members)

    def next_binding(self, kind: str) -> str:
        """The record that the next binding of this kind will be."""
        return f"/bindings/{kind}/{len(self.draft.bindings.get(kind, ()))}"

    def evidence(self, *paths: str) -> list[str]:
        """The artifacts of these files, those that are known."""
        return [self.files[path] for path in paths if path in self.files]

    def lose(self, code: str, category: str, handling: Handling, file: str, path: At, detail: str) -> None:
        """Name a loss, with its place in the trial's folder."""
        self.draft.lose(code, category, handling, at(file) + pointer_of(path), detail)

    def list_files(self) -> None:
        """Name the files that are no documents: logs, panes, what verifier and task left. They are not included."""
        run, trial = self.run.run, self.facts.trial
        listed = [e.path for e in entries(trial.folder) or () if e.kind is Kind.FILE and not e.name.endswith(".json")]
        listed += [path for path in trial.left if not path.startswith("steps/") or path.startswith(run.prefix or "/")]
        listed += [f"{run.verifier}/{name}" for name in run.reward_files]
        listed += run.exit_code_files
        artifacts = self.draft.source.setdefault("artifacts", [])
        for position, path in enumerate(dict.fromkeys(listed)):
            if path in self.files:
                continue
            record: Json = {
                "artifact_id": f"file:{told(path, position)}",
                "availability": "omitted",
                "reason": "not a document",
            }
            if path == f"{run.verifier}/reward.txt" and run.reward_text is not None:
                record |= {"media_type": "text/plain", "digest": f"sha256:{sha256(run.reward_text).hexdigest()}"}
            self.files[path] = record["artifact_id"]
            artifacts.append(record)


def told(path: str, position: int) -> str:
    """A file's path within the trial, as a text that can be written; a name that none can hold gives its position."""
    return path if path.isprintable() else f"#{position}"


class FullSettings(NamedTuple):
    """Where the trial's settings stand, and what they are."""

    file: str
    at: At
    said: Json


def settings_of(facts: Facts) -> FullSettings:
    """Those of result.json, which are full, or of config.json (in 0.18 without what was left as it is), or the lock."""
    inner = child(facts.result, "config")
    if not inner and not facts.config:
        return FullSettings("lock.json", (), facts.lock)
    if "agent" in inner or not facts.config:
        return FullSettings("result.json", ("config",), inner)
    return FullSettings("config.json", (), facts.config)
