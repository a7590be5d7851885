"""Bundles of every room → ATIF: accepted by Harbor, with the steps that the maps ask for, nothing made up unsaid."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from attraj.bundle.model import Bundle
from attraj.formats.atif.write_documents import Composer
from attraj.formats.mapping.draft import Settings
from attraj.formats.mapping.fields import is_same, look_up
from attraj.formats.mapping.held import Ledger, settle
from attraj.formats.mapping.rooms import Wanted, reader
from attraj.jsonio import documents, parse
from attraj.jsonio.write import dumps
from attraj.verbs.convert import Request as ConvertRequest
from attraj.verbs.convert import convert
from attraj.verbs.validate import Request, validate
from tests.formats.atif.bundles import (
    composed,
    errors,
    sources_of,
    verdict,
)
from tests.support import CORPUS, needs_corpus

MARKS = {"swe-agent": b'"history"', "mini-swe-agent": b'"role"', "react-web": b'"type"', "atif": b'"ATIF-v'}
ROOMS = tuple(MARKS)


def corpus() -> list[Any]:
    found: list[Any] = []
    for room in ROOMS if CORPUS.is_dir() else ():
        for path in sorted((CORPUS / room).rglob("*")):
            if path.suffix in (".json", ".traj") and path.is_file() and MARKS[room] in path.read_bytes():
                found.append(pytest.param(room, path, id=f"{room}/{path.relative_to(CORPUS / room)}"))
    return found


def bundle_of(room: str, path: Path) -> Any:
    """The Bundle of the first document of a file; None when the file is of another format."""
    document = next(documents(path.read_bytes()), None)
    if document is None or validate(document, Request()).format != room:
        return None
    return reader(room).read(document, Settings(name=path.name)).finish()


@needs_corpus
@pytest.mark.parametrize(("room", "path"), corpus())
def test_what_is_written_of_the_corpus_is_accepted_by_harbor(room: str, path: Path) -> None:
    bundle = bundle_of(room, path)
    if bundle is None or not bundle["nodes"]:
        pytest.skip("no document of this room, or one without a step")
    before = dumps(bundle)
    trees, _ = composed(bundle)
    for tree in trees:
        assert verdict(tree) in ("accepted", "undecided")  # undecided: an image whose folder is not known
        assert verdict(tree, "harbor-0.18") in ("accepted", "undecided")
        assert errors(tree, "atif") == []
    again, _ = composed(bundle)
    assert dumps(again) == dumps(trees)
    assert dumps(bundle) == before
    document = next(documents(path.read_bytes()))
    proven = convert(document, path.name, ConvertRequest(to="atif", is_verified=True))
    assert proven.status in ("converted", "findings"), proven.reason
    old, _ = composed(bundle, "1.6")
    assert all(verdict(tree) in ("accepted", "undecided") for tree in old)


WORDS = {"ATIF-v1.7", "agent", "user", "system", "text", "image", True, "not an object", "null", "not recorded", None}


@needs_corpus
@pytest.mark.parametrize("room", ROOMS)
def test_what_neither_the_bundle_nor_a_loss_accounts_for_is_a_word_of_the_format(room: str) -> None:
    checked = 0
    for path in sorted((CORPUS / room).rglob("*")):
        bundle = bundle_of(room, path) if path.suffix in (".json", ".traj") and path.is_file() else None
        for one in Composer(Bundle(bundle), Ledger(), Wanted(), 7).documents() if bundle else ():
            found = settle(one.tree, Ledger())
            assert {look_up(found.tree, at) for at in found.words} <= WORDS, path.name
            checked += 1
    assert checked


# --- the oracles ------------------------------------------------------------------------------------------------


def oracle(room: str, name: str) -> Any:
    """The documents of one file of the corpus."""
    path = next((CORPUS / room).rglob(name))
    return composed(bundle_of(room, path))[0]


@needs_corpus
def test_the_asean_recording_is_a_task_and_four_turns() -> None:
    (tree,) = oracle("react-web", "ch1-asean-capitals-gpt5.json")
    assert [one.rstrip("+") for one in sources_of(tree)] == ["user", *["agent"] * 4]
    assert tree["extra"]["attraj"]["outcomes"][0]["authority_class"] == "unknown"


@needs_corpus
def test_attempts_are_documents_of_their_own_and_a_made_up_exit_is_a_system_step() -> None:
    first, second = oracle("swe-agent", "retry-score-two-attempts.traj")
    assert sources_of(first) == ["system", "user", "agent+", "agent+", "system"]
    assert sources_of(second) == ["system", "user", "agent+", "agent+", "agent+"]
    assert first["trajectory_id"] != second["trajectory_id"]
    assert first["steps"][-1]["extra"]["attraj"]["kind"] == "terminal"
    assert "subagent_trajectories" not in first


REPLY_BESIDE_EXIT = {"handmade-edge/v0.x-exit-format.traj"}  # the loop kept the last reply in the exit it made up


@needs_corpus
def test_steps_are_as_many_as_the_expectations_say() -> None:
    expected = json.loads((CORPUS / "swe-agent" / "EXPECTATIONS.json").read_text(encoding="utf-8"))["files"]
    checked = 0
    for name, facts in expected.items():
        classes: dict[str, int] = (facts.get("step_classes") if type(facts) is dict else None) or {}
        path = CORPUS / "swe-agent" / name
        bundle = bundle_of("swe-agent", path) if classes and path.is_file() else None
        if bundle is None or facts.get("attempts"):
            continue
        trees, _ = composed(bundle)
        if len(trees) > 1:
            continue
        found = Counter(one["source"] for one in trees[0]["steps"])
        turns = sum(count for kind, count in classes.items() if kind != "synthetic_exit")
        assert found["agent"] == turns + (name in REPLY_BESIDE_EXIT), name
        checked += 1
    assert checked > 25


@needs_corpus
def test_a_submitted_run_that_solved_nothing_is_no_success() -> None:
    path = next((CORPUS / "swe-agent").rglob("*pr_53856*.traj"))
    trees, _ = composed(bundle_of("swe-agent", path))
    (outcome,) = trees[0]["extra"]["attraj"]["outcomes"]
    assert (outcome["authority_class"], outcome["value"]) == ("agent_self_report", "submitted")
    assert "verifier_results" not in trees[0]["extra"]["attraj"]


@needs_corpus
def test_counts_of_a_local_counter_are_no_provider_s_counts() -> None:
    (tree,) = oracle("swe-agent", "fc-exit-cost-autosubmitted.traj")
    assert set(tree["final_metrics"]) == {"extra"}
    assert tree["final_metrics"]["extra"]["origin"] == "litellm counter"


@needs_corpus
def test_a_reply_that_was_lost_is_no_step_of_the_agent() -> None:
    (tree,) = oracle("mini-swe-agent", "*14369*.traj.json")
    lost = [one for one in tree["steps"] if one.get("extra", {}).get("attraj", {}).get("lost_reply")]
    assert lost
    assert {one["source"] for one in lost} == {"system"}


def react_files() -> list[Any]:
    folder = CORPUS / "react-web"
    paths = sorted(folder.rglob("*.json")) if folder.is_dir() else []
    return [pytest.param(path, id=path.stem) for path in paths if MARKS["react-web"] in path.read_bytes()]


@needs_corpus
@pytest.mark.parametrize("path", react_files())
def test_a_react_recording_comes_back_step_by_step(path: Path) -> None:
    document = next(documents(path.read_bytes()))
    report = validate(document, Request())
    if report.format != "react-web" or any(str(one.severity) == "error" for one in report.findings):
        pytest.skip("another format, or a file with an error of its own")
    there = convert(document, path.stem, ConvertRequest(to="atif", is_verified=True))
    back = convert(parse(there.outputs[0].text), path.stem, ConvertRequest(to="react-web"))
    assert is_same(parse(back.outputs[0].text).tree["steps"], document.tree["steps"])
