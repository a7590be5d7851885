"""AT61x: verifier results: by whom, in which version, about what, on what, with which result (§10.2)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from attraj.bundle.checks.check import NOTHING, Asked, Json, error, info, on_bundle, on_each, warning
from attraj.bundle.checks.evidence import AT615, listed, replaced_nodes, unstated
from attraj.bundle.model import Bundle, text, texts
from attraj.bundle.vocabulary import EVALUATION, VERIFIER_STATUSES
from attraj.findings import Finding, Severity, Stratum
from attraj.pointer import join

AT611 = error("AT611", "incomplete-verifier-result", Stratum.MEANING)
AT612 = warning("AT612", "unknown-verifier-status", Stratum.MEANING)
AT613 = info("AT613", "version-inside-verifier-name", Stratum.MEANING)
AT614 = error("AT614", "invalidated-without-record", Stratum.MEANING)
AT617 = error("AT617", "verifier-without-scope", Stratum.PROFILES, EVALUATION)

_MEANT = {
    **dict.fromkeys(("passed", "ok", "success", "succeeded", "true"), "pass"),
    **dict.fromkeys(("failed", "failure", "false"), "fail"),
    **dict.fromkeys(("timeout", "timed_out", "crashed", "exception"), "error"),
    **dict.fromkeys(("unknown", "inconclusive", "skipped"), "indeterminate"),
    **dict.fromkeys(("revoked", "void"), "invalidated"),
    **{word: word for word in VERIFIER_STATUSES},
}

# "repo-tests:v3", "repo-tests@1.2.0", "repo-tests@sha256:ab12…": the name carries its version.
has_version = re.compile(r"[^:@].*?[:@](?:v?[0-9][A-Za-z0-9._+-]*|sha(?:256|512):[0-9a-f]{8,128})\Z", re.DOTALL).match


@on_bundle(AT611)
def incomplete_verifier_result(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """Verifier, version, property, evidence, status and output; under AT-Evaluation also where it ran (§10.2)."""
    is_somewhere = bundle.claims(EVALUATION) and _binds_environment(bundle)
    for position, result in bundle.objects("verifier_results"):
        wanting = unstated(result, ("verifier", "checked_property", "status"))
        wanting += [member for member in ("evidence_refs", "output") if member not in result]
        if unstated(result, ("verifier_version",)) and not has_version(text(result, "verifier") or ""):
            wanting.append("verifier_version")
        severity = None if wanting else Severity.WARNING
        if is_somewhere and unstated(result, ("environment",)):
            wanting.append("environment")
        if wanting:
            yield AT611.at(
                join("verifier_results", position),
                f"verifier result does not state {listed(wanting)}",
                hint="write an output of nothing as null; mark what is not known",
                severity=severity,
            )


def _binds_environment(bundle: Bundle) -> bool:
    """Whether there is an environment that a result could name: there it can matter (spec: decisions 23)."""
    bindings = bundle.member("bindings")
    bound = bindings.get("environments", bindings.get("environment"))
    marks = [bound] if type(bound) is dict else bound if type(bound) is list else []
    return bool(bound) and not any(type(m) is dict and m.get("availability") == "not_applicable" for m in marks)


@on_each("verifier_results", AT612, member="status")
def unknown_verifier_status(_bundle: Bundle, position: int, result: Json) -> Sequence[Finding]:
    status = result["status"]
    if type(status) is not str or not status or status in VERIFIER_STATUSES:
        return NOTHING
    meant = _MEANT.get(status.lower())
    return (
        AT612.at(
            join("verifier_results", position, "status"),
            "status is none of the five of a verifier result",
            hint=f"it reads as `{meant}`" if meant else f"one of {listed(VERIFIER_STATUSES)}",
        ),
    )


@on_each("verifier_results", AT613, member="verifier")
def version_inside_verifier_name(_bundle: Bundle, position: int, result: Json) -> Sequence[Finding]:
    verifier = result["verifier"]
    if type(verifier) is not str or not unstated(result, ("verifier_version",)) or not has_version(verifier):
        return NOTHING
    return (
        AT613.at(
            join("verifier_results", position, "verifier"),
            "the verifier's version stands inside its name",
            hint="write it in `verifier_version`, where tools compare it",
        ),
    )


@on_bundle(AT614)
def invalidated_without_record(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """A result is invalidated by a later record that points to it, not by rewriting its status (§10.2)."""
    waiting = [
        (position, result)
        for position, result in bundle.objects("verifier_results")
        # A dangling `invalidated_by` is reported by AT607.
        if result.get("status") == "invalidated" and not result.get("invalidated_by")
    ]
    if not waiting:
        return
    pointed = {
        name
        for _, result in bundle.objects("verifier_results")
        for _, name in texts(result, "invalidates")
        if name != result.get("verifier_result_id")
    }
    replaced = replaced_nodes(bundle)
    for position, result in waiting:
        if text(result, "verifier_result_id") not in pointed and text(result, "asserted_at_node") not in replaced:
            yield AT614.at(
                join("verifier_results", position, "status"),
                "result is invalidated, and no later record points to it",
                hint="keep the result as it was and add a record with `invalidates`",
            )


@on_bundle(AT615)
def beyond_declared_scope(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """A result speaks of no more than the binding of its verifier does."""
    declared = _declared_scopes(bundle)
    for position, result in bundle.objects("verifier_results") if declared else ():
        scope, allowed = {name for _, name in texts(result, "scope")}, declared.get(text(result, "verifier") or "")
        if allowed and not scope <= allowed:
            yield AT615.at(
                join("verifier_results", position, "scope"),
                "verifier result speaks of more than its verifier's binding declares",
                hint="narrow the scope of the result, or bind the verifier with the scope that it has",
            )


def _declared_scopes(bundle: Bundle) -> dict[str, set[str]]:
    """Id and name of each bound verifier to what its binding lets it speak about."""
    bindings = bundle.member("bindings")
    bound = bindings.get("verifiers", bindings.get("verifier"))
    found: dict[str, set[str]] = {}
    for one in bound if type(bound) is list else [bound]:
        if type(one) is not dict:
            continue
        for name in (one.get("id"), one.get("name")):
            if type(name) is str and name:
                found.setdefault(name, set()).update(scoped for _, scoped in texts(one, "scope"))
    return found


@on_each("verifier_results", AT617)
def verifier_without_scope(bundle: Bundle, position: int, result: Json) -> Sequence[Finding]:
    if not unstated(result, ("scope",)):
        return NOTHING
    return (
        AT617.at(
            join("verifier_results", position),
            "verifier result does not say what it speaks about",
            hint="name the attempt, objective or trajectory in `scope`",
            severity=None if bundle.claims(EVALUATION) else Severity.INFO,
        ),
    )
