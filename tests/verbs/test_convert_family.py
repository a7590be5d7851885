"""`--embed-subagents` on a document whose subagents are files beside it: what is read, and what is left alone."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from attraj.formats.mapping.fields import is_same
from attraj.jsonio import parse
from attraj.jsonio.write import dumps
from attraj.verbs.convert import Converted, Request, convert
from tests.formats.atif.documents import steps, turn

CHILD = {**steps({"message": "inside"}), "trajectory_id": "child"}


def calling(*paths: str, **members: Any) -> dict[str, Any]:
    references = [{"trajectory_path": path, **members} for path in paths]
    return turn(observation={"results": [{"source_call_id": "c", "subagent_trajectory_ref": references}]})


def put(folder: Path, **trees: Any) -> None:
    for name, tree in trees.items():
        (folder / f"{name}.json").write_bytes(tree if type(tree) is bytes else dumps(tree))


def embedded(path: Path, **request: Any) -> Converted:
    document = parse(path.read_bytes())
    document.path = str(path)
    return convert(document, path.stem, Request("atif", embeds_subagents=True, is_verified=True, **request))


def only(made: Converted) -> Any:
    assert made.status == "converted", made.reason
    (output,) = made.outputs
    return parse(output.text).tree


def codes(made: Converted) -> list[str]:
    return [loss.code for loss in made.losses]


def test_what_was_split_is_embedded_again(tmp_path: Path) -> None:
    reference = {"source_call_id": "c", "subagent_trajectory_ref": [{"trajectory_id": "child"}]}
    whole = steps({}, turn(observation={"results": [reference]}), subagent_trajectories=[CHILD])
    document = parse(dumps(whole))
    apart = convert(document, "run", Request("atif", splits_subagents=True))
    for output in apart.outputs:
        name = ".".join(part for part in ("run", output.part, "atif.json") if part)
        (tmp_path / name).write_bytes(output.text)
    made = embedded(tmp_path / "run.atif.json")
    assert is_same(only(made), whole)
    assert codes(made) == ["file-names"]


def test_subagents_of_subagents_are_embedded_where_they_are_called(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    put(tmp_path, run=steps({}, calling("sub/child.json")))
    put(tmp_path / "sub", child=steps({}, calling("leaf.json")), leaf=steps({"message": "leaf"}))
    tree = only(embedded(tmp_path / "run.json"))
    (child,) = tree["subagent_trajectories"]
    assert child["subagent_trajectories"][0]["steps"][0]["message"] == "leaf"


LEFT: list[Any] = [
    pytest.param("child.json", None, id="a-file-that-is-not-there"),
    pytest.param("child.json", b"{", id="no-json"),
    pytest.param("child.json", {"nothing": 1}, id="no-trajectory"),
    pytest.param("child.json", {**CHILD, "steps": [None]}, id="a-trajectory-of-a-wrong-shape"),
    pytest.param("https://host.example/child.json", CHILD, id="a-url"),
    pytest.param("../beside/child.json", CHILD, id="out-of-the-folder"),
    pytest.param("run.json", CHILD, id="the-document-itself"),
]


@pytest.mark.parametrize(("name", "child"), LEFT)
def test_a_reference_stays_where_nothing_can_be_embedded(tmp_path: Path, name: str, child: Any) -> None:
    run = steps({}, calling(name))
    (tmp_path / "beside").mkdir()
    (tmp_path / "in").mkdir()
    put(tmp_path / "in", run=run)
    for folder in (tmp_path / "in", tmp_path / "beside") if child is not None else ():
        put(folder, child=child)
    made = embedded(tmp_path / "in" / "run.json")
    assert is_same(only(made), run)
    assert codes(made) == ["not-embedded"]


def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    put(tmp_path, child=CHILD)
    put(tmp_path / "in", run=steps({}, calling("child.json")))
    os.symlink(tmp_path / "child.json", tmp_path / "in" / "child.json")
    assert codes(embedded(tmp_path / "in" / "run.json")) == ["not-embedded"]


def test_what_two_documents_refer_to_stands_in_neither(tmp_path: Path) -> None:
    put(tmp_path, run=steps({}, calling("child.json", "leaf.json")), child=steps({}, calling("leaf.json")), leaf=CHILD)
    made = embedded(tmp_path / "run.json")
    assert len(only(made)["subagent_trajectories"]) == 1
    assert sorted(codes(made)) == ["document-ids", "file-names", "not-embedded", "not-embedded"]


def test_documents_that_refer_to_each_other_end(tmp_path: Path) -> None:
    put(tmp_path, run=steps({}, calling("child.json")), child=steps({}, calling("run.json")))
    assert len(only(embedded(tmp_path / "run.json"))["subagent_trajectories"]) == 1


def test_nothing_is_read_that_was_not_asked_for(tmp_path: Path) -> None:
    put(tmp_path, run=steps({}, calling("child.json")), child=CHILD)
    document = parse((tmp_path / "run.json").read_bytes())
    document.path = str(tmp_path / "run.json")
    assert is_same(only(convert(document, "run", Request("atif"))), document.tree)
    bundle = only(convert(document, "run", Request("bundle", embeds_subagents=True)))
    assert len(bundle["extensions"]["dev.attraj.source"]["data"]["artifacts"]) == 1
