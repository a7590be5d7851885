"""What the whole catalogue says of four Bundles of the corpus; every finding has its reason beside it."""

from __future__ import annotations

from typing import Any

import pytest

from attraj.findings import Severity, Stratum
from attraj.formats import Checked, Options, native
from attraj.jsonio import parse
from tests.support import CORPUS, needs_corpus

BUNDLES = CORPUS / "bundle"


def checked(name: str, **options: Any) -> Checked:
    return native.check(parse((BUNDLES / name).read_bytes()), Options(**options))


def found(name: str) -> list[str]:
    """Code and pointer of each finding, sorted."""
    return sorted(f"{finding.code} {finding.location.pointer}" for finding in checked(name).findings)


# A hand-made Bundle of all three profiles that uses every construct: remarks only.
NATIVE_FULL = [
    "AT803 /rights/redistribution_transformed",  # "unknown", on purpose
    "AT936 /integrity",  # no digest
]

# The compact example of the specification's Appendix B, which says of itself that it is no conforming fixture.
APPENDIX_B = [
    "AT122 /bindings",  # an agent acts, and `bindings` name none
    "AT206 /nodes/0/read_set/0",  # a frame and an observation that are not in the bundle
    "AT206 /nodes/0/read_set/1",
    "AT206 /outcomes/0/evidence_refs/0",  # the receipt is nowhere
    "AT206 /verifier_results/0/evidence_refs/0",
    "AT211 /nodes/0",  # no source event
    "AT305 /nodes/0",  # the only node, a decision, without any parent
    "AT406 /nodes/0",  # most parts of its transition are not shown
    "AT501 /nodes/0",  # no authority class
    "AT602 /outcomes/0",  # no node or boundary of assertion
    "AT611 /verifier_results/0",  # no output; AT-Evaluation asks for the environment too
    "AT613 /verifier_results/0/verifier",  # version inside the name
    "AT617 /verifier_results/0",  # no scope, which AT-Evaluation asks for
    "AT625 /reward_records/0/policy",  # version inside the name
    "AT705 /disclosure/user_content",  # "redacted", and no value shows it
    "AT804 /rights/training",  # AT-Training with training: false
    "AT824 /nodes",  # AT-Training without a target
    "AT911 /bindings",  # no task
    "AT912 /scope",  # no termination
    "AT913 /scope",  # no resources
    "AT915 /bindings",  # no tools
    "AT916 /bindings",  # no statement on uncontrolled variables
    "AT936 /integrity",  # no digest
]

# What the reference exporter writes for a user message with a key in it: it conforms.
REF_CORE_REDACTED = [
    "AT120 /outcomes",  # empty, and its form has no place to say why
    "AT120 /reward_records",
    "AT120 /verifier_results",
    "AT209 /disclosure",  # its trajectory id is a SHA-256, and its form has no place to say of what
    "AT703 /nodes/0/payload/api_key",  # "[REDACTED]", declared in redacted_fields: a remark
    "AT703 /nodes/0/payload/text",
]

# Its training loop: evidence, decision, observation, verification, reward; most of it without edges.
REF_TRAINING_LOOP = [
    "AT120 /outcomes",
    "AT122 /bindings",  # the agent that acts is not bound
    "AT209 /disclosure",  # ids of verifier result and reward are digests too
    "AT305 /nodes/0",  # no node but the observation has a parent, and its form cannot say so
    "AT305 /nodes/1",
    "AT305 /nodes/3",
    "AT305 /nodes/4",
    "AT406 /nodes/1",
    "AT617 /verifier_results/0",  # no scope: a remark without AT-Evaluation
    "AT705 /disclosure/user_content",  # "redacted" by a constant of the exporter, and there is none
    "AT824 /nodes",  # no masks: its form has no place for them
]


@needs_corpus
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        pytest.param("derived/native_full.json", NATIVE_FULL, id="native-full"),
        pytest.param("morphz/examples/appendix_b_compact.json", APPENDIX_B, id="appendix-b"),
        pytest.param("derived/ref_core_redacted.json", REF_CORE_REDACTED, id="reference-core"),
        pytest.param("derived/ref_training_loop.json", REF_TRAINING_LOOP, id="reference-training-loop"),
    ],
)
def test_findings(name: str, expected: list[str]) -> None:
    assert expected == found(name)


@needs_corpus
@pytest.mark.parametrize(
    ("name", "words"),
    [
        pytest.param("derived/native_full.json", ["conforms", "conforms", "conforms"], id="native-full"),
        pytest.param("morphz/examples/appendix_b_compact.json", ["fails", "fails", "fails"], id="appendix-b"),
        pytest.param("derived/ref_core_redacted.json", ["conforms", "not_claimed", "not_claimed"], id="reference-core"),
        pytest.param("derived/ref_training_loop.json", ["conforms", "not_claimed", "fails"], id="reference-loop"),
    ],
)
def test_verdicts(name: str, words: list[str]) -> None:
    given = checked(name).verdicts
    assert words == [given[profile] for profile in ("AT-Core", "AT-Evaluation", "AT-Training")]


@needs_corpus
def test_the_example_of_the_specification_is_structurally_sound() -> None:
    """`attraj validate --level structure` ends with 0 on it (spec: bundle.md §2.3)."""
    findings = checked("morphz/examples/appendix_b_compact.json", level=Stratum.REFERENCES).findings
    assert Severity.ERROR > max(finding.severity for finding in findings)
