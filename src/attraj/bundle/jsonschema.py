"""The JSON Schemas (draft 2020-12) of the native documents, made from the one table of members and types.

A schema says what the shape checks say (AT101, AT102, AT108, AT109, AT110), and asks for a closed vocabulary or an
inner member only where the checks call its absence an error. It accepts members that it does not know: they are kept.
What a schema cannot say (references, the graph, rights against purposes …) only `validate` tells.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from attraj.bundle import markers
from attraj.bundle.columns import NEEDED
from attraj.bundle.shape import OBJECTS, Member
from attraj.bundle.vocabulary import AVAILABILITY_ALIASES, EVALUATION, TRAINING, USES

Schema = dict[str, Any]

DIALECT = "https://json-schema.org/draft/2020-12/schema"
ROOTS = {
    "bundle": "Agent Trajectory Bundle",
    "episode": "Agent Trajectory Episode",
    "dataset": "Agent Trajectory Dataset manifest",
}

# Vocabularies whose other words are errors, with the code that says so; any other vocabulary is given as examples.
CLOSED = {
    ("bundle", "spec_version"),  # AT104
    ("bundle", "profiles"),  # AT106
    ("completeness", "status"),  # AT901
    ("state", "availability"),  # AT401
    ("mask", "role"),  # AT825
    ("mask", "loss"),  # AT825
    ("reward_record", "timing"),  # AT624
}
RIGHTS = (True, False, "unknown")
# Aliases that are read besides (spec: bundle.md §7-13).
ALIASES = {("state", "availability"): tuple(AVAILABILITY_ALIASES)}

# Members whose absence is always an error of another check than that of the shape. The table also calls required what
# another member can stand in for (a version inside a name, AT613 and AT625).
NEEDED_BESIDES: dict[str, tuple[str, ...]] = {
    "source": ("implementation", "exporter_version"),  # AT117
    "scope": ("selection",),  # AT119
    "completeness": ("status",),  # AT901
    "receipt": ("receipt_id", "operation", "arguments", "route", "causal_id", "status", "result_ref"),  # AT506
    "external_parent": ("relation", "source_id", "availability"),  # AT306
    "mask": ("role", "loss"),  # AT825
    "outcome": ("scope", "producer", "authority_class", "status", "terminal"),  # AT601
    "verifier_result": ("verifier", "checked_property", "evidence_refs", "status", "output"),  # AT611
    "reward_record": (  # AT621, AT622
        *("policy", "sources", "scope", "attribution_target", "signal_type", "value"),
        *("producer", "created_at", "timing"),
    ),
    "rights": USES,  # AT801
    "integrity": ("status",),  # AT931
}

# RFC 3339 §5.6 as far as a pattern goes; that the day exists, `validate` checks.
TIME_PATTERN = (
    r"^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])[Tt]([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?"
    r"([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$"
)

_MARKER: Schema = {"$ref": "#/$defs/marker"}


def schema(name: str) -> Schema:
    """The JSON Schema of a Bundle, an Episode or a Dataset manifest.

    Args:
        name: "bundle", "episode" or "dataset".

    Returns:
        A new object with every kind of object that the document can hold under `$defs`.

    Raises:
        KeyError: For any other name.
    """
    title = ROOTS[name]
    inner = sorted(_reachable(name) - {name})
    return {
        "$schema": DIALECT,
        "$id": f"urn:attraj:schema:{name}:0.1",
        "title": f"{title} v0.1",
        "description": "Unknown members are allowed and kept. A `$at` marker says why a value is not here.",
        **_object(name),
        "$defs": {"marker": _marker(), **{kind: _described(kind) for kind in inner}},
    }


def needed(kind: str) -> tuple[str, ...]:
    """The members without which an object of this kind is always in error."""
    if kind in ROOTS:
        return tuple(name for name, member in OBJECTS[kind].items() if member.required)
    asked = {*NEEDED.get(kind, ()), *NEEDED_BESIDES.get(kind, ())}
    return tuple(name for name in OBJECTS[kind] if name in asked)


def allows_marker(kind: str, member: Member) -> bool:
    """Whether a `$at` marker may stand for it: never for an identifier, a collection or one of the six uses."""
    if kind == "rights":
        return member.kind != "right"
    return member.kind != "id" and not (kind == "bundle" and member.kind == "list" and member.of in OBJECTS)


def _reachable(name: str) -> set[str]:
    found = {name}
    pending = [name]
    while pending:
        for member in OBJECTS[pending.pop()].values():
            for part in member.of.split("|"):
                if part in OBJECTS and part not in found:
                    found.add(part)
                    pending.append(part)
    return found


def _described(kind: str) -> Schema:
    return {"title": kind.replace("_", " "), **_object(kind)}


def _object(kind: str) -> Schema:
    members = OBJECTS[kind]
    result: Schema = {"type": "object"}
    if required := needed(kind):
        result["required"] = list(required)
    result["properties"] = {name: _member(kind, name, member) for name, member in members.items()}
    result["additionalProperties"] = True
    return result


def _member(kind: str, name: str, member: Member) -> Schema:
    words = member.words + ALIASES.get((kind, name), ())
    is_closed = (kind, name) in CLOSED
    choices: list[Schema] = []
    if kind == "rights" and member.kind == "right":  # AT802; in a mask another word is no error
        choices.append({"enum": list(RIGHTS)})
    else:
        inner = _Inner(member.of, words if is_closed else (), has_markers=allows_marker(kind, member))
        for part in member.kind.split("|"):
            choices.extend(c for c in _choices(part, inner) if c not in choices)
    if choices and allows_marker(kind, member):
        choices.append(_MARKER)
    result: Schema = {"description": _says(member)}
    if len(choices) == 1:
        result.update(choices[0])
    elif choices:
        result["anyOf"] = choices
    if member.kind == "right" and kind != "rights":
        result["examples"] = list(RIGHTS)
    if words and not is_closed:
        result["examples"] = [[word] for word in words] if member.kind == "list" else list(words)
    return result


def _says(member: Member) -> str:
    if member.required in (EVALUATION, TRAINING):
        return f"{member.says} (asked for by {member.required})"
    return member.says


class _Inner(NamedTuple):
    """What a value holds: kinds of object or value, closed vocabulary, whether markers may stand among its elements."""

    of: str
    words: tuple[str, ...] = ()
    has_markers: bool = True


def _choices(part: str, inner: _Inner) -> list[Schema]:
    """The forms of one kind of value; [] when anything goes."""
    if part == "any":
        return []
    if part == "object":
        described = next((kind for kind in inner.of.split("|") if kind in OBJECTS), "")
        return [{"$ref": f"#/$defs/{described}"} if described else {"type": "object"}]
    if part == "list":
        return [{"type": "array", "items": _element(inner)} if inner.of else {"type": "array"}]
    if part == "texts":
        return [{"type": "string"}, {"type": "array", "items": _element(inner)}]
    if part == "word" and inner.words:
        return [{"enum": list(inner.words)}]
    return [_SCALARS[part]]


def _element(inner: _Inner) -> Schema:
    choices: list[Schema] = []
    for part in (inner.of or "text").split("|"):
        choices.extend([{"$ref": f"#/$defs/{part}"}] if part in OBJECTS else _choices(part, inner._replace(of="")))
    if inner.has_markers:
        choices.append(_MARKER)
    return choices[0] if len(choices) == 1 else {"anyOf": choices}


_SCALARS: dict[str, Schema] = {
    "id": {"type": "string", "minLength": 1},
    "text": {"type": "string"},
    "word": {"type": "string"},
    "time": {"type": "string", "format": "date-time", "pattern": TIME_PATTERN},
    "int": {"type": "integer"},
    "number": {"type": "number"},
    "bool": {"type": "boolean"},
    "right": {"type": ["boolean", "string"]},
}


def _marker() -> Schema:
    """Spec: bundle.md §4.5."""
    return {
        "title": "marker",
        "description": "stands for a value that is not here, and says why",
        "type": "object",
        "required": [markers.MARKER_KEY],
        "maxProperties": 1,
        "properties": {
            markers.MARKER_KEY: {
                "type": "object",
                "required": ["status"],
                "properties": {
                    "status": {"enum": sorted(markers.STATUSES)},
                    "class": {"type": "string", "examples": sorted(markers.CLASSES)},
                    "reason": {"type": "string"},
                    "was": {"type": "string", "examples": sorted(markers.WAS)},
                    "alias": {"type": "string"},
                },
            }
        },
    }
