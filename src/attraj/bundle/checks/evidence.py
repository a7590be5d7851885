"""AT6xx: outcomes, verifier results, rewards, each with its own authority (§10)."""

from __future__ import annotations
