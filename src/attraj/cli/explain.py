"""`attraj explain`: the page of a code."""

from __future__ import annotations

import re
from textwrap import wrap
from typing import Annotated, Literal

import typer

from attraj.cli._io import columns, standard_output
from attraj.cli._options import complete_codes
from attraj.cli.app import new_app
from attraj.errors import AttrajError
from attraj.findings import Rule
from attraj.pages import Page

app = new_app()


@app.command()
def explain(
    code: Annotated[
        str | None,
        typer.Argument(metavar="CODE", autocompletion=complete_codes, help="A code (AT301) or a slug (cycle)."),
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="List every code; with --format markdown every page.")
    ] = False,
    form: Annotated[Literal["text", "json", "markdown"], typer.Option("--format", help="Form of the answer.")] = "text",
) -> None:
    """Explain a finding's code: what it checks, why it matters, bad, good, how to fix, source."""
    from attraj.verbs.explain import all_pages, all_rules
    from attraj.verbs.explain import explain as explained

    write = standard_output()
    if everything and form == "text":
        for rule in all_rules():
            write(f"{rule.code:<8} {rule.severity!s:<8} {rule.slug:<36} {_says(rule)}\n")
        return
    if everything:
        pages = all_pages()
        chosen = [(rule, pages[rule.code]) for rule in all_rules()]
    elif code is None:
        raise AttrajError("no code is given", hint="attraj explain AT301, or --all")
    else:
        chosen = [explained(code)]
    if form == "json":
        write(_json(chosen) + "\n")
    else:
        draw = markdown if form == "markdown" else plain
        for rule, page in chosen:
            write(draw(rule, page))


def _says(rule: Rule) -> str:
    from attraj.verbs.explain import all_pages

    return first_sentence(all_pages().as_written(rule.code))


def plain(rule: Rule, page: Page) -> str:
    """The page for a terminal: wrapped, examples indented, without marks of Markdown."""
    width = min(columns(), 100)
    profile = f", {rule.profile}" if rule.profile else ""
    rejects = ", rejects the document" if rule.rejects else ""
    lines = [f"{rule.code} {rule.slug}  ({rule.severity}, {rule.stratum}{profile}{rejects})", ""]
    for number, part in enumerate(_FENCE.split(page.body)):
        if number % 3 == 0:
            for paragraph in part.strip().split("\n\n"):
                lines += [*_wrapped(paragraph, width), ""]
        elif number % 3 == 2:  # the body of an example, after its info string
            lines += ["    " + line for line in part.rstrip("\n").split("\n")] + [""]
    if any(line.startswith("    ") and _LEFT_OUT in line for line in lines):
        lines += wrap(_KEY, width)
    return "\n".join(lines).rstrip() + "\n"


_LEFT_OUT = "…"
_KEY = "In an example, … stands for what is left out of it."
_FENCE = re.compile(r"^```([^\n]*)\n(.*?)^```[ \t]*$", re.M | re.S)


def _wrapped(paragraph: str, width: int) -> list[str]:
    text = " ".join(paragraph.replace("**", "").replace("`", "").split())
    return wrap(text, width) if not paragraph.lstrip().startswith(("- ", "|")) else paragraph.split("\n")


def markdown(rule: Rule, page: Page) -> str:
    """The page as it is read: heading, severity, body."""
    profile = f" · {rule.profile}" if rule.profile else ""
    rejects = " · rejects the document" if rule.rejects else ""
    return f"## {rule.code} {rule.slug}\n\n{rule.severity} · {rule.stratum}{profile}{rejects}\n\n{page.body}\n\n"


def reference() -> str:
    """Every page in one text: a table of the codes, then the pages by family."""
    from attraj.verbs.explain import all_pages, all_rules

    pages = all_pages()
    chosen = [(rule, pages[rule.code]) for rule in all_rules()]
    head = (
        "# The codes of attraj\n\n"
        "Made from the pages that `attraj explain CODE` shows; every *Bad* and *Good* is run by a test.\n"
        "In an example, … stands for what is left out of it.\n\n"
        "| code | severity | slug | says |\n| --- | --- | --- | --- |\n"
    )
    rows = "".join(
        f"| [{rule.code}](#{anchor(rule)}) | {rule.severity} | {rule.slug} | {first_sentence(page)} |\n"
        for rule, page in chosen
    )
    return head + rows + "\n" + "".join(markdown(rule, page) for rule, page in chosen).rstrip() + "\n"


def anchor(rule: Rule) -> str:
    """The fragment of the rule's heading as code hosts make it."""
    return f"{rule.code} {rule.slug}".lower().replace(" ", "-")


def first_sentence(page: Page) -> str:
    """What the page states first, on one line."""
    return " ".join(page.body.split("\n\n", 1)[0].split())


def _json(chosen: list[tuple[Rule, Page]]) -> str:
    import orjson  # only when JSON is written

    return orjson.dumps(
        [
            {
                "code": rule.code,
                "slug": rule.slug,
                "severity": str(rule.severity),
                "stratum": str(rule.stratum),
                "profile": rule.profile or None,
                "rejects": rule.rejects,
                "summary": first_sentence(page),
                "page": page.body,
            }
            for rule, page in chosen
        ],
        option=orjson.OPT_INDENT_2,
    ).decode()
