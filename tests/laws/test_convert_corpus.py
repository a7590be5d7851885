"""Laws of conversion over every document of the corpus: exact, the same twice, without faults, every value proven."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from attraj.bundle.checks.reference_form import differences
from attraj.formats.mapping.fields import is_same
from attraj.formats.mapping.rooms import READABLE
from attraj.jsonio import parse
from attraj.jsonio.write import dumps
from tests.laws.converting import Case, converted, corpus, errors
from tests.support import REPOSITORY, needs_corpus

pytestmark = needs_corpus

CASES = list(corpus())
SHAPELESS = 10  # of the corpus are there for the faults of their shape
SMALL = [pytest.param(case, id=case.name) for case in CASES if case.is_small]
LARGE = [pytest.param(case, id=case.name, marks=pytest.mark.slow) for case in CASES if not case.is_small]
# A run that has asked for nothing yet is no document of a format that is made of turns.
REPEATED_IDS = "ATIF014"  # ids of calls are written as they are, also where the source gives one twice
WITHOUT_TURNS = {"swe-agent/generated-by-upstream-code/retry-score-two-attempts/"}


def test_the_corpus_is_read_but_for_the_files_that_have_faults_of_shape() -> None:
    found = [case.name for case in CASES if converted(case.document, "bundle").status != "converted"]
    assert (SHAPELESS, True) == (len(found), len(CASES) > 200)


@pytest.mark.parametrize("case", [*SMALL, *LARGE])
def test_a_document_comes_back_out_of_its_bundle_as_it_was(case: Case) -> None:
    made = converted(case.document, "bundle", is_verified=True)
    if made.status == "findings":
        return
    assert ("converted", "") == (made.status, made.reason)
    text = made.outputs[0].text
    assert [] == errors(text)
    back = converted(parse(text), case.format, is_verified=True)
    assert ("converted", (), 1) == (back.status, back.losses, len(back.outputs)), back.reason
    assert dumps(case.document.tree) == dumps(parse(back.outputs[0].text).tree)


@pytest.mark.parametrize("case", [*SMALL, *LARGE])
def test_a_document_in_its_own_format_is_what_it_was_and_loses_nothing(case: Case) -> None:
    made = converted(case.document, case.format, is_verified=True)
    if made.status != "findings":
        assert ("converted", ()) == (made.status, made.losses), made.reason
        assert dumps(case.document.tree) == dumps(parse(made.outputs[0].text).tree)


@pytest.mark.parametrize("case", SMALL)
def test_a_bundle_in_the_reference_form_comes_back(case: Case) -> None:
    native = converted(case.document, "bundle")
    if native.status == "findings":
        return
    made = converted(case.document, "bundle", form="morphz-ref", is_verified=True)
    assert "converted" == made.status, made.reason
    tree = parse(made.outputs[0].text).tree
    assert ([], []) == (list(differences(tree)), errors(made.outputs[0].text))
    back = converted(parse(made.outputs[0].text), "bundle", is_verified=True)
    assert is_same(parse(native.outputs[0].text).tree, parse(back.outputs[0].text).tree)


@pytest.mark.parametrize("to", READABLE)
@pytest.mark.parametrize("case", [*SMALL, *LARGE])
def test_what_another_format_says_is_proven_and_what_it_does_not_is_named(case: Case, to: str) -> None:
    made = converted(case.document, to, is_verified=True)
    if made.status == "findings" or to == case.format:
        return
    if made.status == "refused" and not made.is_unproven:
        assert any(case.name.startswith(one) for one in WITHOUT_TURNS)
        return
    assert ("converted", "") == (made.status, made.reason)
    for output in made.outputs:
        assert [] == [one for one in errors(output.text, to) if not one.startswith(REPEATED_IDS)]
        assert "converted" == converted(parse(output.text), "bundle", format=to).status
    bundle = converted(case.document, "bundle").outputs[0].text
    again = converted(parse(bundle), to, is_verified=True)
    assert ("converted", "") == (again.status, again.reason)
    assert [one.text for one in made.outputs] == [one.text for one in again.outputs]
    named = {(one.code, one.pointer) for one in again.losses}  # also of what a reader said, and no source
    assert {(one.code, one.pointer) for one in made.losses if one.stage == "write"} <= named


_DIGESTS = """
import hashlib
from tests.laws.converting import bases, converted, document_of
from attraj.formats.mapping.rooms import READABLE
found = hashlib.sha256()
for room in READABLE:
    for tree in bases(room):
        for to in ("bundle", *READABLE):
            made = converted(document_of(tree), to)
            found.update(repr((made.outputs, made.losses)).encode())
print(found.hexdigest())
"""


def test_no_order_of_a_set_shows_in_what_is_written() -> None:
    """Two processes hash differently; within one, the order of a set is always the same."""
    digests = set()
    for seed in ("1", "2"):
        environment = {
            **os.environ,
            "PYTHONHASHSEED": seed,
            "PYTHONPATH": os.pathsep.join([str(REPOSITORY), *sys.path]),
        }
        run = subprocess.run([sys.executable, "-c", _DIGESTS], env=environment, capture_output=True, check=True)
        digests.add(run.stdout)
    assert 1 == len(digests)
