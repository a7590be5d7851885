"""Verdicts in a Bundle: verifier results with their evidence, and never an outcome; what is about others is told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attraj.bundle.model import Bundle
from attraj.findings import Severity
from attraj.formats.mapping.draft import Settings
from attraj.formats.mapping.restore import restore, sources
from attraj.formats.swe_agent.places import PLACES
from attraj.formats.swe_agent.read import read
from attraj.formats.swe_bench.beside import Beside, Patch
from attraj.formats.swe_bench.read import Given, read_verdicts
from attraj.formats.swe_bench.report import Report, report_of
from attraj.jsonio import Document, load, parse
from attraj.jsonio.write import dumps
from attraj.verbs.validate import Request, validate
from tests.formats.swe_agent.files import base, changed
from tests.formats.swe_agent.test_laws import RELAXED, VALUES
from tests.support import CORPUS, needs_corpus

A = "demo__calc-1"
TESTS = {"FAIL_TO_PASS": {"success": ["t1"], "failure": []}, "PASS_TO_PASS": {"success": [], "failure": ["t2"]}}
ENTRY = {"patch_exists": True, "patch_successfully_applied": False, "resolved": False, "tests_status": TESTS}


def report(tree: Any, name: str = "report.json") -> Report:
    made = report_of(parse(dumps(tree)), name)
    assert made is not None
    return made


def unnamed() -> dict[str, Any]:
    """A trajectory that does not say which task it is of."""
    tree: dict[str, Any] = changed("minimal", {"replay_config": None})
    return tree


def named(identity: str) -> dict[str, Any]:
    config = {"problem_statement": {"id": identity}}
    tree: dict[str, Any] = changed("minimal", {"replay_config": json.dumps(config)})
    return tree


def judged(tree: Any, given: Given) -> tuple[dict[str, Any], list[tuple[str, str]]]:
    """The Bundle, and the losses of verdicts."""
    draft = read(Document(dumps(tree), tree), Settings(name=A))
    known = len(draft.losses)
    read_verdicts(draft, given)
    lost = [(loss.code, loss.pointer) for loss in draft.losses[known:]]
    made: dict[str, Any] = parse(dumps(draft.finish())).tree
    return made, lost


def beside(*reports: Report, instance: str = A, patches: tuple[Patch, ...] = ()) -> Beside:
    return Beside(instance, reports, patches)


def results(tree: dict[str, Any]) -> list[tuple[str, str, list[str]]]:
    return [(one["verifier_result_id"], one["status"], one["evidence_refs"]) for one in tree["verifier_results"]]


def test_a_report_is_a_result_of_a_verifier_and_no_outcome() -> None:
    without, _ = judged(named(A), Given())
    tree, lost = judged(named(A), Given(beside(report(ENTRY))))
    unknown = {"verifier_version", "environment"}
    (result,) = tree["verifier_results"]
    assert {"unknown"} == {result[name]["$at"]["status"] for name in unknown}
    assert {
        "verifier_result_id": "verdict:0",
        "verifier": "verifier:swe-bench-harness",
        "checked_property": "resolved",
        "scope": [tree["trajectory_id"]],
        "evidence_refs": ["file:report.json"],
        "status": "fail",
        "output": {"reason": "the harness says that it is not resolved", **ENTRY},
    } == {name: value for name, value in result.items() if name not in unknown}
    assert [] == lost
    assert without["outcomes"] == tree["outcomes"]
    assert without["nodes"] == tree["nodes"]
    assert without["reward_records"] == tree["reward_records"]
    assert ["artifact:0", "file:report.json"] == [one["artifact_id"] for one in tree["source"]["artifacts"]]
    assert {"reward_records": "not_captured"} == tree["disclosure"]["absences"]


@pytest.mark.parametrize(
    ("tree", "given", "statuses", "losses"),
    [
        pytest.param(named(A), Given(beside(report({A: ENTRY}))), ["fail"], [], id="nested"),
        pytest.param(
            named(A), Given(beside(report({"resolved_ids": [A]}, "results.json"))), ["pass"], [], id="in-a-list"
        ),
        pytest.param(
            named(A),
            Given(beside(report({"resolved_ids": ["b"], "unresolved_ids": []}, "results.json"))),
            [],
            [("no-verdict", "/results.json")],
            id="in-none-of-the-lists-is-no-failure",
        ),
        pytest.param(
            named(A),
            Given(beside(report({"b": ENTRY}))),
            [],
            [("no-verdict", "/report.json")],
            id="of-another-instance",
        ),
        pytest.param(
            named("b"),
            Given(beside(report({A: ENTRY}))),
            [],
            [("other-instance", "/report.json")],
            id="a-folder-of-another-name",
        ),
        pytest.param(
            named("b"),
            Given(beside(report(ENTRY)), [report({"resolved_ids": ["b"]}, "mine.json")]),
            ["pass"],
            [("other-instance", "/report.json")],
            id="a-report-that-is-named-goes-by-the-trajectory",
        ),
        pytest.param(
            unnamed(), Given(beside(report({A: ENTRY}))), ["fail"], [], id="the-folder-names-what-the-file-does-not"
        ),
        pytest.param(
            unnamed(), Given(reports=[report({A: ENTRY})], name=A), ["fail"], [], id="by-the-name-of-the-file"
        ),
        pytest.param(
            unnamed(), Given(reports=[report({A: ENTRY})]), [], [("no-verdict", "/report.json")], id="by-no-name"
        ),
        pytest.param(unnamed(), Given(reports=[report(ENTRY)]), ["fail"], [], id="the-caller-knows-what-it-is-of"),
        pytest.param(
            named(A),
            Given(reports=[report({**ENTRY, "resolved": True}), report(ENTRY)]),
            ["pass", "fail"],
            [],
            id="two",
        ),
        pytest.param(
            named(A),
            Given(Beside(A, unread=("report.json",))),
            [],
            [("unread-verdict", "/report.json")],
            id="no-report",
        ),
    ],
)
def test_goes_by_the_instance(tree: Any, given: Given, statuses: list[str], losses: list[tuple[str, str]]) -> None:
    made, lost = judged(tree, given)
    assert statuses == [one["status"] for one in made["verifier_results"]]
    assert losses == lost
    assert [] == errors(made)


SUBMISSION = base("minimal")["info"]["submission"]


@pytest.mark.parametrize(
    ("text", "submission", "status"),
    [
        pytest.param(SUBMISSION, SUBMISSION, "fail", id="what-was-submitted"),
        pytest.param(f"\n{SUBMISSION}  \n", SUBMISSION, "fail", id="but-for-spaces-at-the-ends"),
        pytest.param("", None, "fail", id="nothing-of-nothing"),
        pytest.param(None, "", "fail", id="none-of-an-empty-one"),
        pytest.param(SUBMISSION.replace("2", "3"), SUBMISSION, "indeterminate", id="another-patch"),
        pytest.param(None, SUBMISSION, "indeterminate", id="no-patch"),
        pytest.param(SUBMISSION, None, "indeterminate", id="of-a-run-that-submitted-nothing"),
    ],
)
def test_a_verdict_on_another_patch_decides_nothing(text: str | None, submission: Any, status: str) -> None:
    patch = Patch(f"{A}.patch", text, (text or "").encode())
    given = Given(beside(report(ENTRY), patches=(patch,)), submission=submission)
    made, _ = judged(named(A), given)
    assert [("verdict:0", status, ["file:report.json", f"file:{A}.patch"])] == results(made)
    assert False is made["verifier_results"][0]["output"]["resolved"]  # what the harness said stays
    assert [] == errors(made)


def test_files_of_one_name_are_told_apart() -> None:
    made, _ = judged(named(A), Given(beside(report(ENTRY)), [report({A: ENTRY}), report({A: ENTRY})]))
    assert ["file:report.json", "file:2/report.json", "file:3/report.json"] == [
        evidence for _, _, (evidence,) in results(made)
    ]


def test_of_a_report_about_many_only_the_instance_comes_in() -> None:
    token = "zq7Canary41x"
    tree = {A: {**ENTRY, "note": 1}, token: {**ENTRY, "model_name_or_path": token}}
    made, _ = judged(named(A), Given(beside(report(tree))))
    assert token not in dumps(made).decode()
    entry = made["extensions"]["dev.attraj.source"]["data"]["artifacts"][1]
    assert {f"/{A}/note": 1} == entry["rest"]


@RELAXED
@given(st.dictionaries(st.sampled_from(["resolved", "patch_exists", "tests_status", "instance_id", "x"]), VALUES))
def test_any_values_are_read_without_an_error(members: dict[str, Any]) -> None:
    tree = {**members, "patch_is_None": False}
    made = report_of(Document(b"", tree), "report.json")
    if made is None:
        return
    trajectory = named(A)
    judged_tree, _ = judged(trajectory, Given(beside(made)))
    assert [] == errors(judged_tree)
    bundle = Bundle(judged_tree)
    assert trajectory == restore(bundle, sources(bundle)[0], PLACES)


def errors(tree: dict[str, Any]) -> list[str]:
    found = validate(parse(dumps(tree)), Request()).findings
    return [f"{f.rule.code} {f.location.pointer}" for f in found if f.severity is Severity.ERROR]


@needs_corpus
@pytest.mark.parametrize(
    ("instance", "status"),
    [
        pytest.param("pandas-dev__pandas.95280573.pr_53856", "fail", id="submitted-and-not-resolved"),
        pytest.param("pandas-dev__pandas.95280573.pr_53652", "pass", id="resolved"),
        pytest.param("pydantic__pydantic.acb0f10f.pr_8316", "pass", id="resolved-of-another-project"),
    ],
)
def test_the_samples_of_swe_smith(instance: str, status: str) -> None:
    folder: Path = CORPUS / "swe-agent" / "swe-smith" / instance
    verdict = load(folder / "report.json")
    document = load(folder / f"{instance}.traj")
    draft = read(document, Settings(name=instance))
    made = report_of(verdict, "report.json")
    assert made is not None
    read_verdicts(draft, Given(Beside(instance, (made,)), submission=document.tree["info"]["submission"]))
    tree = parse(dumps(draft.finish())).tree
    (result,) = tree["verifier_results"]
    assert (status, verdict.tree) == (result["status"], {k: v for k, v in result["output"].items() if k != "reason"})
    assert [("submitted", "agent_self_report")] == [(o["value"], o["authority_class"]) for o in tree["outcomes"]]
    assert [] == errors(tree)
    assert {} == tree["extensions"]["dev.attraj.source"]["data"]["artifacts"][1]["rest"]
