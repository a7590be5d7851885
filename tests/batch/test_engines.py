"""Both engines give the same results in the same order; a worker that dies takes one file with it."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from attraj.batch import work
from attraj.batch.discover import Item, discover
from attraj.batch.engines import pool, serial
from attraj.batch.run import run
from attraj.findings import Account
from attraj.verbs.validate import Request
from tests.support import base_document


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    good = json.dumps(base_document("attraj.bundle.checks", "minimal"))
    for number in range(30):
        (tmp_path / f"{number:02d}.json").write_text(good if number % 3 else good[:-9], encoding="utf-8")
    (tmp_path / "notes.txt").write_text("not a document", encoding="utf-8")
    return tmp_path


def statuses(results: Iterator[tuple[Item, work.Done]]) -> list[tuple[str, str]]:
    return [(Path(report.path).name, report.status) for _, done in results for report in done.reports]


def test_the_pool_gives_what_the_serial_engine_gives_in_the_same_order(folder: Path) -> None:
    items = list(discover([str(folder)]))
    alone = statuses(serial.run(items, Request()))
    assert alone == statuses(pool.run(items, Request(), 2))
    assert len(alone) == 31
    assert [alone[0], alone[-1]] == [("00.json", "unreadable"), ("notes.txt", "skipped")]


def test_the_account_adds_up(folder: Path) -> None:
    account = Account()
    for _, report in run(discover([str(folder)]), Request()):
        account.add(report)
    summary = account.summary()
    parts = (summary.clean, summary.with_findings, summary.unreadable, summary.rejected, summary.skipped)
    assert (summary.documents, sum(parts), summary.unreadable, summary.skipped) == (31, 31, 10, 1)


def test_a_worker_that_dies_takes_one_file_with_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # The workers are forked here, so that they inherit a `look_at` that is killed at one file.
    original = work.look_at

    def deadly(item: Item, request: Request) -> work.Done:
        if item.path.endswith("05.json"):
            os.kill(os.getpid(), signal.SIGKILL)
        return original(item, request)

    monkeypatch.setattr(pool, "look_at", deadly)
    monkeypatch.setattr(pool, "get_all_start_methods", lambda: ["fork"])
    monkeypatch.setattr(pool, "get_context", lambda _method: __import__("multiprocessing").get_context("fork"))
    items = list(discover([str(folder)]))
    results = [report for _, done in pool.run(items, Request(), 2) for report in done.reports]
    died = [report for report in results if report.reason == "the worker died while reading it"]
    assert (len(results), [Path(report.path).name for report in died]) == (31, ["05.json"])
