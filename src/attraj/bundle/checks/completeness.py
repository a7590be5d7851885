"""AT90x: completeness against what is really here (§6.2)."""

from __future__ import annotations
