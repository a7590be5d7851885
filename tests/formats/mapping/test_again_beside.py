"""A Bundle of a folder, changed since: what its documents do not say again is lost by name, and nothing else is."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from attraj.formats.atif import read as reading
from attraj.formats.mapping.draft import Draft, Settings
from attraj.jsonio import parse
from attraj.jsonio.write import dumps
from attraj.verbs.convert import Request, convert
from tests.formats.atif.documents import steps, turn

Json = dict[str, Any]


def folder() -> Json:
    """The Bundle of a folder of two trajectories, one of which calls the other, and a file that is none."""
    reference = {"source_call_id": "c", "subagent_trajectory_ref": [{"trajectory_path": "sub.json"}]}
    run = Draft("harbor", Settings(trajectory_id="trial"))
    run.file = "result.json"
    run.read({"n": 1}, b'{"n":1}', "result.json", "", {}, "harbor")
    main = steps({}, turn(observation={"results": [reference]}), turn("d", reasoning_content="hm"))
    for name, thread, tree in (("main", "", main), ("sub", "sub", steps({}, turn()))):
        run.file = f"{name}.json"
        prefix = f"{thread}/" if thread else ""
        reading.read_into(run, tree, dumps(tree), "", thread=thread, prefix=prefix).part = thread
    reading.link(run, {"sub.json": "sub"})
    return run.finish()


def lost(bundle: Json, **request: Any) -> set[tuple[str, str]]:
    """Code and place of each loss of giving the documents back that is none of an unchanged Bundle."""

    def losses(tree: Json) -> set[tuple[str, str]]:
        made = convert(parse(dumps(tree)), "run", Request("atif", **request))
        assert made.status == "converted", made.reason
        return {(one.code, one.pointer) for one in made.losses}

    return losses(bundle) - losses(folder())


def mask(bundle: Json) -> None:
    bundle["nodes"][1]["training"] = {"target": False}


def add_node(bundle: Json) -> None:
    bundle["nodes"].append({"node_id": "mine", "kind": "event", "sequence": 99, "payload": {"x": 1}})


def add_member(bundle: Json) -> None:
    bundle["nodes"][0]["payload"]["review"] = "good"


def add_edge(bundle: Json) -> None:
    ends = {"from": bundle["nodes"][0]["node_id"], "to": bundle["nodes"][-1]["node_id"]}
    bundle["edges"].append({"edge_id": "mine", **ends, "relation": "depends_on", "basis": "recorded"})


def grant(bundle: Json) -> None:
    bundle["rights"]["training"] = False


def seal(bundle: Json) -> None:
    bundle["integrity"]["reason"] = "to be sealed later"


def judge(bundle: Json) -> None:
    bundle["outcomes"].append({"outcome_id": "o", "status": "succeeded"})


def rewrite(bundle: Json) -> None:
    bundle["nodes"][0]["payload"]["content"] = "other"


LAST = len(folder()["nodes"])
CHANGES = [
    pytest.param(mask, {("masks", "/nodes/1/training")}, id="a-mask"),
    pytest.param(add_node, {("added-record", f"/nodes/{LAST}")}, id="a-node"),
    pytest.param(add_member, {("content", "/nodes/0/payload/review")}, id="a-member"),
    pytest.param(add_edge, {("causal-edges", f"/edges/{len(folder()['edges'])}")}, id="an-edge"),
    pytest.param(grant, {("rights", "/rights")}, id="a-right"),
    pytest.param(seal, {("integrity", "/integrity/reason")}, id="what-is-said-of-a-digest"),
    pytest.param(judge, {("outcomes", "/outcomes/0")}, id="an-outcome"),
    pytest.param(rewrite, set(), id="what-the-documents-say"),
]


@pytest.mark.parametrize("request_", [{}, {"splits_subagents": True}], ids=["given-back", "changed-on-the-way"])
@pytest.mark.parametrize(("change", "expected"), CHANGES)
def test_what_somebody_added_is_lost_by_name(
    change: Callable[[Json], None], expected: set[tuple[str, str]], request_: Json
) -> None:
    bundle = copy.deepcopy(folder())
    change(bundle)
    assert lost(bundle, **request_) == expected
