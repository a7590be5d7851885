"""JSON values of every kind, with names that break pointers; Bundles in which random parts of one are mapped."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from hypothesis import strategies as st

from attraj.bundle.model import Bundle
from attraj.formats.mapping.draft import Draft, Settings
from attraj.formats.mapping.fields import At, Field, Place, escaped, tokens_of
from attraj.formats.mapping.holds import is_any
from attraj.formats.mapping.messages import Sharing
from attraj.formats.mapping.restore import restore, sources
from attraj.jsonio.write import dumps

NAMES = st.sampled_from(["a", "b", "c", "0", "1", "12", "01", "-", "", "*", "a/b", "~", "~1", "$at", "é", "status"])
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.sampled_from([2**63, 10**40, -0.0, 1.0, 1e300]),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=4),
)
LIKE_MARKERS = st.sampled_from(
    [
        {"$at": 1},
        {"$at": {"status": "redacted", "alias": "<EMAIL_1>"}},
        {"$at": {"status": "literal", "value": {"$at": 1}}},
        {"$at": {"$at": {}}},
        {"$at": {"status": "literal", "value": {"$at": {"status": "literal", "value": {"$at": None}}}}},
    ]
)
VALUES = st.recursive(
    SCALARS | LIKE_MARKERS, lambda v: st.lists(v, max_size=4) | st.dictionaries(NAMES, v, max_size=4), max_leaves=20
)
OBJECTS = st.dictionaries(NAMES, VALUES, max_size=5)
TREES = st.lists(VALUES, max_size=5) | OBJECTS


class Mapped(NamedTuple):
    """A Bundle in which random parts of a source are mapped, as its bytes say it.

    Attributes:
        taken: Each place of the source that the core holds, with its place in the Bundle.
    """

    tree: dict[str, Any]
    places: Mapping[str, Place]
    taken: dict[At, At]

    def restored(self) -> Any:
        bundle = Bundle(self.tree)
        return restore(bundle, sources(bundle)[0], self.places)


def containers(tree: Any) -> list[tuple[At, Any]]:
    """Every object and array with its place."""
    found: list[tuple[At, Any]] = []
    pending: list[tuple[At, Any]] = [((), tree)]
    while pending:
        at, value = pending.pop()
        if type(value) in (dict, list):
            found.append((at, value))
            pairs: Any = value.items() if type(value) is dict else enumerate(value)
            pending.extend((((*at, token), one) for token, one in pairs))
    return found


def leaves(tree: Any) -> dict[At, Any]:
    """Every value that is no object and no array, and every empty one, with its place."""
    found: dict[At, Any] = {}
    pending: list[tuple[At, Any]] = [((), tree)]
    while pending:
        at, value = pending.pop()
        if type(value) in (dict, list) and value:
            pairs: Any = value.items() if type(value) is dict else enumerate(value)
            pending.extend((((*at, token), one) for token, one in pairs))
        else:
            found[at] = value
    return found


def same(one: Any, other: Any) -> bool:
    """Whether two JSON values are equal in type and value, the order of members and the sign of zero among it."""
    return dumps(one) == dumps(other)


@st.composite
def mapped(draw: st.DrawFn, trees: st.SearchStrategy[Any] = TREES) -> tuple[Any, Mapped]:
    """A source, and the Bundle that a room would make of it whose table takes these parts."""
    source = draw(trees)
    draft = Draft("demo", Settings(name="demo"))
    reading = draft.read(source, b"" if draw(st.booleans()) else dumps(source), "", "", {})
    places: dict[str, Place] = {}
    reading.places = places
    sharing = Sharing()
    whole: list[At] = []
    for number, (at, value) in enumerate(containers(source)):
        if not draw(st.booleans()) or any(at[: len(one)] == one for one in whole):
            continue
        if type(value) is list:
            whole.append(at)
            places[f"list{number}"] = Place(f"list{number}", "states", is_messages=True)
            kept = [escaped(one) for one in value] if reading.escapes else None
            draft.state(f"s{number}", "state_view", "included", sharing.content(f"s{number}", value, kept))
            reading.take_whole(f"list{number}", f"s{number}", at)
        else:
            named = [name for name, one in value.items() if type(one) is not list and tokens_of(f"/{name}") == (name,)]
            fields = [name for name in named if draw(st.booleans())]
            whole += [(*at, name) for name in fields]
            rows = tuple(Field((name,), ("payload", f"m{i}"), is_any) for i, name in enumerate(fields))
            places[f"place{number}"] = Place(f"place{number}", "nodes", rows)
            draft.node(f"n{number}", "event", reading.take(f"place{number}", f"n{number}", at, value), (reading, at))
    tree = json.loads(dumps(draft.finish()))
    position = {node["node_id"]: ("nodes", index) for index, node in enumerate(tree["nodes"])}
    taken = {at: (*position[one.record], *one.core) for at, one in reading.taken.items() if one.record in position}
    return source, Mapped(tree, places, taken)
