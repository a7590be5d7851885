from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attraj.jsonio import MISSING, FaultKind, parse
from attraj.jsonio.exact import read_exactly
from attraj.jsonio.parse import parse_sound
from attraj.limits import DEFAULT_LIMITS, Limits
from tests.jsonio.marked import told

JUNK = st.text(alphabet='{}[]",:\\u0d81e+-. \nnulltrue\ud800', max_size=30).map(
    lambda text: text.encode("utf-8", "surrogatepass")
)


@pytest.mark.parametrize(
    ("raw", "tree"),
    [
        pytest.param(b"{}", {}, id="an object"),
        pytest.param(b"[]", [], id="an array"),
        pytest.param(b"null", None, id="null, which is a tree and not a missing one"),
        pytest.param(b'"ATIF"', "ATIF", id="a text"),
        pytest.param(b" -1\n", -1, id="a number"),
        pytest.param(b"36893488147419103232", 36893488147419103232, id="an integer beyond 64 bits"),
        pytest.param(b"1" + b"0" * 4299, 10**4299, id="an integer of 4300 digits"),
        pytest.param(b"-0.0", -0.0, id="a negative zero"),
    ],
)
def test_reads_what_is_sound_without_the_exact_reader(raw: bytes, tree: Any) -> None:
    document = parse_sound(raw, DEFAULT_LIMITS)
    assert document is not None
    assert (raw, repr(tree), ()) == (document.raw, repr(document.tree), document.faults)


@pytest.mark.parametrize(
    ("raw", "limits", "kind"),
    [
        pytest.param(b'{"a":1,"a":2}', DEFAULT_LIMITS, FaultKind.DUPLICATE, id="duplicate"),
        pytest.param(b'"\\ud800"', DEFAULT_LIMITS, FaultKind.SURROGATE, id="lone surrogate"),
        pytest.param(b"[NaN]", DEFAULT_LIMITS, FaultKind.SYNTAX, id="NaN"),
        pytest.param(b"[", DEFAULT_LIMITS, FaultKind.SYNTAX, id="cut"),
        pytest.param(b"\xef\xbb\xbf{}", DEFAULT_LIMITS, FaultKind.ENCODING, id="byte order mark"),
        pytest.param(b"[1, 2]", DEFAULT_LIMITS._replace(max_bytes=5), FaultKind.LIMIT, id="larger than allowed"),
        pytest.param(b"[[[0]]]", DEFAULT_LIMITS._replace(max_depth=2), FaultKind.LIMIT, id="deeper than allowed"),
        pytest.param(b"[12345]", DEFAULT_LIMITS._replace(max_number_chars=4), FaultKind.LIMIT, id="longer number"),
    ],
)
def test_gives_what_is_not_sound_to_the_exact_reader(raw: bytes, limits: Limits, kind: FaultKind) -> None:
    document = parse(raw, limits)
    assert document == read_exactly(raw, limits)
    assert [kind] == [fault.kind for fault in document.faults]


@given(JUNK)
def test_both_readers_are_of_one_mind(raw: bytes) -> None:
    fast, exact = parse(raw), read_exactly(raw)
    assert (repr(fast.tree), fast.is_readable) == (repr(exact.tree), exact.is_readable)


def test_a_document_without_a_tree_is_not_readable() -> None:
    document = parse(b"")
    assert (document.tree, document.is_readable, len(told(document))) == (MISSING, False, 1)
