"""`attraj validate`: is it what it claims to be?"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import typer

from attraj.batch.discover import Item, discover
from attraj.batch.run import run
from attraj.cli._io import columns, may_colour, read_key, standard_output, step_summary
from attraj.cli._options import (
    AgainstOption,
    BaselineOption,
    ConfigOption,
    ExcludeOption,
    ExitZeroOption,
    FailOnOption,
    FilesFromOption,
    FormatOption,
    FromOption,
    IgnoreOption,
    JobsOption,
    KeyFileOption,
    LenientOption,
    LevelOption,
    MaxBytesOption,
    MaxDepthOption,
    MaxNodesOption,
    NoConfigOption,
    NowOption,
    Paths,
    ProfileOption,
    PurposeOption,
    QuietOption,
    RelationOption,
    SchemaOption,
    SelectOption,
    ShowAllOption,
    SkipUnknownOption,
    StdinNameOption,
    StrictClosureOption,
    SummaryOption,
    VerboseOption,
)
from attraj.cli._request import Chosen, chosen, paths_of, request
from attraj.cli.app import new_app
from attraj.errors import AttrajError
from attraj.findings import Account, DocumentReport
from attraj.reports import Look, writer
from attraj.verbs.validate import LOCATED, Request

if TYPE_CHECKING:
    from attraj.pages import Page
    from attraj.reports.baseline import Baseline

app = new_app()


@app.command()
def validate(
    paths: Paths = None,
    form: FormatOption = None,
    source_format: FromOption = "",
    level: LevelOption = None,
    profile: ProfileOption = None,
    select: SelectOption = None,
    ignore: IgnoreOption = None,
    fail_on: FailOnOption = None,
    exit_zero: ExitZeroOption = None,
    summary: SummaryOption = False,
    quiet: QuietOption = False,
    verbose: VerboseOption = False,
    show_all: ShowAllOption = False,
    against: AgainstOption = None,
    relation: RelationOption = None,
    strict_closure: StrictClosureOption = None,
    lenient: LenientOption = False,
    schema: SchemaOption = None,
    now: NowOption = "",
    purpose: PurposeOption = "",
    files_from: FilesFromOption = None,
    skip_unknown: SkipUnknownOption = False,
    stdin_filename: StdinNameOption = None,
    exclude: ExcludeOption = None,
    baseline: BaselineOption = None,
    key_file: KeyFileOption = None,
    jobs: JobsOption = None,
    config: ConfigOption = None,
    no_config: NoConfigOption = False,
    max_bytes: MaxBytesOption = None,
    max_depth: MaxDepthOption = None,
    max_nodes: MaxNodesOption = None,
) -> None:
    """Check documents and Harbor folders; say what is wrong, and where.

    Exit codes: 0 no finding at or above --fail-on, 1 there is one, 2 something cannot be read, 3 the specification
    itself rejects a document.
    """
    given = dict(locals())
    options = {_SPELLING.get(name, name.replace("_", "-")): value for name, value in given.items()}
    raise typer.Exit(_run(chosen(options)))


_SPELLING = {"form": "format", "source_format": "from"}


def _run(asked: Chosen) -> int:
    if (asked["paths"] or []).count("-") + (asked["files-from"] == "-") > 1:
        raise AttrajError("standard input can be read only once")
    paths = list(paths_of(asked["paths"], asked["files-from"]))
    _require(asked, paths)
    is_whole = asked["show-all"] or asked.form not in ("text",)
    wanted = request(asked, located=None if is_whole else LOCATED)
    results = _pair(paths, asked, wanted) if asked["against"] else run(_items(paths, asked), wanted, asked.jobs)
    key = read_key(asked["key-file"])
    known = _baseline(asked["baseline"], key)
    account = Account(asked.fail_on)
    draw = writer(asked.form, standard_output(), _look(asked, key))
    for item, report in results:
        if item.kind == "stdin" and asked["stdin-filename"]:
            report = replace(report, path=asked["stdin-filename"])
        if known is not None:
            report = known.without_known(report)
        account.add(report)
        draw.document(report, is_named=item.is_named)
    draw.close(account.summary())
    return account.exit_code()


def _require(asked: Chosen, paths: list[str]) -> None:
    """Refuse what cannot be meant, before anything is read."""
    if not paths and asked["files-from"] is None:
        raise AttrajError("no path is given", hint="attraj validate bundle.json, or - for standard input")
    if asked["relation"] and not asked["against"]:
        raise AttrajError("--relation says how a document was made from the one that --against names")
    if asked["stdin-filename"] and "-" not in paths:
        raise AttrajError("--stdin-filename names standard input, and `-` is not among the paths")
    if asked["from"] == "harbor":
        files = [path for path in paths if not os.path.isdir(path)]
        if files:
            raise AttrajError(f"{files[0]}: --from harbor takes trial and job folders")


def _items(paths: list[str], asked: Chosen) -> Iterator[Item]:
    for item in discover(paths, asked["exclude"] or ()):
        yield item._replace(is_named=False) if asked["skip-unknown"] and item.kind == "file" else item


def _pair(paths: list[str], asked: Chosen, wanted: Request) -> Iterator[tuple[Item, DocumentReport]]:
    """The one document of `paths` as made from the older one."""
    from attraj.verbs.against import against

    if len(paths) != 1:
        raise AttrajError("--against takes one document, and the older one that it was made from")
    older = asked["against"]
    for path in (paths[0], older):
        if path == "-" or not os.path.isfile(path):
            raise AttrajError(f"{path}: --against compares two files", hint="both are named, and both must exist")
    yield Item("file", paths[0], True), against(paths[0], older, asked["relation"] or "", wanted)


def _look(asked: Chosen, key: bytes) -> Look:
    return Look(
        width=columns(),
        colour=may_colour(),
        verbosity=1 if asked["verbose"] else -1 if asked["quiet"] else 0,
        summary_only=bool(asked["summary"]),
        shown=None if asked["show-all"] else LOCATED,
        key=key,
        fail_on=asked.fail_on,
        pages=_pages,
        write_summary=step_summary(),
    )


def _baseline(path: str | None, key: bytes) -> Baseline | None:
    if path is None:
        return None
    from attraj.reports.baseline import read_baseline  # imports the hash functions

    try:
        return read_baseline(path, key)
    except AttrajError as error:
        raise AttrajError(f"{path}: {error.message}", hint=error.hint) from error


def _pages() -> Mapping[str, Page]:
    from attraj.verbs.explain import all_pages  # reads every page: only for forms that carry help

    return all_pages()
