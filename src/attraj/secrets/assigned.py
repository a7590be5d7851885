"""Values beside a name, in text: `NAME=value`, `"name": "value"`, `--name value`, `<name>value</name>`, in prose.

A name is found by its stem, its whole identifier is read around it, and `names.py` says what it means; then the value
is judged by what it would have to look like. No entropy finds anything here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from attraj.secrets import ties
from attraj.secrets.names import Meaning, Names, words_of
from attraj.secrets.values import (
    entropy,
    is_code,
    is_generated,
    is_mixed,
    is_mnemonic,
    is_noise,
    is_password,
    is_placeholder,
    is_quoted_password,
    is_scrambled,
    is_strong_password,
    is_token,
    is_wordy,
)


class Value(NamedTuple):
    """A value that is what its name says. Offsets are in the text or value that was asked about."""

    start: int
    end: int
    type: str
    rule: str


class Assigned:
    """Finds values by the names beside them."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._skip = 0

    def find(self, text: str, stems: Iterable[int], *, is_exposed: bool = False) -> Iterator[Value]:
        """The values in a text.

        Args:
            text: A text or a view of one.
            stems: Where a stem of a name begins, ascending.
            is_exposed: The text is the output of something that reads secrets: every value under such a name counts.
        """
        done = -1
        self._skip = 0
        for at in stems:
            if at < done or at < self._skip:
                continue
            tie = ties.AFTER(text, at)
            if tie is None:
                continue
            kind = tie.lastgroup or ""
            start = at - 64 if at > 64 else 0
            start += len(text[start:at].rstrip(ties.NAME))
            name_end = tie.start(kind)
            name = text[start:name_end].strip(".-")
            meaning = self._names.meaning(name)
            if meaning is None and kind in ties.IN_WORDS:
                # "Secret Access Key: …": a name in words.
                meaning = self._in_words(text, start, name)
            if meaning is None and kind == "op" and name in ("key", "Key", "KEY"):
                owner = ties.OWNER(text, max(0, start - 80), start)
                meaning = self._names.meaning(f"{owner[1]}_key") if owner is not None else None
            if meaning is None:
                continue
            done = name_end
            value = self._value(text, start, text[start:name_end], kind, tie.end(), meaning, is_exposed)
            if value is not None:
                done = value.end
                yield value

    def _in_words(self, text: str, start: int, name: str) -> Meaning | None:
        """What a name says with the two words before it, or with the one."""
        words = ties.WORDS_BEFORE(text, max(0, start - 32), start)
        if words is None:
            return None
        _, _, last = words[0].rstrip().rpartition(" ")
        return self._names.meaning(words[0] + name) or self._names.meaning(f"{last} {name}")

    def _value(
        self, text: str, start: int, name: str, kind: str, at: int, meaning: Meaning, is_exposed: bool
    ) -> Value | None:
        if kind == "prose" and name.lower() == "pass" and text[at - 4 : at].strip().endswith("to"):
            return None  # "to pass to whoever asks": a verb
        if text[start - 1 : start] == ":" and ties.IN_A_RESOURCE_NAME(text, max(0, start - 140), start):
            return None
        if kind == "xml" and not ties.ELEMENT(text, max(0, start - 40), start):
            return None
        before = text[max(0, start - 40) : start]
        is_option = ties.OPTION(before + name) is not None if kind in ("space", "op") else False
        is_directive = kind == "space" and (ties.DIRECTIVE(before + name) is not None or self._is_setting(before, name))
        if kind == "comma" and not ties.OPENS(before):
            return None  # names in a list, not a name and its value
        is_keyword = kind == "space" and text[at : at + 1] in ("'", '"') and ties.KEYWORD(before + name) is not None
        if kind in ("block", "below") or (kind == "space" and text[at : at + 1] in ("`", "(")):
            apart = self._apart(text, at, before + name, kind, meaning)
            if apart is not None or kind == "block":
                return apart
        if kind in ("dash", "below") or (kind == "space" and not (is_option or is_directive or is_keyword)):
            return self._said(text, at, name, meaning)
        if kind in ("xml", "plist"):
            return self._xml(text, at, meaning)
        quoted = ties.QUOTED(text, at)
        if quoted is not None:
            return self._judged(
                quoted["v"], quoted.start("v"), meaning, is_quoted=True, is_sure=True, is_exposed=is_exposed
            )
        if kind in ("typed", "comma", "call", "fallback") or is_keyword:
            return None
        phrase = self._phrase(text, at, name, kind, meaning)
        if phrase is not None:
            return Value(at, at + len(phrase), meaning.type, meaning.rule)
        bare = ties.BARE(text, at)
        if bare is None:
            return None
        value = _trimmed(bare[0], is_query=kind != "op" or not name.isupper() or text[start - 1 : start] in ("?", "&"))
        if len(value) > ties.NO_VALUE:
            # So long a run without a blank, a quote or a separator is no value, nor are most of the names in it:
            # reading each of them to its end would take time in proportion to the square of the run.
            self._skip = at + ties.NO_VALUE // 2
        if bare.end() < len(text) and text[bare.end()] == "(":
            return None
        if is_option and value.isalpha() and value.islower() and ties.SAID_OF_IT(text, at + len(value)):
            return None
        is_line = ties.CONFIG_LINE(before + name) is not None
        is_env = kind == "op" and text[at - 1] == "=" and (name.isupper() or is_line)
        is_sure = is_env or is_option or is_directive or kind == "form" or (is_line and _has_sibling(text, start, at))
        return self._judged(value, at, meaning, is_quoted=False, is_sure=is_sure, is_exposed=is_exposed)

    def _apart(self, text: str, at: int, before: str, kind: str, meaning: Meaning) -> Value | None:
        """What stands by itself after a name: on the next line, in backticks, in parentheses."""
        if kind in ("block", "below"):
            line = ties.LINE(text, at)
            value = line[0].strip() if line is not None else ""
            is_other = value.endswith(":") or ties.SETS(value) is not None
            if is_other or (kind == "below" and (meaning.value == "password" or not ties.CONFIG_LINE(before))):
                return None  # an entry of what the name names
        else:
            marked = ties.MARKED(text, at)
            if marked is None:
                return None
            value, at = marked[marked.lastgroup or 0], at + 1
            if meaning.value == "password" and (is_wordy(value) or not is_mixed(value)):
                return None
            if meaning.value == "token" and not (is_generated(value) or is_scrambled(value)):
                return None
        is_loose = kind != "block"
        if is_loose and (ties.DIGESTS(value) and not before[before.rfind(" ") + 1 :].strip().isupper()):
            return None
        return self._judged(value, at, meaning, is_quoted=kind == "block", is_sure=kind != "space", is_exposed=False)

    def _is_setting(self, before: str, name: str) -> bool:
        """A line of a configuration that sets a password with a blank: `requirepass tide4711`."""
        return name in ties.DIRECTIVES and ties.CONFIG_LINE(before + name) is not None

    def _said(self, text: str, at: int, name: str, meaning: Meaning) -> Value | None:
        """ "The password tide4711": nothing ties them but a blank, so only what no word looks like counts."""
        bare = ties.BARE(text, at)
        value = _trimmed(bare[0]).rstrip(".") if bare is not None else ""
        if meaning.value != "password":
            is_key = name.lower() in ties.KEYS and 20 <= len(value) <= 200 and is_token(value) and is_mixed(value)
            is_made = is_key and value.isascii() and entropy(value) >= 3.2 and not ties.DIGESTS(value)
            is_made = is_made and (is_generated(value) or is_scrambled(value))
            return Value(at, at + len(value), meaning.type, meaning.rule) if is_made else None
        if name.lower() not in ties.SAID:
            return None
        is_made = 8 <= len(value) <= 64 and is_mixed(value) and not is_wordy(value) and is_strong_password(value)
        return Value(at, at + len(value), meaning.type, meaning.rule) if is_made and not _is_code_like(value) else None

    def _xml(self, text: str, at: int, meaning: Meaning) -> Value | None:
        end = text.find("<", at, at + 4096)
        if end < 0:
            return None
        return self._judged(text[at:end], at, meaning, is_quoted=True, is_sure=True, is_exposed=False)

    def _phrase(self, text: str, at: int, name: str, kind: str, meaning: Meaning) -> str | None:
        """A pass phrase of several words, which only such a name allows."""
        grouped = ties.GROUPED(text, at) if meaning.value == "password" and kind == "op" else None
        if grouped is not None:
            return grouped[0]
        groups = ties.DIGITS(text, at) if meaning.type == "ID_NUMBER" and kind in ("op", "prose") else None
        if groups is not None and _is_number(groups[0], meaning.type):
            return groups[0]
        words = words_of(name)
        if not {"phrase", "passphrase", "mnemonic", "seed"}.intersection(words) or kind not in (
            "op",
            "prose",
            "chinese",
        ):
            return None
        line = ties.LINE(text, at)
        value = line[0].strip().rstrip(".") if line else ""
        parts = value.split(" ")
        is_phrase = 4 <= len(parts) <= 24 and all(
            part.isalpha() and part.islower() and len(part) <= 10 for part in parts
        )
        return value if is_phrase and not {"the", "is", "a", "to", "of"}.intersection(parts) else None

    def _judged(
        self, value: str, at: int, meaning: Meaning, *, is_quoted: bool, is_sure: bool, is_exposed: bool
    ) -> Value | None:
        found = judged(value, meaning, is_quoted=is_quoted, is_sure=is_sure or is_exposed)
        return Value(at + found.start, at + found.end, found.type, found.rule) if found else None


def _has_sibling(text: str, start: int, at: int) -> bool:
    """Whether the line before or after is a setting of the same thing, so that this one is no prose either."""
    begin = text.rfind("\n", 0, start) + 1
    above = text.rfind("\n", max(0, begin - 200), max(0, begin - 1)) + 1
    below = text.find("\n", at, at + 200) + 1
    return (begin > 0 and ties.SIBLING(text, above) is not None) or (
        below > 0 and ties.SIBLING(text, below) is not None
    )


_may_end = re.compile(r"[\\&,;|)\u3000-\u9fff\uff00-\uffef]").search


def _trimmed(value: str, *, is_query: bool = True) -> str:
    first = _may_end(value)
    # Of a variable of the environment "&" and "=" are characters of the value.
    end = (ties.ENDS if is_query else ties.ENDS_OF_A_VARIABLE)(value, first.start()) if first is not None else None
    if end is not None and end.start():
        value = value[: end.start()]
    return value.rstrip(",;.)]}:") if value[-1:] in ",;.)]}:" else value


_SCHEME = re.compile(
    r"(?:Bearer|Basic|Token|token|ApiKey|Digest|Negotiate|bearer|basic|SSWS|OAuth|GoogleLogin|Key)[ =]+(?:auth=)?"
).match


def judged(value: str, meaning: Meaning, *, is_quoted: bool = True, is_sure: bool = True) -> Value | None:
    """The part of a value that is what its name says it is; None when it is not.

    Args:
        value: The whole value.
        meaning: What its name says.
        is_quoted: It stands in quotes or is a text of its own, so it is no code and may hold blanks.
        is_sure: Where it stands makes it a setting (a variable, an option), not prose.
    """
    start = 0
    scheme = _SCHEME(value)
    if scheme is not None:
        start = scheme.end()
    body = value[start:].strip()
    if len(body) < 3 or is_placeholder(body):
        return None
    start = value.index(body, start)
    if not _is_what_it_says(body, meaning, is_quoted, is_sure):
        return None
    return Value(start, start + len(body), meaning.type, meaning.rule)


_MAY_BE_MNEMONIC = frozenset({"SECRET", "PASSWORD", "PRIVATE_KEY"})
_URL = re.compile(r"https?://[^\s/]+/\S{12,}").fullmatch
_BASE32 = re.compile(r"[A-Z2-7]{16,}=*|[a-z2-7]{16,}|(?:[A-Z2-7]{4} ?){4,}|[0-9]{6,8}", re.IGNORECASE).fullmatch


def _is_what_it_says(body: str, meaning: Meaning, is_quoted: bool, is_sure: bool) -> bool:
    kind = meaning.type
    if kind == "ACCESS_KEY_ID" and (not body.isalnum() or ties.PUBLIC_ID(body)):
        return False  # the id of a key in a vault, a resource name, the id of a key of GPG or of a set of keys
    if kind == "WEBHOOK_URL":
        return _URL(body) is not None
    if kind == "OTP_SEED":
        return _BASE32(body) is not None
    if kind == "COOKIE":
        return is_token(body) or ("=" in body and len(body) >= 12 and is_mixed(body))
    if kind in ("ID_NUMBER", "CARD", "PHONE"):
        return _is_number(body, kind)
    if kind in _MAY_BE_MNEMONIC and body.islower() and is_mnemonic(body):
        return True
    if meaning.value == "password":
        if "\n" in body or len(body) > 256 or (not is_quoted and " " in body):
            return False
        if body.count(" ") >= 1 and not _is_passphrase(body):
            return False
        if is_sure and (is_quoted or body.isascii()):
            if not (is_quoted_password(body) if is_quoted else is_password(body)):
                return False
            return (not body.isalpha() or len(body) >= 5) and not (not is_quoted and _is_code_like(body))
        is_name = not is_quoted and ties.NAME_OF_CODE(body) is not None
        return is_strong_password(body) and not is_name and not _is_code_like(body)
    if "\n" in body or " " in body:
        return False
    if is_token(body):
        return is_quoted or not _is_code_like(body)
    return kind == "SECRET" and is_sure and is_quoted and len(body) >= 8 and is_mixed(body) and is_strong_password(body)


def _is_passphrase(body: str) -> bool:
    words = body.split(" ")
    if len(words) > 8:
        return False
    if words[-1].isdigit() and len(body) >= 12:
        # Three words and a number; a longer one may have a word in it that stands in prose as well.
        return sum(word.lower() in ties.PROSE for word in words) <= (len(words) > 4)
    if len(words) >= 4:
        return all(word.isalpha() and word.islower() for word in words)
    return is_generated(body) or any(word.isalnum() and is_mixed(word) for word in words)


_variable = re.compile(r"\$[A-Za-z_]\w*(?:->?|::|\[|\.)").match
_CODE_SIGNS = re.compile(r"[({\[]|\)$|=>|->|::|\.[a-z_]+$|^[a-z_]+\.[a-z]").search


def _is_code_like(body: str) -> bool:
    if is_noise(body):
        return False
    if _variable(body):
        return True
    return is_code(body) or (_CODE_SIGNS(body) is not None and not is_generated(body))


_CAPITALS = re.compile(r"[A-Z0-9]{7,20}").fullmatch


def _is_number(body: str, kind: str) -> bool:
    digits = [c for c in body if c.isdigit()]
    if kind == "CARD":
        from attraj.secrets.personal import is_luhn

        return 12 <= len(digits) <= 19 and not body.strip("0123456789 -") and is_luhn("".join(digits))
    if kind == "PHONE":
        return 7 <= len(digits) <= 15 and not body.strip("0123456789 -+().")
    if len(digits) >= 2 and _CAPITALS(body):
        return True  # mostly letters, all of them capitals
    return (
        5 <= len(digits) and len(body) <= 30 and re.fullmatch(r"[A-Za-z]{0,4}[0-9A-Za-z \-./]{4,26}", body) is not None
    )
