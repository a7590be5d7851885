"""The manual of the codes, from the code itself."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from attraj.errors import AttrajError
from attraj.findings import Rule
from attraj.pages import Page, pages_of

# Modules with rules and the packages whose folder `pages` explains them.
_RULES = (
    "attraj.formats.native",
    "attraj.formats.episode",
    "attraj.formats.dataset",
    "attraj.bundle.checks.pairs",
    "attraj.formats.atif",
    "attraj.formats.harbor",
    "attraj.formats.swe_agent",
    "attraj.formats.mini_swe_agent",
    "attraj.formats.react_web",
    "attraj.formats.unknown",
)
_PAGES = (
    "attraj.bundle.checks",
    "attraj.bundle.checks.pairs",
    "attraj.formats.atif",
    "attraj.formats.harbor",
    "attraj.formats.swe_agent",
    "attraj.formats.mini_swe_agent",
    "attraj.formats.react_web",
    "attraj.formats",
)


@cache
def all_rules() -> tuple[Rule, ...]:
    """Every rule of every format, by code."""
    found = {rule.code: rule for module in _RULES for rule in import_module(module).rules()}
    return tuple(found[code] for code in sorted(found))


@cache
def all_pages() -> dict[str, Page]:
    """Code to page."""
    return {page.code: page for package in _PAGES for page in pages_of(package)}


def explain(word: str) -> tuple[Rule, Page]:
    """The rule and the page that a code or a slug names.

    Raises:
        AttrajError: No rule is called that.
    """
    rule = next((r for r in all_rules() if word.upper() == r.code or word.lower() == r.slug), None)
    if rule is None:
        raise AttrajError(f"no code is called `{word}`", hint="attraj explain --all lists them")
    return rule, all_pages()[rule.code]
