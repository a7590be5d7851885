"""The thread in which a run ends."""

from __future__ import annotations

from typing import Any

import pytest

from attraj.bundle.model import Bundle
from attraj.formats.mapping.segments import last_segment

NODES = [{"node_id": name, "thread_id": name} for name in ("b", "c", "attempt:1", "attempt:2")] + [{"node_id": "a"}]


def resumes(*pairs: str) -> list[dict[str, Any]]:
    return [{"from": pair[0], "to": pair[1], "relation": "resumes"} for pair in pairs]


RUNS = [
    pytest.param([], ["", "b"], "", id="nothing-goes-on"),
    pytest.param(resumes("ab", "bc"), ["", "b", "c"], "c", id="segment-after-segment"),
    pytest.param(resumes("ab", "bc"), ["", "b"], "b", id="what-is-written-alone"),
    pytest.param(resumes("ab", "ba"), ["", "b"], "b", id="a-circle-is-gone-round-once"),
    pytest.param([{"from": "a", "to": "b", "relation": "delegates"}], ["", "b"], "", id="a-subagent-is-no-segment"),
    pytest.param(resumes("ax"), ["", "b"], "", id="a-node-that-is-not-here"),
    pytest.param([], ["attempt:1", "attempt:2"], None, id="of-several-attempts-nobody-knows"),
    pytest.param([], ["attempt:1"], "attempt:1", id="the-attempt-that-was-chosen"),
    pytest.param([], [], None, id="no-thread"),
]


@pytest.mark.parametrize(("edges", "names", "expected"), RUNS)
def test_a_run_ends_in_its_last_segment(edges: list[dict[str, Any]], names: list[str], expected: str | None) -> None:
    assert expected == last_segment(Bundle({"nodes": NODES, "edges": edges}), names)
