"""Which place of a Bundle holds which place of a source document, told anew by the notes that reading left in it.

`verify.py` goes by it. It shares the tables of the rooms with restore.py, and not the way in which that puts a
document together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from attraj.bundle.model import Bundle
from attraj.formats.mapping.containers import NotRestorable
from attraj.formats.mapping.fields import At, Json, Place, look_up, tokens_of
from attraj.formats.mapping.forms import JSON_TEXTS
from attraj.formats.mapping.residue import EXTENSION
from attraj.formats.mapping.restore import Records, sources
from attraj.formats.mapping.withheld import plain
from attraj.jsonio import MISSING


class Said(NamedTuple):
    """What a Bundle holds of one place of a source.

    Attributes:
        at: Where it stands in the Bundle.
        value: As the source writes it.
        core: As the Bundle has it, without markers, where it has another form.
        state: Of a message of a list, the state of that list with the message's position below it: the message itself
            may stand in another one, which the state is a change of.
    """

    at: At
    value: Any
    core: Any = MISSING
    state: At = ()

    def below(self, token: str | int) -> Said | None:
        """What stands at a member or a position of it; None when nothing does."""
        value = look_up(self.value, (token,))
        state = (*self.state, token) if self.state else ()
        return None if value is MISSING else Said((*self.at, token), value, state=state)


@dataclass(slots=True)
class Notes:
    """What a Bundle notes of one source document.

    Attributes:
        said: Place in the source to what the Bundle holds of it.
        objects: Place of each object that stands for a record, however little it holds, to the record.
        copies: Place to the place whose value it repeats.
        texts: Places of JSON texts that were opened, with the name of their form.
    """

    said: dict[At, Said] = field(default_factory=dict)
    objects: dict[At, At] = field(default_factory=dict)
    copies: dict[At, At] = field(default_factory=dict)
    texts: dict[At, str] = field(default_factory=dict)

    def of(self, at: At) -> Said | None:
        """What the Bundle holds of a place, or of a part of what it holds as a whole; None when it notes nothing."""
        for depth in range(len(at), -1, -1):
            first = self.copies.get(at[:depth])
            if first is not None:
                return self.of((*first, *at[depth:]))
            said = self.said.get(at[:depth])
            if said is not None:
                for token in at[depth:]:
                    said = said and said.below(token)
                return said
        return None


def notes_of(bundle: Bundle, source: Json, places: Mapping[str, Place]) -> Notes:
    """The notes of one entry of `restore.sources`.

    Raises:
        NotRestorable: A record that they name is gone.
    """
    notes = Notes()
    records = Records(bundle)
    stored = _stored(bundle)
    links = _members(source, "links")
    for is_messages in (True, False):
        for name, linked in links.items():
            place = places.get(name)
            if place is not None and place.is_messages is is_messages and type(linked) is dict:
                for record, pointer in linked.items():
                    if is_messages:
                        _messages(notes, records, place, record, tokens_of(pointer), stored)
                    else:
                        _record(notes, records, place, record, tokens_of(pointer))
    position = next((i for i, one in enumerate(sources(bundle)) if one is source), 0)
    where: At = ("extensions", EXTENSION, "data", "artifacts", position, "rest")
    for pointer, value in _members(source, "rest").items():
        at = tokens_of(pointer)
        notes.said.setdefault(at, Said((*where, pointer), plain(value, (), _tell)))
    notes.objects.setdefault((), where[:5])
    notes.copies = {tokens_of(one): tokens_of(first) for one, first in _members(source, "copies").items()}
    notes.texts = {tokens_of(one): name for one, name in _members(source, "texts").items() if name in JSON_TEXTS}
    return notes


def _members(source: Json, name: str) -> Json:
    members = source.get(name)
    return members if type(members) is dict else {}


def _record(notes: Notes, records: Records, place: Place, record: str, at: At) -> None:
    found, where = records.find(place, record)
    notes.objects[at] = where
    for one in place.fields:
        value = look_up(found, one.core)
        core = value if value is MISSING else plain(value, (), _tell)
        value = one.form.written(core) if one.form is not None and core is not MISSING else core
        if value is not MISSING and not (value is None and one.form is not None):
            other = MISSING if one.form is None else core
            notes.said[(*at, *one.source)] = Said((*where, *one.core), value, other)


def _stored(bundle: Bundle) -> dict[int, At]:
    """Where each message of a list stands, by its identity in memory: the states share them."""
    found: dict[int, At] = {}
    for position, state in bundle.objects("states"):
        for member in ("view", "delta"):
            items = state.get(member)
            for i, one in enumerate(items) if type(items) is list else ():
                if member == "view":
                    found[id(one)] = ("states", position, member, i)
                elif type(one) is dict and "value" in one:
                    found[id(one["value"])] = ("states", position, member, i, "value")
    return found


def _messages(notes: Notes, records: Records, place: Place, record: str, at: At, stored: Mapping[int, At]) -> None:
    _, where = records.find(place, record)
    items = records.expander.items(record)
    if items is None:
        raise NotRestorable("a list of messages is no longer whole")
    if not items:
        notes.said[at] = Said(where, [])
    for position, item in enumerate(items):
        state = (*where, position)
        held = stored.get(id(item), state) if type(item) in (dict, list) else state
        notes.said[(*at, position)] = Said(held, plain(item, (), _tell), state=state)


def _tell(_handling: str, _at: At, _code: str) -> None:
    """What is withheld is no longer the source's value: it is told by comparing."""
