"""Who said it, and which call a result is of, is told by reading what was written, whatever its writer says of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from attraj.formats.mapping.fields import At, put
from attraj.formats.mapping.loss import Loss
from attraj.formats.mapping.verify import Target
from attraj.formats.mapping.verify_meaning import garbled, misread
from attraj.verbs import proof
from tests.laws.converting import converted, document_of

PARALLEL = {
    "schema_version": "ATIF-v1.7",
    "trajectory_id": "t",
    "agent": {"name": "demo", "version": "1"},
    "steps": [
        {"step_id": 1, "source": "system", "message": "Be brief."},
        {"step_id": 2, "source": "user", "message": "List both."},
        {
            "step_id": 3,
            "source": "agent",
            "message": "Both at once.",
            "tool_calls": [
                {"tool_call_id": name, "function_name": "bash", "arguments": {"command": f"ls {name}"}}
                for name in ("a", "b")
            ],
            "observation": {"results": [{"source_call_id": name, "content": f"of {name}"} for name in ("a", "b")]},
        },
    ],
}


def work_of(tree: Any, to: str, monkeypatch: pytest.MonkeyPatch) -> proof.Work:
    found: list[proof.Work] = []

    def listen(work: proof.Work, _to: str) -> str:
        found.append(work)
        return ""

    monkeypatch.setattr(proof, "doubt", listen)
    converted(document_of(tree), to, is_verified=True)
    return found[0]


def places(work: proof.Work, to: str, tree: Any, losses: tuple[Loss, ...] = ()) -> list[str]:
    assert work.traces is not None
    targets = [Target(tree, trace) for trace in work.traces]
    found = misread(work.tree, [json.dumps(tree).encode()], targets, to, [*work.losses, *losses])
    return [f"{work.tree['nodes'][at[1]]['node_id']} {at[2]}" for at in found]


def mini() -> Any:
    return json.loads(converted(document_of(PARALLEL), "mini-swe-agent").outputs[0].text)


def cross_results(tree: Any) -> None:
    for step in tree["steps"]:
        results = step.get("observation", {}).get("results", [])
        for one, name in zip(results, [one["source_call_id"] for one in reversed(results)], strict=True):
            one["source_call_id"] = name


def cross_messages(tree: Any) -> None:
    results = [one for one in tree["messages"] if one["role"] == "tool"]
    for one, name in zip(results, [one["tool_call_id"] for one in reversed(results)], strict=True):
        one["tool_call_id"] = name


def make_user(tree: Any) -> None:
    for one in [*tree.get("steps", ()), *tree.get("messages", ()), *tree.get("history", ())]:
        for name in ("role", "source"):
            if one.get(name) == "system":
                one[name] = "user"


ASTRAY = [
    pytest.param(mini, "atif", cross_results, "observation", 2, id="results-of-two-calls-in-steps"),
    pytest.param(lambda: PARALLEL, "mini-swe-agent", cross_messages, "observation", 2, id="results-in-messages"),
    pytest.param(mini, "atif", make_user, "kind", 1, id="what-the-harness-says-as-a-user's-step"),
    pytest.param(lambda: PARALLEL, "mini-swe-agent", make_user, "kind", 1, id="as-a-user's-message"),
    pytest.param(lambda: PARALLEL, "swe-agent", make_user, "kind", 1, id="as-a-user's-entry-of-a-history"),
]


@pytest.mark.parametrize(("source", "to", "change", "what", "count"), ASTRAY)
def test_misses_what_stands_between_values(
    source: Callable[[], Any],
    to: str,
    change: Callable[[Any], None],
    what: str,
    count: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tree = source()
    work = work_of(tree, to, monkeypatch)
    written = json.loads(work.texts[0])
    assert [] == places(work, to, written)
    change(written)
    found = places(work, to, written)
    assert [what] * count == [one.split()[1] for one in found]
    named = tuple(
        Loss("code", "other", "approximated", f"/nodes/{i}/{what}", stage="write")
        for i, _ in enumerate(work.tree["nodes"])
    )
    assert [] == places(work, to, written, named)


FORMS = [
    pytest.param(("action", "arguments"), {"a": 1}, '{"a": 1}', True, id="arguments-as-a-text"),
    pytest.param(("action", "arguments"), {"a": 1}, '{"a": 2}', False, id="other-arguments"),
    pytest.param(("action", "arguments"), {"a": 1}, '{"a": 1', False, id="arguments-that-are-cut"),
    pytest.param(("timestamp",), "2026-04-20T10:00:01.500Z", 1776679201.5, True, id="a-time-as-a-number"),
    pytest.param(("timestamp",), "2026-04-20T10:00:01.500Z", 1776679201, False, id="another-time"),
    pytest.param(("timestamp",), "2026-04-20T10:00:01.500Z", "2026-04-20T10:00:01.500Z", True, id="a-time-as-it-is"),
    pytest.param(("timestamp",), "2026-04-20T10:00:01.500Z", "2026-04-20T10:00:01.501Z", False, id="a-later-time"),
    pytest.param(("payload", "content"), "hello", "[message] hello", True, id="a-text-with-a-mark"),
    pytest.param(("payload", "content"), "hello you", "hello", True, id="a-part-of-a-text"),
    pytest.param(("payload", "content"), "hello", "[message] hallo", False, id="another-text"),
    pytest.param(("payload", "role"), "user", "system", True, id="words-are-told-by-reading"),
]


@pytest.mark.parametrize(("member", "value", "here", "expected"), FORMS)
def test_what_is_said_in_another_form_gives_the_value_again(member: At, value: Any, here: Any, expected: bool) -> None:
    node: dict[str, Any] = {}
    put(node, member, value)
    origin: At = ("nodes", 0, *member)
    missed = garbled({"nodes": [node]}, {"x": here}, [((origin,), ("x",))])
    assert ([] if expected else [origin]) == missed
    assert [] == garbled({"nodes": [node]}, {"x": here}, [((origin, ("nodes", 0)), ("x",)), ((), ("x",))])
