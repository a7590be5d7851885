"""Validate, convert, redact and account for AI-agent trajectories without inventing or losing a fact.

The public names are loaded when they are first used, so that importing the package costs nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as in typing, which takes a millisecond to import

__version__ = "0.1.0"

if TYPE_CHECKING:
    from typing import Any

    from attraj.batch.convert_library import Conversions, convert, convert_paths
    from attraj.batch.library import validate_paths
    from attraj.errors import AttrajError, Refused, Unreadable
    from attraj.findings import DocumentReport, Finding, Location, Report, Rule, Severity
    from attraj.formats.mapping.loss import Loss
    from attraj.jsonio import Document
    from attraj.redaction.scrubbing import scrub
    from attraj.verbs.convert import Converted
    from attraj.verbs.convert import Request as ConvertRequest
    from attraj.verbs.redact import redact
    from attraj.verbs.source import load
    from attraj.verbs.validate import validate

_HOMES = {
    "AttrajError": "attraj.errors",
    "Conversions": "attraj.batch.convert_library",
    "ConvertRequest": "attraj.verbs.convert",
    "Converted": "attraj.verbs.convert",
    "Document": "attraj.jsonio",
    "DocumentReport": "attraj.findings",
    "Finding": "attraj.findings",
    "Location": "attraj.findings",
    "Loss": "attraj.formats.mapping.loss",
    "Refused": "attraj.errors",
    "Report": "attraj.findings",
    "Rule": "attraj.findings",
    "Severity": "attraj.findings",
    "Unreadable": "attraj.errors",
    "convert": "attraj.batch.convert_library",
    "convert_paths": "attraj.batch.convert_library",
    "load": "attraj.verbs.source",
    "redact": "attraj.verbs.redact",
    "scrub": "attraj.redaction.scrubbing",
    "validate": "attraj.verbs.validate",
    "validate_paths": "attraj.batch.library",
}
_NAMES = {"ConvertRequest": "Request"}  # as they are called at home

__all__ = [  # noqa: RUF022  (the version stands last)
    "AttrajError",
    "Conversions",
    "ConvertRequest",
    "Converted",
    "Document",
    "DocumentReport",
    "Finding",
    "Location",
    "Loss",
    "Refused",
    "Report",
    "Rule",
    "Severity",
    "Unreadable",
    "convert",
    "convert_paths",
    "load",
    "redact",
    "scrub",
    "validate",
    "validate_paths",
    "__version__",
]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'attraj' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(home), _NAMES.get(name, name))


def __dir__() -> list[str]:
    return sorted(__all__)
