"""Made-up secrets planted in a copy: every one of them has to go, and nothing else.

The copy holds the places that canaries are planted at and the names that lead to them, so that it costs little however
large the document is. The values are made from a seed of the caller; they belong to nobody.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from attraj.redaction.apply import apply
from attraj.redaction.leaves import Leaf, leaves
from attraj.redaction.plan import Scope, plan
from attraj.redaction.policy import Policy
from attraj.redaction.prove import Failure
from attraj.redaction.source import Part, Source
from attraj.secrets.detector import Detector

_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
_BASE32 = str.maketrans("0189", "7654")
_PLACES = 12
_LONGEST = 4000  # characters of a text that is carried along


class Canary(NamedTuple):
    """One planted value.

    Attributes:
        name: Of the disguise, in our own words.
        text: What is planted.
        secret: What must not be left, in any form that the disguise has.
    """

    name: str
    text: str
    secret: str


def token(seed: bytes, name: str, length: int = 36) -> str:
    """A made-up token body: letters and digits of a hash of the seed."""
    made, counter = "", 0
    while len(made) < length:
        digest = hashlib.sha256(seed + name.encode() + bytes([counter])).digest()
        made += "".join(_ALPHABET[byte % 62] for byte in digest)
        counter += 1
    return made[: length - 2] + "Q7"  # letters and digits both, whatever the hash


def canaries(seed: bytes) -> Iterator[Canary]:
    """One canary for each disguise of redaction.md §7.6."""

    def github(name: str) -> str:
        return "gh" + "p_" + token(seed, name)

    one = github("header")
    yield Canary("header", f"authorization: Bearer {one}", one)
    one = github("query")
    yield Canary("URL query", f"GET https://api.example.org/v1?token={one}&page=2", one)
    one = github("json")
    yield Canary("JSON in a text", json.dumps({"a": {"password": one}}), one)
    one = github("twice")
    yield Canary("JSON in JSON", json.dumps(json.dumps({"cmd": f"login {one}\n"})), one)
    one = github("base64")
    coded = base64.b64encode(f"user {one} end".encode()).decode()
    yield Canary("base64", f"printf {coded} | base64 -d", coded)
    one = github("percent")
    coded = "".join(f"%{byte:02X}" for byte in one.encode())
    yield Canary("percent", f"https://example.org/?q=a%20b&t={coded}", coded)
    one = github("stderr")
    yield Canary("stderr", f"Traceback (most recent call last):\n  File x\nHTTPError: 401 {one}\n", one)
    one = github("ansi")
    yield Canary("colours", f"\x1b[1;32m{one}\x1b[0m ok", one)
    one = "AK" + "IA" + token(seed, "aws", 16).upper().translate(_BASE32)
    yield Canary("path", f"/srv/backup/{one}/log.txt", one)
    lines = [token(seed, f"key {number}", 64) for number in range(4)]
    begin, end = ("-----" + word + " RSA PRIVATE" + " KEY-----" for word in ("BEGIN", "END"))
    yield Canary("private key", "\n".join([begin, *lines, end]), lines[1])
    one = github("note")
    yield Canary("note", f"remember: {one} is revoked", one)


def check(source: Source, number: int, detector: Detector, policy: Policy, seed: bytes) -> Iterator[Failure]:
    """Plant canaries in a copy of a redacted file, redact the copy, and see that each is gone and nothing else."""
    policy = replace(policy, allow=(), keep=frozenset())  # what the user lets stay is no reason to let these stay
    if source.parts:
        for part in source.parts[:3]:
            for planted, canary in _planted(part, seed):
                yield from _caught(planted, canary, number, detector, policy)
        return
    head = source.text[:_LONGEST].rpartition("\n")[0]
    for canary in canaries(seed):
        made = f"{head}\n{canary.text}\n"
        yield from _caught(Source("copy.txt", b"", made), canary, number, detector, policy)


def _planted(part: Part, seed: bytes) -> Iterator[tuple[Source, Canary]]:
    """Copies of the document, each with one canary after a text of it, and one with a canary as a name."""
    texts = [leaf for leaf in leaves(part.tree) if type(leaf.value) is str and not leaf.is_key and _may_hold(leaf)]
    made = list(canaries(seed))
    places = texts[:: max(len(texts) // _PLACES, 1)][: len(made)] if texts else []
    for place, canary in zip(places, made, strict=False):
        yield _copy(_skeleton(place.keys, f"{place.value} {canary.text}"), part), canary
    name = "gh" + "p_" + token(seed, "name")
    yield _copy({"extra": {name: 1}}, part), Canary("name of a member", name, name)


def _may_hold(leaf: Leaf) -> bool:
    return len(leaf.value) <= _LONGEST and not leaf.value.startswith("data:")


def _skeleton(keys: Sequence[str | int], value: Any) -> Any:
    for key in reversed(keys):
        value = {key: value} if type(key) is str else [value]
    return value


def _copy(tree: Any, part: Part) -> Source:
    text = json.dumps(tree, ensure_ascii=False)
    return Source("copy.json", b"", text, parts=(Part(0, len(text), tree, False, part.has_repeated),))


def _caught(source: Source, canary: Canary, number: int, detector: Detector, policy: Policy) -> Iterator[Failure]:
    made = plan(Scope([source]), detector, policy)
    after = apply([source], made, policy)[0]
    if canary.secret in after or (source.parts and json.dumps(canary.secret)[1:-1] in after):
        yield Failure("canaries", number, "", f"a canary survived: {canary.name}")


def self_test(detector: Detector, policy: Policy, seed: bytes) -> tuple[int, list[Failure]]:
    """Plant every canary in a document and in a text of our own.

    Returns:
        How many were planted, and those that survived.
    """
    steps = [{"message": f"step {number}", "extra": {"note": "nothing"}} for number in range(_PLACES)]
    tree = {"schema_version": "ATIF-v1.7", "steps": steps}
    text = json.dumps(tree)
    made = Source("self-test.json", b"", text, parts=(Part(0, len(text), tree),))
    log = Source("self-test.log", b"", "started\nfinished\n")
    failures = [*check(made, 0, detector, policy, seed), *check(log, 1, detector, policy, seed)]
    return 2 * sum(1 for _ in canaries(seed)) + 1, failures
