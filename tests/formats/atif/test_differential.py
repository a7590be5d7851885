"""Hand-made documents with the verdicts of Harbor 0.18 and 0.26, and what attraj says of each."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from attraj.formats import Options, atif
from attraj.formats.bytes_rules import byte_findings
from attraj.jsonio import parse
from tests.support import CORPUS, needs_corpus

CASES_FILE = CORPUS / "atif/harbor-differential/validator_cases.json"
CASES: list[dict[str, Any]] = json.loads(CASES_FILE.read_bytes())["cases"] if CASES_FILE.is_file() else []
WORDS = {"pass": "accepted", "fail": "rejected", "crash": "crash"}

# What attraj finds in the documents that Harbor passes ("i" a remark, "w" a warning). Each was looked at; where the
# list is empty, attraj agrees with Harbor that there is nothing to say.
PASSED = {
    "baseline": [],
    "missing schema_version": ["ATIF001"],
    "missing session_id on v1.6": ["ATIF004"],
    "agent.version empty string": ["ATIF005 w"],
    "step_id string '1'": ["ATIF007"],
    "step_id float 1.0": ["ATIF007"],
    "step_id bool true": ["ATIF007"],
    "message empty list": ["ATIF009 w"],
    "observation on user step": [],
    "observation.results empty": ["ATIF015 i"],
    "observation result no content no ref": ["ATIF117 w"],
    "duplicate tool_call_id in step": ["ATIF014"],
    "duplicate tool_call_id across steps": ["ATIF014", "ATIF015 i"],
    "two results for same call": ["ATIF015 w"],
    "tool_call_id empty string + result ''": ["ATIF116 w"],
    "function_name empty": ["ATIF116 w"],
    "timestamp date only": ["ATIF011 w"],
    "timestamp basic format 20260101T000000Z": ["ATIF011 w"],
    "timestamp week date 2026-W01-1": ["ATIF011 w"],
    "timestamp space sep": ["ATIF011 w"],
    "timestamp ns 9 digits Z": [],
    "llm_call_count 0 on user step": [],
    "llm_call_count 3 on user step": [],
    "cached>prompt": ["ATIF028 w"],
    "negative tokens": ["ATIF028 w"],
    "logprobs len mismatch": ["ATIF028 w"],
    "completion ids len != completion_tokens": ["ATIF028 w"],
    "cost nan (python)": ["ATIF102"],
    "final totals mismatch": ["ATIF027 w"],
    "subagent ref trajectory_id not embedded": ["ATIF019"],
    "subagent ref path missing file": ["ATIF020 w"],
    "embedded sub id == parent id": ["ATIF001", "ATIF021 w", "ATIF022 w"],
    "embedded sub with missing local image": ["ATIF001", "ATIF022 w", "ATIF025"],
    "image path is directory": ["ATIF025"],
    "image path empty": ["ATIF025"],
    "image https url": [],
    "continued_trajectory_ref missing file": ["ATIF023 w"],
    "is_copied_context 'yes'": ["ATIF109"],
    "is_copied_context 1": ["ATIF109"],
    "context_management boundary replace w/o content": ["ATIF030 w"],
    "tool_definitions not openai shape": ["ATIF031 w"],
    "tool_definitions empty": [],
    "all copied, no agent new step": ["ATIF029 w"],
    "reasoning_effort int 3": [],
    "secret in arguments": [],
}
# … and in those that it refuses, or crashes on.
REFUSED = {
    "schema_version 1.7 (no prefix)": ["ATIF002"],
    "schema_version null": ["ATIF002"],
    "v1.5 doc using image parts": ["ATIF003", "ATIF025"],
    "v1.7 doc using audio part": ["ATIF003", "ATIF025"],
    "v1.8 doc using audio part": ["ATIF025"],
    "missing agent": ["ATIF005"],
    "missing agent.version": ["ATIF005"],
    "agent.version number": ["ATIF005"],
    "steps empty": ["ATIF006"],
    "steps missing": ["ATIF006"],
    "step_id starts at 0": ["ATIF007"],
    "step_id starts at 2": ["ATIF007"],
    "step_id gap": ["ATIF007"],
    "source tool": ["ATIF008"],
    "message missing": ["ATIF009"],
    "message null": ["ATIF009"],
    "unknown root field": ["ATIF032"],
    "unknown step field": ["ATIF032"],
    "tool_calls [] on agent step": ["ATIF013"],
    "metrics on user step": ["ATIF010"],
    "source_call_id dangling": ["ATIF013"],
    "arguments string": ["ATIF012"],
    "arguments list": ["ATIF012"],
    "timestamp not iso": ["ATIF011"],
    "timestamp ':60' leap": ["ATIF011"],
    "timestamp epoch number": ["ATIF011"],
    "llm_call_count 0 + metrics": ["ATIF016"],
    "llm_call_count 0 + metrics {}": ["ATIF016"],
    "llm_call_count 0 + reasoning ''": ["ATIF016"],
    "llm_call_count -1": ["ATIF111"],
    "prompt_tokens 1.5": ["ATIF109"],
    "final_metrics negative total_steps": ["ATIF111"],
    "subagent ref session_id only (v1.6 style)": ["ATIF018"],
    "subagent ref single object not list": ["ATIF109"],
    "embedded subagent no trajectory_id": ["ATIF001", "ATIF021"],
    "embedded subagents dup ids": ["ATIF001", "ATIF021", "ATIF022 w"],
    "image missing local": ["ATIF025"],
    "image data: URI": ["ATIF025"],
    "text part with source": ["ATIF024"],
    "text part without text": ["ATIF024"],
    "reasoning_effort list": ["ATIF109"],
    "step null": ["ATIF109"],
    "step is string": ["ATIF109"],
    "extra list": ["ATIF109"],
}


FOUND = PASSED | REFUSED


def checked(case: dict[str, Any], folder: Path) -> tuple[dict[str, str], list[str]]:
    """Verdicts and codes for the text of a case, as a file that stands alone in a folder."""
    document = parse(case["document_text"].encode("utf-8", "surrogatepass"))
    result = atif.check(document, Options(folder=str(folder)))
    marks = {"error": "", "warning": " w", "info": " i"}
    found = [*byte_findings(document.faults, "ATIF"), *result.findings]
    return dict(result.verdicts), sorted({f"{f.code}{marks[str(f.severity)]}" for f in found})


@needs_corpus
@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["case"]))
def test_the_verdicts_are_harbors(case: dict[str, Any], tmp_path: Path) -> None:
    expected = {name: WORDS[case[f"harbor_{name[7:]}.0"]["verdict"]] for name in ("harbor-0.18", "harbor-0.26")}
    assert expected == checked(case, tmp_path)[0]


@needs_corpus
@pytest.mark.parametrize("case", [c for c in CASES if c["case"] in FOUND], ids=lambda case: str(case["case"]))
def test_the_findings_are_the_ones_that_were_looked_at(case: dict[str, Any], tmp_path: Path) -> None:
    assert FOUND[case["case"]] == checked(case, tmp_path)[1]
