from __future__ import annotations

import pytest

from attraj.jsonio import MISSING, FaultKind
from attraj.jsonio.exact import read_exactly
from tests.jsonio.marked import fatal, places, told, unmarked

PYTHON = "single quotes: this looks like a Python repr, not JSON"
COMMENT = "comments are not JSON"
COMMA = "a comma is missing before this"
OR_QUOTE = "a comma is missing before this, or a quote inside the string is not escaped"
HEX = "JSON has no hexadecimal, octal or binary numbers"

CASES = [
    # At the start of the text.
    pytest.param("‸<!doctype html><p>", "", "this looks like HTML or XML, not JSON", id="a web page"),
    pytest.param("‸version: 1\nsteps: []\n", "", "this looks like YAML, not JSON", id="YAML"),
    pytest.param("‸---\nversion: 1\n", "", "this looks like YAML, not JSON", id="YAML with its first marker"),
    pytest.param("‸hello", "", "this is not a JSON value", id="a word"),
    # Where a value is expected.
    pytest.param("[‸'a']", "/0", PYTHON, id="a value in single quotes"),
    pytest.param('{"a": ‸None}', "/a", "Python's None, True and False are not JSON", id="None"),
    pytest.param('{"a": ‸TRUE}', "/a", "null, true and false are written in small letters", id="TRUE"),
    pytest.param("[‸undefined]", "/0", "undefined is not JSON", id="undefined"),
    pytest.param("[‸nan]", "/0", "JSON has no NaN and no Infinity", id="nan in small letters"),
    pytest.param("[‸+inf]", "/0", "JSON has no NaN and no Infinity", id="inf with a sign"),
    pytest.param("[1, ‸+1]", "/1", "a number must not start with a plus sign", id="a plus sign"),
    pytest.param("[‸0x1F]", "/0", HEX, id="hexadecimal"),
    pytest.param("[‸0b1]", "/0", HEX, id="binary"),
    pytest.param("[‸010]", "/0", "a number must not start with a zero", id="a leading zero"),
    pytest.param("[‸-01]", "/0", "a number must not start with a zero", id="a leading zero after the sign"),
    pytest.param("[‸.5]", "/0", "a number must have a digit before its point", id="no digit before the point"),
    pytest.param("[‸1.]", "/0", "a number must have a digit after its point", id="no digit after the point"),
    pytest.param("[‸1e]", "/0", "this is not a JSON number", id="no exponent"),
    pytest.param("[‸1_000]", "/0", "this is not a JSON number", id="a separator of thousands"),
    pytest.param("[‸- 1]", "/0", "a minus sign without a number", id="a lone minus sign"),
    pytest.param("[1, ‸, 2]", "", "a value is missing before this comma", id="two commas"),
    pytest.param('{"a": ‸}', "", "a value is missing before this bracket", id="no value before a bracket"),
    pytest.param('{"a": ‸: 1}', "/a", "a value is missing before this colon", id="two colons"),
    pytest.param("[‸word]", "/0", "this is not a JSON value", id="an unquoted text"),
    pytest.param("[‸“a”]", "/0", "typographic quotes instead of straight ones", id="typographic quotes"),
    pytest.param("[1‸, ]", "", "a trailing comma", id="a trailing comma in an array"),
    pytest.param("[‸,]", "", "a value is missing before this comma", id="nothing but a comma"),
    pytest.param("[‸!]", "/0", "a value is expected here", id="a character that nothing explains"),
    # Where a member name is expected.
    pytest.param('{"a": {"b": 1‸,\n}}', "/a", "a trailing comma", id="a trailing comma in an object"),
    pytest.param("{‸'a': 1}", "", PYTHON, id="a name in single quotes"),
    pytest.param('{"a": 1, ‸b: 2}', "", "a member name must be in double quotes", id="an unquoted name"),
    pytest.param('{"a": 1, ‸2: 2}', "", "a member name must be in double quotes", id="a number for a name"),
    pytest.param('{"a": 1,‸, "b": 2}', "", "a member is missing before this comma", id="two commas in an object"),
    pytest.param("{‸: 1}", "", "a member name is missing here", id="no name before a colon"),
    pytest.param("{‸]", "", "an object is closed by the bracket of an array", id="an empty object closed wrongly"),
    pytest.param("{‸// c\n}", "", COMMENT, id="a comment before a name"),
    pytest.param('{‸!"a": 1}', "", "a member name is expected here", id="a character before a name"),
    # Where a colon is expected.
    pytest.param('{"a" ‸1}', "", "a colon is expected here", id="no colon"),
    # After a value.
    pytest.param('{"a": 1 ‸"b": 2}', "", COMMA, id="no comma before a member"),
    pytest.param("[1 ‸2]", "", OR_QUOTE, id="no comma before a number"),
    pytest.param('["say "‸hi" now"]', "", OR_QUOTE, id="a quote inside a text"),
    pytest.param("[1 ‸/* c */]", "", COMMENT, id="a comment after a value"),
    pytest.param("[1 ‸# c\n]", "", COMMENT, id="a comment of a script"),
    pytest.param("[[1, 2‸}]", "/0", "an array is closed by the bracket of an object", id="an array closed wrongly"),
    pytest.param('[{"a": 1‸]]', "/0", "an object is closed by the bracket of an array", id="an object closed wrongly"),
    pytest.param('["a"‸: 1]', "", "a colon where a comma or the closing bracket is expected", id="a colon in an array"),
    pytest.param("[1‸\0\0]", "", "a NUL byte (the file was written sparsely or never filled?)", id="NUL bytes"),
    pytest.param("[1‸;]", "", "a comma or the closing bracket is expected here", id="a semicolon"),
    pytest.param("[1,‸\ufeff2]", "/1", "a byte order mark inside the text", id="a byte order mark in the middle"),
    # After the document.
    pytest.param("{}‸\0\0", "", "NUL bytes after the document, at byte 2", id="padded with NUL bytes"),
    pytest.param('{}\n‸{"a": 1}', "", "more than one document in the file, at byte 3", id="another document"),
    pytest.param("{}‸}", "", "one closing bracket too many, at byte 2", id="a bracket too many"),
    pytest.param("{} ‸// end", "", "comments are not JSON, at byte 3", id="a comment at the end"),
    pytest.param('["é"]‸x', "", "something follows the document, at byte 6", id="a character at the end"),
]


@pytest.mark.parametrize(("text", "pointer", "message"), CASES)
def test_says_why_the_text_breaks(text: str, pointer: str, message: str) -> None:
    raw, where = unmarked(text)
    document = read_exactly(raw)
    assert document.tree is MISSING
    assert [fatal(FaultKind.SYNTAX, pointer, message)] == told(document)
    assert where == places(document)
