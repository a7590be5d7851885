from __future__ import annotations

import json
import math
from typing import Any

import jiter
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attraj.jsonio import MISSING, FaultKind
from attraj.jsonio.exact import read_exactly
from attraj.limits import DEFAULT_LIMITS
from tests.jsonio.marked import Told, fatal, passing, places, told, unmarked

ENCODING, SYNTAX, DUPLICATE = FaultKind.ENCODING, FaultKind.SYNTAX, FaultKind.DUPLICATE
LIMIT, SURROGATE, NUMBER = FaultKind.LIMIT, FaultKind.SURROGATE, FaultKind.NUMBER

TWICE = "a duplicate member: the object has one of this name"
LONE = "a lone surrogate escape in a string"
HUGE = "a number too large for a double"
NAN, INF = float("nan"), float("inf")


def bad_bytes(what: str, offset: int) -> str:
    return f"not UTF-8: {what}, at byte {offset}"


READ_OVER = [
    pytest.param('{"a": 1, "b": [true, null]}', [], {"a": 1, "b": [True, None]}, id="nothing is wrong"),
    pytest.param(' \r\n\t{ "a" : [ ] , "b" : { } }\n', [], {"a": [], "b": {}}, id="white space everywhere"),
    pytest.param("12345678901234567890123", [], 12345678901234567890123, id="an integer beyond 64 bits"),
    pytest.param("[-0.0, -0, 1E+2, 0.5e-3]", [], [-0.0, 0, 100.0, 0.0005], id="every form of number"),
    pytest.param('"\\u0000\\ud83d\\ude00\\/"', [], "\0\U0001f600/", id="escapes, a NUL and a pair among them"),
    pytest.param(
        '{"\u00e9": 1, "e\u0301": 2}',
        [],
        {"\u00e9": 1, "e\u0301": 2},
        id="names that differ in composition alone",
    ),
    pytest.param(
        '{"a": 1,\n ‸"a": 2}', [passing(DUPLICATE, "/a", TWICE)], {"a": 2}, id="a duplicate, of which the last counts"
    ),
    pytest.param(
        '{"a": 1, ‸"a": 2, ‸"a": 3}', [passing(DUPLICATE, "/a", TWICE)] * 2, {"a": 3}, id="every further duplicate"
    ),
    pytest.param(
        '[0, {"m/n~": {"k": 1, ‸"\\u006b": 2}}]',
        [passing(DUPLICATE, "/1/m~1n~0/k", TWICE)],
        [0, {"m/n~": {"k": 2}}],
        id="a duplicate after unescaping, below names that a pointer escapes",
    ),
    pytest.param('{"": 1, ‸"": 2}', [passing(DUPLICATE, "/", TWICE)], {"": 2}, id="a duplicate of the empty name"),
    pytest.param('{"a": ‸NaN}', [fatal(SYNTAX, "/a", "NaN is not JSON")], {"a": NAN}, id="NaN"),
    pytest.param(
        "[‸Infinity, ‸-Infinity]",
        [fatal(SYNTAX, "/0", "Infinity is not JSON"), fatal(SYNTAX, "/1", "-Infinity is not JSON")],
        [INF, -INF],
        id="Infinity of both signs",
    ),
    pytest.param(
        "[‸1e400, ‸-1e400, 1e308]",
        [passing(NUMBER, "/0", HUGE), passing(NUMBER, "/1", HUGE)],
        [INF, -INF, 1e308],
        id="numbers that no double holds",
    ),
    pytest.param('["x‸\\ud83dy"]', [passing(SURROGATE, "/0", LONE)], ["x\ud83dy"], id="a lone high surrogate"),
    pytest.param('["‸\\udc80"]', [passing(SURROGATE, "/0", LONE)], ["\udc80"], id="a lone low surrogate"),
    pytest.param(
        '["‸\\ude00\\ud83d"]', [passing(SURROGATE, "/0", LONE)], ["\ude00\ud83d"], id="a pair in the wrong order, once"
    ),
    pytest.param(
        '["\\\\ud800", "\\ud83d\\ude00‸\\uD800"]',
        [passing(SURROGATE, "/1", LONE)],
        ["\\ud800", "\U0001f600\ud800"],
        id="an escaped backslash and a pair are no lone surrogates",
    ),
    pytest.param(
        '{"a": {"k‸\\ud800": 1}}',
        [passing(SURROGATE, "/a", "a lone surrogate escape in a member name")],
        {"a": {"k\ud800": 1}},
        id="a lone surrogate in a name is at its object",
    ),
    pytest.param('["a‸\tb"]', [fatal(SYNTAX, "/0", "an unescaped tab in a string")], ["a\tb"], id="an unescaped tab"),
    pytest.param(
        '["a‸\nb\nc", "d"]',
        [fatal(SYNTAX, "/0", "an unescaped line break in a string")],
        ["a\nb\nc", "d"],
        id="unescaped line breaks, once for each string",
    ),
    pytest.param(
        '{"a": {"k‸\x01": 1}}',
        [fatal(SYNTAX, "/a", "an unescaped control character in a member name")],
        {"a": {"k\x01": 1}},
        id="an unescaped control character in a name",
    ),
    pytest.param(
        '{"a": ‸NaN, ‸"a": "‸\\ud800",\n"b": ‸1e999}',
        [
            fatal(SYNTAX, "/a", "NaN is not JSON"),
            passing(DUPLICATE, "/a", TWICE),
            passing(SURROGATE, "/a", LONE),
            passing(NUMBER, "/b", HUGE),
        ],
        {"a": "\ud800", "b": INF},
        id="everything at once, in document order",
    ),
    pytest.param(
        '{"é😀": 1, ‸"é😀": 2}', [passing(DUPLICATE, "/é😀", TWICE)], {"é😀": 2}, id="columns are code points"
    ),
]

BROKEN = [
    pytest.param(
        '{"a": 1, ‸"a": 2, "b": ‸}',
        [passing(DUPLICATE, "/a", TWICE), fatal(SYNTAX, "", "a value is missing before this bracket")],
        id="what was found before the break stands",
    ),
    pytest.param(
        '{"steps": [{"m": "a"}, {"m": "b‸',
        [fatal(SYNTAX, "/steps/1/m", "the file ends at byte 31, inside a string; the last complete value is /steps/0")],
        id="cut inside a string",
    ),
    pytest.param(
        '{"steps": [{"m": "a"}, {"m": "b", "c‸',
        [
            fatal(
                SYNTAX,
                "/steps/1",
                "the file ends at byte 36, inside a member name; the last complete value is /steps/1/m",
            )
        ],
        id="cut inside a member name",
    ),
    pytest.param(
        '{"steps": [{"m": "a"}\n‸',
        [fatal(SYNTAX, "/steps", "the file ends at byte 22, inside an array; the last complete value is /steps/0")],
        id="cut inside an array",
    ),
    pytest.param(
        '{"steps": [], "m":‸',
        [fatal(SYNTAX, "", "the file ends at byte 18, inside an object; the last complete value is /steps")],
        id="cut before a value",
    ),
    pytest.param(
        '{"steps"‸', [fatal(SYNTAX, "", "the file ends at byte 8, inside an object")], id="cut before a colon"
    ),
    pytest.param(
        "[‸", [fatal(SYNTAX, "", "the file ends at byte 1, inside an array")], id="cut after the first character"
    ),
    pytest.param(
        '{"k9": 1, "m": {"t4": 1, "u5": [0, tr‸',
        [fatal(SYNTAX, "/m/u5/1", "the file ends at byte 37, inside a value; the last complete value is /m/{1}/0")],
        id="cut inside a word; names that may be content are positions in the message",
    ),
    pytest.param("[1.‸", [fatal(SYNTAX, "/0", "the file ends at byte 3, inside a value")], id="cut inside a number"),
    pytest.param(
        "[1‸",
        [fatal(SYNTAX, "", "the file ends at byte 2, inside an array; the last complete value is /0")],
        id="cut after one",
    ),
    pytest.param(
        '["\\u12‸', [fatal(SYNTAX, "/0", "the file ends at byte 6, inside a string")], id="cut inside an escape"
    ),
    pytest.param(
        '["a\\ud83d‸', [fatal(SYNTAX, "/0", "the file ends at byte 9, inside a string")], id="cut between two halves"
    ),
    pytest.param(
        '["a‸\\ude00‸',
        [passing(SURROGATE, "/0", LONE), fatal(SYNTAX, "/0", "the file ends at byte 9, inside a string")],
        id="cut after a half that nothing can complete",
    ),
    pytest.param(
        '["a\\‸', [fatal(SYNTAX, "/0", "the file ends at byte 4, inside a string")], id="cut after a backslash"
    ),
    pytest.param(
        '["a‸\n, 1]‸',
        [
            fatal(SYNTAX, "/0", "an unescaped line break in a string"),
            fatal(SYNTAX, "/0", "the file ends at byte 8, inside a string"),
        ],
        id="a string that nothing closes is told where its line breaks",
    ),
    pytest.param('["ab‸\\x41"]', [fatal(SYNTAX, "/0", "an invalid escape in a string")], id="an escape that is none"),
    pytest.param(
        '{"a": {"‸\\u00zz": 1}}', [fatal(SYNTAX, "/a", "an invalid escape in a member name")], id="digits that are none"
    ),
    pytest.param(
        '["caf‸\udce9"]',
        [fatal(ENCODING, "/0", bad_bytes("a byte of another encoding (Latin-1, Windows-1252?)", 5))],
        id="a byte of Latin-1",
    ),
    pytest.param(
        '["é‸\udcff", 1, "‸\udc80\udc80"]',
        [
            fatal(ENCODING, "/0", bad_bytes("a byte of another encoding (Latin-1, Windows-1252?)", 4)),
            fatal(ENCODING, "/2", bad_bytes("a byte of another encoding (Latin-1, Windows-1252?)", 12)),
        ],
        id="each string with such bytes once, its offset in bytes",
    ),
    pytest.param('["‸\udcc0\udcaf"]', [fatal(ENCODING, "/0", bad_bytes("an overlong sequence", 2))], id="overlong"),
    pytest.param(
        '["‸\udced\udca0\udcbd\udced\udcb8\udc80"]',
        [fatal(ENCODING, "/0", bad_bytes("an encoded surrogate (CESU-8)", 2))],
        id="surrogates encoded one by one",
    ),
    pytest.param(
        '{"a": {"‸\udce4\udcb8": 1}}', [fatal(ENCODING, "/a", bad_bytes("an incomplete sequence", 8))], id="half a name"
    ),
    pytest.param(
        '["ab‸\udce4\udcb8‸',
        [
            fatal(ENCODING, "/0", bad_bytes("an incomplete sequence at the end", 4)),
            fatal(SYNTAX, "/0", "the file ends at byte 6, inside a string"),
        ],
        id="cut inside a character",
    ),
    pytest.param(
        "[1, ‸\udce9]",
        [fatal(ENCODING, "/1", bad_bytes("a byte of another encoding (Latin-1, Windows-1252?)", 4))],
        id="such a byte outside of strings",
    ),
    pytest.param(
        '{"a": ‸' + "1" * 4301 + ', ‸"a": ‸NaN}',
        [
            fatal(LIMIT, "/a", "a number of more than 4300 digits"),
            passing(DUPLICATE, "/a", TWICE),
            fatal(SYNTAX, "/a", "NaN is not JSON"),
        ],
        id="a number that is too long, and what follows it",
    ),
    pytest.param(
        "[" * 200 + "‸[" + "]" * 201,
        [fatal(LIMIT, "/0" * 200, "nested deeper than 200 levels")],
        id="one level too deep",
    ),
    pytest.param(
        '{"a":' * 200 + '‸{"a":' * 1 + "1" + "}" * 201,
        [fatal(LIMIT, "/a" * 200, "nested deeper than 200 levels")],
        id="one object too deep",
    ),
    pytest.param(
        "[" * 200 + "‸[" + "[" * 100_000, [fatal(LIMIT, "/0" * 200, "nested deeper than 200 levels")], id="100,000 deep"
    ),
]


@pytest.mark.parametrize(("text", "faults", "tree"), READ_OVER)
def test_tells_and_reads_over(text: str, faults: list[Told], tree: Any) -> None:
    raw, where = unmarked(text)
    document = read_exactly(raw)
    assert (raw, repr(tree)) == (document.raw, repr(document.tree))
    assert faults == told(document)
    assert where == places(document)


@pytest.mark.parametrize(("text", "faults"), BROKEN)
def test_tells_and_leaves_no_tree(text: str, faults: list[Told]) -> None:
    raw, where = unmarked(text)
    document = read_exactly(raw)
    assert document.tree is MISSING
    assert faults == told(document)
    assert where == places(document)


def test_reads_200_levels() -> None:
    assert told(read_exactly(b"[" * 200 + b"]" * 200)) == []


def test_reads_as_deep_as_it_is_allowed_to() -> None:
    assert told(read_exactly(b"[" * 50_000 + b"]" * 50_000, DEFAULT_LIMITS._replace(max_depth=50_000))) == []


def test_reads_numbers_as_long_as_it_is_allowed_to() -> None:
    document = read_exactly(b"9" * 6000, DEFAULT_LIMITS._replace(max_number_chars=6000))
    assert document.tree == 10**6000 - 1


def test_refuses_more_bytes_than_it_is_allowed_before_it_looks_at_them() -> None:
    document = read_exactly(b"[1, NaN]", DEFAULT_LIMITS._replace(max_bytes=7))
    assert [fatal(LIMIT, "", "the file is larger than 7 bytes")] == told(document)
    assert tuple(fault.hint for fault in document.faults) == ("raise the limit with --max-bytes",)


def test_a_byte_order_mark_is_told_read_over_and_no_column() -> None:
    document = read_exactly(b'\xef\xbb\xbf{"a": NaN}')
    message = "the file starts with a byte order mark"
    assert [passing(ENCODING, "", message), fatal(SYNTAX, "/a", "NaN is not JSON")] == told(document)
    assert places(document) == [(1, 1), (1, 7)]
    assert repr({"a": NAN}) == repr(document.tree)


def test_messages_name_what_the_bytes_are() -> None:
    document = read_exactly(b'{"a"', whole="last line")
    assert [fatal(SYNTAX, "", "the last line ends at byte 4 of it, inside an object")] == told(document)


@pytest.mark.parametrize(
    "raw",
    [
        pytest.param(b'{"a":1' + b',"a":1' * 50_000 + b"}", id="duplicates"),
        pytest.param(b"[" + b'"\xe9",' * 50_000 + b"1]", id="strings that are not UTF-8"),
        pytest.param(b"[" + b'"\\ud800",' * 50_000 + b"1]", id="lone surrogates"),
        pytest.param(b"[" + b'"a\nb",' * 50_000 + b"1]", id="unescaped line breaks"),
        pytest.param(b"[" + b"NaN," * 50_000 + b"1]", id="NaN"),
    ],
)
def test_tells_all_of_very_many(raw: bytes) -> None:
    assert len(read_exactly(raw).faults) == 50_000


# --- laws --------------------------------------------------------------------------------------------------------


class Members(list[tuple[str, Any]]):
    """The members of an object, in which a name may come twice."""


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4) | st.lists(st.tuples(st.text(max_size=2), inner), max_size=4).map(Members)
    ),
    max_leaves=20,
)


def written(value: Any) -> str:
    if isinstance(value, Members):
        return "{" + ", ".join(f"{json.dumps(name)}: {written(inner)}" for name, inner in value) + "}"
    if isinstance(value, list):
        return "[" + ",\n".join(written(inner) for inner in value) + "]"
    return json.dumps(value)


def duplicates(value: Any) -> int:
    if isinstance(value, Members):
        return len(value) - len({name for name, _ in value}) + sum(duplicates(inner) for _, inner in value)
    return sum(duplicates(inner) for inner in value) if isinstance(value, list) else 0


@given(VALUES)
def test_agrees_with_the_standard_library_on_the_tree_and_counts_every_duplicate(value: Any) -> None:
    text = written(value)
    document = read_exactly(text.encode())
    assert repr(json.loads(text)) == repr(document.tree)
    assert duplicates(value) == sum(fault.kind is DUPLICATE for fault in document.faults)


@given(VALUES, st.data())
def test_a_text_that_is_cut_is_told_to_be_cut_at_its_end(value: Any, data: st.DataObject) -> None:
    text = written([value])
    cut = text[: data.draw(st.integers(1, len(text) - 1))]
    document = read_exactly(cut.encode())
    last = document.faults[-1]
    assert f"the file ends at byte {len(cut.encode())}, inside " in last.message
    assert len(cut.encode()) == last.offset
    assert (cut.count("\n") + 1, len(cut) - cut.rfind("\n")) == (last.line, last.column)


TOKENS = b"""{ } [ ] , : " \\ \\u \\ud83d \\udc00 00 1 - . e true null NaN Infinity "a" "a": ' / # < x \0"""
ODD = (b" ", b"\n", b"\r", b"\t", b"\xef\xbb\xbf", b"\xff", b"\xc3", b"\xa9", b"\xed\xa0\x80", b"\xe2\x80\x9c")
PIECES = st.sampled_from([*TOKENS.split(b" "), *ODD])
JUNK = st.binary(max_size=60) | st.lists(PIECES, max_size=30).map(b"".join)


@settings(max_examples=400)
@given(JUNK)
def test_never_raises_and_places_every_fault_inside_the_text(raw: bytes) -> None:
    document = read_exactly(raw)
    lines = raw.decode("utf-8", "surrogateescape").split("\n")
    assert document.tree is not MISSING or not document.is_readable
    for fault in document.faults:
        if fault.line is not None and fault.column is not None:
            assert 1 <= fault.line <= len(lines)
            assert 1 <= fault.column <= len(lines[fault.line - 1]) + 1


@settings(max_examples=400)
@given(JUNK)
def test_agrees_with_the_fast_reader_on_what_is_json(raw: bytes) -> None:
    document = read_exactly(raw)
    found = {fault.kind for fault in document.faults}
    try:
        tree = jiter.from_json(raw, allow_inf_nan=False, catch_duplicate_keys=True)
    except ValueError:
        assert found
    else:
        assert found <= {NUMBER}
        assert repr(tree) == repr(document.tree)


def test_no_message_or_hint_repeats_the_document() -> None:
    canary = "kc4" + "n4ry"
    texts = [
        f'{{"{canary}": 1, "{canary}": "\\ud800{canary}", "b": NaN, "x": "{canary}\t", "c": {canary}}}',
        f'{{"{canary}": ["{canary}", {{"{canary}": "{canary}',
        f'["{canary}\\x"]',
        f"{{{canary}: 1}}",
        f"<{canary}>",
        f"{canary}: 1",
        f"{{}} {canary}",
        f'{{"a" {canary}}}',
        f"[1 {canary}]",
    ]
    for text in texts:
        for fault in read_exactly(text.encode()).faults:
            assert canary not in fault.message + fault.hint


def test_infinity_is_told_of_floats_only() -> None:
    assert math.inf == read_exactly(b"1e400").tree
    assert read_exactly(b"1" + b"0" * 400).tree == 10**400
