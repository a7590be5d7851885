"""Files to redacted files: what belongs together, where each goes, what became of it. One scope at a time."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from attraj.batch.files import Found
from attraj.errors import AttrajError, Unreadable
from attraj.jsonio.read import read_bytes, read_stdin
from attraj.jsonio.write import write_atomic
from attraj.redaction.changes import Unscanned
from attraj.redaction.policy import Policy
from attraj.redaction.run import Done, Tools, redact_scope
from attraj.redaction.source import BINARY, Source, read_source

COMPRESSED = (".gz", ".zst")
_WORST = (4, 5, 2, 3, 1, 0)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A file that is not written.

    Attributes:
        found: The file.
        reason: Why, in our own words.
        exit_code: What it does to that of the run.
    """

    found: Found
    reason: str
    exit_code: int


@dataclass(slots=True)
class Group:
    """What became of the files of one scope.

    Attributes:
        files: Those that were read, in the order of the scope's sources.
        left_out: Those that were not.
        done: What redaction says; None when there was nothing to redact, or a bug.
        bug: The exception of a bug of ours, for the report of it.
        is_written: The outputs may be given out: everything was looked at, and every proof holds.
        reasons: Why they may not.
    """

    files: list[Found]
    left_out: list[LeftOut]
    done: Done | None = None
    bug: Exception | None = None
    is_written: bool = False
    reasons: list[str] = field(default_factory=list)
    has_remains: bool = False

    def exit_code(self) -> int:
        codes = [left.exit_code for left in self.left_out]
        if self.bug is not None:
            codes.append(4)
        elif self.done is not None and not self.is_written:
            codes.append(5)
        elif self.has_remains:
            codes.append(1)
        return worst(codes)


def worst(codes: Iterable[int]) -> int:
    """The exit code of a batch (DESIGN.md §4)."""
    given = set(codes)
    return next((code for code in _WORST if code in given), 0)


def groups(found: Iterable[Found], *, one_scope: bool) -> list[list[Found]]:
    """The files by what belongs together, in the order in which each scope was met first."""
    made: dict[str, list[Found]] = {}
    for file in found:
        made.setdefault("" if one_scope else file.scope, []).append(file)
    return list(made.values())


def redact_group(
    members: Sequence[Found], tools: Tools, *, allow_unscanned: bool = False, is_strict: bool = False
) -> Group:
    """Read and redact the files of one scope. Nothing is written."""
    made = Group([], [])
    sources: list[Source] = []
    for file in members:
        left = _left_out(file)
        if left is None:
            try:
                sources.append(_read(file, tools))
                made.files.append(file)
                continue
            except Unreadable as error:
                is_binary = error.message == BINARY
                reason = "not text: it was not looked at" if is_binary else error.message
                left = LeftOut(file, reason, 1 if is_binary and not file.is_named else 2)
        made.left_out.append(left)
    if not sources:
        return made
    try:
        made.done = redact_scope(sources, tools)
    except Exception as error:  # noqa: BLE001  (one scope must not take the others with it; nothing of it is written)
        made.bug = error
        return made
    made.reasons = [*_refusals(made.done, tools.policy, allow_unscanned=allow_unscanned, is_strict=is_strict)]
    made.is_written = not made.reasons
    made.has_remains = bool(made.done.reviews or unlooked(made.done, tools.policy) or made.done.sealed)
    return made


def unlooked(done: Done, policy: Policy) -> list[Unscanned]:
    """What was not looked at, and what the policy says nothing about."""
    return [u for u in done.unscanned if not (u.is_media and policy.media)]


def _refusals(done: Done, policy: Policy, *, allow_unscanned: bool, is_strict: bool) -> Iterator[str]:
    yield from sorted({f"the proof `{f.proof}` does not hold: {f.detail}" for f in done.failures})
    left = unlooked(done, policy)
    if left and not (allow_unscanned and not is_strict):
        kinds = sorted({u.reason for u in left})
        yield f"not looked at whole: {', '.join(kinds)}"
    if is_strict and (done.reviews or done.sealed):
        yield "something is left for a person to look at"


def _left_out(file: Found) -> LeftOut | None:
    if not file.reason:
        return None
    return LeftOut(file, file.reason, 2 if file.is_unreadable else 1)


def _read(file: Found, tools: Tools) -> Source:
    raw = read_stdin(tools.limits) if file.path == "-" else read_bytes(file.path, tools.limits)
    return read_source(plain_name(file.name), raw, tools.limits, tools.is_bundle)


def plain_name(name: str) -> str:
    """The name of what is written: it is not compressed again."""
    return next((name[: -len(end)] for end in COMPRESSED if name.endswith(end)), name)


# --- where outputs go ------------------------------------------------------------------------------------------------


class Outputs:
    """Where each output goes. Refuses what would overwrite an input, or anything without being told to.

    Args:
        out: A file for one input, a folder for several.
        is_folder: Which of the two.
        inputs: Every input, so that none is written over.
        overwrite: Whether files that exist are replaced.
    """

    def __init__(self, out: str, *, is_folder: bool, inputs: Iterable[str], overwrite: bool) -> None:
        self._out = out
        self._is_folder = is_folder
        self._inputs = {os.path.realpath(path) for path in inputs}
        self._overwrite = overwrite

    def require_free(self, names: Iterable[str]) -> None:
        """Raise AttrajError when an output cannot be written, before anything is read."""
        seen: set[str] = set()
        for name in names:
            path = self.path(name)
            if path in seen:
                raise AttrajError("two inputs would be written to the same file", hint="give them one at a time")
            seen.add(path)
            if os.path.realpath(path) in self._inputs:
                raise AttrajError("the output would be written over an input", hint="name another output")
            if os.path.lexists(path) and not self._overwrite:
                raise AttrajError("an output exists already", hint="name another output, or --overwrite")

    def path(self, name: str) -> str:
        """Where the file of this name goes."""
        return os.path.join(self._out, *name.split("/")) if self._is_folder else self._out

    def write(self, outputs: Sequence[tuple[str, bytes]]) -> list[str]:
        """Write the files of one scope, all of them or none. Returns their paths."""
        paths = [self.path(name) for name, _ in outputs]
        self._require_new_names(paths)
        written: list[str] = []
        try:
            for path, (_, raw) in zip(paths, outputs, strict=True):
                os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
                write_atomic(path, raw, overwrite=self._overwrite)
                written.append(path)
        except (AttrajError, OSError) as error:
            for path in written:
                with suppress(OSError):
                    os.unlink(path)
            if isinstance(error, OSError):
                raise AttrajError("the folder of the output cannot be made") from error
            raise
        return paths

    def _require_new_names(self, paths: Sequence[str]) -> None:
        if len(set(paths)) != len(paths) or any(os.path.realpath(path) in self._inputs for path in paths):
            raise AttrajError("two files would be written to one, or over an input")
