"""What goes besides secrets, and what stays although it looks like one. A TOML file that the user names; never found.

    [policy]
    id = "acme-public"
    version = "3"
    personal = "standard"            # none, standard, strict
    drop = ["private_reasoning", "encrypted_reasoning", "user_content", "tool_output"]
    media = "drop"                   # or "keep"
    coarsen_time = "hour"            # day, hour, minute
    keep = ["noreply@example.com"]   # values that are public
    headers = ["content-type"]       # the only HTTP headers whose values stay
    clean_queries = true             # the queries of URLs go
    retype_numbers = true            # a number that must go may become a text

    [[allow]]
    rule = "generic-password"        # id of a rule, or a TYPE
    file = "*/trajectory.json"
    pointer = "/steps/*/message"
    reason = "a documented example"
    expires = "2027-06-30"
    allow_critical = true            # needed for what a rule is sure of

Source: spec redaction.md §6, decisions 12, 27, 28.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from fnmatch import translate
from typing import Any, Literal

from attraj.errors import AttrajError
from attraj.redaction.opinions.opinion import NAMES as SCANNERS
from attraj.secrets.spans import TYPES, Span

DROPPABLE = ("private_reasoning", "encrypted_reasoning", "user_content", "tool_output")
UNITS = ("day", "hour", "minute")
_PERSONAL = ("none", "standard", "strict")


@dataclass(frozen=True, slots=True)
class Allow:
    """One thing that stays although it is taken for a secret. Every condition that is given has to hold.

    Attributes:
        rule: Id of a rule, or a TYPE; "" for any.
        file, pointer: Patterns (`*`, `?`) for the name of the file and the pointer of the text.
        reason: Why it may stay; must be given.
        expires: The last day on which it holds (YYYY-MM-DD); "" for ever.
        allow_critical: Whether it holds for findings of high confidence.
    """

    rule: str = ""
    file: str = ""
    pointer: str = ""
    reason: str = ""
    expires: str = ""
    allow_critical: bool = False

    def holds(self, span: Span, file: str, pointer: str) -> bool:
        """Whether this entry lets a finding stay."""
        return (
            self.rule in ("", span.rule, span.type)
            and (not self.file or _matches(self.file, file))
            and (not self.pointer or _matches(self.pointer, pointer))
            and (self.allow_critical or span.confidence != "high")
        )


def _matches(pattern: str, text: str) -> bool:
    return re.fullmatch(translate(pattern), text) is not None


@dataclass(frozen=True, slots=True)
class Policy:
    """Everything that a redaction depends on besides the documents and the detector.

    Attributes:
        id, version: Name the policy in what is published.
        personal: See `attraj.secrets.DetectionPolicy`.
        drop: Classes of content that go whole, of DROPPABLE.
        media: "drop" puts `<IMAGE_n>` in their place, "keep" leaves them; "" refuses documents that hold any.
        coarsen_time: Unit to which timestamps are cut; "" leaves them.
        keep: Values that are public.
        headers: Lower-case names of the HTTP headers whose values stay; None leaves all.
        clean_queries: Whether the queries of URLs go.
        retype_numbers: Whether a number that must go may become a text (a Bundle marks it instead).
        allow: What stays.
    """

    id: str = "attraj-default"
    version: str = "1"
    personal: Literal["none", "standard", "strict"] = "standard"
    drop: frozenset[str] = frozenset()
    media: Literal["", "keep", "drop"] = ""
    coarsen_time: str = ""
    keep: frozenset[str] = frozenset()
    headers: frozenset[str] | None = None
    clean_queries: bool = False
    retype_numbers: bool = False
    allow: tuple[Allow, ...] = field(default=(), repr=False)

    def allows(self, span: Span, file: str, pointer: str) -> bool:
        """Whether a finding stays."""
        return span.value in self.keep or any(entry.holds(span, file, pointer) for entry in self.allow)

    def parameters(self) -> dict[str, Any]:
        """What it asks for, for the manifest and for what a Bundle says: words of ours only, no values."""
        said: dict[str, Any] = {"personal": self.personal}
        if self.drop:
            said["drop"] = sorted(self.drop)
        for name in ("media", "coarsen_time", "clean_queries", "retype_numbers"):
            if getattr(self, name):
                said[name] = getattr(self, name)
        if self.headers is not None:
            said["headers"] = "listed ones stay"
        return said


DEFAULT = Policy()


def read_policy(path: str | os.PathLike[str], *, today: str) -> Policy:
    """The policy in a file.

    Args:
        path: A TOML file.
        today: YYYY-MM-DD, by which entries expire.

    Raises:
        AttrajError: It cannot be read, is no TOML, holds what is not known, or an entry that has expired.
    """
    table = _toml(path)
    _only(table, ("policy", "allow"), path, "the file")
    own = table.get("policy", {})
    if type(own) is not dict:
        raise AttrajError(f"{path}: `policy` must be a table")
    _only(own, _CHECKS, path, "[policy]")
    values = {name: _CHECKS[name](value, f"{path}: `{name}`") for name, value in own.items()}
    return replace(DEFAULT, **values, allow=_entries(table.get("allow", []), path, today))


def read_allow(path: str | os.PathLike[str], *, today: str) -> tuple[Allow, ...]:
    """The entries of an allow file: `[[allow]]` tables alone. Raises as `read_policy`."""
    table = _toml(path)
    _only(table, ("allow",), path, "the file")
    return _entries(table.get("allow", []), path, today)


def require_rules(entries: Iterable[Allow], known: frozenset[str]) -> None:
    """Raise AttrajError for an entry that names a rule which nobody has: it would silently allow nothing."""
    for number, entry in enumerate(entries, 1):
        is_other = entry.rule.partition(":")[0] in SCANNERS and ":" in entry.rule  # a second opinion has its own names
        if entry.rule and entry.rule not in known and entry.rule not in TYPES and not is_other:
            raise AttrajError(f"allow entry {number} names a rule that is not known", hint="rule is an id or a TYPE")


def _toml(path: str | os.PathLike[str]) -> dict[str, Any]:
    import tomllib  # only when there is a file to read

    try:
        with open(path, "rb") as file:
            return tomllib.load(file)
    except OSError as error:
        raise AttrajError(f"{path}: {(error.strerror or 'cannot be read').lower()}") from error
    except ValueError as error:  # no TOML, or no UTF-8; the text of the error may quote the file
        raise AttrajError(f"{path}: not TOML") from error


def _only(table: Mapping[str, Any], names: Iterable[str], path: object, where: str) -> None:
    known = tuple(names)
    for name in table:
        if name not in known:
            raise AttrajError(f"{path}: {where} has a member that is not known", hint="known: " + ", ".join(known))


def _entries(listed: Any, path: object, today: str) -> tuple[Allow, ...]:
    if type(listed) is not list or not all(type(entry) is dict for entry in listed):
        raise AttrajError(f"{path}: `allow` must be an array of tables")
    return tuple(_entry(entry, f"{path}: allow entry {number}", today) for number, entry in enumerate(listed, 1))


def _entry(entry: dict[str, Any], where: str, today: str) -> Allow:
    names = ("rule", "file", "pointer", "reason", "expires", "allow_critical")
    _only(entry, names, where, "it")
    values = dict(entry)
    if isinstance(values.get("expires"), date):
        values["expires"] = values["expires"].isoformat()[:10]
    for name, value in values.items():
        if type(value) is not (bool if name == "allow_critical" else str):
            raise AttrajError(f"{where}: `{name}` has a wrong type")
    allow = Allow(**values)
    if not allow.reason.strip():
        raise AttrajError(f"{where} gives no reason", hint="say why it may stay")
    if not (allow.rule or allow.pointer or allow.file):
        raise AttrajError(f"{where} would allow everything", hint="name a rule, a file or a pointer")
    if allow.expires and not re.fullmatch(r"\d{4}-\d{2}-\d{2}", allow.expires):
        raise AttrajError(f"{where}: `expires` is no day", hint="YYYY-MM-DD")
    if allow.expires and allow.expires < today:
        raise AttrajError(f"{where} has expired", hint="look at it again, then give it a new day or remove it")
    return allow


def _word(*words: str) -> Any:
    def check(value: Any, what: str) -> str:
        if value not in words or type(value) is not str:
            raise AttrajError(f"{what} must be one of: {', '.join(words)}")
        return value

    return check


def _words(*words: str, lower: bool = False) -> Any:
    def check(value: Any, what: str) -> frozenset[str]:
        if type(value) is not list or not all(type(word) is str and (not words or word in words) for word in value):
            raise AttrajError(f"{what} must be an array of " + (", ".join(words) if words else "texts"))
        return frozenset(word.lower() for word in value) if lower else frozenset(value)

    return check


def _flag(value: Any, what: str) -> bool:
    if type(value) is not bool:
        raise AttrajError(f"{what} must be true or false")
    return value


def _name(value: Any, what: str) -> str:
    if type(value) is not str or not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", value):
        raise AttrajError(f"{what} must be a short name: letters, digits, dots, dashes")
    return value


_CHECKS: dict[str, Any] = {
    "id": _name,
    "version": _name,
    "personal": _word(*_PERSONAL),
    "drop": _words(*DROPPABLE),
    "media": _word("keep", "drop"),
    "coarsen_time": _word(*UNITS),
    "keep": _words(),
    "headers": _words(lower=True),
    "clean_queries": _flag,
    "retype_numbers": _flag,
}
