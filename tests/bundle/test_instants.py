"""Timestamps as instants."""

from __future__ import annotations

import pytest

from attraj.bundle.instants import instant, is_later

PAIRS = [
    pytest.param("2031-04-02T06:00:01Z", "2031-04-02T06:00:00Z", True, id="a-second-later"),
    pytest.param("2031-04-02T06:00:00Z", "2031-04-02T06:00:00Z", False, id="the-same"),
    pytest.param("2031-04-02T06:00:00.1Z", "2031-04-02T06:00:00Z", True, id="a-fraction"),
    pytest.param("2031-04-02T06:00:00.10Z", "2031-04-02T06:00:00.1Z", False, id="trailing-nought"),
    pytest.param("2031-04-02T06:00:00.123456789123Z", "2031-04-02T06:00:00.123456789122Z", True, id="many-digits"),
    pytest.param("2031-04-02T06:00:00+02:00", "2031-04-02T04:00:00Z", False, id="another-zone"),
    pytest.param("2031-04-01T23:30:00-01:00", "2031-04-02T00:29:59Z", True, id="across-midnight"),
    pytest.param("2031-04-02t06:00:01z", "2031-04-02T06:00:00Z", True, id="small-letters"),
    pytest.param("2031-06-30T23:59:60Z", "2031-06-30T23:59:59Z", True, id="leap-second"),
    pytest.param("later", "2031-04-02T06:00:00Z", False, id="no-timestamp"),
    pytest.param("2031-02-30T06:00:00Z", "2031-02-01T06:00:00+00:00", False, id="no-such-day"),
    pytest.param("", "", False, id="empty"),
]


@pytest.mark.parametrize(("first", "second", "expected"), PAIRS)
def test_which_is_later(first: str, second: str, expected: bool) -> None:
    assert expected == is_later(first, second)


def test_a_year_that_no_calendar_has_is_no_instant() -> None:
    assert instant("0000-01-01T00:00:00Z") is None
