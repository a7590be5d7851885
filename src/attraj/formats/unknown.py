"""Documents whose format cannot be told: only the defects of their bytes have codes (JSON001 to JSON008)."""

from __future__ import annotations

from collections.abc import Sequence

from attraj.findings import Rule
from attraj.formats.bytes_rules import byte_rules


def rules() -> Sequence[Rule]:
    """The rules below any format."""
    return list(byte_rules("JSON").values())
