"""A user's own `.gitleaks.toml`: its rules, with RE2. What is not understood is refused, never skipped.

Rules: id, description, regex, keywords, entropy, secretGroup, tags, allowlists; `[extend]` with path or useDefault
(which means the packs of attraj) and disabledRules. What looks at paths or commits never matches inside a text.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from attraj.errors import AttrajError
from attraj.secrets.rules import Pack
from attraj.secrets.values import entropy

_TOP = frozenset({"title", "description", "minVersion", "extend", "rules", "allowlist", "allowlists"})
_RULE = frozenset(
    {"id", "description", "regex", "keywords", "entropy", "secretGroup", "tags", "allowlist", "allowlists", "path"}
)
_ALLOW = frozenset(
    {"description", "regexes", "stopwords", "regexTarget", "condition", "targetRules", "paths", "commits"}
)
_EXTEND = frozenset({"path", "useDefault", "disabledRules"})
_MAX_EXTENDED = 5


class Allow(NamedTuple):
    """What is not to be found after all."""

    matches: tuple[Callable[[str], object], ...]
    stopwords: tuple[str, ...]
    target: str
    needs_all: bool
    rules: frozenset[str]


class UserRule(NamedTuple):
    """One rule of the user."""

    id: str
    finditer: Callable[[str], Iterable[Any]]
    keywords: tuple[str, ...]
    min_entropy: float
    group: int
    allows: tuple[Allow, ...]


class Gitleaks:
    """The rules of a configuration."""

    def __init__(self, pack: Pack, rules: tuple[UserRule, ...], allows: tuple[Allow, ...]) -> None:
        self.pack = pack
        self._rules = rules
        self._allows = allows

    def find(self, text: str) -> Iterator[tuple[int, int, str]]:
        """(start, end, id of the rule) of each secret."""
        lowered = text.lower()
        for rule in self._rules:
            if rule.keywords and not any(word in lowered for word in rule.keywords):
                continue
            for match in rule.finditer(text):
                start, end = match.span(_group(rule, match))
                secret = text[start:end]
                if (
                    start < end
                    and entropy(secret) >= rule.min_entropy
                    and not self._is_allowed(rule, match, secret, text)
                ):
                    yield start, end, rule.id

    def _is_allowed(self, rule: UserRule, match: Any, secret: str, text: str) -> bool:
        for allow in (*rule.allows, *self._allows):
            if allow.rules and rule.id not in allow.rules:
                continue
            target = {"match": match[0], "line": _line(text, *match.span())}.get(allow.target, secret)
            says = [
                *([any(pattern(target) for pattern in allow.matches)] if allow.matches else []),
                *([any(word in secret.lower() for word in allow.stopwords)] if allow.stopwords else []),
            ]
            if says and (all(says) if allow.needs_all else any(says)):
                return True
        return False


def _group(rule: UserRule, match: Any) -> int:
    if rule.group:
        return rule.group
    # As gitleaks does: the first group that took part, the whole match when there is none.
    return next((n for n, value in enumerate(match.groups(), 1) if value), 0)


def _line(text: str, start: int, end: int) -> str:
    begin, finish = text.rfind("\n", 0, start) + 1, text.find("\n", end)
    return text[begin : finish if finish >= 0 else len(text)]


def load(path: str) -> Gitleaks:
    """Read a configuration.

    Raises:
        AttrajError: google-re2 is missing, a file cannot be read, or something in it is not understood.
    """
    import hashlib

    try:
        import re2  # type: ignore[import-untyped, unused-ignore]
    except ImportError:
        raise AttrajError("a gitleaks configuration needs google-re2", hint="pip install 'attraj[gitleaks]'") from None
    options = re2.Options()
    options.log_errors = False

    def compiled(pattern: str) -> Any:
        try:
            return re2.compile(pattern, options)
        except re2.error:
            raise AttrajError("a regex of the gitleaks configuration is not one of RE2") from None

    digest = hashlib.sha256()
    tables: list[dict[str, Any]] = []
    disabled: set[str] = set()
    seen: set[str] = set()
    left = path
    while left:
        if left in seen or len(seen) >= _MAX_EXTENDED:
            raise AttrajError("a gitleaks configuration extends itself, or too many others")
        seen.add(left)
        raw = _read(left)
        digest.update(raw)
        table = _parsed(raw)
        tables.append(table)
        extend = _table(table, "extend", _EXTEND)
        disabled.update(_texts(extend, "disabledRules"))
        left = _beside(path, extend["path"]) if "path" in extend else ""
    rules: dict[str, UserRule] = {}
    for table in reversed(tables):  # what extends says more than what is extended
        for one in _tables(table, "rules", _RULE):
            rule = _user_rule(one, compiled)
            if rule is not None:
                rules[rule.id] = rule
    allows = tuple(a for table in tables for a in _allows(table, compiled))
    pack = Pack("gitleaks", "user", digest.hexdigest(), "file")
    return Gitleaks(pack, tuple(rule for name, rule in rules.items() if name not in disabled), allows)


def _read(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as fault:
        raise AttrajError("a gitleaks configuration cannot be read", hint=fault.strerror or "") from None


def _parsed(raw: bytes) -> dict[str, Any]:
    import tomllib

    try:
        table = tomllib.loads(raw.decode())
    except (UnicodeDecodeError, tomllib.TOMLDecodeError):
        raise AttrajError("a gitleaks configuration is not TOML") from None
    _known(table, _TOP)
    return table


def _beside(path: str, other: Any) -> str:
    """A file that is extended: in the same folder, by its name alone."""
    if type(other) is not str or os.path.basename(other) != other or other in ("", ".", ".."):
        raise AttrajError("a gitleaks configuration may extend a file beside it only")
    return os.path.join(os.path.dirname(path), other)


def _known(table: dict[str, Any], names: frozenset[str]) -> None:
    unknown = sorted(set(table) - names)
    if unknown:
        # The name of a setting of gitleaks, which is not a value; shown when it looks like one.
        shown = unknown[0] if re.fullmatch(r"[A-Za-z_]{1,30}", unknown[0]) else "…"
        raise AttrajError(f"a gitleaks configuration has a setting that is not supported: {shown}")


def _table(table: dict[str, Any], name: str, names: frozenset[str]) -> dict[str, Any]:
    found = table.get(name, {})
    if type(found) is not dict:
        raise AttrajError(f"`{name}` of a gitleaks configuration is not a table")
    _known(found, names)
    return found


def _tables(table: dict[str, Any], name: str, names: frozenset[str]) -> list[dict[str, Any]]:
    found = table.get(name, [])
    if type(found) is dict:
        found = [found]
    if type(found) is not list or any(type(one) is not dict for one in found):
        raise AttrajError(f"`{name}` of a gitleaks configuration is not a list of tables")
    for one in found:
        _known(one, names)
    return found


def _texts(table: dict[str, Any], name: str) -> list[str]:
    found = table.get(name, [])
    if type(found) is not list or any(type(one) is not str for one in found):
        raise AttrajError(f"`{name}` of a gitleaks configuration is not a list of texts")
    return found


def _user_rule(table: dict[str, Any], compiled: Callable[[str], Any]) -> UserRule | None:
    name, pattern = table.get("id"), table.get("regex")
    minimum, group = table.get("entropy", 0.0), table.get("secretGroup", 0)
    if type(name) is not str or not name or type(minimum) not in (int, float) or type(group) is not int:
        raise AttrajError("a rule of the gitleaks configuration needs an id, and numbers where they belong")
    if pattern is None and "path" in table:
        return None  # looks at paths alone: nothing inside a text
    if type(pattern) is not str:
        raise AttrajError("a rule of the gitleaks configuration has no regex")
    made = compiled(pattern)
    if group > made.groups:
        raise AttrajError("a rule of the gitleaks configuration names a group that its regex does not have")
    keywords = tuple(word.lower() for word in _texts(table, "keywords"))
    return UserRule(name, made.finditer, keywords, float(minimum), group, tuple(_allows(table, compiled)))


def _allows(table: dict[str, Any], compiled: Callable[[str], Any]) -> Iterator[Allow]:
    for name in ("allowlist", "allowlists"):
        for one in _tables(table, name, _ALLOW):
            target, condition = one.get("regexTarget", "secret"), one.get("condition", "OR")
            if target not in ("secret", "match", "line", "") or condition not in ("AND", "OR", "&&", "||"):
                raise AttrajError("an allowlist of the gitleaks configuration has an unknown target or condition")
            needs_all = condition in ("AND", "&&")
            if needs_all and (_texts(one, "paths") or _texts(one, "commits")):
                continue  # asks for a path as well, and a text has none
            yield Allow(
                tuple(compiled(pattern).search for pattern in _texts(one, "regexes")),
                tuple(word.lower() for word in _texts(one, "stopwords")),
                target or "secret",
                needs_all,
                frozenset(_texts(one, "targetRules")),
            )
