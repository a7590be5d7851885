"""What `scan` and `redact` have in common: options to a detector, a policy, and bytes. Nothing is discovered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from attraj.errors import AttrajError
from attraj.redaction.known import read_known
from attraj.redaction.policy import DEFAULT, Policy, read_allow, read_policy, require_rules
from attraj.redaction.search import Value
from attraj.secrets.detector import Detector
from attraj.secrets.policy import DetectionPolicy
from attraj.secrets.rules import core_packs, pack_of_file
from attraj.secrets.spans import TYPES


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is looked for, and what stays.

    Attributes:
        detection: For the detector.
        policy: What goes besides, what stays.
        known: Values that are secret whatever they look like.
    """

    detection: DetectionPolicy
    policy: Policy
    known: tuple[Value, ...]


def wanted(options: Mapping[str, Any]) -> Wanted:
    """Read everything that the options name, before any document is.

    Raises:
        AttrajError: A file cannot be read or used, an entry has expired or names an unknown rule, an engine is missing.
    """
    today = f"{now():%Y-%m-%d}"
    policy = read_policy(options["policy"], today=today) if options.get("policy") else DEFAULT
    if options.get("allow-file"):
        policy = replace(policy, allow=(*policy.allow, *read_allow(options["allow-file"], today=today)))
    if options.get("pii"):
        policy = replace(policy, personal=options["pii"])
    detection = DetectionPolicy(
        personal=policy.personal,
        packs=tuple(options.get("rules") or ()),
        gitleaks=options.get("gitleaks-config") or "",
        engine=options.get("engine") or "auto",
    )
    known = read_known(options["known-secrets"]) if options.get("known-secrets") else ()
    return Wanted(detection, policy, known)


# Rules that stand in code, not in a pack.
_PERSONAL = (
    *("email", "phone", "phone-national", "iban", "ipv4", "ipv6", "mac", "card", "card-plain", "ssn"),
    *("home-path", "home-tilde", "user-name"),
)
_OURS = ("known-value", "query", "media")


def detector(asked: Wanted) -> Detector:
    """The detector, once the policy's entries are known to name rules that somebody has."""
    made = Detector(asked.detection)
    if asked.policy.allow:
        files = asked.detection.packs
        require_rules(asked.policy.allow, _rule_ids(files) | _gitleaks_ids(asked.detection.gitleaks))
    return made


def _rule_ids(files: Sequence[str]) -> frozenset[str]:
    packs = [*core_packs(), *map(pack_of_file, files)]
    names = {f"name-{kind.lower().replace('_', '-')}" for kind in TYPES}
    return frozenset({rule.id for pack in packs for rule in pack.rules} | names | set(_PERSONAL) | set(_OURS))


def _gitleaks_ids(path: str) -> frozenset[str]:
    """The rules of a user's configuration, and of those beside it that it extends; it has been read already."""
    import os
    import tomllib  # only when there is such a file

    found: set[str] = set()
    seen: set[str] = set()
    while path and path not in seen:
        seen.add(path)
        with open(path, "rb") as file:
            table = tomllib.load(file)
        found.update(rule["id"] for rule in table.get("rules", ()))
        above = table.get("extend", {}).get("path")
        path = os.path.join(os.path.dirname(path), above) if above else ""
    return frozenset(found)


def now() -> datetime:
    """The time: read here, in the command layer, and nowhere below."""
    return datetime.now(UTC)


def require_paths(paths: list[str], example: str) -> None:
    """Raise AttrajError when there is nothing to look at, or standard input twice."""
    if not paths:
        raise AttrajError("no path is given", hint=example)
    if paths.count("-") > 1:
        raise AttrajError("standard input can be read only once")
