"""What stands in the content of a Bundle, wherever it stands: marks of withholding, reasoning, secrets.

Each question first asks the bytes, at memory speed, whether there can be anything; only then is the tree walked, and
each distinct text is looked at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from attraj.bundle import holders
from attraj.bundle.holders import Holders
from attraj.bundle.leaves import Container, Way, containers_in, keys_of, members, pointer_of
from attraj.bundle.markers import MARKER_KEY, PLACEHOLDERS, has_span, is_marker, is_placeholder, status_of
from attraj.bundle.shape import COLLECTIONS
from attraj.secrets.quick.detector import Detector, Span
from attraj.secrets.quick.gate import HIDDEN, Gate, gate_of, may_hold
from attraj.secrets.quick.scan import find, possible

if TYPE_CHECKING:
    from attraj.bundle.index import BundleIndex

Json = dict[str, Any]


class _Sought(NamedTuple):
    """Something that is looked for in a document.

    Attributes:
        gate: Open when the document may hold it.
        patterns: For `re`, each beginning with a literal (any other is slow): one of them matches wherever it stands.
        is_quick: The gate takes less time alone than together with that for what is hidden.
    """

    gate: Gate
    patterns: tuple[bytes, ...]
    is_quick: bool = False


_SHORT = 64  # characters
_BATCH = 64  # objects and arrays whose texts are searched together
_SPAN = r"<[A-Z][A-Z_]{1,20}_[0-9]{1,9}>"
_SPAN_STARTS = tuple(b"<%c" % letter for letter in range(65, 91))
_MARKERS = _Sought(gate_of([f'"{MARKER_KEY}"']), (rb'\$(?=at")',))
_PLACEHOLDERS = _Sought(
    Gate(
        (*(f'"{word}"'.encode() for word in sorted(PLACEHOLDERS)), *(b'"' + start for start in _SPAN_STARTS)),
        r'"(?:\[REDACTED\]|\[redacted\]|<redacted>|<REDACTED>|\*\*\*|<[A-Z][A-Z_]{1,20}_[0-9]{1,9}>)"',
    ),
    (rb'<(?:redacted|REDACTED|[A-Z][A-Z_]{1,20}_[0-9]{1,9})>"', rb'\[(?:redacted|REDACTED)\]"', rb'\*\*\*"'),
)
_SPANS = _Sought(Gate(_SPAN_STARTS, _SPAN), (_SPAN.encode(),), is_quick=True)
_WITHHELD = _Sought(
    Gate((b'"availability"',), r'"availability"[ \t\r\n]*:[ \t\r\n]*"(?:redacted|omitted)"'),
    (rb'"availability"[ \t\r\n]*:[ \t\r\n]*"(?:redacted|omitted)"',),
    is_quick=True,
)
# Members that hold a model's private reasoning, and the types of the parts that do, as providers name them.
REASONING_MEMBERS = frozenset(
    {"encrypted_content", "reasoning_content", "thought_signature", "thoughtSignature", "redacted_thinking"}
)
REASONING_TYPES = frozenset({"reasoning", "thinking", "redacted_thinking"})
_REASONING_PARTS = ("text", "content", "thinking", "reasoning", "data", "signature")
_REASONING_GATE = gate_of([f'"{word}"' for word in sorted(REASONING_MEMBERS | REASONING_TYPES)])
_REASONING = _Sought(_REASONING_GATE, tuple(map(re.escape, _REASONING_GATE.words)))


class Place(NamedTuple):
    """A value in the document.

    Attributes:
        way: Leads to the value itself.
        value: The value.
    """

    way: Way
    value: Any

    @property
    def pointer(self) -> str:
        return pointer_of(self.way)

    @property
    def keys(self) -> tuple[str | int, ...]:
        return keys_of(self.way)


class Secret(NamedTuple):
    """A text, or the name of a member, that holds what must not be published.

    Attributes:
        pointer: Of the text; of the object, when it is the name of a member.
        is_name: Whether it is the name of a member.
        spans: What it holds, in order.
    """

    pointer: str
    is_name: bool
    spans: tuple[Span, ...]


class Content:
    """Look-ups over everything in one Bundle, each made when it is first asked for.

    Args:
        raw: The bytes of the document; b"" when they are not at hand.
        tree: What they hold.
        index: Over the tree.
    """

    def __init__(self, raw: bytes, tree: Json, index: BundleIndex) -> None:
        # Not the Bundle, which holds this: a circle would keep the tree for as long as nobody collects garbage.
        self._raw = raw
        self._tree = tree
        self._index = index

    @cached_property
    def _is_plain(self) -> bool:
        """One pass that proves that there are neither marks nor reasoning: what a clean document pays."""
        return not may_hold(self._raw, _MARKERS.gate, _PLACEHOLDERS.gate, _REASONING.gate, HIDDEN)

    @cached_property
    def _holders(self) -> Holders | None:
        """Tells which records hold something; None when all may, for the bytes are few or may hide it."""
        if len(self._raw) <= holders.SMALL or may_hold(self._raw, HIDDEN):
            return None
        return Holders(self._raw, {name: self._index.items(name) for name in COLLECTIONS})

    def _containers(self, sought: _Sought) -> Sequence[Container]:
        """Every object and array in which what is sought can stand; others may be among them."""
        # Where there are holders nothing is hidden. (With that in it, the pass for most gates takes less time.)
        is_sure = self._holders is not None and sought.is_quick
        if not may_hold(self._raw, sought.gate, *(() if is_sure else (HIDDEN,))):
            return ()
        if self._holders is None:
            return self._index.containers
        return containers_in(self._tree, self._holders.of(sought.gate, sought.patterns))

    @cached_property
    def marked(self) -> list[Container]:
        """Every object with a member `$at`, also in the data of the source, and the way to it."""
        if self._is_plain:
            return []
        if self._holders is not None and self._index.items("nodes"):
            only, count = self._holders.guess(_MARKERS.gate, _MARKERS.patterns, self._index.node_positions)
            found = _marked(containers_in(self._tree, only))
            if len(found) == count:
                return found
        return _marked(self._containers(_MARKERS))

    @cached_property
    def marked_nodes(self) -> frozenset[int]:
        """Positions of the nodes in which, at any depth, an object with a member `$at` stands."""
        return frozenset(
            keys[1]
            for way, _ in self.marked
            if len(keys := keys_of(way)) > 1 and keys[0] == "nodes"
            if type(keys[1]) is int
        )

    @cached_property
    def markers(self) -> list[Place]:
        """Every object with a member `$at`, well formed or not."""
        marked: Iterable[Container] = self.marked
        if any(status_of(item) == "literal" for _, item in self.marked):
            marked = _outside_literals(self._containers(_MARKERS))
        return [Place(way, item) for way, item in marked if type(item) is dict and MARKER_KEY in item]

    @cached_property
    def withheld(self) -> list[Place]:
        """The markers that say that something was taken away on purpose: redacted or omitted."""
        return [place for place in self.markers if status_of(place.value) in ("redacted", "omitted")]

    @cached_property
    def placeholders(self) -> list[Place]:
        """Whole texts that stand for something that was taken away, outside the declarations of `disclosure`."""
        found: list[Place] = []
        for way, item in () if self._is_plain else self._containers(_PLACEHOLDERS):
            for key, value in members(item):
                if type(value) is str and len(value) < _SHORT and is_placeholder(value):
                    place = Place((way, key), value)
                    if place.keys[0] != "disclosure" and key != "alias":
                        found.append(place)
        return found

    @cached_property
    def spans(self) -> list[Place]:
        """Texts in which a part is replaced by a placeholder such as the ones that `attraj redact` writes."""
        return [
            Place((way, key), value)
            for way, item in self._containers(_SPANS)
            for key, value in members(item)
            if type(value) is str and has_span(value)
        ]

    @cached_property
    def withheld_objects(self) -> list[Place]:
        """States, bindings, artifacts … whose availability says that their content was taken away on purpose."""
        return [
            Place(way, item)
            for way, item in self._containers(_WITHHELD)
            if type(item) is dict and item.get("availability") in ("redacted", "omitted")
        ]

    @cached_property
    def reasoning(self) -> list[Place]:
        """Every object that carries private reasoning, readable or sealed by its provider."""
        outside = _outside_literals(() if self._is_plain else self._containers(_REASONING))
        return [Place(way, item) for way, item in outside if type(item) is dict and _has_reasoning(item)]

    @cached_property
    def secrets(self) -> list[Secret]:
        """Every text and every name of a member that holds a credential or personal data."""
        detectors = possible(self._raw)
        return list(self._secrets(detectors)) if detectors else []

    def _secrets(self, detectors: Sequence[Detector]) -> Iterator[Secret]:
        yield from self._secret_names(detectors)
        known: dict[str, tuple[Span, ...]] = {}
        everything = self._index.containers
        for start in range(0, len(everything), _BATCH):
            batch = everything[start : start + _BATCH]
            left = _suspected(batch, detectors)
            for way, item in batch if left else ():
                for key, value in members(item):
                    if type(value) is str:
                        # Long texts come again and again: a history is in every step.
                        if value not in known:
                            known[value] = tuple(find(value, detectors))
                        if known[value]:
                            yield Secret(pointer_of(way, key), False, known[value])

    def _secret_names(self, detectors: Sequence[Detector]) -> Iterator[Secret]:
        names: set[str] = set()
        for _, item in self._index.containers:
            if type(item) is dict:
                names.update(item)
        leaking = {name: tuple(spans) for name in names if (spans := find(name, detectors))}
        for way, item in self._index.containers if leaking else ():
            for name in item if type(item) is dict else ():
                if name in leaking:
                    yield Secret(pointer_of(way), True, leaking[name])


def _marked(containers: Iterable[Container]) -> list[Container]:
    return [(way, item) for way, item in containers if type(item) is dict and MARKER_KEY in item]


def _outside_literals(containers: Iterable[Container]) -> Iterator[Container]:
    """Those outside the values of literal markers, which are data of the source."""
    verbatim: set[int] = set()
    for way, container in containers:
        if way is not None and id(way[0]) in verbatim:
            verbatim.add(id(way))
        else:
            yield way, container
            if status_of(container) == "literal":
                verbatim.add(id(way))


def _suspected(batch: list[tuple[Way, Any]], detectors: Sequence[Detector]) -> list[Detector]:
    """The detectors that may find something in the texts of these containers, which are searched as one."""
    items = (item.values() if type(item) is dict else item for _, item in batch)
    joined = "\n".join([value for values in items for value in values if type(value) is str])
    return [detector for detector in detectors if detector.may_match(joined)]


def _has_reasoning(item: dict[str, Any]) -> bool:
    kind = item.get("type")
    is_typed = type(kind) is str and kind in REASONING_TYPES
    if is_typed and any(_is_there(item.get(part)) for part in _REASONING_PARTS):
        return True
    if type(kind) is str and kind.startswith("web_search"):
        return False  # a search result, sealed by the provider as well
    return any(_is_there(item[name]) for name in REASONING_MEMBERS if name in item)


def _is_there(value: Any) -> bool:
    if type(value) is str:
        return value != "" and not is_placeholder(value)
    return type(value) in (dict, list) and bool(value) and not is_marker(value)


def record_of(keys: tuple[str | int, ...]) -> tuple[str, int] | None:
    """Collection and position of the record that a place stands in; None when it stands in no record."""
    if len(keys) >= 2 and keys[0] in COLLECTIONS and type(keys[1]) is int:
        return str(keys[0]), keys[1]
    return None


def dotted(keys: tuple[str | int, ...]) -> str:
    """A path as the reference form writes it: the names of members joined by dots, positions left out."""
    return ".".join(key for key in keys if type(key) is str)
