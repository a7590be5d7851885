"""Every bound in one frozen table, passed in; `--max-*` changes an entry.

Each entry names the size or the attack that it answers (spec: decisions 8).
"""

from __future__ import annotations

from typing import NamedTuple


class Limits(NamedTuple):
    """Bounds on untrusted input. Sizes are bytes of the expanded document."""

    max_bytes: int = 1 << 30  # a document of 1 GiB; also what a compressed file may expand to
    max_depth: int = 200  # nesting levels: the deepest real file has 13; parsers give up at 201
    max_nodes: int = 2_000_000  # nodes of one Bundle: about 1.2 GB of JSON
    max_id_chars: int = 1 << 20  # an identifier of 1 MiB is an attack or an accident
    max_inline_chars: int = 1 << 20  # a longer inline string should have been an artifact (AT007)
    max_repeated_bytes: int = 1 << 16  # 64 KiB of equal inline views should have been kept once (AT414)
    max_number_chars: int = 4300  # Python's own bound on integer text (quadratic conversion)


DEFAULT_LIMITS = Limits()
