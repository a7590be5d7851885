"""Spans that overlap: the first of them wins, placeholders always do, and nothing is taken twice."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from attraj.redaction.placeholders import standing
from attraj.redaction.seen import disjoint, touches, unnamed
from attraj.secrets.spans import Piece, Span

TEXT = "one <API_TOKEN_1> two <EMAIL_2> three"
PLACES = st.tuples(st.integers(0, len(TEXT)), st.integers(0, len(TEXT))).map(lambda place: tuple(sorted(place)))


def _span(start: int, end: int, rule: str = "rule") -> Span:
    return Span(start, end, "SECRET", rule, pieces=(Piece(start, end),), value=TEXT[start:end])


@given(st.lists(PLACES, max_size=12))
def test_each_character_goes_with_the_first_span_that_holds_it(places: list[tuple[int, int]]) -> None:
    spans = [_span(*place) for place in places]
    owners: list[int | None] = [None] * len(TEXT)
    for start, end in standing(TEXT):
        owners[start:end] = [-1] * (end - start)
    for number, (start, end) in enumerate(places):
        for at in range(start, end):
            owners[at] = number if owners[at] is None else owners[at]
    made: list[int | None] = [None] * len(TEXT)
    for span, (start, end), _ in disjoint(TEXT, spans):
        assert all(made[at] is None for at in range(start, end))
        made[start:end] = [next(n for n, one in enumerate(spans) if one is span)] * (end - start)
    assert [o if o != -1 and TEXT[at].strip() else None for at, o in enumerate(owners)] == [
        m if TEXT[at].strip() else None for at, m in enumerate(made)
    ]


@given(PLACES)
def test_a_span_touches_what_it_shares_a_character_with(place: tuple[int, int]) -> None:
    taken = standing(TEXT)
    expected = any(start < place[1] and end > place[0] for start, end in taken)
    assert expected == touches(_span(*place), taken)


def test_what_a_placeholder_names_is_not_named() -> None:
    text = "<PASSWORD_1>: tide4711 <PASSWORD_2> or tide4712"
    spans = [Span(14, 22, "PASSWORD", "name-password"), Span(39, 47, "PASSWORD", "name-password")]
    assert spans[1:] == unnamed(spans, text)
