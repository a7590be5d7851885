"""An ATIF document as a person reads it, and what is counted of it.

Copied steps and the steps of subagents are told and marked, and count in no number of the run itself. Totals are
those of `final_metrics`; without them the steps are added up only when every model call of the run was measured
(RFC 0001, "Metrics", "Context Management"; spec: atif.md §2, §9.2).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from attraj.formats.atif import shape
from attraj.formats.story import (
    Call,
    Facts,
    Json,
    Passage,
    Result,
    Role,
    Step,
    Story,
    Tokens,
    as_text,
    child,
    count,
    items,
    number,
    objects,
    passages_of,
    text,
)
from attraj.jsonio import Document

_ROLES: dict[Any, Role] = {"user": "user", "agent": "agent", "system": "system"}
_BOUNDARIES = {"replace": "replaced", "append": "appended to", "truncate": "truncated"}
_CONTEXT_TYPES = frozenset({"compaction", "pruning", "injection"})
_MEDIA = frozenset({"image/jpeg", "image/png", "image/gif", "image/webp"}) | {
    f"audio/{kind}" for kind in ("wav", "mpeg", "mp4", "aac", "ogg", "flac", "webm", "aiff")
}
_TOLD = frozenset(
    {"step_id", "timestamp", "source", "message", "reasoning_content", "tool_calls", "observation"}
    | {"is_copied_context", "model_name", "metrics"}
)
_TOLD_OF_CALLS = frozenset({"tool_call_id", "function_name", "arguments"})
_TOLD_OF_RESULTS = frozenset({"source_call_id", "content"})
_COUNTS = {"prompt_tokens": "input tokens", "completion_tokens": "output tokens", "cached_tokens": "cached tokens"}
_LISTS = {
    "prompt_token_ids": "prompt token ids",
    "completion_token_ids": "completion token ids",
    "logprobs": "log probabilities",
}
_TOLD_OF_METRICS = frozenset({*_COUNTS, *_LISTS, "cost_usd"})


def tell(document: Document) -> Story:
    """The document's own steps, then those of the trajectories that it embeds."""
    tree: Json = document.tree if type(document.tree) is dict else {}
    title = [
        (label, value)
        for label, name in (("session", "session_id"), ("document", "trajectory_id"))
        if (value := text(tree, name)) is not None
    ]
    remarks = []
    if tree.get("continued_trajectory_ref") is not None:
        remarks.append("the trajectory goes on in another file")
    records = []
    if (notes := text(tree, "notes")) is not None:
        records.append(Step(0, "unknown", "/notes", title="Notes", passages=(Passage(notes, "/notes"),)))
    return Story(facts(document), _steps(tree), tuple(title), records=tuple(records), remarks=tuple(remarks))


# --- the telling -------------------------------------------------------------------------------------------------


def _steps(tree: Json) -> Iterator[Step]:
    told = 0
    subagents = 0
    places = _embedded(tree, "")
    pending = list(places)
    for step in _of(tree, "", told, ""):
        told += 1
        yield step
    pending.reverse()
    while pending:
        at, one = pending.pop()
        subagents += 1
        for step in _of(one, at, told, f"subagent {subagents}"):
            told += 1
            yield step
        pending.extend(reversed(_embedded(one, at)))


def _embedded(tree: Json, at: str) -> list[tuple[str, Json]]:
    return [(f"{at}/subagent_trajectories/{i}", one) for i, one in objects(tree.get("subagent_trajectories"))]


def _of(tree: Json, at: str, before: int, part: str) -> Iterator[Step]:
    """The steps of one trajectory; `part` names it when it is not the document's own."""
    has_task = bool(part)
    for position, step in enumerate(items(tree, "steps")):
        place = f"{at}/steps/{position}"
        marks = (f"{part}, step {position + 1}",) if part else ()
        if type(step) is not dict:
            yield Step(before + position + 1, "unknown", place, passages=(Passage(as_text(step), place, "no step"),))
            continue
        source: Any = step.get("source")
        role = _ROLES.get(source, "unknown") if type(source) is str else "unknown"
        if role == "user" and not has_task and step.get("is_copied_context") is not True:
            role, has_task = "task", True
        yield _step(step, before + position + 1, role, place, marks)


def _step(step: Json, ordinal: int, role: Role, place: str, marks: tuple[str, ...]) -> Step:
    passages = list(content(step.get("message"), f"{place}/message"))
    passages[:0] = content(step.get("reasoning_content"), f"{place}/reasoning_content", "reasoning")
    calls = dict(objects(step.get("tool_calls")))
    results = tuple(_results(child(step, "observation"), list(calls.values()), f"{place}/observation"))
    answered = {result.answers for result in results}
    is_open = None in answered  # a result that names no call may be that of any
    return Step(
        ordinal,
        role,
        place,
        text(step, "timestamp"),
        tuple(passages),
        tuple(
            _call(call, f"{place}/tool_calls/{i}", is_open or k in answered)
            for k, (i, call) in enumerate(calls.items())
        ),
        results,
        (*marks, *_marks(step)),
        tuple(_measures(step)),
        _rest(step, calls),
    )


def _rest(step: Json, calls: dict[int, Json]) -> Json:
    """What the telling leaves out, by the way to it."""
    rest = {name: value for name, value in step.items() if name not in _TOLD}
    parts = [(f"tool_calls/{i}/", call, _TOLD_OF_CALLS) for i, call in calls.items()]
    observation = child(step, "observation")
    parts.append(("observation/", observation, frozenset({"results"})))
    results = objects(observation.get("results"))
    parts += [(f"observation/results/{i}/", result, _TOLD_OF_RESULTS) for i, result in results]
    parts.append(("metrics/", child(step, "metrics"), _TOLD_OF_METRICS))
    for way, part, told in parts:
        if not part.keys() <= told:
            rest |= {way + name: value for name, value in part.items() if name not in told}
    return rest


def _marks(step: Json) -> Iterator[str]:
    if step.get("is_copied_context") is True:
        yield "copied context"
    extra = child(step, "extra")
    if extra.get("is_sidechain") is True:
        yield "a subagent's own step"
    management = child(extra, "context_management")
    if management:
        boundary, kind = management.get("boundary"), management.get("type")
        word = _BOUNDARIES.get(boundary, "changed") if type(boundary) is str else "changed"
        yield f"context {word} here" + (f" ({kind})" if type(kind) is str and kind in _CONTEXT_TYPES else "")
    calls = count(step.get("llm_call_count"))
    if calls == 0 and step.get("source") == "agent":
        yield "zero-call"
    elif calls is not None and calls > 1:
        yield f"{calls} model calls"


def content(value: Any, at: str, label: str = "") -> Iterator[Passage]:
    """The passages of a text or of an array of content parts; none for "" and for null."""
    if type(value) is not list:
        if value not in ("", None):
            yield Passage(as_text(value), at, label)
        return
    for i, part in enumerate(value):
        place = f"{at}/{i}"
        kind = part.get("type") if type(part) is dict else None
        if kind == "text" and type(part.get("text")) is str:
            yield Passage(part["text"], f"{place}/text", label)
        elif kind in ("image", "audio") and type(part.get("source")) is dict:
            yield _medium(kind, part["source"], f"{place}/source")
        else:
            yield Passage(as_text(part), place, "a part of no known kind")


def _medium(kind: str, source: Json, at: str) -> Passage:
    media_type = source.get("media_type")
    name = f"{kind} ({media_type})" if type(media_type) is str and media_type in _MEDIA else kind
    path = source.get("path")
    if type(path) is not str:
        return Passage("", at, f"{name}, without a path")
    if path.startswith("data:"):
        return Passage("", at, f"{name}, inline: {len(path):,} characters, not shown")
    return Passage(path, at, f"{name}, in a file of its own")


def _call(call: Json, place: str, has_result: bool) -> Call:
    arguments = call.get("arguments")
    passages = None if arguments is None else tuple(passages_of(arguments, f"{place}/arguments"))
    return Call(text(call, "function_name"), passages, place, () if has_result else ("no result recorded",))


def _results(observation: Json, calls: list[Json], at: str) -> Iterator[Result]:
    places: dict[str, int] = {}
    for position, call in enumerate(calls):
        identity = call.get("tool_call_id")
        if type(identity) is str:
            places.setdefault(identity, position)
    for i, result in objects(observation.get("results")):
        place = f"{at}/results/{i}"
        call_id = result.get("source_call_id")
        answers = places.get(call_id) if type(call_id) is str else None
        marks = ["names a call that this step does not have"] if answers is None and call_id is not None else []
        for _, reference in objects(result.get("subagent_trajectory_ref")):
            marks.append("subagent, in " + ("another file" if "trajectory_path" in reference else "this document"))
        yield Result(_content_of(result, place), place, answers, tuple(marks))


def _content_of(result: Json, place: str) -> tuple[Passage, ...]:
    if result.get("content") == "":
        return (Passage("", f"{place}/content", "empty"),)
    return tuple(content(result.get("content"), f"{place}/content"))


def _measures(step: Json) -> Iterator[tuple[str, str]]:
    model = text(step, "model_name")
    if model is not None:
        yield "model", model
    metrics = child(step, "metrics")
    for name, value in metrics.items():
        if name in _COUNTS:
            yield _COUNTS[name], as_text(value)
        elif name == "cost_usd":
            yield "cost in USD", as_text(value)
        elif name in _LISTS and type(value) is list:
            yield _LISTS[name], f"{len(value):,} values, not shown"


# --- the count ---------------------------------------------------------------------------------------------------


def facts(document: Document) -> Facts:
    """What is counted of one document, by itself."""
    tree: Json = document.tree if type(document.tree) is dict else {}
    run = Run()
    run.add(tree)
    agent = child(tree, "agent")
    final = child(tree, "final_metrics")
    tag = tree.get("schema_version")
    return Facts(
        "atif",
        tag if type(tag) is str and tag in shape.VERSIONS else None,
        text(agent, "name"),
        known_version(text(agent, "version")),
        run.models,
        run.steps,
        run.calls,
        run.subagents,
        run.tokens(final),
        number(final.get("total_cost_usd")),
        is_segment=run.copied > 0 or tree.get("continued_trajectory_ref") is not None,
    )


def known_version(version: str | None) -> str | None:
    """The version, unless it is the word by which producers say that they do not know it (spec: atif.md §9.2)."""
    return None if version == "unknown" else version


class Run:
    """What the steps of a run add up to; a run may be told in several documents.

    Attributes:
        models: Names of the models in the order in which they are met.
        subagents: Trajectories that are embedded, at any level.
        copied: Steps of copied context.
        own: Steps of the run itself; `steps` is None as long as no document had any list of steps.
        calls: What those steps ask for.
    """

    def __init__(self) -> None:
        self._models: dict[str, None] = {}
        self._has_steps = False
        self.subagents = 0
        self.copied = 0
        self._steps = 0
        self._calls = 0
        self._metered: list[Json] = []
        self._unmetered = 0

    @property
    def models(self) -> tuple[str, ...]:
        return tuple(self._models)

    @property
    def steps(self) -> int | None:
        return self._steps if self._has_steps else None

    @property
    def calls(self) -> int | None:
        return self._calls if self._has_steps else None

    def add(self, tree: Json) -> None:
        """Count one document of the run."""
        model = text(child(tree, "agent"), "model_name")
        if model is not None:
            self._models[model] = None
        if type(tree.get("steps")) is list:
            self._has_steps = True
            self._add_steps(tree["steps"])
        pending = [tree] if "subagent_trajectories" in tree else []
        while pending:
            below = [one for _, one in objects(pending.pop().get("subagent_trajectories"))]
            self.subagents += len(below)
            pending += below

    def _add_steps(self, steps: Iterable[Any]) -> None:
        """Written out: this is where a job of many files spends its time."""
        for step in steps:
            if type(step) is not dict:
                continue
            if step.get("is_copied_context") is True:
                self.copied += 1
                continue
            if "extra" in step and child(step, "extra").get("is_sidechain") is True:
                continue
            self._steps += 1
            if "model_name" in step and (model := text(step, "model_name")) is not None:
                self._models[model] = None
            if step.get("source") != "agent":
                continue
            if "tool_calls" in step:
                calls = step["tool_calls"]
                if type(calls) is list:
                    self._calls += len(calls)
            metrics = step.get("metrics")
            if type(metrics) is dict:
                self._metered.append(metrics)
            elif step.get("llm_call_count") != 0:
                self._unmetered += 1

    def tokens(self, final: Json) -> Tokens:
        """From the totals; else added up, when every model call was measured and not by one counter over and over."""
        totals = [count(final.get(f"total_{name}")) for name in _COUNTS]
        # No model call has an empty prompt: there 0 stands for "not measured" (ATIF112).
        if self._metered or self._unmetered:
            totals[:2] = [total or None for total in totals[:2]]
        if any(total is not None for total in totals):
            return Tokens(totals[0], totals[1], totals[2], basis="final_metrics")
        if not self._metered or self._unmetered or self._is_one_counter():
            return Tokens()
        sums = [self._sum(name) for name in _COUNTS]
        if all(one is None for one in sums):
            return Tokens()
        return Tokens(sums[0], sums[1], sums[2], basis="sum over the steps")

    def _sum(self, name: str) -> int | None:
        values = [count(metrics.get(name)) for metrics in self._metered]
        if any(value is None or (value == 0 and name == "prompt_tokens") for value in values):
            return None
        return sum(value for value in values if value is not None)

    def _is_one_counter(self) -> bool:
        """Whether all steps have the same counts, as a counter leaves that was read once (ATIF113)."""
        pairs = [(m.get("prompt_tokens"), m.get("completion_tokens")) for m in self._metered]
        return len(pairs) > 2 and all(pair == pairs[0] for pair in pairs)
