"""Laws: whatever a document holds, it is read, comes back as it was, and is written so that Harbor takes it."""

from __future__ import annotations

import copy
import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from attraj.bundle.model import Bundle
from attraj.formats.atif import shape
from attraj.formats.atif.verdict import harbor
from attraj.formats.atif.write import compose
from attraj.formats.atif.write_documents import Composer
from attraj.formats.mapping.account import losses_of
from attraj.formats.mapping.fields import is_same
from attraj.formats.mapping.held import Ledger, settle
from attraj.formats.mapping.rooms import NotWritable, Wanted
from attraj.jsonio import Document
from attraj.jsonio.write import dumps
from tests.formats.atif.bundles import back, errors, read
from tests.formats.atif.documents import full, steps, turn

NAMES = sorted({name for members in shape.OBJECTS.values() for name in members})
MARKER = {"$at": {"status": "redacted", "alias": "<SECRET_1>"}}
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 3),
    st.sampled_from([0.5, "", "agent", "user", "system", "c", "replace", "2026-01-01T00:00:00Z", "a.json"]),
    st.just(MARKER),
    st.text(max_size=3),
)
KEYS = st.one_of(st.sampled_from(NAMES), st.sampled_from(["$at", "0", "context_management", "is_sidechain"]))
VALUES = st.recursive(SCALARS, lambda v: st.lists(v, max_size=2) | st.dictionaries(KEYS, v, max_size=3), max_leaves=6)
CHILD = {**steps({}, turn(reasoning_content="hm")), "trajectory_id": "child"}
BASES = [
    full(),
    steps({}, turn(), {"extra": {"context_management": {"boundary": "replace"}}, "source": "system"}, turn()),
    steps(
        {},
        turn(
            observation={"results": [{"source_call_id": "c", "subagent_trajectory_ref": [{"trajectory_id": "child"}]}]}
        ),
        subagent_trajectories=[CHILD],
        continued_trajectory_ref="next.json",
    ),
]
CHANGES = st.lists(st.tuples(st.integers(0, 10**6), st.sampled_from(["set", "drop", "add"]), KEYS, VALUES), max_size=4)


def changed(base: Any, changes: list[Any]) -> Any:
    """A copy with some places set, dropped or added; which ones is told by number."""
    tree = copy.deepcopy(base)
    for number, how, key, value in changes:
        places: list[tuple[Any, Any]] = []
        pending = [tree]
        while pending:
            here = pending.pop()
            pairs = list(here.items()) if type(here) is dict else list(enumerate(here)) if type(here) is list else []
            places += [(here, token) for token, _ in pairs]
            pending += [one for _, one in pairs]
        if not places:
            break
        holder, token = places[number % len(places)]
        if how == "drop":
            del holder[token]
        elif how == "add" and type(holder) is dict:
            holder[key] = copy.deepcopy(value)
        else:
            holder[token] = copy.deepcopy(value)
    return tree


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(BASES), CHANGES)
def test_any_document_is_read_without_errors_and_comes_back(base: Any, changes: list[Any]) -> None:
    tree = changed(base, changes)
    bundle = read(tree)
    assert errors(bundle, "bundle") == []
    assert is_same(tree, back(bundle))


WANTED = [
    Wanted(),
    Wanted("1.6"),
    Wanted("1.8", embeds_subagents=True),
    Wanted(splits_subagents=True),
    Wanted(strips_thoughts=True),
]


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(BASES), CHANGES, st.sampled_from(WANTED), st.booleans())
def test_any_bundle_is_written_so_that_harbor_takes_it(
    base: Any, changes: list[Any], wanted: Wanted, is_bundle_changed: bool
) -> None:
    bundle = changed(read(base), changes) if is_bundle_changed else read(changed(base, changes))
    ledger = Ledger()
    minor = int(wanted.version[2:]) if wanted.version else 7
    try:
        trees = [settle(one.tree, ledger).tree for one in Composer(Bundle(bundle), ledger, wanted, minor).documents()]
        list(losses_of(bundle, ledger))
        for one in compose(Bundle(bundle), Ledger(), wanted):  # restored where that is possible
            settle(one.tree, Ledger())
    except NotWritable:
        return
    for tree in trees:
        raw = dumps(tree)
        assert harbor(Document(raw, json.loads(raw)), "")["harbor-0.26"] in ("accepted", "undecided")
