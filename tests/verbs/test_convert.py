"""Convert: what comes of a document, of a faulty one and of one that the target cannot hold; what is proven of it."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from attraj.findings import Severity
from attraj.formats.mapping import draft
from attraj.formats.mapping.fields import look_up, tokens_of
from attraj.formats.mapping.loss import Loss
from attraj.formats.mapping.residue import record_of
from attraj.jsonio import Document, parse
from attraj.jsonio.write import dumps
from attraj.verbs import convert as verb
from attraj.verbs.convert import Converted, Request, convert
from tests.support import base_document

ATIF = base_document("attraj.formats.atif", "minimal")
REACT = base_document("attraj.formats.react_web", "minimal")
BUNDLE = base_document("attraj.bundle.checks", "full")


def document(tree: Any) -> Document:
    return parse(dumps(tree))


def made(tree: Any, to: str, **asked: Any) -> Converted:
    return convert(document(tree), "folder/run", Request(to, **asked))


def tree_of(result: Converted) -> Any:
    assert "converted" == result.status, result.reason
    return parse(result.outputs[0].text).tree


def told(losses: tuple[Loss, ...]) -> list[str]:
    return [f"{loss.stage} {loss.code} {loss.handling} {loss.pointer}" for loss in losses]


# --- what comes of a document ------------------------------------------------------------------------------------

STATUSES = [
    pytest.param(b"{", {}, "unreadable", id="no-json"),
    pytest.param(b'{"a": 1}', {}, "unreadable", id="no-known-format"),
    pytest.param(b'{"schema_version": "ATIF-v1.7", "agent": 5, "steps": [{}]}', {}, "findings", id="faults-of-shape"),
    pytest.param(
        b'{"schema_version": "ATIF-v1.7", "agent": 5, "steps": [{}]}',
        {"is_lenient": True},
        "converted",
        id="what-can-be-read-of-it",
    ),
    pytest.param(b'{"steps": [{"type": "thought", "iteration": 1, "content": 1e999}]}', {}, "refused", id="infinity"),
    pytest.param(dumps(REACT), {}, "converted", id="a-document"),
]


@pytest.mark.parametrize(("raw", "asked", "expected"), STATUSES)
def test_every_document_comes_to_something(raw: bytes, asked: dict[str, Any], expected: str) -> None:
    result = convert(parse(raw), "run", Request("bundle", **asked))
    assert (expected, expected == "converted") == (result.status, bool(result.outputs))
    assert (result.reason == "") is (expected == "converted")


def test_an_episode_has_no_steps_to_convert() -> None:
    episode = base_document("attraj.bundle.checks", "episode")
    result = made(episode, "bundle")
    assert ("refused", "this kind of document has no steps to convert") == (result.status, result.reason)


def test_a_member_that_stood_twice_is_a_loss_wherever_it_goes() -> None:
    raw = dumps(REACT).replace(b'"type":', b'"type":"x","type":', 1)
    for to in ("bundle", "react-web", "atif"):
        losses = convert(parse(raw), "run", Request(to, is_lenient=True)).losses
        assert "read repaired-text approximated /steps/0/type" in told(losses)


BAD_STEP = {**REACT, "steps": [*REACT["steps"], 5]}
BROKEN = [
    pytest.param(BAD_STEP, "bundle", id="react-web"),
    pytest.param({**ATIF, "agent": 5, "steps": [{}]}, "bundle", id="atif"),
    pytest.param({**ATIF, "agent": 5}, "react-web", id="atif-to-another"),
    pytest.param({**BUNDLE, "states": 5, "rights": "all"}, "bundle", id="a-bundle"),
    pytest.param({**BUNDLE, "edges": 5}, "atif", id="a-bundle-to-another"),
]


@pytest.mark.parametrize(("tree", "to"), BROKEN)
def test_every_error_that_is_read_over_is_a_loss_at_its_place(tree: Any, to: str) -> None:
    result = made(tree, to, is_lenient=True)
    assert ("converted", True) == (result.status, result.report is not None)
    errors = [f for f in result.report.findings if f.severity is Severity.ERROR] if result.report else []
    assert errors
    assert len(errors) == result.errors
    lost = [(loss.pointer, loss.detail.partition(" ")[0]) for loss in result.losses if loss.code == "source-error"]
    assert lost == [(finding.location.pointer, finding.code) for finding in errors]
    if to == "bundle" and "nodes" not in tree:
        lossy = [one["code"] for one in tree_of(result)["transform"]["lossy"]]
        assert "source-error" in lossy


def test_a_document_without_errors_has_none_to_tell() -> None:
    for tree in (REACT, ATIF, BUNDLE):
        result = made(tree, "bundle", is_lenient=True)
        assert (0, []) == (result.errors, [loss for loss in result.losses if loss.code == "source-error"])


def test_what_is_worth_a_line_and_no_loss_is_a_note() -> None:
    result = made(ATIF, "react-web")
    assert ("the file is made for publishing, and redistribution is not granted",) == result.notes
    assert [] == [loss for loss in result.losses if loss.code == "redistribution-not-granted"]
    assert () == made(REACT, "react-web").notes == made(ATIF, "bundle").notes


def test_a_document_that_is_given_back_has_its_errors_still() -> None:
    result = made(BAD_STEP, "react-web", is_lenient=True)
    assert (1, ()) == (result.errors, result.losses)
    assert 5 == tree_of(result)["steps"][-1]


def test_a_bundle_with_errors_does_not_claim_to_be_whole() -> None:
    whole = {**BUNDLE, "completeness": {"status": "complete"}}
    broken = made({**whole, "states": 5}, "bundle", is_lenient=True, is_verified=True)
    assert "partial" == tree_of(broken)["completeness"]["status"]
    assert "read lowered-completeness approximated /completeness/status" in told(broken.losses)
    sound = made(whole, "bundle", is_lenient=True)
    assert {"status": "complete"} == tree_of(sound)["completeness"]
    open_one = made({**BUNDLE, "states": 5, "completeness": {"status": "open"}}, "bundle", is_lenient=True)
    assert {"status": "open"} == tree_of(open_one)["completeness"]


def test_a_document_without_an_identity_is_named_by_its_place_and_by_nothing_else() -> None:
    assert "at:react-web:folder/run" == tree_of(made(REACT, "bundle"))["trajectory_id"]
    assert "mine" == tree_of(made(REACT, "bundle", trajectory_id="mine"))["trajectory_id"]
    changed = {**REACT, "task": "another task"}
    assert "at:react-web:folder/run" == tree_of(made(changed, "bundle"))["trajectory_id"]


def test_parents_that_rest_on_order_alone_are_left_out_where_that_is_asked() -> None:
    def bases(**asked: Any) -> set[str]:
        return {edge["basis"] for edge in tree_of(made(REACT, "bundle", **asked))["edges"]}

    assert {"recorded", "loop_semantics"} == bases()
    assert {"recorded"} == bases(has_inferred_edges=False)


# --- there and back ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["minimal", "full"])
def test_a_bundle_stays_what_it_is(name: str) -> None:
    tree = base_document("attraj.bundle.checks", name)
    result = made(tree, "bundle", is_verified=True)
    assert (dumps(tree), ()) == (dumps(tree_of(result)), result.losses)


def test_what_was_added_to_a_bundle_since_is_a_loss_of_giving_its_document_back() -> None:
    bundle = tree_of(made(REACT, "bundle"))
    bundle["rights"]["training"] = True
    bundle["nodes"].append({"node_id": "added", "kind": "event", "payload": {"content": "a note"}})
    bundle["reward_records"] = copy.deepcopy(BUNDLE["reward_records"])
    position = len(bundle["nodes"]) - 1
    result = made(bundle, "react-web", format="bundle")
    assert dumps(REACT) == dumps(tree_of(result))
    expected = [f"write added-record dropped /nodes/{position}", "write rights dropped /rights/training"]
    rewards = [f"write reward-records dropped /reward_records/{i}" for i in range(len(bundle["reward_records"]))]
    absences = "write disclosure dropped /disclosure/absences"
    assert sorted([*expected, *rewards]) == sorted(one for one in told(result.losses) if not one.startswith(absences))


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        pytest.param("/nodes/0/payload/content", [], id="what-the-document-says-changes-with-it"),
        pytest.param("/nodes/1/kind", ["/nodes/1/kind"], id="what-kind-of-event-it-is"),
        pytest.param("/edges/0/basis", ["/edges/0/basis"], id="what-an-edge-is-known-by"),
        pytest.param("/completeness/status", ["/completeness/status"], id="how-whole-it-is"),
    ],
)
def test_no_change_of_a_bundle_goes_unnoticed(path: str, expected: list[str]) -> None:
    bundle = tree_of(made(REACT, "bundle"))
    *way, last = tokens_of(path)
    holder = look_up(bundle, tuple(way))
    holder[last] = {"kind": "event", "basis": "turn_order", "status": "open"}.get(str(last), "another text")
    result = made(bundle, "react-web", format="bundle")
    assert (dumps(tree_of(result)) == dumps(REACT)) is bool(expected)
    assert expected == [loss.pointer for loss in result.losses]


def test_what_is_withheld_from_a_bundle_is_withheld_from_its_document() -> None:
    bundle = tree_of(made(REACT, "bundle"))
    bundle["nodes"][0]["payload"]["content"] = {"$at": {"status": "redacted", "alias": "<PERSON_1>"}}
    result = made(bundle, "react-web", format="bundle")
    assert "<PERSON_1>" == tree_of(result)["task"]
    assert "write withheld-content approximated /nodes/0/payload/content" in told(result.losses)


def test_a_bundle_of_which_a_record_is_gone_is_written_anew() -> None:
    bundle = tree_of(made(REACT, "bundle"))
    del bundle["nodes"][-1]
    result = made(bundle, "react-web", format="bundle", is_verified=True)
    assert len(tree_of(result)["steps"]) < len(REACT["steps"])
    assert any(loss.code == "trajectory-id" for loss in result.losses)


# --- the reference form ------------------------------------------------------------------------------------------


def test_the_reference_form_is_read_as_the_native_one() -> None:
    reference = tree_of(made(BUNDLE, "bundle", form="morphz-ref", is_verified=True))
    assert "dev.attraj.native" not in reference["extensions"]
    assert json.loads(dumps(BUNDLE)) == tree_of(made(reference, "bundle", is_verified=True))


def test_a_document_can_go_through_the_reference_form() -> None:
    reference = tree_of(made(REACT, "bundle", form="morphz-ref"))
    assert dumps(REACT) == dumps(tree_of(made(reference, "react-web", format="bundle")))


# --- the proof ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("to", ["bundle", "atif", "swe-agent", "mini-swe-agent", "react-web"])
@pytest.mark.parametrize("tree", [pytest.param(ATIF, id="atif"), pytest.param(REACT, id="react-web")])
def test_a_conversion_proves_itself(tree: Any, to: str) -> None:
    assert "converted" == made(tree, to, is_verified=True).status


def test_a_writer_that_forgets_a_value_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verb, "losses_of", lambda *_, **__: [])
    result = made(ATIF, "react-web", is_verified=True)
    assert ("refused", True, ()) == (result.status, result.is_unproven, result.outputs)
    assert "neither in what was written nor in a loss; the first: /" in result.reason
    assert "converted" == made(ATIF, "react-web").status


def test_a_reader_that_forgets_a_value_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(draft, "record_of", lambda reading: {**record_of(reading), "rest": {}})
    result = made(ATIF, "bundle", is_verified=True)
    assert ("refused", True) == (result.status, result.is_unproven)


def test_a_proof_names_no_value_and_no_name_of_the_document(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verb, "losses_of", lambda *_, **__: [])
    secret = "zq81-" + "hidden"
    tree = {**REACT, f"member {secret}": secret}
    result = made(tree, "atif", format="react-web", is_verified=True)
    assert result.is_unproven
    assert secret not in result.reason
