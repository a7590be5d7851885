"""What a caller of the library hands in, as one document: a path, a JSON value, or a document already."""

from __future__ import annotations

import os
from typing import Any

from attraj.errors import Unreadable
from attraj.formats import detect, is_one
from attraj.jsonio import Document, documents, read_bytes
from attraj.jsonio.values import of_value
from attraj.limits import DEFAULT_LIMITS, Limits

Source = Document | str | os.PathLike[str] | dict[str, Any] | list[Any]

_SEVERAL = "attraj.validate_paths takes files of several documents, and folders"


def document_of(source: Source, limits: Limits = DEFAULT_LIMITS) -> Document:
    """The one document that `source` is, or that stands in the file of this path.

    Args:
        source: A parsed JSON value may hold tuples and subclasses of dict and list. Never modified.
        limits: Bounds on size, depth and number length.

    Raises:
        Unreadable: The file cannot be read, or holds none or several documents; the value is none, or holds what JSON
            cannot hold.
    """
    if isinstance(source, Document):
        return source
    if isinstance(source, (str, os.PathLike)):
        return load(source, limits)
    if not isinstance(source, (dict, list, tuple)):
        message = f"a value of the type {type(source).__name__} is no document"
        raise Unreadable(message, hint="give a path, what json.loads gives, or what attraj.jsonio.parse makes of bytes")
    document = of_value(source, limits)
    if type(document.tree) is list and not is_one(document.tree) and any(map(detect, document.tree)):
        raise Unreadable(f"expected one document, found a list of {len(source)}", hint="validate one after another")
    return document


def load(path: str | os.PathLike[str], limits: Limits = DEFAULT_LIMITS) -> Document:
    """Read one document from a file.

    Raises:
        Unreadable: With the path: it cannot be read, or holds several documents.
    """
    name = os.fsdecode(path)
    if name.lstrip()[:1] in ("{", "[") and not os.path.lexists(path):
        raise Unreadable("this is JSON text and no path", hint="give what json.loads makes of it")
    try:
        raw = read_bytes(path, limits)
    except Unreadable as error:
        is_folder = os.path.isdir(path)
        raise Unreadable(f"{name}: {error.message}", hint=_SEVERAL if is_folder else error.hint) from error
    found = list(documents(raw, limits, is_one))
    if len(found) != 1:
        raise Unreadable(f"{name}: expected one document, found {len(found)}", hint=_SEVERAL)
    found[0].path = name
    return found[0]
