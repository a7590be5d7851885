"""A token in a dump of bytes: taken out of both columns, proven, and nothing else of the dump goes."""

from __future__ import annotations

import re

import pytest

from attraj.redaction.prove import is_rewritten
from attraj.redaction.run import redact_scope
from tests.redaction.made_up import GITHUB, TOOLS, redacted, source


def rows(raw: bytes) -> list[tuple[int, bytes]]:
    return [(at, raw[at : at + 16]) for at in range(0, len(raw), 16)]


def readable(row: bytes) -> str:
    return "".join(chr(byte) if 32 <= byte < 127 else "." for byte in row)


def xxd(raw: bytes) -> str:
    pairs = {at: re.sub("(....)", r"\1 ", row.hex()).strip() for at, row in rows(raw)}
    return "".join(f"{at:08x}: {pairs[at]:<39}  {readable(row)}\n" for at, row in rows(raw))


def od_hex(raw: bytes) -> str:
    return "".join(f"{at:07o} {row.hex(' ')}\n" for at, row in rows(raw)) + f"{len(raw):07o}\n"


def od_hex_and_text(raw: bytes) -> str:
    return "".join(f"{at:06x} {row.hex(' '):<48} >{readable(row)}<\n" for at, row in rows(raw)) + f"{len(raw):06x}\n"


def od_hex_alone(raw: bytes) -> str:
    return "$ od -An -tx1 .token\n" + "".join(f" {row.hex(' ')}\n" for _, row in rows(raw))


def od_chars(raw: bytes) -> str:
    cells = {at: "".join(f"{chr(byte) if byte != 10 else chr(92) + 'n':>4}" for byte in row) for at, row in rows(raw)}
    return "".join(f"{at:07o}{cells[at]}\n" for at, _ in rows(raw)) + f"{len(raw):07o}\n"


@pytest.mark.parametrize("dump", [xxd, od_hex, od_hex_and_text, od_hex_alone, od_chars])
@pytest.mark.parametrize("before", ["", "cred=", "tok "], ids=["from-the-first-byte", "after-a-name", "after-a-word"])
@pytest.mark.parametrize("after", ["", "\n", " and the rest of the file\n"], ids=["at-the-end", "a-line", "more"])
def test_a_token_in_a_dump(dump, before: str, after: str) -> None:  # type: ignore[no-untyped-def]
    text = dump((before + GITHUB + after).encode())
    made = redacted({"message": text})["message"]
    assert "<API_TOKEN_1>" in made
    assert is_rewritten(text, made)
    for part in (GITHUB[4:12], GITHUB[-8:]):
        assert part not in made
        assert part.encode().hex() not in made.replace(" ", "")
        assert "   ".join(part) not in made
    assert [text.count("\n")] == [made.count("\n")]


@pytest.mark.parametrize("dump", [xxd, od_hex, od_hex_and_text, od_chars])
def test_a_dump_without_a_token_stays(dump) -> None:  # type: ignore[no-untyped-def]
    text = dump(b"nothing to see in here, only words and a few numbers: 1 2 3\n")
    assert text == redacted({"message": text})["message"]
    assert [] == redact_scope([source(text.encode(), "a.log")], TOOLS).failures


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("a b  c\n", "<API_TOKEN_1> X  c\n", id="another-character"),
        pytest.param("a b  c\n", "<API_TOKEN_1>  c b\n", id="another-order"),
        pytest.param("a b  c\n", "<API_TOKEN_1>     c\n", id="more-blanks-than-there-were"),
    ],
)
def test_what_the_older_text_has_not_is_a_change(old: str, new: str) -> None:
    assert not is_rewritten(old, new)
