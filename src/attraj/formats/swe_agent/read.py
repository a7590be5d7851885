"""`.traj` → the Bundle: each trajectory of a file, the configuration, what a retry agent chose.

Nothing is looked up beside the file, and nothing is filled in: the format has no times, no ids, no usage of single
calls. The map is `places.py`; what it does not name stays in the residue. Spec: traj.md §7.1.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from attraj.bundle.vocabulary import BINDING_KINDS
from attraj.formats.mapping.draft import Draft, Settings
from attraj.formats.mapping.fields import At, Json, Reading, look_up
from attraj.formats.mapping.forms import JSON_TEXTS, json_text_of
from attraj.formats.swe_agent.align import StepKind
from attraj.formats.swe_agent.attempts import best_attempt
from attraj.formats.swe_agent.places import PLACES as PLACES
from attraj.formats.swe_agent.read_ending import (
    read_ending,
    read_review,
    read_suggested_totals,
    read_totals,
    read_usage,
)
from attraj.formats.swe_agent.read_steps import read_demonstration, read_story
from attraj.formats.swe_agent.scene import NOT_SAID, RUNTIME, Scene
from attraj.formats.swe_agent.unit import Unit, form_of
from attraj.formats.swe_agent.values import child, items
from attraj.formats.swe_agent.views import Views, read_views
from attraj.jsonio import Document

_ABSENT = (
    ("call_times", "the format has no times"),
    ("per_call_usage", "the format counts tokens and cost of the whole run alone"),
    ("effect_receipts", "the format has no receipts"),
)


def read(document: Document, settings: Settings) -> Draft:
    """One `.traj` as a Bundle in the making; attempts of a retry agent are attempts within it (decisions 11)."""
    tree: Json = document.tree if type(document.tree) is dict else {}
    draft = Draft("swe-agent", settings)
    draft.turn_basis = "loop_semantics"
    draft.source["implementation"] = "SWE-agent"
    form = form_of(tree)
    units = list(_units(tree, form))
    version = next((unit.version.name for _, unit, _ in units if unit.version.name is not None), None)
    reading = draft.read(document.tree, document.raw, os.path.basename(document.path), version or "", PLACES)
    for word, reason in _ABSENT:
        draft.omit(word, reason)
    best = _best(reading, tree) if form == "retry" else None
    if best is not None:
        units = [one for one in units if one[0]]  # the top is a copy of its best attempt, which says the same
    endings = [_read_unit(draft, reading, unit, name, at, form) for name, unit, at in units]
    top = Scene(draft, reading, Unit(tree, ""), Views())
    _read_bindings(top, units)
    if form in ("retry", "attempts"):
        _read_loop(top, tree)
    elif form == "run":
        read_totals(top, ("info", "model_stats"), child(tree, "info").get("model_stats"))
        read_suggested_totals(top, child(tree, "info"))
    _close(draft, endings, form)
    return draft


def _units(tree: Json, form: str) -> Iterator[tuple[str, Unit, At]]:
    """Each trajectory: its name, itself, its place."""
    if form != "attempts":
        yield "", Unit(tree, ""), ()
    for index, attempt in enumerate(items(tree.get("attempts"))):
        if type(attempt) is dict:
            yield f"attempt:{index}", Unit(attempt, f"/attempts/{index}"), ("attempts", index)


def _read_unit(draft: Draft, reading: Reading, unit: Unit, name: str, at: At, form: str) -> bool:
    scene = Scene(draft, reading, unit, read_views(draft, reading, unit, at), name, at)
    if name:
        draft.scope.setdefault("attempt_ids", []).append(name)
    if form == "demonstration":
        read_demonstration(scene)
        return False
    read_story(scene)
    subject = name or draft.settings.trajectory_id or f"at:swe-agent:{draft.settings.name or 'document'}"
    has_ended = read_ending(scene, subject)
    read_review(scene, subject)
    if name:
        read_usage(scene, scene.id("usage"), (*at, "info", "model_stats"), unit.info.get("model_stats"))
    _tell(scene)
    return has_ended


def _tell(scene: Scene) -> None:
    """What a trajectory does not have, and what is known of it less exactly than it looks."""
    draft, unit, at = scene.draft, scene.unit, (*scene.at, "trajectory")
    counts = unit.alignment.counts()
    if counts[StepKind.SYNTHETIC_EXIT]:
        draft.omit("discarded_final_reply", "the loop throws away the reply at which it is cut off")
    if counts[StepKind.REJECTED]:
        draft.omit("rejected_tool_arguments", "of a call that failed only the text is kept", counts[StepKind.REJECTED])
    if scene.views.exact:
        detail = "the messages are those that were sent; definitions of tools and settings of the call are not there"
        draft.lose("provider-payload", "message_vs_state_view", "approximated", at, detail, scene.views.exact)
    if scene.views.reconstructed:
        detail = "what the model was shown is put together from messages of other steps"
        draft.lose("rebuilt-view", "message_vs_state_view", "approximated", at, detail, scene.views.reconstructed)
    for index, step in enumerate(unit.steps):
        if type(step) is not dict:
            draft.lose("not-a-step", "other", "dropped", (*at, index), "the step is no object")


# --- what the whole file says ------------------------------------------------------------------------------------


def _best(reading: Reading, tree: Json) -> int | None:
    """The attempt that the top of the file repeats, where it does; each equal member is one fact in two places."""
    best = best_attempt(tree)
    if best is None:
        return None
    attempt, at = tree["attempts"][best], ("attempts", best)
    if not all(reading.repeats((name,), (*at, name)) for name in ("trajectory", "history")):
        return None
    for name in ("environment", "replay_config"):
        reading.repeats((name,), (*at, name))
    for name in child(attempt, "info"):
        if name != "model_stats":
            reading.repeats(("info", name), (*at, "info", name))
    return best


def _read_loop(scene: Scene, tree: Json) -> None:
    """What the loop around the attempts counted and chose."""
    info = child(tree, "info")
    read_totals(scene, ("info", "model_stats"), info.get("model_stats"))
    read_usage(scene, "review-loop:usage", ("info", "rloop_model_stats"), info.get("rloop_model_stats"), "review loop")
    if "best_attempt_idx" in info or "chooser" in info:
        members = scene.take("choice", "choice", ("info",), info)
        scene.node("choice", "branch", RUNTIME, "runtime", members, ("info",))


def _read_bindings(scene: Scene, units: list[tuple[str, Unit, At]]) -> None:
    """Harness, environment, model and task, as far as the file names them: of each attempt what it says itself."""
    for name, unit, at in units or [("", scene.unit, ())]:
        config = _config(scene.reading, unit, at)
        binder = _Binder(scene, name)
        binder.bind("harness", (*at, "info"), unit.info, {"id": "SWE-agent"}, _NO_RELEASE)
        binder.bind("environment", at, unit.tree, {}, _NO_CONTENT)
        for place in ("model", "task"):
            sources: tuple[tuple[str, At, Json], ...] = (
                (place, (*at, "replay_config"), config),
                (f"{place}_in_own", (*at, "info"), unit.info),
                (f"{place}_in_info", (*at, "info"), unit.info),
                (f"{place}_in_file", at, unit.tree),
            )
            any(binder.bind(name, here, source, {}, _NO_REVISION) for name, here, source in sources)  # the first
    if "models" not in scene.draft.bindings:
        scene.draft.bindings["models"] = [{"availability": "unavailable", "reason": NOT_SAID}]


_NO_RELEASE = "the source does not say which release wrote it"
_NO_CONTENT = "the source names the environment and not its content"
_NO_REVISION = "the source gives a name and no revision"


class _Binder:
    """Puts what an object of the source names into `bindings`, as that of one attempt where it is one."""

    def __init__(self, scene: Scene, attempt: str) -> None:
        self._draft = scene.draft
        self._reading = scene.reading
        self._owner: Json = {"thread_id": attempt} if attempt else {}

    def bind(self, place: str, at: At, source: Json, known: Json, reason: str) -> bool:
        """One binding, where the source says something of it or something is known of it; whether there is one."""
        fields = self._reading.places[place].fields
        is_said = any(one.holds(look_up(source, one.source)) for one in fields)
        kind = BINDING_KINDS[place.partition("_in_")[0]]
        number = len(self._draft.bindings.get(kind, ()))
        taken = self._reading.take(place, f"/bindings/{kind}/{number}", at, source) if is_said else {}
        binding = {**known, **taken}
        if not binding:
            return False
        if "version" not in binding:
            binding |= {"availability": "unknown", "reason": reason}
        self._draft.bindings.setdefault(kind, []).append({**binding, **self._owner})
        return True


def _config(reading: Reading, unit: Unit, at: At) -> Json:
    """The configuration, opened where its text can be written again exactly."""
    value: Any = unit.tree.get("replay_config")
    if type(value) is dict:
        return value
    form = json_text_of(value)
    decoded: Any = JSON_TEXTS[form].said(value) if form else None
    if type(decoded) is not dict:
        return {}
    reading.open_text((*at, "replay_config"), form, decoded)
    tree: Json = decoded
    return tree


def _close(draft: Draft, endings: list[bool], form: str) -> None:
    """How whole the record is, and how it ended."""
    if form == "demonstration":
        draft.reasons.append("a demonstration: a history without a trajectory, so that nothing says what was run")
        return
    draft.reasons.append("the format has no times, no receipts and no usage of single calls")
    if "private_reasoning" not in draft.disclosure or draft.disclosure["private_reasoning"] == "not_collected":
        draft.omit("reasoning", "the format keeps reasoning in few releases, and this file has none")
    is_open = form == "attempts" or not endings or not all(endings)
    if is_open:
        draft.status = "open"
        draft.reasons.insert(0, "the source gives no exit status: the run was going on, or was killed")
    elif draft.outcomes:
        draft.scope["termination"] = {"status": "ended", "reason": "the exit status that the outcomes give"}
    else:
        draft.reasons.append("the exit status is no word: that the run ended is known, and not how")
