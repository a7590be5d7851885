"""Times that only go forward."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta


class Clock:
    """RFC 3339 times of one run, each a little later than the one before."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._now = datetime(2031, 4, 2, 6, tzinfo=UTC)

    def tick(self) -> str:
        self._now += timedelta(milliseconds=self._rng.randrange(200, 9000))
        return self._now.isoformat(timespec="milliseconds").replace("+00:00", "Z")
