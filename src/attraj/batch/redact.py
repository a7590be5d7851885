"""Files to redacted files: what belongs together, where each goes, what became of it. One scope at a time."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial

from attraj.batch.files import Found
from attraj.errors import AttrajError, Unreadable, bug_report
from attraj.jsonio.read import read_bytes, read_stdin
from attraj.jsonio.write import write_atomic
from attraj.limits import DEFAULT_LIMITS, Limits
from attraj.redaction.changes import Unscanned
from attraj.redaction.opinions import second_opinion
from attraj.redaction.policy import Policy
from attraj.redaction.run import Done, Tools, redact_scope, tools
from attraj.redaction.search import Value
from attraj.redaction.source import BINARY, Source, read_source
from attraj.secrets.policy import DetectionPolicy
from attraj.verbs.redact import new_errors
from attraj.verbs.scan import FORMS

COMPRESSED = (".gz", ".zst")
_WORST = (4, 5, 2, 3, 1, 0)
PAYS_BYTES = 1 << 20  # below this much, starting a pool costs more than it saves


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
        bug: What to report when it is a bug of ours that kept it from being redacted; "" otherwise.
        is_written: The outputs may be given out: everything was looked at, and every proof holds.
        reasons: Why they may not.
    """

    files: list[Found]
    left_out: list[LeftOut]
    done: Done | None = None
    bug: str = ""
    is_written: bool = False
    reasons: list[str] = field(default_factory=list)
    has_remains: bool = False

    def exit_code(self) -> int:
        codes = [left.exit_code for left in self.left_out]
        if self.bug:
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
    members: Sequence[Found], with_tools: Tools, *, allow_unscanned: bool = False, is_strict: bool = False
) -> Group:
    """Read and redact the files of one scope. Nothing is written."""
    made = Group([], [])
    sources: list[Source] = []
    for file in members:
        left = _left_out(file)
        if left is None:
            try:
                sources.append(_read(file, with_tools))
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
        made.done = redact_scope(sources, with_tools)
    except Exception as error:  # noqa: BLE001  (one scope must not take the others with it; nothing of it is written)
        made.bug = bug_report(error)
        return made
    finally:
        with_tools.forget()
    made.reasons = [*_refusals(made.done, with_tools.policy, allow_unscanned=allow_unscanned, is_strict=is_strict)]
    made.is_written = not made.reasons
    made.has_remains = bool(made.done.reviews or unlooked(made.done, with_tools.policy) or made.done.sealed)
    return made


@dataclass(frozen=True, slots=True)
class RedactTask:
    """How each scope is redacted, as values that can travel to a worker.

    Attributes:
        detection: What the detectors are made from.
        policy, known, limits: See `Tools`.
        tool: Name and version of the program.
        seed: Makes canaries.
        opinion: Name of the other scanner; "" for none.
        allow_unscanned, is_strict: What may be written, see `redact_group`.
    """

    detection: DetectionPolicy
    policy: Policy
    tool: str
    seed: bytes = field(repr=False)
    known: tuple[Value, ...] = field(default=(), repr=False)
    limits: Limits = DEFAULT_LIMITS
    opinion: str = ""
    allow_unscanned: bool = False
    is_strict: bool = False

    def tools(self) -> Tools:
        """The tools, for this process. Raises AttrajError for what is not installed or cannot be used."""
        return tools(
            self.detection,
            self.policy,
            tool=self.tool,
            seed=self.seed,
            known=self.known,
            validator=partial(new_errors, limits=self.limits),
            opinion=second_opinion(self.opinion) if self.opinion else None,
            limits=self.limits,
            forms=FORMS,
        )

    def begin(self) -> Callable[[Sequence[Found]], Group]:
        """See `pool.Task`."""
        return partial(self.group, self.tools())

    def group(self, with_tools: Tools, members: Sequence[Found]) -> Group:
        """Redact one scope."""
        return redact_group(members, with_tools, allow_unscanned=self.allow_unscanned, is_strict=self.is_strict)

    def lost(self, item: Sequence[Found]) -> Group:
        """See `pool.Task`."""
        return Group([], [LeftOut(file, "the worker died while redacting it", 2) for file in item])

    def size(self, item: Sequence[Found]) -> int:
        """See `pool.Task`; redacting takes many times as long as reading, so chunks are small."""
        return 16 * sum(file.size for file in item)


def redact_groups(
    given: Sequence[Sequence[Found]], task: RedactTask, with_tools: Tools, jobs: int = 1
) -> Iterator[Group]:
    """Each scope, redacted, in order, whatever engine runs. Nothing is written.

    Args:
        given: The files of each scope.
        task: How.
        with_tools: The tools of this process.
        jobs: The most processes to use; 1 never starts one.
    """
    if jobs > 1 and _pays(given):
        from attraj.batch.engines import pool  # imports multiprocessing

        for _, group in pool.run_task(given, task, jobs):
            yield group
        return
    for members in given:
        yield task.group(with_tools, members)


def _pays(given: Sequence[Sequence[Found]]) -> bool:
    """Whether there is work for several processes: more than they take to start, and not all in one scope."""
    if any(file.path == "-" for members in given for file in members):
        return False  # a worker has no standard input of ours
    sizes = [sum(file.size for file in members) for members in given]
    return sum(sizes) > PAYS_BYTES and sum(sizes) - max(sizes) > PAYS_BYTES // 4


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
    return read_source(plain_name(file.name), raw, tools.limits, tools.forms)


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
