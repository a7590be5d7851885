"""The texts and names of a JSON tree in document order, each with what its place says of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from attraj.pointer import escape
from attraj.secrets.names import Names


Way = tuple[Any, "str | int"] | None  # the parent's way, and the last token; None for the whole document


# A text: the way and the token that lead to it, the text (a number as Python writes it), the secret name that says what
# it is ("" for none: of its member, of the list that it is in, or the one written beside it), whether it is the name of a
# member, whether it is the result of something that reads secrets, whether it is a number. A tuple, because a document
# has hundreds of thousands.
Leaf = tuple[Way, "str | int", str, str, bool, bool, bool]


def pointer_of(way: Way, token: str | int) -> str:
    """The RFC 6901 pointer of a text; a text that is the whole document has no way and the token ""."""
    if way is None and token == "":
        return ""
    tokens = [escape(str(token))]
    while way is not None:
        way, token = way
        tokens.append(escape(str(token)))
    return "".join("/" + token for token in reversed(tokens))


_NAMING = ("name", "key", "header", "variable", "Name", "Key", "field", "env", "header_name", "id")
_VALUES = frozenset({"value", "val", "Value", "default", "current"})


def leaves_of(tree: Any, names: Names, *, with_names: bool = False) -> tuple[list[Leaf], dict[str, None]]:
    """Every text in document order, and every number under a secret name; without recursion.

    Args:
        tree: A JSON tree; never modified.
        names: What says which names are secret.
        with_names: The names of members are texts as well, each before its value.

    Returns:
        The texts, and the distinct names of members in order of appearance.
    """
    if type(tree) is str:
        return [(None, "", tree, "", False, False, False)], {}
    exposing = _exposing_calls(tree)
    leaves: list[Leaf] = []
    seen: dict[str, str] = {}  # name of a member to itself when it is secret, "*" when it may stand beside one, else ""
    add = leaves.append
    stack: list[_Open] = []
    _open(stack, tree, None, "", False, exposing, names)
    while stack:
        items, way, inherited, is_exposed, shows = stack[-1]
        for token, value in items:
            key, exposed = inherited, is_exposed
            if type(token) is str:
                said = seen.get(token)
                if said is None:
                    said = token if names.meaning(token) is not None else "*" if token in _VALUES else ""
                    seen[token] = said
                if with_names:
                    add((way, token, token, "", True, False, False))
                if said != "*":
                    key = said
                if shows and token in _OUTPUTS:
                    exposed = True
            kind = type(value)
            if kind is str:
                add((way, token, value, key, False, exposed, False))
            elif kind is dict or kind is list:
                if value:
                    _open(stack, value, (way, token), key, exposed, exposing, names)
                    break
            elif key and (kind is int or kind is float):
                add((way, token, repr(value), key, False, False, True))
        else:
            stack.pop()
    return leaves, dict.fromkeys(seen)


# What is open: the tokens and values that are left of it, its way, the name that its items inherit, whether its texts are
# exposed, and whether those under the name of an output are.
_Open = tuple["Iterator[tuple[Any, Any]]", Way, str, bool, bool]


def _open(
    stack: list[_Open], value: Any, way: Way, key: str, is_exposed: bool, exposing: frozenset[str], names: Names
) -> None:
    if type(value) is dict:
        beside = _said_beside(value, names)
        is_exposed = is_exposed or (bool(exposing) and _is_result(value, exposing))
        stack.append((iter(value.items()), way, beside or key, is_exposed, _shows_secrets(value)))
    elif type(value) is list:
        pair = _pair(value, names)
        stack.append(
            (iter([(0, value[0]), (1, value[1])] if pair else enumerate(value)), way, pair or key, is_exposed, False)
        )


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
_ARGUMENTS_SET = frozenset(_ARGUMENTS)
_OUTPUTS = frozenset({"observation", "output", "result", "stdout", "stderr", "content", "results", "response_text"})
_MAX_TEXT = 20_000  # characters of arguments that are looked at: a file that is written is no command


def _exposing_calls(tree: Any) -> frozenset[str]:
    """The ids of the calls that read secrets."""
    found: set[str] = set()
    stack = [tree]
    while stack:
        value = stack.pop()
        if type(value) is dict:
            if _shows_secrets(value):
                found.update(value[name] for name in _CALL_IDS if type(value.get(name)) is str)
            stack.extend(item for item in value.values() if type(item) in (dict, list))
        elif type(value) is list:
            stack.extend(item for item in value if type(item) in (dict, list))
    return frozenset(found)


def _shows_secrets(value: dict[str, Any]) -> bool:
    if _ARGUMENTS_SET.isdisjoint(value):
        return False
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
    if not exposing or _OUTPUTS.isdisjoint(value):
        return False
    if any(name in value for name in ("arguments", "function", "input")):
        return False
    return any(type(value.get(name)) is str and value[name] in exposing for name in _RESULT_IDS)
