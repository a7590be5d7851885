"""Every rule of a pair has a page, and what the page calls bad and good is what the checks say."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from attraj.bundle.checks.pairs import check_pair, rules
from attraj.bundle.model import Bundle
from attraj.pages import Fragment, Page, pages_of
from tests.support import base_document, patched

PAGES = {page.code: page for page in pages_of("attraj.bundle.checks.pairs")}
CASES = [
    pytest.param(page, fragment, id=f"{page.code}-{fragment.role}-{number}")
    for page in PAGES.values()
    for number, fragment in enumerate(page.fragments())
    if fragment.role != "old"
]


def document(fragment: Fragment) -> Any:
    base = base_document("attraj.bundle.checks", fragment.options.get("on", "minimal"))
    return patched(base, json.loads(fragment.body))


@pytest.mark.parametrize(("page", "fragment"), CASES)
def test_a_fragment_is_what_its_page_says(page: Page, fragment: Fragment) -> None:
    old = document(next(f for f in page.fragments() if f.role == "old"))
    new = document(fragment)
    before = copy.deepcopy((new, old))
    codes = [f.code for f in check_pair(Bundle(new), Bundle(old), fragment.options.get("relation", "derive"))]
    assert (page.code in codes) == (fragment.role == "bad"), codes
    assert (new, old) == before


@pytest.mark.parametrize("rule", rules(), ids=lambda rule: str(rule.code))
def test_every_rule_has_a_page_with_old_bad_and_good(rule: Any) -> None:
    page = PAGES[rule.code]
    roles = {fragment.role for fragment in page.fragments()}
    stated = [page.section(title) != "" for title in ("What it checks", "Why it matters", "How to fix", "Source")]
    assert (page.slug, roles, stated) == (rule.slug, {"old", "bad", "good"}, [True] * 4)


def test_the_rules_are_those_of_the_pages() -> None:
    assert [rule.code for rule in rules()] == sorted(PAGES)
