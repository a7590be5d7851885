"""Items to reports on the engine that pays: a pool only when there is enough work to feed it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Any

from attraj.batch.discover import Item
from attraj.batch.work import Done
from attraj.findings import DocumentReport
from attraj.verbs.validate import Request

# What an item costs, in seconds of one core (measured in benchmarks/): for itself, and for each of its bytes.
ITEM_S = 120e-6
TRIAL_S = 1.4e-3
BYTE_S = 1 / 150e6
PAYS_S = 1.0  # below this much work, starting a pool costs more than it saves


def run(items: Iterable[Item], request: Request, jobs: int = 1) -> Iterator[tuple[Item, DocumentReport]]:
    """Each item with each of its reports, in order.

    Args:
        items: What `discover` found; a job stands after its trials, a run after its trajectories.
        request: What to ask of each document.
        jobs: The most processes to use; 1 never starts one.
    """
    accounts: dict[str, dict[str, Any]] = {}  # folder → path of a part → its account, None where there is none
    for item, done in _engine(items, request, jobs):
        for report in done.reports:
            yield item, report
        if item.whole:
            accounts.setdefault(item.whole, {})[item.path] = done.account
        if item.kind in ("job", "run"):
            yield item, _whole(item, accounts.pop(item.path, {}), request)


def _whole(item: Item, accounts: dict[str, Any], request: Request) -> DocumentReport:
    """The report of a folder that is made of others: a job of its trials, a run of its trajectories."""
    known = {path: account for path, account in accounts.items() if account is not None}
    if item.kind == "job":
        from attraj.batch.harbor import job_report  # only when a job is met

        lost = [os.path.basename(path) for path in accounts if path not in known]
        return job_report(item, list(known.values()), lost, request)
    from attraj.batch.swe_agent import run_report  # only when a run is met

    return run_report(item, known, request)


def _engine(items: Iterable[Item], request: Request, jobs: int) -> Iterator[tuple[Item, Done]]:
    if jobs > 1:
        items = list(items)
        if _pays(items) and not any(item.kind == "stdin" for item in items):  # workers have no standard input
            from attraj.batch.engines import pool  # imports multiprocessing

            return pool.run(items, request, jobs)
    from attraj.batch.engines import serial

    return serial.run(items, request)


def _pays(items: list[Item]) -> bool:
    """Whether there is work for several processes; one item is never split, so the largest counts for one alone."""
    costs = [(TRIAL_S if item.kind == "trial" else ITEM_S) + item.size * BYTE_S for item in items]
    return sum(costs) > PAYS_S and sum(costs) - max(costs) > PAYS_S / 4
