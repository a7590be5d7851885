"""`attraj stats`: what is in these documents and jobs, counted."""

from __future__ import annotations

import typer

from attraj.batch.counting import rows
from attraj.batch.discover import discover
from attraj.cli._io import columns, standard_output
from attraj.cli._options import (
    ConfigOption,
    CountForm,
    ExcludeOption,
    FilesFromOption,
    FromOption,
    MaxBytesOption,
    MaxDepthOption,
    NoConfigOption,
    Paths,
    QuietOption,
)
from attraj.cli._request import chosen, paths_of, request
from attraj.cli.app import new_app
from attraj.errors import AttrajError
from attraj.reports.count_table import write_table
from attraj.reports.counts import write_csv, write_json

app = new_app()


@app.command(name="stats")
def command(
    paths: Paths = None,
    to: CountForm = "table",
    source_format: FromOption = "",
    files_from: FilesFromOption = None,
    exclude: ExcludeOption = None,
    quiet: QuietOption = False,
    config: ConfigOption = None,
    no_config: NoConfigOption = False,
    max_bytes: MaxBytesOption = None,
    max_depth: MaxDepthOption = None,
) -> None:
    """Count documents and jobs: format, agent, model, steps, calls, tokens with their origin, cost, rewards, ending.

    Nothing is checked, and nothing is invented: what a document does not say is unknown. A Harbor trial is one row,
    and so is a file of several attempts, and an instance of a SWE-agent run that left no trajectory. Exit codes:
    0 counted, 2 something cannot be read, 3 the specification itself rejects a document.
    """
    options = {"from": source_format, "exclude": exclude, "config": config, "no-config": no_config}
    asked = chosen({**options, "max-bytes": max_bytes, "max-depth": max_depth})
    wanted = request(asked)
    named = list(paths_of(paths, files_from))
    if not named:
        raise AttrajError("no path is given", hint="attraj stats jobs/my-job, or - for standard input")
    if named.count("-") > 1:
        raise AttrajError("standard input can be read only once")
    found = rows(discover(named, asked["exclude"] or ()), wanted.format, wanted.options.limits, named)
    write = standard_output()
    if to == "json":
        totals = write_json(found, write)
    elif to == "csv":
        totals = write_csv(found, write)
    else:
        totals = write_table(found, write, columns(), quiet=quiet)
    raise typer.Exit(totals.exit_code())
