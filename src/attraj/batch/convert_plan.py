"""The plan of a conversion: which inputs, under which names, where they go; refused before anything is read.

The same inputs and the same options make the same plan, so that an interrupted run can be gone on with.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from attraj.batch.convert_beside import files_beside
from attraj.batch.convert_clashes import require_own_names
from attraj.batch.convert_lock import in_use, is_below, is_held
from attraj.batch.convert_names import output_name, relative, rivals, stem
from attraj.batch.discover import Item, discover, folders_above
from attraj.errors import AttrajError
from attraj.verbs.convert import Request

BOOKS = "_attraj"
MANIFEST = "manifest.jsonl"


@dataclass(frozen=True, slots=True)
class Destination:
    """Where the outputs go.

    Attributes:
        kind: Standard output or a file, for one output; a folder that mirrors the inputs.
        path: Of the file or the folder.
        overwrites: Files that exist are replaced.
    """

    kind: Literal["stdout", "file", "folder"]
    path: str = ""
    overwrites: bool = False

    def place(self, name: str) -> str:
        """Where the output of this name goes: its path within the folder, with "/"."""
        return os.path.join(self.path, *name.split("/"))


@dataclass(frozen=True, slots=True)
class Entry:
    """One input.

    Attributes:
        number: Its position in the plan.
        item: What it is.
        name: Its path within what was given, without known suffixes.
        rivals: What follows this name in those of other inputs.
    """

    number: int
    item: Item
    name: str
    rivals: tuple[str, ...] = ()

    @property
    def is_converted(self) -> bool:
        """Whether an output may come of it."""
        return self.item.kind in ("file", "trial", "stdin")


@dataclass(frozen=True, slots=True)
class Plan:
    """Every input of a run, by name.

    Attributes:
        entries: In the order of their names.
        destination: Where the outputs go.
        to: Name of the target format.
        inputs_id, options_id: Equal for equal inputs (names, sizes, times) and equal options.
        protected: Real paths of inputs that lie where outputs go: nothing is written over them.
        given_id: Equal for runs over the same paths, whatever they hold.
        notes: What is worth knowing of the plan.
    """

    entries: tuple[Entry, ...]
    destination: Destination
    to: str
    inputs_id: str = ""
    options_id: str = ""
    protected: frozenset[str] = frozenset()
    given_id: str = ""
    notes: tuple[str, ...] = ()

    @property
    def plan_id(self) -> str:
        return _digest([self.inputs_id, self.options_id])

    def first_output(self, entry: Entry) -> str:
        """Where the only document of an input goes."""
        return self.destination.place(output_name(entry.name, "", self.to))


@dataclass(frozen=True, slots=True)
class Sources:
    """What is to be converted.

    Attributes:
        paths: As given.
        exclude: Patterns for what walks leave out.
        base: Names are relative to this folder; "" for the path that was given.
        stdin_name: Name of standard input.
    """

    paths: Sequence[str]
    exclude: Sequence[str] = ()
    base: str = ""
    stdin_name: str = "stdin"


def is_single(paths: Sequence[str]) -> bool:
    """Whether this is one input: a file, a trial folder, standard input."""
    if len(paths) != 1:
        return False
    if not os.path.isdir(paths[0]):
        return True
    from attraj.formats.harbor import recognise  # only when a folder is given

    return recognise(paths[0]) == "trial"


def make_plan(
    sources: Sources,
    request: Request,
    destination: Destination,
    options: Sequence[str] = (),
    *,
    is_resumed: bool = False,
) -> Plan:
    """Find the inputs, name the outputs, and refuse what cannot go well.

    Args:
        sources: What is to be converted.
        request: How.
        destination: Where it goes.
        options: What else decides what is written, beside what is left out.
        is_resumed: Go on with the run that the output folder holds, where it holds one: its outputs may exist.

    Raises:
        AttrajError: Two inputs would be written to one file, an output exists, or is an input.
    """
    entries = _entries(sources, destination)
    plan = Plan(entries, destination, request.to)
    if destination.kind == "folder":
        _require_no_books(entries)
        plan = replace(plan, notes=require_own_names(entries, request.to, destination.path))
    if destination.kind != "stdout":
        plan = _protecting(plan)
        _require_free(plan, is_resumed=is_resumed)
    if destination.kind != "folder":
        return plan
    from attraj import __version__

    asked = [__version__, repr(request), *options, "", *sources.exclude]
    given = sorted(os.path.realpath(path) for path in (*sources.paths, sources.base) if path not in ("-", ""))
    return replace(
        plan, inputs_id=_digest(map(_fingerprint, entries)), options_id=_digest(asked), given_id=_digest(given)
    )


# --- inputs ------------------------------------------------------------------------------------------------------


def _entries(sources: Sources, destination: Destination) -> tuple[Entry, ...]:
    without = _Without(sources.paths, destination)
    named: list[tuple[str, Item]] = []
    roots = _Roots(sources.paths, sources.base)
    for item in discover(sources.paths, sources.exclude):
        if item.kind == "job" or without.is_output(item):
            continue
        named.append((sources.stdin_name if item.kind == "stdin" else roots.name(item.path), item))
    # By name: a glob's order, or a list's, decides nothing.
    named.sort(key=lambda one: (os.fsencode(one[0]), os.fsencode(one[1].path)))
    stems = [stem(name) if item.kind in ("file", "stdin") else name for name, item in named]
    entries = [Entry(i, item, stems[i]) for i, (_, item) in enumerate(named)]
    longer = rivals(entry.name for entry in entries if entry.is_converted)
    return tuple(replace(entry, rivals=longer[entry.name]) if entry.name in longer else entry for entry in entries)


class _Roots:
    """What each path is relative to."""

    def __init__(self, paths: Sequence[str], base: str) -> None:
        self._given = frozenset(paths)
        self._base = os.path.realpath(base) if base else ""

    def name(self, path: str) -> str:
        if self._base:
            within = os.path.relpath(os.path.realpath(path), self._base)
            if within == os.curdir:
                return relative(path, path)
            if within == os.pardir or within.startswith(os.pardir + os.sep):
                raise AttrajError(f"{path}: not below the folder that --relative-to names")
            return within.replace(os.sep, "/")
        return relative(path, self._root(path))

    def _root(self, path: str) -> str:
        """The outermost of the given paths that this one begins with: the walk that met it."""
        root = here = path
        while True:
            if here in self._given or here + os.sep in self._given:
                root = here
            above = os.path.dirname(here)
            if above in (here, ""):
                return root
            here = above


class _Without:
    """Leaves out what lies in the output folder, where it lies within an input folder (decisions 9)."""

    def __init__(self, paths: Sequence[str], destination: Destination) -> None:
        self._inside: list[str] = []
        if destination.kind != "folder":
            return
        out = os.path.realpath(destination.path)
        for path in paths:
            if path == "-" or not os.path.isdir(path):
                continue
            root = os.path.realpath(path)
            if root == out:
                raise AttrajError("the output folder is an input folder", hint="name another folder with -o")
            if is_below(out, root):
                self._inside.append(os.path.join(path, os.path.relpath(out, root)))

    def is_output(self, item: Item) -> bool:
        return not item.is_named and any(
            item.path == folder or item.path.startswith(folder + os.sep) for folder in self._inside
        )


# --- refusals ----------------------------------------------------------------------------------------------------


def _require_no_books(entries: Iterable[Entry]) -> None:
    """Raise AttrajError where an output would go among the bookkeeping."""
    for entry in entries:
        if entry.is_converted and entry.name.split("/", 1)[0] == BOOKS:
            raise AttrajError(f"{entry.item.path}: `{BOOKS}` in the output folder is for the bookkeeping")


def _protecting(plan: Plan) -> Plan:
    """The plan with the inputs that an output could be written over: those in the output folder, or beside the file."""
    path = plan.destination.path
    around = os.path.realpath(path if plan.destination.kind == "folder" else os.path.dirname(path) or os.curdir)
    kept: set[str] = set()
    folders: dict[str, str] = {}
    for entry in plan.entries:
        if entry.item.kind not in ("file", "trial"):
            continue
        above, name = os.path.split(entry.item.path)
        if os.path.islink(entry.item.path) or name in ("", os.curdir, os.pardir):
            real = os.path.realpath(entry.item.path)
        else:
            if above not in folders:
                folders[above] = os.path.realpath(above or os.curdir)
            real = os.path.join(folders[above], name)
        is_around = around == real or is_below(around, real)  # an output within a trial
        if is_around or is_below(real, around):
            kept.add(real)
    return replace(plan, protected=frozenset(kept))


def _require_free(plan: Plan, *, is_resumed: bool) -> None:
    """Raise AttrajError where an output is an input, or exists and may not be replaced."""
    out = plan.destination
    if out.kind == "folder" and os.path.lexists(out.path) and not os.path.isdir(out.path):
        raise AttrajError("several inputs need a folder to go to, and the output is a file")
    manifest = os.path.join(out.path, BOOKS, MANIFEST)
    may_exist = out.overwrites or (is_resumed and os.path.exists(manifest))
    if out.kind == "folder" and not may_exist and os.path.lexists(manifest):
        raise in_use() if is_held(os.path.join(out.path, BOOKS)) else earlier_run()
    if out.kind == "file":
        paths = [out.path]
    elif os.path.isdir(out.path):
        paths = [plan.first_output(entry) for entry in plan.entries if entry.is_converted]
    else:
        return
    for path in paths:
        if not os.path.lexists(path):
            continue
        if is_protected(path, plan.protected):
            raise AttrajError("an output would be written over an input", hint="name another output with -o")
        if not may_exist:
            raise AttrajError(f"{path}: exists already", hint="name another output with -o, or --overwrite")


def earlier_run() -> AttrajError:
    """What keeps a run from starting in a folder that has the books of another."""
    return AttrajError(
        "the output folder holds an earlier run",
        hint="--resume goes on with it, --overwrite starts again, or name another folder with -o",
    )


def is_protected(path: str, protected: frozenset[str]) -> bool:
    """Whether a file that exists is an input, or a part of one."""
    if not protected:
        return False
    real = os.path.realpath(path)
    return not protected.isdisjoint((real, *folders_above(real)))


# --- identity ----------------------------------------------------------------------------------------------------

_DEPTH = 4  # steps/<name>/agent/<file> is the deepest that a trial's own files lie
_NOT_READ = frozenset({"artifacts", "__pycache__"})


def _fingerprint(entry: Entry) -> str:
    """What changes when an input does, without reading it: name, kind, size, time of its files."""
    item = entry.item
    facts = [
        str(entry.name.encode("utf-8", "surrogateescape")),
        item.kind,
        item.reason,
        item.release,
        str(item.is_part),
    ]
    if item.kind == "file":
        facts.append(_facts(item.path))
        facts += [_facts(path) for path in files_beside(item)]
    elif item.kind == "trial":
        facts += _below(item.path)
    return repr(facts)


def _facts(path: str) -> str:
    try:
        found = os.stat(path)
    except OSError:
        return "gone"
    return f"{found.st_size} {found.st_mtime_ns}"


def _below(folder: str) -> Iterator[str]:
    pending = [(folder, 1)]
    while pending:
        here, depth = pending.pop()
        try:
            with os.scandir(here) as listing:
                entries = sorted(listing, key=lambda entry: entry.name)
        except OSError:
            yield "gone"
            continue
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                if depth < _DEPTH and entry.name not in _NOT_READ:
                    pending.append((entry.path, depth + 1))
            else:
                yield f"{os.fsencode(os.path.relpath(entry.path, folder))!r} {_facts(entry.path)}"


def _digest(parts: Iterable[str]) -> str:
    import hashlib  # takes milliseconds to import

    made = hashlib.sha256()
    for part in parts:
        raw = part.encode("utf-8", "surrogateescape")
        made.update(b"%d:" % len(raw) + raw)
    return made.hexdigest()
