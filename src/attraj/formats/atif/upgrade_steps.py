"""Changes of whole ATIF documents: reasoning left out, another version. Each thing that is given up is a loss."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attraj.formats.atif.shape import OBJECTS
from attraj.formats.mapping.fields import At, Json
from attraj.formats.mapping.held import Held, Ledger, Made

_ALL = 99


def plain(value: Any) -> Any:
    """The value that a `Held` or `Made` stands for."""
    return value.value if type(value) in (Held, Made) else value


def trajectories(tree: Json) -> Iterator[Json]:
    """A trajectory, and those embedded in it at any depth."""
    pending: list[Any] = [tree]
    while pending:
        here = pending.pop()
        if type(here) is not dict:
            continue
        yield here
        inside = here.get("subagent_trajectories")
        pending.extend(reversed(inside) if type(inside) is list else ())


def objects(container: Any, *path: str) -> Iterator[Json]:
    """The objects of an array below an object, or that object's own array."""
    for name in path:
        container = container.get(name) if type(container) is dict else None
    yield from (one for one in container if type(one) is dict) if type(container) is list else ()


def references(trajectory: Json) -> Iterator[Json]:
    """The references to subagents in the results of a trajectory's steps."""
    for step in objects(trajectory, "steps"):
        for result in objects(step, "observation", "results"):
            yield from objects(result, "subagent_trajectory_ref")


def strip_thoughts(tree: Json, ledger: Ledger) -> None:
    """Leave out the reasoning of every step."""
    for trajectory in trajectories(tree):
        for step in objects(trajectory, "steps"):
            thought = step.pop("reasoning_content", None)
            if type(thought) is Held:
                detail = "reasoning that was left out on request"
                ledger.lose("stripped-thoughts", "other", "dropped", thought.origin, detail)


def rewrite(tree: Json, version: int, ledger: Ledger) -> None:
    """Write a document as one of another version: what that does not have moves into `extra`, or is given up."""
    is_first = True
    for trajectory in trajectories(tree):
        if is_first or "schema_version" in trajectory:
            trajectory["schema_version"] = _tag(trajectory.get("schema_version"), version)
        is_first = False
        _bring_back(trajectory, version)
        _rewrite_root(trajectory, version, ledger)
        for step in objects(trajectory, "steps"):
            _rewrite_step(step, version, ledger)


def _tag(known: Any, version: int) -> Any:
    tag = f"ATIF-v1.{version}"
    if type(known) is not Held:
        return tag
    return Made(tag, (known.origin,), "version", "other", "approximated", "written as another version of ATIF")


def _bring_back(tree: Json, version: int) -> None:
    """Give members that an older version had no place for back theirs, where this package has kept them."""
    if version < OBJECTS["trajectory"]["trajectory_id"].since:
        return
    _take_back(tree, "trajectory_id", str)
    for step in objects(tree, "steps"):
        _take_back(step, "llm_call_count", int)
        _spread(step, "calls", list(objects(step, "tool_calls")))
        _spread(step, "results", list(objects(step, "observation", "results")))
    for reference in references(tree):
        _take_back(reference, "trajectory_id", str)


def _take_back(record: Json, name: str, kind: type) -> None:
    own = _own(record)
    if type(plain(own.get(name))) is kind and name not in record:
        record[name] = own.pop(name)
        _set_own(record, own)


def _spread(step: Json, name: str, records: list[Json]) -> None:
    """`extra` of calls or results goes back to them, by their position."""
    own = _own(step)
    found = members(own.get(name))
    at = {str(position): one for position, one in enumerate(records) if "extra" not in one}
    if not found or not all(one in at and type(plain(extra)) is dict for one, extra in found.items()):
        return
    for position, extra in found.items():
        at[position]["extra"] = extra
    del own[name]
    _set_own(step, own)


def _own(record: Json) -> Json:
    """The members of `extra.attraj`, as `_set_own` takes them."""
    return members(members(record.get("extra")).get("attraj"))


def _set_own(record: Json, own: Json) -> None:
    """Set `extra.attraj`; without members it goes, and so does `extra`, which held nothing but it."""
    extra = members(record["extra"])
    extra["attraj"] = own
    if not own:
        del extra["attraj"]
    record["extra"] = extra
    if not extra:
        del record["extra"]


def members(value: Any) -> Json:
    """The members of an object, each with its place in the Bundle; {} for anything else."""
    if type(value) is Held and type(value.value) is dict:
        return {name: Held(one, (*value.origin, name)) for name, one in value.value.items()}
    return value if type(value) is dict else {}


def _rewrite_root(tree: Json, version: int, ledger: Ledger) -> None:
    if version < OBJECTS["trajectory"]["trajectory_id"].since:
        identity = tree.pop("trajectory_id", None)
        if plain(tree.get("session_id")) is None:
            name = plain(identity)
            origins: tuple[At, ...] = (identity.origin,) if type(identity) is Held else ()
            detail = "ATIF before 1.7 asks for the identity of a run"
            value = name if type(name) is str else "unknown"
            tree["session_id"] = Made(value, origins, "session-ids", "identity", "synthesized", detail)
        if identity is not None:
            _keep(tree, "trajectory_id", identity, ledger)


def _rewrite_step(step: Json, version: int, ledger: Ledger) -> None:
    if version < OBJECTS["step"]["llm_call_count"].since and "llm_call_count" in step:
        _keep(step, "llm_call_count", step.pop("llm_call_count"), ledger)
    if version < OBJECTS["call"]["extra"].since:
        _gather(step, "calls", list(objects(step, "tool_calls")), ledger)
        _gather(step, "results", list(objects(step, "observation", "results")), ledger)
    for result in objects(step, "observation", "results"):
        _references(result, version, ledger)
        if type(result.get("content")) is list or type(plain(result.get("content"))) is list:
            result["content"] = _parts(result["content"], version)
    if type(plain(step.get("message"))) is list:
        step["message"] = _parts(step["message"], version)


def _gather(step: Json, name: str, records: list[Json], ledger: Ledger) -> None:
    """`extra` of calls or results moves to the step, by their position."""
    found = {str(i): one.pop("extra") for i, one in enumerate(records) if one.get("extra") is not None}
    for one in records:
        one.pop("extra", None)
    if found:
        _keep(step, name, found, ledger)


def _references(result: Json, version: int, ledger: Ledger) -> None:
    """References by identity alone before 1.7, by session alone since: neither can be written as what it is not."""
    member = OBJECTS["ref"]["trajectory_id"]
    references = result.get("subagent_trajectory_ref")
    if type(references) is not list:
        return
    kept: list[Any] = []
    for one in references:
        if type(one) is not dict:
            kept.append(one)
            continue
        if version < member.since:
            identity = one.pop("trajectory_id", None)
            if plain(one.get("session_id")) is None:
                detail = "ATIF before 1.7 asks for the session of a subagent"
                origins = (identity.origin,) if type(identity) is Held else ()
                name = plain(identity)
                value = name if type(name) is str else "unknown"
                one["session_id"] = Made(value, origins, "session-ids", "identity", "synthesized", detail)
            if identity is not None:
                _keep(one, "trajectory_id", identity, ledger)
        if plain(one.get("trajectory_id")) is None and plain(one.get("trajectory_path")) is None:
            _lose(one, "unresolvable-reference", "a reference by session alone, which names no trajectory", ledger)
        else:
            kept.append(one)
    if kept:
        result["subagent_trajectory_ref"] = kept
    else:
        del result["subagent_trajectory_ref"]


def _lose(record: Json, code: str, detail: str, ledger: Ledger) -> None:
    for value in record.values():
        if type(value) is Held:
            ledger.lose(code, "identity", "dropped", value.origin, detail)


def _parts(content: Any, version: int) -> Any:
    """Content parts of a kind that the version does not have, as texts that say so."""
    parts = plain(content)
    words = OBJECTS["part"]["type"].words
    if not any(type(one) is dict and words.get(_kind(one), _ALL) > version for one in parts):
        return content
    origin: At = content.origin if type(content) is Held else ()
    made: list[Any] = []
    for position, one in enumerate(parts):
        at = (*origin, position)
        if type(one) is dict and words.get(_kind(one), _ALL) > version:
            detail = "a part of a kind that the version does not have"
            text = Made("[audio omitted]", (at,), "attachment", "attachments", "dropped", detail)
            made.append({"type": "text", "text": text})
        else:
            made.append(Held(one, at) if origin else one)
    return made


def _kind(part: Json) -> str:
    kind = plain(part.get("type"))
    return kind if type(kind) is str else ""


def _keep(record: Json, name: str, value: Any, ledger: Ledger) -> None:
    """Put what a version has no member for into `extra`, under our own name; a loss, since no reader looks there."""
    extra = members(record.get("extra"))
    own = members(extra.get("attraj"))
    own[name] = value
    extra["attraj"] = own
    record["extra"] = extra
    origin = value.origin if type(value) is Held else ()
    ledger.lose("moved-to-extra", "other", "approximated", origin, "a member that the version does not have")
