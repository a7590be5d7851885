"""The reference's own form: its digests on the corpus, and what they do not cover."""

from __future__ import annotations

import json
from typing import Any

import pytest

from attraj.bundle.canonical import STRUCT_ORDER, canonical_bytes, document_digest
from attraj.bundle.canonical_form import NotCanonical, serde_number
from attraj.bundle.struct_order import uncovered
from tests.support import CORPUS, needs_corpus, patched

VECTORS = {
    "ref_core_redacted.json": "sha256:d996d68f3b5c59ce04a59e428a969132f1de046f43810eb4c6e24656cd8d7ba9",
    "ref_training_loop.json": "sha256:e1c0d68df5b93455302c6eeba2695574fffa93f3e79958d39436470276e2af73",
    "ref_training_loop.episode.json": "sha256:3c9aa85edb621843a517c5caff6733f74a8f204616995e3af4bb3bc0341c8269",
}


def corpus(name: str) -> Any:
    return json.loads((CORPUS / "bundle/derived" / name).read_text(encoding="utf-8"))


@needs_corpus
@pytest.mark.parametrize(("name", "expected"), VECTORS.items())
def test_digests_of_the_reference_are_reproduced(name: str, expected: str) -> None:
    document = corpus(name)
    assert (expected, []) == (document_digest(document, STRUCT_ORDER), list(uncovered(document)))


@needs_corpus
@pytest.mark.parametrize(
    ("patch", "is_same"),
    [
        pytest.param([{"op": "add", "path": "/rights/consent", "value": True}], True, id="an-unknown-member"),
        pytest.param(
            [{"op": "replace", "path": "/nodes/0/timestamp", "value": "1970-01-01T02:00:01.000+02:00"}],
            True,
            id="another-offset",
        ),
        pytest.param([{"op": "add", "path": "/nodes/0/state_before", "value": None}], True, id="an-optional-null"),
        pytest.param(
            [
                {"op": "remove", "path": "/nodes/0/payload"},
                {"op": "add", "path": "/nodes/0/payload", "value": {"context_id": "context-a"}},
            ],
            True,
            id="members-in-another-order",
        ),
        pytest.param([{"op": "replace", "path": "/nodes/0/topic", "value": "x"}], False, id="another-topic"),
        pytest.param(
            [{"op": "replace", "path": "/nodes/0/timestamp", "value": "1970-01-01T00:00:01.5Z"}],
            False,
            id="another-instant",
        ),
        pytest.param([{"op": "replace", "path": "/rights/training", "value": False}], False, id="another-right"),
        pytest.param([{"op": "replace", "path": "/reward_records/0/value", "value": 1}], False, id="integer-for-float"),
        pytest.param([{"op": "remove", "path": "/nodes/0/payload"}], False, id="payload-removed"),
    ],
)
def test_what_the_digest_covers(patch: Any, is_same: bool) -> None:
    changed = patched(corpus("ref_training_loop.json"), patch)
    assert is_same == (VECTORS["ref_training_loop.json"] == document_digest(changed, STRUCT_ORDER))


@needs_corpus
@pytest.mark.parametrize(
    ("patch", "pointer"),
    [
        pytest.param([{"op": "remove", "path": "/extensions"}], "", id="member-missing"),
        pytest.param([{"op": "remove", "path": "/nodes/1/topic"}], "/nodes/1", id="member-of-a-node-missing"),
        pytest.param([{"op": "replace", "path": "/nodes/1/topic", "value": None}], "/nodes/1/topic", id="null"),
        pytest.param(
            [{"op": "replace", "path": "/rights/training", "value": "unknown"}], "/rights/training", id="word"
        ),
        pytest.param([{"op": "replace", "path": "/bindings/contexts", "value": "a"}], "/bindings/contexts", id="text"),
        pytest.param([{"op": "replace", "path": "/edges/0", "value": 5}], "/edges/0", id="an-edge-that-is-a-number"),
        pytest.param([{"op": "replace", "path": "/nodes", "value": {}}], "/nodes", id="nodes-that-are-an-object"),
        pytest.param([{"op": "replace", "path": "/nodes/0/sequence", "value": -1}], "/nodes/0/sequence", id="negative"),
        pytest.param(
            [{"op": "replace", "path": "/nodes/0/timestamp", "value": "yesterday"}], "/nodes/0/timestamp", id="no-time"
        ),
        pytest.param(
            [{"op": "replace", "path": "/nodes/0/payload", "value": {"a": "\ud800"}}], "/nodes/0/payload/a", id="broken"
        ),
        pytest.param([{"op": "replace", "path": "/nodes/0/topic", "value": "\ud800"}], "/nodes/0/topic", id="half"),
    ],
)
def test_a_document_out_of_the_form_has_no_digest(patch: Any, pointer: str) -> None:
    with pytest.raises(NotCanonical) as refused:
        document_digest(patched(corpus("ref_training_loop.json"), patch), STRUCT_ORDER)
    assert pointer == refused.value.pointer


@pytest.mark.parametrize("value", [None, [], "x", 5, {}])
def test_anything_else_is_refused(value: Any) -> None:
    with pytest.raises(NotCanonical):
        canonical_bytes(value, STRUCT_ORDER)


@needs_corpus
@pytest.mark.parametrize(
    ("number", "text"),
    [
        pytest.param(1e16, b"1e16", id="ten-to-the-16"),
        pytest.param(1e15, b"1000000000000000.0", id="ten-to-the-15"),
        pytest.param(0.00001, b"0.00001", id="a-hundred-thousandth"),
        pytest.param(1e-6, b"1e-6", id="a-millionth"),
        pytest.param(1.5e300, b"1.5e300", id="large"),
        pytest.param(-0.0, b"-0.0", id="minus-zero"),
        pytest.param((1 << 64) - 1, b"18446744073709551615", id="u64"),
        pytest.param(1 << 64, b"1.8446744073709552e19", id="beyond-u64"),
        pytest.param(-(1 << 63), b"-9223372036854775808", id="i64"),
    ],
)
def test_numbers_are_written_as_serde_json_does(number: float, text: bytes) -> None:
    document = {**corpus("ref_core_redacted.json"), "extensions": {"b.c": number, "B.c": [number]}}
    assert canonical_bytes(document, STRUCT_ORDER).endswith(b'"extensions":{"B.c":[%s],"b.c":%s}}' % (text, text))
    assert type(number) is int or text.decode() == serde_number(number)


@needs_corpus
def test_uncovered_members_are_named_by_their_places() -> None:
    document = corpus("ref_training_loop.json")
    document["nodes"][1]["training"] = {}
    document["rights"]["consent"] = True
    document["reviewed"] = 1
    document["edges"][0] = 5
    assert sorted(uncovered(document)) == ["/nodes/1/training", "/reviewed", "/rights/consent"]
