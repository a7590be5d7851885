"""Every rule of mini-swe-agent trajectories has a page, and what the page calls bad and good is what the checks say."""

from __future__ import annotations

import json
from importlib import import_module

import pytest

from attraj.findings import Rule
from attraj.formats import Options
from attraj.formats.bytes_rules import byte_findings
from attraj.formats.mini_swe_agent import check, rules
from attraj.jsonio import MISSING, Document, parse
from attraj.limits import DEFAULT_LIMITS, Limits
from attraj.pages import Fragment, Page, pages_of
from tests.formats.mini_swe_agent.documents import FIRST, FULL, MINIMAL, PACKAGE, lines
from tests.support import base_document, patched

PAGES = {page.code: page for page in pages_of(PACKAGE)}
CASES = [
    pytest.param(page, fragment, id=f"{page.code}-{fragment.role}-{number}")
    for page in PAGES.values()
    for number, fragment in enumerate(page.fragments())
]


def document(fragment: Fragment) -> Document:
    if fragment.language == "text":
        limits = {word: int(value) for word, value in fragment.options.items() if word in Limits._fields}
        text = fragment.body.strip().encode("ascii").decode("unicode_escape")
        return parse(text.encode("latin-1"), DEFAULT_LIMITS._replace(**limits))
    base = base_document(PACKAGE, fragment.options.get("on", "minimal"))
    return parse(json.dumps(patched(base, json.loads(fragment.body))).encode())


@pytest.mark.parametrize(("page", "fragment"), CASES)
def test_a_fragment_is_what_its_page_says(page: Page, fragment: Fragment) -> None:
    given = document(fragment)
    found = [*byte_findings(given.faults, "MJ")]
    if given.tree is not MISSING:
        found.extend(check(given, Options()).findings)
    codes = {finding.code for finding in found}
    assert (page.code in codes) == (fragment.role == "bad"), sorted(codes)


@pytest.mark.parametrize("rule", rules(), ids=lambda rule: str(rule.code))
def test_every_rule_has_a_page_with_bad_and_good(rule: Rule) -> None:
    page = PAGES[rule.code]
    roles = {fragment.role for fragment in page.fragments()}
    wanted = ("What it checks", "Why it matters", "How to fix", "Source")
    stated = [page.section(title) != "" for title in wanted]
    assert (rule.slug, True, [True] * len(wanted)) == (page.slug, {"bad", "good"} <= roles, stated)


def test_the_rules_can_be_asked_for_again() -> None:
    assert rules() == import_module(PACKAGE).rules()


def test_no_page_is_without_a_rule() -> None:
    assert {rule.code for rule in rules()} == PAGES.keys()


def test_the_base_documents_are_clean_but_for_remarks() -> None:
    assert ([], [], ["MJ102 info /messages/11/output/0"]) == (lines(MINIMAL), lines(FIRST), lines(FULL))
