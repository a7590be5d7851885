"""The texts and names of a JSON tree in document order, each with what its place says of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

from attraj.pointer import escape
from attraj.secrets.engine import engine_of
from attraj.secrets.names import Names

Way = tuple[Any, "str | int"] | None  # the parent's way, and the last token; None for the whole document


# A text: the way and the token that lead to it, the text (a number as Python writes it), the secret name that says
# what it is ("" for none: of its member, of the list that it is in, or the one written beside it), whether it is the
# name of a member, whether it is the result of something that reads secrets, whether it is a number. A tuple, because
# a document has hundreds of thousands.
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
_VALUES = frozenset({"value", "val", "Value", "default", "current", "text", "keys"})
# What a browser tool types into: {"element": "Password field", "text": …}, {"selector": "#password", "value": …}.
_TYPED_INTO = ("element", "selector", "label", "placeholder", "locator", "target", "field")
_is_for_a_password = re.compile("passw|passcode|passphrase", re.IGNORECASE).search
_MAX_NAME = 200  # characters: a longer text is no name of a field


def leaves_of(tree: Any, names: Names, *, with_names: bool = False) -> tuple[list[Leaf], dict[str, None]]:
    """Every text in document order, and every number under a secret name; without recursion.

    Args:
        tree: A JSON tree; never modified.
        names: What says which names are secret.
        with_names: The names of members are texts as well, each before its value.

    Returns:
        The texts, and the distinct names of members in order of appearance.
    """
    if type(tree) is not dict and type(tree) is not list:
        return [(None, "", tree, "", False, False, False)] if type(tree) is str else [], {}
    walk = _Walk(names, with_names)
    walk.through(tree)
    return walk.exposed(), dict.fromkeys(walk.names)


class _Open(NamedTuple):
    """A container that is being walked.

    Attributes:
        items: The tokens and values that are left of it.
        way: Leads to it.
        key: The secret name that its items inherit.
        is_exposed: All its texts are the result of something that reads secrets.
        shows: Those under the name of an output are.
        answers: The ids of the calls that it may be a result of.
        first: How many texts were met before it.
    """

    items: Iterator[tuple[Any, Any]]
    way: Way
    key: str
    is_exposed: bool
    shows: bool
    answers: tuple[str, ...]
    first: int


class _Walk:
    """One pass over a tree, in document order."""

    def __init__(self, names: Names, with_names: bool) -> None:
        self.leaves: list[Leaf] = []
        # Name of a member to itself when it is secret, to "*" when it may stand beside one, else to "".
        self.names: dict[str, str] = {}
        self._said = names
        self._with_names = with_names
        self._stack: list[_Open] = []
        self._exposing: set[str] = set()
        self._results: list[tuple[tuple[str, ...], int, int]] = []

    def through(self, tree: Any) -> None:
        leaves, names, stack, with_names = self.leaves, self.names, self._stack, self._with_names
        add = leaves.append
        self._open(tree, None, "", False)
        while stack:
            items, way, inherited, is_exposed, shows, _, _ = stack[-1]
            for token, value in items:
                key, exposed = inherited, is_exposed
                if type(token) is str:
                    said = names.get(token)
                    if said is None:
                        said = names[token] = self._says(token)
                    if with_names:
                        add((way, token, token, "", True, False, False))
                    if said != "*":
                        key = said or (self._owned(way, token) if token == "key" else "")
                    if shows and token in _OUTPUTS:
                        exposed = True
                kind = type(value)
                if kind is str:
                    add((way, token, value, key, False, exposed, False))
                elif kind is dict or kind is list:
                    if value:
                        self._open(value, (way, token), key, exposed)
                        break
                elif key and (kind is int or kind is float):
                    add((way, token, repr(value), key, False, False, True))
            else:
                done = stack.pop()
                if done.answers:
                    self._results.append((done.answers, done.first, len(leaves)))

    def exposed(self) -> list[Leaf]:
        """The texts; those that answer a call that reads secrets are exposed, wherever the call stands."""
        for answers, first, last in self._results if self._exposing else ():
            if not self._exposing.isdisjoint(answers):
                for at in range(first, last):
                    way, token, text, key, is_key, _, is_number = self.leaves[at]
                    self.leaves[at] = (way, token, text, key, is_key, not is_key, is_number)
        return self.leaves

    def _says(self, name: str) -> str:
        return name if self._said.meaning(name) is not None else "*" if name in _VALUES else ""

    def _owned(self, way: Way, token: str) -> str:
        """{"openai": {"key": …}}: what it is the key of says whether it is a secret."""
        name = f"{way[1]}_{token}" if way is not None and type(way[1]) is str else ""
        return name if name and self._said.meaning(name) is not None else ""

    def _open(self, value: Any, way: Way, key: str, is_exposed: bool) -> None:
        if type(value) is dict:
            shows = _shows_secrets(value)
            if shows:
                self._exposing.update(value[name] for name in _CALL_IDS if type(value.get(name)) is str)
            answers = () if _OUTPUTS.isdisjoint(value) else _answers(value)
            inherited = _said_beside(value, self._said) or key
            items: Iterator[tuple[Any, Any]] = iter(value.items())
        else:
            shows, answers = False, ()
            pair = _pair(value, self._said)
            inherited = pair or key
            items = iter(((0, value[0]), (1, value[1]))) if pair else iter(enumerate(value))
        self._stack.append(_Open(items, way, inherited, is_exposed, shows, answers, len(self.leaves)))


def _said_beside(value: dict[str, Any], names: Names) -> str:
    """{"name": "API_KEY", "value": …}: the name that another member says."""
    if _VALUES.isdisjoint(value):
        return ""
    for naming in _NAMING:
        said = value.get(naming)
        if type(said) is str and names.meaning(said) is not None:
            return said
    for target in _TYPED_INTO:
        said = value.get(target)
        if type(said) is str and len(said) <= _MAX_NAME and _is_for_a_password(said):
            return "password"
    return ""


def _pair(value: list[Any], names: Names) -> str:
    """["Authorization", "Bearer …"]: a header as an array."""
    if len(value) != 2 or type(value[0]) is not str or type(value[1]) is not str:
        return ""
    return value[0] if names.meaning(value[0]) is not None else ""


# --- results of what reads secrets -----------------------------------------------------------------------------------

# What prints secrets by its nature: environments, and the files that hold nothing else.
_READS = re.compile(
    r"(?:^|[\s;&|(\"'`])(?:printenv|env(?:\s*$|\s*[|;&\n\"'])|set {0,2}[|]|export -p|declare -x"
    r"|docker inspect|kubectl get secrets?|kubectl config view|aws configure (?:get|export)"
    r"|gcloud auth print|gh auth token|heroku config|vault (?:kv get|read)|pass show|op (?:read|item get)"
    r"|security find-\w+-password|os\.environ\b|process\.env\b)"
    r"|\.env(?:\.[a-z]+)?(?:$|[\s\"'`;|&)])|\.pem\b|\.p12\b|id_(?:rsa|ed25519|ecdsa|dsa)\b|\.ssh/|\.aws/credentials|\.netrc\b|\.pgpass\b|\.npmrc\b|\.pypirc\b"
    r"|\.docker/config\.json|\.kube/config|\.git-credentials\b|/proc/[0-9a-z]+/environ|\.my\.cnf\b|/etc/shadow|credentials\.json|secrets?\.(?:ya?ml|json|toml|env)|\.vault-token|\.htpasswd"
)
# One of these stands in whatever the pattern finds; most commands have none of them.
_READ = (
    "env", "set|", "set |", "set  |", "export -p", "declare -x", "docker inspect", "kubectl ", "aws configure",
    "gcloud auth", "gh auth", "heroku ", "vault", "pass show", "op read", "op item", "security find-", ".pem", ".p12",
    "id_rsa", "id_ed25519", "id_ecdsa", "id_dsa", ".ssh/", ".aws/", ".netrc", ".pgpass", ".npmrc", ".pypirc",
    ".docker/", ".git-cred", ".my.cnf", "/etc/shadow", "credentials.json", "secret", ".htpasswd", ".kube/",
)  # fmt: skip
_CALL_IDS = ("tool_call_id", "id", "call_id", "tool_use_id")
_RESULT_IDS = ("source_call_id", "tool_call_id", "call_id", "tool_use_id")
_ARGUMENTS = ("arguments", "input", "function", "action", "command", "args", "parameters", "cmd")
_ARGUMENTS_SET = frozenset(_ARGUMENTS)
_CALLS = frozenset({"arguments", "function", "input"})
_OUTPUTS = frozenset({"observation", "output", "result", "stdout", "stderr", "content", "results", "response_text"})
_MAX_TEXT = 20_000  # characters of arguments that are looked at: a file that is written is no command


@cache
def _may_read() -> Callable[[str], list[Any]]:
    return engine_of(_READ).hits


def _shows_secrets(value: dict[str, Any]) -> bool:
    if _ARGUMENTS_SET.isdisjoint(value):
        return False
    return any(_reads(value[name]) for name in _ARGUMENTS if name in value)


def _reads(value: Any) -> bool:
    if type(value) is str:
        return len(value) <= _MAX_TEXT and _may_read()(value) != [] and _READS.search(value) is not None
    if type(value) is dict:
        inner = value.get("arguments", value)
        if type(inner) is str:
            return _reads(inner)
        return type(inner) is dict and any(type(item) is str and _reads(item) for item in inner.values())
    return False


def _answers(value: dict[str, Any]) -> tuple[str, ...]:
    """The ids of the calls that a result names; () for a call itself."""
    if not _CALLS.isdisjoint(value):
        return ()
    return tuple([value[name] for name in _RESULT_IDS if type(value.get(name)) is str])
