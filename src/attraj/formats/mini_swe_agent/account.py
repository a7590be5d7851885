"""MJ104 to MJ106, MJ113, MJ115: what `info` says of the run, against its messages."""

from __future__ import annotations

from collections.abc import Sequence
from math import isclose
from typing import Any

from attraj.findings import Severity
from attraj.formats.found import Found
from attraj.formats.mini_swe_agent.codes import CALL_COUNT, EXIT_DISAGREES, LOST_REPLY, NO_EXIT_STATUS, WRONG_COST
from attraj.formats.mini_swe_agent.shape import ENDINGS
from attraj.formats.mini_swe_agent.turns import Json, Run, extra_of

_SANE = 10**12  # of any currency, for one run: beyond it a number is a fault of the shape or the bytes


def look_at_account(found: Found, tree: Any, messages: Sequence[Any], run: Run, generation: int, at: str) -> None:
    """Check the account of a run; a bare list has none, and only lost replies are told of it."""
    info = tree.get("info") if type(tree) is dict else None
    stats = info.get("model_stats") if type(info) is dict else None
    stats = stats if type(stats) is dict else {}
    api_calls = stats.get("api_calls")
    _lost_replies(found, run, api_calls, at)
    if type(info) is not dict:
        return
    _exit_status(found, info)
    if type(api_calls) is int:
        _call_count(found, info, run, api_calls, generation)
    if run.exit is not None:
        _exit(found, info, extra_of(messages[run.exit]), f"{at}/{run.exit}/extra")
    _cost(found, stats.get("instance_cost"), messages, run)


def _lost_replies(found: Found, run: Run, api_calls: Any, at: str) -> None:
    lost = [error for error in run.format_errors() if not error.has_reply]
    if lost:
        of = f" of {api_calls}" if type(api_calls) is int and api_calls >= len(lost) else ""
        verb = "reply" if len(lost) == 1 and not of else "replies"
        message = f"{len(lost)}{of} {verb} of the model are not recorded: only the error about their form is"
        hint = "older versions of mini-swe-agent drop replies that they cannot parse; what they said is gone"
        found.add(LOST_REPLY, f"{at}/{lost[0].position}", message, hint)


def _exit_status(found: Found, info: Json) -> None:
    status = info.get("exit_status")
    if "exit_status" not in info:
        message = "no exit status is recorded: how the run ended, and whether it did, is unknown"
        found.add(NO_EXIT_STATUS, "/info", message)
    elif status is None:
        message = "the exit status is null: early versions lost it on errors, and also write it for runs that submitted"
        found.add(NO_EXIT_STATUS, "/info/exit_status", message)
    elif status == "":
        message = "the exit status is empty: the run was going on when this was written"
        found.add(NO_EXIT_STATUS, "/info/exit_status", message)


def _call_count(found: Found, info: Json, run: Run, api_calls: int, generation: int) -> None:
    """Every call leaves a reply, or the error about one that could not be parsed; one that fails leaves nothing."""
    seen = len(run.replies) + len(run.format_errors())
    status = info.get("exit_status")
    may_have_failed = status is None or (type(status) is str and status not in ENDINGS) or "traceback" in info
    if seen <= api_calls <= seen + may_have_failed:
        return
    message = f"api_calls says {'more' if api_calls > seen else 'fewer'} calls of the model than the messages show"
    hint = "replies and FormatErrors each stand for one call"
    severity = None
    if generation == 1 and api_calls < seen:
        # Interactive 1.x records a person's commands as the assistant's.
        hint, severity = "in 1.x the commands of a person stand among the assistant's messages", Severity.INFO
    found.add(CALL_COUNT, "/info/model_stats/api_calls", message, hint, severity)


def _exit(found: Found, info: Json, extra: Json, at: str) -> None:
    for name in ("exit_status", "submission"):
        said, shown = info.get(name), extra.get(name)
        if type(said) is str and type(shown) is str and said != shown:
            message = f"`{name}` of the last message is not the one of `info`"
            found.add(EXIT_DISAGREES, f"{at}/{name}", message, "take `info` from the message, as mini-swe-agent does")


def _cost(found: Found, stated: Any, messages: Sequence[Any], run: Run) -> None:
    """Costs are compared where each reply has its own; older versions leave out those of replies they cannot parse."""
    replies = [_cost_of(messages[turn.position]) for turn in run.replies]
    errors = [_cost_of(messages[error.position]) for error in run.format_errors()]
    known = [cost for cost in replies if cost is not None]
    total = _number(stated)
    if total is None or not known or len(known) < len(replies):
        return
    added = sum(known) + sum(cost for cost in errors if cost is not None)
    is_partial = None in errors
    if isclose(total, added, rel_tol=1e-6, abs_tol=1e-9) or (is_partial and total > added):
        return
    message = "instance_cost is not the sum of the costs of the replies"
    found.add(WRONG_COST, "/info/model_stats/instance_cost", message, "one of them was counted twice, or lost")


def _cost_of(message: Json) -> float | None:
    return _number(extra_of(message).get("cost"))


def _number(value: Any) -> float | None:
    """A number that can be added up; None for anything else."""
    is_number = (type(value) is int or type(value) is float) and -_SANE < value < _SANE
    return float(value) if is_number else None
