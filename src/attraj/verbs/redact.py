"""`redact`: documents without what must not be published, proven before anything is written."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from attraj.bundle.checks.pairs import check_pair
from attraj.bundle.checks.pairs.relation import REDACTION
from attraj.bundle.model import Bundle
from attraj.findings import DocumentReport, Severity
from attraj.formats import is_one
from attraj.jsonio import documents
from attraj.limits import DEFAULT_LIMITS, Limits
from attraj.redaction import library
from attraj.redaction.library import Redacted
from attraj.redaction.policy import DEFAULT, Policy
from attraj.secrets.policy import DEFAULT_POLICY, DetectionPolicy
from attraj.verbs.scan import FORMS, is_bundle
from attraj.verbs.validate import Request, validate

_GOOD = frozenset({"accepted", "conforms"})


def redact(
    document: dict[str, Any] | list[Any] | bytes | str | os.PathLike[str],
    policy: Policy = DEFAULT,
    *,
    detection: DetectionPolicy = DEFAULT_POLICY,
) -> Redacted:
    """A copy of a document without secrets and personal data, proven as the command line proves it.

    Args:
        document: A JSON value, the bytes of a file, or the path of one. Never modified.
        policy: What goes besides, what stays.
        detection: What is looked for.

    Raises:
        Unreadable: It cannot be read, or is no text.
        Unproven: Something could not be looked at, or a proof does not hold; the message says which.
    """
    return library.redact(document, policy, detection=detection, validator=new_errors, forms=FORMS)


def new_errors(name: str, before: bytes, after: bytes, limits: Limits = DEFAULT_LIMITS) -> Sequence[str]:
    """Codes of the errors, and names of the verdicts, that a redaction made worse; [] when none.

    Args:
        name: Of the file.
        before, after: Its bytes.
    """
    old = _judged(before, limits)
    # A bare list may be known as one document by words that are gone now: it is one still.
    new = _judged(after, limits, is_one if len(old) > 1 else lambda _: True)
    worse: list[str] = []
    for theirs, ours in zip(old, new, strict=False):
        more = _errors(ours[1]) - _errors(theirs[1])
        worse += sorted(more)
        for verdict, word in theirs[1].verdicts.items():
            now = ours[1].verdicts.get(verdict)
            if word in _GOOD and now not in (word, "not_claimed"):  # a claim that was withdrawn is no false one
                worse.append(verdict)
        if is_bundle(theirs[0]) and isinstance(theirs[0], dict) and isinstance(ours[0], dict) and theirs[0] != ours[0]:
            pair = check_pair(Bundle(ours[0]), Bundle(theirs[0]), REDACTION)
            worse += sorted({f.code for f in pair if f.severity is Severity.ERROR})
    return worse if len(old) == len(new) else ["documents"]


def _judged(
    raw: bytes, limits: Limits, as_one: Callable[[list[Any]], bool] = is_one
) -> list[tuple[object, DocumentReport]]:
    return [(document.tree, validate(document, Request(located=0))) for document in documents(raw, limits, as_one)]


def _errors(report: DocumentReport) -> Counter[str]:
    return Counter(f.code for f in report.findings if f.severity is Severity.ERROR)
