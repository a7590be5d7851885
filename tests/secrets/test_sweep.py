"""Known values are found again: plainly, decoded, split and encoded; words are not."""

from __future__ import annotations

import base64
import json
import random

import pytest

from attraj.secrets.spans import Span
from attraj.secrets.sweep import Sweep, known_values
from tests.secrets.made import made

VALUE = made("[a-z]{6}#[0-9]{4}", random.Random(3))
SPAN = Span(0, len(VALUE), "PASSWORD", "name-password", value=VALUE)
SWEEP = Sweep(known_values([SPAN]))
FORMS = [
    pytest.param(f"login with {VALUE}!", id="plainly"),
    pytest.param(json.dumps(json.dumps(VALUE)), id="escaped"),
    pytest.param("".join(f"%{ord(c):02x}" for c in VALUE), id="percent"),
    pytest.param("".join(f"&#{ord(c)};" for c in VALUE), id="html"),
    pytest.param(f"\x1b[1m{VALUE[:4]}\x1b[0m{VALUE[4:]}", id="coloured"),
    pytest.param(f'"{VALUE[:5]}" + "{VALUE[5:]}"', id="concatenated"),
    pytest.param(base64.b64encode(f"user=keeper\npass={VALUE}\n".encode()).decode(), id="base64"),
    pytest.param(f"user keeper {VALUE} ok".encode().hex(), id="hex"),
]


@pytest.mark.parametrize("text", FORMS)
def test_finds_every_form(text: str) -> None:
    (span,) = SWEEP.find(text).spans
    assert VALUE in {span.value, *(inner.value for inner in span.inner)}


@pytest.mark.parametrize("text", ["", "nothing", f"x{VALUE}x", VALUE[:-1]], ids=["empty", "clean", "in-a-word", "cut"])
def test_is_silent(text: str) -> None:
    assert () == SWEEP.find(text).spans


@pytest.mark.parametrize("value", ["abc", "harbour", "4827", "12345"], ids=["short", "word", "pin", "digits"])
def test_what_may_be_a_word_of_any_text_is_not_looked_for(value: str) -> None:
    assert () == known_values([Span(0, 1, "PASSWORD", "r", value=value)])


def test_user_names_are_left_to_the_search_for_words() -> None:
    assert () == known_values([Span(0, 1, "USER", "home-path", value="adakeeper")])
