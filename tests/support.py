"""What several tests need: the corpus when it is there, patches on JSON documents, the pages' base documents."""

from __future__ import annotations

import copy
import io
import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent
SHARED = REPOSITORY.parent / "shared"
CORPUS = SHARED / "corpus"


class Deaf(io.TextIOWrapper):
    """A standard stream whose reader has left."""

    def write(self, text: str) -> int:
        raise BrokenPipeError

    def fileno(self) -> int:
        raise OSError


needs_corpus = pytest.mark.skipif(not CORPUS.is_dir(), reason="no corpus beside this checkout (../shared/corpus)")


def base_document(package: str, name: str) -> Any:
    """A base document of the rule pages: base_document("attraj.bundle.checks", "minimal")."""
    return json.loads(files(package).joinpath("pages", f"{name}.json").read_text(encoding="utf-8"))


def merge_patch(target: Any, patch: Any) -> Any:
    """RFC 7396. The target is not modified."""
    if not isinstance(patch, dict):
        return copy.deepcopy(patch)
    merged = dict(target) if isinstance(target, dict) else {}
    for key, value in patch.items():
        if value is None:
            merged.pop(key, None)
        else:
            merged[key] = merge_patch(merged.get(key), value)
    return copy.deepcopy(merged)


def json_patch(target: Any, operations: list[dict[str, Any]]) -> Any:
    """RFC 6902: add, remove, replace. The target is not modified."""
    result = copy.deepcopy(target)
    for operation in operations:
        *way, last = [t.replace("~1", "/").replace("~0", "~") for t in operation["path"].split("/")[1:]]
        place = result
        for token in way:
            place = place[int(token)] if isinstance(place, list) else place[token]
        if isinstance(place, list):
            index = len(place) if last == "-" else int(last)
            if operation["op"] == "add":
                place.insert(index, copy.deepcopy(operation["value"]))
            elif operation["op"] == "remove":
                del place[index]
            else:
                place[index] = copy.deepcopy(operation["value"])
        elif operation["op"] == "remove":
            del place[last]
        else:
            place[last] = copy.deepcopy(operation["value"])
    return result


def patched(base: Any, patch: Any) -> Any:
    """A page's fragment applied: an array is a JSON Patch, an object a merge patch."""
    return json_patch(base, patch) if isinstance(patch, list) else merge_patch(base, patch)
