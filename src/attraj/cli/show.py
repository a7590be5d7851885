"""`attraj show`: a document as a person reads it. The one command that prints what a document says."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator

import typer

from attraj.cli._options import (
    ConfigOption,
    FromOption,
    FullOption,
    IndexOption,
    MaxBytesOption,
    MaxDepthOption,
    NoConfigOption,
    NoPagerOption,
    OnePath,
    StepOption,
    StepsOption,
)
from attraj.cli._pager import standard_view, write_lines
from attraj.cli._request import chosen, request
from attraj.cli.app import new_app
from attraj.errors import AttrajError, Unreadable
from attraj.formats import is_one
from attraj.formats.large import without_views
from attraj.formats.story import Step
from attraj.jsonio import Document, documents, read_bytes
from attraj.jsonio.read import read_stdin
from attraj.limits import Limits
from attraj.reports.escaping import escaped
from attraj.reports.layout import View
from attraj.reports.reading import body, head, tail
from attraj.verbs.show import Reading, show
from attraj.verbs.show import chosen as chosen_steps
from attraj.verbs.validate import Request

app = new_app()

_RANGE = re.compile(r"(\d{1,9})?-(\d{1,9})?|(\d{1,9})").fullmatch


@app.command(name="show")
def command(
    path: OnePath,
    step: StepOption = None,
    steps: StepsOption = None,
    full: FullOption = False,
    index: IndexOption = None,
    source_format: FromOption = "",
    no_pager: NoPagerOption = False,
    config: ConfigOption = None,
    no_config: NoConfigOption = False,
    max_bytes: MaxBytesOption = None,
    max_depth: MaxDepthOption = None,
) -> None:
    """Read a trajectory: task, steps, calls, results, what was rejected, where context was cut, and what is wrong.

    Content is shown as recorded and unredacted; control characters in it are shown as escapes. Exit codes: 0 shown,
    2 something cannot be read, 3 the specification itself rejects the document.
    """
    options = {"from": source_format, "config": config, "no-config": no_config}
    asked = request(chosen({**options, "max-bytes": max_bytes, "max-depth": max_depth}), located=0)
    wanted = _wanted(step, steps)
    telling = Telling(_documents(path, asked, index), asked, wanted, standard_view(full or step is not None))
    write_lines(telling.lines(is_whole=step is not None), may_page=not no_pager)
    raise typer.Exit(telling.exit_code)


def _wanted(step: int | None, steps: str | None) -> tuple[int, int | None]:
    """The first and the last step; None when there is no last one."""
    if step is not None and steps is not None:
        raise AttrajError("--step and --steps exclude each other")
    if step is not None:
        return step, step
    if steps is None:
        return 0, None
    match = _RANGE(steps.strip())
    if match is None or steps.strip() == "-":
        raise AttrajError("--steps takes a range such as 3-9, 3- or -9")
    first, last = int(match[1] or match[3] or 1), match[2] or match[3]
    if first < 1 or (last and int(last) < 1):
        raise AttrajError("steps are counted from 1")
    if last and int(last) < first:
        raise AttrajError("--steps takes a range that ends where it begins, or after it")
    return first, int(last) if last else None


def _documents(path: str, asked: Request, index: int | None) -> list[Document]:
    """The documents of the file, or the one that is asked for. Of a Harbor trial, the trajectories."""
    limits = asked.options.limits
    if path != "-" and os.path.isdir(path):
        return _of_folder(path, limits)
    try:
        large = without_views(path, limits) if path != "-" and index is None else None
        if large is not None:
            return [large]
        raw = read_stdin(limits) if path == "-" else read_bytes(path, limits)
    except Unreadable as error:
        raise Unreadable(f"{path}: {error.message}", hint=error.hint) from error
    found = list(documents(raw, limits, is_one))
    for document in found:
        document.path = path
    if index is None:
        return found
    if index >= len(found):
        raise AttrajError(f"{path}: there are {len(found)} documents, counted from 0")
    return [found[index]]


def _of_folder(path: str, limits: Limits) -> list[Document]:
    from attraj.formats.harbor import read_trial, recognise  # only when a folder is given

    if recognise(path) != "trial":
        raise Unreadable(
            f"{path}: a folder that is no Harbor trial", hint="name one document; attraj stats counts many"
        )
    trial = read_trial(path, limits)
    found: list[Document] = []
    for file in trial.trajectories:
        full = trial.full(file.path)
        for document in documents(read_bytes(full, limits), limits, is_one):
            document.path = full
            found.append(document)
    if not found:
        raise Unreadable(f"{path}: the trial has no trajectory", hint="attraj stats counts what there is of it")
    return found


class Telling:
    """The documents of one file, told one after another. One that cannot be told stops nobody but itself.

    Attributes:
        exit_code: Of what was told so far; the worst in the order 2, 3, 0.
    """

    def __init__(self, found: list[Document], asked: Request, wanted: tuple[int, int | None], view: View) -> None:
        self._found = found
        self._asked = asked
        self._wanted = wanted
        self._view = view
        self.exit_code = 0

    def lines(self, *, is_whole: bool) -> Iterator[str]:
        """Lines for a terminal. Raises AttrajError, before the first of them, when the only document cannot be told."""
        if len(self._found) > 1 and is_whole:
            hint = "name one file, or use --index"
            raise AttrajError("--step asks for one document, and there are several", hint=hint)
        for number, document in enumerate(self._found):
            if number:
                yield ""
            try:
                reading = show(document, self._asked, is_checked=bool(document.raw))
                told = self._body(reading, is_whole)
                first = next(told)
            except AttrajError as error:
                error.message = f"{document.path}: {error.message}"
                if len(self._found) == 1:
                    raise
                self._note(error.exit_code)
                yield f"{escaped(document.path)}[{document.index}]: {error.message.removeprefix(document.path + ': ')}"
                continue
            if not document.is_readable:
                self._note(2)
            yield first
            yield from told

    def _note(self, code: int) -> None:
        if self.exit_code != 2:
            self.exit_code = code

    def _body(self, reading: Reading, is_whole: bool) -> Iterator[str]:
        first, last = self._wanted
        told: set[str] = set()
        steps: Iterable[Step] = chosen_steps(reading.story.steps, first, last)
        if first:
            steps = list(steps)
            if not steps:
                raise AttrajError("there is no such step", hint="attraj show without --step shows them all")
        yield from head(reading, self._view, is_brief=bool(first))
        yield from body(reading, _noted(steps, told), self._view, is_whole=is_whole)
        if not first:
            yield from tail(reading, self._view, told)


def _noted(steps: Iterable[Step], told: set[str]) -> Iterator[Step]:
    for step in steps:
        told.add(step.pointer)
        yield step
