"""The JSON Schemas that attraj publishes: of the native documents, and of its own JSON report."""

from __future__ import annotations

from typing import Any

from attraj.bundle.jsonschema import DIALECT, ROOTS
from attraj.bundle.vocabulary import LOSS_CATEGORIES
from attraj.errors import AttrajError

Schema = dict[str, Any]

NAMES = (*ROOTS, "report")


def schema_of(name: str) -> Schema:
    """The JSON Schema (draft 2020-12) of a document, as a new object.

    Args:
        name: One of NAMES: bundle, episode, dataset, report.

    Raises:
        AttrajError: There is no schema of that name.
    """
    if name == "report":
        return _report()
    if name in ROOTS:
        from attraj.bundle.jsonschema import schema

        return schema(name)
    raise AttrajError("there is no schema of that name", hint=f"the names are {', '.join(NAMES)}")


# --- the report, version 1 (DESIGN.md §4): members may be added, never renamed -----------------------------------

_TEXT: Schema = {"type": "string"}
_COUNT: Schema = {"type": "integer", "minimum": 0}
_FLAG_TEXT: Schema = {"type": ["string", "null"]}
_PLACE: Schema = {"type": ["integer", "null"], "minimum": 1}

_SUMMARY = (
    "documents",
    "clean",
    "with_findings",
    "unreadable",
    "rejected",
    "skipped",
    "errors",
    "warnings",
    "infos",
)
_VERDICTS = (
    *("conforms", "fails", "not_claimed", "undecided"),  # a profile
    *("accepted", "rejected", "crash"),  # a version of Harbor
    *("not_provided", "valid", "mismatch", "unsupported_canonicalization"),  # integrity
)


def _report() -> Schema:
    return {
        "$schema": DIALECT,
        "$id": "urn:attraj:schema:report:1",
        "title": "attraj report, version 1",
        "description": "Members may be added in later releases; none is ever renamed or removed.",
        **_whole(
            {
                "report_version": {"const": 1},
                "tool": _whole({"name": {"const": "attraj"}, "version": _TEXT}),
                "command": {**_TEXT, "description": "the command that made the report"},
                "documents": {"type": "array", "items": {"$ref": "#/$defs/document"}},
                "summary": {"$ref": "#/$defs/summary"},
            }
        ),
        "$defs": {
            "document": _document(),
            "finding": _finding(),
            "related": _whole({"pointer": _pointer(), "message": _TEXT}),
            "summary": _summary(),
            "loss": _loss(),
        },
    }


def _summary() -> Schema:
    described = _whole(
        dict.fromkeys(_SUMMARY, _COUNT),
        description="documents = clean + with_findings + unreadable + rejected + skipped, + written + refused of a "
        "command that writes",
    )
    described["properties"] |= dict.fromkeys(("written", "refused", "outputs", "assets"), _COUNT)
    described["properties"] |= {
        "without_trajectory": {**_COUNT, "description": "trials and instances, among what is written and skipped"},
        "written_with_errors": {**_COUNT, "description": "among what is written"},
        "before": {**_COUNT, "description": "documents that the run which this one goes on with has done"},
        "losses": {"type": "array", "items": {"type": "object"}},
        "notes": {"type": "array", "items": {"type": "object", "required": ["note"], "properties": {"note": _TEXT}}},
        "earlier": {
            **_whole({"removed": _COUNT, "left": {"type": "array", "items": _TEXT}}),
            "description": "what became of outputs of an earlier run that this one does not give",
        },
    }
    return described


def _loss() -> Schema:
    return _whole(
        {
            "code": {**_TEXT, "pattern": "^[a-z0-9-]+$"},
            "category": {"enum": list(LOSS_CATEGORIES)},
            "handling": {"enum": ["dropped", "approximated", "synthesized"]},
            "pointer": {**_pointer(), "description": "where; * stands for any position where there are several places"},
            "count": {**_COUNT, "minimum": 1},
            "detail": _TEXT,
            "stage": {"enum": ["read", "write"]},
        }
    )


def _document() -> Schema:
    described = _whole(
        {
            "path": {**_TEXT, "description": "as given or found; a folder's for findings about it; - for stdin"},
            "index": {**_COUNT, "description": "position among the documents of one file"},
            "format": {**_FLAG_TEXT, "description": "null when it could not be told"},
            "format_version": {**_FLAG_TEXT, "description": "the version that the document declares, if known"},
            "status": {"enum": ["clean", "findings", "unreadable", "rejected", "skipped", "written", "refused"]},
            "findings": {"type": "array", "items": {"$ref": "#/$defs/finding"}},
            "verdicts": {"type": "object", "additionalProperties": {**_TEXT, "examples": list(_VERDICTS)}},
            "stopped_after": {
                "enum": ["bytes", "shape", "references", "meaning", "profiles", None],
                "description": "the stratum after which checking had to stop; null when it ran to the end",
            },
        }
    )
    described["properties"] |= {
        "reason": {**_TEXT, "description": "why it was skipped, or what made it unreadable"},
        "notes": {"type": "array", "items": _TEXT},
        "trial": {**_TEXT, "description": "the folder of the trial that it is of, whatever file of it the path is"},
        "step": {**_TEXT, "description": "the step of a trial that it is"},
        "errors": {**_COUNT, "description": "errors in it, in spite of which it was written"},
        "output": {**_FLAG_TEXT, "description": "where it was written; null for nowhere, or standard output"},
        "outputs": {"type": "array", "items": _TEXT, "description": "all of them, where there are several"},
        "losses": {"type": "array", "items": {"$ref": "#/$defs/loss"}},
    }
    # What is skipped says why.
    described["if"] = {"properties": {"status": {"const": "skipped"}}}
    described["then"] = {"required": ["reason"]}
    return described


def _finding() -> Schema:
    return _whole(
        {
            "code": {**_TEXT, "pattern": "^[A-Z]+[-A-Z_0-9]*$"},
            "slug": {**_TEXT, "pattern": "^[a-z0-9-]+$"},
            "severity": {"enum": ["error", "warning", "info"]},
            "pointer": _pointer(),
            "line": {**_PLACE, "description": "from 1; null when not located"},
            "column": {**_PLACE, "description": "from 1, in Unicode code points; null when not located"},
            "message": _TEXT,
            "hint": _TEXT,
            "related": {"type": "array", "items": {"$ref": "#/$defs/related"}},
        }
    )


def _pointer() -> Schema:
    return {**_TEXT, "description": "RFC 6901; a key that may be content is replaced by its position in braces"}


def _whole(members: dict[str, Schema], **more: Any) -> Schema:
    """An object that has all of these members, and perhaps others."""
    return {"type": "object", **more, "required": list(members), "properties": dict(members)}
