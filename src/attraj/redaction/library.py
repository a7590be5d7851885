"""`redact(document, policy)`: the whole of redaction as one call, without files."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from attraj import __version__
from attraj.errors import AttrajError
from attraj.jsonio.read import read_bytes
from attraj.jsonio.write import dumps
from attraj.redaction.audit import counts
from attraj.redaction.policy import DEFAULT, Policy
from attraj.redaction.run import Done, redact_scope, tools
from attraj.redaction.source import read_source
from attraj.secrets.policy import DEFAULT_POLICY, DetectionPolicy


class Unproven(AttrajError):
    """A redaction that does not hold: nothing is given out (exit code 5)."""

    exit_code = 5


@dataclass(frozen=True, slots=True)
class Redacted:
    """A document without what had to go.

    Attributes:
        raw: Its bytes: those of the source but for the changed texts.
        tree: Its value; None for a text that is no JSON.
        counts: How many places changed, by type, rule, confidence and field.
    """

    raw: bytes
    tree: Any
    counts: Mapping[str, Mapping[str, int]]


def redact(
    document: dict[str, Any] | list[Any] | bytes | str | os.PathLike[str],
    policy: Policy = DEFAULT,
    *,
    detection: DetectionPolicy = DEFAULT_POLICY,
) -> Redacted:
    """A copy of a document without secrets and personal data.

    Args:
        document: A JSON value, the bytes of a file, or the path of one. Never modified.
        policy: What goes besides, what stays.
        detection: What is looked for.

    Raises:
        Unreadable: It cannot be read, or is no text.
        Unproven: Something could not be looked at, or a proof does not hold; the message says which.
    """
    if isinstance(document, (dict, list)):
        name, raw = "document.json", dumps(document)
    elif isinstance(document, bytes):
        name, raw = "", document
    else:
        name, raw = os.path.basename(os.fspath(document)), read_bytes(document)
    done = redact_scope([read_source(name, raw)], tools(detection, policy, tool=f"attraj@{__version__}"))
    require_proven(done, policy)
    after = read_source(*done.outputs[0])
    tree = after.parts[0].tree if len(after.parts) == 1 else [part.tree for part in after.parts] or None
    return Redacted(done.outputs[0][1], tree, counts([done]))


def require_proven(done: Done, policy: Policy) -> None:
    """Raise Unproven unless everything was looked at and every proof holds."""
    if any(not u.is_media or not policy.media for u in done.unscanned):
        raise Unproven("a part of the document could not be looked at", hint="media: say keep or drop in the policy")
    for failure in done.failures:
        raise Unproven(f"the proof `{failure.proof}` does not hold: {failure.detail}")
