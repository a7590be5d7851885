"""The Bundle as a format: its checks, its verdicts, its version."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from attraj.bundle.checks import integrity, runner
from attraj.bundle.checks.check import Asked
from attraj.bundle.checks.unjudged import judged
from attraj.bundle.model import Bundle
from attraj.bundle.vocabulary import PROFILES, SPEC_VERSIONS
from attraj.findings import Finding, Rule, Severity, Stratum
from attraj.formats import Checked, Options
from attraj.formats.bytes_rules import byte_findings, byte_rules, untold
from attraj.jsonio import Document, FaultKind

AT_BYTES = byte_rules("AT")


def check(document: Document, options: Options) -> Checked:
    """Every finding of the catalogue's single-document rules, a verdict per profile, and one on integrity."""
    tree = document.tree
    if type(tree) is not dict:
        return _no_object(document)
    bundle = Bundle(tree, document.raw, also=options.profiles)
    found = runner.run(bundle, _asked(options), _no_json(document) if document.faults else ())
    findings = _once(untold(found, document.faults, "AT", tree))
    words = _integrity(document, findings, options.level)
    version = tree.get("spec_version")
    return Checked(
        findings,
        {**verdicts(bundle, [*byte_findings(document.faults, "AT"), *findings], options.level), **words},
        version=version if version in SPEC_VERSIONS else None,
    )


def check_alone(document: Document, options: Options, kind: str) -> Checked:
    """The same for an Episode or a Dataset manifest, which claims no profile."""
    from attraj.bundle.checks import datasets  # only for documents of these kinds

    tree = document.tree
    if type(tree) is not dict:
        return _no_object(document)
    no_json = _no_json(document) if document.faults else ()
    found = judged(Bundle(tree), datasets.check(kind, tree, document.raw, _asked(options)), no_json)
    findings = _once(untold(found, document.faults, "AT", tree))
    words = _integrity(document, findings, options.level)
    version = tree.get(f"{kind}_version")
    return Checked(findings, words, version=version if version in SPEC_VERSIONS else None)


def _no_object(document: Document) -> Checked:
    is_told = any(fault.kind is FaultKind.TOP_LEVEL for fault in document.faults)
    found = [] if is_told else [AT_BYTES[4].at("", "the top level of the document is an object")]
    return Checked(found, stopped_after=Stratum.BYTES)


def _no_json(document: Document) -> set[str]:
    """Where a value stands that is no JSON, such as NaN: no rule judges it once more."""
    return {fault.pointer for fault in document.faults if fault.kind is FaultKind.SYNTAX and fault.pointer}


def _once(findings: list[Finding]) -> list[Finding]:
    """The findings without those on numbers that should be no numbers at all, which is told at the same place."""
    numbers = [f for f in findings if f.code == "AT008"]
    if not numbers:
        return findings
    others = {f.location.pointer for f in findings if f.code != "AT008" and f.severity is Severity.ERROR}
    return [f for f in findings if f.code != "AT008" or f.location.pointer not in others]


def _asked(options: Options) -> Asked:
    return Asked(
        level=options.level,
        now=options.now,
        purpose=options.purpose,
        needs_closure=options.needs_closure,
        as_reference=options.as_reference,
        limits=options.limits,
    )


def _integrity(document: Document, findings: list[Finding], level: Stratum) -> dict[str, str]:
    """The word on integrity, none when `level` stopped short of the digest. A member that stands twice is told."""
    if level < Stratum.MEANING:
        return {}
    is_ambiguous = any(fault.kind is FaultKind.DUPLICATE for fault in document.faults)
    word = integrity.word(document.tree, findings)
    if is_ambiguous and word == integrity.VALID:
        findings.extend(integrity.ambiguous())
        word = integrity.MISMATCH
    return {"integrity": word}


def rules() -> Sequence[Rule]:
    return sorted({*AT_BYTES.values(), *runner.rules()}, key=lambda rule: rule.code)


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
