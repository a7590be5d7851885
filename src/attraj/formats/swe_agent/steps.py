"""What each step holds, alone: its texts, its state, the model input that its version writes."""

from __future__ import annotations

from typing import Any

from attraj.formats.found import Found
from attraj.formats.swe_agent.codes import (
    BAD_STEP_TEXT,
    MISSING_QUERY,
    MISSING_STATE,
    NO_STEP_LIST,
    NO_STEPS,
    NULL_OBSERVATION,
    STATE_AS_TEXT,
    STATE_NOT_JSON,
)
from attraj.formats.swe_agent.config import decoded_json
from attraj.formats.swe_agent.members import check_members, check_number, name_of
from attraj.formats.swe_agent.shape import ALIAS, STEP_TEXTS, V11
from attraj.formats.swe_agent.unit import Unit
from attraj.formats.swe_agent.values import Json

_EARLIER = "0.x took the state before the action, 1.x takes it after it"


def check_steps(found: Found, unit: Unit) -> None:
    """Every step of one trajectory, without looking at the history."""
    if unit.has_steps and not unit.steps and "trajectory" not in unit.open:
        message = "the trajectory has no steps: the run ended before the model proposed anything"
        found.add(NO_STEPS, f"{unit.at}/trajectory", message)
    for index, step in enumerate(unit.steps):
        if type(step) is dict:
            _check_step(found, unit, index, step)
        else:
            found.add(NO_STEP_LIST, unit.step(index), f"a step is an object, not {name_of(step)}")


def _check_step(found: Found, unit: Unit, index: int, step: Json) -> None:
    at = unit.step(index)
    check_members(found, "step", step, at)
    missing = [name for name in STEP_TEXTS if name not in step]
    if missing:
        names = ", ".join(f"`{name}`" for name in missing)
        hint = 'every version writes action, observation, response and thought; what is not known stays ""'
        found.add(BAD_STEP_TEXT, at, f"a step has no {names}", hint)
    if "observation" in step and step["observation"] is None:
        found.tally(
            NULL_OBSERVATION.code,
            NULL_OBSERVATION,
            f"{at}/observation",
            "the observation is null: nothing was observed",
        )
    _check_state(found, unit, step, at)
    if (
        unit.version.at == V11
        and _is_version_sure(unit)
        and not ("query" in step or "messages" in step or ALIAS in step)
    ):
        message = "steps have no `query`, which SWE-agent 1.1 writes: what the model was shown is not recorded"
        found.tally(
            MISSING_QUERY.code,
            MISSING_QUERY,
            at,
            message,
            "leave the member in: it cannot be made from the history exactly",
        )
    if "execution_time" in step:
        message = "a command cannot take less than no time"
        check_number(found, step["execution_time"], f"{at}/execution_time", message)


def _is_version_sure(unit: Unit) -> bool:
    """Whether steps after a cut can make no other version of the file."""
    return unit.version.is_stated or "trajectory" not in unit.open


def _check_state(found: Found, unit: Unit, step: Json, at: str) -> None:
    if "state" not in step:
        message = "steps have no `state`: where the agent stood is not recorded"
        found.tally(MISSING_STATE.code, MISSING_STATE, at, message, "a state that was not taken is {} in 1.x")
        return
    state: Any = step["state"]
    if type(state) is not str:
        return
    place = f"{at}/state"
    if type(decoded_json(state.strip())) is not dict:
        message = "the state is text, and no JSON object: it is kept as it stands"
        found.tally(
            STATE_NOT_JSON.code,
            STATE_NOT_JSON,
            place,
            message,
            "write the state as the JSON text of an object, or as an object",
        )
    elif unit.version.is_new and _is_version_sure(unit):
        message = "the state is a JSON text, as in 0.x, in a file of 1.x: when it was taken is uncertain"
        found.tally(STATE_AS_TEXT.code, STATE_AS_TEXT, place, message, f"write the object itself; {_EARLIER}")
