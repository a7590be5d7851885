"""A plan to what became of each of its inputs, on the engine that pays; the books are kept in the order of the plan."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack
from types import TracebackType

from attraj.batch.convert import ConvertTask
from attraj.batch.convert_books import FILES, Books
from attraj.batch.convert_earlier import EARLIER, Cleared
from attraj.batch.convert_lock import FolderLock, require_no_links
from attraj.batch.convert_plan import BOOKS, Entry, Plan
from attraj.batch.convert_records import Made, Record

# What an input costs, in seconds of one core (measured in benchmarks/): for itself, and for each of its bytes.
FILE_S = 1e-3
TRIAL_S = 5e-3
BYTE_S = 1 / 50e6
PAYS_S = 1.0  # below this much work, starting a pool costs more than it saves


class Conversion:
    """One run of a plan. A context: it holds the lock of the output folder and its books.

        with Conversion(plan, task) as run:
            for entry, records, was_before in run.results():
                ...
            run.finish(counts)

    Args:
        plan: What is converted, and where it goes.
        task: How.
        jobs: The most processes to use; 1 never starts one.
        goes_on: Go on with the run that the output folder holds.
        starts_anew: Write over the run that the output folder holds.
    """

    def __init__(
        self, plan: Plan, task: ConvertTask, jobs: int = 1, *, goes_on: bool = False, starts_anew: bool = False
    ) -> None:
        self._plan = plan
        self._task = task
        self._jobs = jobs
        self._modes = (goes_on, starts_anew)
        self._books: Books | None = None
        self._ending: list[Callable[[], None]] = []
        self._kept: list[tuple[Record, bytes]] = []
        self._held = ExitStack()
        self.text = b""  # what goes to standard output

    def __enter__(self) -> Conversion:
        out = self._plan.destination
        if out.kind == "folder":
            books = os.path.join(out.path, BOOKS)
            require_no_links(books, (*FILES, EARLIER))
            self._held.enter_context(FolderLock(books))
            try:
                self._books = Books(self._plan, goes_on=self._modes[0], starts_anew=self._modes[1])
            except BaseException:
                self._held.close()
                raise
            self._held.callback(self._books.close)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for end in self._ending:  # the workers, before what they have begun is removed
            end()
        if kind is not None and self._books is not None:
            self._books.sweep()
        self._held.close()

    @property
    def saved(self) -> int:
        """How many inputs an earlier run has done."""
        return len(self._books.saved) if self._books is not None else 0

    def results(self) -> Iterator[tuple[Entry, tuple[Record, ...], bool]]:
        """Each input with the records of its documents, in the order of the plan, whatever worker was first.

        And whether an earlier run has done it.
        """
        saved = self._books.saved if self._books is not None else {}
        made = _engine([entry for entry in self._plan.entries if entry.number not in saved], self._task, self._jobs)
        self._ending.append(made.close)
        for entry in self._plan.entries:
            known = saved.pop(entry.number, None)
            if known is not None and self._books is not None:
                self._books.repeat(known)
                yield entry, known.records(), True
            else:
                _, done = next(made)
                self._keep(entry, done)
                yield entry, done.records, False

    def _keep(self, entry: Entry, made: Made) -> None:
        self.text += made.text
        if self._books is not None:
            self._books.add(entry, made)
        else:
            self._kept += zip(made.records, made.places, strict=True)

    def finish(self, counts: dict[str, int]) -> Cleared:
        """Say in the books that every input is accounted for, and clear away what an earlier run has left."""
        return self._books.finish(counts) if self._books is not None else Cleared()

    def everything(self) -> Iterator[tuple[Record, bytes]]:
        """After `finish`: each record with the JSON text of its losses and all their places, in order."""
        return self._books.everything() if self._books is not None else iter(self._kept)


def _engine(entries: Sequence[Entry], task: ConvertTask, jobs: int) -> Generator[tuple[Entry, Made], None, None]:
    if jobs > 1 and _pays(entries):
        from attraj.batch.engines import pool  # imports multiprocessing

        yield from pool.run_task(entries, task, jobs)
    else:
        for entry in entries:
            yield entry, task.look_at(entry)


def _pays(entries: Sequence[Entry]) -> bool:
    """Whether there is work for several processes; one input is never split, so the largest counts for one alone."""
    if not entries or any(entry.item.kind == "stdin" for entry in entries):  # workers have no standard input
        return False
    costs = [(TRIAL_S if entry.item.kind == "trial" else FILE_S) + entry.item.size * BYTE_S for entry in entries]
    return sum(costs) > PAYS_S and sum(costs) - max(costs) > PAYS_S / 4
