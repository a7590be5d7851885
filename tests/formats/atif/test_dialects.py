"""Tags of others, unknown members, raw responses: what attraj makes of them, without a word of the document."""

from __future__ import annotations

from typing import Any

import pytest

from attraj.formats.atif import shape
from attraj.formats.atif.dialects import explain
from attraj.formats.atif.unknown import hint_for
from tests.formats.atif.documents import check, minimal, steps

TAGS = [
    ("ATIF-v1.9", "a version of ATIF that is not known"),
    ("ATIF-v2.0", "a version of ATIF that is not known"),
    ("1.7", "did you mean `ATIF-v1.7`?"),
    ("atif-v1.7", "did you mean `ATIF-v1.7`?"),
    ("ATIF 1.7", "did you mean `ATIF-v1.7`?"),
    ("v1.7.0", "did you mean `ATIF-v1.7`?"),
    ("atif/1", "a dialect under ATIF's name"),
    ("ATIF", "a dialect under ATIF's name"),
    ("something-of-ours", "not a version of ATIF"),
    ("", "not a version of ATIF"),
]


@pytest.mark.parametrize(("tag", "said"), TAGS)
def test_a_tag_is_explained(tag: str, said: str) -> None:
    assert said in " ".join(explain(tag))


@pytest.mark.parametrize("tag", ["ATIF-v1.9-tokentoken", "tokentoken", "atif/tokentoken"])
def test_a_tag_is_never_repeated(tag: str) -> None:
    assert "tokentoken" not in " ".join(explain(tag))


MEANT = [
    ("step", "thought", "reasoning_content"),
    ("step", "role", "source"),
    ("step", "content", "message"),
    ("step", "toolCalls", "tool_calls"),
    ("step", "mesage", "message"),
    ("step", "mesasge", "message"),
    ("step", "messages", "message"),
    ("call", "name", "function_name"),
    ("call", "args", "arguments"),
    ("result", "tool_call_id", "source_call_id"),
    ("metrics", "input_tokens", "prompt_tokens"),
    ("trajectory", "version", "schema_version"),
    ("trajectory", "raw_content", "an option of a Harbor producer"),
    ("trajectory", "reward", "result.json"),
    ("observation", "result", "results"),
    ("step", "wholly_unknown", "`extra`"),
    ("part", "wholly_unknown", "only these members"),
]


@pytest.mark.parametrize(("kind", "name", "said"), MEANT)
def test_what_was_meant(kind: str, name: str, said: str) -> None:
    assert said in hint_for(kind, name)


@pytest.mark.parametrize("kind", shape.OBJECTS)
def test_a_hint_never_repeats_the_name(kind: str) -> None:
    assert "tokentoken" not in hint_for(kind, "tokentoken")


RAW = '{"analysis": "", "plan": "", "commands": [{"keystrokes": "ls\\n"}]}'
NOTED = [
    pytest.param({"message": RAW, "observation": {"results": [{"content": "a"}]}}, True, id="json"),
    pytest.param(
        {"message": "<response><commands/></response>", "observation": {"results": [{"content": "a"}]}}, True, id="xml"
    ),
    pytest.param({"message": RAW}, False, id="no-observation"),
    pytest.param({"message": "Done.", "observation": {"results": [{"content": "a"}]}}, False, id="prose"),
]


@pytest.mark.parametrize(("step", "is_raw"), NOTED)
def test_raw_responses_are_noted(step: dict[str, Any], is_raw: bool) -> None:
    notes = check(steps({"source": "agent", **step})).notes
    assert is_raw == any("raw model responses" in note for note in notes)


def test_a_document_with_calls_has_no_raw_responses() -> None:
    assert () == check(minimal([{"op": "replace", "path": "/steps/1/message", "value": RAW}])).notes
