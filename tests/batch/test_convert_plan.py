"""The plan: every input once, under a name of its own; what cannot go well is refused before anything is read."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from attraj.batch import convert_clashes
from attraj.batch.convert_plan import Destination, Plan, Sources, is_single, make_plan
from attraj.errors import AttrajError
from tests.batch.converting import REQUEST, plan_of, written


def names(plan: Plan) -> list[tuple[str, str]]:
    return [(entry.item.kind, entry.name) for entry in plan.entries]


def test_inputs_are_sorted_by_name_whatever_their_order(tmp_path: Path) -> None:
    root = tmp_path / "in"
    paths = [written(root / name) for name in ("b.json", "a/z.traj", "a.json")]
    expected = [("file", "a"), ("file", "a/z"), ("file", "b")]
    assert expected == names(plan_of([root], tmp_path / "out"))
    one, other = plan_of(paths, tmp_path / "out"), plan_of(paths[::-1], tmp_path / "out")
    assert (one.entries, one.plan_id) == (other.entries, other.plan_id)


def test_a_trial_is_one_input_and_a_job_none(tmp_path: Path) -> None:
    written(tmp_path / "job" / "t.1" / "agent" / "trajectory.json")
    for folder in ("job", "job/t.1"):
        (tmp_path / folder / "result.json").write_text("{}", encoding="utf-8")
    assert [("trial", "t.1")] == names(plan_of([tmp_path / "job"], tmp_path / "out"))
    assert [("trial", "t.1")] == names(plan_of([tmp_path / "job" / "t.1"], tmp_path / "out"))
    assert is_single([str(tmp_path / "job" / "t.1")])
    assert not is_single([str(tmp_path / "job")])


def test_a_path_that_does_not_exist_is_an_input_all_the_same(tmp_path: Path) -> None:
    assert [("unreadable", "nope.json")] == names(plan_of([tmp_path / "nope.json"], tmp_path / "out"))


def test_names_are_those_below_the_base(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        written(tmp_path / folder / "a.json")
    plan = plan_of([tmp_path / "one", tmp_path / "two"], tmp_path / "out", base=str(tmp_path))
    assert [("file", "one/a"), ("file", "two/a")] == names(plan)
    with pytest.raises(AttrajError, match="not below the folder"):
        plan_of([tmp_path / "two"], tmp_path / "out", base=str(tmp_path / "one"))


def refused(path: Path, *, paths: list[str], out: str = "out", **options: Any) -> str:
    with pytest.raises(AttrajError) as caught:
        plan_of([path / name for name in paths], path / out, **options)
    return caught.value.message.replace(str(path) + os.sep, "")


@pytest.mark.parametrize(
    ("files", "paths", "message"),
    [
        pytest.param(
            ["in/a.json", "in/a.traj"],
            ["in"],
            "in/a.json and in/a.traj would be written to the same file",
            id="two-suffixes",
        ),
        pytest.param(
            ["one/a.json", "two/a.json"],
            ["one", "two"],
            "one/a.json and two/a.json would be written to the same file",
            id="two-roots",
        ),
        pytest.param(
            ["in/a.json", "in/a.atif.json/b.json"],
            ["in"],
            "in/a.json: its output would have the name of a folder that is needed",
            id="a-folder-of-that-name",
        ),
        pytest.param(["out/a.json"], ["out"], "the output folder is an input folder", id="into-itself"),
    ],
)
def test_a_plan_that_cannot_go_well_is_refused(
    tmp_path: Path, files: list[str], paths: list[str], message: str
) -> None:
    for name in files:
        written(tmp_path / name)
    assert message == refused(tmp_path, paths=paths)


def clash(path: Path, *roots: str) -> tuple[str, str]:
    with pytest.raises(AttrajError) as caught:
        plan_of([path / root for root in roots], path / "out")
    return caught.value.message.replace(str(path) + os.sep, ""), caught.value.hint


def test_the_way_out_of_a_clash_is_one_that_helps(tmp_path: Path) -> None:
    for name in ("one/a.json", "two/a.json", "three/b.json", "three/b.traj"):
        written(tmp_path / name)
    message, hint = clash(tmp_path, "one", "two")
    assert ("one/a.json and two/a.json would be written to the same file", True) == (message, "--relative-to" in hint)
    message, hint = clash(tmp_path, "three")
    assert (True, False) == ("three/b.traj" in message, "--relative-to" in hint)
    message, hint = clash(tmp_path, "one", "two", "three")
    assert ("2 pairs of inputs", True) == (message[:17], "--relative-to" in hint)


def test_many_clashes_are_counted(tmp_path: Path) -> None:
    for number in range(25):
        for end in ("json", "traj"):
            written(tmp_path / "in" / f"{number:02}.{end}")
    message, _ = clash(tmp_path, "in")
    lines = message.splitlines()
    assert ("25 pairs of inputs would be written to the same file:", "  and 5 more", 22) == (
        lines[0],
        lines[-1],
        len(lines),
    )


ALIKE = [
    pytest.param("A.json", "a.json", id="case"),
    pytest.param("é.json", "e\u0301.json", id="an-accent"),
    pytest.param("É.json", "e\u0301.json", id="both"),
    pytest.param("straße.json", "STRASSE.json", id="a-letter-that-is-two"),
]


@pytest.mark.parametrize(("one", "other"), ALIKE)
@pytest.mark.parametrize("folds", [True, False])
def test_names_that_a_file_system_folds_are_one_name_there_and_noted_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, one: str, other: str, folds: bool
) -> None:
    monkeypatch.setattr(convert_clashes, "_folds_names", lambda folder: folds)
    for name in (one, other):
        written(tmp_path / "in" / name)
    if folds:
        message, _ = clash(tmp_path, "in")
        assert "would be written to the same file" in message
    else:
        (note,) = plan_of([tmp_path / "in"], tmp_path / "out").notes
        assert "outputs whose names a file system that folds case or accents takes for one" in note


def test_names_that_no_file_system_folds_are_not_noted(tmp_path: Path) -> None:
    for name in ("a.json", "b.json", "A/a.json", "e.json", "é.json"):
        written(tmp_path / "in" / name)
    assert () == plan_of([tmp_path / "in"], tmp_path / "out").notes


def test_a_file_system_that_tells_case_apart_does_not_fold_it(tmp_path: Path) -> None:
    here = tmp_path / "Folder"
    here.mkdir()
    folds = (tmp_path / "fOLDER").exists()
    assert folds == convert_clashes._folds_names(str(here / "not" / "there"))
    if not folds:
        (tmp_path / "fOLDER").symlink_to(here)
        assert convert_clashes._folds_names(str(here))


def test_an_output_that_exists_is_refused_unless_it_may_be_replaced(tmp_path: Path) -> None:
    written(tmp_path / "in" / "a.json")
    there = written(tmp_path / "out" / "a.atif.json")
    assert "out/a.atif.json: exists already" == refused(tmp_path, paths=["in"])
    assert [("file", "a")] == names(plan_of([tmp_path / "in"], tmp_path / "out", overwrites=True))
    there.unlink()
    there.symlink_to("nowhere")
    assert "out/a.atif.json: exists already" == refused(tmp_path, paths=["in"])


def test_an_earlier_run_in_the_folder_is_refused(tmp_path: Path) -> None:
    written(tmp_path / "in" / "a.json")
    written(tmp_path / "out" / "_attraj" / "manifest.jsonl")
    assert "the output folder holds an earlier run" == refused(tmp_path, paths=["in"])


def test_an_output_that_is_an_input_is_refused_even_where_it_may_be_replaced(tmp_path: Path) -> None:
    written(tmp_path / "out" / "a.atif.json")
    message = "an output would be written over an input"
    assert message == refused(tmp_path, paths=["out/a.atif.json"], overwrites=True)


def test_a_file_of_a_trial_is_not_written_over(tmp_path: Path) -> None:
    trial = tmp_path / "t"
    written(trial / "agent" / "trajectory.json")
    (trial / "result.json").write_text("{}", encoding="utf-8")
    out = Destination("file", str(trial / "agent" / "trajectory.json"), overwrites=True)
    with pytest.raises(AttrajError, match="over an input"):
        make_plan(Sources([str(trial)]), REQUEST, out)
    new = Destination("file", str(trial / "bundle.json"))
    assert [("trial", "t")] == names(make_plan(Sources([str(trial)]), REQUEST, new))


def test_what_lies_in_the_output_folder_is_no_input(tmp_path: Path) -> None:
    written(tmp_path / "a.json")
    before = plan_of([tmp_path], tmp_path / "out")
    written(tmp_path / "out" / "b.json")
    written(tmp_path / "outer" / "c.json")
    after = plan_of([tmp_path], tmp_path / "out")
    assert ([("file", "a")], [("file", "a"), ("file", "outer/c")]) == (names(before), names(after))


def test_a_file_of_an_output_folder_that_is_named_is_an_input(tmp_path: Path) -> None:
    path = written(tmp_path / "out" / "a.bundle.json")
    assert [("file", "a")] == names(plan_of([path], tmp_path / "out"))


def test_links_and_hostile_names_are_inputs_like_others(tmp_path: Path) -> None:
    root = tmp_path / "in"
    hostile = os.fsdecode(b"\xff\n\x1b[31m.json")
    written(root / hostile)
    (root / "link.json").symlink_to(root / hostile)
    (root / "empty").mkdir()
    plan = plan_of([root], tmp_path / "out")
    assert [("skipped", "link.json"), ("file", hostile[:-5])] == names(plan)


def test_an_empty_folder_is_an_empty_plan(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    assert () == plan_of([tmp_path / "in"], tmp_path / "out").entries


@pytest.mark.parametrize(
    ("change", "is_same"),
    [
        pytest.param(lambda path: None, True, id="nothing"),
        pytest.param(lambda path: written(path / "in" / "b.json"), False, id="another-input"),
        pytest.param(lambda path: written(path / "in" / "a.json", more=1), False, id="other-bytes"),
        pytest.param(lambda path: os.utime(path / "in" / "a.json", ns=(0, 0)), False, id="another-time"),
        pytest.param(lambda path: written(path / "in" / "t" / "agent" / "x.json"), False, id="another-file-of-a-trial"),
    ],
)
def test_a_plan_is_the_same_while_its_inputs_are(tmp_path: Path, change: Any, is_same: bool) -> None:
    written(tmp_path / "in" / "a.json")
    written(tmp_path / "in" / "t" / "agent" / "trajectory.json")
    (tmp_path / "in" / "t" / "result.json").write_text("{}", encoding="utf-8")
    before = plan_of([tmp_path / "in"], tmp_path / "out")
    change(tmp_path)
    after = plan_of([tmp_path / "in"], tmp_path / "other")
    assert (is_same, True) == (before.plan_id == after.plan_id, before.options_id == after.options_id)


def test_a_plan_is_another_with_other_options(tmp_path: Path) -> None:
    written(tmp_path / "in" / "a.json")
    one = plan_of([tmp_path / "in"], tmp_path / "out")
    other = plan_of([tmp_path / "in"], tmp_path / "out", REQUEST._replace(is_lenient=True))
    assert (False, True) == (one.options_id == other.options_id, one.inputs_id == other.inputs_id)
