"""MJ101, MJ107 to MJ111: members and their types, message by message."""

from __future__ import annotations

from math import isfinite
from typing import Any

from attraj.findings import Severity
from attraj.formats.found import NAMES, Found
from attraj.formats.mini_swe_agent.codes import (
    BARE_LIST,
    MISSING_MEMBER,
    MIXED_VERSIONS,
    UNKNOWN_FORMAT,
    UNKNOWN_ROLE,
    UNSAFE_NUMBER,
    WRONG_TYPE,
)
from attraj.formats.mini_swe_agent.shape import FORMATS, ITEMS, OBJECTS, ROLES, TITLES
from attraj.formats.mini_swe_agent.turns import kind_of
from attraj.formats.mini_swe_agent.version import Version

Json = dict[str, Any]

_OF_A_KIND = frozenset({"assistant", "tool", "response", "function_call_output"})  # messages with members of their own

# Kind of object to the types of its members and the names that it must have, for the loop over large documents.
_TABLE = {
    kind: (
        {name: member.types for name, member in members.items()},
        tuple(name for name, member in members.items() if member.is_required),
    )
    for kind, members in OBJECTS.items()
}


def look_at_document(found: Found, tree: Any, version: Version) -> None:
    """Check what stands around the messages."""
    if type(tree) is list:
        message = "a bare list of messages: how the run ended, what it cost and which version wrote it are not recorded"
        found.add(BARE_LIST, "", message, "keep the whole file that mini-swe-agent writes, with its `info`")
        return
    _members(found, "document", tree, "")
    name = tree.get("trajectory_format")
    if type(name) is str and name not in FORMATS:
        hint = f"it is read as {FORMATS[-1]}; mini-swe-agent itself writes {' and '.join(FORMATS)}"
        found.add(UNKNOWN_FORMAT, "/trajectory_format", "not a format that mini-swe-agent itself writes", hint)
    if version.is_mixed:
        message = f"the document says {FORMATS[0]}, and its messages have the form of {FORMATS[1]}"
        found.add(MIXED_VERSIONS, "/trajectory_format", message, "write the version whose messages the document has")
    info = tree.get("info")
    if type(info) is dict:
        _members(found, "info", info, "/info")
        stats = info.get("model_stats")
        if type(stats) is dict:
            _members(found, "stats", stats, "/info/model_stats")


def look_at_messages(found: Found, messages: list[Any], at: str) -> None:
    """Check every message for itself; `at` is the pointer of their array."""
    for position, message in enumerate(messages):
        place = f"{at}/{position}"
        if type(message) is not dict:
            found.add(WRONG_TYPE, place, f"expected an object as a message, got {NAMES[type(message)]}")
            continue
        _members(found, "message", message, place)
        kind = kind_of(message)
        if kind in _OF_A_KIND:
            _members(found, kind, message, place)
        _kind(found, kind, message, place)
        if type(message.get("content")) is list:
            _objects(found, message["content"], f"{place}/content", "a part of the content")
        if type(message.get("extra")) is dict:
            _extra(found, message["extra"], f"{place}/extra")


def _kind(found: Found, kind: str, message: Json, at: str) -> None:
    if not kind:
        hint = "a message has a role, an item of the Responses API a type or an object"
        found.add(MISSING_MEMBER, at, "the message has no role", hint)
        return
    if kind in ROLES:
        has_calls = kind == "assistant" and bool(message.get("tool_calls"))
        if "content" not in message and not has_calls:
            found.add(MISSING_MEMBER, at, "the message has no `content`")
        if kind == "assistant" and type(message.get("tool_calls")) is list:
            _objects(found, message["tool_calls"], f"{at}/tool_calls", "a tool call", "call")
    elif kind == "response":
        if type(message.get("output")) is list:
            _outputs(found, message["output"], f"{at}/output")
    elif kind not in ITEMS:
        hint = f"the roles are {', '.join(sorted(ROLES))}"
        message_ = "nobody can tell who speaks: the role, type or object of the message is not a known word"
        found.tally("role", UNKNOWN_ROLE, at, message_, hint)


def _outputs(found: Found, items: list[Any], at: str) -> None:
    _objects(found, items, at, "an item of the response")
    for index, item in enumerate(items):
        if type(item) is dict and item.get("type") == "function_call":
            _members(found, "function_call", item, f"{at}/{index}")


def _extra(found: Found, extra: Json, at: str) -> None:
    _members(found, "extra", extra, at)
    if type(extra.get("actions")) is list:
        _objects(found, extra["actions"], f"{at}/actions", "an action", "action")


def _objects(found: Found, items: list[Any], at: str, what: str, kind: str = "") -> None:
    """Every element is an object, and one of a kind if a kind is given."""
    for index, item in enumerate(items):
        if type(item) is not dict:
            found.add(WRONG_TYPE, f"{at}/{index}", f"expected an object as {what}, got {NAMES[type(item)]}")
        elif kind:
            _members(found, kind, item, f"{at}/{index}")


def _members(found: Found, kind: str, record: Json, at: str) -> None:
    types, required = _TABLE[kind]
    for name, value in record.items():
        if name in types and (type(value) not in types[name] or (type(value) is float and not isfinite(value))):
            _wrong(found, kind, name, value, f"{at}/{name}")
    for name in required:
        if name not in record:
            found.add(MISSING_MEMBER, at, f"{TITLES[kind]} has no `{name}`")


def _wrong(found: Found, kind: str, name: str, value: Any, at: str) -> None:
    types = OBJECTS[kind][name].types
    if type(value) in types:
        # Fast parsers read a number beyond the doubles as infinite, and say nothing.
        hint = "write it as it was measured, or leave it out"
        found.add(UNSAFE_NUMBER, at, "the number is too large for a double", hint, Severity.ERROR)
        return
    wanted = " or ".join(dict.fromkeys(NAMES[t] for t in (dict, list, str, int, float) if t in types))
    if int in types and float not in types:
        wanted = wanted.replace("a number", "an integer")
    found.add(WRONG_TYPE, at, f"expected {wanted}, got {NAMES[type(value)]}")
