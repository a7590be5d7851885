"""The maps of the rooms for people say what reading does: no place without words, and none with wrong ones."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import attraj.formats.mapping
from attraj.bundle.vocabulary import NODE_KINDS
from attraj.formats import FORMATS, is_one
from attraj.formats.harbor import recognise
from attraj.formats.mapping.fields import Place
from attraj.formats.mapping.rooms import READABLE, reader
from attraj.formats.mapping.standing import words_of
from attraj.formats.mapping.table import base_of, directions, has_map, losses_of, rows_of
from attraj.jsonio import documents
from attraj.limits import DEFAULT_LIMITS
from attraj.verbs.convert import WRITABLE, Request, convert
from attraj.verbs.convert_trial import convert_trial
from tests.formats.mapping import loss_sources
from tests.support import CORPUS, REPOSITORY, needs_corpus

LOSSES = Path(attraj.formats.mapping.__file__).parent / "losses.json"
NAMES = [one.name for one in FORMATS if has_map(one.name)]


def table(name: str) -> dict[str, Place]:
    if name == "harbor":
        from attraj.formats.harbor.places import PLACES

        return dict(PLACES)
    return dict(reader(name).PLACES)


@pytest.mark.parametrize("name", NAMES)
def test_every_place_says_what_of_the_bundle_stands_for_it(name: str) -> None:
    assert [] == [place.name for place in table(name).values() if not words_of(name, place, base_of(place))]


ROWS = [
    pytest.param("atif", "model", "model_name", ("bindings.models", "id"), id="a-binding"),
    pytest.param("atif", "decision", "message", ("nodes: decision", "payload.content"), id="a-node"),
    pytest.param(
        *("atif", "trajectory", "final_metrics.total_steps", ("the Bundle", "scope.resources.observed.steps")),
        id="the-whole",
    ),
    pytest.param("react-web", "experiment", "experiment", ("bindings.tasks", "id"), id="of-another-name"),
    pytest.param("swe-agent", "ending", "exit_status", ("outcomes", "value"), id="another-collection"),
    pytest.param(
        *("swe-agent", "verdict in a report of SWE-bench or SWE-smith", "resolved"),
        ("verifier_results", "output.resolved"),
        id="a-report-beside-it",
    ),
    pytest.param("swe-agent", "query", "[…]", ("states", "view, or delta"), id="messages"),
]


@pytest.mark.parametrize(("name", "place", "member", "expected"), ROWS)
def test_a_row_says_where_a_member_stands(name: str, place: str, member: str, expected: tuple[str, str]) -> None:
    assert [expected] == [(row.record, row.core) for row in rows_of(name) if (row.place, row.member) == (place, member)]


@pytest.mark.parametrize("name", [one.name for one in FORMATS])
def test_directions_are_those_of_the_verb(name: str) -> None:
    assert (name in (*WRITABLE, "harbor"), name in WRITABLE) == directions(name)


# --- the words are true ------------------------------------------------------------------------------------------


def bundles() -> dict[str, list[Any]]:
    """Bundles of documents of every room, by the format of the document."""
    found: dict[str, list[Any]] = {}
    trials = [path for path in (REPOSITORY / "examples" / "harbor-job").iterdir() if recognise(path) == "trial"]
    for folder in (CORPUS / "atif" / "harbor-rig").rglob("*") if CORPUS.is_dir() else ():
        if folder.is_dir() and recognise(folder) == "trial":
            trials.append(folder)
    for trial in sorted(trials):
        for _, made in convert_trial(str(trial), trial.name, Request("bundle", is_lenient=True)):
            found.setdefault("harbor", []).extend(json.loads(output.text) for output in made.outputs)
    paths = [path for name in READABLE for path in sorted((CORPUS / name).rglob("*.*")) if CORPUS.is_dir()]
    for path in paths:
        if path.suffix in (".json", ".traj") and path.stat().st_size < 200_000:
            for one in list(documents(path.read_bytes(), DEFAULT_LIMITS, is_one))[:1]:
                made = convert(one, path.stem, Request("bundle"))
                name = made.report.format if made.report is not None else None
                found.setdefault(name or "", []).extend(json.loads(output.text) for output in made.outputs)
    return found


@needs_corpus
def test_records_stand_where_the_table_says() -> None:
    wrong = set()
    for of in bundles().values():
        for bundle in of:
            kinds = {node["node_id"]: node["kind"] for node in bundle["nodes"]}
            for source in bundle["extensions"].get("dev.attraj.source", {}).get("data", {}).get("artifacts", []):
                places = table(source["format"])
                for name, linked in source["links"].items():
                    words = words_of(source["format"], places[name], base_of(places[name]))
                    wrong |= {
                        (source["format"], name, it)
                        for one in linked
                        if not is_there(it := standing(one, places[name], kinds), words)
                    }
    assert set() == wrong


def standing(record: str, place: Place, kinds: dict[str, str]) -> str:
    if place.collection:
        return kinds.get(record, place.collection)
    return re.sub(r"\.[0-9]+$", "", record.removeprefix("/").replace("/", ".")) or "the Bundle"


def is_there(standing: str, words: str) -> bool:
    return words.endswith("…") or standing in re.split(r": |, | or ", words)


# --- losses ------------------------------------------------------------------------------------------------------


def test_the_losses_are_those_that_the_code_names(pytestconfig: pytest.Config) -> None:
    """What a conversion can lose is told before it is done: `pytest --accept` reads the code anew."""
    rows = {"*": loss_sources.of_all(), **{name: loss_sources.named(name) for name in loss_sources.ROOMS}}
    lines = [
        f' "{name}": [\n  ' + ",\n  ".join(json.dumps(one) for one in found) + "\n ]" for name, found in rows.items()
    ]
    expected = "{\n" + ",\n".join(lines) + "\n}\n"
    if pytestconfig.getoption("--accept") and expected != LOSSES.read_text(encoding="utf-8"):
        LOSSES.write_text(expected, encoding="utf-8")
        pytest.fail("accepted: read the diff, and run again")
    assert expected == LOSSES.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_losses_of_both_ways_are_told(name: str) -> None:
    stages = {row.stage for row in losses_of(name)}
    assert ({"read", "write"} if directions(name)[1] else {"read"}) == stages


@needs_corpus
def test_every_loss_of_a_conversion_is_one_that_was_told_before() -> None:
    told = {name: {(row.stage, row.code, row.handling) for row in losses_of(name)} for name in NAMES}
    for path in sorted((CORPUS / "swe-agent" / "handmade-edge").glob("*.traj")):
        for one in list(documents(path.read_bytes(), DEFAULT_LIMITS, is_one))[:1]:
            for target in ("atif", "react-web"):
                losses = {(loss.stage, loss.code, loss.handling) for loss in convert(one, "x", Request(target)).losses}
                known = {row for row in told["swe-agent"] if row[0] == "read"} | told[target]
                assert set() == {loss for loss in losses - known if loss[1] not in NODE_KINDS}
