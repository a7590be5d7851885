"""Every rule of a Bundle has a page, and what the page calls bad and good is what the checks say."""

from __future__ import annotations

import json
from typing import Any

import pytest

from attraj.bundle.canonical import document_digest
from attraj.bundle.checks import datasets
from attraj.findings import Rule
from attraj.formats import Options, by_name, native
from attraj.formats.bytes_rules import byte_findings
from attraj.jsonio import Document, parse
from attraj.limits import DEFAULT_LIMITS, Limits
from attraj.pages import Fragment, Page, pages_of
from tests.support import base_document, patched

PACKAGE = "attraj.bundle.checks"
PAGES = {page.code: page for page in pages_of(PACKAGE)}
CASES = [
    pytest.param(page, fragment, id=f"{page.code}-{fragment.role}-{number}")
    for page in PAGES.values()
    for number, fragment in enumerate(page.fragments())
    if not any(f.role == "old" for f in page.fragments())
]


def limits(fragment: Fragment) -> Limits:
    """The limits that a fragment names: max_nodes=1."""
    named = {word: int(value) for word, value in fragment.options.items() if word in Limits._fields}
    return DEFAULT_LIMITS._replace(**named)


def document(fragment: Fragment) -> Document:
    """The document of a fragment: a patch on a base, or the text itself, whose escapes are those of a Python string."""
    if fragment.language == "text":
        text = fragment.body.strip().encode("ascii").decode("unicode_escape")
        return parse(text.encode("latin-1"), limits(fragment))
    tree = patched(base_document(PACKAGE, fragment.options.get("on", "minimal")), json.loads(fragment.body))
    if "seal" in fragment.options:
        tree["integrity"]["digest"] = document_digest(tree, fragment.options["seal"])
    return Document(b"", tree)


def codes(fragment: Fragment) -> set[str]:
    """Every code that is reported for a fragment."""
    options = Options(
        now=fragment.options.get("now", ""),
        purpose=fragment.options.get("purpose", ""),
        as_reference=fragment.options.get("schema") == "morphz-ref",
        limits=limits(fragment),
    )
    given = document(fragment)
    found = [*byte_findings(given.faults, "AT")]
    if given.is_readable:
        base = by_name(fragment.options.get("on", "bundle")) or by_name("bundle")
        assert base is not None
        found.extend(base.load().check(given, options).findings)
    return {finding.code for finding in found}


@pytest.mark.parametrize(("page", "fragment"), CASES)
def test_a_fragment_is_what_its_page_says(page: Page, fragment: Fragment) -> None:
    found = codes(fragment)
    assert (page.code in found) == (fragment.role == "bad"), sorted(found)


RULES = sorted({*native.rules(), datasets.AT831, datasets.AT835, datasets.AT837}, key=lambda rule: rule.code)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: str(rule.code))
def test_every_rule_has_a_page_with_bad_and_good(rule: Rule) -> None:
    page = PAGES[rule.code]
    roles = {fragment.role for fragment in page.fragments()}
    wanted = ("What it checks", "Why it matters", "How to fix", "Source")
    stated = [page.section(title) != "" for title in wanted]
    assert (rule.slug, True, [True] * len(wanted)) == (page.slug, {"bad", "good"} <= roles, stated)


@pytest.mark.parametrize("name", ["minimal", "full"])
def test_the_base_documents_are_clean_but_for_remarks(name: str) -> None:
    found: list[Any] = list(native.check(Document(b"", base_document(PACKAGE, name)), Options()).findings)
    assert {"AT412", "AT936"} >= {finding.code for finding in found}
