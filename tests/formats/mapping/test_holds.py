"""What the core holds as it is: types are exact, and emptiness counts where it says nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from attraj.formats.mapping import holds

INFINITE = float("inf")
VALUES: dict[str, Any] = {
    "null": None,
    "true": True,
    "zero": 0,
    "whole": 1.0,
    "half": 0.5,
    "infinite": INFINITE,
    "not-a-number": INFINITE - INFINITE,
    "empty": "",
    "text": "a",
    "time": "2026-01-01T00:00:00Z",
    "time-without-zone": "2026-01-01T00:00:00",
    "no-items": [],
    "items": [0],
    "no-members": {},
    "members": {"a": 0},
}
TEXTS = {"empty", "text", "time", "time-without-zone"}


@pytest.mark.parametrize(
    ("rule", "held"),
    [
        pytest.param(holds.is_any, set(VALUES), id="any"),
        pytest.param(holds.is_stated, set(VALUES) - {"null"}, id="stated"),
        pytest.param(holds.is_text, TEXTS, id="text"),
        pytest.param(holds.is_filled_text, TEXTS - {"empty"}, id="filled-text"),
        pytest.param(holds.is_time, {"time"}, id="time"),
        pytest.param(holds.is_content, {*TEXTS, "items", "no-items"}, id="content"),
        pytest.param(holds.is_list, {"items", "no-items"}, id="list"),
        pytest.param(holds.is_filled_list, {"items"}, id="filled-list"),
        pytest.param(holds.is_object, {"members", "no-members"}, id="object"),
        pytest.param(holds.is_filled_object, {"members"}, id="filled-object"),
        pytest.param(holds.is_flag, {"true"}, id="flag"),
        pytest.param(holds.is_count, {"zero"}, id="count"),
        pytest.param(holds.is_number, {"zero", "whole", "half"}, id="number"),
    ],
)
def test_which_values_each_rule_holds(rule: Callable[[Any], bool], held: set[str]) -> None:
    assert held == {name for name, value in VALUES.items() if rule(value)}
