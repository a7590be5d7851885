"""A recording → the Bundle, changed there → a recording: what was changed is, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from attraj.jsonio import parse
from attraj.verbs.convert import Request, convert
from tests.formats.bundles import bundle
from tests.formats.react_web.documents import FULL, step

Json = dict[str, Any]
STEPS = [
    step(1, "thought"),
    step(1, "action", tool="a"),
    step(1, "action", tool="b"),
    step(1, "observation", tool="b"),
    step(1, "observation", tool="a"),
    step(3, "thought"),
    step(3, "answer"),
]
DOCUMENT = {**FULL, "condition": "c", "tags": ["x"], "steps": STEPS}


def without(*names: str) -> Callable[[Json], None]:
    def change(tree: Json) -> None:
        tree["nodes"] = [node for node in tree["nodes"] if node["node_id"] not in names]
        tree["edges"] = [edge for edge in tree["edges"] if not {edge["from"], edge["to"]} & {*names}]

    return change


def content(tree: Json) -> None:
    next(node for node in tree["nodes"] if node["node_id"] == "step:4")["observation"] = "changed"


def label(tree: Json) -> None:
    tree["outcomes"][0]["status"] = "failed"


def answered_later(tree: Json) -> None:
    without("step:1")(tree)
    added = {"node_id": "new", "kind": "decision", "sequence": 99, "topic": "answer", "payload": {"content": "More."}}
    tree["nodes"].append(added)


CHANGES = [
    pytest.param(lambda tree: None, STEPS, {}, id="nothing"),
    pytest.param(content, [*STEPS[:3], {**STEPS[3], "content": "changed"}, *STEPS[4:]], {}, id="a-text"),
    pytest.param(label, STEPS, {"outcome": "failure"}, id="the-label"),
    pytest.param(without("step:4"), [*STEPS[:3], *STEPS[4:]], {}, id="a-result-is-taken-out"),
    pytest.param(without("step:1"), STEPS[1:], {}, id="a-thought-is-taken-out"),
    pytest.param(answered_later, [*STEPS[1:], step(4, "answer", content="More.")], {}, id="a-decision-is-added"),
]


@pytest.mark.parametrize(("change", "steps", "members"), CHANGES)
def test_what_is_changed_in_the_bundle_is_changed_in_the_file(
    change: Callable[[Json], None], steps: list[Any], members: Json
) -> None:
    tree = bundle("react-web", json.dumps(DOCUMENT).encode())
    change(tree)
    made = convert(parse(json.dumps(tree).encode()), "run", Request("react-web"))
    assert {**DOCUMENT, **members, "steps": steps} == json.loads(made.outputs[0].text)


def test_thoughts_alone_are_left_out_on_request() -> None:
    raw = json.dumps(DOCUMENT).encode()
    made = convert(parse(raw), "run", Request("react-web", strips_thoughts=True, is_verified=True))
    steps = [one for one in STEPS if one["type"] != "thought"]
    assert {**DOCUMENT, "steps": steps} == json.loads(made.outputs[0].text)
    assert ["stripped-thoughts"] * 2 == [loss.code for loss in made.losses]
