"""RW010, RW011, RW040: the members around the steps."""

from __future__ import annotations

from typing import Any

from attraj.bundle.instants import instant
from attraj.findings import Severity
from attraj.formats.found import NAMES, Found
from attraj.formats.react_web.codes import BAD_METADATA, MISSING_METADATA, UNKNOWN_MEMBER
from attraj.formats.react_web.shape import ENVELOPE, EXPECTED, OUTCOMES, TEXTS, USEFUL, meant
from attraj.pointer import escape

Json = dict[str, Any]


def look_at_envelope(found: Found, tree: Json) -> None:
    """Check the members of the document but its steps."""
    _missing(found, tree)
    for name in ("$schema", *TEXTS):
        value = tree.get(name)
        if value is not None and type(value) is not str:
            found.add(BAD_METADATA, f"/{name}", f"expected a text, got {NAMES[type(value)]}")
    _outcome(found, tree.get("outcome"))
    _recorded_at(found, tree.get("recorded_at"))
    _tags(found, tree.get("tags"))
    for name in tree:
        if name not in ENVELOPE:
            better = meant("document", name)
            hint = f"did you mean `{better}`?" if better and better not in tree else ""
            message = "the member has no place in the format, and the page leaves it out"
            found.add(UNKNOWN_MEMBER, f"/{escape(name)}", message, hint)


def _missing(found: Found, tree: Json) -> None:
    for names, severity, why in (
        (EXPECTED, Severity.WARNING, "a reader cannot tell what the run was"),
        (USEFUL, Severity.INFO, "when and under which conditions is not recorded"),
    ):
        missing = [f"`{name}`" for name in names if tree.get(name) is None or tree.get(name) == ""]
        if missing:
            verb = "is" if len(missing) == 1 else "are"
            found.add(MISSING_METADATA, "", f"{', '.join(missing)} {verb} missing: {why}", severity=severity)


def _outcome(found: Found, outcome: Any) -> None:
    if outcome is None or outcome == "" or (type(outcome) is str and outcome in OUTCOMES):
        return
    hint = f"the words are {', '.join(OUTCOMES)}; the page shows any other as it is"
    found.add(BAD_METADATA, "/outcome", "the outcome is none of the four words", hint)


def _recorded_at(found: Found, moment: Any) -> None:
    if moment is None or moment == "" or (type(moment) is str and instant(moment) is not None):
        return
    found.add(BAD_METADATA, "/recorded_at", "not an RFC 3339 time", "write it as 2026-07-20T14:32:08Z")


def _tags(found: Found, tags: Any) -> None:
    if tags is None or tags == "":
        return
    if type(tags) is not list:
        found.add(BAD_METADATA, "/tags", f"expected an array of texts, got {NAMES[type(tags)]}")
        return
    for index, tag in enumerate(tags):
        if type(tag) is not str:
            message = f"expected a text as a tag, got {NAMES[type(tag)]}"
            found.tally("tag", BAD_METADATA, f"/tags/{index}", message)
