"""What is left of a secret that was cut, or broken over lines by the edge of a terminal: it goes whole."""

from __future__ import annotations

import random
import string

import pytest

from attraj.secrets import Detector
from tests.secrets.made import made

RNG = random.Random(23)
DETECTOR = Detector()
FULL = [made("[A-Za-z0-9+/]{64}", RNG) for _ in range(48)]
LAST = made("[A-Za-z0-9+/]{38}==", RNG)
END = "-----END RSA PRIVATE " + "KEY-----"
TAIL = " and then some more text follows so that the lines go on for at least another one of them, fine"


def left_of(text: str) -> str:
    """The text without what is found in it."""
    DETECTOR.forget()
    for span in reversed(DETECTOR.scan_text(text).spans):
        for piece in reversed(span.pieces):
            text = text[: piece.start] + "·" + text[piece.end :]
    return text


@pytest.mark.parametrize("count", [0, 1, 4, 20, 48])
@pytest.mark.parametrize("mark", ["", "+", "> ", "    12\t", "│ "])
def test_every_line_above_the_end_of_a_private_key_goes(count: int, mark: str) -> None:
    lines = [*FULL[:count], LAST, END]
    assert "key file:\n·\n$ \n" == left_of("key file:\n" + "\n".join(mark + line for line in lines) + "\n$ \n")


def test_the_checksum_and_what_a_cut_left_of_the_first_line_go_too() -> None:
    text = "\n".join([FULL[0][:17], *FULL[1:5], LAST, "=" + FULL[6][:4], "-----END PGP PRIVATE KEY " + "BLOCK-----"])
    assert "·" == left_of(text.replace("\n=", "\n"))


KEPT = [
    pytest.param(f"done\n{FULL[0]}\n{FULL[1]}\n{END}", "done\n·", id="a-word-above-it"),
    pytest.param(f"{FULL[0]}\nthe key was here\n{LAST}\n{END}", f"{FULL[0]}\nthe key was here\n·", id="prose-between"),
    pytest.param(f"{FULL[0]}\n-----END PUBLIC KEY-----", f"{FULL[0]}\n-----END PUBLIC KEY-----", id="public-key"),
]


@pytest.mark.parametrize(("text", "expected"), KEPT)
def test_what_stands_above_a_private_key_stays(text: str, expected: str) -> None:
    assert expected == left_of(text)


def wrapped(token: str, width: int, before: int) -> str:
    text = ("ab cd " * 40)[: before - 1] + " " + token + TAIL
    return "\n".join(text[at : at + width] for at in range(0, len(text), width))


def letters(count: int) -> str:
    return "".join(RNG.choices(string.ascii_letters, k=count))


@pytest.mark.parametrize("last", [3, 5, 8, 12, 16])
@pytest.mark.parametrize("lines", [2, 3])
def test_a_wrapped_token_goes_whole_when_its_last_piece_is_all_letters(last: int, lines: int) -> None:
    token = "sk-" + "ant-api03-" + made("[A-Za-z0-9_\\-]{%d}" % (130 - last), RNG) + letters(last)
    first = len(token) - last - 80 * (lines - 2)
    text = wrapped(token, 80, 160 - first)
    assert TAIL in left_of(text).replace("\n", "")
    assert token[-last:] + " and" not in left_of(text)


@pytest.mark.parametrize("last", ["24971", "CDCBC", "A888A", "9845D"])
def test_the_last_piece_goes_also_at_an_edge_of_no_usual_width(last: str) -> None:
    token = "ATC" + "TT3xFfGN0" + made("[A-Z][0-9][a-z_]" * 53 + "=", RNG) + "BD4" + last
    assert left_of(wrapped(token, 60, 5)).replace("\n", "")[5:].strip("·") == TAIL


@pytest.mark.parametrize("width", [60, 80, 100, 120])
@pytest.mark.parametrize("before", [5, 20, 40, 52])
def test_a_wrapped_token_with_an_equals_sign_goes_whole(width: int, before: int) -> None:
    for _ in range(8):
        token = "ATC" + "TT3xFfGN0" + made("[A-Z][0-9][a-z_]" * 53 + "=[0-9A-F]{8}", RNG)
        left = left_of(wrapped(token, width, before)).replace("\n", "")
        assert ("ab cd " * 40)[: before - 1] + " " == left[:before]
        assert TAIL == left[before:].strip("·")


@pytest.mark.parametrize("following", ["GAUGE_UNIT=m", "gaugeUnit: m", "2026-11-30 12:00", "12. tide", "gauge"])
def test_a_line_of_its_own_after_a_full_line_stays(following: str) -> None:
    token = "gh" + "p_" + made("[A-Za-z0-9]{36}", RNG)
    line = ("ab cd " * 40)[:39] + " " + token
    assert f"{line[:40]}·\n{following}\n" == left_of(f"{line}\n{following}\n")
