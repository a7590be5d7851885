"""The Typer application. Commands are imported when they are looked up, so that each pays for its own imports only."""

from __future__ import annotations

import os
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup

from attraj import __version__
from attraj.cli import COMMANDS

COMPLETE_VARIABLE = "_ATTRAJ_COMPLETE"


class LazyGroup(TyperGroup):
    """A group that knows its commands by name, and imports one when it runs.

    Contexts and formatters are `Any`: from 0.26 on Typer carries its own copy of click's classes.
    """

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        home = COMMANDS.get(cmd_name)
        if home is None:
            return None
        command: Any = typer.main.get_command(import_module(home[0]).app)
        command.name = cmd_name
        return command

    def shell_complete(self, ctx: Any, incomplete: str) -> list[Any]:
        """Commands by their names, without importing one; the group's own options as they are."""
        if incomplete.startswith("-"):
            return list(super().shell_complete(ctx, incomplete))
        item: Any = import_module(f"{_click_package()}.shell_completion").CompletionItem
        return [item(name, help=text) for name, (_, text) in COMMANDS.items() if name.startswith(incomplete)]

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])


def _click_package() -> str:
    """Typer carries its own copy of click from 0.26 on; the classes lead to the package either way."""
    return TyperGroup.__mro__[1].__module__.rpartition(".")[0]


def new_app() -> typer.Typer:
    """A Typer application for one command, without rich help (which costs 60 ms) and without pretty tracebacks."""
    return typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)


app = typer.Typer(
    name="attraj",
    cls=LazyGroup,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 yes, 1 no, 2 cannot start, 3 rejected by the specification, 4 a bug, 5 a proof of ours "
    "does not hold, 130 interrupted.",
)


def _version(value: bool) -> None:
    if value:
        typer.echo(f"attraj {__version__}")
        raise typer.Exit


def _conformance(value: bool) -> None:
    if value:
        import orjson  # only here: the claim is printed as JSON

        from attraj.verbs.conformance import conformance

        typer.echo(orjson.dumps(conformance(), option=orjson.OPT_INDENT_2).decode())
        raise typer.Exit


@app.callback()
def main(
    version: bool = typer.Option(False, "--version", "-V", callback=_version, is_eager=True, help="Print the version."),
    conformance: bool = typer.Option(
        False, "--conformance", callback=_conformance, is_eager=True, help="Print what is claimed of the specification."
    ),
) -> None:
    """Validate, redact and account for AI-agent trajectories. Nothing is invented, nothing is silently dropped."""


def build() -> Any:
    """The click command behind the application."""
    if COMPLETE_VARIABLE in os.environ:
        _completion().completion_init()
    return typer.main.get_command(app)


def completion_script(shell: str) -> str:
    """The script that a shell loads once, and that asks attraj for completions from then on ("bash", "zsh", "fish")."""
    return str(
        _completion().get_completion_script(prog_name="attraj", complete_var=COMPLETE_VARIABLE, shell=shell).strip()
        + "\n"
    )


def _completion() -> Any:
    return import_module("typer.completion")  # only when a shell asks for completions
