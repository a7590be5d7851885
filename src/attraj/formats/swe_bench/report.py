"""The files that a harness leaves, told by their content, and the part of one that is about one instance.

    entry     {resolved, patch_exists, tests_status, …}         SWE-smith's report.json: of the folder that it lies in
    entries   {<instance>: {resolved, …}, …}                    SWE-bench's report.json
    summary   {resolved_ids: [<instance>, …], …}                results.json and the harness's own account of a run;
              {resolved: […], applied: […], …}                  that of 0.x

An instance is matched by its whole id and by nothing else. Spec: traj.md §2.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Literal

from attraj.errors import Unreadable
from attraj.formats.mapping.fields import Json
from attraj.jsonio import Document, parse, read_bytes
from attraj.limits import Limits

Form = Literal["entry", "entries", "summary"]

_FLAGS = frozenset({"patch_is_None", "patch_exists", "patch_successfully_applied", "tests_status"})
SUMMARY_LISTS = (
    *("submitted_ids", "completed_ids", "incomplete_ids", "empty_patch_ids"),
    *("resolved_ids", "unresolved_ids", "error_ids"),
    *("generated", "not_generated", "no_generation", "with_logs", "no_logs", "install_fail", "reset_failed"),
    *("no_apply", "applied", "test_errored", "test_timeout", "resolved", "unresolved"),
)
_TELLING = ("resolved_ids", "resolved")  # without one of them it is a list of anything


@dataclass(frozen=True, slots=True)
class Report:
    """One file of a harness.

    Attributes:
        name: Its file name, without the path.
        form: See above.
        tree: Its JSON value; never modified.
        raw: Its bytes.
    """

    name: str
    form: Form
    tree: Json
    raw: bytes

    @property
    def digest(self) -> str:
        return f"sha256:{sha256(self.raw).hexdigest()}"

    @property
    def names_instances(self) -> bool:
        """Whether it says which instances it is about. Where it does not, whoever gives it has to know."""
        return self.form != "entry" or "instance_id" in self.tree

    def about(self, instance: str) -> Json | None:
        """What it says of one instance, as a part of the file; None when it says nothing of it."""
        if self.form == "entry":
            return self.tree if self.tree.get("instance_id", instance) == instance else None
        if self.form == "entries":
            return {instance: self.tree[instance]} if instance in self.tree else None
        lists = {name: [instance] for name, ids in self.tree.items() if type(ids) is list and instance in ids}
        return lists or None

    def has_list(self, *names: str) -> bool:
        """Whether a summary keeps one of these lists, be it empty."""
        return any(type(self.tree.get(name)) is list for name in names)


def report_of(document: Document, name: str) -> Report | None:
    """The report that a file is; None when it is none that is known.

    Args:
        document: Of the file.
        name: Of the file, without its path.
    """
    tree = document.tree if document.is_readable else None
    if type(tree) is not dict or not _is_finite(tree):
        return None
    form = _form(tree)
    return None if form is None else Report(name, form, tree, document.raw)


def load_report(path: str, limits: Limits) -> Report:
    """The report in a file that a caller names.

    Raises:
        Unreadable: It cannot be read, or is no report that is known. The message names the path.
    """
    try:
        raw = read_bytes(path, limits)
    except Unreadable as error:
        raise Unreadable(f"{path}: {error.message}", hint=error.hint) from error
    report = report_of(parse(raw, limits), os.path.basename(path))
    if report is None:
        raise Unreadable(f"{path}: not a report of SWE-bench or SWE-smith", hint=_KNOWN)
    return report


_KNOWN = "report.json of an instance, results.json, or the harness's own account of a run"


def _form(tree: Json) -> Form | None:
    if _is_entry(tree):
        return "entry"
    if any(type(tree.get(name)) is list for name in _TELLING):
        return "summary"
    return "entries" if tree and all(_is_entry(one) for one in tree.values()) else None


def _is_finite(tree: Json) -> bool:
    """Whether no number is beyond every double: reading gives infinity for it, which JSON has no way to write."""
    pending: list[Any] = [tree]
    while pending:
        value = pending.pop()
        if type(value) is dict:
            pending.extend(value.values())
        elif type(value) is list:
            pending.extend(value)
        elif type(value) is float and value - value != 0:
            return False
    return True


def _is_entry(value: Any) -> bool:
    return type(value) is dict and type(value.get("resolved")) is not list and not _FLAGS.isdisjoint(value)
