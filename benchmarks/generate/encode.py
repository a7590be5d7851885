"""JSON as compact UTF-8, and arrays that are written element by element."""

from __future__ import annotations

import json
from typing import Any, BinaryIO

_ENCODER = json.JSONEncoder(ensure_ascii=False, check_circular=False, separators=(",", ":"))


def encoded(value: Any) -> bytes:
    """One value, compact, in UTF-8."""
    return _ENCODER.encode(value).encode()


def opened(members: dict[str, Any]) -> bytes:
    """An object that more members will follow: without its closing brace."""
    return encoded(members)[:-1]


def closed(members: dict[str, Any]) -> bytes:
    """The last members of an object that was opened."""
    return b"," + encoded(members)[1:]


class ArrayWriter:
    """Writes the elements of one array as they come.

    Args:
        out: Where to.
        name: The member that holds the array, in an object that is open and has members already.
    """

    def __init__(self, out: BinaryIO, name: str) -> None:
        self._out = out
        self._before = f',"{name}":['.encode()
        self._is_empty = True
        self.size = 0

    def add(self, element: Any) -> None:
        text = self._before + encoded(element)
        self._before = b","
        self._is_empty = False
        self.size += len(text)
        self._out.write(text)

    def end(self) -> None:
        self._out.write(self._before + b"]" if self._is_empty else b"]")
