"""The claim of Agent Trajectory v0.1 §17, from the catalogue: roles, profiles, versions, known limits, evidence."""

from __future__ import annotations

from collections import Counter
from typing import Any

from attraj import __version__
from attraj.bundle.vocabulary import PROFILES, SPEC_VERSIONS
from attraj.findings import split_code
from attraj.verbs.explain import all_rules

# A claim a command (AT-17-1). A redacted Bundle is a new one, so that `redact` produces.
ROLES = {
    "validate": "Consumer",
    "show": "Consumer",
    "stats": "Consumer",
    "scan": "Consumer",
    "redact": "Consumer and Producer",
}

# What the specification asks of a reader and no program can check (class e of the catalogue), and what is not built.
LIMITS = (
    "AT-9-5: whether a grant, approval or lease was material is not decidable; only contradictions are reported",
    "AT-13.2-4: which personal data is unnecessary is not decidable; likely personal data is a warning",
    "AT-14-14: canonicalizations other than RFC8785, attraj-c14n-v1 and morphz-at-json-struct-order-v1 are unverified",
    "AT-16-10: signatures are reported and not checked",
    "AT-12.2-1: masks in the reference form's extension are not read",
)


def conformance() -> dict[str, Any]:
    """What attraj claims, as one object; counts are those of the rules that exist."""
    families = Counter(split_code(rule.code)[0] for rule in all_rules())
    return {
        "specification": "Agent Trajectory",
        "spec_versions": list(SPEC_VERSIONS),
        "profiles": list(PROFILES),
        "implementation": {"name": "attraj", "version": __version__},
        "roles": ROLES,
        "rules": dict(sorted(families.items())),
        "rules_of_the_specification": [rule.code for rule in all_rules() if split_code(rule.code)[0] == "AT"],
        "known_limits": list(LIMITS),
        "evidence": "each rule's page holds a bad and a good document, which the tests of this version run",
        "certification": "none: no compatibility mark exists, and none is claimed",
    }
