"""The texts and names of a JSON tree in document order, each with what its place says of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from attraj.pointer import escape
from attraj.secrets.names import Names


class Leaf(NamedTuple):
    """One text.

    Attributes:
        pointer: Of the text, or of the member whose name it is.
        text: The text; a number as Python writes it.
        key: The name that says what it is: of its member, of the list that it is in, or the one written beside it.
        is_key: It is the name of a member.
        is_exposed: It is the result of something that reads secrets.
        is_number: It is a number.
    """

    pointer: str
    text: str
    key: str
    is_key: bool = False
    is_exposed: bool = False
    is_number: bool = False


_NAMING = ("name", "key", "header", "variable", "Name", "Key", "field", "env", "header_name", "id")
_VALUES = frozenset({"value", "val", "Value", "content", "default", "current", "data", "string", "text", "raw"})
_WAY = tuple[Any, str]  # the parent's way, and the last token


def leaves_of(tree: Any, names: Names) -> Iterator[Leaf]:
    """Every text, name and number under a secret name, without recursion.

    Args:
        tree: A JSON tree; never modified.
        names: What says which names are secret.
    """
    exposing = _exposing_calls(tree)
    # (pointer, value, key, is_exposed)
    stack: list[tuple[str, Any, str, bool]] = [("", tree, "", False)]
    while stack:
        at, value, key, is_exposed = stack.pop()
        kind = type(value)
        if kind is str:
            yield Leaf(at, value, key, is_exposed=is_exposed)
        elif kind is dict:
            beside = _said_beside(value, names)
            is_exposed = is_exposed or _is_result(value, exposing)
            shows = _shows_secrets(value)
            members: list[tuple[str, Any, str, bool]] = []
            for name, item in value.items():
                pointer = f"{at}/{escape(name)}"
                yield Leaf(pointer, name, "", is_key=True)
                inherits = name in _VALUES and names.meaning(name) is None
                own = (beside or key) if inherits else name
                members.append((pointer, item, own, is_exposed or (shows and name in _OUTPUTS)))
            stack.extend(reversed(members))
        elif kind is list:
            pair = _pair(value, names)
            if pair:
                stack.append((f"{at}/1", value[1], pair, is_exposed))
                stack.append((f"{at}/0", value[0], "", is_exposed))
            else:
                stack.extend((f"{at}/{n}", value[n], key, is_exposed) for n in range(len(value) - 1, -1, -1))
        elif kind in (int, float) and key and names.meaning(key) is not None:
            yield Leaf(at, repr(value), key, is_number=True)


def _said_beside(value: dict[str, Any], names: Names) -> str:
    """{"name": "API_KEY", "value": …}: the name that another member says."""
    if _VALUES.isdisjoint(value):
        return ""
    for naming in _NAMING:
        said = value.get(naming)
        if type(said) is str and names.meaning(said) is not None:
            return said
    return ""


def _pair(value: list[Any], names: Names) -> str:
    """["Authorization", "Bearer …"]: a header as an array."""
    if len(value) != 2 or type(value[0]) is not str or type(value[1]) is not str:
        return ""
    return value[0] if names.meaning(value[0]) is not None else ""


# --- results of what reads secrets -------------------------------------------------------------------------------------

# What prints secrets by its nature: environments, and the files that hold nothing else.
_READS = re.compile(
    r"(?:^|[\s;&|(\"'`])(?:printenv|env(?:\s*$|\s*[|;&\n\"'])|set\s*[|]\s*|export -p|declare -x|docker inspect|kubectl get secrets?"
    r"|kubectl config view|aws configure (?:get|export)|gcloud auth print|gh auth token|heroku config|vault (?:kv get|read)|pass show"
    r"|op (?:read|item get)|security find-\w+-password|os\.environ\b|process\.env\b)"
    r"|\.env(?:\.[a-z]+)?(?:$|[\s\"'`;|&)])|\.pem\b|\.p12\b|id_(?:rsa|ed25519|ecdsa|dsa)\b|\.ssh/|\.aws/credentials|\.netrc\b|\.pgpass\b|\.npmrc\b|\.pypirc\b"
    r"|\.docker/config\.json|\.kube/config|\.git-credentials\b|/proc/[0-9a-z]+/environ|\.my\.cnf\b|/etc/shadow|credentials\.json|secrets?\.(?:ya?ml|json|toml|env)|\.vault-token|\.htpasswd"
)
_CALL_IDS = ("tool_call_id", "id", "call_id", "tool_use_id")
_RESULT_IDS = ("source_call_id", "tool_call_id", "call_id", "tool_use_id")
_ARGUMENTS = ("arguments", "input", "function", "action", "command", "args", "parameters", "cmd")
_OUTPUTS = frozenset({"observation", "output", "result", "stdout", "stderr", "content", "results", "response_text"})
_MAX_TEXT = 20_000  # characters of arguments that are looked at: a file that is written is no command


def _exposing_calls(tree: Any) -> frozenset[str]:
    """The ids of the calls that read secrets."""
    found: set[str] = set()
    stack = [tree]
    while stack:
        value = stack.pop()
        if type(value) is dict:
            ids = [value[name] for name in _CALL_IDS if type(value.get(name)) is str]
            if ids and _shows_secrets(value):
                found.update(ids)
            stack.extend(item for item in value.values() if type(item) in (dict, list))
        elif type(value) is list:
            stack.extend(item for item in value if type(item) in (dict, list))
    return frozenset(found)


def _shows_secrets(value: dict[str, Any]) -> bool:
    return any(_reads(value[name]) for name in _ARGUMENTS if name in value)


def _reads(value: Any) -> bool:
    if type(value) is str:
        return len(value) <= _MAX_TEXT and _READS.search(value) is not None
    if type(value) is dict:
        inner = value.get("arguments", value)
        if type(inner) is str:
            return _reads(inner)
        return type(inner) is dict and any(type(item) is str and _reads(item) for item in inner.values())
    return False


def _is_result(value: dict[str, Any], exposing: frozenset[str]) -> bool:
    if not exposing or not any(name in value for name in _OUTPUTS):
        return False
    if any(name in value for name in ("arguments", "function", "input")):
        return False
    return any(type(value.get(name)) is str and value[name] in exposing for name in _RESULT_IDS)
