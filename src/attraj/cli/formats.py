"""`attraj formats`: what attraj knows, how it tells, and where each value of a format stands in the Bundle."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Annotated, Literal

import typer

from attraj.cli._io import standard_output
from attraj.cli._options import complete_formats
from attraj.cli.app import new_app
from attraj.errors import AttrajError
from attraj.formats import FORMATS
from attraj.formats.mapping.table import LossRow, Row, directions, has_map, losses_of, rows_of

app = new_app()


@app.command()
def formats(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", autocompletion=complete_formats, help="One format.")
    ] = None,
    form: Annotated[Literal["text", "json"], typer.Option("--format", help="Form of the answer.")] = "text",
) -> None:
    """List the formats that attraj knows: names for --from, versions, and the marks by which each is recognised.

    Of one format also its map: where each of its members stands in the Bundle; what the map does not name is kept
    beside it, by pointer, and comes back with it. Then what a conversion from it or to it approximates, makes up or
    drops: each such loss is counted in the account of a conversion.
    """
    known = [f for f in FORMATS if name in (None, f.name)]
    if not known:
        raise AttrajError(f"no format is called `{name}`", hint="attraj formats lists the names")
    write = standard_output()
    if form == "json":
        import orjson  # only when JSON is written

        rows = [
            {
                "name": f.name,
                "title": f.title,
                "reads": f.reads,
                "codes": f.family,
                "marks": f.marks,
                **dict(zip(("is_read", "is_written"), directions(f.name), strict=True)),
                **(_whole(f.name) if name and has_map(f.name) else {}),
            }
            for f in known
        ]
        write(orjson.dumps(rows, option=orjson.OPT_INDENT_2).decode() + "\n")
        return
    for f in known:
        write(f"{f.name:<15} {f.title}, {f.reads}; codes {f.family}…\n{'':<15} recognised by {f.marks}\n")
        write(f"{'':<15} {_CONVERTED[directions(f.name)]}\n")
    if name and has_map(name):
        write("\n" + "".join(_lines(rows_of(name))))
        write("".join(_losses(losses_of(name))))


_CONVERTED = {
    (True, True): "attraj convert reads and writes it",
    (True, False): "attraj convert reads it, and writes none",
    (False, False): "attraj convert neither reads nor writes it",
}


def _whole(name: str) -> dict[str, list[dict[str, str]]]:
    """Its map and its losses, row by row."""
    return {
        "map": [row._asdict() for row in rows_of(name)],
        "losses": [row._asdict() for row in losses_of(name)],
    }


def _lines(rows: list[Row]) -> Iterator[str]:
    """The map as text: a heading for each kind of object, then a line for each of its members."""
    width = max(len(row.member) for row in rows)
    for place, members in groupby(rows, key=lambda row: (row.place, row.record)):
        yield "%s -> %s\n" % place
        for row in members:
            says = f"  ({row.says})" if row.says else ""
            yield f"  {row.member:<{width}}  {row.core}{says}\n"


_STAGES = {
    "read": "Reading it, these are said less exactly than in the source, made up, or dropped",
    "write": "Writing it, these are said less exactly than in the Bundle, made up, or dropped for want of a place",
}


def _losses(rows: list[LossRow]) -> Iterator[str]:
    """The losses as text, by stage: handling, category, code and words of each."""
    for stage, found in groupby(rows, key=lambda row: row.stage):
        yield f"\n{_STAGES[stage]}:\n"
        for row in found:
            says = f": {row.says}" if row.says else ""
            yield f"  {row.handling:<13} {row.category:<24} {row.code}{says}\n"
