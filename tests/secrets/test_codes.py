"""Every type has a code, every code a page, and what a page calls bad and good is what the detector says.

The fragments are generator patterns; `b64=` encodes, `pack=` looks with a pack of one's own, `tiny=` with no budget.
"""

from __future__ import annotations

import base64
import random
from pathlib import Path

import pytest

from attraj.findings import Rule
from attraj.pages import Fragment, Page, pages_of
from attraj.secrets.codes import MEDIA, UNSCANNED, code_of, rules
from attraj.secrets.detector import Detector
from attraj.secrets.policy import DetectionPolicy
from attraj.secrets.spans import TYPES
from tests.secrets.made import made

PAGES = {page.code: page for page in pages_of("attraj.secrets")}
CASES = [
    pytest.param(page, fragment, id=f"{page.code}-{fragment.role}")
    for page in PAGES.values()
    for fragment in page.fragments()
]
HOUSE = """
[pack]
id = "house"
version = "1"
spec = 1
[[rule]]
id = "tide"
type = "CUSTOM"
anchors = ["tide-"]
pattern = "tide-([a-z0-9]{12})"
require = ["varied"]
make = ["tide-[a-z0-9]{12}"]
not = ["tide-x{12}"]
"""


def codes(body: str, tmp_path: Path) -> set[str]:
    option, _, rest = body.partition("=")
    policy = DetectionPolicy()
    if option == "pack":
        (tmp_path / "house.toml").write_text(HOUSE)
        policy = DetectionPolicy(packs=(str(tmp_path / "house.toml"),))
    if option == "tiny":
        policy = DetectionPolicy(work_per_text=-(1 << 20))
    text = made(rest if option in ("b64", "pack", "tiny") else body, random.Random(5))
    if option == "b64":
        text = base64.b64encode(text.encode()).decode()
    found = Detector(policy).scan_text(text)
    said = {code_of(span.type).code for span in found.spans}
    return said | ({UNSCANNED.code} if found.unscanned else set()) | ({MEDIA.code} if found.media else set())


@pytest.mark.parametrize(("page", "fragment"), CASES)
def test_a_fragment_is_what_its_page_says(page: Page, fragment: Fragment, tmp_path: Path) -> None:
    found = codes(fragment.body.rstrip("\n"), tmp_path)
    assert (page.code in found) == (fragment.role == "bad"), sorted(found)


@pytest.mark.parametrize("rule", rules(), ids=lambda rule: str(rule.code))
def test_every_code_has_a_page_with_bad_and_good(rule: Rule) -> None:
    page = PAGES[rule.code]
    wanted = ("What it checks", "Why it matters", "How to fix", "Source")
    roles = [fragment.role for fragment in page.fragments()]
    assert (rule.slug, ["bad", "good"], [True] * 4) == (page.slug, roles, [page.section(t) != "" for t in wanted])


def test_every_type_has_a_code_of_its_name() -> None:
    assert [f"SEC-{kind}" for kind in TYPES] == [code_of(kind).code for kind in TYPES]
    assert len({rule.slug for rule in rules()}) == len(rules())
