"""ATIF → Bundle: what each field becomes, and that the document comes back exactly."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from attraj.bundle.shape import COLLECTIONS
from attraj.formats.atif import read as reading
from attraj.formats.mapping.draft import Draft, Settings
from attraj.formats.mapping.fields import is_same, look_up, tokens_of
from attraj.jsonio import documents
from attraj.jsonio.write import dumps
from tests.formats.atif.bundles import back, draft, edges, errors, nodes, read
from tests.formats.atif.documents import full, minimal, steps, turn
from tests.support import CORPUS, needs_corpus

FOLDER = CORPUS / "atif"


def corpus() -> list[Any]:
    found: list[Any] = []
    for path in sorted(FOLDER.rglob("*.json*")) if FOLDER.is_dir() else ():
        for number, one in enumerate(documents(path.read_bytes())):
            tree = one.tree
            if type(tree) is dict and type(tree.get("steps")) is list and "schema_version" in tree:
                name = str(path.relative_to(FOLDER))
                found.append(pytest.param(one, id=f"{name}#{number}" if number else name))
    return found


SUBAGENT = {
    "trajectory_id": "child",
    "agent": {"name": "b", "version": "1"},
    "steps": [{"step_id": 1, "source": "user", "message": "look"}],
}


def calling(*references: Any, **members: Any) -> dict[str, Any]:
    """A turn whose result refers to subagents."""
    return turn(
        observation={"results": [{"source_call_id": "c", "subagent_trajectory_ref": list(references)}]}, **members
    )


# --- the document comes back ------------------------------------------------------------------------------------


@needs_corpus
@pytest.mark.parametrize("document", corpus())
def test_a_document_of_the_corpus_is_a_bundle_without_errors_and_comes_back(document: Any) -> None:
    bundle = reading.read(document, Settings(name="run")).finish()
    assert errors(bundle, "bundle") == []
    assert is_same(document.tree, back(bundle))


ODD = [
    pytest.param(minimal(), id="minimal"),
    pytest.param(full(), id="every-member"),
    pytest.param(steps({"timestamp": "2026-01-01T00:00:00"}), id="time-without-a-zone"),
    pytest.param(steps({"timestamp": None, "extra": None}), id="null-members"),
    pytest.param(steps(turn(tool_calls=[], observation={"results": []})), id="empty-arrays"),
    pytest.param(steps({"source": "agent", "metrics": {}}), id="empty-metrics"),
    pytest.param(steps({"extra": {"$at": {"status": "redacted"}}}), id="data-of-the-form-of-a-marker"),
    pytest.param(steps({"message": [{"$at": {"status": "redacted"}}]}), id="parts-of-the-form-of-a-marker"),
    pytest.param(steps({"extra": {"$at": {"status": "redacted"}, "x": 1}}), id="a-marker-with-more-beside-it"),
    pytest.param(steps(turn(), None, "step", {"source": "robot"}), id="steps-that-are-none"),
    pytest.param(steps(turn(tool_calls=[None, 1], observation={"results": [2]})), id="calls-that-are-none"),
    pytest.param(minimal({"steps": {"0": "no array"}, "agent": []}), id="members-of-wrong-types"),
    pytest.param(minimal({"subagent_trajectories": [1, SUBAGENT]}), id="a-subagent-that-is-none"),
    pytest.param({}, id="nothing"),
]


@pytest.mark.parametrize("tree", ODD)
def test_what_is_odd_comes_back_as_it_was(tree: Any) -> None:
    assert is_same(tree, back(read(tree)))


def test_reading_changes_nothing_and_gives_the_same_twice() -> None:
    tree = full()
    first = dumps(read(tree))
    assert dumps(read(tree)) == first
    assert is_same(full(), tree)


# --- the map ----------------------------------------------------------------------------------------------------


def placed(one: Draft) -> Any:
    """Each place of the source that the core holds, with the tokens of its place in the Bundle."""
    tree = one.finish()
    ids = {
        (name, record[member]): (name, position)
        for name, (_, member) in COLLECTIONS.items()
        for position, record in enumerate(tree[name])
    }
    for source, taken in one.readings[0].taken.items():
        kind = reading.PLACES[taken.place]
        at = ids[kind.collection, taken.record] if kind.collection else tokens_of(taken.record)
        yield source, (*at, *taken.core)


FULL = full({"subagent_trajectories": [SUBAGENT], "continued_trajectory_ref": "trajectory.cont-1.json"})


def test_each_value_of_the_core_is_the_source_s_own() -> None:
    found = draft(FULL)
    bundle = found.finish()
    pairs = list(placed(found))
    assert len(pairs) > 40
    for source, core in pairs:
        assert is_same(look_up(FULL, source), look_up(bundle, core)), (source, core)
    assert len({core for _, core in pairs}) == len(pairs)


CHANGED: dict[type, Any] = {str: "changed", int: 77, float: 7.5, bool: None, list: [], dict: {"changed": 1}}


@pytest.mark.parametrize(
    ("source", "core"), [pytest.param(*p, id="/".join(map(str, p[0]))) for p in placed(draft(FULL))]
)
def test_a_changed_value_changes_its_place_and_nothing_else(source: Any, core: Any) -> None:
    bundle = copy.deepcopy(read(FULL))
    expected: Any = copy.deepcopy(FULL)
    old = look_up(FULL, source)
    new = (not old) if type(old) is bool else CHANGED[type(old)]
    look_up(bundle, core[:-1])[core[-1]] = new
    look_up(expected, source[:-1])[source[-1]] = new
    assert is_same(expected, back(bundle))


# --- what steps become ------------------------------------------------------------------------------------------


def test_a_turn_becomes_reasoning_a_decision_an_action_an_effect_and_an_observation() -> None:
    bundle = read(steps({}, turn(reasoning_content="hm", model_name="m"), {"source": "agent"}))
    assert [node["kind"] for node in bundle["nodes"]] == [
        *("input", "reasoning_summary", "decision", "action", "effect", "observation", "decision"),
    ]
    assert edges(bundle) == {
        ("step:1", "step:2", "triggered_by", "turn_order"),
        ("step:2:reasoning", "step:2", "depends_on", "recorded"),
        ("step:2", "step:2:call:1", "caused_by", "recorded"),
        ("step:2:call:1", "step:2:effect:1", "caused_by", "call_id"),
        ("step:2:effect:1", "step:2:result:1", "caused_by", "call_id"),
        ("step:2:result:1", "step:3", "triggered_by", "turn_order"),
    }
    (effect,) = nodes(bundle, "effect")
    assert effect["effect"] == {"receipt_status": "none_authoritative"}  # whether it reached outside is not told
    assert bundle["disclosure"]["private_reasoning"] == "included"


def test_a_call_without_a_result_has_no_effect() -> None:
    step = turn()
    del step["observation"]
    bundle = read(steps({}, step))
    assert nodes(bundle, "effect") == [] == nodes(bundle, "observation")
    assert nodes(bundle, "action")[0]["admission"]["status"] == "unknown"


UNLINKED = [
    pytest.param(turn(observation={"results": [{"content": "ok"}]}), id="no-call-is-named"),
    pytest.param(turn(observation={"results": [{"source_call_id": "x", "content": "ok"}]}), id="another-call-is-named"),
    pytest.param(
        turn(tool_calls=[{"tool_call_id": "c", "function_name": "f", "arguments": {}} for _ in range(2)]),
        id="two-calls-have-the-name",
    ),
]


@pytest.mark.parametrize("step", UNLINKED)
def test_a_result_that_names_no_call_is_linked_to_none(step: Any) -> None:
    found = draft(steps({}, step))
    bundle = found.finish()
    assert nodes(bundle, "effect") == []
    assert nodes(bundle, "observation")[0]["parents"]["status"] == "undetermined"
    assert ("unlinked-result", "/steps/1/observation/results/0") in [(one.code, one.pointer) for one in found.losses]


def test_a_person_s_word_between_is_what_the_next_decision_follows_from() -> None:
    bundle = read(steps({}, turn(), {}, {"source": "agent"}))
    assert {cause for cause, effect, _, _ in edges(bundle) if effect == "step:4"} == {"step:3"}
    assert nodes(bundle, "decision")[1]["parents"]["status"] == "partial"


def test_copied_context_is_no_new_experience() -> None:
    bundle = read(steps({}, turn(is_copied_context=True, model_name="m", metrics={"prompt_tokens": 5})))
    decision, action = nodes(bundle, "decision")[0], nodes(bundle, "action")[0]
    assert decision["payload"] == {"content": "", "is_copied_context": True}
    assert "model_call" not in decision
    assert decision["training"]["target"] is False is action["training"]["target"]
    assert edges(bundle) == set()
    assert nodes(bundle, "effect") == []


def test_a_step_without_a_model_call_is_no_decision_of_a_model() -> None:
    decision = nodes(read(steps({}, turn(llm_call_count=0))), "decision")[0]
    assert decision["authority_class"] == "harness"
    assert decision["model_call"]["availability"] == "not_applicable"
    assert decision["state_view"]["$at"]["status"] == "not_applicable"


def test_several_calls_in_one_step_are_a_loss() -> None:
    found = draft(steps({}, turn(llm_call_count=3)))
    assert ("several-calls", "/steps/1/llm_call_count") in [(one.code, one.pointer) for one in found.losses]
    assert nodes(found.finish(), "decision")[0]["payload"]["llm_call_count"] == 3


TIMES = [
    pytest.param("2026-01-01T00:00:00Z", True, id="utc"),
    pytest.param("2026-01-01T00:00:00.5+01:00", True, id="offset"),
    pytest.param("2026-01-01T00:00:00", False, id="no-zone"),
    pytest.param("2026-01-01", False, id="a-day"),
    pytest.param("2026-02-30T00:00:00Z", False, id="no-day"),
]


@pytest.mark.parametrize(("time", "is_kept"), TIMES)
def test_a_time_is_kept_when_it_has_a_zone_and_unavailable_otherwise(time: str, is_kept: bool) -> None:
    found = draft(steps({"timestamp": time}))
    kept = found.finish()["nodes"][0]["timestamp"]
    assert kept == time if is_kept else kept["$at"]["status"] == "unavailable"
    assert any(one.code == "unusable-time" for one in found.losses) is not is_kept


def test_absent_facts_are_absent() -> None:
    bundle = read(steps({}, {"source": "agent"}))
    assert bundle["outcomes"] == [] == bundle["verifier_results"] == bundle["reward_records"]
    assert set(bundle["rights"].values()) == {"unknown"}
    assert "resources" not in bundle["scope"]
    assert not any("timestamp" in node or "usage" in node.get("model_call", {}) for node in bundle["nodes"])


def test_a_raw_response_is_recognised_and_its_calls_are_not_made_up() -> None:
    step = {"source": "agent", "message": '{"commands": []}', "observation": {"results": [{"content": "$"}]}}
    found = draft(steps({}, step))
    assert "raw-responses" in [one.code for one in found.losses]
    assert nodes(found.finish(), "action") == []


# --- who and what -----------------------------------------------------------------------------------------------


def test_agent_model_tools_and_session_are_bound() -> None:
    tool = {"type": "function", "function": {"name": "sh", "parameters": {}}}
    agent = {"name": "a", "version": "2", "model_name": "m", "tool_definitions": [tool]}
    bindings = read(minimal({"session_id": "s", "agent": agent}))["bindings"]
    assert bindings["agents"] == [{"name": "a", "version": "2"}]
    assert bindings["models"] == [{"id": "m"}]
    assert bindings["tools"] == [{"name": "sh"}]
    assert bindings["sessions"] == [{"id": "s"}]


IDENTITIES = [
    pytest.param(minimal({"trajectory_id": "own"}), {}, "own", id="the-document-s-own"),
    pytest.param(minimal({"trajectory_id": None}), {}, "at:atif:run", id="made-of-its-name"),
    pytest.param(minimal({"trajectory_id": "own"}), {"trajectory_id": "given"}, "given", id="the-caller-s"),
]


@pytest.mark.parametrize(("tree", "settings", "identity"), IDENTITIES)
def test_the_identity_is_never_made_of_content(tree: Any, settings: Any, identity: str) -> None:
    found = draft(tree, **settings)
    assert found.finish()["trajectory_id"] == identity
    assert ("renamed" in [one.code for one in found.losses]) is (identity == "given")


def test_a_subagent_s_subagent_says_in_which_thread_it_stands() -> None:
    leaf = {**steps({}), "trajectory_id": "leaf"}
    child = {**steps({}, subagent_trajectories=[leaf]), "trajectory_id": "child"}
    bundle = read(steps({}, subagent_trajectories=[child]))
    assert bundle["bindings"]["threads"][1] == {
        "name": "leaf",
        "thread_id": "embedded-1/embedded-1",
        "relation": "embedded",
        "in_thread": "embedded-1",
    }


ASKED = [
    pytest.param({}, {"agent"}, id="the-agent"),
    pytest.param({"llm_call_count": 0}, {"harness"}, id="the-harness-where-no-model-was-called"),
    pytest.param({"is_copied_context": True}, {"unknown"}, id="nobody-known-in-what-was-copied"),
    pytest.param({"source": "system"}, {"harness"}, id="the-harness-in-a-step-of-its-own"),
    pytest.param({"source": "user"}, {"unknown"}, id="nobody-known-in-a-step-of-a-user"),
]


@pytest.mark.parametrize(("members", "expected"), ASKED)
def test_a_call_and_a_delegation_were_asked_for_by(members: Any, expected: set[str]) -> None:
    reference = {"source_call_id": "c", "subagent_trajectory_ref": [{"trajectory_id": "x"}]}
    bundle = read(steps({}, turn(observation={"results": [reference]}, reasoning_content="hm", **members)))
    asked = [*nodes(bundle, "action"), *nodes(bundle, "delegation")]
    assert {node["authority_class"] for node in asked} == expected
    assert len(asked) == 2


def test_totals_are_what_the_run_used() -> None:
    bundle = read(minimal({"final_metrics": {"total_prompt_tokens": 3, "total_cost_usd": 0.5, "total_steps": 2}}))
    assert bundle["scope"]["resources"]["observed"] == {"prompt_tokens": 3, "cost_usd": 0.5, "steps": 2}


def test_who_counted_a_cost_goes_with_it() -> None:
    spent = {"cost_usd": 0.5, "extra": {"cost_source": "litellm_estimate", "own": 1}}
    total = {"total_cost_usd": 0.5, "extra": {"cost_source": "litellm_estimate"}}
    tree = steps({}, turn(metrics=spent), final_metrics=total)
    bundle = read(tree)
    used = {"cost_usd": 0.5, "cost_source": "litellm_estimate"}
    assert bundle["scope"]["resources"]["observed"] == used
    assert [node["model_call"]["usage"] for node in bundle["nodes"] if "model_call" in node] == [used]
    assert is_same(back(bundle), tree)


# --- threads ----------------------------------------------------------------------------------------------------


def test_an_embedded_subagent_is_a_thread_that_its_reference_leads_to() -> None:
    bundle = read(steps({}, calling({"trajectory_id": "child"}), subagent_trajectories=[SUBAGENT]))
    (delegation,) = nodes(bundle, "delegation")
    assert delegation["payload"] == {"trajectory_id": "child", "thread_id": "embedded-1"}
    assert [node["node_id"] for node in bundle["nodes"] if node.get("thread_id") == "embedded-1"] == [
        "embedded:1/step:1"
    ]
    assert (delegation["node_id"], "embedded:1/step:1", "delegates", "recorded") in edges(bundle)
    assert ("step:2:call:1", delegation["node_id"], "caused_by", "call_id") in edges(bundle)
    assert bundle["bindings"]["threads"] == [{"name": "child", "thread_id": "embedded-1", "relation": "embedded"}]


NOT_HERE = [
    pytest.param({"session_id": "s"}, [{**SUBAGENT, "session_id": "s"}], id="a-session-names-no-trajectory"),
    pytest.param({"trajectory_id": "other"}, [SUBAGENT], id="an-unknown-identity"),
    pytest.param({"trajectory_id": "child"}, [SUBAGENT, SUBAGENT], id="an-identity-of-two"),
    pytest.param({"trajectory_path": "sub.json"}, [SUBAGENT], id="a-file-that-was-not-read"),
    pytest.param({}, [SUBAGENT], id="nothing"),
]


@pytest.mark.parametrize(("reference", "embedded"), NOT_HERE)
def test_a_reference_that_leads_nowhere_is_an_omission(reference: Any, embedded: Any) -> None:
    bundle = read(steps({}, calling(reference), subagent_trajectories=embedded))
    assert not any(relation == "delegates" for _, _, relation, _ in edges(bundle))
    (omission,) = bundle["completeness"]["material_omissions"]
    assert (omission["class"], omission["count"]) == ("subagent_trajectories", 1)


def test_subagents_that_refer_to_each_other_make_no_circle_of_causes() -> None:
    first = {**steps({}, calling({"trajectory_id": "second"})), "trajectory_id": "first"}
    second = {**steps({}, calling({"trajectory_id": "first"})), "trajectory_id": "second"}
    bundle = read(steps({}, calling({"trajectory_id": "first"}), subagent_trajectories=[first, second]))
    assert errors(bundle, "bundle") == []
    assert sum(relation == "delegates" for _, _, relation, _ in edges(bundle)) == 2


def test_steps_of_sidechains_are_threads_by_their_agent() -> None:
    def aside(agent: str) -> dict[str, Any]:
        return {"extra": {"is_sidechain": True, "agent_id": agent}}

    bundle = read(steps({}, aside("x"), aside("y"), {"extra": {"is_sidechain": False}}, aside("x")))
    assert [node.get("thread_id", "") for node in bundle["nodes"]] == [
        *("", "sidechain-1", "sidechain-2", "", "sidechain-1"),
    ]


def test_several_documents_of_a_run_hang_together_by_the_files_they_name() -> None:
    run = Draft("harbor", Settings(trajectory_id="trial"))
    main = {
        **steps({}, calling({"trajectory_path": "sub.json"})),
        "trajectory_id": "doc",
        "continued_trajectory_ref": "trajectory.cont-1.json",
    }
    for thread, tree in (("", main), ("cont-1", steps({"is_copied_context": True})), ("sub-1", steps({}))):
        prefix = f"{thread}/" if thread else ""
        reading.read_into(run, tree, dumps(tree), "", thread=thread, prefix=prefix)
    reading.link(run, {"sub.json": "sub-1", "trajectory.cont-1.json": "cont-1"})
    bundle = run.finish()
    assert errors(bundle, "bundle") == []
    assert {one for one in edges(bundle) if one[2] in ("delegates", "resumes")} == {
        ("step:2:subagent:1:1", "sub-1/step:1", "delegates", "recorded"),
        ("continuation", "cont-1/step:1", "resumes", "recorded"),
    }
    assert "material_omissions" not in bundle["completeness"]
    assert bundle["trajectory_id"] == "trial"
    assert bundle["bindings"]["threads"] == [{"name": "doc"}]
    assert "resources" not in bundle["scope"]


def test_subagents_of_subagents_are_threads_below_each_other() -> None:
    tree = {**steps({}), "trajectory_id": "leaf"}
    for depth in range(40):
        tree = {**steps({}), "trajectory_id": f"d{depth}", "subagent_trajectories": [tree]}
    bundle = read(tree)
    assert errors(bundle, "bundle") == []
    assert bundle["nodes"][-1]["thread_id"] == "/".join(["embedded-1"] * 40)
    assert is_same(tree, back(bundle))
