"""The laws of a redaction, on documents of every format, with secrets of many kinds, disguised as they come."""

from __future__ import annotations

import base64
import copy
import json
import random
import re
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from attraj.redaction.leaves import leaves
from attraj.redaction.run import Done, redact_scope
from attraj.redaction.source import read_source
from tests.redaction.made_up import TOOLS, made_tools
from tests.secrets.made import made
from tests.support import base_document

STDLIB = made_tools(engine="stdlib")
DOCUMENTS: dict[str, Any] = {
    "bundle": base_document("attraj.bundle.checks", "full"),
    "atif": base_document("attraj.formats.atif", "minimal"),
    "swe-agent": base_document("attraj.formats.swe_agent", "minimal"),
    "mini-swe-agent": base_document("attraj.formats.mini_swe_agent", "minimal"),
    "react-web": base_document("attraj.formats.react_web", "minimal"),
    "json": {"a": ["one", {"b": "two"}], "c": "three"},
}
# What stands around a secret, and the secret.
KINDS = (
    ("{}", "gh" + "p_[A-Za-z0-9]{36}"),
    ("{}", "sk-ant-api03-[A-Za-z0-9_\\-]{93}AA"),
    ("{}", "AKIA[A-Z2-7]{16}"),
    ("{}", "eyJ[A-Za-z0-9]{33}\\.eyJ[A-Za-z0-9]{120}\\.[A-Za-z0-9_\\-]{43}"),
    ("postgres://keeper:{}@db.tide.example/logs", "[A-Za-z]{5}[0-9]{5}[a-z]{2}"),
    ("DB_PASSWORD={}", "[A-Z][a-z]{5}-[0-9]{4}"),
    (
        "-----BEGIN RSA PRIV" + "ATE KEY-----\n{}\n-----END RSA PRIV" + "ATE KEY-----",
        "[A-Za-z0-9+/]{64}\n[A-Za-z0-9+/]{64}",
    ),
)
DISGUISES: dict[str, Callable[[str], str]] = {
    "plain": lambda v: f"first {v} last",
    "json": lambda v: json.dumps({"cmd": f"a\n{v}\nb"}),
    "json-twice": lambda v: json.dumps(json.dumps({"cmd": f"a\n{v}\nb"})),
    "coloured": lambda v: f"\x1b[1;32m{v}\x1b[0m",
    "base64": lambda v: base64.b64encode(f"cfg: {v}\n".encode()).decode(),
    "escapes": lambda v: "".join(f"\\u{ord(c):04x}" for c in v),
}


@cache
def places(name: str) -> list[tuple[str | int, ...]]:
    """Where a document has texts that are no words of its format."""
    texts = [leaf for leaf in leaves(DOCUMENTS[name]) if type(leaf.value) is str and not leaf.is_key]
    free = [leaf.keys for leaf in texts if re.search("[ .]", leaf.value) and leaf.key not in ("schema_version", "type")]
    return free or [leaf.keys for leaf in texts]


def planted(name: str, at: list[int], text: str) -> bytes:
    tree = copy.deepcopy(DOCUMENTS[name])
    for number in at:
        keys = places(name)[number % len(places(name))]
        place = tree
        for key in keys[:-1]:
            place = place[key]
        place[keys[-1]] = f"{place[keys[-1]]} {text}"
    return json.dumps(tree, indent=1).encode()


def done(raw: bytes, tools: Any = TOOLS) -> Done:
    result = redact_scope([read_source("trajectory.json", raw, forms=tools.forms)], tools)
    tools.forget()
    return result


cases = st.tuples(
    st.lists(st.integers(0, 99), min_size=1, max_size=3, unique=True),
    st.sampled_from(KINDS),
    st.sampled_from(sorted(DISGUISES)),
    st.integers(0, 10**6),
)
relaxed = settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@pytest.mark.parametrize("name", sorted(DOCUMENTS))
@relaxed
@given(case=cases)
def test_a_redaction_is_whole_repeatable_and_says_nothing_of_the_value(
    name: str, case: tuple[list[int], tuple[str, str], str, int]
) -> None:
    at, (around, pattern), disguise, seed = case
    rng = random.Random(seed)
    secret, other = made(pattern, rng), made(pattern, rng)

    def with_one(value: str) -> bytes:
        return planted(name, at, DISGUISES[disguise](around.format(value)))

    first = done(with_one(secret))
    assert [] == [(f.proof, f.detail) for f in first.failures]
    out = first.outputs[0][1]
    assert secret[-10:].encode() not in out
    assert DISGUISES[disguise](secret)[1:-1].encode() not in out
    assert out == done(with_one(secret), STDLIB).outputs[0][1], "both engines"
    assert out == done(out).outputs[0][1], "redacted twice"
    assert out == done(with_one(other)).outputs[0][1], "another secret of its kind"
