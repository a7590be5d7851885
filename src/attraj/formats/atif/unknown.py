"""What a producer probably meant by a member that ATIF does not have."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from attraj.formats.atif.shape import OBJECTS

EXTRA = "what ATIF has no member for goes into `extra`"

# Spelled without separators and in small letters, so that toolCalls and tool-calls are known as well.
_MEANT: Mapping[str, Mapping[str, str]] = {
    "trajectory": {
        "version": "schema_version",
        "atifversion": "schema_version",
        "id": "trajectory_id",
        "sessionid": "session_id",
        "runid": "session_id",
        "messages": "steps",
        "trajectory": "steps",
        "history": "steps",
        "turns": "steps",
        "metrics": "final_metrics",
        "metadata": "extra",
        "subagents": "subagent_trajectories",
        "model": "agent.model_name",
        "modelname": "agent.model_name",
        "tools": "agent.tool_definitions",
        "tooldefinitions": "agent.tool_definitions",
    },
    "agent": {"model": "model_name", "tools": "tool_definitions", "id": "name", "metadata": "extra"},
    "step": {
        **dict.fromkeys(("thought", "thoughts", "thinking", "reasoning"), "reasoning_content"),
        **dict.fromkeys(("content", "text", "response", "output"), "message"),
        **dict.fromkeys(("role", "type", "author"), "source"),
        **dict.fromkeys(("id", "index", "step"), "step_id"),
        **dict.fromkeys(("time", "ts", "createdat", "date"), "timestamp"),
        **dict.fromkeys(("toolcall", "action", "actions", "functioncall"), "tool_calls"),
        **dict.fromkeys(("observations", "results", "toolresults"), "observation"),
        **dict.fromkeys(("usage", "tokens", "cost", "costusd"), "metrics"),
        "model": "model_name",
        "metadata": "extra",
    },
    "call": {
        **dict.fromkeys(("id", "callid"), "tool_call_id"),
        **dict.fromkeys(("name", "function", "toolname", "tool"), "function_name"),
        **dict.fromkeys(("args", "input", "parameters", "params"), "arguments"),
    },
    "observation": {"content": "results[].content", "result": "results", "output": "results"},
    "result": {
        **dict.fromkeys(("toolcallid", "callid", "id", "tooluseid"), "source_call_id"),
        **dict.fromkeys(("output", "result", "text", "value"), "content"),
        **dict.fromkeys(("error", "iserror", "status", "exitcode"), "extra"),
        **dict.fromkeys(("subagentref", "subagent", "trajectoryref"), "subagent_trajectory_ref"),
    },
    "ref": {"id": "trajectory_id", "path": "trajectory_path", "file": "trajectory_path", "url": "trajectory_path"},
    "part": {
        **dict.fromkeys(("imageurl", "url", "path", "data", "mediatype", "audio", "image"), "source"),
        "content": "text",
    },
    "image": {"url": "path", "mimetype": "media_type", "type": "media_type", "data": "path"},
    "audio": {"url": "path", "mimetype": "media_type", "type": "media_type", "duration": "duration_sec"},
    "metrics": {
        **dict.fromkeys(("inputtokens", "prompt", "promptcount"), "prompt_tokens"),
        **dict.fromkeys(("outputtokens", "completion"), "completion_tokens"),
        **dict.fromkeys(("cachetokens", "cachereadtokens", "cachereadinputtokens"), "cached_tokens"),
        **dict.fromkeys(("cost", "costusd", "price"), "cost_usd"),
        "tokenids": "completion_token_ids",
    },
    "final_metrics": {
        **dict.fromkeys(("prompttokens", "inputtokens", "totalinputtokens"), "total_prompt_tokens"),
        **dict.fromkeys(("completiontokens", "outputtokens", "totaloutputtokens"), "total_completion_tokens"),
        **dict.fromkeys(("cachedtokens", "totalcachetokens"), "total_cached_tokens"),
        **dict.fromkeys(("cost", "costusd", "totalcost"), "total_cost_usd"),
        "steps": "total_steps",
    },
}
_OTHER = {
    "rawcontent": "`raw_content` is an option of a Harbor producer, not a member; the raw text stands in `message`",
    "reward": "ATIF has no reward; Harbor keeps it in the trial's result.json",
    "rewards": "ATIF has no reward; Harbor keeps it in the trial's result.json",
}


def hint_for(kind: str, name: str) -> str:
    """What to do about an unknown member of one kind of object."""
    return _hint(kind, name[:64].replace("_", "").replace("-", "").lower())


@lru_cache(maxsize=256)  # who writes a member that is not known writes it at every step
def _hint(kind: str, plain: str) -> str:
    if plain in _OTHER:
        return _OTHER[plain]
    meant = _MEANT.get(kind, {}).get(plain) or _near(plain, OBJECTS[kind])
    takes_extra = "extra" in OBJECTS[kind]
    if meant and meant != "extra":
        return f"did you mean `{meant}`?" + (f" Otherwise: {EXTRA}" if takes_extra else "")
    return EXTRA if takes_extra else f"only these members are taken: {', '.join(OBJECTS[kind])}"


def _near(plain: str, names: Mapping[str, object]) -> str:
    """The member that is spelled like this but for separators, capitals, or one letter."""
    for name in names:
        if _is_near(plain, name.replace("_", "")):
            return name
    return ""


def _is_near(a: str, b: str) -> bool:
    if a == b:
        return True
    if abs(len(a) - len(b)) > 1 or min(len(a), len(b)) < 4:
        return False
    start = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    if len(a) == len(b):
        swapped = a[start : start + 2] == b[start : start + 2][::-1] and a[start + 2 :] == b[start + 2 :]
        return swapped or a[start + 1 :] == b[start + 1 :]
    return a[start + 1 :] == b[start:] or a[start:] == b[start + 1 :]
