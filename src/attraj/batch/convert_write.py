"""The outputs of one document to files: all of them or none, nothing over an input, nothing over a file unasked."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

from attraj.batch.convert_earlier import holds
from attraj.batch.convert_lock import is_inside, reason_of
from attraj.batch.convert_names import is_taken, output_name, rest_of
from attraj.batch.convert_plan import Destination, Entry, is_protected
from attraj.batch.convert_records import Written
from attraj.errors import AttrajError
from attraj.jsonio.write import write_atomic
from attraj.verbs.convert import Output

IS_OTHER = "the output exists, and is not what this run writes: move it away, or --overwrite"
SEVERAL = "several documents come of it: name a folder with -o"


class NotPlaced(Exception):
    """An output has no place to go to.

    Args:
        reason: Why, in our own words.
        exit_code: What it does to that of the run: 1 for a name that is taken, 2 for what a person has to change.
        is_final: Trying again would not help.
    """

    def __init__(self, reason: str, exit_code: int = 2, *, is_final: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.exit_code = exit_code
        self.is_final = is_final


class _File(NamedTuple):
    name: str
    data: bytes
    is_asset: bool


class Placing:
    """Places the outputs of one input.

    Args:
        entry: The input.
        destination: A file or a folder.
        to: Name of the target format.
        protected: Real paths of inputs in reach.
    """

    def __init__(self, entry: Entry, destination: Destination, to: str, protected: frozenset[str]) -> None:
        self._entry = entry
        self._out = destination
        self._to = to
        self._protected = protected
        self._taken: set[str] = set()

    def place(self, outputs: Sequence[Output], index: int | None, part: str = "") -> tuple[Written, ...]:
        """Write the outputs of one document.

        Args:
            outputs: What came of it.
            index: Its position, where the input holds several documents.
            part: Its name, where the input is a trial of several steps.

        Raises:
            NotPlaced: Nothing of this document was written.
        """
        files = self._files(outputs, index, part)
        paths = [self._path(file.name) for file in files]
        new: list[str] = []
        try:
            for path, file in zip(paths, files, strict=True):
                if self._put(path, file.data):
                    new.append(path)
        except NotPlaced:
            for path in new:
                with suppress(OSError):
                    os.unlink(path)
            raise
        self._taken.update(file.name for file in files)
        return tuple(Written(file.name, len(file.data), _sha256(file.data), file.is_asset) for file in files)

    def _files(self, outputs: Sequence[Output], index: int | None, part: str) -> list[_File]:
        made: list[_File] = []
        for output in outputs:
            rest = ".".join(filter(None, (rest_of(index, part), rest_of(None, output.part))))
            name = output_name(self._entry.name, rest, self._to) if self._out.kind == "folder" else ""
            made.append(_File(name, output.text, False))
            folder = name.rpartition("/")[0]
            for asset, data in output.assets.items():
                made.append(_File(f"{folder}/{_inside(asset)}" if folder else _inside(asset), data, True))
            if rest and is_taken(rest, self._entry.rivals):
                raise NotPlaced("its output would have the name of another input's", 1, is_final=True)
        documents = [file.name for file in made if not file.is_asset]
        if self._out.kind == "file" and len(documents) > 1:
            raise NotPlaced(SEVERAL, is_final=True)
        if len(set(documents)) != len(documents) or not self._taken.isdisjoint(documents):
            raise NotPlaced("two of its outputs would have the same name", 1, is_final=True)
        return made

    def _path(self, name: str) -> str:
        if self._out.kind == "folder":
            return self._out.place(name)
        return os.path.join(os.path.dirname(self._out.path), *name.split("/")) if name else self._out.path

    def _put(self, path: str, data: bytes) -> bool:
        """Write one file. Returns whether it is new: not there before, in whatever form."""
        folder = os.path.dirname(path)
        was_there = os.path.lexists(path)
        if was_there and is_protected(path, self._protected):
            raise NotPlaced("the output would be written over an input", 1, is_final=True)
        try:
            if folder:
                os.makedirs(folder, exist_ok=True)
                self._require_inside(folder)
            # Of a folder the manifest keeps the digest of each output, and --resume goes by nothing else.
            write_atomic(path, data, overwrite=self._out.overwrites, is_synced=self._out.kind != "folder")
        except OSError as error:
            raise NotPlaced(f"the folder of its output cannot be made: {reason_of(error)}") from error
        except AttrajError as error:
            if self._out.overwrites or not was_there:
                raise NotPlaced(error.message) from error
            # A run that was interrupted may have written it: conversion is a function, so the bytes tell.
            if holds(path, len(data), _sha256(data)):
                return False
            raise NotPlaced(IS_OTHER) from error
        return not was_there

    def _require_inside(self, folder: str) -> None:
        """A link in the output folder must not lead what is written somewhere else."""
        if self._out.kind != "folder":
            return
        if not is_inside(folder, self._out.path):
            raise NotPlaced("a link in the output folder leads out of it")


def _inside(name: str) -> str:
    """The name of an asset, which is ours; that it stays where it belongs is tested all the same."""
    if name.startswith("/") or "\\" in name or any(part in ("", ".", "..") for part in name.split("/")):
        raise ValueError("the name of an asset leads out of its folder")
    return name


def _sha256(data: bytes) -> str:
    import hashlib  # takes milliseconds to import

    return hashlib.sha256(data).hexdigest()
