"""The rules of a document whose format cannot be told have pages, and the pages are true."""

from __future__ import annotations

import pytest

from attraj.formats import is_one, unknown
from attraj.formats.bytes_rules import byte_findings
from attraj.jsonio import documents
from attraj.limits import DEFAULT_LIMITS, Limits
from attraj.pages import Fragment, Page, pages_of

PAGES = {page.code: page for page in pages_of("attraj.formats")}
CASES = [
    pytest.param(page, fragment, id=f"{page.code}-{fragment.role}")
    for page in PAGES.values()
    for fragment in page.fragments()
]


def limits(fragment: Fragment) -> Limits:
    return DEFAULT_LIMITS._replace(**{name: int(value) for name, value in fragment.options.items()})


@pytest.mark.parametrize(("page", "fragment"), CASES)
def test_a_fragment_is_what_its_page_says(page: Page, fragment: Fragment) -> None:
    raw = fragment.body.strip().encode("ascii").decode("unicode_escape").encode("latin-1")
    found = documents(raw, limits(fragment), is_one)
    codes = {finding.code for document in found for finding in byte_findings(document.faults, "JSON")}
    assert (page.code in codes) == (fragment.role == "bad"), sorted(codes)


def test_every_rule_has_a_page() -> None:
    assert {rule.code: rule.slug for rule in unknown.rules()} == {page.code: page.slug for page in PAGES.values()}
