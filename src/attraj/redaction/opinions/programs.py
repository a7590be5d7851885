"""gitleaks, betterleaks and kingfisher as programs that are on the PATH."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from attraj.redaction.opinions.opinion import Joined, NoOpinion, Opinion, Raw, Remark, Text

TIMEOUT_S = 900  # a gigabyte of text, with the slowest of them
_KEPT = ("PATH", "SYSTEMROOT", "SYSTEMDRIVE", "COMSPEC", "PATHEXT", "LANG", "LC_ALL")
_VERSION = re.compile(r"\d+(?:\.\d+)+[0-9A-Za-z.+-]{0,20}")


class Ways(NamedTuple):
    """How one of them is asked.

    Attributes:
        version: Arguments that make it tell its version.
        arguments: Arguments that make it look at standard input and answer as JSON on standard output.
        ends: Exit codes of a whole answer.
        read: Reads the answer. Raises ValueError, KeyError or TypeError for one that is broken or not whole.
    """

    version: tuple[str, ...]
    arguments: tuple[str, ...]
    ends: frozenset[int]
    read: Callable[[bytes], list[Raw]]


def program(name: str) -> Opinion | None:
    """The program of this name; None when it is not on the PATH. Raises NoOpinion when it does not tell its version."""
    path = shutil.which(name)
    return Program(name, path) if path else None


class Program:
    """A scanner as a program."""

    def __init__(self, name: str, path: str) -> None:
        self.name = name
        self._path = os.path.abspath(path)
        self._ways = _WAYS[name]
        told = _VERSION.search(self._run(self._ways.version, b"", frozenset({0})).decode("utf-8", "replace"))
        if told is None:
            raise NoOpinion(f"{name} does not tell its version")
        self.version = told[0]

    def look(self, texts: Sequence[Text]) -> list[Remark]:
        """See Opinion."""
        joined = Joined(texts)
        if not joined.numbers:
            return []
        answer = self._run(self._ways.arguments, joined.data, self._ways.ends)
        try:
            found = self._ways.read(answer)
        except (ValueError, KeyError, TypeError):  # the text of the error may quote what was found
            raise NoOpinion(f"{self.name} gave no whole answer") from None
        return joined.remarks(found, self.name)

    def _run(self, arguments: Sequence[str], given: bytes, ends: frozenset[int]) -> bytes:
        with tempfile.TemporaryDirectory(prefix="attraj-") as empty:
            # Nothing of ours reaches it, and nothing of it stays: no settings, no proxy, no cache in the home folder.
            kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
            homes = dict.fromkeys(("HOME", "USERPROFILE", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "TMPDIR"), empty)
            try:
                done = subprocess.run(
                    [self._path, *arguments],
                    input=given,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    cwd=empty,
                    env=kept | homes,
                    timeout=TIMEOUT_S,
                    check=False,
                )
            except (OSError, subprocess.TimeoutExpired):
                raise NoOpinion(f"{self.name} cannot be run, or does not end") from None
        if done.returncode not in ends:
            raise NoOpinion(f"{self.name} failed")
        return done.stdout


def _read_gitleaks(answer: bytes) -> list[Raw]:
    return [Raw(_text(one["RuleID"]), _text(one["Secret"]), _line(one["StartLine"])) for one in _list(answer)]


def _list(answer: bytes) -> list[Any]:
    found = json.loads(answer)
    if type(found) is not list:
        raise ValueError("not a list")
    return found


def _read_betterleaks(answer: bytes) -> list[Raw]:
    *rows, last = _rows(answer)
    found = [row["finding"] for row in rows]
    scan = last["scan"]
    if scan["state"] != "complete" or scan["num_findings"] != len(found):
        raise ValueError("not whole")
    return [
        Raw(_text(one["rule_id"]), _text(one["match"]["value"]), _line(one["location"]["start_line"])) for one in found
    ]


def _read_kingfisher(answer: bytes) -> list[Raw]:
    *rows, audit, last = _rows(answer)
    counts = audit["audit"]["summary"]
    if last["findings"] != len(rows) or counts["scan_succeeded"] != 1 or counts["scan_partial"]:
        raise ValueError("not whole")
    return [
        Raw(_text(row["rule"]["id"]), _text(row["finding"]["snippet"]), _line(row["finding"]["line"])) for row in rows
    ]


def _rows(answer: bytes) -> Iterator[Any]:
    return (json.loads(row) for row in answer.splitlines() if row.strip())


def _text(value: Any) -> str:
    if type(value) is not str:
        raise TypeError("not a text")
    return value


def _line(value: Any) -> int:
    if type(value) is not int or value < 1:
        raise TypeError("not a line")
    return value


_WAYS = {
    "gitleaks": Ways(
        ("version",),
        (
            *("stdin", "--no-banner", "--log-level", "error", "--ignore-gitleaks-allow", "--exit-code", "77"),
            *("--report-format", "json", "--report-path", "-"),
        ),
        frozenset({0, 77}),
        _read_gitleaks,
    ),
    "betterleaks": Ways(
        ("version",),
        ("stdin", "--no-banner", "--silent", "--no-allow-signatures", "--exit-code", "77", "--jsonl", "--output", "-"),
        frozenset({0, 77}),
        _read_betterleaks,
    ),
    "kingfisher": Ways(
        ("--version",),
        (
            *("scan", "--no-validate", "--no-update-check", "--no-rule-cache", "--no-ignore", "--no-dedup"),
            *("--confidence", "low", "--format", "jsonl", "-"),
        ),
        frozenset({0, 200}),
        _read_kingfisher,
    ),
}
