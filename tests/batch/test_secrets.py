"""Scanning and redacting on several processes gives the same reports and the same bytes, in the same order."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from attraj.batch import redact, scan
from attraj.batch.files import Found
from attraj.batch.redact import RedactTask
from attraj.batch.scan import ScanTask
from attraj.cli import run
from attraj.redaction.policy import DEFAULT
from attraj.secrets.policy import DetectionPolicy
from tests.redaction.made_up import GITHUB, PASSWORD, USER


@pytest.fixture
def traces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(scan, "PAYS_BYTES", 0)
    monkeypatch.setattr(redact, "PAYS_BYTES", 0)
    folder = tmp_path / "traces"
    folder.mkdir()
    for number in range(5):
        document = {"n": number, "cwd": f"/home/{USER}/x", "a": GITHUB, "password": PASSWORD}
        (folder / f"t{number}.json").write_text(json.dumps(document), "utf-8")
    (folder / "broken.json").write_text("[", "utf-8")
    (folder / "run.log").write_text(f"token {GITHUB}\n", "utf-8")
    return folder


def test_scan(traces: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = []
    for jobs in ("-j1", "-j2"):
        assert 2 == run(["scan", jobs, "--format", "json", str(traces)])
        told.append(capsys.readouterr().out)
    assert told[0] == told[1]


def test_redact(traces: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told, made = [], []
    for jobs in ("-j1", "-j2"):
        out = tmp_path / f"out{jobs}"
        assert 2 == run(["redact", jobs, str(traces), "-o", str(out)])
        told.append(capsys.readouterr().out.replace(out.name, "out"))
        made.append({path.name: path.read_bytes() for path in out.iterdir() if path.is_file()})
    assert (told[0], 6) == (told[1], len(made[0]))
    assert made[0] == made[1]


def test_a_file_that_took_its_worker_with_it_is_named() -> None:
    found = Found("a.json", "a.json", "a")
    (report,) = ScanTask(DetectionPolicy()).lost(found)
    assert ("a.json", "unreadable") == (report.path, report.status)
    assert 2 == RedactTask(DetectionPolicy(), DEFAULT, "attraj", b"").lost([found]).exit_code()
