from __future__ import annotations

from typing import Any

import jiter
import pytest

from attraj.jsonio import MISSING, Document, FaultKind, documents
from attraj.jsonio.parse import parse
from attraj.limits import DEFAULT_LIMITS
from tests.jsonio.marked import Told, fatal, passing, places, told

SYNTAX, DUPLICATE, ENCODING = FaultKind.SYNTAX, FaultKind.DUPLICATE, FaultKind.ENCODING
TWICE = "a duplicate member: the object has one of this name"


def split(raw: bytes) -> list[Document]:
    return list(documents(raw))


@pytest.mark.parametrize(
    "raw",
    [
        pytest.param(b'{"a": 1}', id="an object"),
        pytest.param(b'{"a": 1}\n', id="an object and a line break"),
        pytest.param(b'{\n"a": 1\n}', id="an object over several lines"),
        pytest.param(b"[]", id="an empty array"),
        pytest.param(b'[{"a": 1}, 2]', id="an array of which an element is no object"),
        pytest.param(b"null", id="null"),
        pytest.param(b'"{}"', id="a text"),
        pytest.param(b"1\n2\n", id="lines that are no objects"),
        pytest.param(b"[1]\n[2]\n", id="lines that are arrays"),
        pytest.param(b'{"a": 1}{"a": 2}', id="two objects on one line"),
        pytest.param(b'{"a": 1, "a": 2}\n\n', id="a duplicate on the only line"),
        pytest.param(b'{"a": [\n{"b": 1}\n{"b": 2},\n', id="lines of one document that is cut"),
        pytest.param(b'{"a": 1\n{"a": 2}\n', id="a first line that is cut"),
        pytest.param(b"", id="nothing"),
        pytest.param(b"\n\n", id="blank lines"),
        pytest.param('{"a": 1}\n{"a": 2}'.encode("utf-16"), id="lines in UTF-16"),
    ],
)
def test_one_document(raw: bytes) -> None:
    assert [parse(raw)] == split(raw)


def test_each_object_of_an_array_is_a_document() -> None:
    raw = b'[{"a": 1}, {}]'
    expected = [Document(raw, {"a": 1}, index=0, prefix="/0"), Document(raw, {}, index=1, prefix="/1")]
    assert expected == split(raw)


def test_the_faults_of_an_array_go_to_the_elements_that_have_them() -> None:
    raw = b'\xef\xbb\xbf[{"a": 1},\n{"a": {"b": NaN}},\n {"c": 1, "c": 2}]'
    found = split(raw)
    mark = passing(ENCODING, "", "the file starts with a byte order mark")
    expected = [[mark], [fatal(SYNTAX, "/a/b", "NaN is not JSON")], [passing(DUPLICATE, "/c", TWICE)]]
    assert expected == [told(document) for document in found]
    where = [[(1, 1)], [(2, 13)], [(3, 11)]]
    assert where == [places(document) for document in found]
    readable = [True, False, True]
    assert readable == [document.is_readable for document in found]


def test_an_array_that_breaks_is_one_document() -> None:
    assert [parse(b'[{"a": 1}, {"a": }]')] == split(b'[{"a": 1}, {"a": }]')


def test_each_line_is_a_document() -> None:
    raw = b'{"a": 1}\n\n  {"b": 2} \r\n{"c": 3}'
    expected = [
        Document(b'{"a": 1}', {"a": 1}, index=0, first_line=1),
        Document(b'  {"b": 2} ', {"b": 2}, index=1, first_line=3),
        Document(b'{"c": 3}', {"c": 3}, index=2, first_line=4),
    ]
    assert expected == split(raw)


@pytest.mark.parametrize("end", [pytest.param(b"\n", id="LF"), pytest.param(b"\r\n", id="CRLF")])
@pytest.mark.parametrize("last", [pytest.param(True, id="a final line end"), pytest.param(False, id="no final one")])
def test_line_ends_make_no_difference(end: bytes, last: bool) -> None:
    raw = b'{"a": 1}' + end + b'{"a": 2}' + (end if last else b"")
    trees: list[Any] = [{"a": 1}, {"a": 2}]
    assert trees == [document.tree for document in split(raw)]


LINES = [
    pytest.param(
        b'{"a": \n{"a": 2}\n{"a": 3}\n',
        [[fatal(SYNTAX, "", "the line ends inside an object")], [], []],
        [[(1, 7)], [], []],
        id="a bad first line before two good ones",
    ),
    pytest.param(
        b'{"a": 1}\n{"a": 2, }\n{"a": 3}\n',
        [[], [fatal(SYNTAX, "", "a trailing comma")], []],
        [[], [(2, 8)], []],
        id="a bad line among good ones",
    ),
    pytest.param(
        b'\n{"a": 1}\n{"a": 2\n{"a": 3}',
        [[], [fatal(SYNTAX, "", "the line ends inside an object; the last complete value is /a")], []],
        [[], [(3, 8)], []],
        id="a line that is cut",
    ),
    pytest.param(
        b'{"a": 1}\n{"a": "x',
        [[], [fatal(SYNTAX, "", "the last line ends inside a string")]],
        [[], [(2, 9)]],
        id="a last line that is cut",
    ),
    pytest.param(
        b'{"a": 1, "a": 2}\n{"a": 3, "a": 4}\n',
        [[passing(DUPLICATE, "/a", TWICE)], [passing(DUPLICATE, "/a", TWICE)]],
        [[(1, 10)], [(2, 10)]],
        id="duplicates on every line, the first one too",
    ),
    pytest.param(
        b'\xef\xbb\xbf{"a": 1}\n{"a": 2}\n',
        [[passing(ENCODING, "", "the line starts with a byte order mark")], []],
        [[(1, 1)], []],
        id="a byte order mark before the first line",
    ),
    pytest.param(
        b'{"a": 1}\n[2]\n"x"\n',
        [[], [], []],
        [[], [], []],
        id="lines that hold other values",
    ),
    pytest.param(
        b'{"a": 1}\n\0\0\0',
        [[], [fatal(SYNTAX, "", "the last line holds only NUL bytes (written sparsely or never filled?)")]],
        [[], [(2, 1)]],
        id="a line of NUL bytes",
    ),
    pytest.param(
        b'{"a": 1}\n' + b'{"a": "caf\xe9"}\n',
        [
            [],
            [fatal(ENCODING, "/a", "not UTF-8: a byte of another encoding (Latin-1, Windows-1252?), at byte 10")],
        ],
        [[], [(2, 11)]],
        id="a line that is not UTF-8",
    ),
]


@pytest.mark.parametrize(("raw", "faults", "where"), LINES)
def test_a_bad_line_hides_no_other(raw: bytes, faults: list[list[Told]], where: list[list[tuple[int, int]]]) -> None:
    found = split(raw)
    assert faults == [told(document) for document in found]
    assert where == [places(document) for document in found]


def test_one_bad_line_of_very_many() -> None:
    found = split(b'{"a": 1}\n' * 5_000 + b"{\n" + b'{"a": 1}\n' * 5_000)
    bad = [(document.index, document.first_line, document.tree) for document in found if not document.is_readable]
    assert (len(found), bad) == (10_001, [(5_000, 5_001, MISSING)])


def test_a_file_larger_than_allowed_is_one_document() -> None:
    limits = DEFAULT_LIMITS._replace(max_bytes=10)
    [document] = documents(b'{"a": 1}\n{"a": 2}\n', limits)
    assert [fatal(FaultKind.LIMIT, "", "the file is larger than 10 bytes")] == told(document)


def test_a_sound_document_is_parsed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[bytes] = []
    real = jiter.from_json

    def counted(raw: bytes, **options: Any) -> Any:
        calls.append(raw)
        return real(raw, **options)

    monkeypatch.setattr(jiter, "from_json", counted)
    raw = b'{"a": [1, 2]}\n'
    assert [Document(raw, {"a": [1, 2]})] == split(raw)
    assert [raw] == calls
