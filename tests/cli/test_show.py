"""`attraj show` with real processes and a real terminal; exit codes of both reading commands."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from attraj.cli import run
from tests.support import REPOSITORY, base_document

pty = pytest.importorskip("pty")

MINIMAL: dict[str, Any] = base_document("attraj.bundle.checks", "minimal")
HOSTILE = REPOSITORY / "examples" / "trajectory-hostile.json"
LONG = REPOSITORY / "examples" / "bundle.json"


def written(folder: Path, value: object, name: str = "a.json") -> str:
    path = folder / name
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("command", ["show", "stats"])
@pytest.mark.parametrize(
    ("value", "code"),
    [
        pytest.param(MINIMAL, 0, id="shown"),
        pytest.param({**MINIMAL, "nodes": 3}, 0, id="with-findings"),
        pytest.param({**MINIMAL, "spec_version": "9"}, 3, id="rejected"),
        pytest.param("{", 2, id="broken"),
        pytest.param({"hello": 1}, 2, id="no-known-format"),
    ],
)
def test_exit_codes(tmp_path: Path, command: str, value: object, code: int) -> None:
    assert code == run([command, "--no-config", written(tmp_path, value)])


@pytest.mark.parametrize(
    "options",
    [
        pytest.param(["--step", "9"], id="no-such-step"),
        pytest.param(["--step", "0"], id="steps-are-counted-from-1"),
        pytest.param(["--step", "1", "--steps", "1-2"], id="both"),
        pytest.param(["--steps", "x"], id="no-range"),
        pytest.param(["--steps", "-"], id="an-empty-range"),
        pytest.param(["--steps", "0-0"], id="a-range-before-the-first-step"),
        pytest.param(["--steps", "0"], id="a-range-of-no-step"),
        pytest.param(["--steps", "0-1"], id="a-range-that-begins-before-the-first-step"),
        pytest.param(["--steps", "-0"], id="a-range-that-ends-before-the-first-step"),
        pytest.param(["--steps", "2-1"], id="a-range-that-goes-back"),
        pytest.param(["--index", "7"], id="no-such-document"),
        pytest.param(["--from", "nonsense"], id="no-such-format"),
    ],
)
def test_a_request_that_cannot_be_met_writes_nothing(
    tmp_path: Path, options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert 2 == run(["show", "--no-config", written(tmp_path, MINIMAL), *options])
    assert "" == capsys.readouterr().out


def test_one_bad_document_of_a_file_hides_no_other(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, f"{json.dumps(MINIMAL)}\n{{\n{json.dumps(MINIMAL)}\n", "a.jsonl")
    assert 2 == run(["show", "--no-config", path])
    assert 2 == capsys.readouterr().out.count("Shown as recorded")


@pytest.mark.parametrize("options", [["--step", "1"], ["--steps", "1-"], []])
def test_findings_that_were_not_looked_for_are_not_none(
    options: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    step = {"action": 3, "observation": "", "response": "r", "thought": "r", "state": {}, "query": [{"role": "x"}]}
    path = written(tmp_path, {"trajectory": [step], "history": [], "info": {}, "environment": "e"}, "a.traj")
    assert 0 == run(["show", "--no-config", path, *options])
    assert "not looked for" not in capsys.readouterr().out
    monkeypatch.setattr("attraj.formats.large.LARGE_BYTES", 10)
    assert 0 == run(["show", "--no-config", path, *options])
    assert 1 == capsys.readouterr().out.count("findings     not looked for")


def on_a_terminal(arguments: list[str], pager: str | None) -> bytes:
    """What a terminal of 24 lines is given."""
    main, side = pty.openpty()
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY / "src"), "TERM": "xterm", "NO_COLOR": "1"}
    environment.pop("PAGER", None)
    if pager is not None:
        environment["PAGER"] = pager
    command = [sys.executable, "-m", "attraj", *arguments]
    with subprocess.Popen(command, stdin=side, stdout=side, stderr=side, env=environment) as process:
        os.close(side)
        out = b""
        while True:
            try:
                piece = os.read(main, 65536)
            except OSError:  # the other end is closed
                break
            if not piece:
                break
            out += piece
        assert process.wait(timeout=60) == 0
    os.close(main)
    return out


@pytest.mark.parametrize(
    ("path", "options", "pager", "is_paged"),
    [
        pytest.param(LONG, [], "sed s/^/PAGED/", True, id="long"),
        pytest.param(LONG, ["--no-pager"], "sed s/^/PAGED/", False, id="not-wanted"),
        pytest.param(LONG, ["--step", "1"], "sed s/^/PAGED/", False, id="short"),
        pytest.param(LONG, [], "no-such-program", False, id="no-such-pager"),
        pytest.param(LONG, [], "", False, id="switched-off"),
    ],
)
def test_a_pager_is_used_when_the_text_does_not_fit(path: Path, options: list[str], pager: str, is_paged: bool) -> None:
    assert is_paged == on_a_terminal(["show", "--no-config", str(path), *options], pager).startswith(b"PAGED")


def test_a_pager_that_leaves_early_hears_no_complaint() -> None:
    assert 1 == on_a_terminal(["show", "--no-config", str(LONG)], "head -n 1").count(b"\n")


def test_a_pipe_is_never_paged_and_a_reader_may_leave_early() -> None:
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY / "src"), "PAGER": "false"}
    line = f"'{sys.executable}' -m attraj show --no-config '{LONG}' | head -n 1"
    done = subprocess.run(["bash", "-c", line], capture_output=True, env=environment, timeout=60, check=False)
    assert (1, b"") == (done.stdout.count(b"\n"), done.stderr)


def test_hostile_content_reaches_no_terminal_raw() -> None:
    out = on_a_terminal(["show", "--no-config", "--full", "--no-pager", str(HOSTILE)], None).decode()
    assert {"\r", "\n"} == {c for c in out if not c.isprintable()}


def test_what_looks_like_a_heading_in_a_text_stands_behind_the_gutter(capsys: pytest.CaptureFixture[str]) -> None:
    run(["show", "--no-config", str(HOSTILE)])
    headings = [line for line in capsys.readouterr().out.splitlines() if line.startswith("Step 3")]
    assert ["Step 3  agent"] == headings


def test_a_locale_without_unicode_gets_ascii() -> None:
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY / "src"), "PYTHONIOENCODING": "ascii"}
    command = [sys.executable, "-m", "attraj", "show", "--no-config", str(HOSTILE)]
    done = subprocess.run(command, capture_output=True, env=environment, timeout=60, check=False)
    assert (0, True, True) == (done.returncode, done.stdout.isascii(), b"\n  | " in done.stdout)
