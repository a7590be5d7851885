"""Every rule of Harbor's folders has a page, and what the page calls bad and good is what the checks say.

The fragments of one role make one folder: each changes one file of a base folder (`on=`, default: a trial).
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from attraj.findings import Rule
from attraj.formats.harbor import rules
from attraj.pages import Fragment, Page, pages_of
from tests.formats.harbor.folders import (
    PACKAGE,
    TRIAL_NAME,
    Link,
    base,
    build,
    checked,
    checked_job,
    put,
)
from tests.support import patched

PAGES = {page.code: page for page in pages_of(PACKAGE)}


def change(folder: Path, fragment: Fragment) -> None:
    if "link" in fragment.options:
        put(folder / fragment.options["link"], Link(fragment.body.strip()))
        return
    place = folder / fragment.options["file"]
    if fragment.language == "text":
        put(place, fragment.body)
        return
    patch = json.loads(fragment.body)
    before = json.loads(place.read_text(encoding="utf-8")) if place.is_file() and patch is not None else {}
    put(place, None if patch is None else patched(before, patch))


def codes(tmp_path: Path, page: Page, role: str) -> set[str]:
    fragments = [fragment for fragment in page.fragments() if fragment.role == role]
    on = fragments[0].options.get("on", "trial")
    folder = build(tmp_path / TRIAL_NAME, base(on))
    for fragment in fragments:
        change(folder, fragment)
    if on == "job":
        job, trials = checked_job(folder)
        found = [*job.findings, *(f for trial in trials for f in trial.findings)]
        return {finding.code for finding in found}
    trial = checked(folder)
    return {f.code for f in (*trial.findings, *(f for fs in trial.added.values() for f in fs))}


@pytest.mark.parametrize("page", PAGES.values(), ids=lambda page: str(page.code))
def test_the_bad_folder_of_a_page_has_its_fault_and_the_good_one_has_not(page: Page, tmp_path: Path) -> None:
    assert page.code in codes(tmp_path / "bad", page, "bad")
    assert page.code not in codes(tmp_path / "good", page, "good")


@pytest.mark.parametrize("rule", rules(), ids=lambda rule: str(rule.code))
def test_every_rule_has_a_page_with_bad_and_good(rule: Rule) -> None:
    page = PAGES[rule.code]
    roles = {fragment.role for fragment in page.fragments()}
    wanted = ("What it checks", "Why it matters", "How to fix", "Source")
    stated = [page.section(title) != "" for title in wanted]
    assert (rule.slug, True, [True] * len(wanted)) == (page.slug, {"bad", "good"} <= roles, stated)


@pytest.mark.parametrize("name", ["trial", "segments", "steps"])
def test_the_base_folders_are_clean(name: str, tmp_path: Path) -> None:
    trial = checked(build(tmp_path / TRIAL_NAME, base(name)))
    assert (trial.findings, trial.added) == ((), {})


def test_the_base_job_is_clean(tmp_path: Path) -> None:
    job, trials = checked_job(build(tmp_path / "demo", base("job")))
    assert (job.findings, [trial.findings for trial in trials]) == ((), [()])
