"""Settings from `attraj.toml` or `[tool.attraj]`; what the command line says wins (DESIGN.md §4)."""

from __future__ import annotations

import os
from typing import Any

from attraj.errors import AttrajError

# Setting -> what it may hold: an array of strings, a string, a truth value, or an integer from some number on; and the
# words that are known, where not every word is. Names are those of the options.
SETTINGS: dict[str, tuple[type, tuple[str, ...], int]] = {
    "select": (list, (), 0),
    "ignore": (list, (), 0),
    "exclude": (list, (), 0),
    "fail-on": (str, ("error", "warning", "info"), 0),
    "exit-zero": (bool, (), 0),
    "level": (str, ("bytes", "shape", "references", "structure", "meaning", "profiles"), 0),
    "profile": (list, ("AT-Core", "AT-Evaluation", "AT-Training"), 0),
    "strict-closure": (bool, (), 0),
    "jobs": (int, (), 0),
    "format": (str, ("text", "json", "jsonl", "sarif", "junit", "github"), 0),
    "max-bytes": (int, (), 1),
    "max-depth": (int, (), 1),
    "max-nodes": (int, (), 1),
}
_KINDS = {list: "an array of strings", str: "a string", bool: "true or false", int: "an integer"}


def settings(explicit: str | None) -> dict[str, Any]:
    """The settings of the file that the user names or, without one, of the nearest file above the working folder.

    Raises:
        AttrajError: The file cannot be read, is no TOML, or holds a setting that does not exist or makes no sense.
    """
    path = explicit or _nearest(os.getcwd())
    if path is None:
        return {}
    table = _read(path)
    if os.path.basename(path) == "pyproject.toml" or "tool" in table:
        tools = table.get("tool", {})
        if type(tools) is not dict:
            raise AttrajError(f"{path}: `tool` must be a table")
        table = tools.get("attraj", {})
    if type(table) is not dict:
        raise AttrajError(f"{path}: [tool.attraj] must be a table")
    for name, value in table.items():
        if name not in SETTINGS:
            raise AttrajError(f"{path}: no setting is called `{name}`", hint="settings: " + ", ".join(sorted(SETTINGS)))
        _require(path, name, value)
    return dict(table)


def _require(path: str, name: str, value: Any) -> None:
    kind, words, least = SETTINGS[name]
    parts: list[Any] = value if type(value) is list else [value]
    if type(value) is not kind or (kind is list and not all(type(part) is str for part in parts)):
        raise AttrajError(f"{path}: `{name}` must be {_KINDS[kind]}")
    if words and any(part not in words for part in parts):
        raise AttrajError(f"{path}: `{name}` knows these words: {', '.join(words)}")
    if any(type(part) is int and part < least for part in parts):
        raise AttrajError(f"{path}: `{name}` must be {least} or more")


def _nearest(folder: str) -> str | None:
    while True:
        own = os.path.join(folder, "attraj.toml")
        if os.path.isfile(own):
            return own
        project = os.path.join(folder, "pyproject.toml")
        if os.path.isfile(project) and _mentions_attraj(project):
            return project
        above = os.path.dirname(folder)
        if above == folder:
            return None
        folder = above


def _mentions_attraj(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return b"[tool.attraj" in file.read()
    except OSError:
        return False


def _read(path: str) -> dict[str, Any]:
    import tomllib  # only when there is a file to read

    try:
        with open(path, "rb") as file:
            return tomllib.load(file)
    except OSError as error:
        raise AttrajError(f"{path}: {(error.strerror or 'cannot be read').lower()}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise AttrajError(f"{path}: not TOML: {error}") from error
