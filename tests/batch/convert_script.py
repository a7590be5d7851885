"""`attraj convert` with toys instead of formats, as a program that may be killed: see `test_convert_run`.

    python -m tests.batch.convert_script KILLED_AT ARGUMENT...

Kills itself, as `kill -9` would, when that many inputs are accounted for; -1 for never.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterable

from attraj.batch import convert_books, convert_run
from attraj.batch.convert import ConvertTask
from attraj.batch.convert_plan import Plan
from attraj.batch.convert_records import Record
from attraj.batch.convert_tally import Tally
from attraj.cli import convert as command
from attraj.cli import run
from attraj.verbs.convert import Request
from tests.batch.converting import VERBS


class Toys:
    """Stands for the class of the task, in the command."""

    @staticmethod
    def of(plan: Plan, request: Request, fails_on: frozenset[str]) -> ConvertTask:
        return ConvertTask(request, plan.destination, fails_on, plan.protected, VERBS)


class Mortal(Tally):
    """A tally that is not finished."""

    killed_at = -1
    counted = 0

    def add(self, records: Iterable[Record], *, was_before: bool = False) -> None:
        super().add(records, was_before=was_before)
        self.counted += 1
        if self.counted == self.killed_at:
            os.kill(os.getpid(), signal.SIGKILL)


def main(killed_at: int, arguments: list[str]) -> int:
    Mortal.killed_at = killed_at
    vars(command).update(ConvertTask=Toys, Tally=Mortal)
    convert_books.COMMIT_INPUTS = 3
    convert_run.PAYS_S = 0.0  # a pool for whatever there is
    return run(arguments)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), sys.argv[2:]))
