from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import jiter
import pytest

from attraj.jsonio import MISSING, Document, FaultKind, documents
from attraj.jsonio.parse import parse
from attraj.limits import DEFAULT_LIMITS
from tests.jsonio.marked import Told, fatal, passing, places, told

SYNTAX, DUPLICATE, ENCODING = FaultKind.SYNTAX, FaultKind.DUPLICATE, FaultKind.ENCODING
ODD = "an element of an array of documents is not an object"
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
        pytest.param(b'{"a": [\n{"b": 1}\n], "c": 1', id="an object alone on a line of one document that is cut"),
        pytest.param(b"{'a': [\n{\"b\": 1}\n]}\n", id="an object alone on a line of one document that is bad at once"),
        pytest.param(b'// a note\n{"a": 1}\n', id="a document after a line that is no JSON"),
        pytest.param(b'[INFO] started\n{"a": 1}\n', id="a log"),
        pytest.param(b"", id="nothing"),
        pytest.param(b"\n\n", id="blank lines"),
        pytest.param('{"a": 1}\n{"a": 2}'.encode("utf-16"), id="lines in UTF-16"),
    ],
)
def test_one_document(raw: bytes) -> None:
    assert [parse(raw)] == split(raw)


@dataclass(frozen=True)
class Read:
    """What is said of one document of several, without its faults."""

    raw: bytes
    tree: Any
    index: int
    start: tuple[int, int]
    prefix: str = ""


def reads(found: list[Document]) -> list[Read]:
    return [Read(each.raw, each.tree, each.index, each.start, each.prefix) for each in found]


def test_each_object_of_an_array_is_a_document() -> None:
    found = split(b'[{"a": 1},\n {},  {}]')
    expected = [
        Read(b'{"a": 1}', {"a": 1}, 0, (1, 2), "/0"),
        Read(b"{}", {}, 1, (2, 2), "/1"),
        Read(b"{}", {}, 2, (2, 7), "/2"),
    ]
    assert expected == reads(found)


def test_columns_of_elements_are_counted_in_characters() -> None:
    found = split('\ufeff[{"a": "é"}, {"b": "🙂"}, {}]'.encode())
    assert [(1, 2), (1, 14), (1, 26)] == [document.start for document in found]


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


REST = "; what follows was not read"
ARRAYS = [
    pytest.param(
        b'[{"a": 1}, {"b": 2}, {"c": [3, ',
        [
            [],
            [],
            [
                fatal(
                    SYNTAX, "/c", "the element ends at byte 10 of it, inside an array; the last complete value is /c/0"
                )
            ],
        ],
        [(1, 32)],
        [b'{"a": 1}', b'{"b": 2}', b'{"c": [3, '],
        id="cut inside an element",
    ),
    pytest.param(
        b'[{"a": 1},\n{"b": 2},\n',
        [[], [], [fatal(SYNTAX, "", "the file ends at byte 21, inside an array; the last complete value is /1")]],
        [(3, 1)],
        [b'{"a": 1}', b'{"b": 2}', b""],
        id="cut between elements",
    ),
    pytest.param(
        b'[{"a": 1}, {"a": }, {"a": 2}]',
        [[], [fatal(SYNTAX, "", "a value is missing before this bracket" + REST)]],
        [(1, 18)],
        [b'{"a": 1}', b'{"a": }, {"a": 2}]'],
        id="a bad element before others",
    ),
    pytest.param(
        b'[{"a": 1}\n {"a": 2}]',
        [[], [fatal(SYNTAX, "", "a comma is missing before this" + REST)]],
        [(2, 2)],
        [b'{"a": 1}', b'{"a": 2}]'],
        id="a comma that is missing",
    ),
    pytest.param(
        b'[{"a": 1}, {"a": 2},]',
        [[], [], [fatal(SYNTAX, "", "a trailing comma")]],
        [(1, 20)],
        [b'{"a": 1}', b'{"a": 2}', b"]"],
        id="a trailing comma",
    ),
    pytest.param(
        b'[{"a": 1}] {"a": 2}',
        [[], [fatal(SYNTAX, "", "more than one document in the file, at byte 11" + REST)]],
        [(1, 12)],
        [b'{"a": 1}', b'{"a": 2}'],
        id="something after the array",
    ),
    pytest.param(
        b'[{"a": "caf\xe9"}, {"a": 2}]',
        [
            [
                fatal(
                    ENCODING,
                    "/a",
                    "not UTF-8: a byte of another encoding (Latin-1, Windows-1252?), at byte 10 of the element",
                )
            ],
            [],
        ],
        [(1, 12)],
        [b'{"a": "caf\xe9"}', b'{"a": 2}'],
        id="an element that is not UTF-8",
    ),
    pytest.param(
        b'[{"a": 1}, {"n": ' + b"9" * 5000 + b'}, {"a": 2}]',
        [[], [fatal(FaultKind.LIMIT, "/n", "a number of more than 4300 digits")], []],
        [(1, 18)],
        [b'{"a": 1}', b'{"n": ' + b"9" * 5000 + b"}", b'{"a": 2}'],
        id="an element with a number that is too long",
    ),
    pytest.param(
        b'[{"a": 1}, null,\n 7, {"a": 2}]',
        [[], [fatal(FaultKind.TOP_LEVEL, "", ODD)], [fatal(FaultKind.TOP_LEVEL, "", ODD)], []],
        [(1, 12), (2, 2)],
        [b'{"a": 1}', b"null", b"7", b'{"a": 2}'],
        id="elements that are no objects",
    ),
]


@pytest.mark.parametrize(("raw", "faults", "where", "parts"), ARRAYS)
def test_a_bad_element_hides_no_other(
    raw: bytes, faults: list[list[Told]], where: list[tuple[int, int]], parts: list[bytes]
) -> None:
    found = list(documents(raw, is_one=lambda _elements: False))
    assert faults == [told(document) for document in found]
    assert where == [place for document in found for place in places(document)]
    assert parts == [document.raw for document in found]
    assert [(i, f"/{i}") for i in range(len(parts))] == [(document.index, document.prefix) for document in found]


@pytest.mark.parametrize(
    "raw",
    [
        pytest.param(b'[{"a": 1}, 2]', id="an element that is no object"),
        pytest.param(b'[{"a": 1}, {"a": ', id="cut"),
        pytest.param(b'[{"a": 1}, {"a": 1, "a": 2}]', id="a duplicate"),
    ],
)
def test_an_array_that_is_one_document_stays_one(raw: bytes) -> None:
    assert [parse(raw)] == list(documents(raw, is_one=lambda _elements: True))


def test_the_bytes_of_many_elements_are_found_at_once() -> None:
    raw = b"[" + b",\n".join(b'{"a": %d}' % i for i in range(50_000)) + b"]"
    found = split(raw)
    assert raw[1:-1] == b",\n".join(document.raw for document in found)
    assert (50_000, 1) == found[-1].start


def test_each_line_is_a_document() -> None:
    raw = b'{"a": 1}\n\n  {"b": 2} \r\n{"c": 3}'
    expected = [
        Read(b'{"a": 1}', {"a": 1}, 0, (1, 1)),
        Read(b'  {"b": 2} ', {"b": 2}, 1, (3, 1)),
        Read(b'{"c": 3}', {"c": 3}, 2, (4, 1)),
    ]
    assert expected == reads(split(raw))


@pytest.mark.parametrize("end", [pytest.param(b"\n", id="LF"), pytest.param(b"\r\n", id="CRLF")])
@pytest.mark.parametrize("last", [pytest.param(True, id="a final line end"), pytest.param(False, id="no final one")])
def test_line_ends_make_no_difference(end: bytes, last: bool) -> None:
    raw = b'{"a": 1}' + end + b'{"a": 2}' + (end if last else b"")
    trees: list[Any] = [{"a": 1}, {"a": 2}]
    assert trees == [document.tree for document in split(raw)]


LINES = [
    pytest.param(
        b'{bad\n{"a": 2}\n',
        [[fatal(SYNTAX, "", "a member name must be in double quotes")], []],
        [[(1, 2)], []],
        id="a bad first line before a good one",
    ),
    pytest.param(
        b'{"a": 1\n{"a": 2}\n',
        [[fatal(SYNTAX, "", "the line ends at byte 7 of it, inside an object; the last complete value is /a")], []],
        [[(1, 8)], []],
        id="a first line that is cut before a good one",
    ),
    pytest.param(
        b'{"a": "caf\xe9"}\n{"a": \n{"a": 3}',
        [
            [
                fatal(
                    ENCODING,
                    "/a",
                    "not UTF-8: a byte of another encoding (Latin-1, Windows-1252?), at byte 10 of the line",
                )
            ],
            [fatal(SYNTAX, "", "the line ends at byte 6 of it, inside an object")],
            [],
        ],
        [[(1, 11)], [(2, 7)], []],
        id="two bad lines before a good one",
    ),
    pytest.param(
        b'"x": 1}\n{"a": 2}\n{"a": 3}\n',
        [[fatal(SYNTAX, "", "something follows the document, at byte 3 of the line")], [], []],
        [[(1, 4)], [], []],
        id="a first line whose beginning is lost",
    ),
    pytest.param(
        b'{"a": \n{"a": 2}\n{"a": 3}\n',
        [[fatal(SYNTAX, "", "the line ends at byte 6 of it, inside an object")], [], []],
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
        [[], [fatal(SYNTAX, "", "the line ends at byte 7 of it, inside an object; the last complete value is /a")], []],
        [[], [(3, 8)], []],
        id="a line that is cut",
    ),
    pytest.param(
        b'{"a": 1}\n{"a": "x',
        [[], [fatal(SYNTAX, "/a", "the last line ends at byte 8 of it, inside a string")]],
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
            [
                fatal(
                    ENCODING,
                    "/a",
                    "not UTF-8: a byte of another encoding (Latin-1, Windows-1252?), at byte 10 of the line",
                )
            ],
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
