"""Every rule of SWE-agent files and folders has a page, and what the page calls bad and good is what the checks say.

The fragments of a folder's page each change one file of a base folder (`on=`, default: a batch of 1.x).
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from attraj.findings import Rule
from attraj.formats.swe_agent import rules
from attraj.pages import Fragment, Page, pages_of
from tests.formats.swe_agent.files import PACKAGE, at, base, build, changed, checked_run, codes_of_bytes, put
from tests.support import patched

PAGES = {page.code: page for page in pages_of(PACKAGE)}
CASES = [
    pytest.param(page, fragment, id=f"{page.code}-{fragment.role}-{number}")
    for page in PAGES.values()
    for number, fragment in enumerate(page.fragments())
]


def raw(fragment: Fragment) -> bytes:
    """The bytes of a fragment: text with the escapes of a Python string, or a patch on a base document."""
    if fragment.language == "text":
        return fragment.body.strip().encode("ascii").decode("unicode_escape").encode("latin-1")
    return json.dumps(changed(fragment.options.get("on", "minimal"), json.loads(fragment.body))).encode()


def change(folder: Path, fragment: Fragment) -> None:
    if "link" in fragment.options:
        (folder / fragment.options["link"]).symlink_to(fragment.body.strip())
        return
    place = folder / fragment.options["file"]
    if fragment.language == "text":
        put(place, fragment.body)
        return
    patch = json.loads(fragment.body)
    before = json.loads(place.read_text(encoding="utf-8")) if place.is_file() else {}
    put(place, None if patch is None else patched(before, patch))


def codes(fragment: Fragment, tmp_path: Path) -> set[str]:
    if not {"file", "link"} & fragment.options.keys():
        return codes_of_bytes(raw(fragment))
    folder = build(tmp_path / "run1", base(fragment.options.get("on", "run")))
    change(folder, fragment)
    return {code for code, _ in at(checked_run(folder).findings)}


@pytest.mark.parametrize(("page", "fragment"), CASES)
def test_a_fragment_is_what_its_page_says(page: Page, fragment: Fragment, tmp_path: Path) -> None:
    found = codes(fragment, tmp_path)
    assert (page.code in found) == (fragment.role == "bad"), sorted(found)


@pytest.mark.parametrize("rule", rules(), ids=lambda rule: str(rule.code))
def test_every_rule_has_a_page_with_bad_and_good(rule: Rule) -> None:
    page = PAGES[rule.code]
    roles = {fragment.role for fragment in page.fragments()}
    wanted = ("What it checks", "Why it matters", "How to fix", "Source")
    stated = [page.section(title) != "" for title in wanted]
    assert (rule.slug, True, [True] * len(wanted)) == (page.slug, {"bad", "good"} <= roles, stated)


def test_no_page_is_left_over() -> None:
    assert [rule.code for rule in rules()] == list(PAGES)


@pytest.mark.parametrize(
    ("name", "remarks"),
    [("minimal", set()), ("full", {"TJ030"}), ("old", {"TJ010"}), ("retry", {"TJ031"})],
)
def test_the_base_documents_are_clean_but_for_remarks(name: str, remarks: set[str]) -> None:
    assert remarks == codes_of_bytes(json.dumps(base(name)).encode())


@pytest.mark.parametrize(("name", "remarks"), [("run", []), ("old_run", []), ("retry_run", ["TJ110"])])
def test_the_base_folders_are_clean_but_for_remarks(name: str, remarks: list[str], tmp_path: Path) -> None:
    checked = checked_run(build(tmp_path / "run1", base(name)))
    assert remarks == [code for code, _ in at(checked.findings)]
    assert {"swe-agent-run": "finished"} == checked.verdicts
