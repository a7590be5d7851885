"""Options of `convert` to a request and a destination; what cannot be meant is refused before anything is read."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from attraj.batch.convert_books import FILES
from attraj.batch.convert_lock import reason_of
from attraj.batch.convert_plan import BOOKS, Destination, Plan, is_single
from attraj.bundle.vocabulary import LOSS_CATEGORIES
from attraj.cli._request import Chosen, limits_of
from attraj.errors import AttrajError
from attraj.verbs.convert import Request
from attraj.verbs.validate import named_format

if TYPE_CHECKING:
    from attraj.formats.swe_bench.report import Report

_WITHOUT_SUBAGENTS = ("1.6",)  # versions of ATIF that can be written
_STDOUT = (None, "-")
_TARGETS = (
    *(("atif-version", "atif"), ("upgrade", "atif"), ("split-subagents", "atif"), ("embed-subagents", "atif")),
    *(("form", "bundle"), ("derived", "swe-agent")),
)


def require(asked: Chosen, paths: Sequence[str]) -> None:
    """Refuse what cannot be meant, before anything is read."""
    if not paths and asked["files-from"] is None:
        raise AttrajError("no path is given", hint="attraj convert run.traj --to atif, or - for standard input")
    if asked["stdin-filename"] and "-" not in paths:
        raise AttrajError("--stdin-filename names standard input, and `-` is not among the paths")
    for option, target in _TARGETS:
        if asked[option] and asked["to"] != target:
            raise AttrajError(f"--{option} is for --to {target}")
    if asked["split-subagents"] and asked["embed-subagents"]:
        raise AttrajError("--split-subagents and --embed-subagents ask for opposite things")
    if asked["embed-subagents"] and asked["atif-version"] and asked["atif-version"] in _WITHOUT_SUBAGENTS:
        raise AttrajError("--embed-subagents needs ATIF 1.7 or newer: an older version holds no other trajectory")
    if asked["upgrade"] and asked["atif-version"]:
        raise AttrajError("--upgrade writes the newest version, and --atif-version names one")
    if asked["trajectory-id"] is not None and not asked["trajectory-id"].strip():
        raise AttrajError("--trajectory-id names the document, and this is no name", hint="leave the option out")
    if asked["trajectory-id"] and not is_single(paths):
        raise AttrajError("--trajectory-id names one document, and several inputs are given")
    if asked["from"]:
        named_format(asked["from"])
    if asked["from"] == "harbor":
        files = [path for path in paths if not os.path.isdir(path)]
        if files:
            raise AttrajError(f"{files[0]}: --from harbor takes trial and job folders")
    if asked["relative-to"] and not os.path.isdir(asked["relative-to"]):
        raise AttrajError("--relative-to names a folder, and this is none")
    if asked["assets"] is not None:
        _require_assets(asked)


def _require_assets(asked: Chosen) -> None:
    folder = asked["assets"]
    parts = folder.rstrip("/").split("/")
    if os.path.isabs(folder) or "\\" in folder or any(part in ("", ".", "..") for part in parts):
        raise AttrajError("--assets names a folder beside the output", hint="--assets assets")
    if asked["output"] in _STDOUT:
        raise AttrajError("--assets needs -o: files are written beside the output")
    if asked["to"] == "bundle":
        raise AttrajError("--assets takes nothing out of a Bundle: it is for the other formats")


def destination(asked: Chosen, paths: Sequence[str]) -> Destination:
    """Where the outputs go. Raises AttrajError when they cannot go there."""
    out = asked["output"]
    is_one = is_single(paths)
    if out in _STDOUT:
        if not is_one:
            what = "a folder needs" if len(paths) == 1 else "several inputs need"
            raise AttrajError(f"{what} -o FOLDER", hint="one document without -o goes to standard output")
        made = Destination("stdout")
    elif is_one and not (os.path.isdir(out) or out.endswith(("/", os.sep))):
        made = Destination("file", out, bool(asked["overwrite"]))
    else:
        made = Destination("folder", out, bool(asked["overwrite"]))
    if asked["resume"] and "-" in paths:
        raise AttrajError("--resume cannot read standard input a second time")
    if asked["resume"] and made.kind != "folder":
        raise AttrajError("--resume goes on with a run in an output folder, and none is named", hint="-o FOLDER")
    return made


def convert_request(asked: Chosen, paths: Sequence[str]) -> Request:
    """What is asked of each document."""
    return Request(
        asked["to"],
        format=asked["from"] if asked["from"] not in (None, "harbor") else "",
        version=asked["atif-version"] or "",
        form=asked["form"] or "",
        trajectory_id=asked["trajectory-id"] or "",
        is_lenient=bool(asked["lenient"]),
        is_verified=bool(asked["verify"]),
        has_inferred_edges=not asked["no-inferred-edges"],
        strips_thoughts=bool(asked["strip-thoughts"]),
        splits_subagents=bool(asked["split-subagents"]),
        embeds_subagents=bool(asked["embed-subagents"]),
        upgrades=bool(asked["upgrade"]),
        extracts_assets=asked["assets"] is not None,
        assets_folder=(asked["assets"] or "assets").rstrip("/"),
        is_derived=bool(asked["derived"]),
        limits=limits_of(asked),
        verdicts=_verdicts(asked, paths),
    )


def _verdicts(asked: Chosen, paths: Sequence[str]) -> tuple[Report, ...]:
    """The reports that --verdicts names. Raises AttrajError for a file that is none, or that could be of any input."""
    if not asked["verdicts"]:
        return ()
    from attraj.formats.swe_bench.report import load_report  # only where there are any

    found = []
    for path in dict.fromkeys(asked["verdicts"]):
        report = load_report(path, limits_of(asked))
        if not report.names_instances and not is_single(paths):
            raise AttrajError(
                f"{path}: a report that names no instance is about one trajectory, and several inputs are given",
                hint="convert the run folder that it lies in, or one file at a time",
            )
        found.append(report)
    return tuple(found)


def fails_on_losses(asked: Chosen) -> frozenset[str]:
    """The categories of losses for which a document is not written."""
    given = asked["fail-on-loss"] or []
    words = {part.strip() for word in given for part in word.split(",") if part.strip()}
    known = f"the categories are any, {', '.join(LOSS_CATEGORIES)}"
    if given and not words:  # an unset variable must not turn a gate green
        raise AttrajError("--fail-on-loss names a category of losses, and this one names none", hint=known)
    if not words <= {"any", *LOSS_CATEGORIES}:
        unknown = min(words - {"any", *LOSS_CATEGORIES})
        raise AttrajError(f"no category of losses is called `{unknown}`", hint=known)
    return frozenset(LOSS_CATEGORIES) if "any" in words else frozenset(words)


def require_free_report(path: str, plan: Plan, *, may_replace: bool) -> None:
    """Refuse a place for the report of losses before hours of work, not after them. Makes its folder within the output.

    Raises:
        AttrajError: The report would be written over something, or nowhere.
    """
    if path == "-":
        raise AttrajError("--loss-report names a file: standard output has the product, or the account of it")
    real = os.path.realpath(path)
    if os.path.lexists(path) and any(
        os.path.realpath(entry.item.path) == real for entry in plan.entries if entry.item.kind == "file"
    ):
        raise AttrajError("the report of losses would be written over an input")
    if any(os.path.realpath(one) == real for one in _places(plan) if os.path.basename(one) == os.path.basename(path)):
        raise AttrajError("the report of losses would be written over an output, or over the bookkeeping")
    if os.path.lexists(path) and not may_replace:
        raise AttrajError(f"{path}: exists already", hint="name another file, or --overwrite")
    above, out = os.path.dirname(path), plan.destination
    if not above or os.path.isdir(above):
        if not os.access(above or os.curdir, os.W_OK | os.X_OK):
            raise AttrajError("the report of losses cannot be written: permission denied in its folder")
        return
    if out.kind != "folder" or not real.startswith(os.path.realpath(out.path) + os.sep):
        raise AttrajError("the folder of the report of losses does not exist", hint="make it first")
    try:
        os.makedirs(above, exist_ok=True)
    except OSError as error:
        raise AttrajError(f"the folder of the report of losses cannot be made: {reason_of(error)}") from error


def _places(plan: Plan) -> Iterator[str]:
    """Where the plan writes."""
    out = plan.destination
    if out.kind == "file":
        yield out.path
    if out.kind == "folder":
        yield from (plan.first_output(entry) for entry in plan.entries if entry.is_converted)
        yield from (os.path.join(out.path, BOOKS, name) for name in FILES)
