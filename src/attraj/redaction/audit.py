"""The manifest of a run: what went, by kind and place, and how it was proven. Safe to publish, but for the private one.

Never in it: values, their beginnings, ends, lengths or digests, names of files or members that hold a secret, and the
plain digest of an input: whoever has that and the redacted file can try out what was taken (spec: redaction.md §7.7).
"""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from attraj.pointer import Ranks, shown
from attraj.redaction.changes import Change
from attraj.redaction.policy import Policy
from attraj.redaction.run import Done, Tools

SPEC = "attraj-redaction-1"
_CLASSES = (
    ("reasoning", ("reasoning", "thinking", "thought", "reasoning_content", "encrypted_content")),
    ("arguments", ("arguments", "tool_calls", "action", "input", "tool_input")),
    ("observation", ("observation", "output", "result", "results", "stdout", "stderr")),
    ("message", ("message", "content", "messages", "response", "query", "history", "text")),
    ("notes", ("notes", "note", "comment")),
    ("path", ("path", "file", "cwd", "working_dir", "trajectory_path")),
)


@dataclass(frozen=True, slots=True)
class Facts:
    """What the command layer knows.

    Attributes:
        tool, version: The program.
        started_at: RFC 3339 time; "" leaves it out.
        salt: Of the commitments to the inputs; at least 32 bytes.
        reviewer, reviewed_at: Who looked at the result, and when; "" when nobody did.
        packs: Of the detector: (id, version, sha256, origin).
        engines: Names of the engines that detected and that proved.
        opinion: Name and version of the other scanner that was asked; empty when none was.
    """

    tool: str
    version: str
    started_at: str
    salt: bytes = field(repr=False)
    reviewer: str = ""
    reviewed_at: str = ""
    packs: Sequence[tuple[str, str, str, str]] = ()
    engines: tuple[str, str] = ("", "")
    opinion: tuple[str, str] = ("", "")


def field_class(change: Change) -> str:
    """In which kind of field something stood."""
    if change.is_key:
        return "key"
    for key in reversed(change.keys):
        for name, keys in _CLASSES:
            if key in keys:
                return name
    return "extra"


def counts(done: Iterable[Done]) -> dict[str, dict[str, int]]:
    """How many places changed: by type, rule, confidence and kind of field; and how many distinct values."""
    by: dict[str, Counter[str]] = {
        name: Counter() for name in ("by_type", "by_rule", "by_confidence", "by_field_class", "encodings", "distinct")
    }
    for scope in done:
        by["distinct"].update(scope.placeholders.kinds())
        for (file, _), changes in scope.changes.items():
            is_text = not scope.sources[file].parts
            for change in changes:
                for stretch in change.stretches:
                    if not stretch.new:
                        continue
                    by["by_type"][stretch.kind] += 1
                    by["by_rule"][stretch.rule] += 1
                    by["by_confidence"][stretch.confidence] += 1
                    by["by_field_class"]["text" if is_text else field_class(change)] += 1
                    by["encodings"].update(stretch.via)
    return {name: dict(sorted(counter.items())) for name, counter in by.items()}


def manifest(done: Sequence[Done], tools: Tools, facts: Facts, *, result: str, left_out: Sequence[Any] = ()) -> Any:
    """The manifest that may be published.

    Args:
        done: The scopes, in order.
        tools: What they were made with: by which policy, and how files are read.
        facts: What the command layer knows.
        result: "verified", "review" or "refused".
        left_out: What was not written, as {"reason": …, "count": …}.
    """
    policy, counted = tools.policy, counts(done)
    distinct = counted.pop("distinct")
    reviews = [review for number, scope in enumerate(done) for review in _reviews(number, scope, tools)]
    made: dict[str, Any] = {
        "spec": SPEC,
        "tool": facts.tool,
        "tool_version": facts.version,
        "engine": facts.engines[0],
        "engine_of_proof": facts.engines[1],
        "second_opinion": dict(zip(("name", "version"), facts.opinion, strict=True)) if facts.opinion[0] else None,
        "packs": [dict(zip(("id", "version", "sha256", "origin"), pack, strict=True)) for pack in facts.packs],
        "policy": {"id": policy.id, "version": policy.version},
        "options": policy.parameters(),
        "started_at": facts.started_at,
        "scopes": [_scope(scope, facts.salt) for scope in done],
        "counts": counted,
        "distinct": {"by_type": distinct},
        "retyped": sum(c.is_number for scope in done for cs in scope.changes.values() for c in cs),
        "media": _media(done, policy),
        "unscanned": dict(
            sorted(Counter(u.reason for scope in done for u in scope.unscanned if not u.is_media).items())
        ),
        "ignored": sum(scope.ignored for scope in done),
        "encrypted_reasoning": sum(scope.sealed for scope in done),
        "preexisting_placeholders": sum(scope.placeholders.preexisting for scope in done),
        "left_out": list(left_out),
        "review": reviews,
        "verify": _verified(done),
        "result": result,
    }
    if not facts.started_at:
        del made["started_at"]
    if facts.reviewer:
        made |= {"reviewer": facts.reviewer, "reviewed_at": facts.reviewed_at}
    return made


def private_manifest(done: Sequence[Done], facts: Facts) -> Any:
    """For the owner alone: the digests of the inputs, and the salt that the published commitments are made with."""
    return {
        "spec": SPEC + "-private",
        "salt": facts.salt.hex(),
        "files": [
            {
                "name": source.name,
                "input_sha256": hashlib.sha256(source.raw).hexdigest(),
                "output_name": name,
                "output_sha256": hashlib.sha256(raw).hexdigest(),
            }
            for scope in done
            for source, (name, raw) in zip(scope.sources, scope.outputs, strict=True)
        ],
    }


def _scope(scope: Done, salt: bytes) -> list[dict[str, Any]]:
    return [
        {
            "name": name,
            "is_changed": scope.is_changed(number),
            "output_sha256": hashlib.sha256(raw).hexdigest(),
            "output_bytes": len(raw),
            "input_commitment": hmac.new(salt, scope.sources[number].raw, hashlib.sha256).hexdigest(),
        }
        for number, (name, raw) in enumerate(scope.outputs)
    ]


def _media(done: Sequence[Done], policy: Policy) -> dict[str, int]:
    number = sum(u.is_media for scope in done for u in scope.unscanned)
    where = {"keep": "kept", "drop": "dropped"}.get(policy.media, "unscanned")
    return {name: number if name == where else 0 for name in ("kept", "dropped", "unscanned")}


def _reviews(number: int, scope: Done, tools: Tools) -> Iterable[dict[str, Any]]:
    from attraj.redaction.source import read_source

    trees: dict[int, Any] = {}
    ranks = Ranks()
    for review in scope.reviews:
        name, raw = scope.outputs[review.file]
        if review.file not in trees:
            parts = read_source(name, raw, tools.limits, tools.forms).parts
            trees[review.file] = parts[0].tree if len(parts) == 1 else None
        yield {
            "scope": number,
            "file": name,
            "pointer": shown(review.pointer, trees[review.file], ranks),
            "rule": review.rule,
            "confidence": review.confidence,
        }


def _verified(done: Sequence[Done]) -> dict[str, str]:
    """A word for each proof: passed when it passed everywhere it was run."""
    words: dict[str, set[str]] = {}
    for scope in done:
        for name, word in scope.proof.words.items():
            words.setdefault(name, set()).add(word)
    return {
        name: "failed" if "failed" in said else "passed" if "passed" in said else "not run"
        for name, said in sorted(words.items())
    }
