"""What each placeholder stands for. Holds what was taken, in the clear: who calls this encrypts it (decisions 30)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attraj.redaction.run import Done

SPEC = "attraj-map-1"


def value_map(done: Sequence[Done]) -> Any:
    """The values behind the placeholders of each scope, by placeholder, beside the names of its files."""
    return {
        "spec": SPEC,
        "scopes": [
            {"files": [name for name, _ in scope.outputs], "values": dict(scope.placeholders.values())}
            for scope in done
        ],
    }
