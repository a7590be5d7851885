"""A `.traj` too big for memory: its head and its steps, one after the other, without the model inputs.

The file is mapped, not read: what stands in memory is one step and the places of the others (spec: performance.md §5,
P11). With `msgspec` (extra `big`) the file is scanned once, by C code; without it files up to 64 MiB are parsed whole,
and larger ones scanned bracket by bracket. Nothing is checked here but that the frame is JSON.

A file that shrinks while it is mapped kills the process (SIGBUS): only for files that nobody is writing.
"""

from __future__ import annotations

import mmap
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from attraj.errors import Unreadable
from attraj.jsonio.document import MISSING

VIEWS = ("query", "messages")
"""The members that repeat the conversation in every step: nine tenths of a large file."""

_PLAIN_BYTES = 64 << 20
_BOM = b"\xef\xbb\xbf"
_COMPRESSED = (b"\x1f\x8b", b"\x28\xb5\x2f\xfd")
_LISTS = ("trajectory", "history", "attempts")
_FACTS = ("info", "environment", "replay_config")

Buffer = memoryview


@dataclass(frozen=True, slots=True)
class Head:
    """What a file or an attempt says beside its steps; `MISSING` is not there, None is JSON null.

    Attributes:
        info, environment, replay_config: As in the file.
        steps, messages, attempts: How many there are; None when the member is not there or no array.
    """

    info: Any = MISSING
    environment: Any = MISSING
    replay_config: Any = MISSING
    steps: int | None = None
    messages: int | None = None
    attempts: int | None = None


class TrajStream:
    """One trajectory of a file: the top, or an attempt.

    Attributes:
        head: Facts; see `Head`.
    """

    def __init__(self, lists: Mapping[str, list[Any] | None], facts: Mapping[str, Any]) -> None:
        self._lists = lists
        counts = [None if found is None else len(found) for found in (lists[name] for name in _LISTS)]
        self.head = Head(*(facts[name] for name in _FACTS), *counts)

    def steps(self, *, skip: Sequence[str] = VIEWS) -> Iterator[Any]:
        """Each step, in order, without the members in `skip`; an element that is no object as it is.

        Raises:
            Unreadable: A step is not JSON.
        """
        return (_step(raw, tuple(skip)) for raw in self._lists["trajectory"] or ())

    def history(self) -> Iterator[Any]:
        """Each message of the history, in order."""
        return (_value(raw) for raw in self._lists["history"] or ())

    def attempts(self) -> Iterator[TrajStream]:
        """The attempts of a retry agent that are objects."""
        return (_framed(raw) for raw in self._lists["attempts"] or () if _is_object(raw))


def open_stream(path: str | os.PathLike[str]) -> TrajStream:
    """The trajectory of a file, for a look at its head and its steps.

    Args:
        path: A `.traj`, with or without a byte order mark. A compressed file is read whole.

    Raises:
        Unreadable: It cannot be read, or its frame is no JSON object.
    """
    try:
        with open(path, "rb") as file:
            start = file.read(4)
            if not start:
                raise Unreadable("the file is empty", hint="the run was killed before its first step was written")
            if not start.startswith(_COMPRESSED):
                return _framed(_without_mark(memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))))
    except OSError as error:
        raise Unreadable((error.strerror or "cannot be read").lower()) from error
    from attraj.jsonio import read_bytes

    return _framed(_without_mark(memoryview(read_bytes(path))))


def head(path: str | os.PathLike[str]) -> Head:
    """The facts beside the steps. Raises Unreadable like `open_stream`."""
    return open_stream(path).head


def steps(path: str | os.PathLike[str], *, skip: Sequence[str] = VIEWS) -> Iterator[Any]:
    """Each step of the trajectory on top. Raises Unreadable like `open_stream`."""
    return open_stream(path).steps(skip=skip)


def _without_mark(data: Buffer) -> Buffer:
    return data[3:] if bytes(data[:3]) == _BOM else data


# --- the frame: where the steps and the messages are ---------------------------------------------------------------


class _Whole:
    """A value that is in memory already, where others are still bytes."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


def _framed(raw: Any) -> TrajStream:
    members = _by_msgspec(raw)
    if members is None:
        members = (
            _by_parsing(raw) if type(raw) is _Whole or memoryview(raw).nbytes <= _PLAIN_BYTES else _by_scanning(raw)
        )
    lists = {name: found if type(found := members.get(name)) is list else None for name in _LISTS}
    facts = {name: _value(members[name]) if name in members else MISSING for name in _FACTS}
    return TrajStream(lists, facts)


def _is_object(raw: Any) -> bool:
    if type(raw) is _Whole:
        return type(raw.value) is dict
    return type(raw) is dict or bytes(memoryview(raw)[:1]) == b"{"


def _value(raw: Any) -> Any:
    if type(raw) is _Whole:
        return raw.value
    import jiter

    try:
        return jiter.from_json(bytes(raw), allow_inf_nan=False)
    except ValueError as error:
        raise _broken() from error


def _step(raw: Any, skip: tuple[str, ...]) -> Any:
    if type(raw) is dict:
        return {name: _value(inner) for name, inner in raw.items() if name not in skip}
    value = _value(raw)
    return {n: inner for n, inner in value.items() if n not in skip} if type(value) is dict else value


def _broken() -> Unreadable:
    return Unreadable("the file is not JSON, or was cut", hint="attraj validate says where it breaks")


# --- by msgspec: one pass of C code --------------------------------------------------------------------------------


@cache
def _decoder() -> Any:
    """A decoder for the frame of a plain file; None without msgspec."""
    try:
        from msgspec import Raw, defstruct
        from msgspec.json import Decoder
    except ImportError:
        return None
    fields: list[tuple[str, Any, Any]] = [("trajectory", list[dict[str, Raw]], None)]
    fields += [(name, list[Raw], None) for name in ("history", "attempts")]
    fields += [(name, Raw, None) for name in _FACTS]
    return Decoder(defstruct("Plain", fields))


def _by_msgspec(raw: Any) -> dict[str, Any] | None:
    """The members of a file, their values still bytes; None when msgspec is not there or the file is unusual."""
    decoder = _decoder()
    if decoder is None or type(raw) is _Whole:
        return None
    try:
        plain = decoder.decode(raw)
    except (ValueError, RecursionError):  # another type somewhere, or no JSON: the other ways tell which
        return None
    found = {name: getattr(plain, name) for name in (*_LISTS, *_FACTS)}
    return {name: value for name, value in found.items() if value is not None}


# --- by parsing the whole ------------------------------------------------------------------------------------------


def _by_parsing(raw: Any) -> dict[str, Any]:
    tree = _value(raw)
    if type(tree) is not dict:
        raise _broken()
    members: dict[str, Any] = {name: _Whole(value) for name, value in tree.items() if name in _FACTS}
    for name in _LISTS:
        if type(tree.get(name)) is list:
            members[name] = [_Whole(value) for value in tree[name]]
    return members


# --- by scanning from bracket to bracket ---------------------------------------------------------------------------

_SPACE = re.compile(rb"[ \t\r\n]*+")
_STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)
_SCALAR = re.compile(rb"[^\s,\[\]{}\"]++")
_NEXT_BRACKET = re.compile(rb'[^"{}\[\]]*+(?:"[^"\\]*+(?:\\.[^"\\]*+)*+"[^"{}\[\]]*+)*+([{}\[\]])', re.DOTALL)


def _by_scanning(raw: Any) -> dict[str, Any]:
    members: dict[str, Any] = {}
    for name, value in _members(memoryview(raw)):
        if name in _FACTS:
            members[name] = value
        elif name in _LISTS and bytes(value[:1]) == b"[":
            members[name] = list(_elements(value))
    return members


def _members(raw: Buffer) -> Iterator[tuple[str, Buffer]]:
    """Name and bytes of each member of an object."""
    import jiter

    at = _space(raw, 0)
    if bytes(raw[at : at + 1]) != b"{":
        raise _broken()
    at = _space(raw, at + 1)
    while bytes(raw[at : at + 1]) != b"}":
        key = _STRING.match(raw, at)
        if key is None:
            raise _broken()
        at = _space(raw, key.end())
        if bytes(raw[at : at + 1]) != b":":
            raise _broken()
        start = _space(raw, at + 1)
        at = _end(raw, start)
        try:
            yield jiter.from_json(key[0]), raw[start:at]
        except ValueError as error:
            raise _broken() from error
        at = _comma(raw, at)


def _elements(raw: Buffer) -> Iterator[Buffer]:
    """The bytes of each element of an array."""
    at = _space(raw, 1)
    while bytes(raw[at : at + 1]) != b"]":
        end = _end(raw, at)
        yield raw[at:end]
        at = _comma(raw, end)


def _space(raw: Buffer, at: int) -> int:
    match = _SPACE.match(raw, at)
    return match.end() if match else at


def _comma(raw: Buffer, at: int) -> int:
    at = _space(raw, at)
    if bytes(raw[at : at + 1]) == b",":
        return _space(raw, at + 1)
    if at >= raw.nbytes:
        raise _broken()
    return at


def _end(raw: Buffer, at: int) -> int:
    """Where the value at `at` ends."""
    opening = bytes(raw[at : at + 1])
    if opening not in (b"{", b"["):
        match = (_STRING if opening == b'"' else _SCALAR).match(raw, at)
        if match is None:
            raise _broken()
        return match.end()
    depth = 0
    while True:
        match = _NEXT_BRACKET.match(raw, at)
        if match is None:
            raise _broken()
        at = match.end()
        depth += 1 if match[1] in (b"{", b"[") else -1
        if not depth:
            return at
