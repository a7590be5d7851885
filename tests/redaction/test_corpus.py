"""Corpus files with a secret planted in each of their string fields come back clean, and otherwise as they were."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from attraj.errors import Unreadable
from attraj.pointer import join
from attraj.redaction.leaves import Leaf, leaves
from attraj.redaction.policy import DROPPABLE, Policy
from attraj.redaction.run import redact_scope
from attraj.redaction.source import read_source
from tests.redaction.made_up import GITHUB, made_tools
from tests.support import CORPUS, needs_corpus

TOOLS = made_tools(seed=b"corpus")
MARKS = frozenset({"schema_version", "spec_version", "trajectory_format", "episode_version", "dataset_version"})
# Words that a format compares with: a token after one of them makes another document, not another text.
WORDS = frozenset(
    {"type", "role", "source", "kind", "status", "relation", "availability", "media_type", "profiles", "purposes"}
)


def files() -> Iterator[Path]:
    if CORPUS.is_dir():
        yield from sorted(p for p in CORPUS.rglob("*") if p.suffix in (".json", ".traj") and p.stat().st_size < 400_000)


def planted(tree: Any) -> Any:
    if isinstance(tree, dict):
        return {key: value if key in MARKS | WORDS else planted(value) for key, value in tree.items()}
    if isinstance(tree, list):
        return [planted(value) for value in tree]
    is_text = isinstance(tree, str) and tree != "unknown"  # of a right, that is a word as well
    return f"{tree} {GITHUB}" if is_text else tree


def replaced(tree: Any, old: str, new: str) -> Any:
    return json.loads(json.dumps(tree).replace(old, new))


def come_back_clean(path: Path) -> None:
    raw = path.read_bytes()
    try:
        tree = json.loads(raw)
        clean = redact_scope([read_source(path.name, raw)], TOOLS)
    except (ValueError, Unreadable):
        pytest.skip("no JSON document")
    assert [] == [(f.proof, f.detail) for f in clean.failures]
    source = read_source(path.name, json.dumps(planted(tree), indent=1).encode())
    done = redact_scope([source], TOOLS)
    assert [] == [(f.proof, f.pointer, f.detail) for f in done.failures]
    assert GITHUB.encode() not in done.outputs[0][1]
    if not clean.is_changed(0) and not source.parts[0].is_bundle:
        assert replaced(planted(tree), GITHUB, "<API_TOKEN_1>") == json.loads(done.outputs[0][1])


@needs_corpus
@pytest.mark.parametrize("path", list(files())[::40], ids=lambda path: str(path.relative_to(CORPUS)))
def test_a_sample_comes_back_clean(path: Path) -> None:
    come_back_clean(path)


STRICT = made_tools(
    Policy(
        personal="strict",
        drop=frozenset(DROPPABLE),
        media="drop",
        coarsen_time="hour",
        headers=frozenset({"content-type"}),
        clean_queries=True,
        retype_numbers=True,
    ),
    seed=b"strict",
)


@needs_corpus
@pytest.mark.parametrize(
    "path",
    [*list(files())[7::60], *(p for p in files() if "mini-swe-agent" in p.parts and p.read_bytes()[:1] == b"[")],
    ids=lambda path: str(path.relative_to(CORPUS)),
)
def test_a_sample_holds_under_a_policy_that_drops_all_it_can(path: Path) -> None:
    try:
        source = read_source(path.name, path.read_bytes())
    except Unreadable:
        pytest.skip("no JSON document")
    once = redact_scope([source], STRICT)
    assert [] == [(f.proof, f.pointer, f.detail) for f in once.failures]
    twice = redact_scope([read_source(*once.outputs[0])], STRICT)
    assert once.outputs == twice.outputs


FORMATS = ("atif", "bundle", "mini-swe-agent", "react-web", "swe-agent")
# A word that says how its record is meant is no text: with a secret in it the document is refused, never written.
REFUSED = frozenset({"/edges/N/relation", "/rights/details/training/purposes/N", "/nodes/N/payload/text/$at/status"})


def places_of(name: str) -> Iterator[tuple[Any, Leaf, str]]:
    """Each place at which a format has texts in the corpus, once: the document, the text, and the place."""
    seen: set[str] = set()
    for path in files():
        if name not in path.parts or path.stat().st_size > 40_000:
            continue
        try:
            tree = json.loads(path.read_bytes())
            read_source(path.name, path.read_bytes())
        except (ValueError, Unreadable):
            continue
        for leaf in list(leaves(tree)):
            place = re.sub(r"/[0-9]+", "/N", join(*leaf.keys))
            if not leaf.is_key and type(leaf.value) is str and place not in seen:
                seen.add(place)
                yield tree, leaf, place


def with_text(tree: Any, keys: Sequence[str | int], text: str) -> Any:
    made = copy.deepcopy(tree)
    place = made
    for key in keys[:-1]:
        place = place[key]
    place[keys[-1]] = text
    return made


def not_clean(tree: Any, leaf: Leaf, place: str, text: str) -> Iterator[tuple[str, str]]:
    done = redact_scope([read_source("x.json", json.dumps(with_text(tree, leaf.keys, text)).encode())], TOOLS)
    TOOLS.forget()
    if GITHUB.encode() in done.outputs[0][1] and not done.failures:
        yield place, "left"
    for failure in done.failures if place not in REFUSED else ():
        yield place, failure.detail


@needs_corpus
@pytest.mark.parametrize("name", FORMATS)
def test_a_secret_at_any_place_of_a_format_goes_and_leaves_a_valid_document(name: str) -> None:
    places = list(places_of(name))
    assert len(places) > 20
    found = [fault for tree, leaf, place in places[::7] for fault in not_clean(tree, leaf, place, GITHUB)]
    found += [
        fault for tree, leaf, place in places[3::7] for fault in not_clean(tree, leaf, place, f"{leaf.value} {GITHUB}")
    ]
    assert [] == found


@needs_corpus
@pytest.mark.slow
@pytest.mark.parametrize("name", FORMATS)
def test_a_secret_at_every_place_of_a_format_goes(name: str) -> None:
    for tree, leaf, place in places_of(name):
        for text in (GITHUB, f"{leaf.value} {GITHUB}"):
            assert [] == list(not_clean(tree, leaf, place, text))


@needs_corpus
@pytest.mark.slow
@pytest.mark.parametrize("path", list(files()), ids=lambda path: str(path.relative_to(CORPUS)))
def test_every_file_comes_back_clean(path: Path) -> None:
    come_back_clean(path)
