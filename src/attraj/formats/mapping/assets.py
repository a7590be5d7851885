"""`--assets`: bytes that stand in a Bundle as base64 become files beside what is written, before a writer sees them.

The Bundle is looked at once and comes back with paths in the place of data, each a declared loss. So no writer has to
know of it: a part that names a file is a part that names a file. What does not decode, or is of no known media type,
stays where it is; what a target then cannot hold is its writer's to declare (see attachments.py).

What an agent asked for (the arguments of a call) is never touched: an image in a style sheet that it wrote is part of
what it wrote.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from attraj.bundle.model import Bundle
from attraj.formats.mapping.attachments import ENDINGS, Attachment, attachment_of, data_of, is_data_uri
from attraj.formats.mapping.fields import At, Json, look_up, pointer_of
from attraj.formats.mapping.loss import Loss

# A SWE-agent tool prints an image as Markdown, and the agent's prompt is made of it (traj.md §3).
_MARKDOWN = re.compile(r"!\[[^\]\n]{0,1000}\]\((data:[a-z]{1,20}/[a-z0-9.+-]{1,40};base64,[A-Za-z0-9+/]{4,}={0,2})\)")
_ASKED = frozenset({"action", "arguments", "function", "input", "tool_calls", "function_call"})
_DETAIL = "the bytes stand in a file beside the document, under the path that is written here"


class Extracted(NamedTuple):
    """A Bundle without the bytes that went into files.

    Attributes:
        bundle: The given one when there were none.
        files: Path below the folder of the written document, with "/", to bytes. Equal bytes are one file.
        losses: One for each place.
    """

    bundle: Bundle
    files: dict[str, bytes]
    losses: list[Loss]


def extracted(bundle: Bundle, folder: str = "assets") -> Extracted:
    """Take what is base64 in content parts, and in images of Markdown texts, out of a Bundle.

    Args:
        bundle: Never modified.
        folder: Of the files, as the written document is to name it: relative to the document, with "/".

    Returns:
        The files are named by their sort and number in the order of the Bundle, never by content ("image-1.png").
    """
    files = _Files(folder)
    edits: list[tuple[At, Any]] = []
    for at, value in _contents(bundle):
        edits += _edits(value, at, files)
    if not edits:
        return Extracted(bundle, {}, [])
    losses = [
        Loss("attachment-in-file", "attachments", "approximated", pointer_of(at), 1, _DETAIL, "write")
        for at, _ in edits
    ]
    return Extracted(Bundle(_replaced(bundle.tree, edits)), files.made, losses)


class _Files:
    """Files by their bytes, so that an image that every view repeats is written once."""

    def __init__(self, folder: str) -> None:
        self.made: dict[str, bytes] = {}
        self._folder = folder.strip("/")
        self._known: dict[tuple[str, bytes], str] = {}
        self._counts: dict[str, int] = {}

    def path(self, media_type: str, data: bytes) -> str:
        known = self._known.get((media_type, data))
        if known is None:
            sort = media_type.partition("/")[0]
            sort = sort if sort in ("image", "audio") else "file"
            number = self._counts[sort] = self._counts.get(sort, 0) + 1
            name = f"{sort}-{number}.{ENDINGS[media_type]}"
            known = f"{self._folder}/{name}" if self._folder else name
            self._known[media_type, data] = known
            self.made[known] = data
        return known


def _contents(bundle: Bundle) -> Iterator[tuple[At, Any]]:
    """What was said and what came back; what was asked for is left out."""
    for position, node in bundle.objects("nodes"):
        for member in ("payload", "observation"):
            if member in node:
                yield ("nodes", position, member), node[member]
    for position, state in bundle.objects("states"):
        for member in ("view", "delta"):
            if member in state:
                yield ("states", position, member), state[member]


def _edits(value: Any, at: At, files: _Files) -> Iterator[tuple[At, Any]]:
    pending: list[tuple[Any, At]] = [(value, at)]
    while pending:
        value, at = pending.pop()
        if type(value) is dict:
            attachment = attachment_of(value)
            if attachment is None:
                inner = [(one, (*at, name)) for name, one in value.items() if name not in _ASKED]
                pending.extend(reversed(inner))
            elif attachment.data:
                yield from _part(value, at, attachment, files)
        elif type(value) is list:
            pending.extend((one, (*at, position)) for position, one in reversed(list(enumerate(value))))
        elif type(value) is str:
            text = _without_images(value, files)
            if text != value:
                yield at, text


def _part(part: Json, at: At, attachment: Attachment, files: _Files) -> Iterator[tuple[At, Any]]:
    place = (*at, *attachment.at)
    if is_data_uri(str(look_up(part, attachment.at))):
        yield place, files.path(attachment.media_type, attachment.data)
    elif attachment.at[0] == "source":  # Anthropic's block has a second form, for what is elsewhere
        path = files.path(attachment.media_type, attachment.data)
        yield place[:-1], {"type": "url", "media_type": attachment.media_type, "url": path}


def _without_images(text: str, files: _Files) -> str:
    if "](data:" not in text:
        return text

    def path_of(match: re.Match[str]) -> str:
        media_type, data, fault = data_of(match[1])
        whole = match[0]
        return whole if fault else f"{whole[: match.start(1) - match.start()]}{files.path(media_type, data)})"

    return _MARKDOWN.sub(path_of, text)


def _replaced(tree: Json, edits: list[tuple[At, Any]]) -> Json:
    """The tree with other values at these places; what no edit touches is shared with the given one."""
    root = dict(tree)
    copies: dict[At, Any] = {(): root}
    for at, value in edits:
        here: Any = root
        for depth in range(1, len(at)):
            copy = copies.get(at[:depth])
            if copy is None:
                inner = here[at[depth - 1]]
                copy = copies[at[:depth]] = dict(inner) if type(inner) is dict else list(inner)
                here[at[depth - 1]] = copy
            here = copy
        here[at[-1]] = value
    return root
