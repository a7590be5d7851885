"""AT70x, AT713-AT715: markers, declarations against content, secrets (§13.2)."""

from __future__ import annotations
