"""The inputs of the measurements: the same seed gives the same bytes, and a document is what it claims to be."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from benchmarks.generate.atif import Flavour, Size, Trajectory
from benchmarks.generate.bundle import write_bundle
from benchmarks.generate.encode import ArrayWriter, encoded
from benchmarks.generate.faults import FAULTS, broken
from benchmarks.generate.folders import write_job, write_many, write_trajs
from benchmarks.generate.traj import write_traj

from attraj.batch.discover import discover
from attraj.batch.run import run
from attraj.bundle.vocabulary import NODE_KINDS, RELATIONS
from attraj.findings import DocumentReport, Severity
from attraj.jsonio import Document
from attraj.verbs.validate import Request, validate


def trajectory(flavour: Flavour = "plain", *, seed: str = "1", steps: int = 60) -> bytes:
    out = io.BytesIO()
    Trajectory(seed, flavour).write(out, Size(steps=steps))
    return out.getvalue()


def bundle(*, seed: str = "1", nodes: int = 1500) -> bytes:
    out = io.BytesIO()
    write_bundle(out, seed, nodes)
    return out.getvalue()


def checked(raw: bytes) -> DocumentReport:
    return validate(Document(raw, json.loads(raw)))


def codes(report: DocumentReport, at_least: Severity) -> list[tuple[str, str]]:
    return [(f.code, f.location.pointer) for f in report.findings if f.severity >= at_least]


def contents(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file()}


@pytest.mark.parametrize("flavour", ["plain", "tokens", "floats"])
def test_a_trajectory_is_clean(flavour: Flavour) -> None:
    report = checked(trajectory(flavour))

    assert ("clean", "ATIF-v1.7") == (report.status, report.format_version)


@pytest.mark.parametrize("flavour", ["plain", "tokens", "floats"])
def test_the_same_seed_gives_the_same_trajectory(flavour: Flavour) -> None:
    assert trajectory(flavour) == trajectory(flavour)
    assert trajectory(flavour) != trajectory(flavour, seed="2")


def test_a_trajectory_reaches_its_size_and_stops() -> None:
    out = io.BytesIO()
    Trajectory("1").write(out, Size(n_bytes=200_000))

    assert 200_000 <= len(out.getvalue()) < 240_000


def test_the_texts_hold_what_agents_write() -> None:
    text = trajectory(steps=200).decode()

    assert [] == [
        mark for mark in ("\\u001b[3", "\\t", "\\n", '\\"', "\\\\", "。", "🚢", "/workspace/") if mark not in text
    ]


def test_a_broken_copy_has_its_faults_where_it_says() -> None:
    count = 4 * len(FAULTS)
    document, places = broken(trajectory(), count, "1")
    report = checked(encoded(document))

    assert count == len(places)
    assert sorted(places) == sorted(pointer for _, pointer in codes(report, Severity.ERROR))


def test_a_trajectory_too_short_for_its_faults_is_refused() -> None:
    with pytest.raises(ValueError, match="too few for 100 faults"):
        broken(trajectory(steps=20), 100, "1")


def test_a_bundle_conforms_to_every_profile_that_it_claims() -> None:
    report = checked(bundle())

    assert [] == codes(report, Severity.WARNING)
    assert {"AT-Core": "conforms", "AT-Evaluation": "conforms", "AT-Training": "conforms"}.items() <= (
        report.verdicts.items()
    )


def test_the_same_seed_gives_the_same_bundle() -> None:
    assert bundle(nodes=300) == bundle(nodes=300)
    assert bundle(nodes=300) != bundle(nodes=300, seed="2")


@pytest.mark.parametrize("nodes", [7, 50, 1500])
def test_a_bundle_has_as_many_nodes_as_asked_or_a_few_more(nodes: int) -> None:
    tree = json.loads(bundle(nodes=nodes))

    assert nodes <= len(tree["nodes"]) < nodes + 30


def test_a_bundle_holds_every_construct() -> None:
    tree: dict[str, Any] = json.loads(bundle(nodes=6000))
    kinds = {node["kind"] for node in tree["nodes"]}
    # Kinds that stand for others here: an effect that retries or replays, records of their own for rewards, outcomes.
    others = {"action", "effect_receipt", "reward", "outcome", "evidence", "retry", "replay", "event"}
    others |= {"objective_transition", "evaluation_request"}

    assert set(NODE_KINDS) - others == kinds
    assert set(RELATIONS) <= {edge["relation"] for edge in tree["edges"]}
    assert {"included", "referenced", "unavailable"} == {state["availability"] for state in tree["states"]}
    assert [] == [name for name in ("outcomes", "verifier_results", "reward_records") if len(tree[name]) < 5]


def test_a_run_folder_has_no_errors_and_is_the_same_each_time(tmp_path: Path) -> None:
    for name in ("one", "other"):
        write_trajs(tmp_path / name, "1", files=2, n_bytes=60_000)
    reports = [report for _, report in run(discover([str(tmp_path / "one")]), Request())]

    assert ["swe-agent"] * 2 == [report.format for report in reports if report.path.endswith(".traj")]
    assert [] == [found for report in reports for found in codes(report, Severity.WARNING)]
    assert contents(tmp_path / "one") == contents(tmp_path / "other")


def test_many_files_are_clean_and_the_same_each_time(tmp_path: Path) -> None:
    for name in ("one", "other"):
        write_many(tmp_path / name, "1", files=3, n_bytes=23_000)
    reports = [report for _, report in run(discover([str(tmp_path / "one")]), Request())]

    assert contents(tmp_path / "one") == contents(tmp_path / "other")
    assert ["clean"] * 3 == [report.status for report in reports]


def test_a_job_has_no_errors_and_is_the_same_each_time(tmp_path: Path) -> None:
    for name in ("one", "other"):
        write_job(tmp_path / name / "nightly", "1", trials=7, steps=8)
    reports = [report for _, report in run(discover([str(tmp_path / "one" / "nightly")]), Request())]

    assert contents(tmp_path / "one") == contents(tmp_path / "other")
    assert [] == [found for report in reports for found in codes(report, Severity.WARNING)]


def test_an_array_without_elements_is_written_as_one() -> None:
    out = io.BytesIO(b'{"a":1')
    out.seek(0, io.SEEK_END)
    ArrayWriter(out, "b").end()
    out.write(b"}")

    assert {"a": 1, "b": []} == json.loads(out.getvalue())


def test_a_traj_repeats_its_messages_and_is_clean() -> None:
    made = [io.BytesIO(), io.BytesIO()]
    steps = [write_traj(out, "1", 200_000) for out in made]
    raw = made[0].getvalue()
    report = checked(raw)

    assert (steps[0], raw) == (steps[1], made[1].getvalue())
    assert ("swe-agent", []) == (report.format, codes(report, Severity.WARNING))
    assert [2 + 2 * n for n in range(steps[0])] == [len(step["query"]) for step in json.loads(raw)["trajectory"]]
