"""Exit codes, streams and settings of the command line, with real processes where it matters."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from attraj.batch import work
from attraj.cli import run
from attraj.errors import bug_report
from tests.support import REPOSITORY, base_document, json_patch

MINIMAL: dict[str, Any] = base_document("attraj.bundle.checks", "minimal")
BROKEN = json_patch(MINIMAL, [{"op": "replace", "path": "/edges/0/to", "value": "node:nowhere"}])


def written(folder: Path, name: str, value: object) -> str:
    path = folder / name
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return str(path)


def attraj(*arguments: str, stdin: bytes = b"", cwd: Path | None = None) -> subprocess.CompletedProcess[bytes]:
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY / "src")}
    command = [sys.executable, "-m", "attraj", *arguments]
    return subprocess.run(command, input=stdin, capture_output=True, env=environment, cwd=cwd, timeout=60, check=False)


@pytest.mark.parametrize(
    ("value", "options", "code"),
    [
        pytest.param(MINIMAL, [], 0, id="clean"),
        pytest.param(BROKEN, [], 1, id="an-error"),
        pytest.param(BROKEN, ["--exit-zero"], 0, id="an-error-with-exit-zero"),
        pytest.param(BROKEN, ["--ignore", "AT"], 0, id="its-family-ignored"),
        pytest.param(BROKEN, ["--select", "AT9"], 0, id="another-family-selected"),
        pytest.param(BROKEN, ["--level", "shape"], 0, id="a-level-before-it"),
        pytest.param(MINIMAL, ["--fail-on", "info"], 1, id="an-info-that-fails"),
        pytest.param({**MINIMAL, "spec_version": "9.9"}, [], 3, id="rejected"),
        pytest.param("{", [], 2, id="unreadable"),
        pytest.param("{", ["--exit-zero"], 2, id="unreadable-with-exit-zero"),
        pytest.param({"hello": 1}, [], 2, id="no-known-format"),
    ],
)
def test_exit_codes(tmp_path: Path, value: object, options: list[str], code: int) -> None:
    assert code == run(["validate", "--no-config", written(tmp_path, "a.json", value), *options])


def test_the_worst_of_a_batch_decides(tmp_path: Path) -> None:
    paths = [
        written(tmp_path, f"{i}.json", v)
        for i, v in enumerate((MINIMAL, BROKEN, "{", {**MINIMAL, "spec_version": "9"}))
    ]
    clean, broken, unreadable, rejected = paths
    batches = ([clean, broken], [clean, broken, rejected], [clean, rejected, broken, unreadable])
    assert [run(["validate", "--no-config", *batch]) for batch in batches] == [1, 3, 2]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param([], "no path is given", id="no-path"),
        pytest.param(
            ["x.json", "--from", "nonsense"], "the format that --from names is not known", id="unknown-format"
        ),
        pytest.param(["x.json", "--select", "ZZ9"], "no code, slug or family is called `ZZ9`", id="unknown-code"),
        pytest.param(["x.json", "--now", "yesterday"], "--now takes an RFC 3339 time", id="bad-time"),
        pytest.param(["-", "-"], "standard input can be read only once", id="stdin-twice"),
        pytest.param(["--files-from", "-", "-"], "standard input can be read only once", id="stdin-as-list-and-file"),
        pytest.param(
            ["x.json", "--select", ""], "--select and --ignore name codes", id="a-select-that-selects-nothing"
        ),
        pytest.param(["x.json", "--relation", "redaction"], "--relation says how", id="a-relation-to-nothing"),
        pytest.param(["x.json", "--stdin-filename", "y"], "--stdin-filename names standard", id="a-name-for-nothing"),
        pytest.param(["x.json", "--from", "harbor"], "x.json: --from harbor takes", id="a-file-as-a-folder"),
        pytest.param(["x.json", "--against", "nope"], "x.json: --against compares two files", id="a-pair-of-nothing"),
        pytest.param(["x.json", "--baseline", "nope"], "nope: no such file", id="no-baseline"),
    ],
)
def test_a_request_that_cannot_be_met_is_one_line_and_a_way_out(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["validate", "--no-config", *arguments]) == 2
    out, err = capsys.readouterr()
    assert (out, err.startswith(f"attraj: error: {message}")) == ("", True)


def test_standard_input_is_read_and_named() -> None:
    done = attraj(
        "validate", "-", "--stdin-filename", "piped.json", "--format", "json", stdin=json.dumps(MINIMAL).encode()
    )
    assert (done.returncode, json.loads(done.stdout)["documents"][0]["path"]) == (0, "piped.json")


def test_empty_standard_input_is_unreadable() -> None:
    assert attraj("validate", "-").returncode == 2


def test_a_reader_that_leaves_early_hears_no_complaint(tmp_path: Path) -> None:
    path = written(tmp_path, "a.json", BROKEN)
    line = f"'{sys.executable}' -m attraj validate --show-all {(path + ' ') * 400} | head -n 1"
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY / "src")}
    done = subprocess.run(["bash", "-c", line], capture_output=True, env=environment, timeout=60, check=False)
    assert done.stderr == b""


@pytest.mark.parametrize("command", ["validate {path} --show-all", "explain --all", "show {path}", "schema"])
def test_a_pipe_that_closes_early_is_no_failure(tmp_path: Path, command: str) -> None:
    path = written(tmp_path, "a.json", MINIMAL)
    line = f"set -o pipefail; '{sys.executable}' -m attraj {command.format(path=path)} | head -c 5 >/dev/null"
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY / "src")}
    done = subprocess.run(["bash", "-c", line], capture_output=True, env=environment, timeout=60, check=False)
    assert (0, b"") == (done.returncode, done.stderr)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no device that is always full here")
@pytest.mark.parametrize("redirection", [">/dev/full", ">&-"])
def test_output_that_cannot_be_written_is_a_fault_of_the_world(tmp_path: Path, redirection: str) -> None:
    path = written(tmp_path, "a.json", MINIMAL)
    line = f"'{sys.executable}' -m attraj validate '{path}' {redirection}"
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY / "src")}
    done = subprocess.run(["bash", "-c", line], capture_output=True, env=environment, timeout=60, check=False)
    assert (2, True) == (done.returncode, done.stderr.startswith(b"attraj: error: standard output "))


def test_a_summary_that_cannot_be_written_does_not_lose_the_verdict(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "nowhere" / "summary.md"))
    assert 1 == run(["validate", "--no-config", "--format", "github", written(tmp_path, "a.json", BROKEN)])
    assert "the step summary cannot be written" in capsys.readouterr().err


def test_a_walk_and_a_hook_skip_what_is_no_trajectory(tmp_path: Path) -> None:
    written(tmp_path, "a.json", MINIMAL)
    foreign = [written(tmp_path, "tsconfig.json", "{/* c */}"), written(tmp_path, "empty.json", "")]
    foreign.append(written(tmp_path, "package.json", {"name": "x"}))
    assert 0 == run(["validate", "--no-config", str(tmp_path)])
    assert 0 == run(["validate", "--no-config", "--skip-unknown", *foreign])
    assert 2 == run(["validate", "--no-config", *foreign])


def test_a_bug_that_one_document_meets_does_not_stop_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = [written(tmp_path, name, MINIMAL) for name in ("a.json", "b.json", "c.json")]
    original = work.document_report

    def failing(document: Any, item: Any, request: Any) -> Any:
        if item.path.endswith("b.json"):
            raise KeyError("".join(["s3", "cr3t"]))
        return original(document, item, request)

    monkeypatch.setattr(work, "document_report", failing)
    assert 4 == run(["validate", "--no-config", "--format", "json", *paths])
    out, _ = capsys.readouterr()
    assert ["findings", "unreadable", "findings"] == [d["status"] for d in json.loads(out)["documents"]]
    assert "s3cr3t" not in out


def test_an_empty_list_of_paths_is_no_error(tmp_path: Path) -> None:
    assert 0 == run(["validate", "--no-config", "--files-from", written(tmp_path, "list.txt", "")])


def test_a_locale_without_unicode_shows_escapes(tmp_path: Path) -> None:
    path = written(tmp_path, "größe.json", BROKEN)
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY / "src"), "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(
        [sys.executable, "-m", "attraj", "validate", path],
        capture_output=True,
        env=environment,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr, done.stdout.isascii()) == (1, b"", True)


def test_settings_come_from_the_nearest_file_and_the_command_line_wins(tmp_path: Path) -> None:
    written(tmp_path, "attraj.toml", 'ignore = ["AT203"]\nformat = "json"\n')
    below = tmp_path / "below"
    below.mkdir()
    path = written(below, "a.json", BROKEN)
    done = attraj("validate", path, cwd=below)
    codes = [f["code"] for f in json.loads(done.stdout)["documents"][0]["findings"]]
    assert (done.returncode, "AT203" in codes) == (0, False)
    assert attraj("validate", path, "--ignore", "AT936", cwd=below).returncode == 1
    assert attraj("validate", path, "--no-config", cwd=below).returncode == 1


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("colour = true\n", id="unknown-setting"),
        pytest.param("ignore = 'AT203'\n", id="wrong-type"),
        pytest.param("level = 'deep'\n", id="unknown-word"),
        pytest.param("= =\n", id="no-toml"),
        pytest.param("format = 'yaml'\n", id="unknown-form"),
        pytest.param("profile = ['AT-Best']\n", id="unknown-profile"),
        pytest.param("jobs = -3\n", id="less-than-none"),
        pytest.param("max-bytes = 0\n", id="a-limit-that-lets-nothing-through"),
        pytest.param("select = []\n", id="a-selection-of-nothing"),
        pytest.param("tool = 3\nselect = 4\n", id="a-tool-that-is-no-table"),
        pytest.param("[tool]\nattraj = 3\n", id="an-own-table-that-is-none"),
    ],
)
def test_a_settings_file_that_makes_no_sense_stops_before_anything_is_read(tmp_path: Path, text: str) -> None:
    path = written(tmp_path, "own.toml", text)
    assert run(["validate", "--config", path, written(tmp_path, "a.json", MINIMAL)]) == 2


def test_paths_can_come_from_a_list(tmp_path: Path) -> None:
    listed = written(tmp_path, "list.txt", written(tmp_path, "a.json", MINIMAL) + "\n\n")
    assert run(["validate", "--no-config", "--files-from", listed]) == 0


def test_a_bug_is_reported_without_a_word_of_the_document() -> None:
    token = "".join(["s3", "cr", "3t"])
    try:
        raise KeyError(token)
    except KeyError as error:
        text = bug_report(error)
    assert ("KeyError" in text, token in text) == (True, False)


def test_nothing_is_imported_that_the_command_does_not_use(tmp_path: Path) -> None:
    path = written(tmp_path, "a.json", MINIMAL)
    code = (
        "import sys; from attraj.cli import run; run(['validate', '--no-config', sys.argv[1]]);"
        "print(sorted({'pydantic', 'rich', 'networkx', 'rfc8785', 'multiprocessing', 'orjson'} & set(sys.modules)))"
    )
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY / "src")}
    done = subprocess.run(
        [sys.executable, "-c", code, path], capture_output=True, env=environment, text=True, timeout=60, check=False
    )
    assert done.stdout.splitlines()[-1] == "[]"
