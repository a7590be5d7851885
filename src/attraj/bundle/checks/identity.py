"""AT2xx: identities and references (§7.1)."""

from __future__ import annotations
