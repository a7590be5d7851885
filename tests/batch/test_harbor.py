"""Harbor folders as they lie on a disk: every file is accounted for, by its place, and nothing unknown is missing."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from attraj.batch.counting import rows
from attraj.batch.discover import discover
from attraj.batch.run import run
from attraj.batch.work import Done
from attraj.findings import DocumentReport, Report, Stratum
from attraj.formats import Options
from attraj.verbs.validate import Request
from tests.formats.harbor.folders import TRIAL_NAME, Link, Raw, base, build, changed
from tests.support import base_document

MAIN = f"{TRIAL_NAME}/agent/trajectory.json"
OTHER = "hello__bbbbbbb"
BUNDLE: dict[str, Any] = base_document("attraj.bundle.checks", "minimal")
ATIF: dict[str, Any] = base("trial")["agent/trajectory.json"]
TWICE = json.dumps(ATIF)


def job(folder: Path, patches: dict[str, Any] | None = None) -> Path:
    return build(folder / "demo", changed("job", patches or {}))


def looked(folder: Path, *exclude: str, request: Request = Request()) -> dict[str, DocumentReport]:  # noqa: B008
    """Each report by its path from the folder; a path with two of them fails."""
    found: dict[str, DocumentReport] = {}
    for _, report in run(discover([str(folder)], exclude), request):
        path = os.path.relpath(report.path, folder)
        assert path not in found
        found[path] = report
    return found


def told(report: DocumentReport) -> list[str]:
    return [f"{f.code} {f.severity} {f.location.pointer}".rstrip() for f in report.findings]


def exit_code(found: dict[str, DocumentReport]) -> int:
    return Report("validate", tuple(found.values())).exit_code()


# --- a job that lost its trials ----------------------------------------------------------------------------------


def test_a_job_that_lost_all_its_trials_fails(tmp_path: Path) -> None:
    folder = job(tmp_path)
    shutil.rmtree(folder / TRIAL_NAME)
    found = looked(folder)
    place = "/result.json/stats/evals/{0}/reward_stats/reward/{0}/0"
    assert ({".": [f"HB106 error {place}"]}, 1) == ({path: told(report) for path, report in found.items()}, 1)
    assert 1 == exit_code(found)


def test_a_job_that_names_none_of_its_lost_trials_fails_by_their_number(tmp_path: Path) -> None:
    folder = job(tmp_path, {"result.json": {"stats": {"evals": None}}})
    shutil.rmtree(folder / TRIAL_NAME)
    assert ["HB105 error /result.json/n_total_trials"] == told(looked(folder)["."])


# --- nothing vanishes --------------------------------------------------------------------------------------------

NOT_FOLLOWED = ("skipped", "symbolic link: walks do not follow links")
STRAYS = [
    pytest.param({"extra.json": {**ATIF, "steps": 5}}, "extra.json", ("findings", None), id="a-document-beside-trials"),
    pytest.param({"b.json": BUNDLE | {"spec_version": "9"}}, "b.json", ("rejected", None), id="a-bundle-beside-trials"),
    pytest.param({"notes.txt": "x"}, "notes.txt", ("skipped", "not JSON"), id="a-note-beside-trials"),
    pytest.param({OTHER: Link(TRIAL_NAME)}, OTHER, NOT_FOLLOWED, id="a-link-to-a-trial-of-the-job"),
    pytest.param(
        {f"{TRIAL_NAME}/agent/mini.traj.json": Raw(b'{"info": 1, "messages": [{"role": "user"')},
        f"{TRIAL_NAME}/agent/mini.traj.json",
        ("unreadable", ...),
        id="a-trajectory-of-the-agent's-own-that-was-cut",
    ),
    pytest.param(
        {f"{TRIAL_NAME}/verifier/out.json": Raw(b'{"a": ')},
        f"{TRIAL_NAME}/verifier/out.json",
        ("skipped", "no known format, and not JSON"),
        id="an-output-of-the-verifier-that-was-cut",
    ),
    pytest.param(
        {f"{TRIAL_NAME}/verifier/ctrf.json": {}},
        f"{TRIAL_NAME}/verifier/ctrf.json",
        ("skipped", "no known format"),
        id="an-output-of-the-verifier",
    ),
    pytest.param(
        {f"{TRIAL_NAME}/artifacts/out/copy.json": ATIF | {"steps": 5}},
        f"{TRIAL_NAME}/artifacts/out/copy.json",
        ("findings", None),
        id="a-document-that-the-task-left",
    ),
    pytest.param(
        {f"{TRIAL_NAME}/agent/session.jsonl": '{"type": "a"}\n{"type": "b"}\n{"ty'},
        f"{TRIAL_NAME}/agent/session.jsonl",
        ("skipped", "no known format"),
        id="a-log-of-many-objects-is-one-file",
    ),
    pytest.param(
        {f"{TRIAL_NAME}/agent/run.out": json.dumps(ATIF | {"steps": 5})},
        f"{TRIAL_NAME}/agent/run.out",
        ("findings", None),
        id="a-document-under-any-name",
    ),
    pytest.param(
        {f"{TRIAL_NAME}/agent/deep/link": Link("../trajectory.json")},
        f"{TRIAL_NAME}/agent/deep/link",
        NOT_FOLLOWED,
        id="a-link-deep-in-the-agent's-folder",
    ),
]


@pytest.mark.parametrize(("files", "path", "expected"), STRAYS)
def test_what_lies_in_a_job_is_looked_at_or_skipped(
    files: dict[str, Any], path: str, expected: tuple[Any, Any], tmp_path: Path
) -> None:
    report = looked(job(tmp_path, files))[path]
    assert expected == (report.status, report.reason if expected[1] is not ... else ...)


def test_logs_are_counted_and_have_no_report(tmp_path: Path) -> None:
    files = {f"{TRIAL_NAME}/agent/{name}": text for name, text in (("a.log", "[x] y"), ("b.txt", '{"type": 1}\n{"'))}
    found = looked(job(tmp_path, files | {f"{TRIAL_NAME}/verifier/test-stdout.txt": "ok"}))
    assert {TRIAL_NAME, MAIN, "."} == set(found)
    assert "3 files beside: logs and the like, no documents" in found[TRIAL_NAME].notes


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes in this file system")
def test_a_pipe_is_of_the_wrong_kind_or_skipped_and_never_opened(tmp_path: Path) -> None:
    folder = job(tmp_path, {"result.json": None})
    for path in ("result.json", "pipe.json", f"{TRIAL_NAME}/agent/pipe.json", f"{TRIAL_NAME}/pipe.json"):
        os.mkfifo(folder / path)
    found = looked(folder)
    assert ["HB007 error /result.json"] == told(found["."])
    pipes = {path: (report.status, report.reason) for path, report in found.items() if path.endswith("pipe.json")}
    assert {"not a regular file"} == {reason for _, reason in pipes.values()}
    assert 3 == len(pipes)


def test_a_job_inside_a_trial_has_its_account(tmp_path: Path) -> None:
    folder = job(tmp_path)
    shutil.copytree(folder, tmp_path / "inner")
    shutil.move(tmp_path / "inner", folder / TRIAL_NAME / "inner")
    assert "harbor-job" in looked(folder)[f"{TRIAL_NAME}/inner"].verdicts


# --- the place fixes the format ----------------------------------------------------------------------------------

PLACES = [
    pytest.param(Raw(f"{TWICE}\n{TWICE}\n".encode()), "unreadable", ["ATIF102 error"], "rejected", id="two-lines"),
    pytest.param([ATIF, ATIF], "findings", ["ATIF104 error"], "rejected", id="an-array"),
    pytest.param(Raw(b"null"), "findings", ["ATIF104 error"], "rejected", id="null"),
    pytest.param([1, 2], "findings", ["ATIF104 error"], "rejected", id="an-array-of-numbers"),
    pytest.param(Raw(b'{"a": \xff\xfe'), "unreadable", ["ATIF101 error /a"], "crash", id="garbled"),
    pytest.param(BUNDLE, "findings", ["HB033 error"], "rejected", id="a-bundle"),
    pytest.param({"hello": 1}, "findings", ..., "rejected", id="no-format-at-all"),
]


@pytest.mark.parametrize("name", ["trajectory.json", "trajectory.cont-1.json", "bridge-trajectory.json"])
@pytest.mark.parametrize(("content", "status", "codes", "word"), PLACES)
def test_what_stands_in_a_trajectory_s_place_is_judged_as_harbor_reads_it(
    content: Any, status: str, codes: Any, word: str, name: str, tmp_path: Path
) -> None:
    trial = build(tmp_path / TRIAL_NAME, base("trial") | {f"agent/{name}": content})
    report = looked(trial)[f"agent/{name}"]
    assert (status, "atif", {"harbor-0.18": word, "harbor-0.26": word}) == (
        report.status,
        report.format,
        report.verdicts,
    )
    own = [line for line in told(report) if not line.startswith(("ATIF12", "ATIF13"))]
    assert own == (own if codes is ... else codes)


def test_stats_read_a_trajectory_whole_as_well(tmp_path: Path) -> None:
    for number, content in enumerate((Raw(f"{TWICE}\n{TWICE}".encode()), [ATIF, ATIF])):
        trial = build(tmp_path / f"hello__aaaaaa{number}", changed("trial", {"agent/trajectory.json": content}))
        assert ["counted", "unreadable"] == [row.status for row in rows(discover([str(trial)]))]


# --- what the caller leaves out ----------------------------------------------------------------------------------


def test_an_excluded_trial_is_counted_and_not_missed(tmp_path: Path) -> None:
    found = looked(job(tmp_path), "hello*")
    assert ({"."}, [], "clean") == (set(found), told(found["."]), found["."].status)
    assert "1 trial not looked at, and not judged" in found["."].notes


def test_beside_an_excluded_trial_the_missing_ones_are_missed(tmp_path: Path) -> None:
    stats = {"evals": {"terminus-2__adhoc": {"reward_stats": {"reward": {"0.0": ["hello__ccccccc"]}}}}}
    found = looked(job(tmp_path, {"result.json": {"n_total_trials": 2, "stats": stats}}), "hello__aaaaaaa")
    assert ["HB106"] == [line[:5] for line in told(found["."])]


@pytest.mark.parametrize("pattern", ["*.json", "agent", "*/agent/*"])
def test_documents_inside_a_trial_are_excluded_and_its_own_records_are_not(pattern: str, tmp_path: Path) -> None:
    found = looked(job(tmp_path, {f"{TRIAL_NAME}/agent/x.json": ATIF}), pattern)
    assert ({TRIAL_NAME, "."}, []) == (set(found), [line for report in found.values() for line in told(report)])
    assert "2 entries excluded, and not judged" in found[TRIAL_NAME].notes
    assert ["counted"] == [row.status for row in rows(discover([str(tmp_path)], [pattern]))]


def test_a_trial_whose_worker_died_is_not_missed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from attraj.batch.engines import serial

    original = serial.run

    def lossy(items: Any, request: Request) -> Iterator[tuple[Any, Done]]:
        for item, done in original(items, request):
            yield item, Done([DocumentReport(item.path, status="unreadable")]) if item.kind == "trial" else done

    monkeypatch.setattr(serial, "run", lossy)
    assert [] == told(looked(job(tmp_path))["."])


# --- unknown is not absent ---------------------------------------------------------------------------------------


@pytest.fixture
def deny(monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], None]:
    """Makes a folder one that may not be listed, for whatever user runs the tests."""
    original = os.scandir

    def forbid(folder: Path) -> None:
        def scandir(path: Any = ".") -> Any:
            if os.path.abspath(path) == os.path.abspath(folder):
                raise PermissionError(13, "Permission denied", os.fspath(path))
            return original(path)

        monkeypatch.setattr(os, "scandir", scandir)

    return forbid


@pytest.mark.parametrize("name", ["agent", "verifier"])
def test_a_folder_that_cannot_be_listed_is_unreadable_and_nothing_else(
    name: str, deny: Callable[[Path], None], tmp_path: Path
) -> None:
    folder = job(tmp_path)
    deny(folder / TRIAL_NAME / name)
    found = looked(folder)
    assert ([f"HB004 error /{name}"], "unreadable", "the folder cannot be listed") == (
        told(found[TRIAL_NAME]),
        found[TRIAL_NAME].status,
        found[TRIAL_NAME].reason,
    )
    assert 2 == exit_code(found)


@pytest.mark.parametrize("path", ["result.json", f"{TRIAL_NAME}/result.json"])
def test_a_result_that_cannot_be_read_makes_its_folder_unreadable(path: str, tmp_path: Path) -> None:
    found = looked(job(tmp_path, {path: Raw(b'{\n  "id": "x", ')}))
    report = found[os.path.dirname(path) or "."]
    (finding,) = report.findings
    assert ("unreadable", "result.json", 2) == (report.status, finding.location.file, finding.location.line)
    assert 2 == exit_code(found)


# --- places ------------------------------------------------------------------------------------------------------


def test_a_finding_of_a_folder_has_the_file_and_the_line_that_it_stands_in(tmp_path: Path) -> None:
    folder = build(tmp_path / TRIAL_NAME, base("trial"))
    text = json.dumps(base("trial")["result.json"] | {"exception_info": {"exception_type": "CancelledError"}}, indent=2)
    (folder / "result.json").write_text(text, encoding="utf-8")
    (folder / "verifier" / "reward.txt").write_text("x", encoding="utf-8")
    line = next(n for n, row in enumerate(text.splitlines(), 1) if "exception_info" in row)
    found = {f.code: f.location for f in looked(folder)["."].findings}
    assert ("/result.json/exception_info", line, 21, "result.json") == found["HB011"]
    assert ("/verifier/reward.txt", None, None, "verifier/reward.txt") == found["HB024"]


def test_names_of_folders_are_shown_in_the_pointers_of_a_job(tmp_path: Path) -> None:
    found = looked(job(tmp_path, {"result.json": {"id": "another"}}))["."]
    assert [(f"/{TRIAL_NAME}/config.json/job_id", f"{TRIAL_NAME}/config.json")] == [
        (finding.location.pointer, finding.location.file) for finding in found.findings
    ]


# --- one answer, whatever was asked before -----------------------------------------------------------------------


def test_the_release_is_that_of_the_lock_as_it_is_now(tmp_path: Path) -> None:
    folder = job(tmp_path)
    versions = []
    for version in ("0.18.0", "0.26.0"):
        (folder / "lock.json").write_text(json.dumps({"harbor": {"version": version}, "trials": []}))
        found = looked(folder)
        row = next(row for row in rows(discover([str(folder)])) if row.facts)
        assert row.facts is not None
        versions.append((found[TRIAL_NAME].format_version, found["."].format_version, row.facts.version))
    assert [("0.18.0",) * 3, ("0.26.0",) * 3] == versions


@pytest.mark.parametrize("level", [Stratum.BYTES, Stratum.SHAPE, Stratum.REFERENCES, Stratum.MEANING])
def test_a_level_stops_the_later_strata_of_folders_too(level: Stratum, tmp_path: Path) -> None:
    patches = {
        "result.json": {"n_total_trials": 9},
        f"{TRIAL_NAME}/config.json": None,
        f"{TRIAL_NAME}/verifier/reward.txt": "7",
        f"{TRIAL_NAME}/agent/trajectory.cont-1.json": ATIF,
    }
    found = looked(job(tmp_path, patches), request=Request(options=Options(level=level)))
    strata = {finding.rule.stratum for report in found.values() for finding in report.findings}
    assert level is Stratum.BYTES or level in strata
    assert all(stratum <= level for stratum in strata)
