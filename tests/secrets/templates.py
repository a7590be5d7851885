"""Fills the templates of the rules: synthetic secrets, made when the tests run; none stands in the repository."""

from __future__ import annotations

import random
import re
import string

ALPHABETS = {
    "": string.ascii_letters + string.digits,
    "BASE32": string.ascii_uppercase + "234567",
    "BASE64": string.ascii_letters + string.digits + "/+",
    "digits": string.digits,
    "hex": "0123456789abcdef",
    "letters": string.ascii_letters,
    "lower": string.ascii_lowercase,
}


def fill(template: str, seed: int = 0) -> str:
    """The template with each "{length:alphabet}" replaced; the same seed gives the same text."""
    rng = random.Random(f"{template}/{seed}")

    def made(match: re.Match[str]) -> str:
        alphabet = ALPHABETS[match[2] or ""]
        length = int(match[1])
        sorts = [string.ascii_uppercase, string.ascii_lowercase, string.digits]
        # One of each sort in any longer run, as a generator makes almost always.
        first = [rng.choice([c for c in sort if c in alphabet] or alphabet) for sort in sorts] if length >= 6 else []
        text = [*first, *rng.choices(alphabet, k=length - len(first))]
        rng.shuffle(text)
        return "".join(text)

    return re.sub(r"\{(\d+)(?::(\w+))?\}", made, template)
