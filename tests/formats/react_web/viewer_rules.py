"""The rules of `<agent-trajectory>`: what a reader of the page sees of a document, member by member.

Source: extras/agent-lab/agent-trajectory.js of bojieli/ai-agent-book; react-web.md §2. It is written down here and not
taken from the package: what the writer makes is judged by the component, not by what the package thinks of it.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

LABELS = {"thought": "思考", "action": "行动", "observation": "观察", "answer": "答案"}
OUTCOMES = {"success": "✅ 成功", "failure": "❌ 失败", "loop": "🔁 死循环", "timeout": "⏱️ 超时"}
COLLAPSED = 220


class Box(NamedTuple):
    """One step on the page."""

    label: str
    caption: str
    tool: str
    args: str | None
    content: str | None
    is_collapsed: bool


class Page(NamedTuple):
    """The whole page."""

    title: str
    model: str
    outcome: str
    pill: str
    task: str
    boxes: tuple[Box, ...]


def page(document: dict[str, Any]) -> Page:
    """What the page shows. Values must be such that JavaScript shows them as they are: texts, and objects as args."""
    steps = document.get("steps") or []
    outcome = document.get("outcome")
    return Page(
        document.get("title") or document.get("experiment") or "Agent 轨迹",
        document.get("model") or "unknown",
        OUTCOMES.get(outcome, outcome) if outcome else "未知",
        f"{len(steps)} 步",
        document.get("task") or "",
        tuple(map(_box, steps)),
    )


def _box(step: dict[str, Any]) -> Box:
    content, args = step.get("content"), step.get("args")
    assert content is None or type(content) is str, "the page shows anything else as JavaScript writes it"
    return Box(
        LABELS.get(step["type"], step["type"]),
        f"第 {step['iteration']} 轮迭代",
        step.get("tool") or "",
        args if args is None or type(args) is str else json.dumps(args, ensure_ascii=False, indent=2),
        content,
        content is not None and len(content) > COLLAPSED,
    )
