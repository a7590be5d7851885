"""Every ATIF file of the corpus: recognised, with Harbor's verdict, and without findings that make no sense."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from attraj.formats import Checked, Options, atif, detect
from attraj.jsonio import documents
from tests.support import CORPUS, needs_corpus

FOLDER = CORPUS / "atif"

# All findings over the files of each folder, looked at one by one. ATIF003 is Harbor's copilot converter (`extra` on a
# result under 1.6), 022 its codex and 030 its terminus-2; 020 and 023 are files that their publishers renamed or left
# out; 014 to 016 and 116 are results and names that were lost on the way; 027 as a warning are turns cut off by time.
FINDINGS = {
    "agentpile": {},
    "arize-phoenix": {
        "ATIF015 info": 6,
        "ATIF020 warning": 6,
        "ATIF023 warning": 1,
        "ATIF027 info": 2,
        "ATIF027 warning": 1,
        "ATIF117 warning": 1,
    },
    "atif-scan": {"ATIF005 error": 2, "ATIF015 warning": 1},
    "fast-agent": {"ATIF027 info": 1},
    "harbor-0.1.31-fork-Xelron": {
        "ATIF015 info": 6,
        "ATIF020 warning": 6,
        "ATIF023 warning": 1,
        "ATIF027 info": 2,
        "ATIF027 warning": 1,
    },
    "harbor-atif2otel": {},
    "harbor-converted": {
        "ATIF003 error": 2,
        "ATIF014 error": 4,
        "ATIF015 info": 6,
        "ATIF015 warning": 16,
        "ATIF022 warning": 5,
        "ATIF027 warning": 2,
        "ATIF112 warning": 8,
        "ATIF113 warning": 1,
        "ATIF116 warning": 6,
        "ATIF117 warning": 2,
    },
    "harbor-rig": {"ATIF015 info": 16, "ATIF027 info": 6, "ATIF030 warning": 8},
    "inspect-scout": {
        "ATIF015 info": 1,
        "ATIF020 warning": 3,
        "ATIF023 warning": 1,
        "ATIF027 info": 1,
        "ATIF030 warning": 1,
    },
    "letta-trajectory": {"ATIF012 error": 1, "ATIF020 warning": 1, "ATIF022 warning": 1, "ATIF025 error": 2},
    "nvidia-nat": {},
    "openagents": {"ATIF112 warning": 2},
    "superpowers-evals": {"ATIF009 error": 6, "ATIF015 info": 1, "ATIF028 warning": 6},
}

_VERSION = re.compile(r"v1\.\d")
_STEPS = re.compile(r"\d+")


def table() -> list[tuple[str, str, int, str]]:
    """The files that SOURCES.md calls ATIF: path, version, number of steps, verdict of Harbor 0.26 (PASS or FAIL)."""
    rows = []
    for line in (FOLDER / "SOURCES.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split(" | ")] if line.startswith("| ") else []
        version = next((i for i, cell in enumerate(cells) if _VERSION.fullmatch(cell)), None)
        if version is None or not (FOLDER / cells[0]).is_file():
            continue
        steps = next(cell for cell in cells[version + 1 :] if _STEPS.fullmatch(cell))
        verdict = "FAIL" if any(cell.startswith("FAIL") for cell in cells) else "PASS"
        rows.append((cells[0], f"ATIF-{cells[version]}", int(steps), verdict))
    return rows


def others() -> list[str]:
    """The JSON files that SOURCES.md names and does not call ATIF, but for packs of several trajectories."""
    text = (FOLDER / "SOURCES.md").read_text(encoding="utf-8")
    named = [line.split(" | ")[0].lstrip("| ") for line in text.splitlines() if " | - | - | - | " in line]
    packs = ("agentpile/atif_two.jsonl", "arize-phoenix/subagent_trajectories.json")
    return [name for name in named if name not in packs and (FOLDER / name).is_file()]


def checked(path: Path) -> list[Checked]:
    """The result for each ATIF document of a file."""
    found = []
    for document in documents(path.read_bytes()):
        known = detect(document.tree)
        if known is not None and known.name == "atif":
            document.path = str(path)
            found.append(atif.check(document, Options(folder=str(path.parent))))
    return found


@needs_corpus
@pytest.mark.parametrize(("name", "version", "steps", "verdict"), table() if FOLDER.is_dir() else [])
def test_a_file_is_what_the_table_says(name: str, version: str, steps: int, verdict: str) -> None:
    path = FOLDER / name
    [document] = documents(path.read_bytes())
    [result] = checked(path)
    word = "accepted" if verdict == "PASS" else "rejected"
    assert (version, steps, word) == (result.version, len(document.tree["steps"]), result.verdicts["harbor-0.26"])


@needs_corpus
@pytest.mark.parametrize("name", others() if FOLDER.is_dir() else [])
def test_a_file_of_another_kind_is_not_recognised(name: str) -> None:
    assert [] == checked(FOLDER / name)


@needs_corpus
@pytest.mark.parametrize("folder", FINDINGS)
def test_the_findings_are_the_ones_that_were_looked_at(folder: str) -> None:
    files = sorted(p for p in (FOLDER / folder).rglob("*") if p.suffix in (".json", ".jsonl"))
    found = Counter(f"{f.code} {f.severity}" for path in files for result in checked(path) for f in result.findings)
    assert FINDINGS[folder] == dict(sorted(found.items()))


@needs_corpus
def test_harbor_accepts_what_harbor_wrote() -> None:
    files = sorted((FOLDER / "harbor-rig").rglob("trajectory*.json"))
    words = Counter(tuple(result.verdicts.values()) for path in files for result in checked(path))
    assert {("accepted", "accepted"), ("rejected", "accepted")} == set(words)  # 0.18 does not know ATIF-v1.8
