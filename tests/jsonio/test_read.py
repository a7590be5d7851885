from __future__ import annotations

import gzip
import io
import os
import socket
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from attraj.errors import Unreadable
from attraj.jsonio import Document, load, read_bytes
from attraj.jsonio.read import read_stdin
from attraj.limits import DEFAULT_LIMITS

posix = pytest.mark.skipif(sys.platform == "win32", reason="pipes, sockets and links of POSIX")
not_root = pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root reads every file")


def test_reads_the_bytes_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    for data in (b"", b'{"a": 1}\r\n', b"\x1f", b"\x28\xb5", bytes(range(256)) * 5_000):
        path.write_bytes(data)
        assert data == read_bytes(path) == read_bytes(str(path))


def test_reads_what_a_symbolic_link_leads_to(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(b"{}")
    (tmp_path / "b.json").symlink_to("a.json")
    assert read_bytes(tmp_path / "b.json") == b"{}"


@posix
def test_reads_files_that_do_not_tell_their_size() -> None:
    path = Path("/proc/self/status")
    if not path.exists():
        pytest.skip("no /proc")
    assert read_bytes(path).startswith(b"Name:")


def a_folder(path: Path) -> None:
    path.mkdir()


def a_link_to_nothing(path: Path) -> None:
    path.symlink_to("nothing")


def a_link_to_itself(path: Path) -> None:
    path.symlink_to(path.name)


def a_pipe(path: Path) -> None:
    os.mkfifo(path)


def a_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listening:
        folder = os.getcwd()
        os.chdir(path.parent)  # the path of a socket is short
        try:
            listening.bind(path.name)
        finally:
            os.chdir(folder)


def a_device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def nothing(path: Path) -> None:
    pass


WORLD = [
    pytest.param(nothing, "no such file", id="missing"),
    pytest.param(a_folder, "a folder, not a file", id="folder"),
    pytest.param(a_link_to_nothing, "a symbolic link to nothing", id="link to nothing", marks=posix),
    pytest.param(a_link_to_itself, "symbolic links that lead in a circle", id="link to itself", marks=posix),
    pytest.param(a_pipe, "a named pipe, not a file", id="named pipe", marks=posix),
    pytest.param(a_socket, "a socket, not a file", id="socket", marks=posix),
    pytest.param(a_device, "a device, not a file", id="endless device", marks=posix),
]


@pytest.mark.parametrize(("make", "message"), WORLD)
def test_refuses_what_is_no_file(tmp_path: Path, make: Callable[[Path], None], message: str) -> None:
    path = tmp_path / "a.json"
    make(path)
    with pytest.raises(Unreadable) as refused:
        read_bytes(path)
    assert (message, 2) == (refused.value.message, refused.value.exit_code)


@pytest.mark.parametrize(
    ("path", "message"),
    [
        pytest.param("a\0b.json", "this is not a valid path", id="a NUL in the path"),
        pytest.param("a" * 5_000, "the path is too long", id="a path that is too long", marks=posix),
        pytest.param(
            f"{__file__}/a", "no such file: a part of the path is not a folder", id="below a file", marks=posix
        ),
    ],
)
def test_refuses_paths_that_cannot_be(path: str, message: str) -> None:
    with pytest.raises(Unreadable) as refused:
        read_bytes(path)
    assert message == refused.value.message


@posix
@not_root
def test_refuses_what_the_user_may_not_read(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b"{}")
    path.chmod(0)
    with pytest.raises(Unreadable, match="permission denied"):
        read_bytes(path)


def test_refuses_large_files_before_it_reads_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b"12345678901")

    def never(*_: object) -> int:
        raise AssertionError("opened")

    monkeypatch.setattr(os, "open", never)
    with pytest.raises(Unreadable) as refused:
        read_bytes(path, DEFAULT_LIMITS._replace(max_bytes=10))
    assert (refused.value.message, refused.value.hint) == ("larger than 10 bytes", "raise the limit with --max-bytes")


def test_refuses_files_that_grow_beyond_the_limit_while_they_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b"12345")
    real = os.read

    def growing(descriptor: int, size: int) -> bytes:
        with path.open("ab") as stream:
            stream.write(b"67890")
        return real(descriptor, size)

    monkeypatch.setattr(os, "read", growing)
    with pytest.raises(Unreadable, match="larger than 12 bytes"):
        read_bytes(path, DEFAULT_LIMITS._replace(max_bytes=12))


def test_reads_what_is_there_when_a_file_shrinks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b"12345")
    real = os.open

    def shrinking(name: Path, flags: int) -> int:
        path.write_bytes(b"12")
        return real(name, flags)

    monkeypatch.setattr(os, "open", shrinking)
    assert read_bytes(path) == b"12"


def test_no_message_names_the_path(tmp_path: Path) -> None:
    name = "se" + "cret-name"
    with pytest.raises(Unreadable) as refused:
        read_bytes(tmp_path / name)
    assert name not in str(refused.value) + refused.value.hint


# --- standard input ----------------------------------------------------------------------------------------------


class Stdin:
    def __init__(self, data: bytes, *, is_terminal: bool = False) -> None:
        self.buffer = io.BytesIO(data)
        self.closed = False
        self._is_terminal = is_terminal

    def isatty(self) -> bool:
        return self._is_terminal


@pytest.mark.parametrize(
    ("given", "data"),
    [
        pytest.param(b'{"a": 1}', b'{"a": 1}', id="text"),
        pytest.param(b"x" * 3_000_000, b"x" * 3_000_000, id="more than one piece"),
        pytest.param(gzip.compress(b'{"a": 1}'), b'{"a": 1}', id="gzip"),
    ],
)
def test_reads_standard_input_to_its_end(monkeypatch: pytest.MonkeyPatch, given: bytes, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", Stdin(given))
    assert data == read_stdin()


@pytest.mark.parametrize(
    ("stdin", "message"),
    [
        pytest.param(None, "standard input is closed", id="closed"),
        pytest.param(Stdin(b"", is_terminal=True), "standard input is a terminal", id="a terminal"),
        pytest.param(Stdin(b""), "standard input is empty", id="empty"),
        pytest.param(Stdin(b"12345678901"), "larger than 10 bytes", id="more than allowed"),
    ],
)
def test_refuses_standard_input(monkeypatch: pytest.MonkeyPatch, stdin: Stdin | None, message: str) -> None:
    monkeypatch.setattr(sys, "stdin", stdin)
    with pytest.raises(Unreadable) as refused:
        read_stdin(DEFAULT_LIMITS._replace(max_bytes=10))
    assert message == refused.value.message


# --- load --------------------------------------------------------------------------------------------------------


def test_load_gives_the_one_document_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b'{"a": 1}')
    assert Document(b'{"a": 1}', {"a": 1}, path=str(path)) == load(path)


def test_load_refuses_several(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"{}\n{}\n")
    with pytest.raises(Unreadable, match="expected one document, found 2"):
        load(path)
