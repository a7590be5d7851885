"""`.traj` → ATIF: the opposite of each thing that other converters get wrong (spec: traj.md §7.3, §7.6)."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from attraj.jsonio import load, parse
from attraj.jsonio.write import dumps
from attraj.verbs.convert import Request, convert
from tests.formats.swe_agent.files import base, changed
from tests.support import CORPUS, needs_corpus

MADE = CORPUS / "swe-agent" / "generated-by-upstream-code"


def documents(source: Any) -> dict[str, Any]:
    """Each document that comes of a file, by its part."""
    document = parse(dumps(source)) if type(source) is dict else load(source)
    result = convert(document, "run", Request("atif", is_verified=True))
    assert "converted" == result.status, result.reason
    return {output.part: parse(output.text).tree for output in result.outputs}


def only(source: Any) -> Any:
    [document] = documents(source).values()
    return document


def agents(document: Any) -> list[Any]:
    return [step for step in document["steps"] if step["source"] == "agent"]


def named(name: str) -> Any:
    [path] = (MADE / name).glob(f"{name}.traj")
    return path


@needs_corpus
def test_model_tools_and_the_task_are_those_of_the_file() -> None:
    document = only(named("fc-format-errors-then-submitted"))
    assert ("SWE-agent", "1.1.0", "stub/claude-example") == tuple(
        document["agent"][name] for name in ("name", "version", "model_name")
    )
    assert "ATIF-v1.7" == document["schema_version"]
    assert ["system", "user", "agent"] == [step["source"] for step in document["steps"][:3]]
    assert "<pr_description>" in document["steps"][1]["message"]
    names = [call["function_name"] for step in agents(document) for call in step.get("tool_calls", [])]
    assert ["bash", "bash", "str_replace_editor", "submit"] == names
    ids = [call["tool_call_id"] for step in agents(document) for call in step.get("tool_calls", [])]
    assert ["toolu_01", "toolu_02", "toolu_03", "toolu_04"] == ids


@needs_corpus
def test_nothing_is_measured_that_the_file_does_not_measure() -> None:
    document = only(named("fc-format-errors-then-submitted"))
    assert not any({"timestamp", "metrics"} & step.keys() for step in document["steps"])
    assert {"extra"} == document["final_metrics"].keys()
    assert "litellm counter" == document["final_metrics"]["extra"]["origin"]
    assert 7 == document["final_metrics"]["extra"]["api_calls"] == len(agents(document))


@needs_corpus
def test_a_replay_that_counted_nothing_has_no_totals() -> None:
    [path] = (CORPUS / "swe-agent/upstream/v0.1-xml_parser-cursors").glob("*.traj")
    assert "final_metrics" not in only(path)


@needs_corpus
def test_a_rejected_proposal_is_no_tool_call() -> None:
    document = only(named("fc-format-errors-then-submitted"))
    rejected = [step for step in agents(document) if "tool_calls" not in step]
    assert ["two at once", "bad argument name", "blocked one"] == [step["message"] for step in rejected]
    for step in rejected:
        [result] = step["observation"]["results"]
        assert "source_call_id" not in result
        assert "rejected" == result["extra"]["attraj"]["admission"]["status"]


@needs_corpus
def test_what_the_loop_made_up_is_no_step_of_the_agent() -> None:
    document = only(named("fc-exit-cost-autosubmitted"))
    assert ("system", "Exit due to cost limit") == tuple(document["steps"][-1][name] for name in ("source", "message"))
    [outcome] = document["extra"]["attraj"]["outcomes"]
    assert ("runtime", "partial", "submitted (exit_cost)") == tuple(
        outcome[name] for name in ("authority_class", "status", "value")
    )


@needs_corpus
def test_thinking_is_reasoning_and_a_thought_is_not() -> None:
    document = only(named("fc-thinking-submitted"))
    said = [step for step in agents(document) if "reasoning_content" in step]
    assert ["Look at the repository first."] == [step["reasoning_content"] for step in said]
    assert all(step["extra"]["attraj"]["thought"] == step["message"] for step in agents(document))


@needs_corpus
def test_the_patch_and_the_exit_status_are_there() -> None:
    source = load(named("fc-thinking-submitted")).tree
    told = only(named("fc-thinking-submitted"))["extra"]["attraj"]
    assert source["info"]["submission"] in [one["payload"].get("content") for one in told["records"]]
    assert ["submitted"] == [one["value"] for one in told["outcomes"]]


@needs_corpus
def test_an_attempt_has_its_own_totals_and_the_run_those_of_all() -> None:
    source = load(named("retry-score-two-attempts")).tree
    found = documents(named("retry-score-two-attempts"))
    assert ["attempt-0", "attempt-1"] == list(found)
    for number, document in enumerate(found.values()):
        stats = source["attempts"][number]["info"]["model_stats"]
        assert stats["api_calls"] == document["final_metrics"]["extra"]["api_calls"] == 3
        assert "notes" not in document
        told = document["extra"]["attraj"]
        assert [f"attempt:{number}"] == [name for one in told["outcomes"] for name in one["scope"]]
        assert [source["attempts"][number]["info"]["review"]["accept"]] == [
            one["value"] for one in told["reward_records"]
        ]
        assert ["review loop"] == [one["topic"] for one in told["records"] if one["kind"] == "resource_observation"]
        assert [1] == [one["payload"]["best_attempt"] for one in told["records"] if one["kind"] == "branch"]
    assert 10 == found["attempt-0"]["extra"]["attraj"]["resources_of_the_run"]["api_calls"]


def test_a_step_of_a_sampler_is_not_counted_as_one_call() -> None:
    source = changed("minimal")
    count = agents(only(source))[0].get("llm_call_count")
    source["trajectory"][0]["extra_info"] = {"colleagues": "two opinions"}
    assert "llm_call_count" not in agents(only(source))[0]
    assert count in (1, None)


@needs_corpus
def test_demonstrations_are_marked_and_no_copied_context() -> None:
    [path] = (CORPUS / "swe-agent/upstream/v1.0-history-only-demo").glob("*.traj")
    steps = agents(only(path))
    assert steps
    for step in steps:
        assert step["extra"]["attraj"]["training"]["target"] is False
        assert "is_copied_context" not in step
        assert "llm_call_count" not in step


@needs_corpus
@pytest.mark.parametrize("name", ["first-attempt-running", "mid-run"])
def test_a_retry_agent_at_work_crashes_nothing(name: str) -> None:
    [path] = (MADE / "retry-score-two-attempts").glob(f"*.{name}.traj")
    assert convert(load(path), "run", Request("atif")).status in ("converted", "refused")


@needs_corpus
def test_a_retry_that_ran_is_a_call_like_any_other() -> None:
    calls = [call for step in agents(only(named("fc-retry-with-output-token"))) for call in step["tool_calls"]]
    assert ["admitted"] * 3 == [call["extra"]["attraj"]["admission"]["status"] for call in calls]


def test_a_result_that_is_null_is_no_empty_text() -> None:
    source = copy.deepcopy(base("minimal"))
    source["trajectory"][0]["observation"] = None
    document = only(source)
    for step in agents(document):
        assert "" not in [result.get("content") for result in step.get("observation", {}).get("results", [])]


@needs_corpus
def test_no_solution_is_claimed() -> None:
    [path] = (CORPUS / "swe-agent/swe-smith").glob("*pr_53856/*.traj")
    document = only(path)
    [outcome] = document["extra"]["attraj"]["outcomes"]
    assert ("agent_self_report", "submitted") == (outcome["authority_class"], outcome["value"])
    assert "resolved" not in json.dumps(document["extra"]["attraj"]["outcomes"])
    assert "verifier_results" not in document["extra"]["attraj"]


def test_what_a_sampler_compared_is_no_step_of_the_run() -> None:
    compared = {"comparison_log": [{"comparison_between": [0, 1], "idx": 1}]}
    patch = [{"op": "add", "path": "/trajectory/0/extra_info", "value": compared}]
    plain, sampled = only(base("minimal")), only(changed("minimal", patch))
    assert [one["source"] for one in plain["steps"]] == [one["source"] for one in sampled["steps"]]
    [step] = agents(sampled)
    assert compared == step["extra"]["attraj"]["extra_info"]
    assert "llm_call_count" not in step  # several calls, and nobody counted them


@pytest.mark.parametrize("target", ["react-web", "mini-swe-agent"])
def test_a_reply_at_which_a_run_was_cut_off_for_its_form_is_no_answer(target: str) -> None:
    words = {"action": "exit_format", "thought": "Exit due to format error", "response": "I am done, am I not?"}
    step = {**base("old")["trajectory"][0], **words, "observation": "Exited"}
    source = changed("old", [{"op": "add", "path": "/trajectory/-", "value": step}])
    result = convert(parse(dumps(source)), "run", Request(target, is_verified=True))
    assert "converted" == result.status, result.reason
    [output] = result.outputs
    document: Any = parse(output.text).tree
    if target == "react-web":
        assert "answer" not in [one["type"] for one in document["steps"]]
        assert "[message] I am done, am I not?" == document["steps"][-1]["content"]
    else:
        assert "tool_calls" not in next(one for one in document["messages"] if "am I not" in str(one))
