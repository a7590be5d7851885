"""What cannot be judged where the shape of something was refused: one fault is one finding.

Who is told that `nodes` is no array need not hear of every edge that its nodes are not there; who is told that the
producer is a number, not that there is none. No verdict changes by it: what the shape refuses fails every profile.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Any

from attraj.bundle.model import Bundle
from attraj.bundle.shape import COLLECTIONS
from attraj.findings import Finding
from attraj.pointer import resolve

# Rules that a name leads to nothing, or that something lacks what a record of the collection could give it.
_LACKS = {
    "nodes": ("AT203", "AT205", "AT206", "AT207", "AT208", "AT315", "AT406", "AT607", "AT823", "AT904"),
    "states": ("AT204", "AT206", "AT904"),
    "edges": ("AT305", "AT311", "AT315", "AT318", "AT406", "AT822", "AT823", "AT904"),
    "outcomes": ("AT206", "AT207", "AT607", "AT904", "AT906"),
    "verifier_results": ("AT206", "AT207", "AT607", "AT614", "AT904"),
    "reward_records": ("AT206", "AT207", "AT607", "AT829", "AT904"),
}
# Rules that something is nowhere in a top-level member, or only elsewhere.
_NOWHERE = {
    "profiles": ("AT107", "AT122", "AT805"),
    "source": ("AT206", "AT921"),
    "scope": ("AT206", "AT213", "AT906"),
    "states": ("AT412", "AT704", "AT705", "AT828"),
    "nodes": ("AT412", "AT704", "AT705", "AT715", "AT824", "AT906"),
    "transform": ("AT408", "AT704"),
    "disclosure": ("AT120", "AT517", "AT704", "AT914"),
    "extensions": ("AT303", "AT824"),
}
# Rules that an object lacks something, where the message does not name the members that could hold it.
_HOLDERS = {
    "AT211": ("source_event_id",),
    "AT602": ("asserted_at_node",),
    "AT911": ("tasks", "environments"),
    "AT912": ("termination", "reason"),
    "AT913": ("resources",),
}
_BESIDE = {"AT505": "receipt"}  # the same, of a member beside the object
# Faults that a value can have besides its type: a text in place of an array names something; another form is asked for.
_OTHER_FAULTS = frozenset({"AT125", "AT204", "AT206", "AT207"})
_IDS = {name: (member,) for name, (_, member) in COLLECTIONS.items()} | {"edges": ("from", "to")}
_MISSING, _WRONG = frozenset({"AT101", "AT108"}), frozenset({"AT102", "AT109", "AT110"})
_REFUSALS = _MISSING | _WRONG


def judged(bundle: Bundle, found: list[Finding], no_json: Collection[str] = ()) -> list[Finding]:
    """The findings without those that only follow from a shape that is refused.

    Args:
        no_json: Where NaN or the like stands, which the reading of the bytes has told.
    """
    if not no_json and not any(finding.code in _REFUSALS for finding in found):
        return found
    places = _Places(found, no_json)
    dropped = _dropped(bundle, found, places)
    return [f for f in found if f.code in _REFUSALS or not (f.code in dropped or places.explain(f))]


class _Places:
    """Where values of the wrong type stand, and what is around them."""

    def __init__(self, found: Iterable[Finding], no_json: Iterable[str]) -> None:
        self.wrong = {f.location.pointer for f in found if f.code in _WRONG} | set(no_json)
        self.holding = {around for pointer in self.wrong for around in _around(pointer)}

    def explain(self, finding: Finding) -> bool:
        """Whether a finding stands inside a value that is refused, or misses a member whose value is."""
        at = finding.location.pointer
        if finding.code not in _OTHER_FAULTS and any(place in self.wrong for place in _around(at)):
            return True
        if any(f"{at}/{name}" in self.holding for name in _HOLDERS.get(finding.code, ())):
            return True
        if finding.code == "AT807" and any(place.endswith(at) and place != at for place in self.wrong):
            return True  # what the source grants is not known: the same right of it is refused
        beside = f"{at.rpartition('/')[0]}/{_BESIDE[finding.code]}" if finding.code in _BESIDE else ""
        if beside in self.wrong:
            return True
        named = [f"{at}/{name}" for name in _named(finding)]
        return bool(named) and self.wrong.issuperset(named)


def _around(pointer: str) -> Iterable[str]:
    """The pointer and those of everything around it but for the document."""
    while pointer:
        yield pointer
        pointer = pointer.rpartition("/")[0]


def _dropped(bundle: Bundle, found: list[Finding], places: _Places) -> set[str]:
    """The codes of rules that ask for what a refused member or record may have held."""
    whole = {name for name in (*_LACKS, *_NOWHERE) if f"/{name}" in places.wrong}
    whole.update(name for f in found if f.code == "AT101" and not f.location.pointer for name in _named(f))
    dropped = {code for name in whole for code in (*_LACKS.get(name, ()), *_NOWHERE.get(name, ()))}
    if "/profiles" in places.holding:
        dropped.update(_NOWHERE["profiles"])
    if "/disclosure/redactions" in places.holding:
        dropped.add("AT704")
    if any(pointer.endswith(("/training", "/training/target")) for pointer in places.wrong):
        dropped.add("AT824")
    broken = {name: count for name in COLLECTIONS if (count := _broken(bundle, name))}
    dropped.update(code for name in broken for code in _NOWHERE.get(name, ()))
    for code in sorted({code for name in broken for code in _LACKS[name]} - dropped):
        # As many names lead to nothing as records have lost theirs: these are the ones.
        lacking = {_subject(bundle.tree, f) for f in found if f.code == code}
        if len(lacking) <= sum(count for name, count in broken.items() if code in _LACKS[name]):
            dropped.add(code)
    return dropped | _lost_receipts(bundle, found)


def _named(finding: Finding) -> list[str]:
    """The members that a message names."""
    return re.findall(r"`(\w+)`", finding.message)


def _broken(bundle: Bundle, collection: str) -> int:
    """How many records of a collection cannot be found by name, or join nothing."""
    return sum(not _is_named(record, _IDS[collection]) for record in bundle.items(collection))


def _is_named(record: Any, members: Iterable[str]) -> bool:
    return type(record) is dict and all(type(record.get(member)) is str for member in members)


def _lost_receipts(bundle: Bundle, found: list[Finding]) -> set[str]:
    """The code of evidence that is not there, when no more is missing than there are receipts without a name."""
    receipts = [node["receipt"] for _, node in bundle.objects("nodes") if "receipt" in node]
    lost = sum(not _is_named(receipt, ("receipt_id",)) for receipt in receipts)
    missing = {_subject(bundle.tree, f) for f in found if f.code == "AT206"}
    return {"AT206"} if lost and len(missing) <= lost else set()


def _subject(tree: Any, finding: Finding) -> str:
    """What a finding is about: the name that leads nowhere, or the place that lacks something."""
    try:
        value = resolve(tree, finding.location.pointer)
    except LookupError:
        value = None
    return value if type(value) is str else finding.location.pointer
