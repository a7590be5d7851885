"""`convert --verify`: each value of a source again, at its place in what was written, or in a loss.

The proof starts from bytes and asks nobody who took part in the conversion: the source is parsed once more, so is what
was written, and which place of the Bundle stands for which place of the source is told anew (said.py). A recount of
equal values would not do: each value is looked for where it has to be. Source: spec decisions 17.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from attraj.bundle.markers import MARKER_KEY, status_of
from attraj.bundle.model import Bundle
from attraj.formats.mapping.account import is_silent, matches
from attraj.formats.mapping.covers import ReadLosses, WriteLosses
from attraj.formats.mapping.fields import At, Json, is_same, look_up, tokens_of, unescaped
from attraj.formats.mapping.forms import JSON_TEXTS
from attraj.formats.mapping.held import Ledger
from attraj.formats.mapping.loss import Loss
from attraj.formats.mapping.messages import Expander
from attraj.formats.mapping.said import Notes, Said
from attraj.formats.mapping.withheld import plain
from attraj.jsonio import MISSING


class Target(NamedTuple):
    """One document that was written out of a Bundle.

    Attributes:
        tree: Parsed from its bytes.
        trace: Place in the Bundle to place in the document; see `held.settle`.
    """

    tree: Any
    trace: Sequence[tuple[At, At]]


def missing_in_copy(source: Any, copy: Any) -> list[At]:
    """The places at which two documents that should be equal are not."""
    found: list[At] = []
    pending: list[tuple[Any, Any, At]] = [(source, copy, ())]
    while pending:
        one, other, at = pending.pop()
        if type(one) is dict and type(other) is dict:
            found += [(*at, name) for name in other if name not in one]
            pending.extend([(value, other.get(name, MISSING), (*at, name)) for name, value in reversed(one.items())])
        elif type(one) is list and type(other) is list:
            found += [(*at, position) for position in range(len(one), len(other))]
            padded = [*other, *[MISSING] * (len(one) - len(other))]
            pending.extend([(value, padded[i], (*at, i)) for i, value in reversed(list(enumerate(one)))])
        elif not is_same(one, other):
            found.append(at)
    return found


def missing_in_bundle(source: Any, notes: Notes, losses: Iterable[Loss]) -> list[At]:
    """The values of a source that are neither at their place in the Bundle nor in a loss of reading.

    Args:
        source: Parsed from its bytes.
        notes: Told from the bytes of the Bundle.
    """
    told = ReadLosses(losses)
    return [at for at, value, said in _leaves(source, notes) if not (_holds(said, value) or told.cover(at))]


def missing_in_targets(
    source: Any, notes: Notes, bundle: Json, targets: Sequence[Target], losses: Sequence[Loss], ledger: Ledger
) -> list[At]:
    """The values of a source that are neither at their place in what was written nor in a loss of either stage.

    Args:
        source: Parsed from its bytes.
        notes: Told from the Bundle between.
        ledger: What the writer says in its own way.
    """
    told = ReadLosses(losses)
    places = _Places(bundle, targets, losses, ledger, _WORDS)
    return [
        at
        for at, value, said in _leaves(source, notes)
        if value not in ([], {})
        and not told.cover(at)
        and not (said is not None and _holds(said, value) and places.account_for(said))
    ]


def missing_of_bundle(bundle: Json, targets: Sequence[Target], losses: Sequence[Loss], ledger: Ledger) -> list[At]:
    """The values of a Bundle that are neither at their place in what was written nor in a loss of writing."""
    places = _Places(bundle, targets, losses, ledger, _READERS_WORDS)
    found: list[At] = []
    for at, value, _ in _leaves(bundle, Notes()):
        said = _unescaped(bundle, Said(at, value, state=_in_list(bundle, at)))
        if value not in ([], {}) and not places.account_for(said):
            found.append(at)
    return found


def misplaced(bundle: Json, targets: Sequence[Target], losses: Iterable[Loss]) -> list[At]:
    """The places of a Bundle whose value a writer says to have written where there is another one.

    Each place of what was written counts: what stands there twice (the identity of a call, in the call and in its
    result) is right in both or wrong.
    """
    expander = Expander(Bundle(bundle))
    told = WriteLosses(losses, bundle)
    found: dict[At, None] = {}
    for tree, trace in targets:
        for origin, place in trace:
            value = look_up(bundle, origin)
            if len(origin) == 2 and origin[0] == "states" and type(value) is dict:
                value = expander.items(value["state_id"])
            value, here = plain(value, origin, _silent), look_up(tree, place)
            is_reworded = place == ("outcome",) and origin[0] == "outcomes" and type(value) is str
            if not is_same(_REWORDED.get(value, value) if is_reworded else value, here):
                lacking = [(*origin, *one) for one in missing_in_copy(value, here)]
                found.update(dict.fromkeys(one for one in lacking if not told.cover(one)))
    return list(found)


# What a format says in a word of its own that says neither less nor more (react_web: `outcome`).
_REWORDED = {"succeeded": "success", "failed": "failure"}


def _silent(*_: object) -> None:
    """What is withheld is a loss of writing already."""


def gone(copy: Any, notes: Notes) -> list[At]:
    """The places that a Bundle holds of a document and that a document given back of it has not."""
    opened = {at for at in notes.texts if type(look_up(copy, at)) is str}
    found = [at for at in (*notes.copies, *notes.objects) if look_up(copy, at) is MISSING]
    values = [(at, said.value) for at, said in notes.said.items()]
    values += [(at, look_up(copy, first)) for at, first in notes.copies.items()]
    for at, value in values:
        here = look_up(copy, at)
        inside = () if is_same(value, here) else missing_in_copy(value, here)
        found += [(*at, *one) for one in inside if look_up(here, one) is MISSING]
    return [at for at in dict.fromkeys(found) if not any(at[:depth] in opened for depth in range(len(at)))]


def _leaves(source: Any, notes: Notes) -> Iterator[tuple[At, Any, Said | None]]:
    """Each string, number, boolean, null and empty container with its place, and what the Bundle says of it.

    Of a part that the Bundle holds as it is, and that no other record stands in, the leaves come with what it says of
    them; of a text that was opened, those of the value in it.
    """
    pending: list[tuple[Any, At, At, Said | None]] = [(source, (), (), None)]
    while pending:
        value, at, key, above = pending.pop()
        key = notes.copies.get(key, key)
        said = notes.said.get(key, above)
        if said is None and key in notes.objects and (value == {} or (value == [] and not key)):
            said = Said(notes.objects[key], value)  # made again from the record, or from nothing
        form = notes.texts.get(key)
        if form is not None and not (said is not None and type(said.value) is str):
            opened = JSON_TEXTS[form].said(value)
            if opened is not None and JSON_TEXTS[form].written(opened) == value:
                value = opened
        if type(value) is dict:
            pairs: list[tuple[Any, Any, Any]] = [(name, _token(name), one) for name, one in value.items()]
        elif type(value) is list:
            pairs = [(position, position, one) for position, one in enumerate(value)]
        else:
            pairs = []
        if not pairs:
            yield at, value, said
        for token, step, one in reversed(pairs):
            below = said.below(token) if said is not None else None
            pending.append((one, (*at, token), (*key, step), below))


def _token(name: str) -> str | int:
    """A name as pointers read it."""
    return tokens_of(f"/{name}")[0] if name.isdigit() else name


def _holds(said: Said | None, value: Any) -> bool:
    return said is not None and is_same(said.value, value)


class _Places:
    """Where the values of a Bundle went."""

    def __init__(
        self, bundle: Json, targets: Sequence[Target], losses: Iterable[Loss], ledger: Ledger, words: tuple[At, ...]
    ) -> None:
        self._bundle = bundle
        self._trees = [target.tree for target in targets]
        self._losses = WriteLosses(losses, bundle)
        self._ledger = ledger
        self._words = words
        self._trace: dict[At, list[tuple[int, At]]] = {}
        for number, target in enumerate(targets):
            for origin, at in target.trace:
                self._trace.setdefault(_state(origin), []).append((number, at))

    def account_for(self, said: Said) -> bool:
        """Whether a value stands in what was written where the Bundle has it from, or is a loss of writing."""
        return (
            self._is_written(said)
            or self._losses.cover(said.at)
            or (said.state != () and self._losses.cover(said.state))
            or self._is_expressed(said)
            or is_silent(self._bundle, said.at)
        )

    def _is_written(self, said: Said) -> bool:
        for at in (said.at, said.state, self._ledger.same.get(said.at, ())):
            for depth in range(len(at), 0, -1):
                for number, place in self._trace.get(at[:depth], ()):
                    found = look_up(self._trees[number], (*place, *at[depth:]))
                    if is_same(found, said.value) or (said.core is not MISSING and is_same(found, said.core)):
                        return True
        return False

    def _is_expressed(self, said: Said) -> bool:
        """Whether it is a word of the Bundle that the form of the target says, or an empty text: its writer tells."""
        if said.at[:1] == ("states",) and said.at[:2] in self._trace and not said.state:
            return True  # how the state tells its list, which is written
        is_used = any(said.at[:depth] in self._ledger.used for depth in range(1, len(said.at) + 1))
        return is_used and (
            said.value == "" or any(matches(place, said.at) for place in self._words) or self._is_unsaid(said.at)
        )

    def _is_unsaid(self, at: At) -> bool:
        """Whether it is of a marker that stands for what the source could not say: leaving it out says the same."""
        if MARKER_KEY not in at:
            return False
        return status_of(look_up(self._bundle, at[: at.index(MARKER_KEY)])) in _UNSAID


def _unescaped(bundle: Json, said: Said) -> Said:
    """A value of a Bundle where a target has it: data of the form of a marker stands in a marker that says so."""
    if MARKER_KEY not in said.at:
        return said
    plain: list[str | int] = []
    here: Any = bundle
    at = said.at
    while at:
        if status_of(here) == "literal" and at[:1] == (MARKER_KEY,):
            if at[1:2] != ("value",):  # what it is a marker by: it stands where its value does
                return Said(tuple(plain), unescaped(here), state=said.state)
            here, at = here[MARKER_KEY]["value"], at[2:]
        plain += at[:1]
        here, at = look_up(here, at[:1]), at[1:]
    return said._replace(at=tuple(plain))


def _in_list(bundle: Json, at: At) -> At:
    """A place in a state as a position in the list that the state stands for; () where it is none of a message."""
    if at[:1] != ("states",) or len(at) < 4:
        return ()
    if at[2] == "view":
        return _state(at)
    pointer = look_up(bundle, (*at[:4], "path")) if at[2] == "delta" and at[4:5] == ("value",) else None
    return (*at[:2], *tokens_of(pointer), *at[5:]) if type(pointer) is str else ()


def _state(at: At) -> At:
    """A place in a state without the member that holds its messages: `said.Said` has their positions there."""
    return (*at[:2], *at[3:]) if at[:1] == ("states",) and len(at) > 2 and at[2] == "view" else at


# Words of the Bundle, not content: a target may say them by the form of what it writes (a role by a kind of step).
_WORDS: tuple[At, ...] = (
    ("nodes", "*", "kind"),
    ("nodes", "*", "topic"),
    ("nodes", "*", "status"),
    ("nodes", "*", "thread_id"),
    ("nodes", "*", "attempt_id"),
    ("nodes", "*", "payload", "role"),
    ("nodes", "*", "payload", "best_attempt"),
    ("nodes", "*", "payload", "content", "*", "type"),
    ("nodes", "*", "observation", "*", "type"),
    ("nodes", "*", "action", "kind"),
    ("nodes", "*", "admission", "status"),
    ("nodes", "*", "effect"),
    ("edges", "*"),
)
# Where the Bundle itself is the source: also what a reader has said in them of a document, or left unsaid. A claim that
# a target makes in one word of its own (an exit status) is a record of many members here.
_READERS_WORDS: tuple[At, ...] = (
    *_WORDS,
    ("trajectory_id",),
    ("outcomes", "*"),
    ("verifier_results", "*"),
    ("reward_records", "*"),
    ("scope", "termination"),
    ("scope", "resources", "observed", "origin"),
    ("nodes", "*", "payload", "thread_id"),
    ("nodes", "*", "actor"),
    ("nodes", "*", "authority_class"),
    ("nodes", "*", "state_before"),
    ("nodes", "*", "state_view"),
    ("nodes", "*", "state_after"),
    ("nodes", "*", "model_call", "availability"),
    ("nodes", "*", "model_call", "reason"),
    ("states", "*", "state_id"),
    ("states", "*", "kind"),
    ("states", "*", "availability"),
    ("bindings", "harnesses", "*", "id"),  # the harness that a format is of
    ("bindings", "harnesses", "*", "name"),
    ("bindings", "threads", "*"),
    ("bindings", "*", "*", "availability"),
    ("bindings", "*", "*", "reason"),
    ("bindings", "*", "*", "thread_id"),
    ("rights",),
)
_UNSAID = frozenset({"unavailable", "unknown", "not_applicable"})
