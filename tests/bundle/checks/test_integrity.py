"""AT931 to AT938: what `integrity` states, whether the digest holds, and the word that a report says of it."""

from __future__ import annotations

from typing import Any

import pytest

from attraj.bundle import canonical
from attraj.bundle.canonical import ATTRAJ_C14N, RFC8785, STRUCT_ORDER, document_digest
from attraj.bundle.checks import integrity
from attraj.bundle.model import Bundle
from attraj.findings import Finding
from tests.bundle.checks.mangled import mangled
from tests.support import base_document, merge_patch

MINIMAL = base_document("attraj.bundle.checks", "minimal")
WRONG = "sha256:" + "0123456789abcdef" * 4
STATED = {"status": "digest_provided", "algorithm": "sha256", "canonicalization": RFC8785}
# The smallest change that brings the base document into the reference form.
REFERENCE_FORM = {
    "source": {"authority_revision": None},
    "scope": {"context_id": "context:example", "attempt_ids": None},
    "completeness": {"material_omissions": []},
    "nodes": [],
    "edges": [],
    "disclosure": {"redacted_fields": [], "absences": None},
    "extensions": {},
}


def run(tree: Any) -> list[Finding]:
    return [*integrity.statement.run(Bundle(tree)), *integrity.seal.run(Bundle(tree))]


def found(tree: Any) -> list[tuple[str, str]]:
    return [(finding.code, finding.location.pointer) for finding in run(tree)]


def sealed(change: Any, form: str = RFC8785) -> Any:
    tree = merge_patch(merge_patch(MINIMAL, change), {"integrity": {**STATED, "canonicalization": form}})
    return merge_patch(tree, {"integrity": {"digest": document_digest(tree, form)}})


STATEMENTS = [
    pytest.param({"status": "not_provided"}, ["AT936 /integrity"], "not_provided", id="nothing-provided"),
    pytest.param({}, ["AT931 /integrity"], "not_provided", id="no-status"),
    pytest.param({"status": "sealed"}, ["AT931 /integrity/status"], "not_provided", id="a-status-nobody-knows"),
    pytest.param({"status": 5}, [], "not_provided", id="a-status-that-is-a-number"),
    pytest.param(STATED, ["AT932 /integrity"], "not_provided", id="a-digest-announced-and-not-there"),
    pytest.param({"status": "signed"}, ["AT932 /integrity"], "not_provided", id="signatures-announced-and-not-there"),
    pytest.param(
        {"status": "digest_provided", "digest": WRONG},
        ["AT932 /integrity"],
        "unsupported_canonicalization",
        id="neither-algorithm-nor-form",
    ),
    pytest.param(
        {"status": "digest_provided", "digest": WRONG, "algorithm": "sha256"},
        ["AT932 /integrity"],
        "unsupported_canonicalization",
        id="no-form",
    ),
    pytest.param(
        {**STATED, "status": "not_provided", "digest": WRONG},
        ["AT933 /integrity/digest"],
        "not_provided",
        id="a-digest-although-not-provided",
    ),
    pytest.param(
        {"status": "not_provided", "signatures": [{}]},
        ["AT933 /integrity/signatures"],
        "not_provided",
        id="signatures-although-not-provided",
    ),
    pytest.param({"status": "not_provided", "signatures": []}, ["AT936 /integrity"], "not_provided", id="empty-list"),
    pytest.param({**STATED, "digest": WRONG}, ["AT934 /integrity/digest"], "mismatch", id="another-digest"),
    pytest.param({**STATED, "digest": ""}, ["AT934 /integrity/digest"], "mismatch", id="an-empty-digest"),
    pytest.param(
        {**STATED, "canonicalization": "example-form", "digest": WRONG},
        ["AT935 /integrity/canonicalization"],
        "unsupported_canonicalization",
        id="a-form-nobody-knows",
    ),
    pytest.param(
        {**STATED, "algorithm": "blake3", "digest": WRONG},
        ["AT935 /integrity/algorithm"],
        "unsupported_canonicalization",
        id="an-algorithm-not-known-here",
    ),
    pytest.param(
        {**STATED, "digest": {"$at": {"status": "redacted"}}}, ["AT936 /integrity"], "not_provided", id="withheld"
    ),
    pytest.param(
        {**STATED, "status": "signed", "signatures": [{"scheme": "x", "key_id": "k", "value": "v"}]},
        ["AT937 /integrity/signatures"],
        "not_provided",
        id="a-signature-alone",
    ),
    pytest.param(
        {**STATED, "status": "signed", "signatures": [{"scheme": "x"}]},
        ["AT932 /integrity/signatures/0", "AT937 /integrity/signatures"],
        "not_provided",
        id="a-signature-without-key-and-value",
    ),
]


@pytest.mark.parametrize(("stated", "expected", "word"), STATEMENTS)
def test_what_is_stated(stated: Any, expected: list[str], word: str) -> None:
    tree = {**MINIMAL, "integrity": stated}
    findings = run(tree)
    assert (expected, word) == (
        [f"{finding.code} {finding.location.pointer}" for finding in findings],
        integrity.word(tree, findings),
    )


@pytest.mark.parametrize("form", [RFC8785, ATTRAJ_C14N])
def test_a_right_digest_is_valid(form: str) -> None:
    tree = sealed({}, form)
    assert ([], "valid") == (found(tree), integrity.word(tree, []))


@pytest.mark.parametrize(
    "spelling",
    [
        pytest.param(lambda digest: digest.upper(), id="in-capitals"),
        pytest.param(lambda digest: digest.removeprefix("sha256:"), id="without-its-algorithm"),
        pytest.param(lambda digest: "sha-256:" + digest.removeprefix("sha256:"), id="with-a-dash"),
    ],
)
def test_the_spelling_of_a_digest_does_not_matter(spelling: Any) -> None:
    tree = sealed({})
    tree["integrity"]["digest"] = spelling(tree["integrity"]["digest"])
    tree["integrity"]["algorithm"] = "sha256"
    assert [] == found(tree)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"rights": {"training": True}}, id="a-right"),
        pytest.param({"rights": {"consent": True}}, id="a-member-nobody-knows"),
        pytest.param({"extensions": {"org.example.note": {}}}, id="an-extension"),
        pytest.param({"integrity": {"note": "checked"}}, id="a-member-of-integrity"),
    ],
)
def test_every_change_shows(change: Any) -> None:
    assert [("AT934", "/integrity/digest")] == found(merge_patch(sealed({}), change))


def test_a_document_without_such_a_form_has_no_such_digest() -> None:
    findings = run(merge_patch(sealed({}), {"extensions": {"org.example.n": {"n": 1 << 53}}}))
    assert [("AT934", ["/extensions/org.example.n/n"])] == [
        (finding.code, [place.pointer for place in finding.related]) for finding in findings
    ]


def test_integers_of_any_size_are_sealed_in_the_form_of_our_own() -> None:
    assert [] == found(sealed({"extensions": {"org.example.n": {"n": 1 << 80}}}, ATTRAJ_C14N))


def test_the_reference_form_does_not_cover_everything() -> None:
    tree = sealed(REFERENCE_FORM, STRUCT_ORDER)
    assert [] == found(tree)
    findings = run(merge_patch(tree, {"rights": {"consent": True}, "reviewed": 1}))
    assert [("AT938", "/integrity/digest", ["/reviewed", "/rights/consent"])] == [
        (f.code, f.location.pointer, sorted(place.pointer for place in f.related)) for f in findings
    ]


def test_uncovered_members_are_counted_beyond_the_listed_ones() -> None:
    many = {f"member_{number}": number for number in range(25)}
    (finding,) = run(merge_patch(sealed(REFERENCE_FORM, STRUCT_ORDER), {"disclosure": many}))
    assert ("AT938", 10, True) == (finding.code, len(finding.related), "25 members" in finding.message)


def test_a_document_out_of_the_reference_form_cannot_have_its_digest() -> None:
    tree = merge_patch(sealed(REFERENCE_FORM, STRUCT_ORDER), {"extensions": None})
    assert [("AT934", "/integrity/digest")] == found(tree)


@pytest.mark.parametrize("stated", [None, 5, "x", [], [{}]])
def test_other_types_are_told_by_the_shape(stated: Any) -> None:
    assert [] == found({**MINIMAL, "integrity": stated})


def test_a_document_without_integrity_is_told_by_the_shape() -> None:
    assert [] == found({name: value for name, value in MINIMAL.items() if name != "integrity"})


def test_nothing_is_hashed_where_no_digest_is_stated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(canonical, "document_digest")
    assert [("AT936", "/integrity")] == found(MINIMAL)


def test_any_type_anywhere_is_taken() -> None:
    signed = {"digest": WRONG, "signatures": [{"scheme": "x", "key_id": "k", "value": "v"}]}
    base = {**MINIMAL, "integrity": {**STATED, **signed, "status": "signed"}}
    for tree in mangled(base, "integrity"):
        integrity.word(tree, run(tree))
    for tree in mangled(sealed(REFERENCE_FORM, STRUCT_ORDER), "integrity", "scope", "disclosure", "extensions"):
        integrity.word(tree, run(tree))
