"""`attraj scan`: does it hold secrets or personal data?"""

from __future__ import annotations

import gc
from collections.abc import Mapping

import typer

from attraj.batch.files import files
from attraj.batch.scan import ScanTask, scan_files
from attraj.cli._detection import detector, require_paths, wanted
from attraj.cli._io import columns, may_colour, read_key, standard_output, step_summary
from attraj.cli._options import (
    AllowFileOption,
    BaselineOption,
    EngineOption,
    ExcludeOption,
    ExitZeroOption,
    FilesFromOption,
    FormatOption,
    GitleaksConfigOption,
    IgnoreOption,
    JobsOption,
    KeyFileOption,
    KnownSecretsOption,
    MaxBytesOption,
    MaxDepthOption,
    Paths,
    PiiOption,
    QuietOption,
    RulesOption,
    ScanConfigOption,
    SecondOpinionOption,
    SecretFailOption,
    SelectOption,
    ShowAllOption,
    StdinNameOption,
    SummaryOption,
    VerboseOption,
)
from attraj.cli._request import Chosen, chosen, codes_of, limits_of, paths_of
from attraj.cli.app import new_app
from attraj.errors import AttrajError
from attraj.findings import Account, Severity
from attraj.pages import Page
from attraj.reports import Look, writer
from attraj.reports.baseline import read_baseline
from attraj.secrets import codes
from attraj.verbs.validate import LOCATED

app = new_app()


@app.command()
def scan(
    paths: Paths = None,
    form: FormatOption = None,
    select: SelectOption = None,
    ignore: IgnoreOption = None,
    fail_on: SecretFailOption = None,
    exit_zero: ExitZeroOption = None,
    pii: PiiOption = None,
    known_secrets: KnownSecretsOption = None,
    allow_file: AllowFileOption = None,
    rules: RulesOption = None,
    gitleaks_config: GitleaksConfigOption = None,
    engine: EngineOption = "auto",
    second_opinion: SecondOpinionOption = None,
    baseline: BaselineOption = None,
    key_file: KeyFileOption = None,
    summary: SummaryOption = False,
    quiet: QuietOption = False,
    verbose: VerboseOption = False,
    show_all: ShowAllOption = False,
    files_from: FilesFromOption = None,
    stdin_filename: StdinNameOption = None,
    exclude: ExcludeOption = None,
    jobs: JobsOption = None,
    config: ScanConfigOption = None,
    max_bytes: MaxBytesOption = None,
    max_depth: MaxDepthOption = None,
) -> None:
    """Look for secrets and personal data in files of any kind: trajectories, logs, settings, names of files.

    Says what kind and where, never the value. No mark in a file switches it off, and no settings are looked for.
    Exit codes: 0 nothing found, 1 something, 2 something cannot be read.
    """
    given = dict(locals())
    options = {"format" if name == "form" else name.replace("_", "-"): value for name, value in given.items()}
    # The tree that is looked at has no say in how it is looked at (decisions 12).
    raise typer.Exit(_run(chosen({**options, "no-config": config is None})))


def _run(asked: Chosen) -> int:
    paths = list(paths_of(asked["paths"], asked["files-from"]))
    require_paths(paths, "attraj scan traces/, or - for standard input")
    if asked["baseline"] and not asked["key-file"]:
        raise AttrajError(
            "a baseline of secrets needs --key-file",
            hint="without a key a new secret in an old place would pass for the old one",
        )
    key = read_key(asked["key-file"])
    looked_for = wanted(asked.values)
    is_whole = asked["show-all"] or asked.form != "text"
    task = ScanTask(
        looked_for.detection,
        {
            "policy": looked_for.policy,
            "known": looked_for.known,
            "key": key,
            "keep": codes_of(asked["select"], codes.rules()),
            "drop": codes_of(asked["ignore"], codes.rules()) or frozenset(),
            "limits": limits_of(asked),
            "located": None if is_whole else LOCATED,
        },
        asked["second-opinion"] or "",
        asked["stdin-filename"] or "",
    )
    found = files(paths, asked["exclude"] or ())
    results = scan_files(found, task, asked.jobs, detector(looked_for))
    known = read_baseline(asked["baseline"], key) if asked["baseline"] else None
    gc.disable()  # parsed documents hold no cycles
    account = Account(_fail_on(asked))
    draw = writer(asked.form, standard_output(), _look(asked, key))
    for file, report in results:
        if known is not None:
            report = known.without_known(report)
        account.add(report)
        draw.document(report, is_named=file.is_named)
    draw.close(account.summary())
    return account.exit_code()


def _fail_on(asked: Chosen) -> Severity | None:
    return None if asked["exit-zero"] else asked.fail_on if asked["fail-on"] else Severity.WARNING


def _look(asked: Chosen, key: bytes) -> Look:
    return Look(
        width=columns(),
        colour=may_colour(),
        verbosity=1 if asked["verbose"] else -1 if asked["quiet"] else 0,
        summary_only=bool(asked["summary"]),
        shown=None if asked["show-all"] else LOCATED,
        command="scan",
        key=key,
        pages=_pages,
        write_summary=step_summary(),
    )


def _pages() -> Mapping[str, Page]:
    from attraj.verbs.explain import all_pages  # reads every page: only for forms that carry help

    return all_pages()
