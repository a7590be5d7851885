"""Secrets that belong to nobody, put together here so that none stands in the repository."""

from __future__ import annotations

import base64
import json
from typing import Any

from attraj.redaction.policy import DEFAULT, Policy
from attraj.redaction.run import Done, Tools, redact_scope, tools
from attraj.redaction.source import Source, read_source
from attraj.secrets.policy import DetectionPolicy
from attraj.verbs.redact import new_errors
from attraj.verbs.scan import FORMS

GITHUB = "gh" + "p_" + "R7tYw2KfQ9mZxL4vB8nJdH3sGp6CeUa1TiW5"
OTHER_GITHUB = "gh" + "p_" + "Qa9Zs8Xw7Ed6Cr5Fv4Tg3By2Hn1Ujm0KiLo9"
PASSWORD = "tidal" + "-Lantern-" + "4471"
USER = "mar" + "low"
EMAIL = "nadia@" + "tidehouse-works.io"
ENCODED = base64.b64encode(f"token {GITHUB}".encode()).decode()


def made_tools(policy: Policy = DEFAULT, *, seed: bytes = b"", engine: Any = "auto") -> Tools:
    """The tools of the command line, without canaries unless a seed is given."""
    detection = DetectionPolicy(personal=policy.personal, engine=engine)
    return tools(detection, policy, tool="attraj@0", seed=seed, validator=new_errors, forms=FORMS)


TOOLS = made_tools()


def source(value: Any, name: str = "trajectory.json") -> Source:
    """A file that holds a JSON value, or a text."""
    if isinstance(value, bytes):
        return read_source(name, value)
    return read_source(name, json.dumps(value, indent=1).encode())


def redacted(value: Any, with_tools: Tools = TOOLS, name: str = "trajectory.json") -> Any:
    """A JSON value, redacted and proven."""
    done = redact_scope([source(value, name)], with_tools)
    assert [] == done.failures
    return json.loads(done.outputs[0][1])


def done_with(*values: Any, with_tools: Tools = TOOLS) -> Done:
    """A scope of several files."""
    return redact_scope([source(value, f"trajectory.{n}.json") for n, value in enumerate(values)], with_tools)
