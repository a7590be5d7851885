"""References between the documents of one Bundle: where they lead, and what they name when they are written."""

from __future__ import annotations

from typing import Any

import pytest

from attraj.bundle.model import Bundle
from attraj.formats.mapping.fields import Field, Place
from attraj.formats.mapping.file_names import Renamed, file_name, file_part, part_of, rename, renamed

PLACES = {
    "next": Place("next", fields=(Field(("next",), ("payload", "continued_trajectory_ref")),)),
    "step": Place("step", fields=(Field(("text",), ("payload", "content")),)),
}
AT, ORIGIN = ("next",), ("nodes", 0, "payload", "continued_trajectory_ref")


def source(artifact: Any, part: Any = "", **links: dict[str, str]) -> dict[str, Any]:
    return {"artifact_id": artifact, "part": part, "links": links}


def found(reference: Any, artifact: str = "file:agent/a.json") -> list[Renamed]:
    """The references of a document that goes on in another one, which stands in the same folder."""
    bundle = Bundle(
        {"nodes": [{"node_id": "n", "payload": {"continued_trajectory_ref": reference, "content": "b.json"}}]}
    )
    entries = [source(artifact, next={"n": ""}, step={"n": "/steps/0"}), source("file:agent/b.json", "cont-1")]
    first, second = renamed(bundle, entries, PLACES, "run", "atif")
    assert [] == second
    return first


TO_B = Renamed(AT, ORIGIN, "cont-1", "run.cont-1.atif.json")
LEADS = [
    pytest.param("b.json", [TO_B], id="a file beside it"),
    pytest.param("./x/../b.json", [TO_B], id="by a way about"),
    pytest.param("..\\agent\\b.json", [TO_B], id="as Windows writes it"),
    pytest.param("a.json", [Renamed(AT, ORIGIN, "", "run.atif.json")], id="itself"),
    pytest.param("c.json", [Renamed(AT, ORIGIN, None, "c.json")], id="a file that is not written stays, and is told"),
    pytest.param("../b.json", [Renamed(AT, ORIGIN, None, "../b.json")], id="the same name in another folder"),
    pytest.param("https://h/b.json", [], id="a URL is the same from everywhere"),
    pytest.param("/agent/b.json", [], id="an absolute path, too"),
    pytest.param("C:\\b.json", [], id="and one on a drive"),
    pytest.param("", [], id="nothing"),
    pytest.param(5, [], id="no text"),
    pytest.param({"$at": {"status": "redacted"}}, [], id="withheld"),
]


@pytest.mark.parametrize(("reference", "expected"), LEADS)
def test_references_are_followed_by_their_paths(reference: Any, expected: list[Renamed]) -> None:
    assert expected == found(reference)


def test_a_lone_document_has_no_folder() -> None:
    assert [] == found("b.json", "artifact:0")


def test_a_name_is_written_where_a_text_stands_and_each_is_a_loss() -> None:
    tree = {"next": "b.json"}
    losses = list(rename(tree, [TO_B]))
    assert {"next": "run.cont-1.atif.json"} == tree
    assert [("file-names", "approximated", "/nodes/0/payload/continued_trajectory_ref")] == [
        (loss.code, loss.handling, loss.pointer) for loss in losses
    ]
    assert [] == list(rename({"next": 5}, [TO_B]))


PARTS = [
    pytest.param({"part": "cont-1"}, 1, "cont-1", id="what its reader called it"),
    pytest.param({"part": ""}, 0, "", id="the main one"),
    pytest.param({"part": "../x"}, 1, "part-1", id="a name that no reader of ours gives"),
    pytest.param({"part": 5}, 0, "", id="no text"),
]


@pytest.mark.parametrize(("entry", "position", "expected"), PARTS)
def test_parts(entry: dict[str, Any], position: int, expected: str) -> None:
    assert expected == part_of(entry, position)


def test_names_of_files() -> None:
    assert "run.cont-1.atif.json" == file_name("run", "cont-1", "atif")
    assert ("run.atif.json", "cont-1.atif.json") == (file_name("run", "", "atif"), file_name("", "cont-1", "atif"))
    assert ("a%2Fb", "a%252Fb") == (file_part("a/b"), file_part("a%2Fb"))
