"""What this package writes into `extra.attraj` because ATIF has no member for it, as the facts that it stands for.

A run that comes through ATIF keeps with these how it ended, what it cost, what it handed in, and what was admitted.
What names records of the Bundle that was written stays beside the core: nothing here has those names. So do rights:
that somebody may use a run is not told by a member that anybody may have added. The tables are relative to the object
`extra.attraj`, or to the one record in it. Spec: traj.md §7.3, §7.5; DESIGN.md §2, law 4.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attraj.bundle.vocabulary import REFUSALS
from attraj.formats.mapping.fields import At, Field, Json, Place, look_up
from attraj.formats.mapping.holds import is_any, is_flag, is_number, is_object, is_text, is_time
from attraj.jsonio import MISSING


def is_refusal(value: Any) -> bool:
    """An admission that was not given: what it is about is no call."""
    status = value.get("status") if type(value) is dict else None
    return type(status) is str and status in REFUSALS


def _is_admission(value: Any) -> bool:
    return type(value) is dict and type(value.get("status")) is str and not is_refusal(value)


def _is_command(value: Any) -> bool:
    return type(value) is str and value == "shell_command"


def _is_scope(value: Any) -> bool:
    return type(value) is str or (type(value) is list and all(type(one) is str for one in value))


def _is_boundary(value: Any) -> bool:
    return type(value) in (str, dict)


def _payload(*names: str) -> tuple[Field, ...]:
    return tuple(Field((name,), ("payload", name), is_any) for name in names)


def _same(*names: str) -> tuple[Field, ...]:
    return tuple(Field((name,), (name,), is_any) for name in names)


_STATUS = Field(("status",), ("status",), is_text)
_TIME = Field(("timestamp",), ("timestamp",), is_time)
_DEMO = Field(("is_demo",), ("payload", "is_demo"), is_flag, "shown as an example, no experience of this run")
_TRAINING = Field(("training",), ("training",), is_object, "why the step is no target")
_THOUGHT = Field(("thought",), ("payload", "thought"), is_text, "as the source parsed it from the message")
_SAMPLES = Field(("extra_info",), ("payload", "extra_info"), is_object, "candidates that a sampler compared")
_INTERRUPT = Field(("interrupt",), ("payload", "interrupt"), is_text, "what broke into the loop")
_ADMISSION = Field(("admission",), ("admission",), _is_admission, "whether it was admitted, and by whom")
_PROPOSED = ("kind", "name", "call_id")
_REASON = Field(("reason",), ("reason",), is_text)
_SCOPE = Field(("scope",), ("scope",), _is_scope)

# What a record has to say, and does not where the one that was written had withheld it: each a place of its own, so
# that what stands there instead is no word of the document.
OPTIONAL: Mapping[str, tuple[str, ...]] = {
    "outcome": ("asserted_at",),
    "verifier result": ("verifier_version", "environment", "output"),
    "reward record": ("policy_version", "created_at"),
}
_COLLECTIONS = {"outcome": "outcomes", "verifier result": "verifier_results", "reward record": "reward_records"}
_HOLDS = {"asserted_at": _is_boundary, "verifier_version": is_text, "policy_version": is_text, "created_at": is_time}
_WHERE_STATED = tuple(
    Place(f"{place}: {name}", _COLLECTIONS[place], (Field((name,), (name,), _HOLDS.get(name, is_any)),))
    for place, names in OPTIONAL.items()
    for name in names
)

KEPT_PLACES = (
    Place("kept of an input", fields=(_STATUS, _DEMO, _INTERRUPT)),
    Place("kept of a decision", fields=(_STATUS, _DEMO, _THOUGHT, _SAMPLES, _INTERRUPT)),
    Place("training", fields=(_TRAINING,)),
    Place("admission", fields=(_ADMISSION,)),
    Place(
        "kept of a step beside the turns",
        fields=(
            *(_STATUS, _DEMO, _THOUGHT, _SAMPLES, _INTERRUPT),
            *_payload("action", "observation", "duration_s", "submission", "traceback", "usage"),
        ),
    ),
    Place(
        "kept of a call",
        fields=(
            *(_TIME, _STATUS),
            Field(("value",), ("action", "value"), is_any, "the command, where the arguments do not say it"),
        ),
    ),
    Place(
        "kept of a command",
        fields=(_TIME, _STATUS, Field(("kind",), ("action", "kind"), _is_command, "a command of no named tool")),
    ),
    Place(
        "kept of an effect",
        fields=(
            Field(("effect", "duration_s"), ("payload", "duration_s"), is_number),
            Field(("effect", "exit_code"), ("payload", "exit_code"), is_number),
            Field(("ran",), ("effect", "request"), is_any, "what ran"),
        ),
    ),
    Place("kept of a result", fields=(_TIME, _STATUS, *_payload("returncode", "raw_output", "exception_info"))),
    Place(
        "proposal",
        fields=(
            Field(("admission",), ("admission",), is_refusal, "who refused it, and why"),
            *(Field(("proposed_action", name), ("action", name), is_text) for name in _PROPOSED),
            *(Field(("proposed_action", name), ("action", name), is_any) for name in ("arguments", "value")),
        ),
    ),
    Place(
        "outcome", "outcomes", (_SCOPE, *_same("producer", "authority_class", "status", "terminal", "value"), _REASON)
    ),
    Place(
        "verifier result",
        "verifier_results",
        (_SCOPE, *_same("verifier", "checked_property", "status"), _REASON),
    ),
    Place(
        "reward record",
        "reward_records",
        (
            *(_SCOPE, *_same("policy", "attribution_target", "signal_type", "value", "producer", "timing")),
            *(*_same("signal_shape", "labels"), Field(("aggregation",), ("aggregation",), is_text), _REASON),
        ),
    ),
    *_WHERE_STATED,
    Place(
        "record",
        fields=(Field(("payload",), ("payload",), is_object), Field(("topic",), ("topic",), is_text)),
    ),
    Place(
        "run",
        "",
        (
            Field(("termination", "status"), ("scope", "termination", "status"), is_text, "how it ended"),
            Field(("termination", "reason"), ("scope", "termination", "reason"), is_text),
            Field(("budget",), ("scope", "resources", "budget"), is_object, "what it was allowed"),
        ),
    ),
    Place(
        "binding",
        "",
        (
            *(Field((name,), (name,), is_text) for name in ("id", "name", "version", "availability", "reason")),
            *_same("digest", "revision", "repository", "base_commit"),
        ),
    ),
    Place("decoding", "", (Field(("decoding",), ("decoding",), is_object, "parameters of the model's calls"),)),
)
_BY_NAME = {place.name: place for place in KEPT_PLACES}


def own_of(source: Any) -> Json:
    """What this package wrote of an object of a document; {} for nothing."""
    extra = source.get("extra") if type(source) is dict else None
    own = extra.get("attraj") if type(extra) is dict else None
    return own if type(own) is dict else {}


def says(place: str, own: Any) -> bool:
    """Whether an object holds anything that a place of this table takes."""
    if type(own) is not dict or not own:
        return False
    values = ((one, look_up(own, one.source)) for one in _BY_NAME[place].fields)
    return any(value is not MISSING and one.holds(value) for one, value in values)


def at_own(at: At) -> At:
    """Where `own_of` an object at this place stands."""
    return (*at, "extra", "attraj")
