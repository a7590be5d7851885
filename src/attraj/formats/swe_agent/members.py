"""Members and types by the table of `shape.py`: unknown ones, wrong types, missing ones."""

from __future__ import annotations

from typing import Any

from attraj.findings import Severity
from attraj.formats.found import Found
from attraj.formats.swe_agent.codes import (
    BAD_CALL,
    BAD_STEP_TEXT,
    IMPOSSIBLE_NUMBER,
    MISSING_MEMBER,
    NUMBER,
    SUGGESTED_MEMBER,
    UNKNOWN_MEMBER,
    WRONG_TYPE,
)
from attraj.formats.swe_agent.shape import ALIAS, OBJECTS, OWN, STEP_TEXTS, SUGGESTED, TITLES
from attraj.formats.swe_agent.values import Json, items
from attraj.pointer import escape

_INFINITY = float("inf")
_NAMES = {str: "a string", int: "an integer", float: "a number", bool: "a boolean", dict: "an object", list: "an array"}
_MEMBER_TYPES = {kind: {name: member.types for name, member in of.items()} for kind, of in OBJECTS.items()}
_ELSEWHERE = frozenset({("info", "exit_status"), ("file", "trajectory")})  # told with rules of their own
_REQUIRED = {
    "item": ("role", "content"),
    "call": ("function",),
    "function": ("name", "arguments"),
    "part": ("type",),
}


def check_members(found: Found, kind: str, record: Json, at: str) -> None:
    """Unknown members and wrong types of one object; nothing inside it."""
    types = _MEMBER_TYPES[kind]
    for name, value in record.items():
        expected = types.get(name)
        if expected is None and name == OWN and kind in ("info", "step", "item"):
            continue
        if expected is None:
            _unknown(found, kind, name, at)
        elif type(value) not in expected:
            _wrong(found, kind, name, value, at)
    for name in _REQUIRED.get(kind, ()):
        if name not in record:
            found.add(MISSING_MEMBER, at, f"{_a(kind)} has no `{name}`")


def check_item(found: Found, item: Any, at: str) -> None:
    """A message of the history or of a model input, with its parts and its tool calls."""
    if type(item) is not dict:
        found.add(WRONG_TYPE, at, f"a message is an object, not {name_of(item)}")
        return
    check_members(found, "item", item, at)
    if type(item.get("content")) is list:
        for index, part in enumerate(item["content"]):
            _inner(found, "part", part, f"{at}/content/{index}")
    for index, call in enumerate(items(item.get("tool_calls"))):
        place = f"{at}/tool_calls/{index}"
        _inner(found, "call", call, place)
        if type(call) is dict and type(call.get("function")) is dict:
            _inner(found, "function", call["function"], f"{place}/function")


def check_statistics(found: Found, info: Json, at: str) -> None:
    """`info` and the counters in it."""
    check_members(found, "info", info, at)
    for name in ("model_stats", "rloop_model_stats"):
        if type(info.get(name)) is dict:
            check_members(found, "model_stats", info[name], f"{at}/{name}")
    summarizer = info.get("summarizer")
    if type(summarizer) is dict:
        check_members(found, "summarizer", summarizer, f"{at}/summarizer")
        if type(summarizer.get("model_stats")) is dict:
            check_members(found, "model_stats", summarizer["model_stats"], f"{at}/summarizer/model_stats")


def check_number(found: Found, value: Any, at: str, message: str) -> None:
    """A measured number: finite, and not less than nothing. Anything but a number is told elsewhere."""
    if type(value) is float and not -_INFINITY < value < _INFINITY:
        # Fast parsers read a number beyond the doubles as infinite, and say nothing.
        hint = "write the number that was measured"
        found.add(NUMBER, at, "the number is too large for a double", hint, Severity.ERROR)
    elif (type(value) is int or type(value) is float) and value < 0:
        found.add(IMPOSSIBLE_NUMBER, at, message)


def name_of(value: Any) -> str:
    """The JSON type of a value, for a message."""
    return "null" if value is None else _NAMES[type(value)]


def _inner(found: Found, kind: str, value: Any, at: str) -> None:
    if type(value) is dict:
        check_members(found, kind, value, at)
    else:
        found.add(WRONG_TYPE, at, f"{_a(kind)} is an object, not {name_of(value)}")


def _a(kind: str) -> str:
    title = TITLES[kind]
    return title if title.startswith("`") else f"a {title}"


def _wrong(found: Found, kind: str, name: str, value: Any, at: str) -> None:
    if (kind, name) in _ELSEWHERE:
        return
    rule = WRONG_TYPE
    if kind == "step" and name in STEP_TEXTS:
        rule = BAD_STEP_TEXT
    elif kind == "function" and name == "arguments":
        rule = BAD_CALL
    taken = OBJECTS[kind][name].types
    expected = [words for t, words in _NAMES.items() if t in taken and (t is not int or float not in taken)]
    found.add(rule, f"{at}/{name}", f"`{name}` is {name_of(value)}; expected {' or '.join(expected)}")


def _unknown(found: Found, kind: str, name: str, at: str) -> None:
    place = f"{at}/{escape(name)}"
    if kind == "step" and name == ALIAS:
        message = "steps have a member `message`, which no SWE-agent writes: it is read like `messages`"
        hint = "write `query` (1.1: the input of this step) or `messages` (1.0: the input of the next one)"
        found.tally(f"unknown {kind} {name}", UNKNOWN_MEMBER, place, message, hint)
    elif name in SUGGESTED.get(kind, ()):
        message = f"{_a(kind)} has members that SWE-agent does not write: where they come from is not known"
        hint = "they are read where they are right in type; SWE-agent's own tools ignore them"
        found.tally(f"foreign {kind}", SUGGESTED_MEMBER, place, message, hint)
    else:
        message = f"{_a(kind)} has a member that no SWE-agent writes"
        found.tally(f"unknown {kind} {name}", UNKNOWN_MEMBER, place, message, _nearest(kind, name))


def _nearest(kind: str, name: str) -> str:
    from difflib import get_close_matches  # only where there is something unknown

    near = get_close_matches(name[:64].lower(), list(OBJECTS[kind]), n=1, cutoff=0.75)
    return f"did you mean `{near[0]}`?" if near else f"known members: {', '.join(OBJECTS[kind])}"
