"""AT5xx: actors, authority, admission, effects, receipts (§9, §11)."""

from __future__ import annotations
