"""Wrong types anywhere crash nothing, nothing is changed, nothing of a document is repeated, and time stays linear."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from attraj.bundle.checks.pairs import check_pair
from attraj.bundle.checks.pairs.relation import RELATIONS
from attraj.bundle.model import Bundle
from tests.bundle.checks.pairs.support import base, redaction
from tests.support import json_patch

VALUES: list[Any] = [None, True, 0, 1.5, "", "x", [], [[]], [None], {}, {"a": []}, {"$at": 1}, {"$at": {"status": []}}]
VALUES += [{"availability": []}, {"availability": "redacted"}, 2**80, "\ud800"]


def _places(tree: Any) -> list[str]:
    found: list[str] = []
    pending = [("", tree)]
    for at, value in pending:
        items = value.items() if type(value) is dict else enumerate(value) if type(value) is list else ()
        for key, inner in items:
            pointer = f"{at}/{str(key).replace('~', '~0').replace('/', '~1')}"
            found.append(pointer)
            pending.append((pointer, inner))
    return found


DOCUMENTS = {name: base(name) for name in ("full", "episode", "dataset")}
CHANGES = st.sampled_from([(name, place) for name, tree in DOCUMENTS.items() for place in _places(tree)])


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(CHANGES, st.sampled_from(VALUES), st.sampled_from(RELATIONS), st.booleans())
def test_wrong_types_crash_nothing(change: tuple[str, str], value: Any, relation: str, is_new: bool) -> None:
    name, place = change
    changed = json_patch(DOCUMENTS[name], [{"op": "replace", "path": place, "value": value}])
    other = DOCUMENTS["episode"] if name == "dataset" else DOCUMENTS["full"]
    new, old = (changed, other) if is_new or name != "full" else (other, changed)
    before = copy.deepcopy((new, old))
    check_pair(Bundle(new), Bundle(old), relation)
    assert (new, old) == before


def test_no_finding_repeats_what_stands_in_a_document() -> None:
    canary = "canary" + "77731"
    old = json.loads(json.dumps(base()).replace("tidehouse", canary).replace("node:", f"{canary}:"))
    for relation in RELATIONS:
        new = json.loads(json.dumps(old).replace("level", "lewel").replace("committed", "done"))
        new["nodes"].pop()
        new["transform"]["derived_from"][0]["trajectory_id"] = canary
        found = check_pair(Bundle(new), Bundle(old), relation)
        assert found
        assert not [f for f in found if canary in f.message + f.hint + "".join(r.message for r in f.related)]


@pytest.mark.parametrize("relation", ["redaction", "derive", "reexport"])
def test_a_large_pair_is_compared_in_linear_time(relation: str) -> None:
    """20,000 nodes of one chain, each with a new edge to its grandparent: quadratic work would take minutes."""
    old = base("minimal")
    count = 20_000
    old["nodes"] = [{"node_id": f"n{i}", "kind": "event", "observation": f"seen {i:06d}!"} for i in range(count)]
    old["edges"] = [{"from": f"n{i}", "to": f"n{i + 1}", "relation": "caused_by"} for i in range(count - 1)]
    new = copy.deepcopy(old)
    for node in new["nodes"]:
        node["observation"] = {"$at": {"status": "redacted"}}
    new["edges"] += [{"from": f"n{i}", "to": f"n{i + 2}", "relation": "caused_by"} for i in range(count - 2)]
    found = check_pair(Bundle(new), Bundle(old), relation)
    assert sum(f.code in ("AT312", "AT314") for f in found) == (0 if relation == "reexport" else count - 2)


def test_the_order_of_findings_is_that_of_the_documents() -> None:
    new, old = redaction({"op": "remove", "path": "/nodes/4/observation"}), base()
    new["nodes"][5].pop("effect")
    first = [f.location for f in check_pair(Bundle(new), Bundle(old), "redaction")]
    assert first == [f.location for f in check_pair(Bundle(copy.deepcopy(new)), Bundle(old), "redaction")]
