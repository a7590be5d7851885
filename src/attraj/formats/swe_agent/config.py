"""The configuration inside a `.traj`: `replay_config`, a JSON text in a JSON string, an object, or null.

Source: SWE-agent v1.1.0, run/run_single.py (RunSingleConfig); spec: traj.md §1.10.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from attraj.formats.swe_agent.shape import PARSERS
from attraj.formats.swe_agent.values import Json, child, items, text

Form = Literal["absent", "null", "text", "object", "broken", "other"]

_MASKED = re.compile(r"\**").fullmatch
# The home of somebody, not of an account that images bring along.
_HOME = re.compile(
    r"(?:/home/|/Users/|[A-Za-z]:\\+Users\\+)(?!(?:user|ubuntu|runner|vscode|Shared|Public)\b)[^/\\\s\"']+"
)
_URL_PASSWORD = re.compile(r"://[^/\s:@\"']+:[^/\s@\"']+@")
_SECRET_NAME = re.compile(r"KEY|TOKEN|SECRET|PASS|CREDENTIAL|COOKIE|AUTH", re.IGNORECASE)
# Processors of the history that take something out of what the model had seen, or change it (spec: traj.md §1.9).
_KEEPS_HISTORY = frozenset({"default", "cache_control"})


@dataclass(frozen=True, slots=True)
class Config:
    """What a `replay_config` says.

    Attributes:
        form: How it stands in the file; "broken" is a text that is no JSON object, "other" a wrong type.
        tree: The object; {} when there is none.
    """

    form: Form
    tree: Json = field(default_factory=dict)

    @property
    def parser(self) -> str:
        """How responses are cut, when it is a format of upstream's; "" when not known."""
        name = text(child(self.tree, "agent", "tools", "parse_function"), "type")
        return name if name in PARSERS else ""

    @property
    def has_model(self) -> bool:
        """Whether a model is named."""
        return text(child(self.tree, "agent", "model"), "name") != ""

    @property
    def submit_command(self) -> str:
        return text(child(self.tree, "agent", "tools"), "submit_command") or "submit"

    @property
    def rewrites_history(self) -> bool:
        """Whether a processor is configured that changes what the model had been shown."""
        agent = child(self.tree, "agent")
        named = [*items(agent.get("history_processors")), agent.get("history_processor")]  # 1.0 development: one alone
        kinds = [text(processor, "type") for processor in named if type(processor) is dict]
        return any(kind and kind not in _KEEPS_HISTORY for kind in kinds)

    def error_words(self, name: str) -> str:
        """The literal text before the first placeholder of a template of the agent or of its tools."""
        for place in (("agent", "templates"), ("agent", "tools"), ("agent", "tools", "filter")):
            template = text(child(self.tree, *place), name)
            if template:
                return re.split(r"\{", template, maxsplit=1)[0].strip()
        return ""


NO_CONFIG = Config("absent")


def read_config(tree: Json) -> Config:
    """The configuration of one file or attempt. The tree is never modified."""
    if "replay_config" not in tree:
        return NO_CONFIG
    value = tree["replay_config"]
    if value is None:
        return Config("null")
    if type(value) is dict:
        return Config("object", value)
    if type(value) is not str:
        return Config("other")
    decoded = decoded_json(value)
    return Config("text", decoded) if type(decoded) is dict else Config("broken")


def decoded_json(value: str) -> Any:
    """The value that a JSON text inside a string stands for; None when it is no JSON."""
    import jiter

    try:
        return jiter.from_json(value.encode())
    except ValueError:  # no JSON, deeper than 200, or half a character
        return None


def private_parts(config: Config) -> Iterator[tuple[str, int]]:
    """What a configuration holds that should not travel: what it is, in our words, and how often it is there."""
    counts: dict[str, int] = {}

    def note(what: str, number: int = 1) -> None:
        if number:
            counts[what] = counts.get(what, 0) + number

    pending: list[Any] = [config.tree]
    while pending:
        value = pending.pop()
        if type(value) is str:
            note("a path with somebody's home folder", len(_HOME.findall(value)))
            note("an address with a password", len(_URL_PASSWORD.findall(value)))
        elif type(value) is list:
            pending.extend(value)
        elif type(value) is dict:
            for name, inner in value.items():
                _note_member(name, inner, note)
            pending.extend(value.values())
    yield from sorted(counts.items())


def _note_member(name: str, value: Any, note: Any) -> None:
    if name == "api_key":
        note("an API key", int(type(value) is str and value != "" and _MASKED(value) is None))
    elif name == "api_base":
        note("the address of a model endpoint", int(type(value) is str and value != ""))
    elif name in ("extra_headers", "default_headers", "headers"):
        note("headers of requests", int(type(value) is dict and len(value) > 0))
    elif name == "env_variables" and type(value) is dict:
        note("a secret environment variable", sum(1 for key in value if _SECRET_NAME.search(key)))
    elif name == "propagate_env_variables":
        note("names of environment variables that are passed on", len(items(value)))
