"""Every code has a page, every page a code, and both can be named by code or slug."""

from __future__ import annotations

import pytest

from attraj.errors import AttrajError
from attraj.verbs.explain import all_pages, all_rules, explain


def test_rules_and_pages_are_the_same_codes_and_slugs() -> None:
    assert {rule.code: rule.slug for rule in all_rules()} == {page.code: page.slug for page in all_pages().values()}


def test_a_code_and_its_slug_lead_to_the_same_page() -> None:
    assert explain("at301")[1] == explain("cycle")[1]


def test_a_word_that_is_no_code_is_an_error_of_the_caller() -> None:
    with pytest.raises(AttrajError):
        explain("AT999")


@pytest.mark.parametrize("page", all_pages().values(), ids=lambda page: page.code)
def test_a_page_has_all_its_parts(page: object) -> None:
    from attraj.pages import Page

    assert isinstance(page, Page)
    parts = ("What it checks", "Why it matters", "How to fix", "Source")
    assert [] == [part for part in parts if not page.section(part)]
    written = all_pages().as_written(page.code)
    assert {"bad", "good"} <= {fragment.role for fragment in written.fragments()}
