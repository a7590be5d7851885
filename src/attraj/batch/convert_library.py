"""`attraj.convert` and `attraj.convert_paths`: what `attraj convert` does, as one call of the library."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from attraj.batch.convert import ConvertTask
from attraj.batch.convert_names import stem
from attraj.batch.convert_plan import Destination, Sources, make_plan
from attraj.batch.convert_records import Record
from attraj.batch.convert_run import Conversion
from attraj.batch.convert_tally import Tally
from attraj.verbs.convert import Converted, Request
from attraj.verbs.convert import convert as convert_document
from attraj.verbs.source import Source, document_of


class Conversions(NamedTuple):
    """What became of every document.

    Attributes:
        records: By the names of the inputs.
        counts: They add up: documents = written + with_findings + unreadable + rejected + refused + skipped.
        exit_code: That of the command line.
    """

    records: tuple[Record, ...]
    counts: dict[str, int]
    exit_code: int


def convert(source: Source, to: str | Request) -> Converted:
    """One document in another format, with every loss.

        made = attraj.convert("run.traj", "atif")
        if made.status == "converted":
            Path("run.atif.json").write_bytes(made.outputs[0].text)
        for loss in made.losses:
            print(loss.handling, loss.code, loss.pointer)

    Args:
        source: A document, the path of a file that holds one, or a JSON value. Never modified.
        to: Name of the target format ("bundle", "atif", "swe-agent", "mini-swe-agent", "react-web"), or all that is
            asked.

    Returns:
        What came out; where nothing did, `status` and `reason` say why.

    Raises:
        Unreadable: The file cannot be read, or the value holds what JSON cannot.

    Source: DESIGN.md §3, §4; spec decisions 11, 16 to 22.
    """
    request = to if isinstance(to, Request) else Request(to)
    document = document_of(source, request.limits)
    return convert_document(document, stem(os.path.basename(document.path)), request)


def convert_paths(
    paths: Iterable[str | os.PathLike[str]],
    folder: str | os.PathLike[str],
    request: Request,
    *,
    exclude: Sequence[str] = (),
    overwrite: bool = False,
    resume: bool = False,
    jobs: int = 1,
) -> Conversions:
    """Convert files of one or several documents, Harbor and SWE-agent folders, and whole trees into a folder.

        done = convert_paths(["jobs/2026-11-30"], "out", Request("bundle"), jobs=4)
        for record in done.records:
            print(record.report.path, record.status, [output.name for output in record.outputs])

    Args:
        paths: Files and folders.
        folder: Mirrors them; its `_attraj/` holds the manifest, what became of each document, and every loss.
        request: Target, version, operations.
        exclude: Patterns (`*`, `?`) for the names or paths that walks leave out.
        overwrite: Replace outputs that exist, and an earlier run. Never an input.
        resume: Go on with a run that was interrupted.
        jobs: The most processes to use; 1 starts none. A script that gives more guards its own start by
            `if __name__ == "__main__"`, as `multiprocessing` asks.

    Raises:
        AttrajError: Two inputs would be written to one file, an output exists, another run holds the folder.
    """
    out = Destination("folder", os.fspath(folder), overwrite)
    sources = Sources([os.fspath(path) for path in paths], exclude)
    plan = make_plan(sources, request, out, is_resumed=resume)
    tally = Tally()
    made: list[Record] = []
    with Conversion(plan, ConvertTask.of(plan, request), jobs, goes_on=resume, starts_anew=overwrite) as run:
        for _, records, was_before in run.results():
            tally.add(records, was_before=was_before)
            made += records
        run.finish(tally.counts())
    return Conversions(tuple(made), tally.counts(), tally.exit_code())
