"""AT4xx: states, views and deltas (§8)."""

from __future__ import annotations
