"""AT91x: what AT-Evaluation asks for (§5.2)."""

from __future__ import annotations
