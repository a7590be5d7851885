"""AT825, AT826, AT827: what a mask entry of a Bundle and a field of an Episode have in common (§12.2).

Presence, visibility to the model, permission and loss are four declarations; none follows from another.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from attraj.bundle.checks.check import Json, error
from attraj.bundle.checks.rights import is_right
from attraj.bundle.markers import MARKER_KEY, is_marker, status_of
from attraj.bundle.model import Bundle
from attraj.bundle.vocabulary import MASK_AVAILABILITIES, MASK_LOSSES, MASK_ROLES, TRAINING
from attraj.findings import Finding, Stratum
from attraj.pointer import join, split

AT825 = error("AT825", "bad-mask-entry", Stratum.PROFILES, TRAINING)
AT826 = error("AT826", "loss-without-permission", Stratum.PROFILES, TRAINING)
AT827 = error("AT827", "loss-on-other-role", Stratum.PROFILES, TRAINING)

WORDS = {"role": MASK_ROLES, "loss": MASK_LOSSES, "availability": MASK_AVAILABILITIES}
TARGET, INCLUDED = "supervised_target", "included"
STATE_MEMBERS = ("state_view", "state_before", "state_after")


def entry_faults(entry: Json, at: str, needs: Sequence[str]) -> Iterator[Finding]:
    """AT825: words outside of the vocabulary, and members that an entry cannot do without.

    Args:
        entry: The mask entry or field; wrong types are reported by the shape check.
        at: Pointer of the entry.
        needs: Members that must be there.
    """
    for name in needs:
        if name not in entry:
            yield AT825.at(at, f"`{name}` is missing", hint="what no entry covers is excluded from loss")
    for name, words in WORDS.items():
        if _is_outside(entry.get(name), words):
            yield AT825.at(at + join(name), f"`{name}` is not in the vocabulary", hint="write " + " or ".join(words))
    for name in ("visible", "permitted"):
        value = entry.get(name)
        if (type(value) is str or is_marker(value)) and not is_right(value):
            yield AT825.at(at + join(name), f'`{name}` is true, false or "unknown", and nothing else')


def takes_loss(entry: Json) -> bool:
    """Whether an entry takes loss on a supervised target, so that what it is about has to be looked at."""
    return entry.get("loss") == INCLUDED and entry.get("role") == TARGET


def role_faults(entry: Json, at: str) -> Iterator[Finding]:
    """AT827: loss is taken on the target alone. A role outside of the vocabulary is AT825."""
    role = entry.get("role")
    if entry.get("loss") == INCLUDED and role != TARGET and type(role) is str and role in MASK_ROLES:
        yield AT827.at(
            at + join("loss"),
            "loss is taken on a part that is no supervised target",
            hint="exclude it, or give it the role supervised_target",
        )


def loss_faults(entry: Json, at: str, *, is_whole: bool, needs_permission: bool) -> Iterator[Finding]:
    """AT826: an entry that takes loss on its target does so only where that is here and permitted.

    Args:
        entry: The mask entry or field, of which `takes_loss` holds.
        at: Pointer of the entry.
        is_whole: No marker stands in what it is about.
        needs_permission: `permitted` must be there (a field of the reference form has none: its Episode has rights).
    """
    reasons = []
    availability = entry.get("availability")
    if "availability" not in entry or (availability in MASK_AVAILABILITIES and availability != INCLUDED):
        reasons.append("not stated to be here")
    permitted = entry.get("permitted", not needs_permission)
    if permitted is False or permitted == "unknown":
        reasons.append("not permitted for training")
    if not is_whole:
        reasons.append("withheld or not known in part")
    if reasons:
        yield AT826.at(
            at + join("loss"),
            f"loss is taken on content that is {' and '.join(reasons)}",
            hint="exclude it; unknown is not permission, and a marker is no content to train on",
        )


def part_at(bundle: Bundle, node: Json, path: str) -> tuple[bool, Any]:
    """What the path of a mask entry leads to; from a state member it leads on into the state that it names.

    Returns:
        Whether something is there, and what. Inside of a marker that is the marker.
    """
    value: Any = node
    if path and path[0] != "/":
        return False, None
    for depth, token in enumerate(split(path)):
        if is_marker(value) and status_of(value) != "literal":
            break
        if type(value) is dict and token in value:
            value = value[token]
        elif type(value) is list and _is_index(token, len(value)):
            value = value[int(token)]
        else:
            return False, None
        if depth == 0 and token in STATE_MEMBERS and type(value) is str:
            position = bundle.index.state_positions.get(value)
            value = value if position is None else bundle.items("states")[position]
    return True, value


def has_marker(value: Any) -> bool:
    """Whether a value is or holds a marker of content that is not here. Iterative."""
    pending = [value]
    while pending:
        each = pending.pop()
        if is_marker(each):
            if status_of(each) != "literal":
                return True
            escaped = each[MARKER_KEY].get("value")  # source data that only looks like a marker
            pending.append(escaped[MARKER_KEY] if is_marker(escaped) else escaped)
        elif type(each) is dict:
            pending += each.values()
        elif type(each) is list:
            pending += each
    return False


def _is_index(token: str, length: int) -> bool:
    # RFC 6901 §4: no leading zeros; a token of many digits is no position either.
    is_number = len(token) < 10 and token.isascii() and token.isdecimal() and (token[0] != "0" or token == "0")
    return is_number and int(token) < length


def _is_outside(value: Any, words: Sequence[str]) -> bool:
    """Whether a member that is there holds no word of the vocabulary (another JSON type is AT109)."""
    return is_marker(value) or (type(value) is str and value not in words)
