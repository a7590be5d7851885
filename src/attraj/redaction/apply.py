"""Changes to texts: every changed string token is patched in place, everything else keeps its bytes."""

from __future__ import annotations

from collections.abc import Sequence

from attraj.bundle.checks.withheld import CONTENT
from attraj.bundle.markers import MARKER_KEY
from attraj.jsonio.write import dumps
from attraj.pointer import join, resolve
from attraj.redaction.changes import Change, Plan, replaced
from attraj.redaction.fields import CLASSES
from attraj.redaction.leaves import Keys
from attraj.redaction.policy import Policy
from attraj.redaction.source import Part, Source
from attraj.redaction.tokens import Patch, Range, inside, patched, ranges
from attraj.secrets.spans import PERSONAL_TYPES

# Besides CONTENT: parts of a model call that are what the source had.
_FREE = frozenset({"decoding", "usage", "request_artifact"})
_RECORDS = frozenset({"nodes", "states", "outcomes", "verifier_results", "reward_records"})
_CREDENTIALS = frozenset(
    {"API_TOKEN", "ACCESS_KEY_ID", "PASSWORD", "COOKIE", "AUTH_HEADER", "JWT", "PRIVATE_KEY", "WEBHOOK_URL", "OTP_SEED"}
)


def apply(sources: Sequence[Source], made: Plan, policy: Policy) -> list[str]:
    """The text of each file after the changes; the very same text where nothing changes."""
    return [_applied(source, number, made, policy) for number, source in enumerate(sources)]


def _applied(source: Source, number: int, made: Plan, policy: Policy) -> str:
    if not source.parts:
        changes = made.changes.get((number, 0), [])
        return replaced(source.text, changes[0].stretches) if changes else source.text
    patches: list[Patch] = []
    for position, part in enumerate(source.parts):
        changes = made.changes.get((number, position), [])
        if changes:
            patches += _patches(source.text, part, changes, policy)
    return patched(source.text, patches) if patches else source.text


def _patches(text: str, part: Part, changes: Sequence[Change], policy: Policy) -> list[Patch]:
    start = part.start + text.startswith("\ufeff", part.start)
    places = ranges(text, {(c.keys, c.is_key) for c in changes}, start, has_repeated=part.has_repeated)
    marked = marked_places(changes) if part.is_bundle else frozenset()
    patches: list[Patch] = []
    for change in changes:
        place = places[change.keys, change.is_key]
        patches += _patch(text, place, change, marked, policy)
    return patches


def _patch(text: str, place: Range, change: Change, marked: frozenset[Keys], policy: Policy) -> list[Patch]:
    if not change.is_key and change.keys in marked:
        return [Patch(place.start, place.end, dumps(marker(change, policy)).decode())]
    if change.is_number:
        return [Patch(place.start, place.end, f'"{change.stretches[0].new}"')]
    return inside(text, place, [(s.start, s.end, s.new) for s in change.stretches])


# --- Bundles -------------------------------------------------------------------------------------------------------


def marked_places(changes: Sequence[Change]) -> frozenset[Keys]:
    """Where in a Bundle a marker takes the place of a value: whole values of content, and numbers.

    An identifier stays a text wherever it stands, so that what refers to it still does.
    """
    structural = {
        change.stretches[0].new
        for change in changes
        if change.is_whole and not change.is_key and not change.word and not takes_marker(change.keys)
    }
    return frozenset(
        change.keys
        for change in changes
        if change.is_whole
        and not change.is_key
        and change.stretches[0].kind != "TIME"
        and (change.is_number or change.word or takes_marker(change.keys))
        and (change.word or change.is_number or whole_placeholder(change) not in structural)
    )


def takes_marker(keys: Keys) -> bool:
    """Whether a place of a Bundle is content, where any value may be marked as withheld (bundle.md §4.5).

    What a marker says of itself is none: there is no marker inside a marker.
    """
    if len(keys) <= 2 or keys[0] not in _RECORDS or MARKER_KEY in keys:
        return False
    return any(key in CONTENT or key in _FREE for key in keys[2:])


def whole_placeholder(change: Change) -> str:
    """The placeholder of a text that goes whole."""
    return next(stretch.new for stretch in change.stretches if stretch.new)


def marker(change: Change, policy: Policy) -> dict[str, object]:
    """What stands in the place of a whole value."""
    body = {"status": "redacted", "class": class_of(change), "reason": reason(policy)}
    return {MARKER_KEY: {**body, "alias": whole_placeholder(change)}}


def class_of(change: Change) -> str:
    """The class of what was taken, in the words of a marker."""
    if change.word:
        return CLASSES[change.word]
    kinds = {stretch.kind for stretch in change.stretches}
    if kinds & _CREDENTIALS:
        return "credential"
    if kinds <= set(PERSONAL_TYPES):
        return "personal_data"
    return "user_content" if kinds == {"IMAGE"} else "secret"


def reason(policy: Policy) -> str:
    """Why something is withheld."""
    return f"redaction policy {policy.id} {policy.version}"


def with_members(text: str, part: Part, members: dict[Keys, object]) -> str:
    """The text with other values for some members of the document; a member of the top level may be new."""
    tree = part.tree
    changed = {keys: value for keys, value in members.items() if not _is_there(tree, keys, value)}
    start = part.start + text.startswith("\ufeff", part.start)
    places = ranges(text, [((), False), *((keys, False) for keys in changed)], start)
    whole = places[(), False]
    is_indented = "\n" in text[whole.start : whole.start + 3]
    patches, added = [], []
    for keys, value in changed.items():
        made = _written(value, len(keys) if is_indented else 0)
        place = places.get((keys, False))
        if place is not None:
            patches.append(Patch(place.start, place.end, made))
        else:
            added.append(f"{_written(keys[-1], 0)}: {made}")
    if added:
        end = whole.end - 1
        while text[end - 1] in " \t\r\n":
            end -= 1
        lead = ",\n  " if is_indented else ", "
        patches.append(Patch(end, end, "".join(lead + each for each in added)))
    return patched(text, patches)


def _is_there(tree: object, keys: Keys, value: object) -> bool:
    try:
        return bool(resolve(tree, join(*keys)) == value)
    except LookupError:
        return False


def _written(value: object, level: int) -> str:
    if not level:
        return dumps(value).decode()
    return dumps(value, indent=True).decode().replace("\n", "\n" + "  " * level)
