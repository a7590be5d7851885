"""Values in another form: whatever the core says of them, the source's own comes back to the last digit and blank."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attraj.bundle.instants import is_rfc3339
from attraj.formats.mapping.forms import JSON_TEXTS, UNIX_TIME, json_text_of
from attraj.jsonio import MISSING

SECONDS = st.integers(1, 253402300799) | st.floats(1, 253402300799, allow_nan=False)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@given(SECONDS)
def test_a_number_of_seconds_comes_back_as_the_number_that_it_was(seconds: int | float) -> None:
    said = UNIX_TIME.core(seconds)
    assert is_rfc3339(said)
    assert (type(seconds), seconds) == (type(UNIX_TIME.written(said)), UNIX_TIME.written(said))


NO_TIME = [0, -1, 1e300, float("inf"), float("nan"), True, "1", None, [], 253402300800]


@pytest.mark.parametrize("value", NO_TIME, ids=repr)
def test_what_is_no_time_stays_with_the_source(value: Any) -> None:
    assert MISSING is UNIX_TIME.core(value)


WRITTEN = [
    pytest.param("2026-01-01T00:00:00Z", 1767225600, id="a-whole-second-is-a-whole-number"),
    pytest.param("2026-01-01T00:00:00.50Z", 1767225600.5, id="a-fraction"),
    pytest.param("2026-01-01T01:00:00+01:00", 1767225600, id="another-zone"),
    pytest.param("2026-01-01T00:00:00", None, id="no-zone"),
    pytest.param("soon", None, id="no-time"),
    pytest.param(7, None, id="a-number"),
]


@pytest.mark.parametrize(("value", "expected"), WRITTEN)
def test_a_time_of_the_core_is_written_as_seconds_or_not_at_all(value: Any, expected: Any) -> None:
    found = UNIX_TIME.written(value)
    assert (type(expected), expected) == (type(found), found)


@given(st.sampled_from(sorted(JSON_TEXTS)), st.dictionaries(st.text(max_size=3), VALUES, max_size=3))
def test_a_json_text_comes_back_as_the_text_that_it_was(name: str, value: dict[str, Any]) -> None:
    text = JSON_TEXTS[name].written(value)
    found = json_text_of(text)
    if '"$at"' not in json.dumps(value):
        assert text == JSON_TEXTS[found].written(JSON_TEXTS[found].core(text))


NO_TEXT = [
    pytest.param('{"a":  1}', id="another-spacing"),
    pytest.param('{"a": 1, "a": 1}', id="a-name-twice"),
    pytest.param('{"a": 1.50}', id="digits-that-say-nothing"),
    pytest.param('{"a": NaN}', id="no-json-number"),
    pytest.param('{"$at": {}}', id="what-reads-as-a-marker"),
    pytest.param('{"\\u0024at": {}}', id="what-reads-as-a-marker-once-it-is-read"),
    pytest.param("[" * 101 + "]" * 101, id="too-deep-for-the-core"),
    pytest.param("[" * 100_000, id="too-deep-for-any-parser"),
    pytest.param("7", id="no-container"),
    pytest.param("", id="nothing"),
    pytest.param({"a": 1}, id="no-text"),
]


@pytest.mark.parametrize("value", NO_TEXT)
def test_what_could_not_be_written_again_stays_a_text(value: Any) -> None:
    assert "" == json_text_of(value)
