"""Runs inside the environment of a redactor: takes a document through it, as its users do, and writes it to nowhere.

python redactor.py dataclaw|langsmith FILE
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from typing import Any


def _dataclaw() -> Callable[[Any], Any]:
    from dataclaw.secrets import redact_text  # type: ignore[import-not-found,unused-ignore]

    def redact(value: Any) -> Any:
        if isinstance(value, str):
            return redact_text(value)[0]
        if isinstance(value, list):
            return [redact(item) for item in value]
        return {key: redact(item) for key, item in value.items()} if isinstance(value, dict) else value

    return redact


def _langsmith() -> Callable[[Any], Any]:
    from langsmith.anonymizer import create_secret_anonymizer  # type: ignore[import-not-found,unused-ignore]

    redact: Callable[[Any], Any] = create_secret_anonymizer()
    return redact


REDACTORS = {"dataclaw": _dataclaw, "langsmith": _langsmith}


def main(name: str, path: str) -> None:
    with open(path, encoding="utf-8") as file:
        tree = json.load(file)
    redacted = REDACTORS[name]()(tree)
    with open(os.devnull, "w", encoding="utf-8") as out:
        json.dump(redacted, out)


if __name__ == "__main__":
    main(*sys.argv[1:])
