"""What somebody writes into a Bundle by hand is written in the target, or is a loss; a fresh Bundle has none."""

from __future__ import annotations

import json
from typing import Any

import pytest

from attraj.bundle.model import Bundle
from attraj.formats.mapping.edits import losses_of_edits
from attraj.formats.mapping.fields import At, look_up, pointer_of
from attraj.formats.mapping.rooms import READABLE
from attraj.verbs.convert import Converted
from tests.laws.converting import bases, converted, document_of

TRIED = 30  # places of each Bundle, spread over it
PAIRS = [pytest.param(room, to, id=f"{room}-{to}") for room in READABLE for to in READABLE if room != to]


def bundle_of(room: str) -> Any:
    return json.loads(converted(document_of(bases(room)[1]), "bundle").outputs[0].text)


def edited(made: Converted) -> list[str]:
    return [loss.pointer for loss in made.losses if loss.code == "edited"]


@pytest.mark.parametrize(("room", "to"), PAIRS)
def test_a_bundle_as_it_was_read_has_no_edits(room: str, to: str) -> None:
    for tree in bases(room):
        made = converted(document_of(tree), "bundle")
        assert [] == edited(converted(document_of(json.loads(made.outputs[0].text)), to))


def words(tree: Any) -> list[At]:
    """Places that a reader fills with words of its own: who acted, by which authority, which cause by which basis."""
    found: list[At] = []
    for i, node in enumerate(tree["nodes"]):
        found += [("nodes", i, name) for name in ("actor", "authority_class", "sequence") if name in node]
        found += [("nodes", i, "effect", name) for name in ("receipt_status",) if "effect" in node]
        found += [("nodes", i, "parents", "reason")] if "reason" in node.get("parents", {}) else []
    for i in range(len(tree["edges"])):
        found += [("edges", i, name) for name in ("from", "to", "basis", "relation")]
    return found


@pytest.mark.parametrize(("room", "to"), PAIRS)
def test_a_word_of_the_reader_that_somebody_changed_is_said_or_lost(room: str, to: str) -> None:
    before = bundle_of(room)
    untouched = converted(document_of(before), to)
    places = words(before)
    for at in places[:: max(1, len(places) // TRIED)]:
        tree = json.loads(json.dumps(before))
        value = look_up(tree, at)
        look_up(tree, at[:-1])[at[-1]] = "changed" if type(value) is str else 99
        made = converted(document_of(tree), to, is_lenient=True)
        if made.status != "converted":
            continue
        pointer = pointer_of(at)
        is_lost = any(pointer == one.pointer or pointer.startswith(f"{one.pointer}/") for one in made.losses)
        is_said = [one.text for one in made.outputs] != [one.text for one in untouched.outputs]
        assert is_lost or is_said, pointer


def test_what_was_written_as_it_stands_is_no_loss() -> None:
    tree = bundle_of("react-web")
    tree["nodes"][0]["actor"] = "another"
    place: At = ("nodes", 0, "actor")
    assert [pointer_of(place)] == [one.pointer for one in losses_of_edits(Bundle(tree), [], [])]
    assert [] == losses_of_edits(Bundle(tree), [[(place, ("x",))]], [])
    assert [] == losses_of_edits(Bundle(tree), [], losses_of_edits(Bundle(tree), [], []))


def test_a_bundle_that_has_lost_a_record_cannot_be_compared() -> None:
    tree = bundle_of("react-web")
    tree["nodes"][0]["actor"] = "another"
    del tree["nodes"][-1]
    assert [] == losses_of_edits(Bundle(tree), [], [])
