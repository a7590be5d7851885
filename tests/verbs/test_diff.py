"""Two documents by what they say: equal only when nothing is different, and every difference at its place."""

from __future__ import annotations

import copy
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from attraj.errors import Refused, Unreadable
from attraj.formats import is_one
from attraj.formats.harbor import harbor_version, read_job
from attraj.jsonio import Document, documents, parse
from attraj.jsonio.values import of_value
from attraj.limits import DEFAULT_LIMITS
from attraj.reports.differences import drawn
from attraj.reports.differences_json import as_json
from attraj.reports.layout import View
from attraj.verbs.comparing.changes import Change
from attraj.verbs.comparing.said import leaves
from attraj.verbs.comparing.sides import side_of, side_of_trial
from attraj.verbs.convert import Request, convert
from attraj.verbs.convert_trial import convert_trial
from attraj.verbs.diff import Difference, diff, difference
from tests.support import CORPUS, REPOSITORY, needs_corpus

Json = dict[str, Any]


def document(tree: Any) -> Document:
    return of_value(tree, DEFAULT_LIMITS)


def compare(a: Any, b: Any) -> Difference:
    return diff(document(a), document(b))


def example(name: str) -> Any:
    return json.loads((REPOSITORY / "examples" / name).read_text(encoding="utf-8"))


def told(found: Difference) -> list[tuple[str, str, str, str]]:
    """Topic, kind and the two places of each difference, steps first."""
    changes = [change for pair in found.pairs() for change in pair.changes] + found.facts
    return [(change.topic, change.kind, *places(found, change)) for change in changes]


def places(found: Difference, change: Change) -> tuple[str, str]:
    a = "" if change.a is None else found.a.pointer(change.a.where)
    b = "" if change.b is None else found.b.pointer(change.b.where)
    return a, b


def atif(*steps: Json, **members: Any) -> Json:
    numbered = [{"step_id": number, "source": "agent", **step} for number, step in enumerate(steps, 1)]
    return {
        "schema_version": "ATIF-v1.7",
        "session_id": "s",
        "agent": {"name": "a", "version": "1"},
        "steps": numbered,
        **members,
    }


def called(call_id: str, command: str, result: str | None = "done", **members: Any) -> Json:
    call = {"tool_call_id": call_id, "function_name": "bash", "arguments": {"command": command}}
    step: Json = {"message": "I run it", "tool_calls": [call], **members}
    if result is not None:
        step["observation"] = {"results": [{"source_call_id": call_id, "content": result}]}
    return step


ASK: Json = {"source": "user", "message": "Do it."}
A = atif(ASK, called("c1", "ls"), called("c2", "pwd"))

EQUAL = [
    pytest.param(A, A, id="itself"),
    pytest.param(A, dict(reversed(A.items())), id="members-in-another-order"),
    pytest.param(A, atif(ASK, called("x", "ls"), called("y", "pwd")), id="calls-named-differently-and-consistently"),
    pytest.param(
        atif({"message": "x", "metrics": {"cost_usd": 1}}),
        atif({"message": "x", "metrics": {"cost_usd": 1.0}}),
        id="a-number-written-another-way",
    ),
]


@pytest.mark.parametrize(("a", "b"), EQUAL)
def test_says_the_same(a: Any, b: Any) -> None:
    found = compare(a, b)
    assert ([], True) == (told(found), found.is_equal)


def with_change(path: str, value: Any) -> Json:
    changed = copy.deepcopy(A)
    here: Any = changed
    *way, last = path.split("/")[1:]
    for token in way:
        here = here[int(token)] if type(here) is list else here[token]
    here[int(last) if type(here) is list else last] = value
    return changed


CHANGED = [
    pytest.param("/steps/1/message", "Other.", "messages", id="message"),
    pytest.param("/steps/1/tool_calls/0/arguments/command", "rm", "calls", id="argument"),
    pytest.param("/steps/1/tool_calls/0/function_name", "sh", "calls", id="name-of-a-tool"),
    pytest.param("/steps/1/observation/results/0/content", "", "results", id="an-empty-result-is-another-one"),
    pytest.param("/agent/version", "2", "bindings", id="version-of-the-agent"),
    pytest.param("/session_id", "t", "bindings", id="session"),
]


@pytest.mark.parametrize(("path", "value", "topic"), CHANGED)
def test_one_change_is_told_once_and_at_its_place(path: str, value: Any, topic: str) -> None:
    found = compare(A, with_change(path, value))
    assert [(topic, "different", path, path)] == told(found)
    assert not found.is_equal


ADDED = [
    pytest.param("/steps/1/timestamp", "2026-11-30T09:00:00Z", "times", id="time"),
    pytest.param("/steps/1/reasoning_content", "Why.", "reasoning", id="reasoning"),
    pytest.param("/steps/1/metrics", {"prompt_tokens": 3}, "usage", id="tokens"),
    pytest.param("/steps/1/model_name", "m", "models", id="model"),
    pytest.param("/steps/1/extra", {"note": 1}, "members", id="member-that-the-core-does-not-map"),
    pytest.param("/notes", "n", "members", id="member-of-no-step"),
]


@pytest.mark.parametrize(("path", "value", "topic"), ADDED)
def test_what_one_says_and_the_other_does_not_is_told_by_side(path: str, value: Any, topic: str) -> None:
    there = with_change(path, value)
    forth, back = told(compare(A, there)), told(compare(there, A))
    assert [(topic, "only_b")] == [row[:2] for row in forth if row[0] != "kinds"]
    assert [(topic, "only_a")] == [row[:2] for row in back if row[0] != "kinds"]
    assert forth[0][3].startswith(path)


JOINED = [
    pytest.param(
        "/steps/1/timestamp", "2026-11-30T09:00:00Z", "2026-11-30T09:00:00", "times", id="a-time-without-zone"
    ),
    pytest.param(
        "/steps/1/metrics", {"prompt_tokens": 3}, {"prompt_tokens": 3.5}, "usage", id="a-count-with-a-fraction"
    ),
    pytest.param("/final_metrics", {"total_steps": 3}, {"total_steps": "3"}, "usage", id="a-total-that-is-a-text"),
]


@pytest.mark.parametrize(("path", "mine", "theirs", "topic"), JOINED)
def test_a_member_that_only_one_core_can_hold_is_one_difference(path: str, mine: Any, theirs: Any, topic: str) -> None:
    a, b = with_change(path, mine), with_change(path, theirs)
    for found in (compare(a, b), compare(b, a)):
        ((said, kind, *there),) = told(found)
        assert (topic, "different") == (said, kind)
        assert there[0] == there[1]
        assert there[0].startswith(path)


def test_a_count_says_the_same_whether_it_is_written_with_a_fraction_of_zero_or_not() -> None:
    metrics = ({"prompt_tokens": 3}, {"prompt_tokens": 3.0})
    assert compare(*(with_change("/steps/1/metrics", one) for one in metrics)).is_equal


def test_numbers_that_stay_when_a_step_is_taken_out_are_no_difference() -> None:
    left = {**A, "steps": [A["steps"][0], A["steps"][2]]}
    found = compare(A, left)
    assert [] == told(found)
    assert [(1, 1), (2, None), (3, 2)] == [(p.a and p.a.number, p.b and p.b.number) for p in found.pairs()]


def test_the_ids_of_the_tokens_of_a_call_are_one_value() -> None:
    a, b = (with_change("/steps/1/metrics", {"prompt_token_ids": ids}) for ids in ([1, 2, 3], [4, 5, 6]))
    assert [("usage", "different", "/steps/1/metrics/prompt_token_ids")] == [row[:3] for row in told(compare(a, b))]


def test_what_a_step_says_that_one_document_lacks_is_in_the_report() -> None:
    found = compare(A, {**A, "steps": [A["steps"][0], A["steps"][2]]})
    (row,) = json.loads(as_json(found, is_full=True, is_brief=False))["steps"]
    assert ({"number": 2, "pointer": "/steps/1"}, None) == (row["a"], row["b"])
    assert {"only_a"} == {change["kind"] for change in row["changes"]}
    values = {change["name"]: change["a"]["value"] for change in row["changes"]}
    assert ("I run it", "ls", "done") == (values["message"], values["call 1, argument command"], values["result 1"])
    brief = json.loads(as_json(found, is_full=False, is_brief=False))["steps"][0]["changes"]
    assert [set(change["a"]) for change in brief] == [{"pointer"}] * len(values)


def test_a_step_that_one_document_lacks_says_that_its_message_was_not_kept() -> None:
    lost = {"message": "", "extra": {"attraj": {"lost_reply": True}}}
    lines = list(drawn(compare(A, {**A, "steps": [*A["steps"], {"step_id": 4, "source": "agent", **lost}]}), View()))
    title = next(i for i, line in enumerate(lines) if "in B alone" in line)
    assert "+ its message was not kept (unavailable)" in lines[title : title + 4]


def test_a_step_more_shifts_no_other_step() -> None:
    found = compare(A, atif(ASK, {"message": "Hm."}, called("c1", "ls"), called("c2", "pwd")))
    rows = [(pair.a and pair.a.number, pair.b and pair.b.number, len(pair.changes)) for pair in found.pairs()]
    assert [(1, 1, 0), (None, 2, 0), (2, 3, 0), (3, 4, 0)] == rows
    assert not found.is_equal


def test_a_call_without_its_result_is_no_other_call() -> None:
    found = compare(A, atif(ASK, called("c1", "ls"), called("c2", "pwd", None)))
    assert {"only_a"} == {kind for _, kind, _, _ in told(found)}
    assert {"results", "links"} <= {topic for topic, _, _, _ in told(found)}


def test_a_result_that_answers_another_call_is_told() -> None:
    calls = [called("c1", "ls")["tool_calls"][0], called("c2", "pwd")["tool_calls"][0]]

    def answered(first: str, second: str) -> Json:
        results = [{"source_call_id": first, "content": "x"}, {"source_call_id": second, "content": "y"}]
        return atif({"message": "", "tool_calls": calls, "observation": {"results": results}})

    found = compare(answered("c1", "c2"), answered("c2", "c1"))
    assert ["links", "links"] == [topic for topic, _, _, _ in told(found) if topic == "links"]


def test_formats_are_compared_by_what_both_can_say() -> None:
    react = {
        "task": "Do it.",
        "steps": [
            {"type": "action", "iteration": 1, "tool": "bash", "args": {"command": "ls"}},
            {"type": "observation", "iteration": 1, "tool": "bash", "content": "done"},
            {"type": "answer", "iteration": 2, "content": "It is done."},
        ],
    }
    step = called("c1", "ls", timestamp="2026-11-30T09:00:00Z")
    found = compare(react, atif(ASK, {**step, "message": ""}, {"message": "All done."}))
    assert ("messages", "different", "/steps/2/content", "/steps/2/message") in told(found)
    assert ("times", "only_b", "", "/steps/1/timestamp") in told(found)
    assert [] == [row for row in told(found) if row[0] in ("calls", "results")]


def test_a_command_is_one_whether_it_is_text_or_the_only_argument() -> None:
    step = {"action": "ls", "observation": "done", "response": "I run it", "thought": "I run it", "state": {}}
    traj = {"trajectory": [step], "history": [], "info": {}, "environment": "e"}
    found = compare(traj, atif(called("c1", "ls")))
    assert [("calls", "only_b", "", "/steps/0/tool_calls/0/function_name")] == [
        row for row in told(found) if row[0] in ("messages", "calls", "results")
    ]


def test_relations_of_bundles_are_compared_whatever_their_order_and_names() -> None:
    tree = example("bundle.json")
    same = copy.deepcopy(tree)
    same["edges"].reverse()
    for number, edge in enumerate(same["edges"]):
        edge["edge_id"] = f"other:{number}"
    assert compare(tree, same).is_equal
    less = copy.deepcopy(tree)
    del less["edges"][0]
    assert {("links", "only_a")} == {row[:2] for row in told(compare(tree, less))}


def test_nodes_named_differently_and_consistently_say_the_same() -> None:
    tree = example("bundle.json")
    text = json.dumps(tree)
    for node in tree["nodes"]:
        text = text.replace(json.dumps(node["node_id"]), json.dumps("other:" + node["node_id"]))
    found = compare(tree, json.loads(text))
    assert set() == {row[0] for row in told(found)} - {"books", "scope"}


def finished(exit_status: str) -> Json:
    step = {"action": "ls", "observation": "done", "response": "I run it", "thought": "I run it", "state": {}}
    info = {"exit_status": exit_status, "submission": "diff --git a/x b/x"}
    return {"trajectory": [step], "history": [], "info": info, "environment": "e"}


def bundle_of(tree: Any, name: str = "some-name") -> Any:
    outputs = convert(document(tree), name, Request("bundle")).outputs
    return json.loads(outputs[0].text)


@pytest.mark.parametrize(
    "tree",
    [
        pytest.param(finished("submitted"), id="with-an-outcome-about-the-whole-run"),
        pytest.param(A, id="with-an-identity-of-its-own"),
    ],
)
def test_a_document_says_what_its_bundle_says_whatever_name_that_was_given(tree: Any) -> None:
    found = compare(tree, bundle_of(tree))
    assert ([], True) == (told(found), found.is_equal)


def test_two_bundles_of_one_run_differ_in_their_identities_and_in_nothing_that_names_them() -> None:
    tree = finished("submitted")
    found = compare(bundle_of(tree, "one"), bundle_of(tree, "other"))
    assert [("identity", "different", "/trajectory_id", "/trajectory_id")] == told(found)


def test_an_outcome_about_a_part_of_the_run_is_none_about_the_run() -> None:
    whole = bundle_of(finished("submitted"))
    part = copy.deepcopy(whole)
    part["outcomes"][0]["scope"] = ["the-first-part"]
    assert [("outcomes", "different", "/outcomes/0/scope/0")] == [row[:3] for row in told(compare(whole, part))]


STRANGE = [None, True, 0, -1, 1.5, "", [], {}, [None], {"$at": {"status": "redacted"}}, {"$at": 5}, 10**30, "\ud800"]


@pytest.mark.parametrize("name", ["trajectory.json", "bundle.json"])
@pytest.mark.parametrize("value", STRANGE, ids=repr)
def test_values_of_wrong_types_are_compared_as_they_stand(name: str, value: Any) -> None:
    tree = example(name)
    for member in tree:
        other = {**tree, member: value}
        try:
            found = compare(tree, other)
        except (Unreadable, Refused):
            continue
        assert not found.is_equal or tree[member] in (None, {}), member
        assert compare(other, other).is_equal
        assert [] != list(drawn(found, View()))
        json.loads(as_json(found, is_full=True, is_brief=False))


def test_a_node_may_lack_everything() -> None:
    tree = example("bundle.json")
    found = compare(tree, {**tree, "nodes": [{}, {"kind": []}, *tree["nodes"]]})
    json.loads(as_json(found, is_full=True, is_brief=False))
    assert not found.is_equal


@pytest.mark.parametrize(
    "tree",
    [
        pytest.param({"episode_version": "0.1", "transitions": [], "source_trajectory_id": "x"}, id="an-episode"),
        pytest.param({"a": 1}, id="no-known-format"),
    ],
)
def test_a_document_of_no_run_is_unreadable(tree: Any) -> None:
    with pytest.raises(Unreadable):
        compare(A, tree)


def test_a_document_that_the_specification_rejects_is_refused() -> None:
    with pytest.raises(Refused):
        compare({**example("bundle.json"), "spec_version": "9.0"}, A)


# --- through another format --------------------------------------------------------------------------------------


def through(tree: Any, form: str) -> Difference:
    made = convert(document(tree), "some-name", Request(form))
    return diff(document(tree), parse(made.outputs[0].text))


def test_what_was_kept_in_another_format_is_not_told_as_lost() -> None:
    info = {"exit_status": "submitted", "submission": "diff --git a/x b/x", "model_stats": {"instance_cost": 0.5}}
    found = through({**finished("submitted"), "info": info}, "atif")
    assert ([], True) == (told(found), found.is_equal)


def test_what_is_dropped_on_the_way_is_told() -> None:
    document_of_a_model = atif({"message": "x", "timestamp": "2026-11-30T09:00:00Z", "reasoning_effort": "high"})
    assert {("times", "only_a"), ("models", "only_a")} <= {
        row[:2] for row in told(through(document_of_a_model, "react-web"))
    }


def test_what_a_reader_understands_agrees_with_what_the_other_document_says() -> None:
    outcome = {
        "outcome_id": "o",
        "scope": ["some-name"],
        "producer": "agent:swe-agent",
        "authority_class": "agent_self_report",
        "status": "succeeded",
        "terminal": True,
        "value": "submitted",
    }
    other = {**outcome, "authority_class": "runtime"}
    step = {**called("c1", "ls"), "message": "I run it"}
    ours, theirs = (atif(step, extra={"attraj": {"outcomes": [one]}}) for one in (outcome, other))
    tree = finished("submitted")
    assert [] == [row for row in told(compare(tree, ours)) if "authority_class" in row[3]]
    assert [("outcomes", "only_b", "", "/extra/attraj/outcomes/0/authority_class")] == [
        row for row in told(compare(tree, theirs)) if "authority_class" in row[3]
    ]


# --- trials ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["fix-typo__cccccc3", "rename-flag__aaaaaa1", "count-words__bbbbbb2"])
def test_a_trial_says_what_its_bundle_says_that_was_made_with_the_whole_job(name: str) -> None:
    job = REPOSITORY / "examples" / "harbor-job"
    release = harbor_version(read_job(job).lock) or ""
    (_, converted), *_ = convert_trial(str(job / name), name, Request("bundle"), release)
    assert difference(side_of_trial(str(job / name)), side_of(parse(converted.outputs[0].text))).is_equal


def test_members_of_the_files_of_a_trial_are_told_with_their_files(tmp_path: Path) -> None:
    name = "rename-flag__aaaaaa1"
    job = shutil.copytree(REPOSITORY / "examples" / "harbor-job", tmp_path / "job")
    for file in ("result.json", "config.json"):
        tree = json.loads((job / name / file).read_text(encoding="utf-8"))
        (job / name / file).write_text(json.dumps({**tree, "trial_name": "another"}), encoding="utf-8")
    release = harbor_version(read_job(job).lock) or ""
    (_, converted), *_ = convert_trial(
        str(REPOSITORY / "examples" / "harbor-job" / name), name, Request("bundle"), release
    )
    found = difference(side_of_trial(str(job / name)), side_of(parse(converted.outputs[0].text)))
    there = [("/result.json/trial_name",) * 2, ("/config.json/trial_name",) * 2]
    assert there == [row[2:] for row in told(found) if row[0] == "members"]
    shown = [line for line in drawn(found, View()) if "trial_name" in line]
    assert ["/result.json/trial_name", "/config.json/trial_name"] == [line.strip().split(":")[0] for line in shown]


# --- laws, over files of every format ----------------------------------------------------------------------------


def corpus() -> Iterator[Any]:
    yield from (REPOSITORY / "examples" / name for name in ("trajectory.json", "bundle.json"))
    if CORPUS.is_dir():
        yield from sorted((CORPUS / "react-web").rglob("*.json"))
        yield from sorted((CORPUS / "atif" / "arize-phoenix").rglob("*.json"))
        yield from sorted((CORPUS / "swe-agent" / "handmade-edge").rglob("*.traj"))
        yield from sorted((CORPUS / "mini-swe-agent" / "upstream-tests").rglob("*.json"))
        yield from sorted((CORPUS / "bundle" / "derived").rglob("*.json"))


def read(path: Path) -> list[Document]:
    found = []
    for one in documents(path.read_bytes(), DEFAULT_LIMITS, is_one):
        try:
            diff(one, one)
        except (Unreadable, Refused):
            continue
        found.append(one)
    return found


def values(tree: Any) -> list[tuple[Any, ...]]:
    """Paths of some values of a document, spread over it."""
    found = [path for path, value in leaves(tree) if path and type(value) in (str, int, float, bool)]
    return found[:: max(1, len(found) // 12)]


# Whoever renames these consistently changes nothing that they link.
LINKING = ("tool_call_id", "source_call_id", "call_id", "id", "node_id", "state_id", "edge_id")


def changed(tree: Any, path: tuple[Any, ...]) -> Any:
    other = copy.deepcopy(tree)
    here = other
    for token in path[:-1]:
        here = here[token]
    value = here[path[-1]]
    here[path[-1]] = f"{value} and more" if type(value) is str else (not value) if type(value) is bool else value + 1
    return other


@needs_corpus
@pytest.mark.parametrize("path", list(corpus()), ids=lambda path: path.stem)
def test_a_document_says_what_it_says_and_nothing_else(path: Path) -> None:
    for one in read(path)[:2]:
        assert diff(one, one).is_equal
        for place in values(one.tree):
            other = document(changed(one.tree, place))
            try:
                found, back = diff(one, other), diff(other, one)
            except (Unreadable, Refused):
                continue
            assert found.is_equal is back.is_equal
            if place[-1] not in LINKING:
                assert not found.is_equal, place
