"""A trial's folder converted: what comes of each run, and what keeps it from being converted."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from attraj.formats.mapping.fields import is_same
from attraj.formats.mapping.loss import gathered
from attraj.jsonio import parse
from attraj.jsonio.write import dumps
from attraj.verbs.convert import INFINITE, Converted, Request
from attraj.verbs.convert_repairs import MISSHAPEN
from attraj.verbs.convert_trial import NO_TRAJECTORY, NOTHING_HERE, UNREAD, convert_trial
from tests.formats.harbor.folders import TRIAL_NAME, Raw, base, build, changed
from tests.support import CORPUS, needs_corpus

TO_BUNDLE = Request("bundle")
TO_ATIF = Request("atif")
CALLED = "jobs/hello"


def converted(folder: Path, request: Request = TO_BUNDLE) -> list[tuple[str, Converted]]:
    return convert_trial(str(folder), CALLED, request, "0.26.0")


def only(folder: Path, request: Request = TO_BUNDLE) -> Converted:
    ((part, one),) = converted(folder, request)
    assert part == ""
    return one


def tree_of(one: Converted, position: int = 0) -> Any:
    return parse(one.outputs[position].text).tree


def test_a_trial_is_one_bundle(tmp_path: Path) -> None:
    one = only(build(tmp_path / TRIAL_NAME, base("segments")))
    assert ("converted", "", [""]) == (one.status, one.reason, [output.part for output in one.outputs])
    assert one.report is not None
    assert ("harbor", "0.26.0") == (one.report.format, one.report.format_version)


def test_each_step_is_one_bundle(tmp_path: Path) -> None:
    found = converted(build(tmp_path / TRIAL_NAME, base("steps")))
    assert [("build", "converted"), ("test", "converted")] == [(part, one.status) for part, one in found]


def test_the_caller_names_it(tmp_path: Path) -> None:
    request = TO_BUNDLE._replace(trajectory_id="mine")
    assert "mine" == tree_of(only(build(tmp_path / TRIAL_NAME, base("trial")), request))["trajectory_id"]
    steps = converted(build(tmp_path / "steps" / TRIAL_NAME, base("steps")), request)
    assert ["mine:build", "mine:test"] == [tree_of(one)["trajectory_id"] for _, one in steps]


def test_two_runs_give_the_same_bytes(tmp_path: Path) -> None:
    folder = build(tmp_path / TRIAL_NAME, base("segments"))
    assert only(folder) == only(folder)


def test_inferred_edges_are_left_out_where_that_is_asked(tmp_path: Path) -> None:
    request = TO_BUNDLE._replace(has_inferred_edges=False)
    edges = tree_of(only(build(tmp_path / TRIAL_NAME, base("segments")), request))["edges"]
    assert {"recorded", "call_id"} >= {edge["basis"] for edge in edges}


def test_losses_name_the_file_that_they_are_in(tmp_path: Path) -> None:
    one = only(build(tmp_path / TRIAL_NAME, base("segments")))
    assert one.losses
    assert all(loss.pointer.startswith(("/agent/", "/result.json")) for loss in one.losses)


# --- without a trajectory ----------------------------------------------------------------------------------------


def test_a_trial_without_a_trajectory_is_a_bundle_all_the_same(tmp_path: Path) -> None:
    files = changed("trial", {"agent/trajectory.json": None, "agent/log.txt": "x"})
    one = only(build(tmp_path / TRIAL_NAME, files))
    assert ("converted", NO_TRAJECTORY) == (one.status, one.reason)
    assert 1.0 == tree_of(one)["reward_records"][0]["value"]


def test_other_formats_hold_nothing_of_it(tmp_path: Path) -> None:
    files = changed("trial", {"agent/trajectory.json": None, "agent/log.txt": "x"})
    one = only(build(tmp_path / TRIAL_NAME, files), TO_ATIF)
    assert ("skipped", NO_TRAJECTORY, ()) == (one.status, one.reason, one.outputs)


# --- bad input ---------------------------------------------------------------------------------------------------

CUT = Raw(b'{"schema_version": "ATIF-v1.7", "steps": [')
BAD = [
    pytest.param({"result.json": Raw(b'{"id": "x"')}, "unreadable", id="a result.json that breaks off"),
    pytest.param({"result.json": {"agent_info": 5}}, "findings", id="a result.json of another shape"),
    pytest.param({"agent/trajectory.json": CUT}, "unreadable", id="a trajectory that breaks off"),
    pytest.param({"agent/trajectory.json": {"steps": 5}}, "findings", id="a trajectory of another shape"),
]


@pytest.mark.parametrize(("patches", "status"), BAD)
def test_bad_input_is_not_converted_and_says_why(tmp_path: Path, patches: dict[str, Any], status: str) -> None:
    one = only(build(tmp_path / TRIAL_NAME, changed("trial", patches)))
    assert (status, ()) == (one.status, one.outputs)
    assert one.reason
    assert (one.reason == MISSHAPEN) == (status == "findings")
    assert one.report is not None
    assert one.report.findings


@pytest.mark.parametrize(("patches", "status"), BAD)
def test_lenient_reading_converts_what_can_be_read(tmp_path: Path, patches: dict[str, Any], status: str) -> None:
    folder = build(tmp_path / TRIAL_NAME, changed("trial", patches))
    one = only(folder, TO_BUNDLE._replace(is_lenient=True))
    assert "converted" == one.status
    assert tree_of(one)["completeness"]["status"] in ("partial", "open")
    lost = {loss.pointer for loss in one.losses if loss.code == "unreadable-file"}
    assert ({f"/{path}" for path in patches} if status == "unreadable" else set()) == lost


def test_every_error_of_a_trial_that_is_read_over_is_a_loss_at_its_place(tmp_path: Path) -> None:
    patches = {"agent/trajectory.json": {**base("trial")["agent/trajectory.json"], "agent": 5}, "result.json": None}
    one = only(build(tmp_path / TRIAL_NAME, changed("trial", patches)), TO_BUNDLE._replace(is_lenient=True))
    lost = {(loss.pointer, loss.detail.partition(":")[0]) for loss in one.losses if loss.code == "source-error"}
    assert ("/agent/trajectory.json/agent", "ATIF005 bad-agent") in lost
    assert any(detail == "HB003 missing-result" for _, detail in lost), lost
    assert one.errors == len(lost)


def test_a_trial_without_errors_has_none_to_tell(tmp_path: Path) -> None:
    one = only(build(tmp_path / TRIAL_NAME, base("trial")), TO_BUNDLE._replace(is_lenient=True))
    assert (0, []) == (one.errors, [loss for loss in one.losses if loss.code == "source-error"])


@pytest.mark.parametrize("text", [Raw(b'{"id": '), Raw(b'{"started_at": NaN}'), Raw(b"[]")])
def test_a_result_that_cannot_be_read_is_not_one_that_is_missing(tmp_path: Path, text: Raw) -> None:
    folder = build(tmp_path / TRIAL_NAME, changed("trial", {"result.json": text}))
    one = only(folder, TO_BUNDLE._replace(is_lenient=True))
    tree = tree_of(one)
    why = "result.json cannot be read: how the run ended is not known"
    assert {"status": "unknown", "reason": why} == tree["scope"]["termination"]
    assert ("partial", True) == (tree["completeness"]["status"], why in tree["completeness"]["reason"])
    words = repr(tree["completeness"])
    assert ("result.json cannot be read" in words, "has no result.json" in words, "no reward of it" in words) == (
        True,
        False,
        False,
    )
    absences = {"outcomes": "not_available", "verifier_results": "not_available", "reward_records": "not_available"}
    assert absences == tree["disclosure"]["absences"]
    assert one.errors


def test_a_trajectory_that_cannot_be_read_is_not_one_that_is_missing(tmp_path: Path) -> None:
    folder = build(tmp_path / TRIAL_NAME, changed("trial", {"agent/trajectory.json": CUT}))
    one = only(folder, TO_BUNDLE._replace(is_lenient=True))
    completeness = tree_of(one)["completeness"]
    assert UNREAD == one.reason
    assert "a trajectory of the run cannot be read" in completeness["reason"]
    assert "no trajectory" not in repr(completeness)
    assert ["a trajectory of the run cannot be read"] == [
        omission["reason"] for omission in completeness["material_omissions"] if omission["class"] == "trajectory"
    ]
    assert one.errors
    other = only(folder, TO_ATIF._replace(is_lenient=True))
    assert ("unreadable", ()) == (other.status, other.outputs)


def test_a_trajectory_that_is_missing_is_not_one_that_cannot_be_read(tmp_path: Path) -> None:
    one = only(build(tmp_path / TRIAL_NAME, changed("trial", {"agent/trajectory.json": None})))
    assert (NO_TRAJECTORY, 0) == (one.reason, one.errors)
    assert "cannot be read" not in repr(tree_of(one)["completeness"])


def test_one_bad_step_does_not_stop_the_others(tmp_path: Path) -> None:
    files = {**base("steps"), "steps/build/agent/trajectory.json": CUT}
    found = converted(build(tmp_path / TRIAL_NAME, files))
    assert [("build", "unreadable"), ("test", "converted")] == [(part, one.status) for part, one in found]


def test_an_interrupted_trial_is_converted_as_open(tmp_path: Path) -> None:
    one = only(build(tmp_path / TRIAL_NAME, changed("trial", {"result.json": None})))
    assert ("converted", "open") == (one.status, tree_of(one)["completeness"]["status"])


def test_a_folder_with_nothing_of_a_trial_is_none(tmp_path: Path) -> None:
    folder = tmp_path / TRIAL_NAME
    folder.mkdir()
    one = only(folder)
    assert ("findings", MISSHAPEN) == (one.status, one.reason)
    lenient = only(folder, TO_BUNDLE._replace(is_lenient=True))
    assert ("findings", NOTHING_HERE) == (lenient.status, lenient.reason)


def test_a_file_that_a_trajectory_names_is_read_with_it(tmp_path: Path) -> None:
    files = base("segments")
    reference = files["agent/trajectory.json"]["steps"][2]["observation"]["results"][0]["subagent_trajectory_ref"][0]
    reference["trajectory_path"] = "deep/sub.json"
    files["agent/deep/sub.json"] = files.pop("agent/trajectory.summarization-1-summary.json")
    tree = tree_of(only(build(tmp_path / TRIAL_NAME, files)))
    linked = [edge["to"] for edge in tree["edges"] if edge["relation"] == "delegates"]
    assert ["subagent-1/step:1"] == linked


def test_hostile_names_are_no_trouble(tmp_path: Path) -> None:
    folder = build(tmp_path / TRIAL_NAME, base("trial"))
    for name in (b"\xff.log", b"a\nb", "\u202e.txt".encode()):
        (folder / "agent" / name.decode("utf-8", "surrogateescape")).write_text("x", encoding="utf-8")
    trajectory = (folder / "agent" / "trajectory.json").read_bytes()
    (folder / "agent" / b"trajectory.\xff.json".decode("utf-8", "surrogateescape")).write_bytes(trajectory)
    names = [one["artifact_id"] for one in tree_of(only(folder))["source"]["artifacts"]]
    assert all(name.isprintable() for name in names)
    assert len(names) == len(set(names))


# --- back to ATIF ------------------------------------------------------------------------------------------------


MAIN, CONT, SUB = (
    "agent/trajectory.json",
    "agent/trajectory.cont-1.json",
    "agent/trajectory.summarization-1-summary.json",
)
REFERENCES = ("trajectory_path", "continued_trajectory_ref")
WRITTEN = {MAIN: "hello.atif.json", CONT: "hello.cont-1.atif.json", SUB: "hello.summarization-1-summary.atif.json"}


def named_as_written(files: Any) -> Any:
    """The base folder's trajectories with references as they are written."""
    files = copy.deepcopy(files)
    reference(files[MAIN])["trajectory_path"] = WRITTEN[SUB]
    files[MAIN]["continued_trajectory_ref"] = WRITTEN[CONT]
    return files


def reference(trajectory: Any, step: int = 2) -> Any:
    return trajectory["steps"][step]["observation"]["results"][0]["subagent_trajectory_ref"][0]


def references(trajectory: Any) -> list[str]:
    """Every file that a document names, in those that it embeds too."""
    found: list[str] = []
    pending = [trajectory]
    while pending:
        value = pending.pop()
        if isinstance(value, dict):
            found += [value[n] for n in REFERENCES if isinstance(value.get(n), str)]
            pending.extend(value.values())
        elif isinstance(value, list):
            pending.extend(value)
    return sorted(found)


def test_the_trajectories_come_back_and_name_what_is_written(tmp_path: Path) -> None:
    files = base("segments")
    one = only(build(tmp_path / TRIAL_NAME, copy.deepcopy(files)), TO_ATIF._replace(is_verified=True))
    given = {output.part: parse(output.text).tree for output in one.outputs}
    assert ["", "cont-1", "summarization-1-summary"] == list(given)
    expected = named_as_written(files)
    assert [expected[name] for name in (MAIN, CONT, SUB)] == list(given.values())


CHANGES = [
    pytest.param(TO_ATIF._replace(version="1.6"), [SUB, CONT], id="another version"),
    pytest.param(TO_ATIF._replace(upgrades=True), [SUB, CONT], id="the newest version"),
    pytest.param(TO_ATIF._replace(splits_subagents=True), [SUB, CONT], id="subagents as files"),
    pytest.param(TO_ATIF._replace(strips_thoughts=True), [SUB, CONT], id="without thoughts"),
    pytest.param(TO_ATIF._replace(embeds_subagents=True), [CONT], id="subagents inside"),
]


@pytest.mark.parametrize(("request_", "named"), CHANGES)
def test_whatever_is_changed_on_the_way_files_name_files_that_are_written(
    tmp_path: Path, request_: Request, named: list[str]
) -> None:
    one = only(build(tmp_path / TRIAL_NAME, base("segments")), request_)
    assert sorted(WRITTEN[name] for name in named) == references(tree_of(one))
    lost = {(loss.handling, loss.pointer) for loss in one.losses if loss.code == "file-names"}
    dropped = [("dropped", "/nodes/3/payload/trajectory_path")] if request_.embeds_subagents else []
    kept = [] if dropped else [("approximated", "/nodes/3/payload/trajectory_path")]
    assert {*dropped, *kept, ("approximated", "/nodes/4/payload/continued_trajectory_ref")} == lost
    beside = {"termination", "resources", "bindings", "source-members", "scope", "outcomes"}
    assert beside <= {loss.code for loss in one.losses}


def test_a_subagent_that_two_documents_refer_to_stays_a_file(tmp_path: Path) -> None:
    files = base("segments")
    files[CONT]["steps"][0]["observation"] = copy.deepcopy(files[MAIN]["steps"][2]["observation"])
    files[CONT]["steps"][0] |= {"source": "system"}
    one = only(build(tmp_path / TRIAL_NAME, files), TO_ATIF._replace(embeds_subagents=True))
    assert ["", "cont-1", "summarization-1-summary"] == [output.part for output in one.outputs]
    assert [WRITTEN[CONT], WRITTEN[SUB]] == references(tree_of(one))
    assert [WRITTEN[SUB]] == references(tree_of(one, 1))


def test_a_continuation_by_its_name_is_composed_as_one(tmp_path: Path) -> None:
    from attraj.verbs.convert import convert

    files = base("segments")
    del files[MAIN]["continued_trajectory_ref"]
    bundle = tree_of(only(build(tmp_path / TRIAL_NAME, files)))
    del bundle["extensions"]["dev.attraj.source"]
    back = convert(parse(dumps(bundle)), "hello", TO_ATIF)
    found = {output.part: parse(output.text).tree for output in back.outputs}
    assert WRITTEN[CONT] == found[""]["continued_trajectory_ref"]
    assert "cont-1" in found


def test_files_that_nothing_refers_to_are_composed_as_documents_of_their_own(tmp_path: Path) -> None:
    from attraj.verbs.convert import convert

    files = base("segments")
    del files[MAIN]["continued_trajectory_ref"]
    files["agent/trajectory.cont-3.json"] = files.pop(CONT)
    del files[MAIN]["steps"][2]["observation"]
    bundle = tree_of(only(build(tmp_path / TRIAL_NAME, files)))
    del bundle["nodes"][0]  # the documents cannot be given back any more
    back = convert(parse(dumps(bundle)), "hello", TO_ATIF._replace(is_lenient=True))
    assert ["", "cont-3", "summarization-1-summary"] == [output.part for output in back.outputs]
    assert not any("subagent_trajectories" in parse(output.text).tree for output in back.outputs)


LEADS = [
    pytest.param("trajectory.cont-7.json", "trajectory.cont-7.json", id="a file that is not there stays as it is"),
    pytest.param("../../etc/x.json", "../../etc/x.json", id="so does one outside"),
    pytest.param("https://h/trajectory.cont-1.json", "https://h/trajectory.cont-1.json", id="and a URL"),
    pytest.param("/abs/t.json", "/abs/t.json", id="and what is the same from everywhere"),
    pytest.param("./../agent/trajectory.cont-1.json", WRITTEN[CONT], id="a way about leads to the same file"),
    pytest.param("trajectory.json", WRITTEN[MAIN], id="a circle stays one"),
]


@pytest.mark.parametrize(("written", "expected"), LEADS)
def test_references_are_rewritten_by_where_they_lead(tmp_path: Path, written: str, expected: str) -> None:
    files = base("segments")
    files[MAIN]["continued_trajectory_ref"] = written
    one = only(build(tmp_path / TRIAL_NAME, files), TO_ATIF._replace(is_verified=True))
    main = next(output for output in one.outputs if not output.part)
    assert expected == parse(main.text).tree["continued_trajectory_ref"]
    lost = [loss.code for loss in one.losses if "/continued_trajectory_ref" in loss.pointer]
    dangles = [] if "://" in written or written[0] == "/" else ["dangling-reference"]
    assert (dangles if written == expected else ["file-names"]) == lost


def test_the_files_of_a_step_are_called_by_it(tmp_path: Path) -> None:
    files = base("steps")
    segments = base("segments")
    for name in (MAIN, CONT, SUB):
        files[f"steps/build/{name}"] = segments[name]
    (one, _) = (found for _, found in converted(build(tmp_path / TRIAL_NAME, files), TO_ATIF))
    assert ["hello.build.cont-1.atif.json", "hello.build.summarization-1-summary.atif.json"] == references(tree_of(one))


def test_what_an_atif_file_cannot_hold_of_a_trial_is_lost_by_name(tmp_path: Path) -> None:
    one = only(build(tmp_path / TRIAL_NAME, base("segments")), TO_ATIF)
    lost = {(loss.code, loss.pointer) for loss in gathered(one.losses) if loss.stage == "write"}
    assert {
        ("file-names", "/nodes/3/payload/trajectory_path"),
        ("file-names", "/nodes/4/payload/continued_trajectory_ref"),
        ("termination", "/scope/termination"),
        ("verifier-results", "/verifier_results/0"),
        ("reward-records", "/reward_records/0"),
        ("outcomes", "/outcomes/*"),
        ("resources", "/scope/resources"),
        ("source-members", "/result.json/trial_uri"),
    } <= lost
    assert not [code for code, _ in lost if code in ("content", "times", "usage", "causal-edges", "model-call")]


def test_a_trial_read_from_its_bundle_comes_back_too(tmp_path: Path) -> None:
    from attraj.verbs.convert import convert

    files = base("segments")
    bundle = parse(only(build(tmp_path / TRIAL_NAME, files)).outputs[0].text)
    back = convert(bundle, "jobs/hello", TO_ATIF)
    expected = named_as_written(files)
    assert [expected[MAIN], expected[CONT]] == [parse(output.text).tree for output in back.outputs[:2]]


@needs_corpus
def test_real_trajectories_come_back_but_for_the_names_of_files() -> None:
    for folder in sorted((CORPUS / "atif" / "harbor-rig").glob("*/t2-*/*__*")):
        for part, one in converted(folder, TO_ATIF._replace(is_verified=True)):
            where = folder / "steps" / part / "agent" if part else folder / "agent"
            parts = {f"trajectory.{o.part}.json" if o.part else "trajectory.json": o.part for o in one.outputs}
            stem = f"hello.{part}" if part else "hello"
            for (name, own), output in zip(parts.items(), one.outputs, strict=True):
                raw = (where / name).read_text(encoding="utf-8")
                for other, called in parts.items():
                    new = f"{stem}.{called}.atif.json" if called else f"{stem}.atif.json"
                    raw = raw.replace(f'_path": "{other}"', f'_path": "{new}"')
                    raw = raw.replace(f'_ref": "{other}"', f'_ref": "{new}"')
                assert own == output.part
                assert is_same(parse(raw.encode()).tree, parse(output.text).tree)


def test_a_number_beyond_every_double_is_no_null(tmp_path: Path) -> None:
    files = base("trial")
    text = dumps(files["result.json"]).replace(b'"reward":1.0', b'"reward":1e999')
    assert b"1e999" in text
    one = only(build(tmp_path / TRIAL_NAME, {**files, "result.json": Raw(text)}))
    assert ("refused", INFINITE, ()) == (one.status, one.reason, one.outputs)
