"""Laws over folders that nobody would write: no check crashes, none repeats what it read, the order never varies."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from attraj.findings import Finding
from attraj.formats.harbor import recognise
from tests.formats.harbor.folders import TRIAL_NAME, Raw, base, build, checked, checked_job

SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-1, 3),
    st.sampled_from([10**400, 1e308, float("nan"), float("inf"), -0.0]),
    st.sampled_from(["", "reward", "trajectory.json", "../..", "2026-03-02T10:00:11Z", "9999-12-31T23:59:59Z", "\0"]),
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("ab"), inner, max_size=2)
)


def places(tree: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every path of keys and positions of a JSON value, but the root's."""
    members = tree.items() if type(tree) is dict else enumerate(tree) if type(tree) is list else ()
    for key, value in members:
        yield (*way, key)
        yield from places(value, (*way, key))


def replaced(tree: Any, way: tuple[Any, ...], value: Any) -> Any:
    if not way:
        return value
    copy = dict(tree) if type(tree) is dict else list(tree)
    copy[way[0]] = replaced(copy[way[0]], way[1:], value)
    return copy


@st.composite
def garbled(draw: st.DrawFn, name: str) -> dict[str, Any]:
    """A base folder with a few places of its JSON files replaced by anything, and one file lost or cut off."""
    files = base(name)
    for _ in range(draw(st.integers(1, 4))):
        path = draw(st.sampled_from(sorted(files)))
        if type(files[path]) is not dict:
            continue
        ways = list(places(files[path]))
        if ways:
            files[path] = replaced(files[path], draw(st.sampled_from(ways)), draw(VALUES))
    path = draw(st.sampled_from(sorted(files)))
    whole = json.dumps(files[path]).encode()
    fate = draw(st.sampled_from(["stays", "lost", "cut", "anything", "bytes"]))
    if fate == "lost":
        del files[path]
    elif fate == "cut":
        files[path] = Raw(whole[: len(whole) // 2])
    elif fate == "anything":
        files[path] = Raw(json.dumps(draw(VALUES)).encode())
    elif fate == "bytes":
        files[path] = Raw(draw(st.binary(max_size=8)))
    return files


RELAXED = settings(
    max_examples=60, deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
)


@RELAXED
@given(st.sampled_from(["trial", "segments", "steps"]).flatmap(garbled))
def test_no_trial_crashes_a_check_and_each_gives_the_same_twice(files: dict[str, Any]) -> None:
    with tempfile.TemporaryDirectory() as place:
        folder = build(Path(place) / TRIAL_NAME, files)
        recognise(folder)
        first, second = checked(folder), checked(folder)
        assert (first.findings, first.added) == (second.findings, second.added)


@RELAXED
@given(garbled("job"))
def test_no_job_crashes_a_check(files: dict[str, Any]) -> None:
    with tempfile.TemporaryDirectory() as place:
        folder = build(Path(place) / "demo", files)
        recognise(folder)
        checked_job(folder)


TOKEN = "zq" + "canary" + "77"


def marked(value: Any) -> Any:
    """The value with a token in every string but times, and behind every key that a check may not know."""
    if type(value) is str:
        return value if value[:4] == "2026" else value + TOKEN
    if type(value) is list:
        return [marked(item) for item in value]
    if type(value) is dict:
        return {key: marked(item) for key, item in value.items()}
    return value


@pytest.mark.parametrize("name", ["trial", "segments", "steps", "job"])
def test_no_message_repeats_what_was_read(name: str, tmp_path: Path) -> None:
    files: dict[str, Any] = {path: marked(content) for path, content in base(name).items()}
    result = files["result.json"]
    result["exception_info"] = {"exception_type": TOKEN, "exception_message": TOKEN}
    result["agent_info"] = {"name": TOKEN, "version": TOKEN}
    files["exit.txt"] = files["agent/trajectory." + TOKEN + ".json"] = TOKEN
    folder = build(tmp_path / TRIAL_NAME, files)
    found: list[Finding] = []
    notes: list[str] = []
    if name == "job":
        job, trials = checked_job(folder)
        found, notes = list(job.findings), [*job.notes]
    else:
        trials = [checked(folder)]
    for trial in trials:
        found += [*trial.findings, *(f for fs in trial.added.values() for f in fs)]
        notes += [*trial.notes, *trial.verdicts.values(), trial.version or ""]
    said = [text for f in found for text in (f.message, f.hint, *(r.message for r in f.related))] + notes
    assert found
    assert [] == [text for text in said if TOKEN in text]
