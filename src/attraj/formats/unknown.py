"""Documents whose format cannot be told: only the defects of their bytes have codes (JSON001 to JSON008).

The numbers are those of the Bundle's AT001 to AT008. One has no use here: what is too long depends on what the
document wants to be.
"""

from __future__ import annotations

from collections.abc import Sequence

from attraj.findings import Rule
from attraj.formats.bytes_rules import byte_rules
from attraj.jsonio.document import FaultKind


def rules() -> Sequence[Rule]:
    """The rules below any format."""
    return [rule for kind, rule in byte_rules("JSON").items() if kind != FaultKind.LONG_STRING.value]
