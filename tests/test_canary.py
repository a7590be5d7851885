"""No output repeats a value, an identifier or a free-form name of a document (DESIGN.md, law 10).

A token is planted in every string value and as a member of every object of every example and of corpus files of every
kind; it must appear in no form of any command's output.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from attraj.cli import run
from tests.support import CORPUS, REPOSITORY

TOKEN = "".join(["zq7", "Canary", "41x"])
# Members whose exact value is what a document is recognised by: the token is planted beside them.
MARKS = frozenset({"schema_version", "spec_version", "trajectory_format", "episode_version", "dataset_version"})
FORMS = ("text", "json", "jsonl", "sarif", "junit", "github")


def appended(tree: Any) -> Any:
    """The tree with the token at the end of every string value but the marks."""
    if isinstance(tree, dict):
        return {key: value if key in MARKS else appended(value) for key, value in tree.items()}
    if isinstance(tree, list):
        return [appended(value) for value in tree]
    return tree + TOKEN if isinstance(tree, str) else tree


def replaced(tree: Any) -> Any:
    """The tree with the token in place of every string value but the marks."""
    if isinstance(tree, dict):
        return {key: value if key in MARKS else replaced(value) for key, value in tree.items()}
    if isinstance(tree, list):
        return [replaced(value) for value in tree]
    return TOKEN if isinstance(tree, str) else tree


def with_members(tree: Any) -> Any:
    """The tree with a member called like the token in every object, which holds what no member may hold."""
    if isinstance(tree, dict):
        return {**{key: with_members(value) for key, value in tree.items()}, TOKEN: {TOKEN: [None, 1e999]}}
    return [with_members(value) for value in tree] if isinstance(tree, list) else tree


def renamed(tree: Any) -> Any:
    """The tree with every member below the second level called like the token, told apart by numbers."""
    if isinstance(tree, dict):
        return {f"{TOKEN}{number}": renamed(value) for number, value in enumerate(tree.values())}
    return [renamed(value) for value in tree] if isinstance(tree, list) else tree


def inner_renamed(tree: Any) -> Any:
    """The top level as it is, and what is below it with renamed members."""
    return {key: renamed(value) for key, value in tree.items()} if isinstance(tree, dict) else tree


PLANTS = (appended, replaced, with_members, inner_renamed)


def documents() -> Iterator[Path]:
    yield from sorted((REPOSITORY / "examples").rglob("*.json"))
    yield from sorted((REPOSITORY / "src").rglob("pages/*.json"))
    if CORPUS.is_dir():
        for folder in ("bundle", "atif/arize-phoenix", "atif/fast-agent", "swe-agent/handmade-edge"):
            yield from sorted(p for p in (CORPUS / folder).rglob("*") if p.suffix in (".json", ".traj"))
        yield from sorted((CORPUS / "mini-swe-agent" / "upstream-tests").rglob("*.json"))
        yield from sorted((CORPUS / "react-web" / "handmade-edge").rglob("*.json"))


def trees() -> Iterator[Any]:
    for path in documents():
        try:
            tree = json.loads(path.read_bytes())
        except ValueError:
            continue
        yield pytest.param(tree, id=str(path.relative_to(REPOSITORY.parent)))


@pytest.mark.parametrize("plant", PLANTS, ids=lambda plant: str(plant.__name__))
@pytest.mark.parametrize("tree", list(trees()))
def test_a_planted_token_appears_in_no_output(
    tree: Any, plant: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "planted.json"
    path.write_text(json.dumps(plant(tree)), encoding="utf-8")
    for form in FORMS:
        code = run(["validate", "--no-config", "--show-all", "--verbose", "--format", form, str(path)])
        out, err = capsys.readouterr()
        assert (True, False) == (code in (0, 1, 2, 3), TOKEN in out or TOKEN in err), (form, code, err[-1000:])


def test_a_planted_token_of_a_harbor_job_appears_in_no_output(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = REPOSITORY / "examples" / "harbor-job"
    for plant in PLANTS:
        job = tmp_path / plant.__name__
        for path in sorted(source.rglob("*")):
            target = job / path.relative_to(source)
            if path.is_dir():
                target.mkdir(parents=True, exist_ok=True)
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            try:
                target.write_text(json.dumps(plant(json.loads(path.read_text("utf-8")))), encoding="utf-8")
            except ValueError:
                target.write_text(path.read_text("utf-8") + TOKEN, encoding="utf-8")
        for form in FORMS:
            code = run(["validate", "--no-config", "--show-all", "--verbose", "--format", form, str(job)])
            out, err = capsys.readouterr()
            assert (True, False) == (code in (0, 1, 2, 3), TOKEN in out + err), (plant.__name__, form)
