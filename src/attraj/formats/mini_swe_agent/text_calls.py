"""Calls of 1.x, which stand in the texts of replies and nowhere else.

mini-swe-agent 1.x ran the one bash block of a reply; a reply with none or with several was a format error. What ran is
told by the result that follows, or by the run being submitted. Source: traj.md §3.2, §7.5.
"""

from __future__ import annotations

import re
from typing import Any

from attraj.formats.mapping.fields import At, Json
from attraj.formats.mini_swe_agent.scene import AGENT, TOOL, Scene
from attraj.formats.mini_swe_agent.turns import Turn, extra_of, kind_of

ADMITTED: Json = {"status": "admitted", "authority": "runtime:mini-swe-agent"}
IN_TEXT = "call in text"  # topic of an action whose command a reply says, and no member of its own
PATTERN = r"```bash\s*\n(.*?)\n```"  # what 1.x comes with
_FENCE = "```bash"
_END = "\n```"
_SPACE = re.compile(r"\s*")
_FRAME = "<returncode>"


def command_of(content: Any) -> str | None:
    """The command of a reply; None where it has no bash block, or several, of which none ran.

    As `PATTERN` finds it, in time linear in the length of the text.
    """
    text = _text(content)
    found: list[str] = []
    start = text.find(_FENCE)
    while start >= 0 and len(found) < 2:
        begin = start + len(_FENCE)
        after = _SPACE.match(text, begin).end()  # type: ignore[union-attr]
        newline = text.rfind("\n", begin, after)
        if newline >= 0:
            end = text.find(_END, newline + 1)
            if end < 0:
                break
            found.append(text[newline + 1 : end].strip())
            after = end + len(_END)
        start = text.find(_FENCE, after)
    return found[0] if len(found) == 1 and found[0] else None


def has_text_calls(top: Json, generation: int) -> bool:
    """Whether replies say their calls in bash blocks alone: 1.x without a pattern of its user's own."""
    config: Any = top
    for name in ("info", "config", "agent"):
        config = config.get(name) if type(config) is dict else None
    pattern = config.get("action_regex", PATTERN) if type(config) is dict else PATTERN
    return generation == 1 and pattern == PATTERN


def is_framed(content: Any) -> bool:
    """Whether a text begins as the results of 1.x do, in the templates that mini-swe-agent comes with."""
    return _text(content[:1] if type(content) is list else content).startswith(_FRAME)


def read_text_call(scene: Scene, turn: Turn, name: str, command: str) -> None:
    """The call that a reply says by its one bash block, and that it ran, where something shows it."""
    at: At = scene.place_of(turn.position)
    node_id = f"{name}/call:1"
    follows = scene.messages[turn.position + 1] if turn.position + 1 < len(scene.messages) else None
    is_answered = type(follows) is dict and _is_result(follows)
    has_run = is_answered or scene.is_submitted_by(turn, command)
    members: Json = {"topic": IN_TEXT, "action": {"kind": "shell_command", "value": command}}
    members["admission"] = dict(ADMITTED) if has_run else {"status": "unknown"}
    scene.node(node_id, "action", AGENT, members, at)
    scene.draft.edge(name, node_id, "recorded")  # both are one record
    detail = "the only bash block of the reply is its call, as mini-swe-agent takes it; no member says it"
    scene.draft.lose("call-in-text", "request_vs_effect", "approximated", at, detail)
    scene.ran[name] = node_id
    if not is_answered:
        scene.unanswered.append(node_id)
    if has_run:
        effect: Json = {"effect": {"external": True, "receipt_status": "none_authoritative"}}
        scene.node(f"{node_id}/effect", "effect", TOOL, effect, at)
        scene.draft.edge(node_id, f"{node_id}/effect", "loop_semantics")
        scene.ran[name] = f"{node_id}/effect"
        told_by(scene, at, is_answered=is_answered)


def told_by(scene: Scene, at: At, *, is_answered: bool) -> None:
    """Say what an effect is known by."""
    if is_answered:
        detail = "that the call was admitted and ran is told by its result; there is no receipt"
        scene.draft.lose("effect-by-result", "request_vs_effect", "approximated", at, detail)
    else:
        detail = "that the call was admitted and ran is told by the exit status alone; it has no result and no receipt"
        scene.draft.lose("effect-by-exit-status", "request_vs_effect", "approximated", at, detail)


def _is_result(message: Json) -> bool:
    return (
        kind_of(message) == "user" and "interrupt_type" not in extra_of(message) and is_framed(message.get("content"))
    )


def _text(content: Any) -> str:
    """A text, alone or as the only part (1.x marks parts for the provider's cache)."""
    if type(content) is list and len(content) == 1 and type(content[0]) is dict:
        content = content[0].get("text")
    return content if type(content) is str else ""
