"""kingfisher as a library: its rules are compiled once, and kept in memory alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from attraj.redaction.opinions.opinion import Joined, NoOpinion, Raw, Remark, Text


class KingfisherLibrary:
    """The scanner of the package kingfisher-secret-scanner."""

    name = "kingfisher"

    def __init__(self) -> None:
        try:
            import kingfisher_sdk  # type: ignore[import-not-found,unused-ignore]  # only when it is asked for

            self.version = _version(kingfisher_sdk.__version__)
            # Without a cache it writes nothing; without a policy it honours no mark in a text.
            rules = kingfisher_sdk.Rules(cache=False, confidence="low")
            self._scanner: Any = kingfisher_sdk.Scanner(rules)
        except (ImportError, OSError, RuntimeError, TypeError, ValueError, AttributeError):
            raise NoOpinion("kingfisher is installed, and cannot be loaded") from None

    def look(self, texts: Sequence[Text]) -> list[Remark]:
        """See Opinion."""
        joined = Joined(texts)
        if not joined.numbers:
            return []
        try:
            found = [
                Raw(str(one.rule_id), str(one.secret), offset=int(one.location["start_offset"]))
                for one in self._scanner.scan(joined.data)
                if one.visible
            ]
        except (OSError, RuntimeError, TypeError, ValueError, KeyError, AttributeError):
            raise NoOpinion("kingfisher failed") from None
        return joined.remarks(found, self.name)


def _version(told: Any) -> str:
    return told if type(told) is str and re.fullmatch(r"[0-9][0-9A-Za-z.+-]{0,40}", told) else "unknown"
