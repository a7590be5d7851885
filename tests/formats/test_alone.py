"""Episodes, Dataset manifests and sealed Bundles as documents: what a report says of them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from attraj.bundle.canonical import RFC8785, document_digest
from attraj.findings import DocumentReport, Stratum
from attraj.formats import Options, by_name
from attraj.jsonio import parse
from attraj.verbs.validate import Request, validate
from tests.support import CORPUS, base_document, needs_corpus

STATED = {"status": "digest_provided", "algorithm": "sha256", "canonicalization": RFC8785}


def sealed(kind: str) -> Any:
    tree = {**base_document("attraj.bundle.checks", kind), "integrity": STATED}
    return {**tree, "integrity": {**STATED, "digest": document_digest(tree, RFC8785)}}


def report(tree: Any, request: Request = Request()) -> DocumentReport:  # noqa: B008
    return validate(parse(tree if isinstance(tree, bytes) else json.dumps(tree).encode()), request)


@needs_corpus
def test_the_episode_of_the_reference_is_clean_and_its_digest_valid() -> None:
    found = validate(CORPUS / "bundle/derived/ref_training_loop.episode.json")
    assert ("episode", "0.1", "clean", {"integrity": "valid"}) == (
        found.format,
        found.format_version,
        found.status,
        dict(found.verdicts),
    )


@pytest.mark.parametrize("kind", ["episode", "dataset", "minimal"])
def test_a_sealed_document_is_valid_whatever_it_is(kind: str) -> None:
    found = report(sealed(kind))
    assert ("valid", []) == (found.verdicts["integrity"], [f.code for f in found.findings if f.code[:4] == "AT93"])


@pytest.mark.parametrize("kind", ["episode", "dataset", "minimal"])
def test_a_member_that_stands_twice_voids_the_digest(kind: str) -> None:
    raw = json.dumps(sealed(kind)).replace('"training": ', '"training": true, "training": ', 1).encode()
    found = report(raw)
    codes = [finding.code for finding in found.findings]
    assert ("mismatch", 1, 1) == (found.verdicts["integrity"], codes.count("AT003"), codes.count("AT934"))


def test_rights_that_stand_twice_fail_the_bundle() -> None:
    raw = json.dumps(base_document("attraj.bundle.checks", "minimal"))
    found = report(raw.replace('"rights": ', '"rights": {"training": false}, "rights": ', 1).encode())
    assert "fails" == found.verdicts["AT-Core"]


def test_no_word_on_integrity_below_the_level_that_looks_at_it() -> None:
    assert {} == dict(report(sealed("episode"), Request(options=Options(level=Stratum.REFERENCES))).verdicts)


@pytest.mark.parametrize(("kind", "member"), [("episode", "transitions"), ("dataset", "members")])
def test_an_unsupported_version_is_rejected(kind: str, member: str) -> None:
    found = report({f"{kind}_version": "9", f"{kind}_id": "x", member: []})
    assert (kind, "rejected", None) == (found.format, found.status, found.format_version)


@pytest.mark.parametrize("kind", ["episode", "dataset", "bundle"])
def test_each_rule_is_listed_once(kind: str) -> None:
    known = by_name(kind)
    assert known is not None
    codes = [rule.code for rule in known.load().rules()]
    assert sorted(set(codes)) == codes
