"""Nothing is made up: what a writer writes is the Bundle's, or a loss, or a word of the format out of a closed list."""

from __future__ import annotations

from typing import Any

import pytest

from attraj.bundle.model import Bundle
from attraj.formats.mapping.fields import At, is_same, look_up, pointer_of
from attraj.formats.mapping.held import Ledger, settle
from attraj.formats.mapping.messages import Expander
from attraj.formats.mapping.rooms import READABLE, NotWritable, Wanted, writer
from attraj.formats.mapping.withheld import plain
from attraj.jsonio import Document, parse
from tests.laws.converting import bases, converted, corpus, document_of
from tests.support import base_document

# Every literal that a writer may write of its own, by its place. A number, a time, an identity or a claim of success
# is none: that is a loss (`synthesized`) wherever no Bundle says it.
WORDS: dict[str, dict[str, set[Any]]] = {
    "atif": {
        "/schema_version": {"ATIF-v1.6", "ATIF-v1.7", "ATIF-v1.8"},
        "/steps/*/source": {"agent", "system", "user"},
        "/steps/*/message/*/type": {"text", "image"},
        "/steps/*/observation/results/*/content/*/type": {"text", "image"},
        "/steps/*/tool_calls/*/extra/attraj/arguments": {"not an object", "not recorded"},
        "/steps/*/tool_calls/*/extra/attraj/synthetic_call": {True},
        "/steps/*/extra/attraj/calls/*/attraj/arguments": {"not an object", "not recorded"},
        "/steps/*/extra/attraj/calls/*/attraj/synthetic_call": {True},
        "/steps/*/extra/attraj/lost_reply": {True},
        "/steps/*/extra/attraj/iteration": {None},  # a step of a ReAct file that has none, among steps that have
    },
    "swe-agent": {
        "/history/*/agent": {"main"},
        "/history/*/message_type": {"action", "demonstration", "observation", "system_prompt", "thought"},
        "/history/*/role": {"assistant", "system", "tool", "user"},
        "/history/*/is_demo": {True},
        "/history/*/action": {""},
        "/history/*/tool_calls/*/type": {"function"},
        "/replay_config": {None},
        "/trajectory/*/action": {""},  # the format's word for a reply that asks for nothing it understands
        "/trajectory/*/observation": {"", None},  # its words for nothing that came back
        "/trajectory/*/attraj/is_derived": {True},
    },
    "mini-swe-agent": {
        "/trajectory_format": {"mini-swe-agent-1", "mini-swe-agent-1.1"},
        "/messages/*/role": {"assistant", "exit", "system", "tool", "user"},
        "/messages/*/content": {None},
        "/messages/*/content/*/type": {"text", "image_url"},
        "/messages/*/tool_calls/*/type": {"function"},
    },
    "react-web": {
        "/steps/*/type": {"action", "answer", "observation", "thought"},
        "/outcome": {"failure", "success"},  # its words for two statuses of an outcome
    },
}
# What a format says in a word of its own that says neither less nor more.
IN_ANOTHER_FORM = {("/outcomes/*/status", "/outcome")}
WANTED = [
    pytest.param(Wanted(), id="plain"),
    pytest.param(Wanted(splits_subagents=True, strips_thoughts=True), id="split-and-stripped"),
    pytest.param(Wanted(embeds_subagents=True, is_derived=True), id="embedded-and-derived"),
    pytest.param(Wanted(version="1.6"), id="an-older-version"),
]


def documents() -> list[Document]:
    made = [document_of(tree) for name in READABLE for tree in bases(name)]
    native = [document_of(base_document("attraj.bundle.checks", name)) for name in ("minimal", "full")]
    return [*made, *native, *(case.document for case in corpus() if case.is_small)]


BUNDLES = [result.outputs[0].text for one in documents() if (result := converted(one, "bundle")).outputs]


def pattern(at: At) -> str:
    return pointer_of(tuple("*" if str(token).isdigit() else token for token in at))


def said(bundle: Bundle, origin: At) -> Any:
    """What a Bundle says at a place, in words of other formats; of a state the messages that it stands for."""
    value = look_up(bundle.tree, origin)
    if len(origin) == 2 and origin[0] == "states":
        value = Expander(bundle).items(value["state_id"])
    return plain(value, origin, lambda _handling, _at, _code: None)


@pytest.mark.parametrize("wanted", WANTED)
@pytest.mark.parametrize("name", READABLE)
def test_a_writer_says_nothing_of_its_own_but_words_of_the_format(name: str, wanted: Wanted) -> None:
    if wanted.version and name != "atif":
        return
    others: set[tuple[str, str]] = set()
    for text in BUNDLES:
        bundle, ledger = Bundle(parse(text).tree), Ledger()
        try:
            composed = writer(name).compose(bundle, ledger, wanted)
        except NotWritable:
            continue
        for written in composed:
            settled = settle(written.tree, ledger)
            for at in settled.words:
                value = look_up(settled.tree, at)
                if not any(is_same(value, one) for one in WORDS[name].get(pattern(at), ())):
                    others.add((pattern(at), repr(value)[:30]))
    assert set() == others


@pytest.mark.parametrize("name", READABLE)
def test_what_is_held_stands_there_as_the_bundle_has_it(name: str) -> None:
    for text in BUNDLES:
        bundle, ledger = Bundle(parse(text).tree), Ledger()
        try:
            composed = writer(name).compose(bundle, ledger, Wanted())
        except NotWritable:
            continue
        for written in composed:
            settled = settle(written.tree, ledger)
            for origin, at in settled.trace:
                places = (pattern(origin), pattern(at))
                assert places in IN_ANOTHER_FORM or is_same(said(bundle, origin), look_up(settled.tree, at)), places


def test_the_words_that_are_listed_are_no_numbers_no_times_and_no_identities() -> None:
    listed = [value for words in WORDS.values() for values in words.values() for value in values]
    assert {str, bool, type(None)} == {type(value) for value in listed}
