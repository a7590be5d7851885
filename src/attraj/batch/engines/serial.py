"""One item after another, in this process."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attraj.batch.discover import Item
from attraj.batch.work import reports_of
from attraj.findings import DocumentReport
from attraj.verbs.validate import Request


def run(items: Iterable[Item], request: Request) -> Iterator[tuple[Item, DocumentReport]]:
    """Each item with each of its reports, in order."""
    for item in items:
        for report in reports_of(item, request):
            yield item, report
