"""The manual of the codes, from the code itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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
    "attraj.secrets.codes",
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
    "attraj.secrets",
)


@cache
def all_rules() -> tuple[Rule, ...]:
    """Every rule of every format, by code."""
    found = {rule.code: rule for module in _RULES for rule in import_module(module).rules()}
    return tuple(found[code] for code in sorted(found))


class Manual(Mapping[str, Page]):
    """Code to page, the examples as a person reads them; each page is made ready when it is first asked for."""

    def __init__(self) -> None:
        self._written = {page.code: (page, package) for package in _PAGES for page in pages_of(package)}
        self._ready: dict[str, Page] = {}

    def __getitem__(self, code: str) -> Page:
        if code not in self._ready:
            from attraj.verbs.examples import readable  # not for a list of the codes

            self._ready[code] = readable(*self._written[code])
        return self._ready[code]

    def as_written(self, code: str) -> Page:
        """The page with its examples as patches."""
        return self._written[code][0]

    def __iter__(self) -> Iterator[str]:
        return iter(self._written)

    def __len__(self) -> int:
        return len(self._written)


@cache
def all_pages() -> Manual:
    """Every page, by code."""
    return Manual()


def explain(word: str) -> tuple[Rule, Page]:
    """The rule and the page that a code or a slug names.

    Raises:
        AttrajError: No rule is called that.
    """
    rule = next((r for r in all_rules() if word.upper() == r.code or word.lower() == r.slug), None)
    if rule is None:
        raise AttrajError(f"no code is called `{word}`", hint="attraj explain --all lists them")
    return rule, all_pages()[rule.code]
