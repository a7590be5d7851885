"""One item after another, in this process."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attraj.batch.discover import Item
from attraj.batch.work import Done, look_at
from attraj.verbs.validate import Request


def run(items: Iterable[Item], request: Request) -> Iterator[tuple[Item, Done]]:
    """Each item with what became of it, in order."""
    for item in items:
        yield item, look_at(item, request)
