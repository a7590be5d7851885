"""Laws of conversion over documents that no tool has written: whatever is read comes back, and nothing crashes."""

from __future__ import annotations

import copy

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from attraj.formats.mapping.rooms import READABLE
from attraj.jsonio import parse
from attraj.jsonio.write import dumps
from tests.laws.converting import bases, converted, damaged, document_of, errors

SETTINGS = settings(
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much], max_examples=60, derandomize=True
)
ROOMS = pytest.mark.parametrize("room", READABLE)


@ROOMS
@given(data=st.data())
@SETTINGS
def test_whatever_is_read_comes_back(room: str, data: st.DataObject) -> None:
    tree = data.draw(damaged(room))
    document = document_of(tree)
    before = copy.deepcopy(document.tree)
    made = converted(document, "bundle", format=room, is_lenient=True, is_verified=True)
    assert dumps(before) == dumps(document.tree)
    assert not made.is_unproven, made.reason
    if made.status == "converted":
        assert (
            made.outputs[0].text == converted(document_of(tree), "bundle", format=room, is_lenient=True).outputs[0].text
        )
        back = converted(parse(made.outputs[0].text), room, format="bundle")
        if back.status == "converted":
            assert dumps(tree) == dumps(parse(back.outputs[0].text).tree)


@ROOMS
@given(data=st.data())
@SETTINGS
def test_what_is_read_without_faults_of_shape_is_a_bundle_without_errors(room: str, data: st.DataObject) -> None:
    made = converted(document_of(data.draw(damaged(room))), "bundle", format=room)
    if made.status == "converted":
        assert [] == errors(made.outputs[0].text)


@ROOMS
@given(data=st.data())
@SETTINGS
def test_what_is_written_in_another_format_is_proven(room: str, data: st.DataObject) -> None:
    to = data.draw(st.sampled_from([one for one in READABLE if one != room]))
    made = converted(document_of(data.draw(damaged(room))), to, format=room, is_lenient=True, is_verified=True)
    assert not made.is_unproven, made.reason


@given(st.data())
@SETTINGS
def test_a_bundle_that_somebody_changed_is_written_or_refused(data: st.DataObject) -> None:
    room, to = data.draw(st.sampled_from(READABLE)), data.draw(st.sampled_from(READABLE))
    made = converted(document_of(data.draw(st.sampled_from(bases(room)))), "bundle")
    tree = parse(made.outputs[0].text).tree
    from tests.formats.mapping.trees import VALUES, containers  # what is done to it

    for _ in range(data.draw(st.integers(1, 3))):
        _, owner = data.draw(st.sampled_from([one for one in containers(tree) if one[1]]))
        key = data.draw(st.sampled_from(sorted(owner) if type(owner) is dict else range(len(owner))))
        if data.draw(st.booleans()):
            del owner[key]
        else:
            owner[key] = copy.deepcopy(data.draw(VALUES))
    result = converted(document_of(tree), to, format="bundle", is_lenient=True, is_verified=True)
    assert not result.is_unproven, result.reason
