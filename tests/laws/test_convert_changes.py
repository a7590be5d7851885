"""Whoever changes a value of a Bundle changes the document there, at each place that says it, and nowhere else."""

from __future__ import annotations

from typing import Any

import pytest

from attraj.bundle.model import Bundle
from attraj.formats.mapping.fields import At, look_up, pointer_of
from attraj.formats.mapping.restore import restore, sources
from attraj.formats.mapping.rooms import READABLE, reader
from attraj.formats.mapping.said import Notes, notes_of
from attraj.formats.mapping.verify import missing_in_copy
from attraj.jsonio import MISSING, parse
from tests.laws.converting import bases, converted, corpus, document_of

TRIED = 12  # values of each document, spread over it
DOCUMENTS = [
    *(
        pytest.param(name, document_of(tree), id=f"{name}-{i}")
        for name in READABLE
        for i, tree in enumerate(bases(name))
    ),
    *(pytest.param(case.format, case.document, id=case.name) for case in corpus() if case.is_small),
]


def another(value: Any) -> Any:
    """A value of the same type that is not this one."""
    if type(value) is bool:
        return not value
    if type(value) in (int, float):
        return value + 1
    if type(value) is str:
        return f"{value} changed"
    return [*value, "changed"] if type(value) is list else {**value, "changed": 1} if type(value) is dict else "changed"


def held(notes: Notes) -> dict[At, list[At]]:
    """Place in the Bundle to the places of the source that it holds, of records and of messages."""
    found: dict[At, list[At]] = {}
    for at, said in notes.said.items():
        if said.at[0] != "extensions" and said.core is MISSING:  # in another form another value may not be writable
            found.setdefault(said.at, []).append(at)
    return found


def repeated(places: list[At], notes: Notes) -> set[At]:
    """The places, and those that repeat them or a part of what they stand in; a text that was opened is one place."""
    found = set(places)
    for copy, first in notes.copies.items():
        found |= {(*copy, *one[len(first) :]) for one in places if one[: len(first)] == first}
    return {next((text for text in notes.texts if one[: len(text)] == text), one) for one in found}


@pytest.mark.parametrize(("name", "document"), DOCUMENTS)
def test_a_change_of_a_value_shows_where_the_source_has_it_and_nowhere_else(name: str, document: Any) -> None:
    made = converted(document, "bundle")
    if not made.outputs:
        return
    text, places = made.outputs[0].text, reader(name).PLACES
    whole = Bundle(parse(text).tree)
    notes = notes_of(whole, sources(whole)[0], places)
    values = list(held(notes).items())
    for core, of in values[:: max(1, len(values) // TRIED)]:
        tree = parse(text).tree
        owner = look_up(tree, core[:-1])
        owner[core[-1]] = another(owner[core[-1]])
        bundle = Bundle(tree)
        changed = missing_in_copy(document.tree, restore(bundle, sources(bundle)[0], places))
        expected = repeated(of, notes)
        outside = [one for one in changed if not any(one[: len(place)] == place for place in expected)]
        unchanged = [place for place in expected if not any(one[: len(place)] == place for one in changed)]
        assert ([], []) == (list(map(pointer_of, outside)), list(map(pointer_of, unchanged))), pointer_of(core)
