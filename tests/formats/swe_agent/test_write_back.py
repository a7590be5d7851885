"""`.traj` → `.traj` with a wish: what was asked for is changed, and nothing else."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from attraj.jsonio import Document, load, parse
from attraj.jsonio.write import dumps
from attraj.verbs.convert import Converted, Request, convert
from tests.formats.swe_agent.files import base, changed
from tests.formats.swe_agent.test_read import FILES, HERE
from tests.support import needs_corpus

THINKING = {"type": "thinking", "thinking": "zq" + "thought", "signature": "s"}


def given_back(source: Any, **wishes: Any) -> tuple[Any, Converted]:
    document = source if isinstance(source, Document) else parse(dumps(source))
    result = convert(document, "run", Request("swe-agent", is_verified=True, **wishes))
    assert "converted" == result.status, result.reason
    [output] = result.outputs
    return parse(output.text).tree, result


def told(result: Converted) -> list[tuple[str, str, str]]:
    return [(loss.code, loss.handling, loss.pointer) for loss in result.losses]


def thoughtful() -> Any:
    """A run whose messages hold reasoning: in the history, in an input, in a reviewer's talk."""
    source = base("minimal")
    said = next(one for one in source["history"] if one["role"] == "assistant")
    said["thinking_blocks"] = [THINKING]
    source["trajectory"][0]["query"].append({"role": "assistant", "content": "I look.", "thinking_blocks": [THINKING]})
    source["info"]["review"] = {"accept": 1, "outputs": ["good"], "messages": [{"role": "user", "content": "Judge."}]}
    source["info"]["review"]["messages"].append({"role": "assistant", "content": "8", "reasoning_content": "zqhm"})
    source["replay_config"] = {"agent": {"model": {"completion_kwargs": {"thinking": {"type": "enabled"}}}}}
    return source


def without(source: Any) -> Any:
    source = copy.deepcopy(source)
    next(one for one in source["history"] if one["role"] == "assistant").pop("thinking_blocks")
    source["trajectory"][0]["query"][-1].pop("thinking_blocks")
    source["info"]["review"]["messages"][-1].pop("reasoning_content")
    return source


def test_reasoning_is_left_out_everywhere_and_nothing_else_is() -> None:
    source = thoughtful()
    document, result = given_back(source, strips_thoughts=True)
    assert without(source) == document
    assert dumps(without(source)) == dumps(document)
    assert 3 == len(result.losses)
    assert {("stripped-thoughts", "dropped")} == {(loss.code, loss.handling) for loss in result.losses}


def test_a_document_without_reasoning_comes_back_as_it_was() -> None:
    document, result = given_back(base("old"), strips_thoughts=True)
    assert [] == told(result)
    assert base("old") == document


def test_the_bundle_is_not_changed_on_the_way() -> None:
    first = convert(parse(dumps(thoughtful())), "run", Request("bundle")).outputs[0].text
    bundle = parse(first)
    before = copy.deepcopy(bundle.tree)
    result = convert(bundle, "run", Request("swe-agent", strips_thoughts=True))
    assert before == bundle.tree
    assert without(thoughtful()) == parse(result.outputs[0].text).tree


def test_what_can_be_derived_stands_beside_what_the_file_says() -> None:
    source = base("full")
    document, result = given_back(source, is_derived=True)
    derived = [step.pop("attraj") for step in document["trajectory"]]
    assert source == document
    assert [("derived-field", "synthesized", f"/trajectory/{i}/attraj") for i in range(len(derived))] == told(result)
    rejected = [one for one in derived if one["observation_type"] == "none"]
    assert [one["step_id"] for one in derived] == list(range(1, len(derived) + 1))
    assert 1 == len(rejected)
    assert "observation_text" not in rejected[0]


def test_the_words_of_the_loop_are_no_reply_of_the_model() -> None:
    source = changed("minimal")
    words = {"response": "Exit due to cost limit", "thought": "Exit due to cost limit", "observation": "Exited"}
    source["trajectory"].append({**words, "action": "", "state": {}, "query": [{}], "execution_time": 0.0})
    document, _ = given_back(source, is_derived=True)
    assert {"is_derived", "step_id", "observation_type", "parse_error", "observation_text"} == set(
        document["trajectory"][-1]["attraj"]
    )


def test_a_member_of_the_same_name_is_kept() -> None:
    source = base("minimal")
    source["trajectory"][0]["attraj"] = {"mine": 1}
    document, result = given_back(source, is_derived=True)
    assert source == document
    assert [] == told(result)


def test_the_merged_attempt_and_its_copy_say_the_same() -> None:
    source = base("retry")
    source["attempts"][1]["trajectory"][0]["extra_info"] = {}
    document, _ = given_back(source, is_derived=True)
    for one in (document, *document["attempts"]):
        assert all(step.pop("attraj")["is_derived"] for step in one["trajectory"])
    assert source == document


@needs_corpus
@pytest.mark.parametrize("name", FILES)
def test_every_file_of_the_corpus_is_given_back_but_for_the_wish(name: str) -> None:
    path = Path(HERE / name)
    source = load(path)
    if type(source.tree) is not dict or "converted" != convert(source, "run", Request("swe-agent")).status:
        pytest.skip("no file that is converted")
    document, _ = given_back(source, is_derived=True, strips_thoughts=True)
    for one in (document, *document.get("attempts", [])):
        for step in one.get("trajectory", []):
            step.pop("attraj")
    if b"thinking_blocks" not in source.raw:
        assert source.tree == document
