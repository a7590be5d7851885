from __future__ import annotations

import errno
import os
import sys
import threading
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attraj.errors import AttrajError
from attraj.jsonio import parse
from attraj.jsonio.exact import read_exactly
from attraj.jsonio.write import _written, dumps, write_atomic
from attraj.limits import DEFAULT_LIMITS

posix = pytest.mark.skipif(sys.platform == "win32", reason="links, devices and permissions of POSIX")

# --- trees -------------------------------------------------------------------------------------------------------

BIG = 36893488147419103232


@pytest.mark.parametrize(
    ("tree", "text"),
    [
        pytest.param({"b": 1, "a": [None, True, False]}, b'{"b":1,"a":[null,true,false]}', id="members in order"),
        pytest.param([BIG, -BIG, {"n": BIG}], b"[%d,%d,{" % (BIG, -BIG) + b'"n":%d}]' % BIG, id="beyond 64 bits"),
        pytest.param([-0.0, 0.1], b"[-0.0,0.1]", id="floats"),
        pytest.param([BIG, -0.0, 0.1], b"[%d,-0.0,0.1]" % BIG, id="floats beside a big integer"),
        pytest.param("x\ud83dy", b'"x\\ud83dy"', id="a lone surrogate"),
        pytest.param({"k\ud800": "é\n\x1b\x7f"}, '{"k\\ud800":"é\\n\\u001b\x7f"}'.encode(), id="one in a name"),
        pytest.param("\ude00\ud83d", b'"\\ude00\\ud83d"', id="surrogates in the wrong order"),
        pytest.param({"a": [], "b": {}, "c": [BIG]}, b'{"a":[],"b":{},"c":[%d]}' % BIG, id="empty containers"),
        pytest.param((1, BIG, ()), b"[1,%d,[]]" % BIG, id="tuples"),
    ],
)
def test_writes_exactly(tree: Any, text: bytes) -> None:
    assert text == dumps(tree)


def test_writes_with_indent() -> None:
    text = b'{\n  "a": [\n    1,\n    {}\n  ],\n  "n": %d\n}' % BIG
    assert text == dumps({"a": [1, {}], "n": BIG}, indent=True)


def test_writes_any_depth() -> None:
    text = b'[{"a":' * 5_000 + b"0" + b"}]" * 5_000
    assert text == dumps(read_exactly(text, DEFAULT_LIMITS._replace(max_depth=10_000)).tree)


def test_writes_integers_that_python_itself_does_not() -> None:
    text = b"9" * 6_000
    assert text == dumps(read_exactly(text, DEFAULT_LIMITS._replace(max_number_chars=6_000)).tree)


ITSELF: list[Any] = [BIG]
ITSELF.append(ITSELF)


@pytest.mark.parametrize(
    ("tree", "message"),
    [
        pytest.param([float("nan")], "JSON has no NaN and no Infinity", id="NaN"),
        pytest.param({"a": [None, ({"b": float("inf")},)]}, "JSON has no NaN and no Infinity", id="Infinity inside"),
        pytest.param([BIG, float("-inf")], "JSON has no NaN and no Infinity", id="Infinity beside a big integer"),
        pytest.param("\ud83d\ude00", "two surrogates side by side would be read as one character", id="split pair"),
        pytest.param(ITSELF, "the tree holds itself", id="a circle"),
    ],
)
def test_refuses_what_no_json_text_stands_for(tree: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        dumps(tree)


@pytest.mark.parametrize(
    "tree",
    [
        pytest.param({1: 2}, id="a number for a name"),
        pytest.param([{1, 2}], id="a set"),
        pytest.param([BIG, object()], id="an object beside a big integer"),
        pytest.param(b"{}", id="bytes"),
    ],
)
def test_refuses_what_is_no_json(tree: Any) -> None:
    with pytest.raises(TypeError):
        dumps(tree)


SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
TREES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4)
)


@given(TREES, st.booleans())
def test_what_is_written_reads_as_the_same_tree(tree: Any, indent: bool) -> None:
    assert repr(tree) == repr(parse(dumps(tree, indent=indent)).tree)


@given(TREES, st.booleans())
def test_both_writers_write_the_same_bytes(tree: Any, indent: bool) -> None:
    try:
        quick = orjson.dumps(tree, option=orjson.OPT_INDENT_2 if indent else 0)
    except TypeError:
        return
    assert quick == b"".join(_written(tree, indent))


# --- files -------------------------------------------------------------------------------------------------------


def message_of(path: Path, *, overwrite: bool = False) -> tuple[str, int]:
    with pytest.raises(AttrajError) as refused:
        write_atomic(path, b"new", overwrite=overwrite)
    return refused.value.message, refused.value.exit_code


def names_in(folder: Path) -> list[str]:
    return sorted(os.listdir(folder))


@pytest.mark.parametrize("overwrite", [False, True])
def test_makes_a_file(tmp_path: Path, overwrite: bool) -> None:
    write_atomic(tmp_path / "a.json", b"new", overwrite=overwrite)
    assert (tmp_path / "a.json").read_bytes() == b"new"
    assert names_in(tmp_path) == ["a.json"]


def test_makes_a_file_in_the_working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_atomic("a.json", b"new", overwrite=False)
    assert names_in(tmp_path) == ["a.json"]


def test_replaces_a_file_when_it_may(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b"old")
    write_atomic(path, b"new", overwrite=True)
    assert path.read_bytes() == b"new"
    assert names_in(tmp_path) == ["a.json"]


def test_leaves_a_file_when_it_may_not(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b"old")
    assert message_of(path) == ("the output exists", 2)
    assert path.read_bytes() == b"old"
    assert names_in(tmp_path) == ["a.json"]


@posix
def test_a_new_file_has_the_permissions_of_the_one_it_replaces(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b"old")
    path.chmod(0o600)
    write_atomic(path, b"new", overwrite=True)
    assert path.stat().st_mode & 0o777 == 0o600


@posix
def test_a_link_is_replaced_and_what_it_leads_to_stays(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(b"old")
    link = tmp_path / "b.json"
    link.symlink_to("a.json")
    assert message_of(link) == ("the output exists", 2)
    write_atomic(link, b"new", overwrite=True)
    assert ((tmp_path / "a.json").read_bytes(), link.read_bytes(), link.is_symlink()) == (b"old", b"new", False)


@posix
def test_a_link_to_nothing_counts_as_a_file(tmp_path: Path) -> None:
    link = tmp_path / "b.json"
    link.symlink_to("nothing")
    assert message_of(link) == ("the output exists", 2)
    assert names_in(tmp_path) == ["b.json"]


@pytest.mark.parametrize("overwrite", [False, True])
def test_refuses_folders_and_devices(tmp_path: Path, overwrite: bool) -> None:
    assert message_of(tmp_path, overwrite=overwrite) == ("the output is a folder", 2)
    if sys.platform != "win32":
        (tmp_path / "null").symlink_to("/dev/null")
        assert message_of(tmp_path / "null", overwrite=overwrite) == ("the output is no regular file", 2)
        assert (tmp_path / "null").is_symlink()


def test_refuses_a_folder_that_is_not_there(tmp_path: Path) -> None:
    assert message_of(tmp_path / "b" / "a.json") == ("the folder of the output does not exist", 2)
    (tmp_path / "c").write_bytes(b"")
    assert message_of(tmp_path / "c" / "a.json") == ("the folder of the output is not a folder", 2)


@pytest.mark.parametrize("overwrite", [False, True])
@pytest.mark.parametrize("failing", ["fsync", "replace or link"])
def test_leaves_nothing_when_the_disk_is_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, overwrite: bool, failing: str
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "full")

    names = ["fsync"] if failing == "fsync" else ["replace", "link"]
    for name in names:
        monkeypatch.setattr(os, name, full)
    (tmp_path / "b.json").write_bytes(b"old")
    assert message_of(tmp_path / "a.json", overwrite=overwrite) == ("no space left for the output", 2)
    assert names_in(tmp_path) == ["b.json"]


def test_leaves_nothing_when_it_is_interrupted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_atomic(tmp_path / "a.json", b"new", overwrite=True)
    assert names_in(tmp_path) == []


class TestWithoutHardLinks:
    @pytest.fixture(autouse=True)
    def no_links(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def refused(*_: object) -> None:
            raise OSError(errno.EPERM, "no links here")

        monkeypatch.setattr(os, "link", refused)

    def test_makes_a_file(self, tmp_path: Path) -> None:
        write_atomic(tmp_path / "a.json", b"new", overwrite=False)
        assert (tmp_path / "a.json").read_bytes() == b"new"
        assert names_in(tmp_path) == ["a.json"]

    def test_leaves_a_file_that_came_meanwhile(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        path = tmp_path / "a.json"
        monkeypatch.setattr(os, "fsync", lambda _: path.write_bytes(b"theirs"))
        assert message_of(path) == ("the output exists", 2)
        assert path.read_bytes() == b"theirs"
        assert names_in(tmp_path) == ["a.json"]

    def test_leaves_nothing_when_the_rename_fails(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def failing(*_: object) -> None:
            raise OSError(errno.EIO, "broken")

        monkeypatch.setattr(os, "replace", failing)
        message, _ = message_of(tmp_path / "a.json")
        assert message.startswith("the output cannot be written: ")
        assert names_in(tmp_path) == []


def test_leaves_a_file_that_came_meanwhile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.json"
    monkeypatch.setattr(os, "fsync", lambda _: path.write_bytes(b"theirs"))
    assert message_of(path) == ("the output exists", 2)
    assert path.read_bytes() == b"theirs"
    assert names_in(tmp_path) == ["a.json"]


def test_of_many_writers_one_wins_and_nothing_is_left_over(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    outcomes: list[str] = []

    def write(number: int) -> None:
        try:
            write_atomic(path, b"%d" % number * 1000, overwrite=False)
            outcomes.append("written")
        except AttrajError as error:
            outcomes.append(error.message)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["the output exists"] * 7 + ["written"]
    assert names_in(tmp_path) == ["a.json"]
    assert len(set(path.read_bytes())) == 1
