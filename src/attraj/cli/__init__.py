"""The command line: one thin module a command, imported when it is asked for; one place where errors become exits."""

from __future__ import annotations

import sys
from typing import Any

# name -> (module, one line for --help). The help of all commands is shown without importing any.
COMMANDS: dict[str, tuple[str, str]] = {
    "validate": ("attraj.cli.validate", "Check documents and Harbor folders; say what is wrong, and where."),
    "show": ("attraj.cli.show", "Read a trajectory as a person: steps, calls, results, and what is wrong with them."),
    "stats": ("attraj.cli.stats", "Count documents and jobs: agent, model, steps, calls, tokens, cost, rewards."),
    "convert": ("attraj.cli.convert", "Write the same facts in another format; say what could not be carried over."),
    "diff": ("attraj.cli.diff", "Compare two trajectories by what they say, across formats, steps aligned."),
    "scan": ("attraj.cli.scan", "Look for secrets and personal data in files of any kind; say what and where."),
    "redact": ("attraj.cli.redact", "Write copies without secrets and personal data; nothing is written unproven."),
    "explain": ("attraj.cli.explain", "Explain a finding's code: what it checks, why, bad, good, the way out."),
    "formats": ("attraj.cli.formats", "List the formats that attraj knows, and how each is recognised."),
    "schema": ("attraj.cli.schema", "Print the JSON Schema of a Bundle, an Episode, a Dataset or the report."),
}


def run(arguments: list[str]) -> int:
    """Run one command line and return its exit code (DESIGN.md §4). Never lets a traceback out."""
    from attraj.errors import AttrajError, ReaderLeft

    is_debugging = "--debug" in arguments
    arguments = [argument for argument in arguments if argument != "--debug"]
    try:
        return _dispatch(arguments)
    except AttrajError as error:
        _say(f"attraj: error: {error.message}")
        if error.hint:
            _say(f"  hint: {error.hint}")
        return error.exit_code
    except KeyboardInterrupt:
        return 130
    except ReaderLeft:
        return 0
    except Exception as error:  # a bug of ours: said as one, without a word of the document
        if is_debugging:
            raise
        from attraj.errors import bug_report

        _say(bug_report(error))
        return 4


def _dispatch(arguments: list[str]) -> int:
    import typer

    from attraj.cli._io import flush
    from attraj.cli.app import build

    # Typer carries its own copy of click from 0.26 on; its public exceptions lead to the classes either way.
    usage_error: Any = typer.BadParameter.__mro__[1]
    command: Any = build()
    try:
        code = command.main(args=arguments, prog_name="attraj", standalone_mode=False)
        flush()
    except usage_error as error:
        if not arguments:
            _say(error.format_message())  # no arguments at all: the help is the answer
            return 2
        # The message may quote an argument, which the user typed; it never quotes a document. Lists of choices come
        # with a tab and a line each.
        _say(f"attraj: error: {' '.join(error.format_message().split())}")
        asked = error.ctx.command_path if error.ctx else "attraj"
        _say(f"  hint: {asked} --help")
        return 2
    except typer.Abort:
        return 130
    return code if isinstance(code, int) else 0


def _say(text: str) -> None:
    from attraj.reports.escaping import escaped

    for line in text.split("\n"):
        sys.stderr.write(escaped(line) + "\n")
