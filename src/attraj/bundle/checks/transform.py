"""AT836, AT921 to AT924, AT928: what was done to the data on its way here, and from what (§13.1, §15)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attraj.bundle.checks.check import Asked, Json, error, info, on_bundle, warning
from attraj.bundle.checks.completeness import is_complete
from attraj.bundle.markers import is_marker
from attraj.bundle.model import Bundle, text
from attraj.bundle.vocabulary import LOSS_CATEGORIES, LOSS_HANDLINGS, OPERATIONS
from attraj.findings import Finding, Related, Stratum
from attraj.pointer import join

AT836 = warning("AT836", "losses-not-declared", Stratum.MEANING)
AT921 = error("AT921", "derived-from-nothing", Stratum.MEANING)
AT922 = error("AT922", "transformer-not-named", Stratum.MEANING)
AT923 = info("AT923", "unknown-operation", Stratum.MEANING)
AT924 = error("AT924", "completeness-upgraded", Stratum.MEANING)
AT928 = error("AT928", "derived-from-itself", Stratum.MEANING)

# Operations that write an authority's own history; every other one works on something that was there before.
ORIGINAL = frozenset({"export", "causal_projection"})
MAPPINGS = frozenset({"conversion", "export"})


@on_bundle(AT836)
def losses(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """A mapping between formats says what it dropped, approximated or made up; [] says that it lost nothing (§15)."""
    transform = bundle.member("transform")
    if "lossy" not in transform:
        if _maps(bundle, transform):
            yield AT836.at(
                "/transform",
                "the records were mapped from or to another form, and `lossy` does not say what that lost",
                hint="list the losses in transform.lossy; [] when there are none",
            )
        return
    for position, loss in enumerate(_list(transform, "lossy")):
        if type(loss) is not dict or is_marker(loss):
            continue
        at = join("transform", "lossy", position)
        category = loss.get("category", loss.get("class"))
        if not _is_word(category, LOSS_CATEGORIES):
            known = ", ".join(LOSS_CATEGORIES)
            yield AT836.at(at, "the loss has no known category", hint=f"one of {known}")
        if not _is_word(loss.get("handling"), LOSS_HANDLINGS):
            yield AT836.at(at, "the loss does not say how it was handled", hint="dropped, approximated or synthesized")


def _maps(bundle: Bundle, transform: Json) -> bool:
    """Whether a conversion took place, or a step of an export to another form."""
    return is_converted(bundle) or any(
        text(step, "operation") in MAPPINGS for step in _list(transform, "steps") if type(step) is dict
    )


def is_converted(bundle: Bundle) -> bool:
    """Whether `transform` says that the records were converted from another format."""
    if "conversion" in bundle.index.operations:
        return True
    return any(text(source, "relation") == "conversion_of" for _, source in _sources(bundle))


def _is_word(value: Any, words: tuple[str, ...]) -> bool:
    return is_marker(value) or (type(value) is str and value in words)


@on_bundle(AT921)
def sources(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """What is derived names what it was derived from, or the authority behind it (§13.1)."""
    transform, source = bundle.member("transform"), bundle.member("source")
    for position, stated in _sources(bundle):
        if not any(stated.get(member) for member in ("trajectory_id", "source_artifact", "digest", "reason")):
            yield AT921.at(
                join("transform", "derived_from", position),
                "the source is neither named nor said to be withheld",
                hint="give trajectory_id or source_artifact; where it may not be told, the reason",
            )
    derived = [operation for operation in OPERATIONS if operation in bundle.index.operations - ORIGINAL]
    if not derived or transform.get("derived_from"):
        return
    if any(source.get(member) for member in ("authority_domain", "authority_revision", "artifacts")):
        return
    yield AT921.at(
        "/transform",
        f"the operation {derived[0]} works on something, and neither a source nor an authority is named",
        hint="name the source in transform.derived_from, or the authority in source.authority_domain",
    )


@on_bundle(AT922)
def transformers(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """Who made the bundle, in which version, and the same for each step (§13.1, §15)."""
    transform = bundle.tree.get("transform")
    if type(transform) is not dict or is_marker(transform):
        return
    steps = [(i, step) for i, step in enumerate(_list(transform, "steps")) if type(step) is dict]
    for position, step in steps:
        missing = [member for member in ("implementation", "version") if step.get(member, "") == ""]
        if missing and not is_marker(step):
            lacks = " and ".join(f"`{member}`" for member in missing)
            yield AT922.at(join("transform", "steps", position), f"the step does not state its {lacks}")
    exporter = transform.get("exporter", "")
    if exporter == "":
        if not steps:
            yield AT922.at("/transform", "neither `exporter` nor a step says who made the bundle")
    elif type(exporter) is str and not _has_version(exporter) and not (steps or _states_version(bundle)):
        yield AT922.at("/transform/exporter", "the exporter is named without its version", hint="write name@version")


def _has_version(exporter: str) -> bool:
    name, _, version = exporter.rpartition("@")
    return bool(name and version) or any(character.isdigit() for character in exporter)


def _states_version(bundle: Bundle) -> bool:
    return bool(bundle.member("source").get("exporter_version"))


@on_bundle(AT923)
def operations(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """Operations have the specification's names, so that the next reader knows what each did (§13.1)."""
    transform = bundle.member("transform")
    listed = {name for name in _list(transform, "operations") if type(name) is str}
    for position, name in enumerate(_list(transform, "operations")):
        if type(name) is str and name not in OPERATIONS:
            yield _unknown("operations", position)
    for position, step in enumerate(_list(transform, "steps")):
        name = text(step, "operation") if type(step) is dict else None
        if name is not None and name not in OPERATIONS and name not in listed:
            yield _unknown("steps", position, "operation")


def _unknown(*at: str | int) -> Finding:
    known = ", ".join(OPERATIONS)
    return AT923.at(
        join("transform", *at), "the operation is none that the specification names", hint=f"one of {known}"
    )


@on_bundle(AT924)
def upgrades(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """What was partial or open does not become complete by being worked on (§13.1)."""
    if not is_complete(bundle):
        return
    for position, source in _sources(bundle):
        # A revision may close what was open: it is a new reading of the history, and says so (§6.2).
        closes = text(source, "relation") == "revision_of"
        if text(source, "completeness") in ("partial", "open") and not closes:
            at = join("transform", "derived_from", position, "completeness")
            yield AT924.at(
                "/completeness/status",
                "the bundle says that it is complete, and was derived from one that is not",
                hint="keep the completeness of the source, or derive it anew from the whole history",
                related=[Related(at, "is the completeness of the source")],
            )


@on_bundle(AT928)
def self_derivation(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """A derived bundle has an identity of its own (§7.1, §13.1)."""
    own = text(bundle.tree, "trajectory_id")
    for position, source in _sources(bundle):
        if own and source.get("trajectory_id") == own:
            yield AT928.at(
                join("transform", "derived_from", position, "trajectory_id"),
                "the bundle is derived from a bundle of its own identity",
                hint="give the derived bundle a new trajectory_id",
                related=[Related("/trajectory_id", "is the same identity")],
            )


def _sources(bundle: Bundle) -> list[tuple[int, Json]]:
    """Position and object of each source that `transform` names."""
    return [
        (position, source)
        for position, source in enumerate(_list(bundle.member("transform"), "derived_from"))
        if type(source) is dict and not is_marker(source)
    ]


def _list(item: Json, member: str) -> list[Any]:
    value = item.get(member)
    return value if type(value) is list else []
