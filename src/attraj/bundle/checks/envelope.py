"""AT103-AT107, AT112-AT125: versions, profiles, source, scope, bindings, extensions (§5, §6, §14)."""

from __future__ import annotations
