"""What holds for every Bundle: order without meaning changes no finding; a check changes nothing, repeats nothing."""

from __future__ import annotations

import copy
import json
from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attraj.bundle.shape import COLLECTIONS
from attraj.formats import Options, native
from attraj.jsonio import Document
from attraj.pages import pages_of
from attraj.pointer import split
from tests.support import base_document, patched

PACKAGE = "attraj.bundle.checks"

# Codes about the order of an array itself, or about records that have one identity, so that it cannot name them.
ABOUT_ORDER = {"AT313", "AT201", "AT202", "AT212", "AT304"}


def documents() -> list[Any]:
    """The base documents, and every bad and good example of the rules' pages."""
    found = [base_document(PACKAGE, name) for name in ("minimal", "full")]
    for page in pages_of(PACKAGE):
        for fragment in page.fragments() if page.code not in ABOUT_ORDER else ():
            base = fragment.options.get("on", "minimal")
            if fragment.language == "json" and base in ("minimal", "full") and "seal" not in fragment.options:
                found.append(patched(base_document(PACKAGE, base), json.loads(fragment.body)))
    return [tree for tree in found if type(tree) is dict]


DOCUMENTS = documents()


def shuffled(value: Any, random: Random) -> Any:
    """The same value with the keys of every object in another order."""
    if isinstance(value, dict):
        keys = list(value)
        random.shuffle(keys)
        return {key: shuffled(value[key], random) for key in keys}
    return [shuffled(element, random) for element in value] if isinstance(value, list) else value


def reordered(tree: Any, random: Random) -> Any:
    """The Bundle with its keys, its collections and its profiles in another order (§14: none of them has a meaning)."""
    result = shuffled(tree, random)
    for name in (*COLLECTIONS, "profiles"):
        if isinstance(result.get(name), list):
            random.shuffle(result[name])
    return result


def told(tree: Any) -> Counter[tuple[str, frozenset[str]]]:
    """How often each code is reported of the same places; a record is named by its identity, not by its position.

    Of two records that contradict each other the later one is blamed, and the first is named beside it: the records of
    such a finding are taken together.
    """
    told: Counter[tuple[str, frozenset[str]]] = Counter()
    for finding in native.check(Document(b"", tree), Options()).findings:
        pointers = [finding.location.pointer, *(related.pointer for related in finding.related)]
        places = [place(tree, pointer) for pointer in pointers]
        if len(places) > 1:
            places = [json.dumps(json.loads(each)[:2]) for each in places]
        told[finding.code, frozenset(places)] += 1
    return told


def place(tree: Any, pointer: str) -> str:
    tokens = split(pointer)
    if len(tokens) > 1 and (tokens[0] in COLLECTIONS or tokens[0] == "profiles"):
        record = tree[tokens[0]][int(tokens[1])]
        member = COLLECTIONS[tokens[0]][1] if tokens[0] in COLLECTIONS else ""
        named = record.get(member) if isinstance(record, dict) else None
        tokens[1] = json.dumps(named if named is not None else record, sort_keys=True)
    return json.dumps(tokens)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(DOCUMENTS), st.randoms(use_true_random=False))
def test_order_without_meaning_changes_no_finding(tree: Any, random: Random) -> None:
    assert told(tree) == told(reordered(tree, random))


@pytest.mark.parametrize("number", range(len(DOCUMENTS)))
def test_a_check_leaves_the_document_as_it_was(number: int) -> None:
    tree = DOCUMENTS[number]
    before = copy.deepcopy(tree)
    native.check(Document(b"", tree), Options(as_reference=True, needs_closure=True, now="2031-01-01T00:00:00Z"))
    assert json.dumps(before) == json.dumps(tree)  # the order of keys included


@pytest.mark.parametrize("number", range(len(DOCUMENTS)))
def test_the_same_document_gives_the_same_findings(number: int) -> None:
    first, second = (native.check(Document(b"", DOCUMENTS[number]), Options()) for _ in range(2))
    assert (first.findings, first.verdicts) == (second.findings, second.verdicts)


TOKEN = "canary7f3a"


def marked(value: Any, *, keeps: bool) -> Any:
    """The value with a token in every text and, in a member of its own, in a name of every object."""
    if isinstance(value, dict):
        return {key: marked(inner, keeps=keeps) for key, inner in value.items()} | {TOKEN: TOKEN}
    if isinstance(value, list):
        return [marked(element, keeps=keeps) for element in value]
    return (value + TOKEN if keeps else TOKEN) if isinstance(value, str) else value


@pytest.mark.parametrize("keeps", [True, False], ids=["beside-the-text", "instead-of-the-text"])
@pytest.mark.parametrize("number", range(len(DOCUMENTS)))
def test_no_message_repeats_a_text_of_the_document(number: int, keeps: bool) -> None:
    tree = marked(DOCUMENTS[number], keeps=keeps)
    for finding in native.check(Document(b"", tree), Options(as_reference=True)).findings:
        said = [finding.message, finding.hint, *(related.message for related in finding.related)]
        assert TOKEN not in " ".join(said), finding.code
