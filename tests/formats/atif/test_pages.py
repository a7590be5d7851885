"""Every rule of ATIF has a page, and what the page calls bad and good is what the checks say."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from attraj.findings import Rule
from attraj.formats import Options, atif
from attraj.formats.bytes_rules import byte_findings
from attraj.jsonio import Document, parse
from attraj.limits import DEFAULT_LIMITS, Limits
from attraj.pages import Fragment, Page, pages_of
from tests.support import base_document, patched

PACKAGE = "attraj.formats.atif"
PAGES = {page.code: page for page in pages_of(PACKAGE)}
CASES = [
    pytest.param(page, fragment, id=f"{page.code}-{fragment.role}-{number}")
    for page in PAGES.values()
    for number, fragment in enumerate(page.fragments())
]


def document(fragment: Fragment) -> Document:
    """The document of a fragment: a patch on a base, or the text itself, with the escapes of a Python string."""
    named = {word: int(value) for word, value in fragment.options.items() if word in Limits._fields}
    if fragment.language == "text":
        text = fragment.body.strip().encode("ascii").decode("unicode_escape")
        return parse(text.encode("latin-1"), DEFAULT_LIMITS._replace(**named))
    tree = patched(base_document(PACKAGE, fragment.options.get("on", "minimal")), json.loads(fragment.body))
    return Document(b"", tree)


def codes(fragment: Fragment, folder: str) -> set[str]:
    """Every code that is reported for a fragment."""
    given = document(fragment)
    checked = atif.check(given, Options(folder=folder if "folder" in fragment.options else ""))
    return {finding.code for finding in (*byte_findings(given.faults, "ATIF"), *checked.findings)}


@pytest.mark.parametrize(("page", "fragment"), CASES)
def test_a_fragment_is_what_its_page_says(page: Page, fragment: Fragment, tmp_path: Path) -> None:
    found = codes(fragment, str(tmp_path))
    assert (page.code in found) == (fragment.role == "bad"), sorted(found)


@pytest.mark.parametrize("rule", atif.rules(), ids=lambda rule: str(rule.code))
def test_every_rule_has_a_page_with_bad_and_good(rule: Rule) -> None:
    page = PAGES[rule.code]
    roles = {fragment.role for fragment in page.fragments()}
    wanted = ("What it checks", "Why it matters", "How to fix", "Source")
    stated = [page.section(title) != "" for title in wanted]
    assert (rule.slug, True, [True] * len(wanted)) == (page.slug, {"bad", "good"} <= roles, stated)


def test_no_page_is_of_an_unknown_rule() -> None:
    assert {rule.code for rule in atif.rules()} == set(PAGES)


@pytest.mark.parametrize("name", ["minimal", "full"])
def test_the_base_documents_are_clean(name: str) -> None:
    checked = atif.check(Document(b"", base_document(PACKAGE, name)), Options())
    assert ([], "accepted") == (list(checked.findings), checked.verdicts["harbor-0.26"])
