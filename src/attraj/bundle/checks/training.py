"""AT82x: training targets and their masks (§12)."""

from __future__ import annotations
