"""AT91x: what AT-Evaluation asks for (§5.2)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attraj.bundle.checks.check import Asked, Json, error, on_bundle
from attraj.bundle.markers import is_marker
from attraj.bundle.model import Bundle
from attraj.bundle.vocabulary import BINDING_KINDS, EVALUATION
from attraj.findings import Finding, Stratum
from attraj.pointer import join

AT911 = error("AT911", "no-task-or-environment", Stratum.PROFILES, EVALUATION)
AT912 = error("AT912", "no-termination-reason", Stratum.PROFILES, EVALUATION)
AT913 = error("AT913", "no-resources", Stratum.PROFILES, EVALUATION)
AT914 = error("AT914", "no-verifier-result", Stratum.PROFILES, EVALUATION)
AT915 = error("AT915", "unbound-condition", Stratum.PROFILES, EVALUATION)
AT916 = error("AT916", "uncontrolled-variables-unstated", Stratum.PROFILES, EVALUATION)

CONDITIONS = ("model", "harness", "program", "tool", "environment")  # §5.2: what a result must be told apart by


def binding(bundle: Bundle, kind: str) -> tuple[str, Any]:
    """Name and value of the member that binds a kind, in the plural or the singular; (plural, None) without one."""
    bindings = bundle.member("bindings")
    plural = BINDING_KINDS[kind]
    name = kind if plural not in bindings and kind in bindings else plural
    return name, bindings.get(name)


def _elements(value: Any) -> list[Any]:
    return value if type(value) is list else [value]


def _is_identity(value: Any) -> bool:
    """Whether it says which one it was, or that there never was one; withheld or unknown is no identity."""
    if type(value) is not dict:
        return type(value) is str and value != ""
    named = any(value.get(member) for member in ("id", "name", "version", "digest"))
    availability = value.get("availability", "included")
    return availability == "not_applicable" or (named and availability not in ("redacted", "unavailable", "unknown"))


def _is_stated(value: Any) -> bool:
    return bool(value) and (type(value) is not list or any(element not in ("", None) for element in value))


@on_bundle(AT911, profile=EVALUATION)
def no_task_or_environment(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    bindings = bundle.tree.get("bindings")
    if type(bindings) is not dict or _is_stated(bindings.get("equivalent_conditions")):
        return
    wanting = [k for k in ("task", "environment") if not any(map(_is_identity, _elements(binding(bundle, k)[1])))]
    if wanting:
        yield AT911.at(
            join("bindings"),
            f"bindings do not identify the {' and the '.join(wanting)}",
            hint="bind them with their versions, or state `equivalent_conditions`",
        )


@on_bundle(AT912, profile=EVALUATION)
def no_termination_reason(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    scope = bundle.tree.get("scope")
    if type(scope) is not dict:
        return  # the shape check reports it
    termination = scope.get("termination")
    if is_marker(termination):
        return
    reason = termination.get("reason") if type(termination) is dict else None
    if not reason:
        yield AT912.at(
            join("scope", "termination") if type(termination) is dict else join("scope"),
            "the reason why the run ended is not given",
            hint="state `scope.termination.reason`: finished, out of budget, stopped by hand, crashed …",
        )


@on_bundle(AT913, profile=EVALUATION)
def no_resources(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    scope = bundle.tree.get("scope")
    if type(scope) is not dict or bundle.index.by_kind.get("resource_observation"):
        return
    resources = scope.get("resources")
    if is_marker(resources):
        return
    stated: Json = resources if type(resources) is dict else {}
    if not any(stated.get(member) not in (None, "", [], {}) for member in ("budget", "observed")):
        yield AT913.at(
            join("scope", "resources") if type(resources) is dict else join("scope"),
            "neither the budget nor what was used of it is given",
            hint="state `scope.resources.budget` or `.observed`; where they were not measured, mark them unavailable",
        )


@on_bundle(AT914, profile=EVALUATION)
def no_verifier_result(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    if bundle.tree.get("verifier_results") != []:
        return
    absences = bundle.member("disclosure").get("absences")
    if type(absences) is dict and absences.get("verifier_results"):
        return
    yield AT914.at(
        join("verifier_results"),
        "there is no verifier result, and nothing says why",
        hint="add the results, or say in `disclosure.absences.verifier_results` why there are none",
    )


@on_bundle(AT915, profile=EVALUATION)
def unbound_condition(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    bindings = bundle.tree.get("bindings")
    if type(bindings) is not dict:
        return
    for kind in CONDITIONS:
        name, value = binding(bundle, kind)
        if not _is_stated(value):
            yield AT915.at(
                join("bindings", name) if name in bindings else join("bindings"),
                f"`{BINDING_KINDS[kind]}` are neither bound nor marked",
                hint="bind them; or mark the binding unavailable, unknown, redacted or not_applicable",
            )


@on_bundle(AT916, profile=EVALUATION)
def uncontrolled_variables_unstated(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    bindings = bundle.tree.get("bindings")
    if type(bindings) is dict and "uncontrolled_variables" not in bindings:
        yield AT916.at(
            join("bindings"),
            "nothing says which variables were not controlled or not recorded",
            hint="list them in `uncontrolled_variables`; an empty list says that there were none",
        )
