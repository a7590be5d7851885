"""`--form morphz-ref`: a Bundle in the closed form of the reference implementation, and back without a loss.

The form has no place for much of what a Bundle says, and requires what many sources do not. What it cannot hold moves
into extensions; what it requires is filled in and listed there, so that reading back takes it out again. A place that
somebody has changed in the meantime stays as he has written it. Source: spec bundle.md §2.1, §2.4, decisions 22.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attraj.bundle.checks.reference_form import FORM, differences, fits
from attraj.formats.mapping.fields import At, Json, copied, is_same, look_up, pointer_of, tokens_of
from attraj.formats.mapping.holds import is_object
from attraj.formats.mapping.loss import Loss
from attraj.formats.mapping.reference_fillers import filler, has_filler, instead, names
from attraj.formats.mapping.reference_records import Note, by_identity, grouped, noted
from attraj.formats.mapping.rooms import NotWritable
from attraj.jsonio import MISSING

EXTENSION = "dev.attraj.reference_form"
RIGHTS = "dev.attraj.rights"
TRAINING = "dev.attraj.training"
NATIVE = "dev.attraj.native"
_OURS = (EXTENSION, RIGHTS, TRAINING)

_FILLED = "the reference form requires a value here that the Bundle does not say"
_REPLACED = "the reference form cannot say this; an extension holds it"
_WITHOUT_RECORD = "kept beside the reference form for a record that is not there any more, or not alone of its name"
_CHANGED = "kept beside the reference form for what somebody has changed there since"


def reference_of(native: Json) -> tuple[Json, list[Loss]]:
    """A Bundle in the reference form, and what stands there that the Bundle does not say, or not so.

    Args:
        native: Never modified; given back itself when it is in the reference form already.

    Raises:
        NotWritable: A record of it is no object.
    """
    if not any(differences(native)):
        return native, []
    projection = _Projection(native)
    result = projection.object("bundle", native, ())
    projection.move_out(result)
    return result, projection.losses


def native_of(tree: Any) -> Any:
    """A Bundle in the native form; one that was not written in the reference form comes back as it is."""
    return native_with_losses(tree)[0]


def native_with_losses(tree: Any) -> tuple[Any, list[Loss]]:
    """A Bundle in the native form, and what stands beside the form that has lost its record, or what it went with."""
    if type(look_up(tree, ("extensions", EXTENSION, "data"))) is not dict:
        return tree, []
    result = copied(tree)
    losses: list[Loss] = []
    notes = [*noted(result, EXTENSION), *_set_apart(result)]  # by identities, which some of them take away
    for name in _OURS:
        result["extensions"].pop(name, None)
    for note in notes:
        for pointer, value in note.filled.items():
            holder, token = _holder(note.record, pointer)
            if type(holder) is dict and is_same(holder.get(token, MISSING), value):
                del holder[token]
    for note in notes:
        for pointer, value in note.moved.items():
            holder, token = _holder(note.record, pointer)
            if type(holder) is dict and is_same(holder.get(token, MISSING), note.written.get(pointer, MISSING)):
                holder[token] = copied(value)
            else:
                at = note.at if note.record is MISSING else (*note.at, "moved", pointer)
                detail = _WITHOUT_RECORD if note.record is MISSING else _CHANGED
                losses.append(Loss("reference-form", "other", "dropped", pointer_of(at), 1, detail))
    return result, list(dict.fromkeys(losses))


def _set_apart(tree: Json) -> Iterator[Note]:
    """What is kept of rights and masks in extensions of their own."""
    at: At = ("extensions", RIGHTS, "data")
    written = _objects(tree, "extensions", EXTENSION, "data", "written")
    rights = {f"/rights/{use}": one for use, one in _objects(tree, *map(str, at)).items()}
    yield Note(tree, at, rights, written, {})
    at = ("extensions", TRAINING, "data")
    find = by_identity(tree, "nodes")
    for identity, mask in _objects(tree, *map(str, at)).items():
        yield Note(find(identity), (*at, identity), {"/training": mask}, {}, {})


class _Projection:
    """A Bundle while it is put into the reference form.

    Attributes:
        moved: Pointer to what stands there in the native form.
        written: Pointer to what stands there in its place, where something does.
        filled: Pointer to what stands there where the native form has nothing.
    """

    def __init__(self, bundle: Json) -> None:
        self.moved: Json = {}
        self.written: Json = {}
        self.filled: Json = {}
        self.losses: list[Loss] = []
        self._bundle = bundle

    def object(self, kind: str, native: Json, at: At) -> Json:
        """One object of the form, of what the native form says."""
        required, optional = FORM[kind]
        result: Json = {}
        for name, value in native.items():
            form = required.get(name) or optional.get(name)
            if form is None:
                self.moved[pointer_of((*at, name))] = value
                continue
            said = instead(kind, name, native)
            found = self._value(form, value, (*at, name)) if said is MISSING else MISSING
            if said is not MISSING:
                self._say(said, value, (*at, name), result)
            elif found is MISSING:
                self._replace(kind, name, native, at, result)
            else:
                result[name] = found
        for name in required:
            if name not in native:
                result[name] = self._filler(kind, name, native)
                self.filled[pointer_of((*at, name))] = copied(result[name])
                self._lose("synthesized", (*at, name), _FILLED)
        return result

    def move_out(self, result: Json) -> None:
        """Put what the form has no place for into extensions."""
        self._unseal(result)
        known = result["extensions"]
        for name in (*_OURS, NATIVE):
            if name in known:
                self.moved[f"/extensions/{name}"] = known.pop(name)
        rights = {one: self.moved.pop(f"/rights/{one}") for one in self._below("/rights/")}
        data = grouped({"moved": self.moved, "written": self.written, "filled": self.filled}, result)
        masks = _masks(data)
        if rights:
            known[RIGHTS] = {"required": False, "version": "0.1", "data": rights}
        if masks:
            known[TRAINING] = {"required": True, "version": "0.1", "data": masks}
        known[EXTENSION] = {"required": False, "version": "0.1", "data": data}

    def _unseal(self, result: Json) -> None:
        """A digest or signature is of the native form: it stands beside this one, which claims none."""
        if result["integrity"]["status"] == "not_provided" and "digest" not in result["integrity"]:
            return
        for notes in (self.moved, self.written, self.filled):
            for one in [one for one in notes if one.startswith("/integrity")]:
                del notes[one]
        self.moved["/integrity"] = self._bundle["integrity"]
        result["integrity"] = dict.fromkeys(("algorithm", "canonicalization"), "none") | {"status": "not_provided"}
        self.written["/integrity"] = dict(result["integrity"])
        self._lose("approximated", ("integrity",), _REPLACED)

    def _below(self, prefix: str) -> list[str]:
        return [one[len(prefix) :] for one in self.moved if one.startswith(prefix)]

    def _replace(self, kind: str, name: str, native: Json, at: At, result: Json) -> None:
        place = (*at, name)
        if name in FORM[kind][0]:
            self._say(self._filler(kind, name, native), native[name], place, result)
        else:
            self.moved[pointer_of(place)] = native[name]

    def _say(self, said: Any, native: Any, at: At, result: Json) -> None:
        """Write something else than the native form has at a place."""
        result[at[-1]] = said  # type: ignore[index]
        self.moved[pointer_of(at)] = native
        self.written[pointer_of(at)] = copied(said)
        self._lose("approximated", at, _REPLACED)

    def _filler(self, kind: str, name: str, native: Json) -> Any:
        form = FORM[kind][0][name]
        if form[0] == "[" and not has_filler(kind, name):
            return []
        if form[0] == "{":
            inner = _Projection(self._bundle)  # of an object that the Bundle has not: it is filled as a whole
            return inner.object(form[1:-1], {}, ())
        if form in ("object", "bindings"):
            return {}
        return filler(kind, name, native, self._bundle)

    def _value(self, form: str, value: Any, at: At) -> Any:
        """The value in the form; MISSING when the form cannot hold it."""
        if form[0] == "{":
            return self.object(form[1:-1], value, at) if is_object(value) else MISSING
        if form[0] == "[":
            if type(value) is not list:
                return MISSING
            if not all(map(is_object, value)):
                raise NotWritable("the reference form has no place for a record that is no object")
            if len(at) > 1:
                return self._inner(form[1:-1], value, at)
            return [self.object(form[1:-1], one, (*at, position)) for position, one in enumerate(value)]
        if form == "bindings":
            return self._bindings(value, at) if is_object(value) else MISSING
        return copied(value) if fits(form, value) else MISSING

    def _inner(self, kind: str, value: list[Any], at: At) -> list[Any]:
        """A list within a record: its elements have no identity to keep anything by, so that it is kept as a whole."""
        inner = _Projection(self._bundle)
        result = [inner.object(kind, one, (*at, position)) for position, one in enumerate(value)]
        self.losses += inner.losses
        if inner.moved or inner.filled:
            self.moved[pointer_of(at)] = value
            self.written[pointer_of(at)] = copied(result)
        return result

    def _bindings(self, value: Json, at: At) -> Json:
        """Bindings as lists of identities; what else they say of them is moved."""
        result: Json = {}
        for name, bound in value.items():
            if type(bound) is list and names(bound) == bound and len(set(bound)) == len(bound):
                result[name] = list(bound)
                continue
            items = bound if type(bound) is list else [bound]
            found = names([one.get("id") if type(one) is dict else one for one in items])
            place = pointer_of((*at, name))
            self.moved[place] = bound
            if found:
                result[name] = self.written[place] = list(dict.fromkeys(found))
            if found != items and [found[0] if found else None] != items:
                self._lose("approximated", (*at, name), _REPLACED)
        return result

    def _lose(self, handling: Any, at: At, detail: str) -> None:
        category = "rights" if at[0] == "rights" else "timing" if at[-1] in ("timestamp", "created_at") else "other"
        self.losses.append(Loss("reference-form", category, handling, pointer_of(at), 1, detail, "write"))


def _masks(data: Json) -> Json:
    """Takes the training masks out of the notes about nodes: identity to mask."""
    found: Json = {}
    nodes = _objects(data, "records", "nodes")
    for identity, note in list(nodes.items()):
        if "/training" in note.get("moved", ()) and "/training" not in note.get("written", ()):
            found[identity] = note["moved"].pop("/training")
            if not note["moved"]:
                del note["moved"]
            if not note:
                del nodes[identity]
    if not nodes:
        _objects(data, "records").pop("nodes", None)
    return found


def _objects(tree: Any, *path: str) -> Json:
    found = look_up(tree, path)
    return found if type(found) is dict else {}


def _holder(record: Any, pointer: str) -> tuple[Any, str]:
    """The object that a pointer's last name is looked for in, and that name; no object by a position in an array."""
    at = tokens_of(pointer)
    here = record
    for token in at[:-1]:
        here = look_up(here, (token,)) if type(here) is dict else MISSING
    return (here, str(at[-1])) if at else (None, "")
