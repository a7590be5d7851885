"""`attraj convert`: the same facts in another format, and what was lost on the way."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

import typer

from attraj.batch.convert import ConvertTask
from attraj.batch.convert_plan import Destination, Plan, Sources, make_plan
from attraj.batch.convert_run import Conversion
from attraj.batch.convert_tally import Tally
from attraj.cli._conversion import End, JsonView, TextView, View, Write, loss_report
from attraj.cli._convert_request import convert_request, destination, fails_on_losses, require, require_free_report
from attraj.cli._io import account_output, columns, flush_account, may_colour, standard_error, write_bytes
from attraj.cli._options import (
    AccountForm,
    AssetsOption,
    AtifVersionOption,
    ConfigOption,
    ConvertedOption,
    ConvertLenientOption,
    DerivedOption,
    DocumentsOption,
    EmbedSubagentsOption,
    ExcludeOption,
    FailOnLossOption,
    FailuresOption,
    FilesFromOption,
    FormOption,
    FromOption,
    JobsOption,
    LossReportOption,
    MaxBytesOption,
    MaxDepthOption,
    MaxNodesOption,
    NoConfigOption,
    NoInferredEdgesOption,
    OverwriteOption,
    Paths,
    RelativeToOption,
    ResumeOption,
    ShowAllOption,
    SplitSubagentsOption,
    StdinNameOption,
    StripThoughtsOption,
    ToOption,
    TrajectoryIdOption,
    UpgradeOption,
    VerdictsOption,
    VerifyOption,
)
from attraj.cli._progress import Bar
from attraj.cli._request import Chosen, chosen, paths_of
from attraj.cli.app import new_app
from attraj.errors import AttrajError, ReaderLeft
from attraj.jsonio.write import write_atomic
from attraj.reports import Look
from attraj.verbs.validate import LOCATED

app = new_app()


@app.command()
def convert(
    to: ToOption,
    paths: Paths = None,
    source_format: FromOption = "",
    output: ConvertedOption = None,
    atif_version: AtifVersionOption = None,
    form: FormOption = None,
    loss_report: LossReportOption = None,
    fail_on_loss: FailOnLossOption = None,
    verify: VerifyOption = False,
    lenient: ConvertLenientOption = False,
    no_inferred_edges: NoInferredEdgesOption = False,
    strip_thoughts: StripThoughtsOption = False,
    split_subagents: SplitSubagentsOption = False,
    embed_subagents: EmbedSubagentsOption = False,
    upgrade: UpgradeOption = False,
    assets: AssetsOption = None,
    trajectory_id: TrajectoryIdOption = None,
    verdicts: VerdictsOption = None,
    derived: DerivedOption = False,
    overwrite: OverwriteOption = False,
    resume: ResumeOption = False,
    files_from: FilesFromOption = None,
    relative_to: RelativeToOption = None,
    stdin_filename: StdinNameOption = None,
    exclude: ExcludeOption = None,
    jobs: JobsOption = None,
    account: AccountForm = "text",
    quiet: FailuresOption = False,
    verbose: DocumentsOption = False,
    show_all: ShowAllOption = False,
    config: ConfigOption = None,
    no_config: NoConfigOption = False,
    max_bytes: MaxBytesOption = None,
    max_depth: MaxDepthOption = None,
    max_nodes: MaxNodesOption = None,
) -> None:
    """Write documents in another format: the same facts, and a list of what the format could not hold.

    A Harbor trial becomes one document for each of its steps. Outputs are called PATH.FORMAT.json. A document with
    errors in its shape is not converted. Nothing is replaced without --overwrite, and never an input.

    Exit codes: 0 converted, 1 something was not, 2 something cannot be read or written, 3 the specification itself
    rejects a document, 5 --verify does not hold and the document was not written.
    """
    given = dict(locals())
    options = {_SPELLING.get(name, name.replace("_", "-")): value for name, value in given.items()}
    raise typer.Exit(_Run(chosen(options)).run())


_SPELLING = {"account": "format", "source_format": "from"}


@dataclass(slots=True)
class _Run:
    """One run over everything that was given."""

    asked: Chosen

    def run(self) -> int:
        asked = self.asked
        if (asked["paths"] or []).count("-") + (asked["files-from"] == "-") > 1:
            raise AttrajError("standard input can be read only once")
        paths = list(paths_of(asked["paths"], asked["files-from"]))
        require(asked, paths)
        out = destination(asked, paths)
        request = convert_request(asked, paths)
        fails_on = fails_on_losses(asked)
        sources = Sources(
            paths,
            asked["exclude"] or (),
            asked["relative-to"] or "",
            os.path.basename(asked["stdin-filename"] or "stdin"),
        )
        plan = make_plan(sources, request, out, sorted(fails_on), is_resumed=bool(asked["resume"]))
        if asked["loss-report"]:
            require_free_report(asked["loss-report"], plan, may_replace=self._may_replace_report())
        task = ConvertTask.of(plan, request, fails_on)
        with Conversion(
            plan, task, asked.jobs, goes_on=bool(asked["resume"]), starts_anew=bool(asked["overwrite"])
        ) as run:
            return self._through(plan, run)

    def _through(self, plan: Plan, run: Conversion) -> int:
        tally = Tally()
        try:
            done = run.saved
            with Bar(len(plan.entries), done, is_wanted=self._may_draw()) as bar:
                view = self._view(bar.beside(self._write(plan.destination)), plan.destination)
                for number, (_, records, was_before) in enumerate(run.results()):
                    tally.add(records, was_before=was_before)
                    for record in records:
                        _say_bug(record.report.notes if record.exit_code == 4 else ())
                        view.record(record)
                    if number >= done:
                        bar.advance()
        except KeyboardInterrupt:
            if plan.destination.kind == "folder":
                standard_error()("attraj: interrupted: --resume goes on from here\n")
            raise
        cleared = run.finish(tally.counts())
        if plan.destination.kind == "stdout":
            with suppress(ReaderLeft):
                write_bytes(run.text)
        view.close(tally, End(cleared, plan.notes))
        flush_account()
        if self.asked["loss-report"]:
            self._report_losses(plan, run)
        return tally.exit_code()

    # --- where the account goes ---

    def _write(self, out: Destination) -> Write:
        if out.kind == "stdout":  # the product is there
            return standard_error()
        return account_output()

    def _view(self, write: Write, out: Destination) -> View:
        asked = self.asked
        if asked["format"] == "json":
            return JsonView(write, out)
        look = Look(
            width=columns(),
            colour=out.kind != "stdout" and may_colour(),
            verbosity=1 if asked["verbose"] else -1 if asked["quiet"] else 0,
            shown=None if asked["show-all"] else LOCATED,
            command="convert",
        )
        return TextView(write, look, out, is_lenient=bool(asked["lenient"]))

    def _may_draw(self) -> bool:
        stream = sys.stderr
        return not self.asked["quiet"] and stream is not None and stream.isatty() and os.environ.get("TERM") != "dumb"

    # --- the report of losses ---

    def _report_losses(self, plan: Plan, run: Conversion) -> None:
        report = loss_report(run.everything(), plan.destination)
        try:
            write_atomic(self.asked["loss-report"], report, overwrite=self._may_replace_report())
        except AttrajError as error:
            raise AttrajError(f"the report of losses: {error.message}", hint=error.hint) from error

    def _may_replace_report(self) -> bool:
        return bool(self.asked["overwrite"] or self.asked["resume"])


def _say_bug(notes: Sequence[str]) -> None:
    for note in notes:
        standard_error()(note + "\n")
