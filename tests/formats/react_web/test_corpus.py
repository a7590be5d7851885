"""Real, generated and handmade files: recognised as what they are, counted as the oracle counts, and what is said."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from attraj.batch.discover import discover
from attraj.batch.run import run
from attraj.findings import DocumentReport
from attraj.formats.react_web.pairing import read
from attraj.verbs.validate import Request
from tests.support import CORPUS, needs_corpus

HERE = CORPUS / "react-web"
EXPECTED: dict[str, Any] = (
    json.loads((HERE / "EXPECTATIONS.json").read_text(encoding="utf-8"))["files"] if HERE.is_dir() else {}
)
FILES = sorted(name for name, facts in EXPECTED.items() if facts["is_react_web"])
OTHERS = sorted(EXPECTED.keys() - set(FILES))

HAND = ["RW010 info", "RW010 warning"]  # neither title nor recorded_at, tags, condition
GOLDEN: dict[str, list[str]] = {
    "upstream/ch1-asean-capitals-gpt5.json": [],
    "upstream/ch1-currency-ablation-no-tool-results.json": [
        "RW020 info /steps/13",
        "RW030 info /steps/1",
        "RW032 info /steps/1",
        "RW033 info /steps/1",
    ],
    "generated-by-upstream-agent/gen-api-error-mid-run.json": ["RW010 info", "RW034 info /steps/1/content"],
    "generated-by-upstream-agent/gen-empty-trace.json": ["RW010 info"],
    "generated-by-upstream-agent/gen-invalid-args-unknown-tool.json": [
        "RW010 info",
        "RW032 info /steps/0",
        "RW035 info /steps/0/args",
    ],
    "generated-by-upstream-agent/gen-max-iterations-no-answer.json": [
        "RW010 info",
        "RW033 info /steps/1",
        "RW034 info /steps/2/content",
    ],
    "generated-by-upstream-agent/gen-parallel-same-tool-same-args.json": [
        "RW010 info",
        "RW032 info /steps/0",
        "RW034 info /steps/1/content",
    ],
    "generated-by-upstream-agent/gen-parallel-two-calls.json": [
        "RW010 info",
        "RW032 info /steps/1",
        "RW034 info /steps/2/content",
    ],
    "generated-by-upstream-agent/gen-truncated-answer.json": ["RW010 info", "RW020 info /steps/1"],
    "generated-by-upstream-agent/offline-demo-trace.json": ["RW010 info"],
    "handmade-edge/actions-first-results-reordered.json": [*HAND, "RW032 info /steps/0"],
    "handmade-edge/actions-first-same-tool-ambiguous.json": [
        "RW010 info",
        "RW031 warning /steps/3",
        "RW032 info /steps/1",
    ],
    "handmade-edge/html-and-control-characters.json": ["RW010 info"],
    "handmade-edge/missing-iteration-string-iteration-zero.json": [
        "RW004 warning /steps/0",
        "RW004 warning /steps/1/iteration",
        "RW004 warning /steps/2/iteration",
        *HAND,
    ],
    "handmade-edge/non-string-content-and-args.json": [
        "RW005 warning /steps/0/args",
        "RW005 warning /steps/2/args",
        "RW005 warning /steps/4/args",
        "RW006 error /steps/6/content",
        "RW006 info /steps/5/content",
        "RW006 warning /steps/1/content",
        "RW006 warning /steps/3/content",
        "RW006 warning /steps/7/content",
        *HAND,
        "RW031 warning /steps/6",
        "RW040 warning /steps/6/args",
    ],
    "handmade-edge/observation-in-next-iteration.json": [*HAND, "RW030 info /steps/0", "RW031 warning /steps/1"],
    "handmade-edge/observation-without-action.json": [
        "RW005 error /steps/1",
        *HAND,
        "RW031 warning /steps/0",
        "RW031 warning /steps/1",
    ],
    "handmade-edge/prototype-names.json": [
        "RW003 warning /steps/0/type",
        *HAND,
        "RW011 warning /outcome",
    ],
    "handmade-edge/steps-after-answer-and-two-answers.json": [*HAND, "RW021 warning /steps/2"],
    "handmade-edge/three-actions-one-observation.json": [
        *HAND,
        "RW030 warning /steps/1",
        "RW030 warning /steps/2",
        "RW031 warning /steps/3",
        "RW032 info /steps/0",
    ],
    "handmade-edge/unknown-type-and-outcome.json": [
        "RW003 warning /steps/0/type",
        "RW003 warning /steps/1/type",
        *HAND,
        "RW011 warning /outcome",
    ],
}


def reports(path: Path) -> list[DocumentReport]:
    return [report for _, report in run(discover([str(path)]), Request())]


@needs_corpus
@pytest.mark.parametrize("name", FILES)
def test_a_file_says_what_was_reviewed(name: str) -> None:
    [report] = reports(HERE / name)
    assert "react-web" == report.format
    found = sorted(f"{f.code} {f.severity} {f.location.pointer}".rstrip() for f in report.findings)
    assert GOLDEN[name] == found


@needs_corpus
@pytest.mark.parametrize("name", FILES)
def test_a_file_is_counted_as_the_oracle_counts(name: str) -> None:
    facts = EXPECTED[name]
    steps = json.loads((HERE / name).read_text(encoding="utf-8"))["steps"]
    reading = read(steps)
    assert {
        "steps": facts["steps"],
        "types": facts["types"],
        "unanswered_actions": facts["unanswered_actions"],
        "unpaired_observations": facts["unpaired_observations"],
        "ambiguous_pairings": facts["ambiguous_pairings"],
        "pairable_only_across_iterations": facts["pairable_only_across_iterations"],
        "max_actions_per_iteration": facts["max_actions_per_iteration"],
    } == {
        "steps": len(steps),
        "types": dict(Counter(step["type"] for step in steps)),
        "unanswered_actions": len(reading.unanswered),
        "unpaired_observations": len(reading.unlinked()),
        "ambiguous_pairings": len(reading.ambiguous()),
        "pairable_only_across_iterations": sum(pair.is_late for pair in reading.pairs),
        "max_actions_per_iteration": max((len(group.actions) for group in reading.groups), default=0),
    }


@needs_corpus
@pytest.mark.parametrize("name", OTHERS)
def test_a_neighbour_is_not_taken_for_one(name: str) -> None:
    assert {None} == {report.format for report in reports(HERE / name)}


@needs_corpus
def test_the_verdicts_of_the_two_upstream_files() -> None:
    found = [dict(reports(HERE / name)[0].verdicts) for name in FILES if name.startswith("upstream/")]
    assert [{"schema": "valid", "viewer": "renders"}] * 2 == found


@needs_corpus
def test_every_file_of_the_folder_is_known_to_the_golden() -> None:
    assert GOLDEN.keys() == set(FILES)
