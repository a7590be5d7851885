"""AT801-AT810: the six uses. Unknown is not permission, and a derivation grants nothing its sources do not (§13.3).

Whether a use is granted for a set of documents (AT806) is the rights check's business, not that of one document.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from attraj.bundle.checks.check import Asked, Json, error, info, on_bundle, warning
from attraj.bundle.instants import is_later
from attraj.bundle.markers import is_marker
from attraj.bundle.model import Bundle, child
from attraj.bundle.vocabulary import TRAINING, USES
from attraj.findings import Finding, Related, Stratum
from attraj.pointer import join

AT801 = error("AT801", "right-not-stated", Stratum.SHAPE)
AT802 = error("AT802", "right-not-a-right", Stratum.SHAPE)
AT803 = info("AT803", "unknown-right", Stratum.MEANING)
AT804 = error("AT804", "training-not-granted", Stratum.PROFILES, TRAINING)
AT805 = info("AT805", "training-granted-without-profile", Stratum.PROFILES, TRAINING)
AT807 = error("AT807", "right-wider-than-source", Stratum.MEANING)
AT808 = warning("AT808", "denial-erased", Stratum.MEANING)
AT809 = error("AT809", "purpose-not-covered", Stratum.MEANING)
AT810 = error("AT810", "right-expired", Stratum.MEANING)

UNKNOWN = "unknown"
MAY_BE_STATED = (*USES, "collection")  # the seventh is optional (spec: bundle.md §7-8)


class Source(NamedTuple):
    """The rights that a document says one of its sources has."""

    pointer: str
    rights: Json


def right(rights: Json, use: str) -> bool | str:
    """True, False or "unknown": anything but a literal grant or denial is unknown, and unknown is not permission."""
    value = rights.get(use)
    return value if type(value) is bool else UNKNOWN


@on_bundle(AT801, AT802)
def statement(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """Each of the six uses is stated, as true, false or "unknown"."""
    rights = bundle.tree.get("rights")
    if type(rights) is not dict:
        return  # missing is AT101, another type AT102
    if is_marker(rights):
        yield AT801.at("/rights", "rights are withheld: none of the six uses is stated", hint=_TRI_STATE)
        return
    for use in USES:
        if use not in rights:
            yield AT801.at("/rights", f"`{use}` is not stated", hint=_TRI_STATE)
    for use in MAY_BE_STATED:
        if use in rights and not is_right(rights[use]):
            yield AT802.at(join("rights", use), 'a right is true, false or "unknown", and nothing else', hint=_MEANS)


@on_bundle(AT803)
def unknown_rights(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    for use, value in bundle.member("rights").items():
        if value == UNKNOWN and use in MAY_BE_STATED:
            yield AT803.at(join("rights", use), "it is not known whether this use is granted: it counts as not granted")


@on_bundle(AT804, profile=TRAINING)
def training_granted(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """AT-Training asks for a literal grant; a right that is missing or malformed is AT801 or AT802."""
    value = bundle.member("rights").get("training")
    if value is False or value == UNKNOWN:
        yield AT804.at(
            "/rights/training",
            "AT-Training is claimed and training is not granted",
            hint="claim AT-Training only for data that may be trained on",
        )


@on_bundle(AT805)
def training_claimed(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    if bundle.member("rights").get("training") is True and bundle.profiles and not bundle.claims(TRAINING):
        yield AT805.at("/rights/training", "training is granted, and the bundle does not claim AT-Training")


@on_bundle(AT807, AT808)
def against_sources(bundle: Bundle, _asked: Asked) -> Iterator[Finding]:
    """No right is wider than that of any source whose rights stand in the document."""
    yield from wider_than(bundle.member("rights"), derivation_sources(bundle.tree))


@on_bundle(AT809)
def purpose_covered(bundle: Bundle, asked: Asked) -> Iterator[Finding]:
    """Only when a purpose is asked for: training is granted, and for it."""
    rights = bundle.member("rights")
    value = rights.get("training")
    if not asked.purpose or not is_right(value):
        return
    details = child(child(rights, "details"), "training")
    if value is True:
        if not covers(details, asked.purpose):
            yield AT809.at(
                join("rights", "details", "training", "purposes"),
                "training is granted for other purposes than the one asked for",
                hint="ask the holder of the rights; a purpose that is not named is not granted",
            )
    elif not bundle.claims(TRAINING):  # then it is AT804 already
        yield AT809.at("/rights/training", "training is not granted, for the purpose asked for or any other")


@on_bundle(AT810)
def validity(bundle: Bundle, asked: Asked) -> Iterator[Finding]:
    """Only when a time is given: no granted right has ended by then."""
    if not asked.now:
        return
    rights = bundle.member("rights")
    for use in MAY_BE_STATED:
        until = child(child(rights, "details"), use).get("valid_until")
        if rights.get(use) is True and type(until) is str and is_later(asked.now, until):
            yield AT810.at(
                join("rights", "details", use, "valid_until"),
                "the right had ended by the time given",
                hint="a right that has ended counts as denied",
            )


# --- what other checks ask ---------------------------------------------------------------------------------------


def is_right(value: Any) -> bool:
    """Whether a value is true, false or "unknown"."""
    return type(value) is bool or (type(value) is str and value == UNKNOWN)


def covers(details: Json, purpose: str) -> bool:
    """Whether the details of a granted right leave room for a purpose: it is named, or none is."""
    if "purposes" not in details:
        return True
    stated = details["purposes"]
    return stated == purpose if type(stated) is str else type(stated) is list and purpose in stated


def derivation_sources(tree: Json) -> list[Source]:
    """The sources in `transform.derived_from` whose rights the document repeats."""
    found = child(tree, "transform").get("derived_from")
    return [
        Source(join("transform", "derived_from", position, "rights"), derivation["rights"])
        for position, derivation in enumerate(found if type(found) is list else ())
        if type(derivation) is dict and type(derivation.get("rights")) is dict
    ]


def wider_than(rights: Json, sources: Sequence[Source]) -> Iterator[Finding]:
    """Rights that go beyond those of a source, one finding a use. A use that a source does not state is unknown there.

    Order: false < unknown < true. From a denial to unknown grants nothing, and erases the denial (AT808).
    """
    for use in MAY_BE_STATED:
        value = rights.get(use)
        if value is True:
            narrower = [source for source in sources if right(source.rights, use) is not True]
            if narrower:
                yield AT807.at(
                    join("rights", use),
                    "the right is wider than that of a source",
                    hint="grant no more than every source grants; removing data restores no right",
                    related=_related(narrower, use),
                )
        elif value == UNKNOWN:
            denied = [source for source in sources if right(source.rights, use) is False]
            if denied:
                yield AT808.at(
                    join("rights", use),
                    "a source denies this use, and here it is unknown",
                    hint="carry the denial over",
                    related=_related(denied, use),
                )


SHOWN = 10  # sources that are listed


def _related(sources: Sequence[Source], use: str) -> list[Related]:
    return [
        Related(source.pointer + (join(use) if use in source.rights else ""), "is narrower")
        for source in sources[:SHOWN]
    ]


_TRI_STATE = 'write true, false or "unknown" for each of the six uses'
_MEANS = "what it says now counts as unknown, and unknown is not permission"
