"""`attraj formats`: what attraj knows, and how it tells."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from attraj.cli._io import standard_output
from attraj.cli._options import complete_formats
from attraj.cli.app import new_app
from attraj.errors import AttrajError
from attraj.formats import FORMATS

app = new_app()


@app.command()
def formats(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", autocompletion=complete_formats, help="One format.")
    ] = None,
    form: Annotated[Literal["text", "json"], typer.Option("--format", help="Form of the answer.")] = "text",
) -> None:
    """List the formats that attraj knows: names for --from, versions, and the marks by which each is recognised."""
    known = [f for f in FORMATS if name in (None, f.name)]
    if not known:
        raise AttrajError(f"no format is called `{name}`", hint="attraj formats lists the names")
    write = standard_output()
    if form == "json":
        import orjson  # only when JSON is written

        rows = [
            {"name": f.name, "title": f.title, "reads": f.reads, "codes": f.family, "marks": f.marks} for f in known
        ]
        write(orjson.dumps(rows, option=orjson.OPT_INDENT_2).decode() + "\n")
        return
    for f in known:
        write(f"{f.name:<15} {f.title}, {f.reads}; codes {f.family}…\n{'':<15} recognised by {f.marks}\n")
