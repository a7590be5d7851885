"""Real files and hand-made edges: every finding of every one of them, reviewed."""

from __future__ import annotations

from pathlib import Path

import pytest

from attraj.findings import Finding
from attraj.formats import Options, detect
from attraj.formats.bytes_rules import byte_findings
from attraj.formats.swe_agent import check
from attraj.formats.swe_agent.layout import recognise
from attraj.jsonio import parse
from tests.formats.swe_agent.files import build, checked_run
from tests.support import CORPUS, needs_corpus

ROOT = CORPUS / "swe-agent"

# Path without its ending, once where folder and file are called alike: version, findings.
GOLDEN: dict[str, tuple[str | None, list[str]]] = {
    "generated-by-upstream-code/batch-run-dir/run1/demo__calc-1": ("1.1", []),
    "generated-by-upstream-code/batch-run-dir/run1/demo__calc-2": ("1.1", ["TJ031 info /trajectory/1"]),
    "generated-by-upstream-code/batch-run-dir/run1/demo__calc-4": ("1.1", ["TJ031 info /trajectory/1"]),
    "generated-by-upstream-code/fc-command-timeout": ("1.1", []),
    "generated-by-upstream-code/fc-env-died-nothing": ("1.1", ["TJ031 info /trajectory/1"]),
    "generated-by-upstream-code/fc-env-died-submitted-from-diff-state": ("1.1", ["TJ031 info /trajectory/2"]),
    "generated-by-upstream-code/fc-exit-context-no-patch": ("1.1", ["TJ031 info /trajectory/1"]),
    "generated-by-upstream-code/fc-exit-cost-autosubmitted": ("1.1", ["TJ031 info /trajectory/2"]),
    "generated-by-upstream-code/fc-exit-error-unknown": ("1.1", ["TJ031 info /trajectory/1"]),
    "generated-by-upstream-code/fc-format-errors-then-submitted": ("1.1", ["TJ030 info /trajectory/0"]),
    "generated-by-upstream-code/fc-last-n-observations": ("1.1", []),
    "generated-by-upstream-code/fc-multimodal-image-observation": ("1.1", []),
    "generated-by-upstream-code/fc-retry-with-output-token": ("1.1", ["TJ032 warning /trajectory/1"]),
    "generated-by-upstream-code/fc-submitted-empty-patch": (
        "1.1",
        ["TJ012 info /replay_config", "TJ042 info /info/submission"],
    ),
    "generated-by-upstream-code/fc-thinking-submitted": ("1.1", []),
    "generated-by-upstream-code/retry-score-two-attempts/attempt_0/retry-score-two-attempts": (
        "1.1",
        ["TJ012 info /replay_config", "TJ031 info /trajectory/2"],
    ),
    "generated-by-upstream-code/retry-score-two-attempts/attempt_1/retry-score-two-attempts": (
        "1.1",
        ["TJ012 info /replay_config"],
    ),
    "generated-by-upstream-code/retry-score-two-attempts/retry-score-two-attempts.first-attempt-running": (
        None,
        ["TJ040 info /attempts"],
    ),
    "generated-by-upstream-code/retry-score-two-attempts/retry-score-two-attempts.mid-run": (
        "1.1",
        ["TJ031 info /attempts/0/trajectory/2", "TJ040 info /attempts"],
    ),
    "generated-by-upstream-code/retry-score-two-attempts": ("1.1", ["TJ031 info /attempts/0/trajectory/2"]),
    "generated-by-upstream-code/sampler-binary-comparison": ("1.1", []),
    "generated-by-upstream-code/ta-exit-command": ("1.1", []),
    "generated-by-upstream-code/ta-exit-format-no-patch": (
        "1.1",
        ["TJ030 info /trajectory/0", "TJ031 info /trajectory/3"],
    ),
    "generated-by-upstream-code/ta-format-error-blocked-syntaxerror-submitted": ("1.1", ["TJ030 info /trajectory/0"]),
    "handmade-edge/bom": ("1.1", ["TJ002 info", "TJ031 info /trajectory/2"]),
    "handmade-edge/exit-status-absent": ("1.1", ["TJ031 info /trajectory/2", "TJ040 info /info"]),
    "handmade-edge/exit-status-integer": ("1.1", ["TJ031 info /trajectory/2", "TJ041 warning /info/exit_status"]),
    "handmade-edge/info-missing": ("1.1", ["TJ004 warning", "TJ010 info", "TJ031 info /trajectory/2"]),
    "handmade-edge/killed-mid-run": ("1.1", ["TJ040 info /info/exit_status", "TJ044 info /info/model_stats/api_calls"]),
    "handmade-edge/seed-style-suggested-fields": (
        "1.1",
        ["TJ013 warning /schema_version", "TJ013 warning /trajectory/0/step_id", "TJ031 info /trajectory/2"],
    ),
    "handmade-edge/state-string-broken-json": (
        "1.1",
        ["TJ021 warning /trajectory/0/state", "TJ031 info /trajectory/2"],
    ),
    "handmade-edge/trajectory-null": ("1.1", ["TJ003 error /trajectory"]),
    "handmade-edge/truncated": (None, ["TJ001 error /replay_config"]),
    "handmade-edge/v0.x-early-exit": ("0.1-0.6", ["TJ010 info", "TJ044 info /info/model_stats/api_calls"]),
    "handmade-edge/v0.x-exit-format": (
        "0.1-0.6",
        ["TJ010 info", "TJ031 info /trajectory/4", "TJ044 info /info/model_stats/api_calls"],
    ),
    "handmade-edge/zero-byte": (None, ["TJ001 error"]),
    "swe-smith/pandas-dev__pandas.95280573.pr_53652": ("1.0", ["TJ060 warning /replay_config"]),
    "swe-smith/pandas-dev__pandas.95280573.pr_53856": ("1.0", ["TJ060 warning /replay_config"]),
    "swe-smith/pydantic__pydantic.acb0f10f.pr_8316": ("1.0", ["TJ060 warning /replay_config"]),
    "third-party-pseudo/superpowers-evals_run": (
        "0.1-0.6",
        [
            "TJ010 warning",
            "TJ011 warning /info/input_tokens",
            "TJ011 warning /info/output_tokens",
            "TJ011 warning /info/total_cost",
            "TJ013 warning /info/model_name",
            "TJ016 warning",
            "TJ021 warning /trajectory/0/state",
            "TJ034 warning /trajectory/0/thought",
            "TJ035 warning /trajectory/0/action",
            "TJ040 info /info",
        ],
    ),
    "upstream/v0.1-thought_action-default/marshmallow-code__marshmallow-1867": (
        "0.1-0.6",
        ["TJ010 info", "TJ051 info /info/model_stats"],
    ),
    "upstream/v0.1-xml_parser-cursors/marshmallow-code__marshmallow-1867": (
        "0.1-0.6",
        ["TJ010 info", "TJ051 info /info/model_stats"],
    ),
    "upstream/v0.7-dev-summarizer-null-submission/97af1e": ("0.7", ["TJ010 info", "TJ042 info /info/submission"]),
    "upstream/v0.7-dev-summarizer-null-submission/portalocker_97af1e": (
        "0.7",
        ["TJ010 info", "TJ042 info /info/submission"],
    ),
    "upstream/v0.7-dev-summarizer-null-submission/simpy_97af1e": ("0.7", ["TJ010 info", "TJ042 info /info/submission"]),
    "upstream/v0.7-enigma-ctf/BabyEncryption": (
        "0.7",
        ["TJ010 info", "TJ032 warning /trajectory/8", "TJ051 info /info/model_stats"],
    ),
    "upstream/v0.7-enigma-ctf/eps": ("0.7", ["TJ010 info", "TJ051 info /info/model_stats"]),
    "upstream/v0.7-enigma-ctf/flash": ("0.7", ["TJ010 info", "TJ051 info /info/model_stats"]),
    "upstream/v0.7-enigma-ctf/i_got_id_demo": (
        "0.7",
        ["TJ010 info", "TJ033 warning /trajectory/19/response", "TJ051 info /info/model_stats"],
    ),
    "upstream/v0.7-enigma-ctf/katy": (
        "0.7",
        ["TJ010 info", "TJ033 warning /trajectory/16/response", "TJ051 info /info/model_stats"],
    ),
    "upstream/v0.7-enigma-ctf/networking_1": ("0.7", ["TJ010 info", "TJ051 info /info/model_stats"]),
    "upstream/v0.7-enigma-ctf/rock": ("0.7", ["TJ010 info", "TJ051 info /info/model_stats"]),
    "upstream/v0.7-enigma-ctf/warmup": ("0.7", ["TJ010 info", "TJ051 info /info/model_stats"]),
    "upstream/v0.x-body-with-replay_config-added/marshmallow-code__marshmallow-1867": (
        "0.1-0.6",
        ["TJ010 warning", "TJ012 info /replay_config", "TJ051 info /info/model_stats"],
    ),
    "upstream/v0.x-human_thought-message_type-added/humanevalfix-python-0": (
        "0.1-0.6",
        ["TJ010 warning", "TJ051 info /info/model_stats"],
    ),
    "upstream/v0.x-local-repo/6e44b9__sweagenttestrepo-1c2844": ("0.1-0.6", ["TJ010 info"]),
    "upstream/v0.x-run-dir-gpt4-from-url/swe-agent__test-repo-i1": ("0.1-0.6", ["TJ010 info"]),
    "upstream/v0.x-run-dir-gpt4-swebench-dev/pydicom__pydicom-1458": ("0.1-0.6", ["TJ010 info"]),
    "upstream/v1.0-dev-20241125-function_calling/6e44b9__sweagenttestrepo-1c2844": (
        "1.0-dev",
        ["TJ010 info", "TJ012 info /replay_config", "TJ032 info /trajectory/4", "TJ060 warning /replay_config"],
    ),
    "upstream/v1.0-dev-function_calling-replay_config-dict/6e44b9__sweagenttestrepo-1c2844": (
        "1.0-dev",
        ["TJ010 info", "TJ012 info /replay_config", "TJ032 info /trajectory/4"],
    ),
    "upstream/v1.0-function_calling-messages-field/marshmallow-code__marshmallow-1867": (
        "1.0",
        ["TJ010 info", "TJ012 info /replay_config"],
    ),
    "upstream/v1.0-function_calling-no-messages/marshmallow-code__marshmallow-1867": (
        "1.0-dev",
        ["TJ010 info", "TJ012 info /replay_config"],
    ),
    "upstream/v1.0-history-only-demo/function_calling_simple": (None, ["TJ014 info"]),
}


def line(finding: Finding) -> str:
    return f"{finding.code} {finding.severity} {finding.location.pointer}".strip()


def path_of(name: str) -> Path:
    place = ROOT / name
    return place / f"{place.name}.traj" if place.is_dir() else place.with_name(f"{place.name}.traj")


@needs_corpus
@pytest.mark.parametrize(("name", "expected"), GOLDEN.items(), ids=GOLDEN)
def test_every_file_says_what_was_reviewed(name: str, expected: tuple[str | None, list[str]]) -> None:
    document = parse(path_of(name).read_bytes())
    found = [*byte_findings(document.faults, "TJ")]
    version = None
    if document.is_readable:
        checked = check(document, Options())
        found.extend(checked.findings)
        version = checked.version
    assert expected == (version, sorted(map(line, found)))


@needs_corpus
@pytest.mark.parametrize("name", GOLDEN)
def test_every_readable_file_is_recognised(name: str) -> None:
    document = parse(path_of(name).read_bytes())
    known = detect(document.tree)
    assert (document.is_readable, "swe-agent") == (known is not None, known.name if known else "swe-agent")


LEFTOVER = "TJ113 info /retry-score-two-attempts/retry-score-two-attempts"
FOLDERS = {
    "generated-by-upstream-code": [
        "TJ110 info /retry-score-two-attempts/attempt_0",
        f"{LEFTOVER}.first-attempt-running.traj",
        f"{LEFTOVER}.mid-run.traj",
    ],
    "generated-by-upstream-code/batch-run-dir/run1": ["TJ101 warning /demo__calc-3"],
    "swe-smith": [],
    "upstream/v0.x-run-dir-gpt4-from-url": [],
    "upstream/v0.x-run-dir-gpt4-swebench-dev": [],
}


@needs_corpus
@pytest.mark.parametrize(("name", "expected"), FOLDERS.items(), ids=FOLDERS)
def test_every_run_folder_says_what_was_reviewed(name: str, expected: list[str]) -> None:
    checked = checked_run(ROOT / name)
    assert (expected, {"swe-agent-run": "finished"}) == (sorted(map(line, checked.findings)), checked.verdicts)


@needs_corpus
def test_folders_of_a_run_and_others_are_told_apart() -> None:
    folders = [path for path in (ROOT, *ROOT.rglob("*")) if path.is_dir()]
    others = [path for name in ("atif", "mini-swe-agent") for path in (CORPUS / name).rglob("*") if path.is_dir()]
    assert sorted(FOLDERS) == sorted(str(path.relative_to(ROOT)) for path in folders if recognise(path))
    assert [] == [path for path in others if recognise(path)]


def test_an_empty_folder_is_no_run(tmp_path: Path) -> None:
    assert recognise(build(tmp_path / "empty", {})) is None
