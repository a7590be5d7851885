"""Timestamps are cut, and stay in order."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attraj.redaction.times import coarsened


@pytest.mark.parametrize(
    ("given", "unit", "expected"),
    [
        pytest.param("2026-03-01T10:47:12Z", "hour", "2026-03-01T10:00:00Z", id="hour"),
        pytest.param("2026-03-01T10:47:12.345+02:00", "minute", "2026-03-01T10:47:00.000+02:00", id="fraction"),
        pytest.param("2026-03-01 10:47", "day", "2026-03-01 00:00", id="no-zone"),
        pytest.param("2026-03-01T00:30:00+01:00", "day", "2026-02-28T01:00:00+01:00", id="the-day-is-that-of-utc"),
        pytest.param("at 2026-03-01T10:47:12Z", "hour", None, id="inside-a-text"),
        pytest.param("2026-13-01T10:47:12Z", "hour", None, id="no-month"),
    ],
)
def test_cut(given: str, unit: str, expected: str | None) -> None:
    assert expected == coarsened(given, unit)


zones = st.integers(-14 * 60, 14 * 60).map(lambda m: timezone(timedelta(minutes=m)))
moments = st.datetimes(datetime(1971, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC))


@given(moments, moments, zones, zones, st.sampled_from(["day", "hour", "minute"]))
def test_order_is_kept_across_zones(one: datetime, two: datetime, here: timezone, there: timezone, unit: str) -> None:
    first, second = sorted((one, two))
    cut = [coarsened(t.astimezone(z).isoformat(timespec="seconds"), unit) for t, z in ((first, here), (second, there))]
    assert None not in cut
    assert datetime.fromisoformat(str(cut[0])) <= datetime.fromisoformat(str(cut[1]))
