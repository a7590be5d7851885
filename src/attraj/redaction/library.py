"""`redact(document, policy)`: the whole of redaction as one call, without files.

The formats are not known in this room: `attraj.redact` (verbs/redact.py) brings what knows them, so that its proof is
that of the command line.
"""

from __future__ import annotations

import hashlib
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
from attraj.redaction.prove import Validator
from attraj.redaction.run import Done, redact_scope, tools
from attraj.redaction.source import UNKNOWN, Forms, read_source
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
    validator: Validator | None = None,
    forms: Forms = UNKNOWN,
) -> Redacted:
    """A copy of a document without secrets and personal data.

    Without a validator everything is proven but that the document is still valid in its own format. `attraj.redact`
    has one.

    Args:
        document: A JSON value, the bytes of a file, or the path of one. Never modified.
        policy: What goes besides, what stays.
        detection: What is looked for.
        validator: Tells the errors that are new in the copy.
        forms: Tells Bundles, and arrays that are one document.

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
    source = read_source(name, raw, forms=forms)
    # The same document has the same canaries. The digest is of the source, and goes nowhere.
    seed = hashlib.sha256(raw).digest()
    made = tools(detection, policy, tool=f"attraj@{__version__}", seed=seed, validator=validator, forms=forms)
    done = redact_scope([source], made)
    require_proven(done, policy)
    after = read_source(*done.outputs[0], forms=forms)
    tree = after.parts[0].tree if len(after.parts) == 1 else [part.tree for part in after.parts] or None
    return Redacted(done.outputs[0][1], tree, counts([done]))


def require_proven(done: Done, policy: Policy) -> None:
    """Raise Unproven unless everything was looked at and every proof holds."""
    if any(not u.is_media or not policy.media for u in done.unscanned):
        raise Unproven("a part of the document could not be looked at", hint="media: say keep or drop in the policy")
    for failure in done.failures:
        raise Unproven(f"the proof `{failure.proof}` does not hold: {failure.detail}")
