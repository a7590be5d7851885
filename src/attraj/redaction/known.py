"""Values that the user knows to be secret: a `.env`, or one a line. They are looked for, and never repeated."""

from __future__ import annotations

import os
import re

from attraj.errors import AttrajError
from attraj.redaction.search import SHORTEST, Value

_ASSIGNED = re.compile(r"(?:export\s+)?[A-Za-z_][A-Za-z0-9_.]*\s*=\s*(.*)", re.DOTALL).fullmatch


def read_known(path: str | os.PathLike[str]) -> tuple[Value, ...]:
    """The values in a file: of `NAME=value` lines the value, else the line. Comments and short ones are left out.

    Raises:
        AttrajError: The file cannot be read, or holds no value that is long enough to be looked for.
    """
    try:
        with open(path, encoding="utf-8") as file:
            lines = file.read().splitlines()
    except OSError as error:
        raise AttrajError(f"{path}: {(error.strerror or 'cannot be read').lower()}") from error
    except UnicodeDecodeError as error:
        raise AttrajError(f"{path}: not UTF-8") from error
    found = [value for line in lines if (value := _value(line)) and len(value) >= SHORTEST]
    if not found:
        raise AttrajError(f"{path}: no value of {SHORTEST} characters or more", hint="NAME=value, or one a line")
    return tuple(Value(value, "SECRET") for value in dict.fromkeys(found))


def _value(line: str) -> str:
    line = line.strip()
    if line.startswith("#"):
        return ""
    match = _ASSIGNED(line)
    value = match[1].strip() if match else line
    if len(value) >= 2 and value[0] == value[-1] and value[0] in "'\"":
        return value[1:-1]
    return value.partition(" #")[0].strip() if match else value
