"""What the bytes of a document rule out at memory speed, so that most documents need not be walked for it.

A search here never decides that a fault is there: it says that none can be, or that the tree has to be looked at.
Without bytes (a document from memory) nothing is ruled out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from attraj.bundle.leaves import members, pointer_of, walk

# --- texts -------------------------------------------------------------------------------------------------------

# A quote that no backslash precedes ends or begins a text. One after a backslash may be part of it.
_TEXT_ENDS = re.compile(rb'[^\\]"').search


def may_hold_texts_over(characters: int, raw: bytes) -> bool:
    """False only when no text of the document has more characters than this."""
    if not raw:
        return True
    if len(raw) <= characters:
        return False
    # A longer text covers one of these windows wholly, and then none of its quotes can be seen there.
    window = max(characters // 2, 1)
    return any(_TEXT_ENDS(raw, start, start + window) is None for start in range(0, len(raw), window))


# --- numbers -----------------------------------------------------------------------------------------------------

MOST_DIGITS = 17  # significant digits after which two decimal numbers can be the same double (IEEE 754)

# More than 17 significant digits mean many after the point, or a number beyond 2^53. (They may also mean a long
# mantissa without a point before an exponent, which no writer makes.)
_MANY_DECIMALS = re.compile(rb"\.[0-9]{%d}" % (MOST_DIGITS - 1)).search


def may_hold_long_floats(raw: bytes) -> bool:
    """Whether some number within 2^53 may have more digits than a double holds."""
    return _MANY_DECIMALS(raw) is not None


def long_floats(raw: bytes) -> Iterator[str]:
    """Pointers of the numbers whose text has more digits than a double holds. Parses the document once more."""
    from json import loads  # the one reader that shows the text of a number

    try:
        tree = loads(raw, parse_float=_told_apart)
    except (ValueError, RecursionError):
        return  # not a document of its own: nothing is claimed
    if type(tree) is dict:
        for way, container in walk(tree).containers:
            for key, value in members(container):
                if type(value) is _Long:
                    yield pointer_of(way, key)


class _Long(float):
    """A number whose text says more than its value holds."""


def _told_apart(number: str) -> float:
    return _Long(number) if digits(number) > MOST_DIGITS else float(number)


def digits(number: str) -> int:
    """Significant digits of the text of a number."""
    mantissa = re.split("[eE]", number)[0]
    return len(mantissa.lstrip("-").replace(".", "").lstrip("0").rstrip("0"))
