"""A redacted Bundle says what was done to it, and nothing more than it did (bundle.md §6.1)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from attraj.redaction.policy import Policy
from attraj.redaction.run import redact_scope
from tests.redaction.made_up import GITHUB, TOOLS, USER, made_tools, source
from tests.support import base_document, json_patch

FULL: dict[str, Any] = base_document("attraj.bundle.checks", "full")
MINIMAL: dict[str, Any] = base_document("attraj.bundle.checks", "minimal")


def redacted(bundle: dict[str, Any], with_tools: Any = TOOLS) -> dict[str, Any]:
    done = redact_scope([source(bundle, "bundle.json")], with_tools)
    assert [] == [(f.proof, f.pointer, f.detail) for f in done.failures]
    made: dict[str, Any] = json.loads(done.outputs[0][1])
    return made


def planted(path: str, value: Any, base: dict[str, Any] = FULL) -> dict[str, Any]:
    made: dict[str, Any] = json_patch(base, [{"op": "add", "path": path, "value": value}])
    return made


MARKER = {
    "$at": {
        "status": "redacted",
        "class": "credential",
        "reason": "redaction policy attraj-default 1",
        "alias": "<API_TOKEN_1>",
    }
}


def test_a_bundle_without_secrets_keeps_every_byte() -> None:
    done = redact_scope([source(FULL, "bundle.json")], TOOLS)
    assert ([], False) == (done.failures, done.is_changed(0))


def test_a_whole_value_becomes_a_marker_and_a_span_a_placeholder() -> None:
    made = redacted(planted("/nodes/0/payload", {"token": GITHUB, "text": f"use {GITHUB}", "list": [GITHUB, 1]}))
    assert {"token": MARKER, "text": "use <API_TOKEN_1>", "list": [MARKER, 1]} == made["nodes"][0]["payload"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("{}\\\n{}", "<API_TOKEN_1>\\\n<API_TOKEN_1>", id="continued"),
        pytest.param("a {}\x1b[31m{}", "a <API_TOKEN_1>\x1b[31m<API_TOKEN_1>", id="coloured"),
        pytest.param('t = "{}" "{}"', 't = "<API_TOKEN_1>" "<API_TOKEN_1>"', id="in-two-strings"),
        pytest.param("{}\u200b{}", MARKER, id="whole"),
    ],
)
def test_each_piece_of_a_split_value_is_marked(text: str, expected: Any) -> None:
    made = redacted(planted("/nodes/0/payload", {"text": text.format(GITHUB[:12], GITHUB[12:])}))
    assert expected == made["nodes"][0]["payload"]["text"]
    assert made == redacted(made)


def test_the_envelope_says_what_was_done() -> None:
    old = planted("/nodes/0/payload", {"key": GITHUB, "keys": f"use {GITHUB}"})
    made = redacted(old)
    entries = [e for e in made["disclosure"]["redactions"] if e["pointer"].startswith("/payload/k")]
    common = {
        "target": FULL["nodes"][0]["node_id"],
        "status": "redacted",
        "class": "credential",
        "reason": "redaction policy attraj-default 1",
        "rule": "github-token",
    }
    assert [{**common, "pointer": "/payload/key"}, {**common, "pointer": "/payload/keys", "count": 1}] == entries
    assert "redaction" in made["transform"]["operations"]
    source_entry = made["transform"]["derived_from"][-1]
    assert (old["trajectory_id"], "redaction_of") == (source_entry["trajectory_id"], source_entry["relation"])
    assert made["trajectory_id"].startswith(old["trajectory_id"] + "+redaction:")
    assert {"status": "not_provided"} == made["integrity"]
    assert old["rights"] == made["rights"]
    assert "partial" == made["completeness"]["status"]


def test_no_digest_of_unredacted_content_stays() -> None:
    digest = {"algorithm": "sha256", "value": "0" * 64}
    old = planted("/nodes/0/payload", {"token": GITHUB})
    old["source"] = {**old["source"], "artifacts": [{"artifact_id": "a", "digest": digest}]}
    old["transform"] = {
        **old["transform"],
        "derived_from": [
            {"trajectory_id": "t", "relation": "conversion_of", "availability": "referenced", "digest": digest}
        ],
    }
    assert "0" * 64 not in json.dumps(redacted(old))


def test_an_identifier_that_holds_a_secret_is_renamed_wherever_it_is_used() -> None:
    old = json.loads(json.dumps(FULL).replace(f'"{FULL["nodes"][0]["node_id"]}"', f'"node:{GITHUB}"'))
    made = redacted(old)
    assert "node:<API_TOKEN_1>" == made["nodes"][0]["node_id"]
    uses = json.dumps(old).count(f"node:{GITHUB}")
    assert uses <= json.dumps(made).count("node:<API_TOKEN_1>")
    assert "id_renaming" in made["transform"]["operations"]


def test_redacting_twice_changes_nothing() -> None:
    once = redacted(planted("/nodes/0/payload", {"token": GITHUB, "home": f"/home/{USER}"}))
    done = redact_scope([source(once, "bundle.json")], TOOLS)
    assert ([], False) == (done.failures, done.is_changed(0))


def test_no_loss_is_taken_on_what_is_gone() -> None:
    position = next(n for n, node in enumerate(FULL["nodes"]) if node.get("training", {}).get("target") is True)
    node = FULL["nodes"][position]
    entry = next(e for e in node["training"]["mask"] if e["loss"] == "included")
    made = redacted(planted(f"/nodes/{position}{entry['path']}", GITHUB))
    after = next(e for e in made["nodes"][position]["training"]["mask"] if e["path"] == entry["path"])
    assert ("excluded", "redacted") == (after["loss"], after["availability"])


@pytest.mark.parametrize("drop", ["user_content", "tool_output", "private_reasoning"])
def test_a_field_that_is_dropped_whole(drop: str) -> None:
    made = redacted(FULL, made_tools(Policy(id="own", drop=frozenset({drop}))))
    assert len(FULL["nodes"]) == len(made["nodes"])


def test_a_bundle_that_says_little_gets_what_it_needs() -> None:
    made = redacted(planted("/nodes/0/payload", {"token": GITHUB}, MINIMAL))
    assert MARKER == made["nodes"][0]["payload"]["token"]
