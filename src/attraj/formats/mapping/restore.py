"""A Bundle → the document that it was read from, by the links that reading left.

Every value comes from the core; only what the core does not hold comes from the residue. Where the Bundle has lost a
record that the document needs (a step that a selection took out), the document cannot be restored and a writer makes
a new one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attraj.bundle.model import Bundle
from attraj.bundle.shape import COLLECTIONS
from attraj.formats.mapping.containers import Container, NotRestorable, Orders, finished, keep_open, put_at, put_beside
from attraj.formats.mapping.fields import At, Field, Json, Place, look_up, pointer_of, tokens_of
from attraj.formats.mapping.forms import JSON_TEXTS
from attraj.formats.mapping.loss import Handling, Loss
from attraj.formats.mapping.messages import Expander
from attraj.formats.mapping.residue import EXTENSION
from attraj.formats.mapping.withheld import DETAILS, plain
from attraj.jsonio import MISSING

__all__ = ["NotRestorable", "restore", "sources"]


def sources(bundle: Bundle) -> list[Json]:
    """The entries of the documents that a Bundle was read from, each with its format; [] when it does not say."""
    extension = look_up(bundle.tree, ("extensions", EXTENSION, "data", "artifacts"))
    entries = [one for one in extension if type(one) is dict] if type(extension) is list else []
    return [one for one in entries if type(one.get("format")) is str]


def restore(bundle: Bundle, source: Json, places: Mapping[str, Place], losses: list[Loss] | None = None) -> Any:
    """The document of one entry of `sources`, equal in value to what was read unless the core was changed.

    Args:
        bundle: Never modified.
        source: The entry.
        places: The table of the room that read it.
        losses: Takes what the document cannot hold: content that was withheld from the Bundle since.

    Raises:
        NotRestorable: A record that a link names is gone, or a position is left empty.
    """
    links, rest, order = source.get("links"), source.get("rest"), source.get("order")
    if type(links) is not dict or type(rest) is not dict or type(order) is not dict:
        raise NotRestorable("the notes about the source document are incomplete")
    restoring = _Restoring(bundle, [] if losses is None else losses)
    for is_messages in (True, False):  # a record of its own wins over the list of messages that holds it too
        for name, linked in links.items():
            place = places.get(name)
            if place is None or type(linked) is not dict:
                raise NotRestorable("the notes about the source document name a place that this version does not know")
            if place.is_messages is is_messages:
                for record, pointer in linked.items():
                    restoring.place(place, record, _tokens(pointer))
    for place_of in restoring.objects:
        keep_open(restoring.made, place_of)
    position = next((i for i, one in enumerate(sources(bundle)) if one is source), 0)
    at: At = ("extensions", EXTENSION, "data", "artifacts", position, "rest")
    for pointer, value in rest.items():
        restoring.keep(_tokens(pointer), value, (*at, pointer))
    numbered = source.get("numbered")
    kept = frozenset(one for one in numbered if type(one) is str) if type(numbered) is list else frozenset()
    copies, texts = _pointers(source, "copies"), _pointers(source, "texts")
    for at, _ in copies:
        put_at(restoring.made, at, None)
    tree = finished(restoring.made, Orders(order, kept), is_array=source.get("root") == "array")
    for at, form in texts:
        _write_text(tree, at, form)
    for at, first in copies:
        _replace(tree, at, look_up(tree, _tokens(first)))
    return tree


def _pointers(source: Json, name: str) -> list[tuple[At, Any]]:
    """Places of the document, each with what is noted of it."""
    noted = source.get(name)
    return [(at, one) for pointer, one in noted.items() if (at := _tokens(pointer))] if type(noted) is dict else []


def _write_text(tree: Any, at: At, name: Any) -> None:
    """Make a JSON text again of what stands at this place."""
    form, value = JSON_TEXTS.get(name) if type(name) is str else None, look_up(tree, at)
    if form is None:
        raise NotRestorable("the notes about the source document name a form that this version does not know")
    written = form.written(value)
    if written is not None:  # else somebody has put something there that is no object: it stands for itself
        _replace(tree, at, written)


def _replace(tree: Any, at: At, value: Any) -> None:
    holder = look_up(tree, at[:-1])
    if type(holder) not in (dict, list) or value is MISSING:
        raise NotRestorable("the notes about the source document are incomplete")
    holder[at[-1]] = value


def _tokens(pointer: Any) -> At:
    if type(pointer) is not str:
        raise NotRestorable("the notes about the source document are incomplete")
    return tokens_of(pointer)


class _Restoring:
    """A document while it is put together out of records and of what was kept beside them."""

    def __init__(self, bundle: Bundle, losses: list[Loss]) -> None:
        self.made = Container()
        self.objects: list[At] = []  # each stands for a record, also one that says nothing by now
        self._losses = losses
        self._records = Records(bundle)
        self._plain: dict[int, Any] = {}  # messages by their identity: views share them

    def place(self, place: Place, record: str, at: At) -> None:
        """Set what a record says of its place in the document."""
        found, where = self._records.find(place, record)
        if not place.is_messages:
            self.objects.append(at)
            for one in place.fields:
                value = self._value(one, found, where)
                if value is not MISSING:
                    put_at(self.made, (*at, *one.source), value)
            return
        items = self._records.expander.items(record)
        if items is None:
            raise NotRestorable("a list of messages is no longer whole")
        if at and not items:
            put_at(self.made, at, [])
        for position, item in enumerate(items):
            if id(item) not in self._plain:
                self._plain[id(item)] = plain(item, where, self._tell)
            value = self._plain[id(item)]
            put_at(self.made, (*at, position), None if value is MISSING else value)

    def keep(self, at: At, value: Any, where: At) -> None:
        """Set what the core does not hold; where it holds something by now, the core wins (spec: decisions 17)."""
        value = plain(value, where, self._tell)
        if value is not MISSING and at:
            put_beside(self.made, at, value)

    def _value(self, one: Field, record: Any, where: At) -> Any:
        value = look_up(record, one.core)
        value = MISSING if value is MISSING else plain(value, (*where, *one.core), self._tell)
        if value is MISSING or one.form is None:
            return value
        written = one.form.written(value)
        if written is None:
            self._losses.append(
                Loss("other-form", "other", "dropped", pointer_of((*where, *one.core)), 1, _FORM, "write")
            )
        return MISSING if written is None else written

    def _tell(self, handling: Handling, at: At, code: str) -> None:
        self._losses.append(Loss(code, "other", handling, pointer_of(at), 1, DETAILS[code], "write"))


_FORM = "a value that the source has no way to write"


class Records:
    """Records of a Bundle by their identity."""

    def __init__(self, bundle: Bundle) -> None:
        self._bundle = bundle
        self._by_id: dict[str, dict[str, tuple[Json, At]]] = {}
        self.expander = Expander(bundle)

    def find(self, place: Place, record: str) -> tuple[Any, At]:
        """The record, and its place in the Bundle."""
        if not place.collection:
            at = tokens_of(record)
            found = look_up(self._bundle.tree, at)
        else:
            found, at = self._collection(place.collection).get(record, (MISSING, ()))
        if found is MISSING:
            raise NotRestorable("a record that the source document was made of is not in the Bundle any more")
        return found, at

    def _collection(self, name: str) -> dict[str, tuple[Json, At]]:
        known = self._by_id.get(name)
        if known is None:
            member = COLLECTIONS[name][1]
            known = self._by_id[name] = {
                one[member]: (one, (name, position))
                for position, one in self._bundle.objects(name)
                if type(one.get(member)) is str
            }
        return known
