"""AT836, AT92x: transforms and lineage inside one bundle (§13.1, §15)."""

from __future__ import annotations
