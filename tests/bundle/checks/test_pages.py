"""Every rule of a Bundle has a page, and what the page calls bad and good is what the checks say."""

from __future__ import annotations

import json
from typing import Any

import pytest

from attraj.bundle.canonical import document_digest
from attraj.bundle.checks import datasets, runner
from attraj.bundle.checks.check import Asked
from attraj.bundle.model import Bundle
from attraj.pages import Fragment, Page, pages_of
from tests.support import base_document, patched

PACKAGE = "attraj.bundle.checks"
PAGES = {page.code: page for page in pages_of(PACKAGE)}
CASES = [
    pytest.param(page, fragment, id=f"{page.code}-{fragment.role}-{number}")
    for page in PAGES.values()
    for number, fragment in enumerate(page.fragments())
    if fragment.language == "json" and not any(f.role == "old" for f in page.fragments())
]


def document(fragment: Fragment) -> Any:
    tree = patched(base_document(PACKAGE, fragment.options.get("on", "minimal")), json.loads(fragment.body))
    if "seal" in fragment.options:
        tree["integrity"]["digest"] = document_digest(tree, fragment.options["seal"])
    return tree


@pytest.mark.parametrize(("page", "fragment"), CASES)
def test_a_fragment_is_what_its_page_says(page: Page, fragment: Fragment) -> None:
    asked = Asked(
        now=fragment.options.get("now", ""),
        purpose=fragment.options.get("purpose", ""),
        as_reference=fragment.options.get("schema") == "morphz-ref",
    )
    kind, tree = fragment.options.get("on", ""), document(fragment)
    if kind in (datasets.EPISODE, datasets.DATASET):
        findings = datasets.check(kind, tree, b"", asked)
    else:
        findings = runner.run(Bundle(tree), asked)
    codes = {finding.code for finding in findings}
    assert (page.code in codes) == (fragment.role == "bad"), sorted(codes)


RULES = [*runner.rules(), datasets.AT831, datasets.AT835, datasets.AT837]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: str(rule.code))
def test_every_rule_has_a_page_with_bad_and_good(rule: Any) -> None:
    page = PAGES[rule.code]
    roles = {fragment.role for fragment in page.fragments()}
    wanted = ("What it checks", "Why it matters", "How to fix", "Source")
    stated = [page.section(title) != "" for title in wanted]
    assert (rule.slug, True, [True] * len(wanted)) == (page.slug, {"bad", "good"} <= roles, stated)
