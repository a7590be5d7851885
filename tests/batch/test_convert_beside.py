"""Run folders of SWE-agent with what a harness left in them, from the folder to what is written and back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from attraj.batch.convert_library import Conversions, convert_paths
from attraj.batch.convert_plan import Destination, Sources, make_plan
from attraj.formats.swe_bench.report import Report, report_of
from attraj.jsonio import load, parse
from attraj.jsonio.write import dumps
from attraj.verbs.convert import Request, convert
from tests.formats.swe_agent.files import base, build, changed
from tests.support import CORPUS, base_document, needs_corpus

A, B = "demo__calc-1", "demo__calc-2"
ENTRY = {"patch_exists": True, "resolved": False, "model_name_or_path": "m"}
TRIAL = base_document("attraj.formats.harbor", "trial")
SMITH = CORPUS / "swe-agent" / "swe-smith"


def trajectory(identity: str) -> Any:
    return changed("minimal", {"replay_config": json.dumps({"problem_statement": {"id": identity}})})


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run of two instances of which each has a verdict."""
    files = {
        f"{A}/{A}.traj": trajectory(A),
        f"{A}/report.json": ENTRY,
        f"{B}/{B}.traj": trajectory(B),
        "results.json": {"resolved_ids": [B], "unresolved_ids": [A], "submitted_ids": [A, B]},
    }
    return build(tmp_path / "run", files)


def done(path: Path, out: Path, to: str = "bundle", **asked: Any) -> Conversions:
    exclude = asked.pop("exclude", ())
    return convert_paths([path], out, Request(to, is_verified=True, **asked), exclude=exclude)


def verdicts(out: Path, name: str) -> list[tuple[str, list[str]]]:
    results = load(out / f"{name}.bundle.json").tree["verifier_results"]
    return [(one["status"], one["evidence_refs"]) for one in results]


def test_a_run_that_is_given_is_given_with_its_verdicts(run: Path, tmp_path: Path) -> None:
    made = done(run, tmp_path / "out")
    assert [("fail", ["file:report.json"]), ("fail", ["file:results.json"])] == verdicts(tmp_path / "out", f"{A}/{A}")
    assert [("pass", ["file:results.json"])] == verdicts(tmp_path / "out", f"{B}/{B}")
    skipped = [(Path(one.report.path).name, one.report.reason) for one in made.records if one.status == "skipped"]
    assert [("report.json", "a harness's report: it is read with the trajectory beside it")] == skipped


def test_so_is_the_folder_of_an_instance(run: Path, tmp_path: Path) -> None:
    done(run / A, tmp_path / "out")
    assert [("fail", ["file:report.json"])] == verdicts(tmp_path / "out", A)


def test_a_file_that_is_given_is_given_alone(run: Path, tmp_path: Path) -> None:
    done(run / A / f"{A}.traj", tmp_path / "out")
    assert [] == verdicts(tmp_path / "out", A)


@pytest.mark.parametrize(
    ("patterns", "left"),
    [
        pytest.param(("report.json",), ["file:results.json"], id="by-its-name"),
        pytest.param(("*/results.json",), ["file:report.json"], id="by-its-path"),
    ],
)
def test_what_is_excluded_is_not_read(run: Path, tmp_path: Path, patterns: tuple[str, ...], left: list[str]) -> None:
    done(run, tmp_path / "out", exclude=patterns)
    assert left == [name for _, evidence in verdicts(tmp_path / "out", f"{A}/{A}") for name in evidence]


def test_a_flat_run_with_its_results(tmp_path: Path) -> None:
    files = {**base("old_run"), "results.json": {"resolved": [], "applied": [A], "generated": [A, B]}}
    done(build(tmp_path / "run", files), tmp_path / "out")
    expected = [("fail", ["file:results.json", f"file:{A}.patch"])]
    assert expected == verdicts(tmp_path / "out", A)


def test_a_patch_that_was_changed_takes_the_verdict_away(run: Path, tmp_path: Path) -> None:
    build(run, {f"{A}/{A}.pred": {"instance_id": A, "model_patch": "another"}})
    done(run, tmp_path / "out")
    assert ["indeterminate", "indeterminate"] == [status for status, _ in verdicts(tmp_path / "out", f"{A}/{A}")]


def test_a_verdict_that_changes_is_another_input(run: Path) -> None:
    out = Destination("folder", str(run.parent / "out"))

    def inputs() -> str:
        return make_plan(Sources([str(run)]), Request("bundle"), out).inputs_id

    before = inputs()
    build(run, {f"{B}/report.json": {"resolved": True, "patch_exists": True}})
    assert before != inputs()


def test_attempts_have_no_verdict_of_their_own(tmp_path: Path) -> None:
    files = {
        f"{A}/attempt_0/{A}.traj": trajectory(A),
        f"{A}/{A}.pred": "{}",
        "preds.json": {},
        f"{A}/report.json": ENTRY,
    }
    done(build(tmp_path / "run", files), tmp_path / "out")
    assert [] == verdicts(tmp_path / "out", f"{A}/attempt_0/{A}")


# --- the way back, and the way out -------------------------------------------------------------------------------


def test_the_trajectory_comes_back_as_it_was_and_the_verdict_is_a_loss(run: Path, tmp_path: Path) -> None:
    made = done(run, tmp_path / "out", "swe-agent")
    written = [one for one in made.records if one.status == "written"]
    assert trajectory(A) == load(tmp_path / "out" / A / f"{A}.swe-agent.json").tree
    assert [[("verifier-results", "verifier_vs_reward", 2)], [("verifier-results", "verifier_vs_reward", 1)]] == [
        [(loss.code, loss.category, loss.count) for loss in one.losses] for one in written
    ]


def test_it_comes_back_out_of_its_bundle_too(run: Path, tmp_path: Path) -> None:
    build(run, {f"{A}/report.json": {**ENTRY, "run_id": "mine"}})
    done(run, tmp_path / "out")
    bundle = load(tmp_path / "out" / A / f"{A}.bundle.json")
    made = convert(bundle, A, Request("swe-agent", is_verified=True))
    assert trajectory(A) == parse(made.outputs[0].text).tree
    told = {(loss.code, loss.pointer) for loss in made.losses}
    assert ("verifier-results", "/verifier_results/0") in told
    assert ("source-members", "/report.json/run_id") in told
    bundle.tree["rights"]["training"] = True
    again = convert(parse(dumps(bundle.tree)), A, Request("swe-agent"))
    assert told | {("rights", "/rights/training")} >= {(loss.code, loss.pointer) for loss in again.losses} > told


@pytest.mark.parametrize("is_given", [pytest.param(False, id="at-once"), pytest.param(True, id="by-a-bundle")])
@pytest.mark.parametrize("to", ["atif", "mini-swe-agent", "react-web"])
def test_another_format_holds_the_verdict_or_names_its_loss(run: Path, tmp_path: Path, to: str, is_given: bool) -> None:
    build(run, {f"{A}/report.json": {**ENTRY, "run_id": "mine"}})
    if is_given:
        done(run, tmp_path / "bundles")
    made = done(tmp_path / "bundles" if is_given else run, tmp_path / "out", to)
    written = [one for one in made.records if one.status == "written"]
    assert 2 == len(written)
    holds = to == "atif"
    assert [not holds] * 2 == [any(loss.code == "verifier-results" for loss in one.losses) for one in written]
    trees = [load(tmp_path / "out" / name / f"{name}.{to}.json").tree for name in (A, B)]
    if holds:
        told = [[one["status"] for one in tree["extra"]["attraj"]["verifier_results"]] for tree in trees]
        assert [["fail", "fail"], ["pass"]] == told
    if to == "react-web":  # by its own rules: `resolved` is the objective
        assert ["failure", "success"] == [tree["outcome"] for tree in trees]


# --- reports that the caller names -------------------------------------------------------------------------------


def report(tree: Any) -> Report:
    made = report_of(parse(dumps(tree)), "mine.json")
    assert made is not None
    return made


def test_a_named_report_goes_to_the_instances_that_it_names(run: Path, tmp_path: Path) -> None:
    made = done(run, tmp_path / "out", verdicts=(report({B: {**ENTRY, "resolved": True}}),))
    assert ["file:mine.json"] == verdicts(tmp_path / "out", f"{B}/{B}")[-1][1]
    told = {Path(one.report.path).stem: [loss.code for loss in one.losses] for one in made.records}
    assert "no-verdict" in told[A]
    assert "no-verdict" not in told[B]


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({"a.json": base_document("attraj.formats.react_web", "minimal")}, id="a-recording"),
        pytest.param({"a.json": base_document("attraj.bundle.checks", "minimal")}, id="a-bundle"),
        pytest.param({f"t/{name}": one for name, one in TRIAL.items()}, id="a-trial"),
    ],
)
def test_what_no_harness_judges_says_that_the_report_is_not_read(files: dict[str, Any], tmp_path: Path) -> None:
    given = build(tmp_path / "in", files)
    made = done(given, tmp_path / "out", verdicts=(report({"resolved_ids": [A]}),))
    written = [one for one in made.records if one.status == "written"]
    assert written
    assert all(any(loss.code == "unread-verdict" for loss in one.losses) for one in written)


def test_a_trajectory_of_mini_swe_agent_goes_by_its_own_id(tmp_path: Path) -> None:
    tree = {**base_document("attraj.formats.mini_swe_agent", "minimal"), "instance_id": A}
    given = build(tmp_path / "in", {"x.traj.json": tree})
    done(given / "x.traj.json", tmp_path / "out", verdicts=(report({A: ENTRY, "x": ENTRY}),))
    assert [("fail", ["file:mine.json"])] == verdicts(tmp_path / "out", "x")
    done(given / "x.traj.json", tmp_path / "back", "mini-swe-agent", verdicts=(report({A: ENTRY}),))
    assert tree == load(tmp_path / "back" / "x.mini-swe-agent.json").tree


def test_a_report_without_a_name_is_of_one_document(tmp_path: Path) -> None:
    path = tmp_path / "two.traj"
    path.write_text("\n".join(json.dumps(trajectory(name)) for name in (A, B)), "utf-8")
    refused = done(path, tmp_path / "out", verdicts=(report(ENTRY),)).records
    assert [("refused", 2)] == [(one.status, one.exit_code) for one in refused]
    done(path, tmp_path / "more", verdicts=(report({A: ENTRY}),))
    assert ["fail"] == [status for status, _ in verdicts(tmp_path / "more", "two.0")]
    assert [] == verdicts(tmp_path / "more", "two.1")


@needs_corpus
def test_the_samples_of_swe_smith_are_submitted_and_resolved_or_not(tmp_path: Path) -> None:
    done(SMITH, tmp_path / "out")
    found = {}
    for path in sorted((tmp_path / "out").rglob("*.bundle.json")):
        tree = load(path).tree
        found[path.parent.name] = (tree["outcomes"][0]["value"], tree["verifier_results"][0]["status"])
    assert {
        "pandas-dev__pandas.95280573.pr_53652": ("submitted", "pass"),
        "pandas-dev__pandas.95280573.pr_53856": ("submitted", "fail"),
        "pydantic__pydantic.acb0f10f.pr_8316": ("submitted", "pass"),
    } == found
