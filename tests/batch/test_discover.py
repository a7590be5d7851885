"""What a walk finds, leaves out and refuses to open."""

from __future__ import annotations

import os
from pathlib import Path

from attraj.batch.discover import Item, discover


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
