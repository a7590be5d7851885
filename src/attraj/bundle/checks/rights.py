"""AT801-AT810: the six uses; unknown is not permission (§13.3)."""

from __future__ import annotations
