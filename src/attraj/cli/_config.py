"""Settings from `attraj.toml` or `[tool.attraj]`; what the command line says wins (DESIGN.md §4)."""

from __future__ import annotations

import os
from typing import Any

from attraj.errors import AttrajError

# Setting -> the types it may have. Names are those of the options.
SETTINGS: dict[str, tuple[type, ...]] = {
    "select": (list,),
    "ignore": (list,),
    "exclude": (list,),
    "fail-on": (str,),
    "exit-zero": (bool,),
    "level": (str,),
    "profile": (list,),
    "strict-closure": (bool,),
    "jobs": (int,),
    "format": (str,),
    "max-bytes": (int,),
    "max-depth": (int,),
    "max-nodes": (int,),
}


def settings(explicit: str | None) -> dict[str, Any]:
    """The settings of the file that the user names or, without one, of the nearest file above the working folder.

    Raises:
        AttrajError: The file cannot be read, is no TOML, or holds a setting that does not exist.
    """
    path = explicit or _nearest(os.getcwd())
    if path is None:
        return {}
    table = _read(path)
    if os.path.basename(path) == "pyproject.toml" or "tool" in table:
        table = table.get("tool", {}).get("attraj", {})
    for name, value in table.items():
        if name not in SETTINGS:
            raise AttrajError(f"{path}: no setting is called `{name}`", hint="settings: " + ", ".join(sorted(SETTINGS)))
        if type(value) not in SETTINGS[name] or (type(value) is list and not all(type(v) is str for v in value)):
            wanted = {list: "an array of strings", str: "a string", bool: "true or false", int: "an integer"}
            raise AttrajError(f"{path}: `{name}` must be {wanted[SETTINGS[name][0]]}")
    return dict(table)


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
    except tomllib.TOMLDecodeError as error:
        raise AttrajError(f"{path}: not TOML: {error}") from error
