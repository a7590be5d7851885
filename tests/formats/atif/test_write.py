"""A Bundle → steps of ATIF: what each kind of node becomes."""

from __future__ import annotations

from typing import Any

import pytest

from tests.formats.atif.bundles import (
    FOREIGN,
    call,
    composed,
    errors,
    made,
    sources_of,
    step,
    written,
)


def after(*given: Any, edges: Any = ()) -> Any:
    """The step of a decision with what follows it, each linked to the one before."""
    chain = tuple((f"n{i}", f"n{i + 1}", "caused_by") for i in range(1, len(given) + 1))
    return step(made({"kind": "decision", "payload": {"content": "m"}}, *given, edges=edges or chain))


INPUTS = [
    pytest.param({"payload": {"role": "user", "content": "x"}}, ("user", "x"), id="a-user"),
    pytest.param({"payload": {"role": "developer", "content": "x"}}, ("system", "x"), id="a-developer"),
    pytest.param({"payload": {"role": "assistant", "content": "x"}}, ("user", "x"), id="a-reply-shown-as-example"),
    pytest.param({"payload": {"content": "x"}, "authority_class": "principal"}, ("user", "x"), id="a-principal"),
    pytest.param({"payload": {"text": "x"}, "authority_class": "harness"}, ("system", "x"), id="text-by-another-name"),
    pytest.param({"payload": "x"}, ("system", "x"), id="a-payload-that-is-its-text"),
    pytest.param({"payload": {"role": "user", "content": None}}, ("user", ""), id="null"),
    pytest.param({"payload": {"role": "user", "content": {"a": 1}}}, ("user", '{"a":1}'), id="an-object"),
]


@pytest.mark.parametrize(("node", "expected"), INPUTS)
def test_an_input_becomes(node: Any, expected: Any) -> None:
    found = step(made({"kind": "input", **node}))
    assert (found["source"], found["message"]) == expected


PARTS = [
    pytest.param({"type": "text", "text": "t", "cache_control": {}}, {"type": "text", "text": "t"}, id="text"),
    pytest.param("t", {"type": "text", "text": "t"}, id="a-bare-text"),
    pytest.param(
        {"type": "image", "source": {"media_type": "image/png", "path": "a.png"}},
        {"type": "image", "source": {"media_type": "image/png", "path": "a.png"}},
        id="an-image-of-atif",
    ),
    pytest.param(
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}},
        {"type": "text", "text": "[image omitted: image/png]"},
        id="an-image-without-a-place",
    ),
    pytest.param(
        {"type": "image_url", "image_url": {"url": "https://host.example/a"}},
        {"type": "text", "text": "https://host.example/a"},
        id="an-image-of-no-known-type",
    ),
    pytest.param(
        {"type": "image_url", "image_url": {"url": "assets/image-1.PNG"}},
        {"type": "image", "source": {"media_type": "image/png", "path": "assets/image-1.PNG"}},
        id="an-image-in-a-file",
    ),
    pytest.param(
        {"type": "audio", "source": {"media_type": "audio/wav", "path": "a.wav"}},
        {"type": "text", "text": "[audio omitted]"},
        id="a-sound-before-1.8",
    ),
    pytest.param({"type": "video", "x": 1}, {"type": "text", "text": '{"type":"video","x":1}'}, id="another-kind"),
]


@pytest.mark.parametrize(("part", "expected"), PARTS)
def test_a_content_part_becomes(part: Any, expected: Any) -> None:
    found = step(made({"kind": "input", "payload": {"role": "user", "content": [part]}}))
    assert found["message"] == [expected]


def test_a_sound_is_kept_where_the_version_has_it() -> None:
    part = {"type": "audio", "source": {"media_type": "audio/wav", "path": "a.wav", "duration_sec": 2}}
    found = step(made({"kind": "input", "payload": {"role": "user", "content": [part]}}), "1.8")
    assert found["message"] == [part]


CALLS = [
    pytest.param({}, {"tool_call_id": "c", "function_name": "sh", "arguments": {}}, id="as-it-is"),
    pytest.param(
        {"action": {"kind": "shell_command", "value": "ls"}},
        {
            "tool_call_id": "call_1_1",
            "function_name": "bash",
            "arguments": {"command": "ls"},
            "extra": {"attraj": {"synthetic_call": True, "kind": "shell_command"}},
        },
        id="a-command-without-tool-and-id",
    ),
    pytest.param(
        {"action": {"kind": "tool_call", "name": "f", "call_id": "c", "arguments": "ls"}},
        {
            "tool_call_id": "c",
            "function_name": "f",
            "arguments": {"_raw": "ls"},
            "extra": {"attraj": {"arguments": "not an object"}},
        },
        id="arguments-that-are-a-text",
    ),
    pytest.param(
        {"action": {"kind": "tool_call", "name": "f", "call_id": "c", "arguments": None}},
        {
            "tool_call_id": "c",
            "function_name": "f",
            "arguments": {},
            "extra": {"attraj": {"arguments": "null"}},
        },
        id="arguments-that-are-null",
    ),
]


@pytest.mark.parametrize(("members", "expected"), CALLS)
def test_a_call_becomes(members: Any, expected: Any) -> None:
    assert after(call(**members))["tool_calls"] == [expected]


def test_a_result_stands_with_its_call() -> None:
    found = after(call(), {"kind": "observation", "observation": "ok"})
    assert found["observation"] == {"results": [{"source_call_id": "c", "content": "ok"}]}


def test_a_call_gets_an_id_of_its_own_where_an_earlier_one_has_the_same() -> None:
    decision = {"kind": "decision", "payload": {"content": "m"}}
    result = {"kind": "observation", "observation": "ok", "payload": {"source_call_id": "c"}}
    chain = (("n1", "n2", "caused_by"), ("n2", "n3", "caused_by"), ("n4", "n5", "caused_by"), ("n5", "n6", "caused_by"))
    (tree,), losses = written(made(decision, call(), result, decision, call(), result, edges=chain))
    first, second = tree["steps"]
    assert errors(tree, "atif") == []
    assert (first["tool_calls"][0]["tool_call_id"], second["tool_calls"][0]["tool_call_id"]) == ("c", "call_2_1")
    assert second["tool_calls"][0]["extra"] == {"attraj": {"call_id": "c"}}
    assert second["observation"]["results"] == [{"source_call_id": "call_2_1", "content": "ok"}]
    assert [one for one in losses if one[0] == "call-ids"] == [("call-ids", "approximated", "/nodes/4/action/call_id")]


def test_a_result_of_one_of_two_calls_of_one_id_is_linked_to_neither() -> None:
    loose = {"kind": "observation", "observation": "ok", "payload": {"source_call_id": "c"}}
    chain = (("n1", "n2", "caused_by"), ("n1", "n3", "caused_by"))
    (tree,), _ = written(made({"kind": "decision", "payload": {"content": "m"}}, call(), call(), loose, edges=chain))
    (found,) = tree["steps"]
    assert [one["tool_call_id"] for one in found["tool_calls"]] == ["c", "call_1_2"]
    (result,) = found["observation"]["results"]
    assert "source_call_id" not in result
    assert result["extra"] == {"attraj": {"source_call_id": "c"}}


def test_a_copied_step_repeats_the_ids_of_its_calls() -> None:
    copied = {"kind": "decision", "payload": {"content": "m", "is_copied_context": True}}
    chain = (("n1", "n2", "caused_by"), ("n3", "n4", "caused_by"))
    (tree,), _ = written(made(copied, call(), {"kind": "decision", "payload": {"content": "m"}}, call(), edges=chain))
    assert [one["tool_calls"][0]["tool_call_id"] for one in tree["steps"]] == ["c", "c"]
    assert errors(tree, "atif") == []


def test_results_stand_in_the_order_in_which_they_came() -> None:
    other = {"kind": "action", "action": {"kind": "tool_call", "name": "sh", "arguments": {}, "call_id": "d"}}
    answers = [{"kind": "observation", "observation": one} for one in ("of d", "of c", "loose")]
    edges = (("n1", "n2", "caused_by"), ("n1", "n3", "caused_by"), ("n3", "n4", "caused_by"), ("n2", "n5", "caused_by"))
    bundle = made({"kind": "decision", "payload": {"content": "m"}}, call(), other, *answers, edges=edges)
    expected = [("d", "of d"), ("c", "of c"), (None, "loose")]
    assert [(r.get("source_call_id"), r["content"]) for r in step(bundle)["observation"]["results"]] == expected
    bundle["nodes"][3]["sequence"], bundle["nodes"][4]["sequence"] = 5, 4  # order is `sequence`, and no position
    swapped = [expected[1], expected[0], expected[2]]
    assert [(r.get("source_call_id"), r["content"]) for r in step(bundle)["observation"]["results"]] == swapped


def test_a_result_that_no_edge_links_names_no_call_and_the_notes_say_so() -> None:
    bundle = made(
        {"kind": "decision", "payload": {"content": "m"}},
        call(),
        {"kind": "observation", "observation": "ok"},
        edges=(("n1", "n2", "caused_by"),),
    )
    (tree,), _ = written(bundle)
    assert tree["steps"][0]["observation"] == {"results": [{"content": "ok"}]}
    assert "source_call_id" in tree["notes"]


def test_a_null_observation_stays_null() -> None:
    found = after(call(), {"kind": "observation", "observation": None})
    assert found["observation"]["results"] == [{"source_call_id": "c", "content": None}]


def test_a_refused_proposal_is_no_call() -> None:
    refused = {**call(), "kind": "proposal", "admission": {"status": "rejected", "reason": "format"}}
    found = after(refused, {"kind": "observation", "observation": "no"})
    assert "tool_calls" not in found
    (result,) = found["observation"]["results"]
    assert "source_call_id" not in result
    assert result["extra"]["attraj"]["admission"] == {"status": "rejected", "reason": "format"}
    assert result["extra"]["attraj"]["proposed_action"]["name"] == "sh"


def test_a_refused_proposal_and_its_answer_each_keep_what_is_theirs() -> None:
    refused = {**call(), "kind": "proposal", "admission": {"status": "denied"}}
    answer = {"kind": "observation", "observation": "no", "timestamp": "2026-01-01T00:00:01Z"}
    (result,) = after(refused, answer)["observation"]["results"]
    assert "2026-01-01T00:00:01Z" == result["extra"]["attraj"]["timestamp"]
    (result,) = after({**refused, "timestamp": "2026-01-01T00:00:00Z"}, answer)["observation"]["results"]
    own = result["extra"]["attraj"]
    assert ("2026-01-01T00:00:01Z", {"timestamp": "2026-01-01T00:00:00Z"}) == (own["timestamp"], own["proposal"])


def test_a_refused_proposal_without_an_answer_stays_with_its_step() -> None:
    found = after({**call(), "kind": "proposal", "admission": {"status": "denied"}})
    assert "observation" not in found
    assert found["extra"]["attraj"]["proposals"][0]["admission"] == {"status": "denied"}


def test_a_person_s_command_is_no_call_of_the_agent() -> None:
    command = {"kind": "action", "action": {"kind": "shell_command", "value": "ls"}, "authority_class": "principal"}
    bundle = made({"kind": "decision", "payload": {"content": "m"}}, command)
    (tree,), _ = written(bundle)
    assert sources_of(tree) == ["agent", "user"]
    assert tree["steps"][1]["message"] == "ls"


def test_several_thoughts_are_one_text_and_a_loss() -> None:
    thoughts = [{"kind": "reasoning_summary", "payload": {"content": one}} for one in ("a", "b")]
    (tree,), losses = written(made(*thoughts, {"kind": "decision", "payload": {"content": "m"}}))
    assert tree["steps"][0]["reasoning_content"] == "a\n\nb"
    assert ("joined-reasoning", "approximated", "/nodes/0/payload/content") in losses


@pytest.mark.parametrize(
    ("blocks", "code"),
    [
        pytest.param([{"thinking": "a", "signature": "s"}], "reasoning-as-text", id="one-block-loses-what-is-beside"),
        pytest.param([{"thinking": "a"}, {"data": "s"}], "joined-reasoning", id="a-block-without-a-text-is-one"),
    ],
)
def test_one_block_of_reasoning_is_not_several(blocks: Any, code: str) -> None:
    thought = {"kind": "reasoning_summary", "payload": {"content": blocks}}
    (tree,), losses = written(made(thought, {"kind": "decision"}, edges=(("n1", "n2", "depends_on"),)))
    assert "a" == tree["steps"][0]["reasoning_content"]
    assert [(code, "approximated", "/nodes/0/payload/content")] == [one for one in losses if "reasoning" in one[0]]


def test_a_decision_of_the_harness_has_no_model_call() -> None:
    found = step(
        made(
            {"kind": "decision", "authority_class": "harness", "payload": {"content": ""}, "model_call": {"usage": {}}}
        )
    )
    assert found["llm_call_count"] == 0
    assert "metrics" not in found


COUNTS = [
    pytest.param({}, "react-web", 1, id="one-where-the-format-records-a-call-a-turn"),
    pytest.param({}, "atif", None, id="none-where-the-source-does-not-track-them"),
    pytest.param({"payload": {"content": "m", "llm_call_count": 3}}, "atif", 3, id="as-the-source-says"),
    pytest.param({"authority_class": "harness"}, "atif", 0, id="none-was-called-by-the-harness"),
    pytest.param({"authority_class": "unknown"}, "react-web", None, id="nobody-known-decided"),
]


@pytest.mark.parametrize(("members", "source", "expected"), COUNTS)
def test_calls_of_the_model_are_counted_only_where_they_are_known(members: Any, source: str, expected: Any) -> None:
    bundle = made({"kind": "decision", "payload": {"content": "m"}, **members})
    bundle["extensions"]["dev.attraj.source"]["data"]["artifacts"] = [{**FOREIGN, "format": source}]
    (tree,), _ = composed(bundle)
    assert tree["steps"][0].get("llm_call_count") == expected
    old = composed(bundle, "1.6")[0][0]["steps"][0]
    assert "llm_call_count" not in old
    said = members.get("payload", {}).get("llm_call_count")
    assert old.get("extra", {}).get("attraj", {}).get("llm_call_count") == said


USAGES = [
    pytest.param({"prompt_tokens": 3, "cost_usd": 0.5}, {"prompt_tokens": 3, "cost_usd": 0.5}, id="a-provider-s"),
    pytest.param(
        {"prompt_tokens": 3, "origin": "counter"},
        {"extra": {"prompt_tokens": 3, "origin": "counter"}},
        id="an-estimate",
    ),
    pytest.param(
        {"prompt_tokens": 2.5, "api_calls": 1}, {"extra": {"prompt_tokens": 2.5, "api_calls": 1}}, id="no-count"
    ),
    pytest.param({"logprobs": [-0.5]}, {"logprobs": [-0.5]}, id="probabilities"),
    pytest.param({"logprobs": ["x"]}, {"extra": {"logprobs": ["x"]}}, id="no-probabilities"),
]


@pytest.mark.parametrize(("usage", "expected"), USAGES)
def test_what_a_call_used_becomes(usage: Any, expected: Any) -> None:
    node = {"kind": "decision", "payload": {"content": "m"}, "model_call": {"usage": usage}}
    assert step(made(node))["metrics"] == expected


WITHHELD = [
    pytest.param({"status": "redacted", "alias": "<API_TOKEN_1>"}, "<API_TOKEN_1>", id="by-its-alias"),
    pytest.param({"status": "redacted", "alias": "sha256:1234"}, "[REDACTED]", id="an-alias-that-is-none"),
    pytest.param({"status": "omitted"}, "[REDACTED]", id="omitted"),
    pytest.param({"status": "unknown"}, "[UNKNOWN]", id="unknown"),
]


@pytest.mark.parametrize(("marker", "text"), WITHHELD)
def test_a_withheld_message_is_never_an_empty_one(marker: Any, text: str) -> None:
    (tree,), losses = written(made({"kind": "input", "payload": {"role": "user", "content": {"$at": marker}}}))
    assert tree["steps"][0]["message"] == text
    assert ("withheld-content", "approximated", "/nodes/0/payload/content") in losses


def test_withheld_arguments_stay_an_object() -> None:
    secret = {"$at": {"status": "redacted", "alias": "<PASSWORD_1>", "was": "string"}}
    found = after(call(action={"kind": "tool_call", "name": "sh", "call_id": "c", "arguments": {"p": secret}}))
    assert found["tool_calls"][0]["arguments"] == {"p": "<PASSWORD_1>"}
