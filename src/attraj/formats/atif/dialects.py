"""Documents that are nearly ATIF: tags of others, and habits of producers that a reader should know of."""

from __future__ import annotations

import re
from typing import Any

from attraj.formats.atif.shape import NEWEST, VERSIONS

Json = dict[str, Any]

KNOWN = f"ATIF-v1.0 to ATIF-v1.{NEWEST}"

_LATER = re.compile(r"ATIF-v(\d{1,2})\.(\d{1,2})").fullmatch
_NEARLY = re.compile(r"(?:ATIF[-_ /]?)?v?(\d{1,2})\.(\d{1,2})(?:\.\d{1,2})?", re.IGNORECASE).fullmatch
_BARE = re.compile(r"atif[-_ /]?v?\d{0,2}", re.IGNORECASE).fullmatch


def explain(tag: str) -> tuple[str, str]:
    """Message and hint for a schema_version that is none of ATIF's; the tag itself is never repeated."""
    if _LATER(tag) is not None:
        return "a version of ATIF that is not known", f"{KNOWN} are known; the document is checked as ATIF-v1.{NEWEST}"
    nearly = _NEARLY(tag)
    if nearly is not None:
        name = f"ATIF-v{int(nearly[1])}.{int(nearly[2])}"
        if name in VERSIONS:
            return "the version is not written as ATIF writes it", f"did you mean `{name}`?"
    if _BARE(tag) is not None:
        message = "a dialect under ATIF's name (such as `atif/1`), not a version of ATIF"
        return message, f"write the version whose members the document has, {KNOWN}"
    return "not a version of ATIF", f"{KNOWN} are known"


def notes_on(tree: Json) -> tuple[str, ...]:
    """What a reader should know of the document, and is no fault."""
    steps = tree.get("steps")
    if type(steps) is not list or any(type(step) is dict and step.get("tool_calls") for step in steps):
        return ()
    agents = [step for step in steps if type(step) is dict and step.get("source") == "agent"]
    if agents and any(step.get("observation") for step in agents) and any(map(_is_raw_response, agents)):
        return ("the messages of the agent are raw model responses: their tool calls are not parsed out",)
    return ()


# What terminus-2 asks the model to answer with, as JSON or as XML, sometimes inside a code fence or after prose.
_JSON_ANSWER = re.compile(r'"(?:commands|keystrokes)"\s*:')
_XML_ANSWER = re.compile(r"<(?:response|commands|keystrokes)\b")


def _is_raw_response(step: Json) -> bool:
    message = step.get("message")
    if type(message) is not str:
        return False
    return _JSON_ANSWER.search(message) is not None or _XML_ANSWER.search(message) is not None
