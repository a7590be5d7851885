"""AT701, AT705, AT706, AT714, AT715: declarations against content."""

from __future__ import annotations

from typing import Any

import pytest

from attraj.bundle.checks import disclosure
from tests.bundle.checks.families import FULL, MINIMAL, added, changed, findings, found, removed, replaced
from tests.bundle.checks.mangled import mangled

TEXT = "/nodes/0/payload/text"
SEEN = "/nodes/4/observation"
REASONING = {"type": "reasoning", "encrypted_content": "c2VhbGVk"}
OPEN = replaced("/disclosure/user_content", "included")

BAD = [
    pytest.param(replaced("/disclosure", {}), [("AT701", "/disclosure")], id="empty"),
    pytest.param(replaced("/disclosure", {"redacted_fields": []}), [("AT701", "/disclosure")], id="nothing-declared"),
    pytest.param(
        added("/disclosure/redacted_fields/-", "payload.api_key"),
        [("AT705", "/disclosure/redacted_fields/1")],
        id="a-path-at-which-nothing-is-marked",
    ),
    pytest.param(
        added("/disclosure/redactions/-", {"target": "node:level", "pointer": "/observation"}),
        [("AT705", "/disclosure/redactions/1")],
        id="a-place-at-which-nothing-is-marked",
    ),
    pytest.param(
        added("/disclosure/redactions/-", {"target": "node:none", "pointer": "/observation"}),
        [("AT705", "/disclosure/redactions/1")],
        id="a-place-in-no-record",
    ),
    pytest.param(
        [
            *removed("/nodes/0/payload"),
            *replaced("/disclosure/redactions", []),
            *removed("/nodes/1/model_call"),
            *replaced("/disclosure/redacted_fields", []),
            *replaced("/disclosure/raw_event_payloads", "unknown"),
        ],
        [("AT705", "/disclosure/user_content")],
        id="user-content-redacted-and-nothing-marked",
    ),
    pytest.param(replaced(SEEN, REASONING), [("AT706", SEEN)], id="sealed-reasoning"),
    pytest.param(replaced(SEEN, {"type": "thinking", "thinking": "Hm."}), [("AT706", SEEN)], id="thinking"),
    pytest.param(replaced(SEEN, {"reasoning_content": "Hm."}), [("AT706", SEEN)], id="reasoning-content"),
    pytest.param(replaced(SEEN, {"thought_signature": "c2ln"}), [("AT706", SEEN)], id="thought-signature"),
    pytest.param(
        replaced(SEEN, [{"a": [REASONING]}, REASONING]), [("AT706", f"{SEEN}/0/a/0"), ("AT706", f"{SEEN}/1")], id="deep"
    ),
    pytest.param(replaced(TEXT, "Is the gauge dry?"), [("AT714", TEXT)], id="text-of-a-user"),
    pytest.param(
        replaced(TEXT, [{"type": "text", "text": "Is it?"}]), [("AT714", f"{TEXT}/0/text")], id="text-in-a-part"
    ),
    pytest.param(
        [
            *replaced("/nodes/0/authority_class", "runtime"),
            *added("/nodes/0/topic", "chat/user"),
            *replaced(TEXT, "Hm"),
        ],
        [("AT714", TEXT)],
        id="a-user's-message-in-the-reference-form",
    ),
    pytest.param(
        replaced("/disclosure/raw_event_payloads", "omitted"),
        [("AT715", "/disclosure/raw_event_payloads")],
        id="omitted-and-there",
    ),
    pytest.param(
        [
            *removed("/nodes/0/payload"),
            *OPEN,
            *replaced("/disclosure/redactions", []),
            *replaced("/disclosure/redacted_fields", []),
        ],
        [("AT715", "/disclosure/raw_event_payloads")],
        id="included-and-not-there",
    ),
]


@pytest.mark.parametrize("raw", [False, True], ids=["tree-alone", "with-bytes"])
@pytest.mark.parametrize(("patch", "expected"), BAD)
def test_reports_each_fault_once(patch: Any, expected: list[tuple[str, str]], raw: bool) -> None:
    assert expected == found(changed(patch), disclosure, raw=raw)


MARKER = {"$at": {"status": "redacted", "class": "tool_output"}}
SILENT = [
    pytest.param([], id="the-full-example"),
    pytest.param(replaced("/disclosure", {"user_content": "unknown"}), id="one-declaration-is-enough"),
    pytest.param(replaced(TEXT, "[REDACTED]"), id="a-placeholder-shows-it"),
    pytest.param(
        [
            *replaced(SEEN, "call <PHONE_1> at six"),
            *added("/disclosure/redactions/-", {"target": "node:level", "pointer": "/observation", "spans": 1}),
        ],
        id="a-span-shows-it",
    ),
    pytest.param(
        added("/disclosure/redactions/-", {"target": "", "pointer": "/bindings/sandboxes/0"}), id="a-withheld-binding"
    ),
    pytest.param(added("/disclosure/redacted_fields/-", "model_call.request_artifact"), id="a-withheld-request"),
    pytest.param(added("/disclosure/redacted_fields/-", "payload"), id="something-inside-is-marked"),
    pytest.param([*replaced(SEEN, MARKER), *added("/disclosure/redacted_fields/-", "observation.key")], id="above"),
    pytest.param([*replaced(SEEN, REASONING), *replaced("/disclosure/private_reasoning", "included")], id="disclosed"),
    pytest.param(replaced(SEEN, {"type": "reasoning", "encrypted_content": None, "summary": ["Hm."]}), id="summary"),
    pytest.param(replaced(SEEN, {"reasoning_content": ""}), id="empty-reasoning"),
    pytest.param(replaced(SEEN, {"reasoning_content": MARKER}), id="marked-reasoning"),
    pytest.param(replaced(SEEN, {"usage": {"reasoning_tokens": 12}}), id="counted-reasoning"),
    pytest.param(
        replaced(SEEN, {"type": "web_search_result", "encrypted_content": "c2VhbGVk"}), id="a-sealed-search-result"
    ),
    pytest.param(
        replaced("/disclosure/user_content", "partially_redacted") + replaced(TEXT, "I am <USER_1>"), id="part"
    ),
    pytest.param(replaced("/nodes/0/payload", {"text": FULL["nodes"][0]["payload"]["text"], "id": "x"}), id="an-id"),
    pytest.param([*OPEN, *replaced("/disclosure/raw_event_payloads", "redacted")], id="payloads-redacted"),
]


@pytest.mark.parametrize("raw", [False, True], ids=["tree-alone", "with-bytes"])
@pytest.mark.parametrize("patch", SILENT)
def test_is_silent(patch: Any, raw: bool) -> None:
    assert [] == found(changed(patch), disclosure, raw=raw)


def test_a_bundle_with_nothing_withheld_is_silent() -> None:
    assert [] == found(MINIMAL, disclosure)


def test_no_type_in_any_place_breaks_a_check() -> None:
    for tree in mangled(FULL, "disclosure", "nodes"):
        findings(tree, disclosure)
