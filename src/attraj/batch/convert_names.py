"""What outputs of `convert` are called: `<path without known suffixes>[.<k>][.<part>].<format>.json` (decisions 11)."""

from __future__ import annotations

import os
from collections.abc import Iterable

from attraj.formats.mapping.file_names import file_part
from attraj.verbs.convert import WRITABLE

_COMPRESSED = (".gz", ".zst")
_PLAIN = (".json", ".jsonl", ".ndjson", ".traj")
_MARKS = (".traj", *(f".{name}" for name in WRITABLE))  # `x.traj.json` of mini-swe-agent, and what attraj writes


def stem(name: str) -> str:
    """The name of a file without the suffixes that say how a document is kept."""
    for suffixes in (_COMPRESSED, _PLAIN, _MARKS if name.endswith((".json", ".json.gz", ".json.zst")) else ()):
        name = next((name[: -len(end)] for end in suffixes if _has(name, end)), name)
    return name


def _has(name: str, end: str) -> bool:
    """Whether the suffix is there, and something before it."""
    return name.endswith(end) and not name[: -len(end)].endswith("/") and len(name) > len(end)


def rest_of(index: int | None, part: str) -> str:
    """What stands between the stem and the format: which of several documents of an input this is; "" for the one."""
    parts = ([] if index is None else [str(index)]) + ([file_part(part)] if part else [])
    return ".".join(parts)


def output_name(stem: str, rest: str, to: str) -> str:
    """The path of an output within the output folder, with "/"."""
    return f"{stem}.{rest}.{to}.json" if rest else f"{stem}.{to}.json"


def rivals(stems: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Stem to what follows it in longer ones: an input that holds several documents may not take these names.

    With `a.jsonl` and `a.0.json` the second document of neither decides who is first: `a.0` belongs to `a.0.json`.
    """
    known = set(stems)
    found: dict[str, list[str]] = {}
    for one in sorted(known):
        start = one.rfind("/") + 1
        dot = one.find(".", start + 1)
        while dot > 0:
            if one[:dot] in known:
                found.setdefault(one[:dot], []).append(one[dot + 1 :])
            dot = one.find(".", dot + 1)
    return {one: tuple(rest) for one, rest in found.items()}


def is_taken(rest: str, rivals: tuple[str, ...]) -> bool:
    """Whether a name belongs to another input."""
    return any(rest == rival or rest.startswith(rival + ".") for rival in rivals)


def relative(path: str, root: str) -> str:
    """The path of something within what was given, with "/"; the last part of its path when it was given itself."""
    within = os.path.relpath(path, root) if path != root else "."
    if within == ".":
        within = os.path.basename(os.path.abspath(path))
    return within.replace(os.sep, "/")
