"""AT93x: digests and signatures, and what they prove (§14)."""

from __future__ import annotations
