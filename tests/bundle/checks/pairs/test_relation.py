"""How two documents are related: lineage first, then identity."""

from __future__ import annotations

from typing import Any

import pytest

from attraj.bundle.checks.pairs import infer_relation
from attraj.bundle.model import Bundle
from attraj.errors import AttrajError
from tests.bundle.checks.pairs.support import base
from tests.support import merge_patch

OLD = base("minimal")
OWN, OTHER = OLD["trajectory_id"], "at:example:other"


def made(*entries: dict[str, Any], **more: Any) -> Any:
    return merge_patch(OLD, {"trajectory_id": OTHER, "transform": {"derived_from": list(entries)}, **more})


@pytest.mark.parametrize(
    ("new", "relation"),
    [
        pytest.param(made({"trajectory_id": OWN, "relation": "redaction_of"}), "redaction", id="redaction"),
        pytest.param(made({"trajectory_id": OWN, "relation": "revision_of"}), "revision", id="revision"),
        pytest.param(
            made({"trajectory_id": OWN, "relation": "reward_derivation_of"}),
            "reward_derivation",
            id="reward-derivation",
        ),
        pytest.param(made({"trajectory_id": OWN, "relation": "selection_of"}), "derive", id="selection"),
        pytest.param(made({"trajectory_id": OWN}), "derive", id="no-word-for-it"),
        pytest.param(made({"trajectory_id": OWN, "relation": ["x"]}), "derive", id="relation-of-a-wrong-type"),
        pytest.param(
            made({"trajectory_id": "at:x"}, {"trajectory_id": OWN, "relation": "redaction_of"}),
            "redaction",
            id="second",
        ),
        pytest.param(merge_patch(OLD, {"completeness": {"status": "complete"}}), "revision", id="same-identity-closed"),
        pytest.param(OLD, "reexport", id="same-identity"),
        pytest.param(base("episode"), "derive", id="episode-of-anything"),
        pytest.param(base("dataset"), "derive", id="manifest-of-anything"),
    ],
)
def test_infers(new: Any, relation: str) -> None:
    assert infer_relation(Bundle(new), Bundle(OLD)) == relation


@pytest.mark.parametrize(
    ("new", "old", "message"),
    [
        pytest.param(
            made(), OLD, "nothing in the newer document says how it was made from the older one", id="unrelated"
        ),
        pytest.param({}, {}, "nothing in the newer document says how it was made from the older one", id="empty"),
        pytest.param(
            OLD,
            made({"trajectory_id": OWN, "relation": "redaction_of"}),
            "the older document is derived from the newer one",
            id="wrong-way-round",
        ),
    ],
)
def test_asks_for_the_relation(new: Any, old: Any, message: str) -> None:
    with pytest.raises(AttrajError) as refusal:
        infer_relation(Bundle(new), Bundle(old))
    assert (refusal.value.message, "--relation" in refusal.value.hint) == (message, True)
