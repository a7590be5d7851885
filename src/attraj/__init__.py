"""Validate, convert, redact and account for AI-agent trajectories without inventing or losing a fact.

The public names are loaded when they are first used, so that importing the package costs nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as in typing, which takes a millisecond to import

__version__ = "0.1.0"

if TYPE_CHECKING:
    from typing import Any

    from attraj.batch.library import validate_paths
    from attraj.errors import AttrajError, Refused, Unreadable
    from attraj.findings import DocumentReport, Finding, Location, Report, Rule, Severity
    from attraj.jsonio import Document
    from attraj.redaction.scrubbing import scrub
    from attraj.verbs.redact import redact
    from attraj.verbs.source import load
    from attraj.verbs.validate import validate

_HOMES = {
    "AttrajError": "attraj.errors",
    "Document": "attraj.jsonio",
    "DocumentReport": "attraj.findings",
    "Finding": "attraj.findings",
    "Location": "attraj.findings",
    "Refused": "attraj.errors",
    "Report": "attraj.findings",
    "Rule": "attraj.findings",
    "Severity": "attraj.findings",
    "Unreadable": "attraj.errors",
    "load": "attraj.verbs.source",
    "redact": "attraj.verbs.redact",
    "scrub": "attraj.redaction.scrubbing",
    "validate": "attraj.verbs.validate",
    "validate_paths": "attraj.batch.library",
}

__all__ = [  # noqa: RUF022  (the version stands last)
    "AttrajError",
    "Document",
    "DocumentReport",
    "Finding",
    "Location",
    "Refused",
    "Report",
    "Rule",
    "Severity",
    "Unreadable",
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

    return getattr(import_module(home), name)


def __dir__() -> list[str]:
    return sorted(__all__)
