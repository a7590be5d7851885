"""Rows, and what may be added up over them."""

from __future__ import annotations

from typing import Any

import pytest

from attraj.errors import Unreadable
from attraj.formats.story import Facts, Tokens
from attraj.jsonio import parse
from attraj.verbs.stats import Row, Totals, stats
from tests.support import base_document

MINIMAL: dict[str, Any] = base_document("attraj.bundle.checks", "minimal")


@pytest.mark.parametrize(
    ("raw", "status", "reason"),
    [
        pytest.param(b'{"hello": 1}', "unreadable", "no known format", id="no-known-format"),
        pytest.param(
            b'{"episode_version": "0.1", "transitions": []}', "skipped", "episode: a document of no run", id="no-run"
        ),
    ],
)
def test_what_is_not_counted(raw: bytes, status: str, reason: str) -> None:
    row = stats(parse(raw))
    assert (status, reason, None) == (row.status, row.reason, row.facts)


def test_a_broken_document_is_unreadable_also_where_a_tree_could_be_had() -> None:
    assert ["unreadable", "unreadable"] == [stats(parse(raw)).status for raw in (b"{", b'{"spec_version": NaN}')]


def test_a_rejected_document_is_not_counted() -> None:
    assert "rejected" == stats({**MINIMAL, "spec_version": "9"}).status


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(Unreadable):
        stats(MINIMAL, "nonsense")


def totals(*facts: Facts) -> Totals:
    found = Totals()
    for one in facts:
        found.add(Row("p", facts=one))
    return found


def test_unknown_is_counted_and_not_added() -> None:
    found = totals(Facts("atif", steps=3), Facts("atif"), Facts("atif", steps=0))
    assert (3, 2, 1) == (found.steps.total, found.steps.known, found.steps.unknown)


def test_tokens_are_added_by_who_counted_them() -> None:
    found = totals(
        Facts("a", tokens=Tokens(5, 1, None, "provider usage", "x")),
        Facts("b", tokens=Tokens(7, None, None, "litellm counter", "x")),
        Facts("c", tokens=Tokens(9, 9, None, "provider usage", "x"), is_segment=True, cost_usd=4.0),
        Facts("d"),
    )
    assert {"provider usage": (5, 1), "litellm counter": (7, 0)} == {
        origin: (sums[0].total, sums[1].total) for origin, sums in found.tokens.items()
    }
    assert (2, 0) == (found.tokens_unknown, found.cost.known)


def test_a_reward_that_is_not_valid_or_no_number_is_in_no_mean() -> None:
    found = totals(
        Facts("h", rewards=(("reward", 1.0),)),
        Facts("h", rewards=(("reward", 0),)),
        Facts("h", rewards=(("reward", 1),), reward_valid=False),
        Facts("h", rewards=(("reward", None),)),
        Facts("h"),
    )
    spread = found.rewards["reward"]
    assert (0.5, 2, 1, 1, 1) == (
        spread.mean,
        len(spread.values),
        spread.not_valid,
        spread.unavailable,
        found.without_reward,
    )


@pytest.mark.parametrize(
    ("statuses", "code"),
    [
        pytest.param(["counted", "skipped"], 0, id="counted"),
        pytest.param(["counted", "rejected"], 3, id="rejected"),
        pytest.param(["rejected", "unreadable"], 2, id="unreadable"),
        pytest.param([], 0, id="nothing"),
    ],
)
def test_exit_codes(statuses: list[Any], code: int) -> None:
    found = Totals()
    for status in statuses:
        found.add(Row("p", status=status))
    assert code == found.exit_code()
    assert len(statuses) == found.documents
