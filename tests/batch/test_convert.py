"""What becomes of one input: every document accounted for, its outputs all there or none, nothing over anything."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from attraj.batch.convert import ConvertTask
from attraj.batch.convert_plan import Destination, Plan, Sources, make_plan
from attraj.batch.convert_records import Record
from attraj.batch.convert_write import IS_OTHER
from attraj.findings import FAILED
from attraj.verbs.convert import Request
from tests.batch.converting import REQUEST, VERBS, plan_of, task_of, tree_of, written
from tests.support import base_document


def records(plan: Plan, **options: Any) -> list[Record]:
    task = task_of(plan, **options)
    return [record for entry in plan.entries for record in task.look_at(entry).records]


def told(made: list[Record]) -> list[tuple[str, int, str, int, str | None]]:
    return [
        (Path(one.report.path).name, one.report.index, one.status, one.exit_code, one.report.reason) for one in made
    ]


@pytest.mark.parametrize(
    ("tree", "expected"),
    [
        pytest.param({}, ("written", 0, None), id="converted"),
        pytest.param({"toy": "findings"}, ("findings", 1, "errors in its shape"), id="errors"),
        pytest.param({"toy": "rejected"}, ("rejected", 3, None), id="rejected"),
        pytest.param({"toy": "refused"}, ("refused", 1, "the target has no word for it"), id="refused"),
        pytest.param({"toy": "unproven"}, ("refused", 5, "a value is nowhere"), id="a-proof-that-does-not-hold"),
        pytest.param({"toy": "bug", "secret": "zq7Canary41x"}, ("unreadable", 4, FAILED), id="a-bug"),
        pytest.param({"parts": ["a", "a"]}, ("refused", 1, "two of its outputs would have the same name"), id="twice"),
        pytest.param({"assets": {"../x": ""}}, ("unreadable", 4, FAILED), id="an-asset-that-leads-out"),
    ],
)
def test_a_document_ends_in_one_way(tmp_path: Path, tree: dict[str, Any], expected: tuple[str, int, str]) -> None:
    written(tmp_path / "in" / "a.json", **tree)
    made = records(plan_of([tmp_path / "in"], tmp_path / "out"))
    assert [expected] == [(one.status, one.exit_code, one.report.reason) for one in made]
    assert (expected[0] == "written") == bool(tree_of(tmp_path / "out"))
    assert "zq7Canary41x" not in repr(made)


def test_what_a_walk_meets_is_skipped_and_what_is_named_is_not(tmp_path: Path) -> None:
    root = tmp_path / "in"
    root.mkdir()
    (root / "a.txt").write_text("text", encoding="utf-8")
    (root / "b.json").write_text('{"hello": 1}', encoding="utf-8")
    (root / "c.json").symlink_to(root / "b.json")
    met = records(plan_of([root], tmp_path / "out"))
    named = records(plan_of([root / "b.json"], tmp_path / "out"))
    assert told(met) == [
        ("a.txt", 0, "skipped", 0, "not JSON"),
        ("b.json", 0, "skipped", 0, "no known format"),
        ("c.json", 0, "skipped", 0, "symbolic link: walks do not follow links"),
    ]
    assert told(named) == [("b.json", 0, "unreadable", 2, "no known format")]


@pytest.mark.parametrize("name", ["episode", "dataset"])
def test_what_has_no_steps_is_skipped_where_a_walk_meets_it(tmp_path: Path, name: str) -> None:
    path = tmp_path / "in" / "a.json"
    path.parent.mkdir()
    path.write_text(json.dumps(base_document("attraj.bundle.checks", name)), encoding="utf-8")
    for given, expected in ((path.parent, ("skipped", 0)), (path, ("refused", 1))):
        plan = plan_of([given], tmp_path / "out")
        (made,) = [one for entry in plan.entries for one in ConvertTask.of(plan, REQUEST).look_at(entry).records]
        reason = "this kind of document has no steps to convert"
        assert (*expected, reason) == (made.status, made.exit_code, made.report.reason)


def test_documents_of_one_file_are_told_apart_and_one_hides_no_other(tmp_path: Path) -> None:
    path = tmp_path / "in" / "a.jsonl"
    path.parent.mkdir()
    lines = [{"toy": "converted"}, {"toy": "bug", "secret": "s"}, {"toy": "findings"}, {"toy": "converted", "n": 3}]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    made = records(plan_of([path], tmp_path / "out"))
    assert [(one.report.index, one.status) for one in made] == [
        (0, "written"),
        (1, "unreadable"),
        (2, "findings"),
        (3, "written"),
    ]
    assert {"a.0.atif.json", "a.3.atif.json"} == set(tree_of(tmp_path / "out"))
    assert b'"name": "a.3"' in tree_of(tmp_path / "out")["a.3.atif.json"]


def test_a_name_that_belongs_to_another_input_is_refused_whoever_is_first(tmp_path: Path) -> None:
    root = tmp_path / "in"
    written(root / "a.1.json", own=True)
    (root / "a.jsonl").write_text('{"toy":"converted"}\n{"toy":"converted"}\n{"toy":"converted"}\n', encoding="utf-8")
    plan = plan_of([root], tmp_path / "out")
    task = task_of(plan)
    for entry in reversed(plan.entries):
        made = task.look_at(entry).records
        if entry.name == "a":
            reasons = [one.report.reason for one in made]
            assert reasons == [None, "its output would have the name of another input's", None]
    files = tree_of(tmp_path / "out")
    assert {"a.0.atif.json", "a.1.atif.json", "a.2.atif.json"} == set(files)
    assert b'"own": true' in files["a.1.atif.json"]


def test_the_outputs_of_a_document_are_all_there_or_none(tmp_path: Path) -> None:
    path = written(tmp_path / "in" / "a.json", parts=["", "b", "c"])
    plan = plan_of([path], tmp_path / "out")
    written(tmp_path / "out" / "a.c.atif.json")  # after the plan was made
    made = records(plan)
    assert [("refused", 2, IS_OTHER, False)] == [
        (one.status, one.exit_code, one.report.reason, one.is_final) for one in made
    ]
    assert ["a.c.atif.json"] == list(tree_of(tmp_path / "out"))


def test_an_output_that_is_there_already_with_the_same_bytes_is_written(tmp_path: Path) -> None:
    plan = plan_of([written(tmp_path / "in" / "a.json", parts=["", "b"])], tmp_path / "out")
    first, second = records(plan), records(plan)
    assert first == second
    assert ["written"] == [one.status for one in second]


def test_assets_stand_beside_their_document_in_a_folder_of_their_own(tmp_path: Path) -> None:
    written(tmp_path / "in" / "sub" / "a.json", assets={"assets/a/image-1.png": "bytes"})
    plan = plan_of([tmp_path / "in"], tmp_path / "out", REQUEST._replace(extracts_assets=True))
    (made,) = records(plan)
    assert {"sub/a.atif.json", "sub/assets/a/image-1.png"} == set(tree_of(tmp_path / "out"))
    assert [False, True] == [output.is_asset for output in made.outputs]


def test_each_document_is_asked_for_assets_in_a_folder_of_its_own(tmp_path: Path) -> None:
    asked: list[str] = []

    def convert(document: Any, name: str, request: Request) -> Any:
        asked.append(request.assets_folder)
        return VERBS.convert(document, name, request)

    path = tmp_path / "in" / "sub" / "a.jsonl"
    path.parent.mkdir(parents=True)
    path.write_text('{"toy":"converted"}\n{"toy":"converted"}\n', encoding="utf-8")
    request = REQUEST._replace(extracts_assets=True, assets_folder="pictures")
    plan = plan_of([tmp_path / "in"], tmp_path / "out", request)
    task = ConvertTask(request, plan.destination, verbs=VERBS._replace(convert=convert))
    for entry in plan.entries:
        task.look_at(entry)
    assert ["pictures/a.0", "pictures/a.1"] == asked


def test_why_a_folder_cannot_be_made_is_said(tmp_path: Path) -> None:
    plan = plan_of([written(tmp_path / "in" / "sub" / "a.json").parent.parent], tmp_path / "out")
    written(tmp_path / "out" / "sub")  # a file
    assert ["the folder of its output cannot be made: file exists"] == [one.report.reason for one in records(plan)]


def test_a_link_in_the_output_folder_leads_nothing_out_of_it(tmp_path: Path) -> None:
    written(tmp_path / "in" / "sub" / "a.json")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "sub").symlink_to(tmp_path / "elsewhere")
    made = records(plan_of([tmp_path / "in"], tmp_path / "out", overwrites=True))
    assert ["a link in the output folder leads out of it"] == [one.report.reason for one in made]
    assert {} == tree_of(tmp_path / "elsewhere")


def test_an_input_in_the_output_folder_is_not_written_over_by_a_later_name(tmp_path: Path) -> None:
    source = written(tmp_path / "out" / "sub" / "a.0.atif.json")
    several = tmp_path / "in" / "sub" / "a.jsonl"
    several.parent.mkdir(parents=True)
    several.write_text('{"toy":"converted"}\n{"toy":"converted"}\n', encoding="utf-8")
    before = source.read_bytes()
    made = records(plan_of([source.parent, several.parent.parent], tmp_path / "out", overwrites=True))
    assert before == source.read_bytes()
    assert told(made) == [
        ("a.0.atif.json", 0, "written", 0, None),
        ("a.jsonl", 0, "refused", 1, "the output would be written over an input"),
        ("a.jsonl", 1, "written", 0, None),
    ]


def test_a_link_that_stands_where_an_output_goes_is_replaced_and_not_followed(tmp_path: Path) -> None:
    source = written(tmp_path / "in" / "a.json")
    before = source.read_bytes()
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "a.atif.json").symlink_to(source)
    made = records(plan_of([source], tmp_path / "out", overwrites=True))
    assert (["written"], before) == ([one.status for one in made], source.read_bytes())


@pytest.mark.parametrize(
    ("categories", "status"),
    [
        pytest.param(frozenset({"timing"}), "refused", id="the-category"),
        pytest.param(frozenset({"usage"}), "written", id="another-category"),
    ],
)
def test_what_would_lose_something_that_matters_is_not_written(
    tmp_path: Path, categories: frozenset[str], status: str
) -> None:
    plan = plan_of([written(tmp_path / "a.json", losses=2)], tmp_path / "out")
    (made,) = records(plan, fails_on=categories)
    assert (status, int(status == "refused")) == (made.status, made.exit_code)
    assert [2] == [loss.count for loss in made.losses]
    assert (status == "written") == bool(tree_of(tmp_path / "out"))


def test_several_documents_do_not_go_to_one_place(tmp_path: Path) -> None:
    several = tmp_path / "a.jsonl"
    several.write_text('{"toy":"converted"}\n{"toy":"converted"}\n', encoding="utf-8")
    parts = written(tmp_path / "b.json", parts=["", "b"])
    for out in (Destination("stdout"), Destination("file", str(tmp_path / "out.json"))):
        for path in (several, parts):
            plan = make_plan(Sources([str(path)]), REQUEST, out)
            made = task_of(plan).look_at(plan.entries[0])
            assert [("refused", 2)] == [(one.status, one.exit_code) for one in made.records], (out, path)
            assert (b"", False) == (made.text, (tmp_path / "out.json").exists())


def test_an_identity_is_given_to_one_document_only(tmp_path: Path) -> None:
    several = tmp_path / "a.jsonl"
    several.write_text('{"toy":"converted"}\n{"toy":"converted"}\n', encoding="utf-8")
    request = REQUEST._replace(trajectory_id="mine")
    plan = plan_of([several], tmp_path / "out", request)
    made = records(plan, request=request)
    assert ["the file holds several documents, and --trajectory-id names one"] == [one.report.reason for one in made]


def test_a_trial_is_told_by_its_steps(tmp_path: Path) -> None:
    job = tmp_path / "job"
    written(job / "one" / "agent" / "trajectory.json")
    written(job / "two" / "steps" / "first" / "agent" / "trajectory.json")
    written(job / "two" / "steps" / "second" / "agent" / "trajectory.json", toy="findings")
    (job / "none" / "agent").mkdir(parents=True)
    written(job / "one" / "further" / "x.json")
    for trial in ("one", "two", "none"):
        (job / trial / "result.json").write_text("{}", encoding="utf-8")
    (job / "result.json").write_text("{}", encoding="utf-8")
    made = records(plan_of([job], tmp_path / "out"))
    assert [(one.noun, one.part, one.status, one.report.reason) for one in made] == [
        ("trial", "", "skipped", "no trajectory"),
        ("trial", "", "written", None),
        ("document", "", "written", None),
        ("step", "first", "written", None),
        ("step", "second", "findings", "errors in its shape"),
    ]
    assert {"one.atif.json", "one/further/x.atif.json", "two.first.atif.json"} == set(tree_of(tmp_path / "out"))


def run_with_attempts(root: Path, attempts: Any) -> None:
    """A run of a retry agent: two attempts in files of their own, and what the file of the run holds."""
    for number in (0, 1):
        written(root / "x" / f"attempt_{number}" / "x.traj", n=number)
    written(root / "x" / "x.traj", attempts=attempts)
    (root / "preds.json").write_text("{}", encoding="utf-8")
    (root / "y").mkdir()
    (root / "y" / "y.pred").write_text("{}", encoding="utf-8")


HELD = "an attempt: the file of its run holds it"
ALONE = "an attempt that the file of its run does not hold"
FIRST, SECOND = ({"toy": "converted", "n": number} for number in (0, 1))


@pytest.mark.parametrize(
    ("attempts", "held"),
    [
        pytest.param([FIRST, SECOND], [True, True], id="ended"),
        pytest.param([FIRST], [True, False], id="interrupted-in-the-second"),
        pytest.param([], [False, False], id="interrupted-in-the-first"),
        pytest.param([FIRST, FIRST], [True, False], id="as-many-but-another"),
        pytest.param([FIRST, {**SECOND, "n": 1.0}], [True, False], id="another-type"),
        pytest.param({"0": FIRST}, [False, False], id="no-list"),
        pytest.param(None, [False, False], id="none"),
    ],
)
@pytest.mark.parametrize("is_folder_of_runs", [True, False])
def test_an_attempt_is_skipped_only_where_the_file_of_its_run_holds_it(
    tmp_path: Path, attempts: Any, held: list[bool], is_folder_of_runs: bool
) -> None:
    run_with_attempts(tmp_path / "run", attempts)
    root = tmp_path / "run" if is_folder_of_runs else tmp_path / "run" / "x"
    made = {one.report.path: (one.status, one.report.reason) for one in records(plan_of([root], tmp_path / "out"))}
    for number, is_held in enumerate(held):
        expected = ("skipped", HELD) if is_held else ("written", ALONE)
        assert expected == made[str(tmp_path / "run" / "x" / f"attempt_{number}" / "x.traj")]
    assert ("written", None) == made[str(tmp_path / "run" / "x" / "x.traj")]
    assert 1 + held.count(False) == len(tree_of(tmp_path / "out"))


def test_an_attempt_is_converted_where_the_file_of_its_run_cannot_be_read(tmp_path: Path) -> None:
    run_with_attempts(tmp_path / "run", [FIRST, SECOND])
    (tmp_path / "run" / "x" / "x.traj").write_text('{"attempts": [', encoding="utf-8")
    made = records(plan_of([tmp_path / "run" / "x"], tmp_path / "out"))
    assert ["written", "written", "unreadable"] == [one.status for one in made]


def test_an_instance_without_a_trajectory_is_told_of(tmp_path: Path) -> None:
    run_with_attempts(tmp_path / "run", [])
    made = records(plan_of([tmp_path / "run"], tmp_path / "out"))
    assert ("skipped", "no trajectory") in [(one.status, one.report.reason) for one in made]


def test_a_file_is_written_over_only_when_that_is_asked_for(tmp_path: Path) -> None:
    path = written(tmp_path / "a.json")
    for overwrites in (False, True):
        out = Destination("file", str(tmp_path / f"out-{overwrites}.json"), overwrites)
        plan = make_plan(Sources([str(path)]), REQUEST, out)
        Path(out.path).write_text("mine", encoding="utf-8")
        (made,) = task_of(plan).look_at(plan.entries[0]).records
        assert ("written" if overwrites else "refused") == made.status
        assert overwrites != (Path(out.path).read_text("utf-8") == "mine")
