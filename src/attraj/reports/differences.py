"""Two documents drawn side by side for a person: what differs, step by step, then outside of the steps, then counted.

Content stands behind the gutter, as in `attraj show`: "-" before it is A's, "+" is B's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from textwrap import wrap

from attraj.bundle.markers import CLASSES, MARKER_KEY, STATUSES, status_of
from attraj.bundle.vocabulary import NODE_KINDS
from attraj.formats.story import as_text
from attraj.pointer import shown
from attraj.reports.escaping import document_name, escaped
from attraj.reports.labels import ROLES, label
from attraj.reports.layout import View, block, inline
from attraj.reports.text import counted
from attraj.reports.texts import hunks
from attraj.verbs.comparing.changes import TOPICS, Change, Kind, Pair, ThreadPair, alone
from attraj.verbs.comparing.said import Said
from attraj.verbs.comparing.sides import Side
from attraj.verbs.comparing.steps import Step
from attraj.verbs.diff import Difference

_BOLD, _DIM = "1", "2"
_COLOURS = {"-": "31", "+": "32"}
_WARNING = "Shown as recorded and unredacted: it may hold secrets, personal data, and instructions to whoever reads it."
_KINDS: dict[Kind, str] = {"different": "different", "only_a": "in A alone", "only_b": "in B alone"}
_EMPTY = "[empty]"
_TOLD = ("messages", "reasoning", "calls", "results")  # what is told of a step that stands alone
_SHORT = 60  # characters of a value that stands in a line of ours
_LISTED = 12  # values that only one of them has, of one step, unless everything is asked for
_OFTEN = 3  # values of a topic that one of them never speaks of, from which they are counted and not repeated


def drawn(found: Difference, view: View, *, is_brief: bool = False) -> Iterator[str]:
    """The lines of a whole comparison; `is_brief` leaves it at the two names and the account."""
    yield from _head(found, view, is_brief)
    quiet = {} if view.is_full or is_brief else _silences(found)
    if quiet:
        yield ""
        yield from _told_once(quiet, view)
    if not is_brief:
        for thread in found.threads:
            yield from _thread(found, thread, set(quiet), view)
        yield from _facts(found, view)
    yield ""
    yield from account(found, view)


# --- the head and the account ------------------------------------------------------------------------------------


def _head(found: Difference, view: View, is_brief: bool) -> Iterator[str]:
    for letter, side in (("A", found.a), ("B", found.b)):
        facts = side.facts
        name = document_name(side.path, side.index)
        version = f" {facts.version}" if facts.version else ""
        yield f"{letter}  {view.paint(name, _BOLD)} ({facts.format}{version})"
        for remark in side.remarks:
            yield from wrap(remark, max(view.width, 40), initial_indent="   note: ", subsequent_indent="         ")
    if not is_brief and not found.is_equal:
        yield from wrap(_WARNING, max(view.width, 40))


def account(found: Difference, view: View) -> Iterator[str]:
    """How many turns and values differ, by what they are about. Not every turn is a step that has a number."""
    pairs = list(found.pairs())
    both = counted(sum(pair.is_in_both for pair in pairs), "turn")
    if found.is_equal:
        yield f"A and B say the same: {both}."
        return
    parts = [f"{both} in both, {sum(pair.is_same for pair in pairs):,} of them the same"]
    for letter, number in (("A", sum(p.b is None for p in pairs)), ("B", sum(p.a is None for p in pairs))):
        if number:
            parts.append(f"{number:,} in {letter} alone")
    yield from wrap("; ".join(parts), max(view.width, 40))
    counts = Counter((change.topic, change.kind) for change in found.changes())
    for topic, words in TOPICS.items():
        told = [f"{counts[topic, kind]:,} {said}" for kind, said in _KINDS.items() if counts[topic, kind]]
        if told:
            yield f"  {words:<36} {', '.join(told)}"


def _silences(found: Difference) -> dict[tuple[str, str], int]:
    """What one of them never speaks of in any step, and the other does throughout → how often."""
    pairs = list(found.pairs())
    told_a = {said.topic for pair in pairs if pair.a for said in pair.a.says.values() if said.is_told}
    told_b = {said.topic for pair in pairs if pair.b for said in pair.b.says.values() if said.is_told}
    counts = Counter((change.topic, change.kind) for pair in pairs for change in pair.changes)
    return {
        (topic, kind): number
        for (topic, kind), number in counts.items()
        if number >= _OFTEN and topic not in _TOLD
        if (kind == "only_a" and topic not in told_b) or (kind == "only_b" and topic not in told_a)
    }


def _told_once(quiet: dict[tuple[str, str], int], view: View) -> Iterator[str]:
    for letter, kind in (("A", "only_a"), ("B", "only_b")):
        told = [f"{TOPICS[topic]} ({number:,})" for (topic, side), number in quiet.items() if side == kind]
        if told:
            text = f"Of the steps, {letter} alone says (--full shows it): {'; '.join(told)}"
            yield from wrap(text, max(view.width, 40), subsequent_indent="  ")


# --- steps -------------------------------------------------------------------------------------------------------


def _thread(found: Difference, thread: ThreadPair, quiet: set[tuple[str, str]], view: View) -> Iterator[str]:
    story = thread.a or thread.b
    is_main = story is None or story.name == ""
    for pair in thread.pairs:
        changes = [change for change in pair.changes if (change.topic, change.kind) not in quiet]
        if pair.is_in_both and not changes:
            continue
        yield ""
        yield _title(found, pair, view, is_main)
        if pair.a is None or pair.b is None:
            yield from _alone(pair, view)
        else:
            yield from _changes(found, changes, view)


def _title(found: Difference, pair: Pair, view: View, is_main: bool) -> str:
    a = _number(found.a, pair.a)
    b = _number(found.b, pair.b)
    if pair.a is None:
        title = f"{b}, in B alone"
    elif pair.b is None:
        title = f"{a}, in A alone"
    else:
        title = a if a == b else f"{a} in A, {b[0].lower()}{b[1:]} in B"
    step = pair.a or pair.b
    words = [step.kind] if step is not None and step.kind in NODE_KINDS else []
    words += [step.role] if step is not None and step.role in ROLES else []
    words += [] if is_main else ["of another thread"]
    return f"{view.paint(title, _BOLD)}  {', '.join(words)}".rstrip()


def _number(side: Side, step: Step | None) -> str:
    if step is None:
        return ""
    if step.number:
        return f"Step {step.number}"
    return f"At {shown(step.pointer, side.tree)}" if step.pointer else "A step without a place"


def _alone(pair: Pair, view: View) -> Iterator[str]:
    """What a step says that the other document does not have; where it says and asks for nothing, what it has else."""
    step, sign = (pair.a, "-") if pair.a is not None else (pair.b, "+")
    if step is None:
        return
    changes = alone(step, is_a=sign == "-")
    spoken = changes if view.is_full else [change for change in changes if change.topic in _TOLD]
    if step.missing:
        yield _painted(f"{sign} its message was not kept ({step.missing})", sign, view)
    for change in spoken or ([] if step.missing else changes[:_LISTED]):
        said = change.a or change.b
        if said is not None:
            yield from _one_sided(label(change.name, change.topic, view), said, sign, view)
    if not changes and not step.missing:
        yield _painted(f"{sign} nothing more is recorded of it", sign, view)


def _changes(found: Difference, changes: Iterable[Change], view: View) -> Iterator[str]:
    listed = list(changes)
    for change in listed:
        if change.a is not None and change.b is not None:
            yield from _different(_label(found, change, view), change.a, change.b, view)
    for sign, letter, kind in (("-", "A", "only_a"), ("+", "B", "only_b")):
        alone = [change for change in listed if change.kind == kind]
        if not alone:
            continue
        yield f"  in {letter} alone:"
        kept = alone if view.is_full else alone[:_LISTED]
        for change in kept:
            said = change.a or change.b
            if said is not None:
                yield from _one_sided(_label(found, change, view), said, sign, view)
        if len(alone) > len(kept):
            yield f"  {view.more} and {len(alone) - len(kept):,} more (--full shows them)"


def _facts(found: Difference, view: View) -> Iterator[str]:
    for topic, words in TOPICS.items():
        changes = [change for change in found.facts if change.topic == topic]
        if changes:
            yield ""
            yield view.paint(f"Outside of the steps: {words}", _BOLD)
            yield from _changes(found, changes, view)


# --- values ------------------------------------------------------------------------------------------------------


def _label(found: Difference, change: Change, view: View) -> str:
    if change.name.path[:1] == ("source",) and change.topic == "members":
        side, said = (found.a, change.a) if change.a is not None else (found.b, change.b)
        return escaped(side.shown(said.where)) if said is not None else ""
    return label(change.name, change.topic, view)


def _different(name: str, a: Said, b: Said, view: View) -> Iterator[str]:
    mine, theirs = _text(a.value), _text(b.value)
    if mine == theirs:  # a text and another value that is written the same
        mine, theirs = f"{mine} ({_kind_of(a.value)})", f"{theirs} ({_kind_of(b.value)})"
    line = f"  {name}: {_inline(a, mine, view)} in A, {_inline(b, theirs, view)} in B"
    if _is_word(mine) and _is_word(theirs) and len(line) <= view.width:
        yield line
        return
    yield f"  {name}:"
    for sign, text in hunks(mine, theirs, view):
        yield from _block(text, sign, view)


def _one_sided(name: str, said: Said, sign: str, view: View) -> Iterator[str]:
    text = _text(said.value)
    if _is_short(text):
        yield _painted(f"{sign} {name}: {_inline(said, text, view)}", sign, view)
        return
    yield _painted(f"{sign} {name}:", sign, view)
    yield from _block(text, sign, view)


def _block(text: str, sign: str, view: View) -> Iterator[str]:
    lines = block(text, view, sign) if text else iter([f"{sign} {_EMPTY}"])
    return (_painted(line, sign, view) for line in lines)


def _painted(line: str, sign: str, view: View) -> str:
    return view.paint(line, _COLOURS[sign]) if view.colour and sign in _COLOURS else line


def _is_short(text: str) -> bool:
    return len(text) <= _SHORT and "\n" not in text


def _is_word(text: str) -> bool:
    """Whether a text can stand between words of ours and still be told from them."""
    return 0 < len(text) <= _SHORT and " " not in text and "\n" not in text


def _inline(said: Said, text: str, view: View) -> str:
    if said.topic == "links" or status_of(said.value) is not None:
        return text  # in our own words
    return inline(text, view) if text else _EMPTY


def _text(value: object) -> str:
    status = status_of(value)
    if status is None:
        return as_text(value)
    body = value[MARKER_KEY] if type(value) is dict else {}
    kind = body.get("class")
    word = status if status in STATUSES else "withheld"
    return f"[{word}: {kind}]" if type(kind) is str and kind in CLASSES else f"[{word}]"


def _kind_of(value: object) -> str:
    names = {str: "text", bool: "boolean", int: "number", float: "number", list: "array", dict: "object"}
    return names.get(type(value), "null")
