"""`attraj diff`: two documents, of any formats, compared by what they say."""

from __future__ import annotations

import os
from typing import Annotated, Literal

import typer

from attraj.cli._io import flush, standard_output
from attraj.cli._options import FullOption, IndexOption, MaxBytesOption, MaxDepthOption, NoPagerOption
from attraj.cli._pager import standard_view, write_lines
from attraj.cli._request import chosen, limits_of
from attraj.cli.app import new_app
from attraj.errors import AttrajError, Unreadable
from attraj.formats import is_one
from attraj.jsonio import Document, documents, read_bytes
from attraj.jsonio.read import read_stdin
from attraj.limits import Limits
from attraj.reports.differences import drawn
from attraj.verbs.comparing.sides import Side, side_of, side_of_trial
from attraj.verbs.diff import difference

app = new_app()

_First = Annotated[
    str, typer.Argument(metavar="A", show_default=False, help="A document, a Harbor trial folder, or -.")
]
_Second = Annotated[str, typer.Argument(metavar="B", show_default=False, help="The other document, of any format.")]
_Form = Annotated[Literal["text", "json"], typer.Option("--format", help="Form of the report.")]
_Summary = Annotated[bool, typer.Option("--summary", help="Print the account only.")]
_Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing: the exit code tells.")]


@app.command(name="diff")
def command(
    a: _First,
    b: _Second,
    form: _Form = "text",
    summary: _Summary = False,
    quiet: _Quiet = False,
    full: FullOption = False,
    index: IndexOption = None,
    no_pager: NoPagerOption = False,
    max_bytes: MaxBytesOption = None,
    max_depth: MaxDepthOption = None,
) -> None:
    """Compare two trajectories by what they say, across formats: steps aligned, then outcomes, rewards, rights.

    Documents of one format are compared to the last member; of two formats, what both can say. The order of members
    and edges, and names of identities that link the same records, make no difference. Content is shown as recorded
    and unredacted; in JSON only with --full. Exit codes: 0 they say the same, 1 they differ, 2 something cannot be
    read, 3 the specification itself rejects a document.
    """
    if a == "-" and b == "-":
        raise AttrajError("standard input can be read only once")
    limits = limits_of(chosen({"no-config": True, "max-bytes": max_bytes, "max-depth": max_depth}))
    found = difference(_side(a, index, limits), _side(b, index, limits))
    if quiet:
        pass
    elif form == "json":
        from attraj.reports.differences_json import as_json  # only where it is asked for

        standard_output()(as_json(found, is_full=full, is_brief=summary).decode())
        flush()
    else:
        write_lines(drawn(found, standard_view(full), is_brief=summary), may_page=not no_pager)
    raise typer.Exit(0 if found.is_equal else 1)


def _side(path: str, index: int | None, limits: Limits) -> Side:
    try:
        if path != "-" and os.path.isdir(path):
            from attraj.formats.harbor import recognise  # only when a folder is given

            if recognise(path) != "trial":
                raise Unreadable("a folder that is no Harbor trial", hint="name one document of it")
            return side_of_trial(path, limits)
        return side_of(_document(path, index, limits), limits)
    except AttrajError as error:
        error.message = f"{path}: {error.message}"
        raise


def _document(path: str, index: int | None, limits: Limits) -> Document:
    found = list(documents(read_stdin(limits) if path == "-" else read_bytes(path, limits), limits, is_one))
    if index is None and len(found) != 1:
        raise Unreadable(f"expected one document, found {len(found)}", hint="--index names one of both files")
    position = 0 if len(found) == 1 else index or 0
    if position >= len(found):
        raise AttrajError(f"there are {len(found)} documents, counted from 0")
    found[position].path = path
    return found[position]
