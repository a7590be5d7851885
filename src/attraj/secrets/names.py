"""What the name of a member, a variable, a header or an option says of its value: by whole words, never by parts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from attraj.secrets.rules import Loaded, NameClass

_SPLIT = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+|[^\x00-\x7f]+")
_MAX_CHARS = 96  # a longer one is a text


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a name says: the type of its value, what the value has to look like, and the rule that says so."""

    type: str
    value: str
    rule: str


def words_of(name: str) -> list[str]:
    """The words of a name in snake, kebab, camel or dotted case, in lower case."""
    return [word.lower() for word in _SPLIT.findall(name[:_MAX_CHARS])]


class Names:
    """The name classes of the packs. Keeps what it has decided: the same few names come again and again."""

    def __init__(self, packs: Sequence[Loaded], without: frozenset[str] = frozenset()) -> None:
        self._classes = [c for p in packs for c in p.names if _rule_id(c) not in without]
        self._vendors = frozenset(word for pack in packs for word in pack.words.get("vendors", ()))
        self._plain_keys = frozenset(word for pack in packs for word in pack.words.get("plain_keys", ()))
        stems = [word for pack in packs for word in pack.words.get("stems", ())]
        plain = [word for pack in packs for word in pack.words.get("stems_as_they_are", ())]
        cased = [form for stem in stems for form in (stem, stem.capitalize(), stem.upper())]
        self._literals = tuple(dict.fromkeys([*cased, *plain]))
        # Most names hold none of the words that any class knows.
        self._telling = frozenset(
            word
            for one in self._classes
            for group in (one.words, one.exact, *one.phrases, ("".join(phrase) for phrase in one.phrases))
            for word in group
        ) | {"key"}
        self._known: dict[str, Meaning | None] = {}

    def meaning(self, name: str) -> Meaning | None:
        """What the name says of its value; None when it says nothing."""
        if name in self._known:
            return self._known[name]
        found = self._decide(name) if 2 <= len(name) <= _MAX_CHARS else None
        if len(self._known) < 100_000:  # a document may have as many names as texts
            self._known[name] = found
        return found

    def _decide(self, name: str) -> Meaning | None:
        words = words_of(name)
        if not words or len(words) > 12:
            return None
        if words[:2] == ["new", "relic"]:  # a vendor, whose name begins with a word that names no token
            words[:2] = ["newrelic"]
        joined = "".join(words)
        if self._telling.isdisjoint(words) and joined not in self._telling and name not in self._telling:
            return None
        for one in self._classes:
            if name in one.exact:
                return Meaning(one.type, one.value, _rule_id(one))
            matched = _matched(one, words, joined)
            if (
                matched
                and one.not_before.isdisjoint(words[: matched[0]])
                and one.not_after.isdisjoint(words[matched[1] :])
            ):
                return Meaning(one.type, one.value, _rule_id(one))
        return self._vendor_key(name, words)

    def _vendor_key(self, name: str, words: list[str]) -> Meaning | None:
        """`stripe_key`, `DD_KEY`, and any environment variable that ends in _KEY, but not `cache_key`."""
        numberless = [word for word in words if not word.isdigit()]
        if len(numberless) < 2 or numberless[-1] != "key" or self._plain_keys.intersection(numberless[:-1]):
            return None
        if self._vendors.intersection(numberless[:-1]) or (name.isupper() and "_" in name):
            return Meaning("API_TOKEN", "token", "name-api-token")
        return None

    def literals(self) -> tuple[str, ...]:
        """What is searched for in a text: parts of names, in the three cases in which names are written."""
        return self._literals


def _rule_id(one: NameClass) -> str:
    return f"name-{one.type.lower().replace('_', '-')}"


def _matched(one: NameClass, words: list[str], joined: str) -> tuple[int, int] | None:
    """Which of the words of a name are those of a class: the first and the one behind the last."""
    for phrase in one.phrases:
        for at in range(len(words) - len(phrase) + 1):
            if tuple(words[at : at + len(phrase)]) == phrase:
                return at, at + len(phrase)
        if joined == "".join(phrase):
            return 0, len(words)
    for at in range(len(words) - 1, -1, -1):
        if words[at] in one.words:
            return at, at + 1
    return (0, len(words)) if joined in one.words else None
