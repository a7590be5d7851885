"""A folder as something that pointers lead into: its entries are members, and a pointer goes on inside a JSON file.

Names of entries are paths and are shown as they are; what stands inside a file is shown as of any document.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from attraj.jsonio import MISSING, Document
from attraj.pointer import Ranks, escape, join, shown, split

Content = Document | Sequence[Document] | None
"""What is known of a file: its document, its documents (one an element), or nothing."""


class Inside(NamedTuple):
    """Where a pointer of a folder's finding leads.

    Attributes:
        names: The entries on the way.
        file: Path of the file that it ends in; "" when it ends at a folder.
        rest: The tokens inside the file, or what no entry bears.
    """

    names: list[str]
    file: str
    rest: list[str]


@dataclass(frozen=True, slots=True)
class Entries:
    """The entries of a folder that its findings may point at.

    Attributes:
        tree: The folder as an object of its entries; a JSON file is the value in it, any other file an empty object.
        files: Path of each file in `tree` to what is known of it.
    """

    tree: Mapping[str, Any] = field(default_factory=dict)
    files: Mapping[str, Content] = field(default_factory=dict)

    def inside(self, pointer: str) -> Inside:
        """Which entries a pointer leads through, and where it is inside the last of them."""
        tokens = split(pointer)
        place: Any = self.tree
        for position, name in enumerate(tokens):
            if type(place) is not dict or name not in place:
                return Inside(tokens[:position], "", tokens[position:])
            path = "/".join(tokens[: position + 1])
            if path in self.files:
                return Inside(tokens[: position + 1], path, tokens[position + 1 :])
            place = place[name]
        return Inside(tokens, "", [])

    def shown(self, pointer: str, ranks: Ranks | None = None) -> str:
        """The pointer with the names of entries, and without the keys inside a file that may be content.

        A key that is the name of an entry of the folder (an instance of a run, in its list of predictions) says
        nothing that the folder does not.
        """
        names, file, rest = self.inside(pointer)
        masked = shown(join(*rest), _value(self.files.get(file)), ranks).split("/")[1:]
        kept = [escape(key) if key in self.tree else mask for key, mask in zip(rest, masked, strict=True)]
        return join(*names) + "".join(["/" + token for token in kept])

    def document(self, pointer: str) -> tuple[Document | None, str]:
        """The document with bytes that a pointer leads into, and the pointer inside it."""
        _, file, rest = self.inside(pointer)
        content = self.files.get(file)
        if isinstance(content, Document):
            return (content, join(*rest)) if content.raw else (None, "")
        position = int(rest[0]) if content and rest and rest[0].isdecimal() else -1
        if content is not None and 0 <= position < len(content):
            return content[position], join(*rest[1:])
        return None, ""


NO_ENTRIES = Entries()


def entries_of(files: Mapping[str, Content], others: Iterable[str] = ()) -> Entries:
    """The entries made of these files, in this order, and then of the other paths (folders, or what there is)."""
    tree: dict[str, Any] = {}
    for path in (*files, *others):
        place = tree
        parts = path.split("/") if path else []
        for part in parts[:-1]:
            place = _folder(place, part)
        if parts:
            place.setdefault(parts[-1], _value(files.get(path)) if files.get(path) is not None else {})
    return Entries(tree, dict(files))


def _folder(place: dict[str, Any], name: str) -> dict[str, Any]:
    below = place.setdefault(name, {})
    return below if type(below) is dict else {}


def _value(content: Content) -> Any:
    """The JSON value of a file, None where there is none."""
    if isinstance(content, Document):
        return None if content.tree is MISSING else content.tree
    return None if content is None else [_value(document) for document in content]
