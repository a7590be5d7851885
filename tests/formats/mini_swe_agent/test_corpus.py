"""Real and generated runs: recognised, counted as the oracle counts, and what is said of each."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from attraj.batch.discover import discover
from attraj.batch.run import run
from attraj.findings import DocumentReport
from attraj.formats.mini_swe_agent.turns import read
from attraj.formats.mini_swe_agent.version import version_of
from attraj.verbs.validate import Request
from tests.support import CORPUS, needs_corpus

HERE = CORPUS / "mini-swe-agent"
EXPECTED: dict[str, Any] = (
    json.loads((HERE / "EXPECTATIONS.json").read_text(encoding="utf-8"))["files"] if HERE.is_dir() else {}
)
FILES = sorted(EXPECTED)

# Everything that is not here is silent.
GOLDEN: dict[str, list[str]] = {
    "generated-by-upstream-code/v2-interactive-reject-human-newtask.traj.json": [
        "MJ103 warning /messages/16/tool_calls/0",  # the scripted model gave one id twice
        "MJ112 info /messages/14",
    ],
    "generated-by-upstream-code/v2-multimodal.traj.json": ["MJ102 info /messages/4/tool_calls/0"],
    "generated-by-upstream-code/v2-parallel-submit-loses-observation.traj.json": [
        "MJ102 info /messages/2/tool_calls/0"
    ],
    "generated-by-upstream-code/v2-responses-api-submitted.traj.json": ["MJ102 info /messages/6/output/0"],
    "generated-by-upstream-code/v2-toolcall-command-timeout.traj.json": ["MJ102 info /messages/6/tool_calls/0"],
    "generated-by-upstream-code/v2-toolcall-format-error-recovered.traj.json": ["MJ102 info /messages/6/tool_calls/0"],
    "generated-by-upstream-code/v2-toolcall-parallel-submitted.traj.json": ["MJ102 info /messages/7/tool_calls/0"],
    "mini-traj-web-browser/example_instance.traj.json": ["MJ106 info /info/exit_status"],
    "upstream-tests/github_issue.v1.17.5.traj.json": ["MJ107 info"],
    "upstream-tests/github_issue.v2.traj.json": ["MJ107 info"],
    "upstream-tests/local.v1.17.5.traj.json": ["MJ107 info"],
    "upstream-tests/local.v2.traj.json": ["MJ107 info"],
    "v2-liveswe-gpt5mini/astropy__astropy-14369.traj.json": [
        "MJ102 info /messages/83/tool_calls/0",
        "MJ104 info /messages/22",
    ],
    "v2-liveswe-gpt5mini/django__django-11066.traj.json": [
        "MJ102 info /messages/30/tool_calls/0",
        "MJ104 info /messages/28",
    ],
    "v2-liveswe-gpt5mini/django__django-11119.traj.json": [
        "MJ102 info /messages/31/tool_calls/0",
        "MJ104 info /messages/14",
    ],
    "v2-liveswe-gpt5mini/scikit-learn__scikit-learn-15100.traj.json": [
        "MJ102 info /messages/31/tool_calls/0",
        "MJ104 info /messages/14",
    ],
}


def report(path: Path) -> DocumentReport:
    [only] = [found for _, found in run(discover([str(path)]), Request())]
    return only


@needs_corpus
@pytest.mark.parametrize("name", FILES)
def test_a_file_says_what_was_reviewed(name: str) -> None:
    found = report(HERE / name)
    assert "mini-swe-agent" == found.format
    said = sorted(f"{f.code} {f.severity} {f.location.pointer}".rstrip() for f in found.findings)
    assert GOLDEN.get(name, []) == said


@needs_corpus
@pytest.mark.parametrize("name", FILES)
def test_a_file_is_counted_as_the_oracle_counts(name: str) -> None:
    facts = EXPECTED[name]
    tree = json.loads((HERE / name).read_text(encoding="utf-8"))
    messages = tree if type(tree) is list else tree["messages"]
    reading = read(messages)
    interrupts: dict[str, int] = {}
    for interrupt in reading.interrupts:
        interrupts[interrupt.kind] = interrupts.get(interrupt.kind, 0) + 1
    calls = [call for turn in reading.replies for call in turn.calls if call.id is not None]
    assert {
        "shape": facts["shape"],
        "messages": facts["messages"],
        "roles": facts["roles"],
        "interrupts": facts["interrupts"],
        "tool_calls": facts["tool_calls"],
        "tool_results": facts["tool_results"],
        "unanswered_calls": facts["unanswered_calls"],
        "max_parallel_calls": facts["max_parallel_calls"],
    } == {
        "shape": version_of(tree, messages).declared or "bare message list",
        "messages": len(messages),
        "roles": reading.kinds,
        "interrupts": interrupts,
        "tool_calls": len(calls),
        "tool_results": sum(call.result is not None for call in calls),
        "unanswered_calls": sum(len(open_calls) for _, open_calls in reading.unanswered()),
        "max_parallel_calls": max((sum(c.id is not None for c in t.calls) for t in reading.turns), default=0),
    }


@needs_corpus
def test_what_else_a_batch_folder_holds_is_skipped() -> None:
    folder = HERE / "v2-airflow-errors" / "run"
    found = [(Path(r.path).suffix, r.status) for _, r in run(discover([str(folder)]), Request())]
    assert [(".json", "clean")] == [(suffix, status) for suffix, status in found if status != "skipped"]
    assert {".json", ".yaml"} == {suffix for suffix, _ in found}
