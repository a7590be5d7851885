"""Turns: what belongs together is told by edges, and only what no edge says by the order."""

from __future__ import annotations

from typing import Any

import pytest

from attraj.bundle.model import Bundle
from attraj.formats.mapping.held import Ledger, Part
from attraj.formats.mapping.turns import Thread, apart, threads


def node(name: str, kind: str, **more: Any) -> dict[str, Any]:
    return {"node_id": name, "kind": kind, **more}


def bundle(nodes: list[Any], *edges: str) -> Bundle:
    """A Bundle with edges written as "cause>effect"."""
    pairs = [edge.split(">") for edge in edges]
    return Bundle({"nodes": nodes, "edges": [{"from": cause, "to": effect} for cause, effect in pairs]})


def names(parts: list[Part]) -> list[str]:
    return [str(part.record.get("node_id")) for part in parts]


def told(thread: Thread) -> list[str]:
    """Each turn in one line: "decision d <- r [a: e o] loose: x"."""
    lines = []
    for turn in thread.turns:
        words = [turn.kind, *names([turn.node])]
        words += ["<-", *names(turn.reasoning)] if turn.reasoning else []
        for call in turn.calls:
            came = names([*call.effects, *call.observations, *call.delegations])
            words.append(f"[{' '.join([*names([call.action]), '->', *came])}]")
        words += ["loose", *names(turn.loose)] if turn.loose else []
        words += ["delegates", *names(turn.delegations)] if turn.delegations else []
        lines.append(" ".join(words))
    return lines


D, A, E, B, R = ("decision", "action", "effect", "observation", "reasoning_summary")
CASES = [
    pytest.param([node("i", "input"), node("t", "terminal")], [], ["input i", "terminal t"], id="what-stands-alone"),
    pytest.param(
        [node("d", D), node("a", A), node("b", "proposal"), node("e", E), node("o", B)],
        ["d>a", "d>b", "a>e", "e>o"],
        ["decision d [a -> e o] [b ->]"],
        id="a-call-its-effect-and-what-came-back",
    ),
    pytest.param(
        [node("d", D), node("a", A), node("b", A), node("p", B), node("o", B)],
        ["d>a", "d>b", "a>o", "b>p"],
        ["decision d [a -> o] [b -> p]"],
        id="results-that-came-in-another-order",
    ),
    pytest.param([node("d", D), node("o", B)], [], ["decision d loose o"], id="a-result-that-no-edge-links"),
    pytest.param([node("o", B)], [], ["observation o"], id="a-result-before-everything"),
    pytest.param([node("a", A), node("o", B)], ["a>o"], ["call a [a -> o]"], id="a-call-that-nobody-asks-for"),
    pytest.param(
        [node("d", D), node("f", D), node("a", A)], ["d>a"], ["decision d [a ->]", "decision f"], id="not-the-last-turn"
    ),
    pytest.param([node("e", E)], [], ["effect e"], id="an-effect-of-nothing"),
    pytest.param([node("r", R), node("d", D)], [], ["decision d <- r"], id="reasoning-before-its-decision"),
    pytest.param(
        [node("r", R), node("c", D), node("d", D)],
        ["r>d"],
        ["decision c", "decision d <- r"],
        id="reasoning-of-a-later-decision",
    ),
    pytest.param(
        [node("c", D), node("d", D), node("r", R)],
        ["r>c"],
        ["decision c <- r", "decision d"],
        id="reasoning-after-its-decision",
    ),
    pytest.param([node("d", D), node("r", R)], [], ["decision d", "reasoning_summary r"], id="reasoning-of-nothing"),
    pytest.param(
        [node("d", D), node("a", A), node("x", "delegation"), node("y", "delegation")],
        ["d>a", "a>x", "d>y"],
        ["decision d [a -> x] delegates y"],
        id="work-given-away",
    ),
    pytest.param(
        [node("b", D, sequence=2), node("o", B), node("a", D, sequence=1)],
        [],
        ["decision a", "decision b loose o"],
        id="by-sequence-and-else-where-it-stands",
    ),
    pytest.param(
        [node("d", D, action={}), node("m", "admission"), node("e", E), node("o", B)],
        ["d>m", "m>e", "e>o"],
        ["decision d [d -> e o]", "admission m"],
        id="a-decision-that-holds-its-call-and-the-admission-between",
    ),
    pytest.param(
        [
            node("d", D, action={}),
            node("e", E, receipt={"causal_id": "d", "result_ref": "o"}),
            node("x", D),
            node("o", B),
        ],
        [],
        ["decision d [d -> e o]", "decision x"],
        id="what-a-receipt-says-and-no-edge",
    ),
    pytest.param(
        [node("d", D, action={}), node("c", "effect_receipt", receipt={}), node("o", B)],
        ["d>c", "c>o"],
        ["decision d [d -> c o]"],
        id="a-receipt-of-its-own-between",
    ),
    pytest.param(
        [node("d", D), node("c", "effect_receipt", receipt={}), node("o", "effect_receipt", observation="x")],
        [],
        ["decision d", "effect_receipt c loose o"],
        id="receipts-of-nothing-known",
    ),
    pytest.param(
        [node("d", D, action={}), node("a", A), node("o", B), node("p", B)],
        ["d>a", "d>o", "a>p"],
        ["decision d [d -> o] [a -> p]"],
        id="a-call-held-and-one-that-stands-by-itself",
    ),
    pytest.param(
        [node("d", D, action="ls"), node("e", E, receipt={"causal_id": {}}), node("f", E, receipt={"causal_id": ""})],
        [],
        ["decision d", "effect e", "effect f"],
        id="an-action-and-receipts-of-other-types",
    ),
    pytest.param(
        [5, {"kind": ["x"]}, node("d", D, sequence="1"), {"kind": A, "node_id": {}}, {"node_id": "n", "kind": {}}],
        [],
        ["event None", "decision d [{} ->]", "event n"],
        id="members-of-other-types",
    ),
]


@pytest.mark.parametrize(("nodes", "edges", "expected"), CASES)
def test_puts_nodes_together(nodes: list[Any], edges: list[str], expected: list[str]) -> None:
    found = threads(bundle(nodes, *edges), Ledger())
    assert [expected] == [told(thread) for thread in found]


def test_threads_come_one_after_the_other_the_main_one_first() -> None:
    nodes = [node("s", D, thread_id="sub"), node("d", D), node("t", D, thread_id="sub")]
    found = threads(bundle(nodes), Ledger())
    assert [("", ["decision d"]), ("sub", ["decision s", "decision t"])] == [(one.name, told(one)) for one in found]
    assert ["d", "s", "t"] == names([turn.node for one in found for turn in one.turns])


def test_an_edge_that_standing_together_says_counts_as_said() -> None:
    ledger = Ledger()
    nodes = [node("r", R), node("d", D), node("a", A), node("o", B), node("x", "event")]
    threads(bundle(nodes, "r>d", "d>a", "a>o", "o>x"), ledger)
    assert {("edges", 0), ("edges", 1), ("edges", 2)} == ledger.used


def test_what_a_person_did_beside_a_turn_is_no_call_of_it() -> None:
    own, other = node("a", A), node("p", A, authority_class="principal")
    [thread] = threads(bundle([node("i", "input"), other, node("d", D), own], "d>a"), Ledger())
    assert ["input i", "call p [p ->]", "decision d [a ->]"] == told(Thread("", list(apart(thread.turns))))
    [thread] = threads(bundle([node("d", D), own, other], "d>a", "d>p"), Ledger())
    assert ["decision d [a ->] [p ->]"] == told(thread)
    assert ["decision d [a ->]", "call p [p ->]"] == told(Thread("", list(apart(thread.turns))))
    assert ["decision d [a ->] [p ->]"] == told(thread)  # nothing is changed
    [thread] = threads(bundle([node("d", D, action={}, authority_class="principal")]), Ledger())
    assert ["decision d [d ->]"] == told(Thread("", list(apart(thread.turns))))  # it holds the call itself
