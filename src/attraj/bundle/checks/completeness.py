"""AT901 to AT907: how whole the bundle says that it is, against what it shows (§6.2).

`complete` means that every material fact of the scope is here, or is declared unavailable; not that every selected node
was written.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from attraj.bundle.checks import causality
from attraj.bundle.checks.check import Asked, Json, error, on_bundle, warning
from attraj.bundle.leaves import pointer_of
from attraj.bundle.markers import is_marker, is_withheld
from attraj.bundle.model import Bundle, child, text, texts
from attraj.bundle.vocabulary import COMPLETENESS
from attraj.findings import Finding, Related, Stratum
from attraj.pointer import join

AT901 = error("AT901", "unknown-completeness", Stratum.MEANING)
AT902 = error("AT902", "incompleteness-not-qualified", Stratum.MEANING)
AT903 = error("AT903", "complete-with-omissions", Stratum.MEANING)
AT904 = error("AT904", "complete-with-gaps", Stratum.MEANING)
AT905 = warning("AT905", "complete-with-external-parents", Stratum.MEANING)
AT906 = warning("AT906", "complete-without-end", Stratum.MEANING)
AT907 = warning("AT907", "open-after-the-end", Stratum.MEANING)

SHOWN = 10  # places that are listed; the rest is counted
STATUS = "/completeness/status"

WITHHELD_WORDS = ("redacted", "omitted", "partially_redacted")
UNAVAILABLE = ("unavailable", "unknown")
# What an outcome can be about; agents are in a scope without being its subject.
SUBJECTS = ("attempt", "objective", "evaluation", "activation", "session", "context")


def is_complete(bundle: Bundle) -> bool:
    """Whether the bundle says that it is complete."""
    return text(bundle.member("completeness"), "status") == "complete"


@on_bundle(AT901, AT902)
def statement(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """The status is one of three words, and anything but `complete` says why."""
    stated = bundle.tree.get("completeness")
    if type(stated) is not dict or is_marker(stated):
        return
    known = ", ".join(COMPLETENESS)
    if "status" not in stated:
        yield AT901.at("/completeness", "`status` is missing", hint=f"it is one of {known}")
        return
    status = text(stated, "status")
    if status is not None and status not in COMPLETENESS:
        yield AT901.at(STATUS, f"the status is none of {known}")
    elif status in ("partial", "open") and not (stated.get("reason") or stated.get("material_omissions")):
        yield AT902.at(
            "/completeness",
            f"the bundle is {status}, and gives neither a reason nor what is missing",
            hint="say why in `reason`, or what in `material_omissions`",
        )


@on_bundle(AT903)
def omissions(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """What was redacted or left out is not here, and no declaration makes it so."""
    if not is_complete(bundle):
        return
    places = list(_omissions(bundle))
    if places:
        yield AT903.at(
            STATUS,
            f"the bundle says that it is complete, and shows that something was redacted or left out{_listed(places)}",
            hint="call it partial; only what the source itself never had can be declared unavailable",
            related=_shown(places, "says that something is withheld"),
        )


def _omissions(bundle: Bundle) -> Iterator[str]:
    for position, omission in enumerate(_list(bundle.member("completeness"), "material_omissions")):
        if not _is_unavailable(omission):
            yield join("completeness", "material_omissions", position)
    disclosure = bundle.member("disclosure")
    # Private reasoning is never asked for (§11), so that leaving it out omits nothing material.
    for member in ("user_content", "raw_event_payloads"):
        if text(disclosure, member) in WITHHELD_WORDS:
            yield join("disclosure", member)
    for member in ("redactions", "redacted_fields"):
        if _list(disclosure, member):
            yield join("disclosure", member)
    for position, state in bundle.objects("states"):
        if text(state, "availability") in ("redacted", "omitted"):
            yield join("states", position, "availability")
    for way, container in bundle.content.marked:
        if len(container) == 1 and is_withheld(container):
            yield pointer_of(way)


def _is_unavailable(omission: Any) -> bool:
    """Whether an omission is a fact that the source could not give (spec: bundle.md §7-4)."""
    return type(omission) is dict and text(omission, "class") in UNAVAILABLE


@on_bundle(AT904)
def gaps(bundle: Bundle, asked: Asked) -> Iterator[Finding]:
    """References that lead nowhere, undeclared parents and unavailable states are gaps until they are declared."""
    if not is_complete(bundle):
        return
    dangling = [join(*path) for path in (*bundle.index.dangling_states, *bundle.index.dangling_evidence)]
    if dangling:
        yield AT904.at(
            STATUS,
            f"the bundle says that it is complete, and names records that it does not have{_listed(dangling)}",
            hint="add what is named, or call the bundle partial",
            related=_shown(dangling, "names a record that is not here"),
        )
    undeclared = [finding.location.pointer for finding in causality.closure.run(bundle, asked)]
    if undeclared:
        yield AT904.at(
            STATUS,
            f"the bundle says that it is complete, and has nodes that declare no parent{_listed(undeclared)}",
            hint="declare the parents, or call the bundle partial",
            related=_shown(undeclared, "declares no parent"),
        )
    declared, everything = _declared_unavailable(bundle)
    for position, state in bundle.objects("states"):
        if text(state, "availability") in UNAVAILABLE and not everything and text(state, "state_id") not in declared:
            yield AT904.at(
                join("states", position, "availability"),
                "the bundle says that it is complete, and this state is not at hand",
                hint='list it in completeness.material_omissions: {"class": "unavailable", "refs": [its id]}',
            )


def _declared_unavailable(bundle: Bundle) -> tuple[set[str | None], bool]:
    """Ids that omissions of class unavailable refer to; and whether one of them refers to all, by naming none."""
    found: set[str | None] = set()
    everything = False
    for omission in _list(bundle.member("completeness"), "material_omissions"):
        if _is_unavailable(omission):
            refs = texts(omission, "refs")
            found.update(reference for _, reference in refs)
            everything = everything or not refs
    return found, everything


@on_bundle(AT905)
def external_parents(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """Causes outside of the bundle are facts that it does not have."""
    if not is_complete(bundle):
        return
    places = [
        join("nodes", position, "external_parents")
        for position, node in bundle.objects("nodes")
        if _list(node, "external_parents")
    ]
    if places:
        yield AT905.at(
            STATUS,
            f"the bundle says that it is complete, and has parents outside of it{_listed(places)}",
            hint="say in the scope where it begins, or call the bundle partial",
            related=_shown(places, "declares parents outside of the bundle"),
        )


@on_bundle(AT906)
def end(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """A complete record of something shows its end."""
    if not is_complete(bundle) or child(bundle.member("scope"), "termination"):
        return
    if bundle.index.by_kind.get("terminal") or any(_is_terminal(outcome) for _, outcome in bundle.objects("outcomes")):
        return
    yield AT906.at(
        STATUS,
        "the bundle says that it is complete, and shows no end: no terminal node, terminal outcome or termination",
        hint="every selected node may be here while the run goes on; then the bundle is open",
    )


@on_bundle(AT907)
def closed(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """`open` means that the end was not reached; a terminal outcome of the whole scope is that end."""
    if text(bundle.member("completeness"), "status") != "open":
        return
    terminal = [(position, outcome) for position, outcome in bundle.objects("outcomes") if _is_terminal(outcome)]
    about = {subject for _, outcome in terminal for _, subject in texts(outcome, "scope")}
    if terminal and _covers(about, bundle):
        places = [join("outcomes", position) for position, _ in terminal]
        yield AT907.at(
            STATUS,
            "the bundle says that the end was not reached, and has a terminal outcome of its whole scope",
            hint="complete or partial, in a new revision; or the outcome was not terminal",
            related=_shown(places, "is terminal"),
        )


def _covers(about: set[str], bundle: Bundle) -> bool:
    """Whether these subjects are all that the scope is about, by one kind of subject or by the trajectory itself."""
    if text(bundle.tree, "trajectory_id") in about:
        return True
    scope = bundle.member("scope")
    for subject in SUBJECTS:
        named = {name for member in (f"{subject}_id", f"{subject}_ids") for _, name in texts(scope, member)}
        if named and named <= about:
            return True
    return False


def _is_terminal(outcome: Json) -> bool:
    is_recalled = any(outcome.get(member) for member in ("invalidated_by", "superseded_by"))
    return outcome.get("terminal") is True and not is_recalled


def _list(item: Json, member: str) -> list[Any]:
    value = item.get(member)
    return value if type(value) is list else []


def _listed(places: list[str]) -> str:
    """What to say when more places are meant than are listed."""
    return f"; {SHOWN} places of {len(places)} are listed" if len(places) > SHOWN else ""


def _shown(places: Iterable[str], message: str) -> list[Related]:
    return [Related(place, message) for place in list(places)[:SHOWN]]
