"""What is bound to a thread, and what to another one alone."""

from __future__ import annotations

from typing import Any

import pytest

from attraj.bundle.model import Bundle
from attraj.formats.mapping.bound import Bound
from attraj.formats.mapping.held import Held, Ledger

SHARED, OF_SUB, NAMELESS = {"id": "m"}, {"id": "n", "thread_id": "sub"}, {"id": 7}
WITHHELD = {"$at": {"status": "redacted"}}
SINGLE = Held("m", ("bindings", "models", "id"))

BINDINGS = [
    pytest.param([SHARED, OF_SUB], "", Held("m", ("bindings", "models", 0, "id")), id="the-main-thread"),
    pytest.param([SHARED, OF_SUB], "sub", Held("n", ("bindings", "models", 1, "id")), id="a-thread-of-its-own"),
    pytest.param([SHARED], "sub", None, id="what-is-bound-for-the-main-thread-is-not-for-others"),
    pytest.param([SHARED], "attempt:1", Held("m", ("bindings", "models", 0, "id")), id="an-attempt-is-of-the-agent"),
    pytest.param([OF_SUB], "", None, id="what-is-bound-for-another"),
    pytest.param([NAMELESS, 7, SHARED], "", Held("m", ("bindings", "models", 2, "id")), id="values-of-other-types"),
    pytest.param(SHARED, "", SINGLE, id="a-binding-that-is-no-list"),
    pytest.param(None, "", None, id="nothing-is-bound"),
    pytest.param([WITHHELD, SHARED], "", Held("m", ("bindings", "models", 1, "id")), id="behind-one-that-is-withheld"),
    pytest.param(WITHHELD, "", None, id="bindings-that-are-withheld"),
]


@pytest.mark.parametrize(("models", "thread", "expected"), BINDINGS)
def test_a_binding_is_of_the_thread_that_it_names(models: Any, thread: str, expected: Held | None) -> None:
    ledger = Ledger()
    assert expected == Bound(Bundle({"bindings": {"models": models}}), ledger, thread).text("models", "id")
    if expected == ("n", ("bindings", "models", 1, "id")):
        assert {("bindings", "models", 1, "thread_id")} == ledger.used


def test_a_task_is_that_of_the_run_and_a_lone_thread_has_everything() -> None:
    bundle = Bundle({"bindings": {"tasks": [{"id": "t"}], "models": [SHARED]}})
    assert Held("t", ("bindings", "tasks", 0, "id")) == Bound(bundle, Ledger(), "sub").text("tasks", "id")
    assert Held("m", ("bindings", "models", 0, "id")) == Bound(bundle, Ledger(), "x", is_alone=True).text(
        "models", "id"
    )
