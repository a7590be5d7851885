"""The Bundle as a format: its checks, its verdicts, its version."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from attraj.bundle.checks import runner
from attraj.bundle.checks.check import Asked
from attraj.bundle.model import Bundle
from attraj.bundle.vocabulary import PROFILES, SPEC_VERSIONS
from attraj.findings import Finding, Rule, Severity, Stratum
from attraj.formats import Checked, Options
from attraj.formats.bytes_rules import byte_rules
from attraj.jsonio import Document

AT_BYTES = byte_rules("AT")


def check(document: Document, options: Options) -> Checked:
    """Every finding of the catalogue's single-document rules, a verdict per profile, and one on integrity."""
    tree = document.tree
    if type(tree) is not dict:
        return Checked([AT_BYTES[4].at("", "the top level of a Bundle is an object")], stopped_after=Stratum.BYTES)
    bundle = Bundle(tree, document.raw, also=options.profiles)
    asked = Asked(
        level=options.level,
        now=options.now,
        purpose=options.purpose,
        needs_closure=options.needs_closure,
        as_reference=options.as_reference,
        limits=options.limits,
    )
    findings = runner.run(bundle, asked)
    version = tree.get("spec_version")
    return Checked(
        findings,
        verdicts(bundle, findings, options.level),
        version=version if version in SPEC_VERSIONS else None,
    )


def rules() -> Sequence[Rule]:
    return [*AT_BYTES.values(), *runner.rules()]


def verdicts(bundle: Bundle, findings: Iterable[Finding], level: Stratum) -> dict[str, str]:
    """One word per profile: conforms, fails or not_claimed; undecided when `level` stopped short of the profiles.

    A profile fails by an error of its own rules or, for the others, of AT-Core's.
    """
    failed = {f.rule.profile for f in findings if f.severity >= Severity.ERROR}
    words: dict[str, str] = {}
    for profile in PROFILES:
        if not bundle.claims(profile):
            words[profile] = "not_claimed"
        elif profile in failed or PROFILES[0] in failed:
            words[profile] = "fails"
        else:
            words[profile] = "conforms" if level >= Stratum.PROFILES else "undecided"
    return words
