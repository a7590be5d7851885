"""A proof misses what went astray after it was written, whatever the target and wherever in it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from attraj.formats.mapping.fields import look_up, pointer_of
from attraj.formats.mapping.rooms import READABLE
from attraj.jsonio import Document, parse
from attraj.jsonio.write import dumps
from attraj.verbs import proof
from tests.formats.mapping.trees import containers, leaves
from tests.laws.converting import bases, converted, document_of

TARGETS = ("bundle", *READABLE)


def works(document: Document, to: str, **asked: Any) -> list[proof.Work]:
    """What a conversion gives to its proof."""
    found: list[proof.Work] = []
    told = proof.doubt

    def listen(work: proof.Work, target: str) -> str:
        found.append(work)
        return told(work, target)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(proof, "doubt", listen)
        made = converted(document, to, is_verified=True, **asked)
    assert not made.is_unproven, made.reason
    return found


def given_bundles(name: str) -> list[Document]:
    """Documents of a room, and the Bundles of them as somebody gives them."""
    documents = [document_of(tree) for tree in bases(name)]
    return [*documents, *(parse(converted(one, "bundle").outputs[0].text) for one in documents)]


CASES = [
    pytest.param(work, to, id=f"{name}-{number}-to-{to}")
    for name in READABLE
    for number, document in enumerate(given_bundles(name))
    for to in TARGETS
    for work in works(document, to)
]


def with_text(work: proof.Work, number: int, tree: Any) -> proof.Work:
    texts = [dumps(tree) if i == number else text for i, text in enumerate(work.texts)]
    return work._replace(texts=texts)


TRIED = 25  # places of each document, spread over it


def spread(places: list[Any]) -> list[Any]:
    return places[:: max(1, len(places) // TRIED)]


@pytest.mark.parametrize(("work", "to"), CASES)
def test_no_value_of_what_was_written_can_be_another(work: proof.Work, to: str) -> None:
    assert "" == proof.doubt(work, to)
    for number, text in enumerate(work.texts):
        for at in spread([one for one in leaves(json.loads(text)) if one]):
            tree = json.loads(text)
            look_up(tree, at[:-1])[at[-1]] = "another value"
            assert "" != proof.doubt(with_text(work, number, tree), to), pointer_of(at)


@pytest.mark.parametrize(("work", "to"), CASES)
def test_nothing_can_be_added_to_what_was_written_or_taken_from_it(work: proof.Work, to: str) -> None:
    for number, text in enumerate(work.texts):
        for at in spread([at for at, owner in containers(json.loads(text)) if owner]):
            more, less = json.loads(text), json.loads(text)
            for tree, is_more in ((more, True), (less, False)):
                owner = look_up(tree, at)
                key = next(iter(owner)) if type(owner) is dict else -1
                if not is_more:
                    del owner[key]
                elif type(owner) is list:
                    owner.append(owner[key])
                else:
                    owner["added"] = owner[key]
                assert "" != proof.doubt(with_text(work, number, tree), to), (pointer_of(at), is_more)


GIVEN_BACK = [
    pytest.param(work, name, id=f"{name}-{number}")
    for name in READABLE
    for number, document in enumerate(given_bundles(name))
    for work in works(document, name)
]


@pytest.mark.parametrize(("work", "to"), GIVEN_BACK)
def test_a_document_that_is_made_again_with_another_value_is_found_out(work: proof.Work, to: str) -> None:
    """Also where the one who made it believes in it."""
    for number, text in enumerate(work.texts):
        for at in spread([one for one in leaves(json.loads(text)) if one]):
            for is_gone in (True, False):
                tree = json.loads(text)
                owner = look_up(tree, at[:-1])
                if is_gone:
                    del owner[at[-1]]
                else:
                    owner[at[-1]] = "another value"
                trees = [tree if i == number else one for i, one in enumerate(work.trees)]
                assert "" != proof.doubt(with_text(work, number, tree)._replace(trees=trees), to), pointer_of(at)


@pytest.mark.parametrize("name", READABLE)
def test_a_bundle_that_breaks_its_own_rules_is_found_out(name: str) -> None:
    (work,) = works(document_of(bases(name)[1]), "bundle")
    tree = json.loads(work.texts[0])
    tree["edges"][0]["to"] = "nowhere"
    astray = with_text(work, 0, tree)._replace(trees=[tree], tree=tree)
    assert "1 value of the Bundle stands" in proof.doubt(astray, "bundle")
    assert "" == proof.doubt(astray._replace(is_sound=False), "bundle")
