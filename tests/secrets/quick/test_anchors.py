"""Each credential format finds its examples, wherever they stand, and none of its counter-examples."""

from __future__ import annotations

import json
import re
import time

import pytest

from attraj.secrets.quick.anchors import RULES, AnchoredRule, search
from attraj.secrets.quick.scan import find
from tests.secrets.templates import fill

EXAMPLES = [pytest.param(r, e, id=f"{r.id}-{i}") for r in RULES for i, e in enumerate(r.examples)]
COUNTEREXAMPLES = [pytest.param(r, e, id=f"{r.id}-{i}") for r in RULES for i, e in enumerate(r.counterexamples)]


def found(rule: AnchoredRule, text: str) -> list[str]:
    return [text[start:end] for start, end in search(rule, text)]


@pytest.mark.parametrize(("rule", "template"), EXAMPLES)
@pytest.mark.parametrize("seed", range(5))
def test_an_example_is_found_once(rule: AnchoredRule, template: str, seed: int) -> None:
    assert 1 == len(found(rule, fill(template, seed)))


@pytest.mark.parametrize(("rule", "template"), COUNTEREXAMPLES)
@pytest.mark.parametrize("seed", range(5))
def test_a_counterexample_is_silent(rule: AnchoredRule, template: str, seed: int) -> None:
    assert [] == found(rule, fill(template, seed))


PLACES = [
    pytest.param("{}", id="alone"),
    pytest.param("export KEY={}\nls", id="assignment"),
    pytest.param("令牌{}到期", id="glued-to-chinese"),
    pytest.param("\x1b[1;32m{}\x1b[0m", id="coloured"),
    pytest.param("log:\\n{}\\n", id="after-an-escape-that-is-text"),
    pytest.param('{{"token": "{}"}}', id="json-in-a-string"),
    pytest.param("-{} +{}", id="diff"),
]


@pytest.mark.parametrize("rule", [pytest.param(r, id=r.id) for r in RULES if r.is_certain])
@pytest.mark.parametrize("place", PLACES)
def test_a_credential_is_found_where_trajectories_have_it(rule: AnchoredRule, place: str) -> None:
    text = place.format(fill(rule.examples[0]), fill(rule.examples[0], 1))
    assert rule.id in {span.rule for span in find(text)}


@pytest.mark.parametrize(("rule", "template"), EXAMPLES)
def test_the_gate_lets_every_example_through_as_json(rule: AnchoredRule, template: str) -> None:
    for form in (json.dumps(fill(template)), json.dumps(fill(template)).replace("/", "\\/")):
        assert re.search(rule.gate, form) is not None, rule.id


HOSTILE = [
    pytest.param(unit * (400_000 // len(unit)), id=f"{number}")
    for number, unit in enumerate(
        [
            "eyJ-",
            "eyJaaaaaaaa.",
            "sk-proj-",
            "://a:",
            "://",
            "ghp_",
            "-----BEGIN ",
            "AKIA" + 16 * "A" + " ",
            "sk-a1",
            "@a.",
            "+1 ",
            "-----BEGIN PRIVATE KEY-----",
            "GB00 ",
            "a@",
            "+1-",
            "xoxb-",
        ]
    )
]


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_text_takes_time_in_proportion_to_its_length(text: str) -> None:
    start = time.process_time()
    find(text)
    assert time.process_time() - start < 3
