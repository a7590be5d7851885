"""One table of a room's fields, read in one direction to fill the Bundle, in the other to write the source back.

A Place is a kind of object in a source document ("an agent step", "a tool call") and says, field by field, where its
values stand in the Bundle. What no field names is no fact that is lost: it stays in the residue (see residue.py). A
value stands in the core or in the residue and never in both (spec: decisions 17).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from attraj.bundle.markers import MARKER_KEY
from attraj.formats.mapping.holds import is_stated
from attraj.jsonio import MISSING

Json = dict[str, Any]
_Pending = list[tuple[Any, Any, Any]]  # a value, the container that it goes into, and its place there
At = tuple[str | int, ...]  # a JSON Pointer as its tokens: positions are numbers, names are texts


class Form(NamedTuple):
    """Two ways to write one value, each of which gives the other back: a number of seconds, an RFC 3339 time.

    Attributes:
        said: The source's as the core says it; None when the core cannot say it exactly.
        written: The core's as the source writes it; None when the source cannot.
    """

    said: Callable[[Any], Any]
    written: Callable[[Any], Any]

    def core(self, value: Any) -> Any:
        """The value as the core says it, MISSING unless the source's own can be made of it again."""
        said = self.said(value)
        again = None if said is None else self.written(said)
        return said if type(again) is type(value) and again == value and again is not None else MISSING


class Field(NamedTuple):
    """One value of a source object, and its place in the Bundle.

    Attributes:
        source: Its path below the source object.
        core: Its path below the record of the Bundle that stands for the object.
        holds: Which values the core can hold as they are; another one stays in the residue.
        says: What a reader of the table should know, in one line.
        form: How the core says it, where it does not say it as the source does; None for most.
    """

    source: At
    core: At
    holds: Callable[[Any], bool] = is_stated
    says: str = ""
    form: Form | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """A kind of object in a source document.

    Attributes:
        name: As the links of a Bundle call it.
        collection: The collection of the Bundle that its record stands in ("nodes"); "" when the record is a part of
            the Bundle that a JSON Pointer names ("" for the Bundle itself, "/bindings/agents/0").
        fields: What is carried value by value.
        is_messages: The place is an array of messages, and its record a state: see messages.py.
        variant_of: Name of the place that this one differs from in some fields; "" for most.
    """

    name: str
    collection: str = "nodes"
    fields: tuple[Field, ...] = ()
    is_messages: bool = False
    variant_of: str = ""


COPY = "copy"  # the place of what is taken as a copy of another place of the source, whose pointer is its record


class Taken(NamedTuple):
    """Where in the Bundle a value of the source stands: in a record of a collection, below it."""

    place: str
    record: str
    core: At


@dataclass(slots=True)
class Reading:
    """One source document while it is read, and what of it the core has taken.

    Attributes:
        artifact: Identity of the document within the Bundle ("artifact:0").
        name: Its file name without a path; "" when it has none.
        tree: The JSON value; never modified.
        format, version: Of the document; version "" when it does not say.
        places: The room's table.
        taken: Each place of the source that the core holds.
        links: Place to record to JSON Pointer in the source: what restore.py goes by.
        opened: Each object that stands for a record: it is made again from the record, however little it held.
        escapes: Whether the source itself holds objects of the form of a marker.
        part: What tells it from the other documents of the same Bundle when it is written again ("cont-1"), in words
            of ours; "" for the only or main one.
        copies: JSON Pointers of what the source says twice, to where it says it first.
        texts: Places of JSON texts that were opened, with the name of their form (forms.py) and their value.
        raw: Its bytes, b"" when they are not at hand; what `verify.py` begins with.
    """

    artifact: str
    name: str
    tree: Any
    format: str
    version: str
    places: Mapping[str, Place]
    taken: dict[At, Taken] = field(default_factory=dict)
    links: dict[str, dict[str, str]] = field(default_factory=dict)
    opened: set[At] = field(default_factory=set)
    escapes: bool = False
    part: str = ""
    copies: dict[str, str] = field(default_factory=dict)
    texts: dict[At, tuple[str, Any]] = field(default_factory=dict)
    raw: bytes = b""

    def take(self, place: str, record: str, at: At, source: Any) -> Json:
        """The members that this place's fields give to its record, nested as the record has them.

        Args:
            place: Name of a Place of the room's table.
            record: Identity of the record in its collection, or JSON Pointer of a part of the Bundle.
            at: Where `source` stands in the document.
            source: The object; anything else gives nothing.
        """
        kind = self.places[place]
        members: Json = {}
        if type(source) is not dict:
            return members
        self.links.setdefault(place, {})[record] = pointer_of(at)
        self.opened.add(at)
        for path, core, holds, _, form in kind.fields:
            value = source.get(path[0], MISSING) if len(path) == 1 else look_up(source, path)
            if value is MISSING or not holds(value):
                continue
            if form is not None:
                value = form.core(value)
                if value is MISSING:
                    continue
            put(members, core, escaped(value) if self.escapes else value)
            self.taken[(*at, *path)] = Taken(place, record, core)
        return members

    def take_whole(self, place: str, record: str, at: At) -> None:
        """Say that the record holds everything at this place (an array of messages in a state)."""
        self.links.setdefault(place, {})[record] = pointer_of(at)
        self.taken[at] = Taken(place, record, ())

    def repeats(self, at: At, first: At) -> bool:
        """Say that one place says again what another says, when it does: one fact, which changes in both places.

        Args:
            at: The copy, of which nothing is taken.
            first: What is taken, or left to the residue.
        """
        copy = look_up(self.tree, at)
        if copy is MISSING or not is_same(copy, look_up(self.tree, first)):
            return False
        self.copies[pointer_of(at)] = pointer_of(first)
        self.taken[at] = Taken(COPY, pointer_of(first), ())
        return True

    def open_text(self, at: At, form: str, value: Any) -> None:
        """Say that the JSON text at a place is looked into, with `value` as the source of what is taken of it."""
        self.texts[at] = (form, value)


def look_up(tree: Any, path: At) -> Any:
    """The value at a path, MISSING when there is none."""
    for token in path:
        if type(tree) is dict:
            tree = tree.get(token if type(token) is str else str(token), MISSING)
        elif type(tree) is list and type(token) is int and 0 <= token < len(tree):
            tree = tree[token]
        else:
            return MISSING
    return tree


def is_same(one: Any, other: Any) -> bool:
    """Whether two JSON values are equal, numbers and booleans by their types too; the order of members is none."""
    pending = [(one, other)]
    while pending:
        a, b = pending.pop()
        if type(a) is not type(b):
            return False
        if type(a) is dict:
            if a.keys() != b.keys():
                return False
            pending.extend([(value, b[name]) for name, value in a.items()])
        elif type(a) is list:
            if len(a) != len(b):
                return False
            pending.extend(zip(a, b, strict=True))
        elif a != b:
            return False
    return True


def put(tree: Json, path: At, value: Any) -> None:
    """Set a value below an object, making the objects on the way."""
    for token in path[:-1]:
        tree = tree.setdefault(token, {})  # type: ignore[arg-type]
    tree[path[-1]] = value  # type: ignore[index]


def merged(base: Json, more: Json) -> Json:
    """Two nested objects as one; where both say something that is no object, `more` does."""
    result = dict(base)
    for name, value in more.items():
        known = result.get(name)
        result[name] = merged(known, value) if type(known) is dict and type(value) is dict else value
    return result


def pointer_of(at: At) -> str:
    """The JSON Pointer of these tokens."""
    return "".join(["/" + (_name(token) if type(token) is str else str(token)) for token in at])


def _name(token: str) -> str:
    return token.replace("~", "~0").replace("/", "~1") if "~" in token or "/" in token else token


def tokens_of(pointer: str) -> At:
    """The tokens of a JSON Pointer; what reads as a position is one."""
    if not pointer:
        return ()
    parts = pointer[1:].split("/")
    return tuple(
        int(part) if part.isascii() and part.isdigit() and (part == "0" or part[0] != "0") and len(part) < 19
        else part.replace("~1", "/").replace("~0", "~")
        for part in parts
    )  # fmt: skip


def nested(taken: Iterable[At], opened: Iterable[At] = ()) -> Any:
    """Places as nested objects: True where a whole value is taken, {} where its parts are looked at."""
    root: dict[Any, Any] = {}
    for at in opened:
        here = root
        for token in at:
            here = here.setdefault(token, {})
    holder: Any = None
    above: At | None = None  # neighbours are taken one after the other
    for at in taken:
        if not at:
            return True
        if at[:-1] != above:
            above = at[:-1]
            holder = root
            for token in above:
                holder = holder.setdefault(token, {})
                if holder is True:  # below something that was taken whole
                    break
        if holder is not True:
            holder[at[-1]] = True
    return root


def holds_markers(raw: bytes) -> bool:
    """Whether a text may hold objects that read as markers of a Bundle: they are spelled plainly, or with escapes."""
    if b"\0" in raw or b"\\u0024" in raw:
        return True
    return b'"$' in raw and any(spelled in raw for spelled in (b'"$at"', b'"$\\u0061', b'"$a\\u0074'))


def escaped(value: Any) -> Any:
    """A value of a foreign document in which what looks like a marker is marked as literal (bundle.md §4.5)."""

    def one(here: Any, pending: _Pending) -> Any:
        copy = _opened(here, pending)
        is_like_marker = type(here) is dict and MARKER_KEY in here  # with other members it is a bad one (AT702)
        return {MARKER_KEY: {"status": "literal", "value": copy}} if is_like_marker else copy

    return _rebuilt(value, one)


def unescaped(value: Any) -> Any:
    """The value again as the foreign document had it; other markers stay as they are."""

    def one(here: Any, pending: _Pending) -> Any:
        body = here.get(MARKER_KEY) if type(here) is dict and len(here) == 1 else None
        if type(body) is dict and body.get("status") == "literal" and "value" in body:
            here = body["value"]
        return _opened(here, pending)

    return _rebuilt(value, one)


def copied(value: Any) -> Any:
    """A copy whose containers are its own, of any depth that `--max-depth` lets through."""
    return _rebuilt(value, _opened)


def _rebuilt(value: Any, one: Callable[[Any, _Pending], Any]) -> Any:
    """A value made anew, each part by `one`, which puts what is still to be made into the list that it is given."""
    root: list[Any] = [None]
    pending: _Pending = [(value, root, 0)]
    while pending:
        here, parent, key = pending.pop()
        parent[key] = one(here, pending)
    return root[0]


def _opened(value: Any, pending: _Pending) -> Any:
    """A container of the same shape, whose values are still to be filled in; anything else as it is."""
    if type(value) is dict:
        members: Json = dict.fromkeys(value)
        pending.extend([(one, members, name) for name, one in value.items()])
        return members
    if type(value) is list:
        items: list[Any] = [None] * len(value)
        pending.extend([(one, items, position) for position, one in enumerate(value)])
        return items
    return value
