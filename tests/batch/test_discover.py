"""What a walk finds, leaves out and refuses to open."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from attraj.batch.discover import Item, discover
from tests.formats.harbor.folders import TRIAL_NAME, base, build


def tree(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{}", encoding="utf-8")


def found(folder: Path, *exclude: str) -> list[tuple[str, str]]:
    items = discover([str(folder)], exclude)
    return [(item.kind, os.path.relpath(item.path, folder)) for item in items]


def test_files_come_in_the_order_of_their_names_folder_by_folder(tmp_path: Path) -> None:
    tree(tmp_path, "b.json", "a.json", "sub/c.json", "sub/deep/d.json")
    assert found(tmp_path) == [
        ("file", "a.json"),
        ("file", "b.json"),
        ("file", "sub/c.json"),
        ("file", "sub/deep/d.json"),
    ]


def test_version_control_environments_and_own_books_are_left_out(tmp_path: Path) -> None:
    tree(tmp_path, ".git/a.json", "node_modules/a.json", ".venv/a.json", "_attraj/manifest.json", "kept.json")
    assert found(tmp_path) == [("file", "kept.json")]


def test_an_excluded_name_or_path_is_left_out(tmp_path: Path) -> None:
    tree(tmp_path, "a.json", "b.log", "old/c.json")
    assert found(tmp_path, "*.log", f"{tmp_path}/old") == [("file", "a.json")]


def test_links_are_skipped_with_a_reason_and_never_followed(tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    tree(tmp_path, "inside/a.json", "outside/b.json")
    (inside / "link.json").symlink_to(tmp_path / "outside" / "b.json")
    (inside / "loop.json").symlink_to("loop.json")
    (inside / "folder").symlink_to(tmp_path / "outside")
    assert [
        Item("file", str(inside / "a.json"), size=2),
        Item("skipped", str(inside / "folder"), reason="symbolic link: walks do not follow links"),
        Item("skipped", str(inside / "link.json"), reason="symbolic link: walks do not follow links"),
        Item("skipped", str(inside / "loop.json"), reason="symbolic link that leads nowhere"),
    ] == list(discover([str(inside)]))


def test_a_pipe_in_a_tree_is_skipped_and_never_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.json")
    assert [Item("skipped", str(tmp_path / "pipe.json"), reason="not a regular file")] == list(
        discover([str(tmp_path)])
    )


def test_a_named_path_that_is_not_there_is_an_item_too(tmp_path: Path) -> None:
    missing = str(tmp_path / "missing.json")
    assert [Item("unreadable", missing, True, "no such file or folder")] == list(discover([missing]))


def test_standard_input_and_files_are_named(tmp_path: Path) -> None:
    tree(tmp_path, "a.json")
    path = str(tmp_path / "a.json")
    assert [Item("stdin", "-", True), Item("file", path, True, size=2)] == list(discover(["-", path]))


# --- given more than once ------------------------------------------------------------------------------------------


def items(*paths: Path | str, exclude: tuple[str, ...] = ()) -> list[tuple[str, str, bool]]:
    return [(item.kind, os.path.basename(item.path), item.is_named) for item in discover(map(str, paths), exclude)]


def test_a_file_that_is_given_again_is_one_item(tmp_path: Path) -> None:
    tree(tmp_path, "sub/a.json", "sub/b.json")
    (tmp_path / "link.json").symlink_to("sub/a.json")
    a = tmp_path / "sub" / "a.json"
    again = tmp_path / "sub" / ".." / "sub" / "a.json"
    assert [Item("file", str(a), True, size=2)] == list(discover([str(a), str(again), str(tmp_path / "link.json")]))
    assert [("unreadable", "gone", True)] == items(tmp_path / "gone", tmp_path / "sub" / ".." / "gone")


def test_what_lies_in_another_given_folder_is_met_there_once_and_stays_named(tmp_path: Path) -> None:
    tree(tmp_path, "sub/a.json", "sub/b.json", "c.json")
    expected = [("file", "c.json", False), ("file", "a.json", True), ("file", "b.json", False)]
    assert expected == items(tmp_path / "sub" / "a.json", tmp_path)
    assert expected == items(tmp_path, tmp_path / "sub", tmp_path, tmp_path / "sub" / "a.json")


def test_what_the_walk_of_the_other_folder_leaves_out_is_still_an_item(tmp_path: Path) -> None:
    tree(tmp_path, ".venv/a.json", ".venv/deep/b.json", "c.json", "d.log")
    given = (tmp_path / ".venv" / "deep" / "b.json", tmp_path / "d.log", tmp_path, tmp_path / ".venv")
    assert [
        ("file", "c.json", False),
        ("file", "d.log", True),
        ("file", "a.json", False),
        ("file", "b.json", True),
    ] == items(*given, exclude=("*.log",))


def test_a_trial_that_is_given_beside_its_job_stays_in_the_job_s_account(tmp_path: Path) -> None:
    folder = build(tmp_path / "demo", base("job"))
    trial = folder / TRIAL_NAME
    given = (trial / "agent" / "trajectory.json", trial, folder / "result.json", folder)
    assert [("trial", TRIAL_NAME, True), ("job", "demo", True)] == items(*given)
    assert [str(folder)] == [item.whole for item in discover(map(str, given)) if item.kind == "trial"]


def test_a_trial_is_of_the_release_of_its_job_whether_the_job_is_given_or_not(tmp_path: Path) -> None:
    folder = build(tmp_path / "demo", {**base("job"), "lock.json": {"harbor": {"version": "0.26.0"}, "trials": []}})
    given = [[str(folder)], [str(folder / TRIAL_NAME)]]
    assert [["0.26.0"], ["0.26.0"]] == [
        [item.release for item in discover(paths) if item.kind == "trial"] for paths in given
    ]


def test_standard_input_and_a_file_of_its_name_are_two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree(tmp_path, "-")
    monkeypatch.chdir(tmp_path)
    assert [("stdin", "-", True), ("file", "-", True)] == items("-", "./-")


# --- run folders -----------------------------------------------------------------------------------------------------


def test_excluded_trajectories_of_a_run_are_left_out_and_counted(tmp_path: Path) -> None:
    tree(tmp_path, "one/one.traj", "two/two.traj", "preds.json", "notes/a.json", "notes/b.log")
    found = list(discover([str(tmp_path)], ("two", "*.log")))
    assert [("file", "one.traj"), ("file", "a.json"), ("run", tmp_path.name)] == [
        (item.kind, os.path.basename(item.path)) for item in found
    ]
    assert ("two/two.traj",) == found[-1].left_out


def test_what_lies_in_a_run_is_not_followed_through_links(tmp_path: Path) -> None:
    tree(tmp_path, "one/one.traj", "preds.json", "notes/a.json")
    (tmp_path / "more").symlink_to("notes")
    assert ("skipped", "more") in found(tmp_path)


@pytest.mark.parametrize("is_run", [True, False])
def test_an_attempt_is_no_part_of_a_file_that_the_walk_leaves_out(tmp_path: Path, is_run: bool) -> None:
    files = ("x/x.traj", "x/attempt_0/x.traj", *(["run_batch.log"] if is_run else []))
    tree(tmp_path, *files)

    def parts(*exclude: str) -> list[bool]:
        return [item.is_part for item in discover([str(tmp_path)], exclude) if item.path.endswith(".traj")]

    assert [False, True] == parts()
    assert [False] == parts("*/x/x.traj")


def test_an_attempt_is_no_part_of_a_link(tmp_path: Path) -> None:
    tree(tmp_path, "elsewhere.traj", "x/attempt_0/x.traj")
    (tmp_path / "x" / "x.traj").symlink_to(tmp_path / "elsewhere.traj")
    found = [(item.kind, item.is_part) for item in discover([str(tmp_path / "x")])]
    assert [("skipped", False), ("file", False)] == found
