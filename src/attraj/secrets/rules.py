"""Rule packs: TOML to compiled rules. Everything is checked before anything is read.

A pack says `[pack] id, version, spec = 1`, then `[[rule]]`s and `[[name]]`s. A rule:

    id, type        of the finding; the placeholder type
    anchors         literals, case-sensitive; `fold = true` adds the lower, Title and UPPER form of each
    pattern         matched AT the anchor, in the common subset of `re` and RE2; the last group that took part is the
                    secret, the whole match when there is none
    before          must end just before the anchor; `from_before = true` makes it part of the secret
    above           in place of `before`: a line of the secret (its group); all such lines right above are part of it
    left, right     "none", "word" (no ASCII letter or digit there), "token" (nor "_" and "-")
    require         what the secret part has to be (`values.REQUIREMENTS`); ["random"] when not given
    min_entropy     in bits a character; a gate, never a finder
    near            one of these literals must stand within 200 characters
    confidence      high, medium or low
    source, checked where the format is told, and the day on which it was compared ("" when it was not)
    make, not       generator patterns of what it finds, and of what it must not: no literal secret stands in a pack
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple, cast

from attraj.errors import AttrajError
from attraj.secrets.spans import TYPES, Confidence
from attraj.secrets.values import REQUIREMENTS, entropy, vocabulary

_BUILT_IN = "built in"
CORE = ("tokens", "structures", "names")
_NEAR = 200
_BEFORE = 160
_JUDGED = 512  # characters


class Pack(NamedTuple):
    """What a manifest says of a rule pack. `origin` is "built in" or "file"; never a path."""

    id: str
    version: str
    sha256: str
    origin: str


@dataclass(frozen=True, slots=True)
class Rule:
    """One credential format; see the module."""

    id: str
    type: str
    confidence: Confidence
    anchors: tuple[str, ...]
    pattern: str
    before: str
    from_before: bool
    above: str
    left: str
    right: str
    require: tuple[str, ...]
    min_entropy: float
    near: tuple[str, ...]
    source: str
    checked: str
    make: tuple[str, ...]
    nots: tuple[str, ...]
    pack: str


@dataclass(frozen=True, slots=True)
class NameClass:
    """Names of members and variables that say what their value is; see `names.py`."""

    type: str
    words: tuple[str, ...]
    phrases: tuple[tuple[str, ...], ...]
    not_after: frozenset[str]
    not_before: frozenset[str]
    exact: frozenset[str]
    value: str
    make: tuple[str, ...]
    nots: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Loaded:
    """A pack, read."""

    pack: Pack
    rules: tuple[Rule, ...]
    names: tuple[NameClass, ...]
    words: Mapping[str, tuple[str, ...]]


def core_packs() -> tuple[Loaded, ...]:
    """The packs that come with attraj."""
    return tuple(_core(name) for name in CORE)


@cache
def _core(name: str) -> Loaded:
    from importlib.resources import files

    return read_pack(files("attraj.secrets").joinpath("rules", f"{name}.toml").read_bytes(), _BUILT_IN)


def pack_of_file(path: str) -> Loaded:
    """The pack in a file that the user names."""
    try:
        with open(path, "rb") as file:
            raw = file.read()
    except OSError as fault:
        raise AttrajError("a rule pack cannot be read", hint=fault.strerror or "") from None
    return read_pack(raw, "file")


def read_pack(raw: bytes, origin: str) -> Loaded:
    """Read and check a pack.

    Raises:
        AttrajError: It is no TOML, of an unknown spec, or a rule is not complete; nothing of it is taken then.
    """
    # Imported here: only who scans pays for them.
    import hashlib
    import tomllib

    try:
        tree = tomllib.loads(raw.decode())
    except (UnicodeDecodeError, tomllib.TOMLDecodeError):
        raise AttrajError("a rule pack is not TOML") from None
    head = tree.get("pack")
    if type(head) is not dict or type(head.get("id")) is not str or type(head.get("version")) is not str:
        raise AttrajError("a rule pack has no [pack] with id and version")
    if head.get("spec") != 1:
        raise AttrajError("a rule pack is of a spec that is not known", hint="this version reads spec 1")
    unknown = set(tree) - {"pack", "rule", "name", "words"}
    if unknown:
        raise AttrajError("a rule pack has a table that is not known", hint="[pack], [[rule]], [[name]], [words]")
    pack = Pack(head["id"], head["version"], hashlib.sha256(raw).hexdigest(), origin)
    rules = tuple(_rule(table, pack, number) for number, table in enumerate(_tables(tree, "rule"), 1))
    if len({rule.id for rule in rules}) < len(rules):
        raise AttrajError("two rules of a pack have the same id")
    words = {name: tuple(_strings(tree["words"], name)) for name in tree.get("words", {})}
    names = tuple(_name(table, number) for number, table in enumerate(_tables(tree, "name"), 1))
    return Loaded(pack, rules, names, words)


def _tables(tree: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    tables = tree.get(name, [])
    if type(tables) is not list or any(type(table) is not dict for table in tables):
        raise AttrajError(f"[[{name}]] of a rule pack is not a list of tables")
    return tables


def _strings(table: Mapping[str, Any], name: str) -> list[str]:
    items = table.get(name, [])
    if type(items) is not list or any(type(item) is not str or not item for item in items):
        raise AttrajError(f"`{name}` in a rule pack is not a list of texts")
    return items


_KNOWN = vocabulary(
    "id type confidence anchors fold pattern before from_before above left right require min_entropy near source "
    "checked make not"
)


def _rule(table: dict[str, Any], pack: Pack, number: int) -> Rule:
    def refuse(why: str) -> AttrajError:
        return AttrajError(f"rule {number} of a rule pack {why}")

    anchors, make, nots = _strings(table, "anchors"), _strings(table, "make"), _strings(table, "not")
    require = _strings(table, "require") or ["random"]
    texts = {name: table.get(name, default) for name, default in _TEXTS.items()}
    if set(table) - _KNOWN:
        raise refuse("has a member that is not known")
    if any(type(text) is not str for text in texts.values()) or not texts["id"] or not texts["pattern"] or not anchors:
        raise refuse("needs id, type, anchors and pattern")
    if not make or not nots:
        raise refuse("has no examples (`make`) or no counter-examples (`not`)")
    if texts["type"] not in TYPES or texts["confidence"] not in ("high", "medium", "low"):
        raise refuse("has a type or a confidence that is not known")
    if {texts["left"], texts["right"]} - set(_SIDES) or set(require) - set(REQUIREMENTS):
        raise refuse("has a boundary or a requirement that is not known")
    # The patterns that come with attraj are compiled by the tests, and here when they are first used: most never are.
    if pack.origin != _BUILT_IN:
        for pattern in (texts["pattern"], texts["before"], texts["above"]):
            if _NOT_RE2.search(pattern) or not _compiles(pattern):
                raise refuse("has a pattern outside of what `re` and RE2 share")
        if texts["above"] and re.compile(texts["above"]).groups != 1:
            raise refuse("has an `above` that does not have one group")
    entropy_gate = table.get("min_entropy", 0.0)
    if type(entropy_gate) not in (int, float):
        raise refuse("has a min_entropy that is not a number")
    if table.get("fold"):
        anchors = list(
            dict.fromkeys(form for a in anchors for form in (a.lower(), a.title(), a.capitalize(), a.upper()))
        )
    return Rule(
        texts["id"], texts["type"], cast(Confidence, texts["confidence"]), tuple(anchors), texts["pattern"],
        texts["before"], bool(table.get("from_before")), texts["above"], texts["left"], texts["right"], tuple(require),
        float(entropy_gate), tuple(_strings(table, "near")), texts["source"], texts["checked"], tuple(make),
        tuple(nots), pack.id,
    )  # fmt: skip


_TEXTS = {
    "id": "", "type": "", "pattern": "", "before": "", "above": "", "confidence": "high", "left": "word",
    "right": "none", "source": "", "checked": "",
}  # fmt: skip
_SIDES = {"none": "", "word": "A-Za-z0-9", "token": r"A-Za-z0-9_\-"}
_NOT_RE2 = re.compile(r"\(\?(?:[=!>]|<[=!])|\\[1-9Z]|\(\?P=|[*+?}]\+")


def _compiles(pattern: str) -> bool:
    try:
        re.compile(pattern)
    except (re.error, OverflowError, RecursionError):
        return False
    return True


def _name(table: dict[str, Any], number: int) -> NameClass:
    kind, value = table.get("class"), table.get("value", "token")
    make, nots = _strings(table, "make"), _strings(table, "not")
    if kind not in TYPES or value not in REQUIREMENTS or not make or not nots:
        raise AttrajError(f"name class {number} of a rule pack needs a known class, and examples on both sides")
    phrases = tuple(tuple(phrase.split()) for phrase in _strings(table, "phrases"))
    return NameClass(
        kind, tuple(_strings(table, "words")), phrases, frozenset(_strings(table, "not_after")),
        frozenset(_strings(table, "not_before")),
        frozenset(_strings(table, "exact")), value, tuple(make),
        tuple(nots),
    )  # fmt: skip


# --- compiled ------------------------------------------------------------------------------------------------------


_OURS = re.compile(r"<[A-Z][A-Z_]{1,20}_[0-9]{1,9}>\W*").fullmatch


_NO_SECRET = frozenset(["", " ", "\n", "\t"])


class Match(NamedTuple):
    """Where a rule matched: the secret, and how much of its beginning is the public anchor."""

    start: int
    end: int
    secret_from: int
    after: int


class Compiled:
    """A rule, ready to be tried at an anchor."""

    __slots__ = ("_above", "_before", "_left", "_match", "_requirements", "_right", "rule")

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        self._match: Callable[[str, int], re.Match[str] | None] | None = None
        self._before: Callable[[str, int, int], re.Match[str] | None] | None = None
        self._above: _LineAt | None = None
        self._left = _side(rule.left)
        self._right = _side(rule.right)
        self._requirements: list[Callable[[str], bool]] = [REQUIREMENTS[name] for name in rule.require]

    def at(self, text: str, at: int, anchor: str) -> Match | None:
        """The match of the rule whose anchor stands at `at`; None when there is none."""
        rule = self.rule
        if at and self._left is not None and rule.before == "" and self._left(text, at - 1):
            return None
        if rule.from_before and text[at - 1 : at] in _NO_SECRET:
            return None  # no secret ends there: asked first, for "==" stands in most code
        match = (self._match or self._compiled())(text, at)
        if match is None:
            return None
        start = at
        if self._before is not None:
            before = self._before(text, max(0, at - _BEFORE), at)
            if before is None:
                return None
            start = before.start()
            if start and self._left is not None and self._left(text, start - 1):
                return None
        if self._above is not None:
            start = _first_line(text, at, self._above)
            if start == at:
                return None
        end, group = match.end(), match.lastindex or 0
        if self._right is not None and end < len(text) and self._right(text, end):
            return None
        begin, finish = match.span(group)
        public = 0
        if not group:
            begin = start if rule.from_before or rule.above else at
            public = at + len(anchor) - begin if not rule.above else 0
        secret = text[begin + (public if not rule.from_before else 0) : finish]
        if secret[:1] == "<" and _OURS(secret) is not None:
            return None  # what a redaction has put there
        if rule.near and not self._is_near(text, at, end):
            return None
        # What is longer is known by its beginning: a row of anchors must not be judged to its end at each of them.
        judged = secret[:_JUDGED]
        if not all(requirement(judged) for requirement in self._requirements):
            return None
        if rule.min_entropy and entropy(secret) < rule.min_entropy:
            return None
        return Match(begin, finish, public, end)

    def _compiled(self) -> Callable[[str, int], re.Match[str] | None]:
        rule = self.rule
        match = self._match = re.compile(rule.pattern).match
        self._before = re.compile(f"(?:{rule.before})\\Z").search if rule.before else None
        self._above = re.compile(rule.above).fullmatch if rule.above else None
        return match

    def _is_near(self, text: str, start: int, end: int) -> bool:
        around = text[max(0, start - _NEAR) : end + _NEAR].lower()
        return any(word in around for word in self.rule.near)


_LineAt = Callable[[str, int, int], "re.Match[str] | None"]
_MAX_ABOVE = 1_000  # lines: the longest private keys have some two hundred
_MAX_MARKS = 24  # characters
_FULL = 30  # characters: a shorter line is the last one, its checksum, or what a cut has left of the first one


def _first_line(text: str, at: int, line_at: _LineAt) -> int:
    """Where the first of the lines begins that go on to a place; that place when there are none."""
    start, end = at, text.rfind("\n", max(0, at - _MAX_MARKS), at)  # a diff and a quotation mark the last line too
    for number in range(_MAX_ABOVE):
        begin = text.rfind("\n", max(0, end - _BEFORE), max(0, end)) + 1
        line = line_at(text, begin, end) if end >= 0 and (begin or end <= _BEFORE) else None
        if line is None or (number > 1 and len(line[1]) < _FULL and not REQUIREMENTS["random"](line[1])):
            break
        start, end = begin, begin - 1
    return start


def _side(name: str) -> Callable[[str, int], object] | None:
    return re.compile(f"[{_SIDES[name]}]").match if _SIDES[name] else None


def compiled(packs: Sequence[Loaded], without: frozenset[str]) -> Iterator[Compiled]:
    """The rules of the packs, the earlier packs first."""
    for loaded in packs:
        for rule in loaded.rules:
            if rule.id not in without:
                yield Compiled(rule)
