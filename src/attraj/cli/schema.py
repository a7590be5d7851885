"""`attraj schema`: the JSON Schema of a document, from the table that the checks use."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from attraj.cli._io import standard_output
from attraj.cli.app import new_app

app = new_app()


@app.command()
def schema(
    name: Annotated[
        Literal["bundle", "episode", "dataset", "report"], typer.Argument(metavar="NAME", help="Of what.")
    ] = "bundle",
) -> None:
    """Print the JSON Schema (draft 2020-12) of a Bundle, an Episode, a Dataset manifest or the JSON report."""
    import orjson  # only here: the schema is written as JSON

    from attraj.verbs.schema import schema_of

    standard_output()(orjson.dumps(schema_of(name), option=orjson.OPT_INDENT_2).decode() + "\n")
