"""`validate NEW --against OLD`: the document alone, and as made from the older one."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from attraj.errors import AttrajError, Unreadable
from attraj.findings import Stratum
from attraj.formats import Options
from attraj.jsonio import Document, parse
from attraj.verbs.against import against
from attraj.verbs.validate import Request
from tests.support import base_document, merge_patch

OLD = base_document("attraj.bundle.checks", "minimal")
NEW = merge_patch(
    OLD,
    {
        "trajectory_id": "at:example:public",
        "transform": {
            "operations": ["export", "redaction"],
            "derived_from": [{"trajectory_id": OLD["trajectory_id"], "relation": "redaction_of"}],
            "steps": [{"operation": "redaction", "implementation": "example", "version": "1"}],
            "lossy": [],
        },
    },
)
EMPTIED = merge_patch(NEW, {"nodes": [OLD["nodes"][0], OLD["nodes"][1] | {"observation": ""}]})


def document(tree: Any) -> Document:
    return parse(json.dumps(tree, indent=1).encode())


def told(report: Any) -> list[tuple[str, str]]:
    return [(f.code, f.location.pointer) for f in report.findings if f.severity.name == "ERROR"]


def test_a_faithful_redaction_has_no_error() -> None:
    report = against(document(NEW), document(OLD))
    assert (told(report), report.verdicts["AT-Core"]) == ([], "conforms")
    assert report.notes[-1] == "compared with the older document as: redaction"


def test_a_fault_between_the_two_fails_the_verdict_and_has_its_line() -> None:
    report = against(document(EMPTIED), document(OLD))
    (finding,) = [f for f in report.findings if f.code == "AT712"]
    assert (finding.location.pointer, finding.location.line is not None) == ("/nodes/1/observation", True)
    assert [(r.pointer, r.message) for r in finding.related] == [("/nodes/1/observation", "in the older document")]
    assert (report.status, report.verdicts["AT-Core"]) == ("findings", "fails")


def test_the_caller_may_say_the_relation() -> None:
    report = against(document(EMPTIED), document(OLD), "reexport")
    assert ("AT214", "/nodes/1/observation") in told(report)


def test_files_are_read_and_not_changed(tmp_path: Path) -> None:
    for name, tree in (("new.json", EMPTIED), ("old.json", OLD)):
        (tmp_path / name).write_text(json.dumps(tree))
    before = [path.read_bytes() for path in sorted(tmp_path.iterdir())]
    report = against(tmp_path / "new.json", tmp_path / "old.json")
    assert ("AT712", "/nodes/1/observation") in told(report)
    assert report.path == str(tmp_path / "new.json")
    assert before == [path.read_bytes() for path in sorted(tmp_path.iterdir())]


def test_trees_are_not_changed() -> None:
    new, old = document(EMPTIED), document(OLD)
    before = copy.deepcopy((new.tree, old.tree))
    against(new, old)
    assert (new.tree, old.tree) == before


def test_one_finding_for_what_the_document_shows_alone_as_well() -> None:
    granted = merge_patch(NEW, {"rights": {"training": True}})
    granted["transform"]["derived_from"][0]["rights"] = OLD["rights"]
    assert [c for c, _ in told(against(document(granted), document(OLD)))].count("AT807") == 1


def test_a_lower_level_leaves_the_pair_alone() -> None:
    report = against(document(EMPTIED), document(OLD), request=Request(options=Options(level=Stratum.SHAPE)))
    assert [f.code for f in report.findings if f.code == "AT712"] == []


def test_selected_codes_only() -> None:
    report = against(document(EMPTIED), document(OLD), request=Request(keep=frozenset({"AT712"})))
    assert [f.code for f in report.findings] == ["AT712"]


def test_an_episode_against_its_bundle() -> None:
    episode = base_document("attraj.bundle.checks", "episode")
    full = base_document("attraj.bundle.checks", "full")
    assert told(against(document(episode), document(full))) == []
    assert ("AT832", "/source_trajectory_id") in told(against(document(episode), document(OLD)))


@pytest.mark.parametrize(
    ("new", "old"),
    [("episode", "episode"), ("full", "episode"), ("full", "dataset"), ("episode", "dataset"), ("dataset", "dataset")],
)
def test_kinds_that_are_not_made_from_each_other(new: str, old: str) -> None:
    package = "attraj.bundle.checks"
    with pytest.raises(Unreadable) as refusal:
        against(document(base_document(package, new)), document(base_document(package, old)))
    assert refusal.value.message == "the older document is of a kind that the newer one is not made from"


def test_an_unreadable_newer_document_is_reported_as_such() -> None:
    assert against(parse(b'{"nodes": '), document(OLD)).status == "unreadable"


@pytest.mark.parametrize(
    ("old", "relation", "error", "message"),
    [
        pytest.param(OLD, "copy", AttrajError, "this relation is not known", id="unknown-relation"),
        pytest.param(
            merge_patch(OLD, {"trajectory_id": "at:example:stranger"}),
            "",
            AttrajError,
            "nothing in the newer document says how it was made from the older one",
            id="unrelated",
        ),
        pytest.param([], "", Unreadable, "the older document is no JSON object that can be read", id="no-object"),
        pytest.param(
            {"schema_version": "ATIF-v1.7", "steps": [], "agent": {}},
            "",
            Unreadable,
            "the older document is no Bundle, Episode or Dataset manifest",
            id="another-format",
        ),
    ],
)
def test_what_cannot_be_compared(old: Any, relation: str, error: type[AttrajError], message: str) -> None:
    with pytest.raises(error) as refusal:
        against(document(NEW), document(old), relation)
    assert (refusal.value.message, refusal.value.exit_code) == (message, 2)


def test_a_newer_document_of_another_format_is_refused() -> None:
    with pytest.raises(Unreadable):
        against(document({"schema_version": "ATIF-v1.7", "steps": [], "agent": {}}), document(OLD))


def test_an_array_on_standard_input_holds_as_many_documents_as_in_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = json.dumps([OLD, None]).encode()
    monkeypatch.setattr("attraj.verbs.against.read_stdin", lambda _: raw)
    with pytest.raises(Unreadable, match="expected one document, found 2"):
        against("-", OLD)
