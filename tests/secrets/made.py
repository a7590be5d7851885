r"""Fills generator patterns: synthetic secrets, made when the tests run; none stands in the repository.

`[A-Za-z0-9_\-]{36}` is 36 characters of a class, `x{40}` forty of one; `\n` is a line break, `\` makes any other
character plain; everything else is itself.
"""

from __future__ import annotations

import random
import re

_PART = re.compile(
    r"(?:\[(?P<set>(?:\\.|[^\]\\])+)\](?:\{(?P<n>[0-9]+)\})?|(?P<one>[A-Za-z0-9])\{(?P<m>[0-9]+)\})|\\(?P<plain>.)|(?P<rest>.)",
    re.S,
)


def made(pattern: str, rng: random.Random) -> str:
    """A random text of a pattern."""
    parts: list[str] = []
    for match in _PART.finditer(pattern):
        if match["plain"] is not None:
            parts.append("\n" if match["plain"] == "n" else match["plain"])
        elif match["rest"] is not None:
            parts.append(match["rest"])
        else:
            alphabet = match["one"] or _alphabet(match["set"])
            parts.append("".join(rng.choices(alphabet, k=int(match["n"] or match["m"] or 1))))
    return "".join(parts)


def _alphabet(body: str) -> str:
    found: list[str] = []
    for match in re.finditer(r"\\(?P<plain>.)|(?P<low>[^\\])-(?P<high>[^\\])|(?P<one>.)", body):
        if match["low"]:
            found.extend(map(chr, range(ord(match["low"]), ord(match["high"]) + 1)))
        else:
            found.append(match["plain"] or match["one"])
    return "".join(dict.fromkeys(found))
