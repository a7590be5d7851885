"""Compressed files to bytes, piece by piece, so that what expands without end stops at the limit."""

from __future__ import annotations

import importlib
import io
import sys
from collections.abc import Iterable, Iterator
from typing import Any

from attraj.errors import Unreadable
from attraj.limits import Limits

_PIECE = 1 << 16
# What one call may expand to before anyone can look at it: a block of 4 bytes stands for up to 128 KiB (RFC 8878
# §3.1.1.2), so that 1 KiB of input stands for 32 MiB.
_ZSTD_INPUT = 1 << 10

GZIP_MAGIC = b"\x1f\x8b"
ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"


def expand(data: bytes, limits: Limits) -> bytes:
    """The expanded bytes of a gzip or Zstandard file; anything else as it is.

    Raises:
        Unreadable: When it is damaged, cut off, expands beyond `max_bytes`, or needs a package that is missing.
    """
    if data.startswith(GZIP_MAGIC):
        return _collected(_gzip_pieces(data), limits)
    if data.startswith(ZSTD_MAGIC):
        return _collected(_zstd_pieces(data), limits)
    return data


def _collected(pieces: Iterable[bytes], limits: Limits) -> bytes:
    kept: list[bytes] = []
    size = 0
    for piece in pieces:
        size += len(piece)
        if size > limits.max_bytes:
            message = f"expands to more than {limits.max_bytes} bytes"
            raise Unreadable(message, hint="raise the limit with --max-bytes")
        kept.append(piece)
    return b"".join(kept)


def _gzip_pieces(data: bytes) -> Iterator[bytes]:
    import gzip
    import zlib

    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as stream:
            while piece := stream.read(_PIECE):
                yield piece
    except EOFError as error:
        raise _cut("gzip") from error
    except (gzip.BadGzipFile, zlib.error) as error:
        raise _damaged("gzip") from error


def _zstd_pieces(data: bytes) -> Iterator[bytes]:
    if sys.version_info >= (3, 14):
        return _standard_pieces(importlib.import_module("compression.zstd"), data)
    try:
        package = importlib.import_module("zstandard")
    except ImportError as error:
        message, hint = "Zstandard data, which needs an optional package", "pip install 'attraj[zstd]'"
        raise Unreadable(message, hint=hint) from error
    return _package_pieces(package, data)


def _standard_pieces(module: Any, data: bytes) -> Iterator[bytes]:
    """By `compression.zstd` of Python 3.14."""
    try:
        with module.ZstdFile(io.BytesIO(data)) as stream:
            while piece := stream.read(_PIECE):
                yield piece
    except EOFError as error:
        raise _cut("Zstandard") from error
    except module.ZstdError as error:
        raise _damaged("Zstandard") from error


def _package_pieces(package: Any, data: bytes) -> Iterator[bytes]:
    """By the package `zstandard`, frame after frame; its stream reader does not tell a frame that was cut."""
    frame, at = package.ZstdDecompressor().decompressobj(), 0
    try:
        while at < len(data):
            fed = data[at : at + _ZSTD_INPUT]
            yield frame.decompress(fed)
            at += len(fed)
            if frame.eof:
                at -= len(frame.unused_data)
                if at == len(data):
                    return
                frame = package.ZstdDecompressor().decompressobj()
    except package.ZstdError as error:
        raise _damaged("Zstandard") from error
    raise _cut("Zstandard")


def _cut(name: str) -> Unreadable:
    return Unreadable(f"{name} data that ends too early", hint="the file was cut off: get it again")


def _damaged(name: str) -> Unreadable:
    return Unreadable(f"damaged {name} data", hint="get the file again")
