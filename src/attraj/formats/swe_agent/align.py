"""What was tried beside what the model remembers: each step of `trajectory` with its message in `history`.

Rejected proposals are only in `trajectory`; demonstrations, tool calls and thinking only in `history`. Conversion and
`show` need both, so that the match is made once, here. Spec: traj.md §1.5, §1.6.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from attraj.formats.swe_agent.config import NO_CONFIG, Config
from attraj.formats.swe_agent.shape import PSEUDO_COMMANDS
from attraj.formats.swe_agent.values import Json, content_text, items, text

_LOOK_AHEAD = 3  # messages; hand-edited demonstrations lack one here and there
EXIT_WORDS = ("Exit due to", "Exiting due to")
_AGENTS = ("main", "primary", "")  # other names are summarizers and the like


class StepKind(Enum):
    """What a step is."""

    TURN = "turn"  # proposed, run, remembered; reason "exit_command" for the agent's own exit
    REJECTED = "rejected"  # proposed, not run; reason "format", "blocklist", "bash_syntax" or "" (not known)
    NOT_IN_HISTORY = "executed_not_in_history"  # run, not remembered; reason "retry_with_output" or ""
    SYNTHETIC_EXIT = "synthetic_exit"  # made up by the loop, no model output; reason "pseudo_command" in 0.x
    NO_HISTORY = "no_history"  # the file has no history to tell by
    NOT_A_STEP = "not_a_step"  # no object


@dataclass(frozen=True, slots=True)
class AlignedStep:
    """One step and what belongs to it.

    Attributes:
        index: Position in `trajectory`.
        kind, reason: What it is; see `StepKind`.
        item: Position in `history` of the agent's message; None when there is none.
        answer: Position in `history` of the message that answers it (tool, user); None when there is none.
        error: Position in the next step's `query` of the message that says why it was rejected, or that carries the
            output of a retry; None when there is none.
    """

    index: int
    kind: StepKind
    reason: str = ""
    item: int | None = None
    answer: int | None = None
    error: int | None = None


@dataclass(frozen=True, slots=True)
class Alignment:
    """All steps of one trajectory.

    Attributes:
        steps: One for each element of `trajectory`, in its order.
        assistants: Positions in `history` of the agent's own messages, demonstrations left out.
        unmatched: Those of them that no step matches.
    """

    steps: tuple[AlignedStep, ...] = ()
    assistants: tuple[int, ...] = ()
    unmatched: tuple[int, ...] = ()

    def counts(self) -> Mapping[StepKind, int]:
        """How many steps there are of each kind."""
        return Counter(step.kind for step in self.steps)


def align(steps: list[Any], history: Any, config: Config = NO_CONFIG, *, is_whole: bool = True) -> Alignment:
    """Match steps with messages.

    Args:
        steps: The elements of `trajectory`, of any type. Never modified.
        history: The value of `history`; anything but an array is no history. Never modified.
        config: Of the same file: its templates tell why a proposal was rejected.
        is_whole: Whether all of the history is there. In a file that was cut, a step that no message matches may
            have its message after the cut: it is rejected only where the step itself says so.
    """
    messages = items(history)
    assistants = [i for i, item in enumerate(messages) if _is_own(item)]
    found = list(_matched(steps, messages, assistants))
    # What stands before a step with a message has had its chance; after the last one, a cut may be the reason.
    certain = len(steps) if is_whole else max((i for i, item in enumerate(found) if item is not None), default=-1)
    aligned: list[AlignedStep] = []
    for index, (step, item) in enumerate(zip(steps, found, strict=True)):
        if type(step) is not dict:
            aligned.append(AlignedStep(index, StepKind.NOT_A_STEP))
            continue
        following = steps[index + 1] if index + 1 < len(steps) else None
        has_history = type(history) is list and index <= certain
        kind, reason, error = _kind(step, item, following, config, has_history=has_history)
        if kind is StepKind.REJECTED and index > certain and error is None and text(step, "action"):
            kind, reason = StepKind.NO_HISTORY, ""
        aligned.append(AlignedStep(index, kind, reason, item, _answer(messages, item), error))
    matched = set(found)
    unmatched = tuple(i for i in assistants if i not in matched)
    return Alignment(tuple(aligned), tuple(assistants), unmatched)


def _matched(steps: list[Any], messages: list[Any], assistants: list[int]) -> Iterator[int | None]:
    """Position in `history` of the message of each step; None when it has none."""
    ahead = 0
    for step in steps:
        at = _match(step, messages, assistants, ahead) if type(step) is dict else None
        if at is not None:
            ahead = at + 1
        yield None if at is None else assistants[at]


def _is_own(item: Any) -> bool:
    return (
        type(item) is dict
        and item.get("role") == "assistant"
        and item.get("is_demo") is not True
        and item.get("agent", "") in _AGENTS
    )


def _match(step: Json, messages: list[Any], assistants: list[int], ahead: int) -> int | None:
    """Position in `assistants` of the message of this step, among the next ones."""
    action = text(step, "action").strip()
    window = [
        (at, messages[assistants[at]])
        for at in range(ahead, min(ahead + _LOOK_AHEAD, len(assistants)))
        if text(messages[assistants[at]], "action").strip() == action
    ]
    for at, item in window:
        if _same_words(step, item):
            return at
    if action and not _looks_unrun(step):
        return window[0][0] if window else None
    return None


def _same_words(step: Json, item: Json) -> bool:
    thought, response = text(step, "thought").strip(), text(step, "response").strip()
    said = content_text(item.get("content")).strip()
    if not (thought or response or said or text(step, "action")):
        return False
    return ("thought" in item and thought == text(item, "thought").strip()) or response == said


def _looks_unrun(step: Json) -> bool:
    state, observation = step.get("state"), step.get("observation")
    return type(state) is dict and not state and (observation == "" or observation is None)


def _kind(
    step: Json, item: int | None, following: Any, config: Config, *, has_history: bool
) -> tuple[StepKind, str, int | None]:
    if text(step, "action").strip() in PSEUDO_COMMANDS and text(step, "thought").startswith(EXIT_WORDS):
        return StepKind.SYNTHETIC_EXIT, "pseudo_command", None
    if _is_made_up(step, is_last=following is None):
        return StepKind.SYNTHETIC_EXIT, "", None
    if item is not None:
        return StepKind.TURN, "exit_command" if _is_exit(step) else "", None
    error = _error_in(step, following)
    if _looks_unrun(step) and (has_history or not step.get("execution_time")):
        return StepKind.REJECTED, _why_rejected(step, following, error, config), error
    if not has_history:
        return StepKind.NO_HISTORY, "", None
    return StepKind.NOT_IN_HISTORY, "" if error is None else "retry_with_output", error


def _is_made_up(step: Json, *, is_last: bool) -> bool:
    """Whether the loop of 1.x wrote the step on its way out: no action, no state, and no model input."""
    if text(step, "action") or step.get("state"):
        return False
    return step.get("query") == [{}] or (is_last and text(step, "response").startswith(EXIT_WORDS))


def _is_exit(step: Json) -> bool:
    return text(step, "action").strip() == "exit" and text(step, "observation").strip() == "Exited"


def _error_in(step: Json, following: Any) -> int | None:
    """Where the next model input quotes this step and answers it, though neither is in the history."""
    query = items(following.get("query")) if type(following) is dict else []
    if len(query) < 2 or type(query[-1]) is not dict or type(query[-2]) is not dict:
        return None
    quoted, answer = query[-2], query[-1]
    if quoted.get("message_type") != "assistant" or answer.get("message_type") != "user":
        return None
    is_this = content_text(quoted.get("content")).strip() == text(step, "response").strip()
    return len(query) - 1 if is_this else None


def _why_rejected(step: Json, following: Any, error: int | None, config: Config) -> str:
    if not text(step, "action"):
        return "format"
    if error is None:
        return ""
    said = content_text(following["query"][error].get("content"))
    syntax, blocked = config.error_words("shell_check_error_template"), config.error_words("blocklist_error_template")
    if (syntax and said.startswith(syntax)) or "syntax error" in said:
        return "bash_syntax"
    if (blocked and said.startswith(blocked)) or "not supported" in said:
        return "blocklist"
    return ""


def _answer(messages: list[Any], item: int | None) -> int | None:
    if item is None or item + 1 >= len(messages):
        return None
    follower = messages[item + 1]
    is_answer = (
        type(follower) is dict and follower.get("role") in ("tool", "user") and follower.get("is_demo") is not True
    )
    return item + 1 if is_answer else None
