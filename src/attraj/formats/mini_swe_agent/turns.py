"""The reading of a run: turns of the model, what they asked for, what ran, which result belongs to which call.

Results are matched by call id within the messages up to the next turn, so that an id that comes again stays with its
own turn. In text mode there are no ids: results belong to the actions of the turn in their order. Nothing is parsed
out of the text of messages: a `v1` run has turns without calls here, and `text_calls.py` reads them for a Bundle.
Source: traj.md §3.2, §3.3, §7.5.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]

NOT_EXECUTED = "action was not executed"  # what InteractiveAgent pads missing results with
# What a submitting command prints: mini-swe-agent 2.x and 1.x.
_SUBMISSION = ("COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT", "MINI_SWE_AGENT_FINAL_OUTPUT")


@dataclass(slots=True)
class Call:
    """One call that a reply asks for.

    Attributes:
        pointer: Of the call inside its message, for example "/tool_calls/0".
        id: The call id; None when there is none (text mode, or a broken call).
        name: Of the function; None in text mode.
        command: What ran or would have run, from `extra.actions`; None when no action names this call.
        result: Position of the message with its result; None when the run has none.
        is_padded: The result says that the action was not executed.
    """

    pointer: str
    id: str | None = None
    name: str | None = None
    command: str | None = None
    result: int | None = None
    is_padded: bool = False


@dataclass(slots=True)
class Turn:
    """One reply of the model, or one command of a person in interactive mode.

    Attributes:
        position: Of its message.
        mode: "chat" (tool calls), "responses" (Responses API), "text" (no ids).
        calls: In the order of the reply.
        is_human: The command is a person's (a user message with actions).
        unasked: Positions in `extra.actions` whose call id is none of the reply's.
    """

    position: int
    mode: str
    calls: list[Call] = field(default_factory=list)
    is_human: bool = False
    unasked: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Interrupt:
    """A user message that tells what broke into the loop.

    Attributes:
        kind: FormatError, UserInterruption, UserRejection, UserNewTask, or another word.
        has_reply: For a FormatError: the reply that could not be parsed is kept in `extra`.
    """

    position: int
    kind: str
    has_reply: bool


@dataclass(slots=True)
class Run:
    """What the messages say, read once.

    Attributes:
        turns: In order, a person's among them.
        interrupts: In order.
        unmatched: Positions of results whose id is no call's of the turn before them.
        repeated: Positions of results whose call has one already.
        reused: (position of the turn, pointer of the call, position of the first call's turn) of ids that come again.
        exit: Position of the message with the role `exit`; None when there is none.
        kinds: How often each role occurs (else type, else object).
    """

    turns: list[Turn] = field(default_factory=list)
    interrupts: list[Interrupt] = field(default_factory=list)
    unmatched: list[int] = field(default_factory=list)
    repeated: list[int] = field(default_factory=list)
    reused: list[tuple[int, str, int]] = field(default_factory=list)
    exit: int | None = None
    kinds: dict[str, int] = field(default_factory=dict)

    @property
    def replies(self) -> list[Turn]:
        """The turns of the model."""
        return [turn for turn in self.turns if not turn.is_human]

    def format_errors(self) -> list[Interrupt]:
        return [interrupt for interrupt in self.interrupts if interrupt.kind == "FormatError"]

    def unanswered(self) -> list[tuple[Turn, list[Call]]]:
        """The turns with calls by id that have no result, in order."""
        found = ((turn, [c for c in turn.calls if c.id is not None and c.result is None]) for turn in self.turns)
        return [(turn, calls) for turn, calls in found if calls]


def kind_of(message: Json) -> str:
    """What a message is: its role, else its type, else its object (Responses API items have no role); "" for none."""
    for name in ("role", "type", "object"):
        word = message.get(name)
        if type(word) is str and word:
            return word
    return ""


def extra_of(message: Json) -> Json:
    """The member `extra`; {} when there is none to look at."""
    extra = message.get("extra")
    return extra if type(extra) is dict else {}


def is_submission(command: str) -> bool:
    """Whether a command prints what submits a run."""
    return any(word in command for word in _SUBMISSION)


def read(messages: Sequence[Any]) -> Run:
    """Read the messages of a run.

    Args:
        messages: The elements of `messages`; whatever is no object is passed over. Never modified.

    Returns:
        The reading; linear in the number of messages and calls, and never an exception on any JSON.
    """
    reader = _Reader()
    for position, message in enumerate(messages):
        if type(message) is dict:
            reader.take(position, message)
    return reader.run


class _Reader:
    def __init__(self) -> None:
        self.run = Run()
        self._turn: Turn | None = None
        self._open: dict[str, Call] = {}  # calls by id of the turn at hand
        self._next = 0  # the first call of a text turn that has no result yet
        self._known: dict[str, int] = {}  # call id to the turn that first had it
        self._is_broken = False  # some call of the turn at hand has no id, which is told as a fault of the shape

    def take(self, position: int, message: Json) -> None:
        kind, extra = kind_of(message), extra_of(message)
        self.run.kinds[kind] = self.run.kinds.get(kind, 0) + 1
        if kind == "assistant":
            calls = _chat_calls(message)
            has_calls = bool(message.get("tool_calls"))
            self._begin(Turn(position, "chat" if has_calls else "text", calls), extra, not calls)
        elif kind == "response":
            is_lost = type(message.get("output")) is not list
            self._begin(Turn(position, "responses", _response_calls(message)), extra, is_lost)
        elif kind == "tool":
            self._result(position, message.get("tool_call_id"), extra)
        elif kind == "function_call_output":
            self._result(position, message.get("call_id"), extra)
        elif kind == "exit":
            self.run.exit = position
        elif kind in ("user", "message"):
            self._user(position, extra)

    def _user(self, position: int, extra: Json) -> None:
        word = extra.get("interrupt_type")
        if type(word) is str and word:
            has_reply = extra.get("response") is not None or extra.get("model_response") is not None
            self.run.interrupts.append(Interrupt(position, word, has_reply))
        elif type(extra.get("actions")) is list:
            self._begin(Turn(position, "text", is_human=True), extra)
        elif "returncode" in extra and self._turn is not None and self._turn.mode == "text":
            if self._next < len(self._turn.calls):
                call = self._turn.calls[self._next]
                call.result, call.is_padded = position, _is_padding(extra)
                self._next += 1
            else:
                self.run.unmatched.append(position)

    def _begin(self, turn: Turn, extra: Json, calls_are_lost: bool = False) -> None:
        self.run.turns.append(turn)
        self._turn, self._next, self._open = turn, 0, {}
        self._is_broken = turn.mode != "text" and (calls_are_lost or any(call.id is None for call in turn.calls))
        for call in turn.calls:
            if call.id is None:
                continue
            if call.id in self._known:
                self.run.reused.append((turn.position, call.pointer, self._known[call.id]))
            self._known.setdefault(call.id, turn.position)
            self._open.setdefault(call.id, call)
        actions = extra.get("actions")
        for index, action in enumerate(actions if type(actions) is list else ()):
            if type(action) is dict:
                self._action(turn, index, action)

    def _action(self, turn: Turn, index: int, action: Json) -> None:
        call_id, command = action.get("tool_call_id"), action.get("command")
        command = command if type(command) is str else None
        if turn.mode == "text":
            turn.calls.append(Call(f"/extra/actions/{index}", command=command))
        elif type(call_id) is str and call_id in self._open:
            self._open[call_id].command = command
        elif not self._is_broken:
            turn.unasked.append(index)

    def _result(self, position: int, call_id: Any, extra: Json) -> None:
        if type(call_id) is not str:
            return  # told as a fault of the shape
        call = self._open.get(call_id)
        if call is None and self._is_broken:
            return
        if call is None:
            self.run.unmatched.append(position)
        elif call.result is not None:
            self.run.repeated.append(position)
        else:
            call.result, call.is_padded = position, _is_padding(extra)


def _is_padding(extra: Json) -> bool:
    return extra.get("exception_info") == NOT_EXECUTED and extra.get("returncode") == -1


def _chat_calls(message: Json) -> list[Call]:
    calls = message.get("tool_calls")
    found: list[Call] = []
    for index, call in enumerate(calls if type(calls) is list else ()):
        function = call.get("function") if type(call) is dict else None
        name = function.get("name") if type(function) is dict else None
        found.append(_call(f"/tool_calls/{index}", call.get("id") if type(call) is dict else None, name))
    return found


def _response_calls(message: Json) -> list[Call]:
    items = message.get("output")
    return [
        _call(f"/output/{index}", item.get("call_id"), item.get("name"))
        for index, item in enumerate(items if type(items) is list else ())
        if type(item) is dict and item.get("type") == "function_call"
    ]


def _call(pointer: str, call_id: Any, name: Any) -> Call:
    return Call(pointer, call_id if type(call_id) is str else None, name if type(name) is str else None)
