"""Packs: every rule finds its examples and none of its counter-examples; a pack that is not whole does not load."""

from __future__ import annotations

import random
from importlib.resources import files

import pytest

from attraj.errors import AttrajError
from attraj.secrets.names import Names
from attraj.secrets.rules import CORE, Compiled, NameClass, Rule, core_packs, read_pack
from tests.secrets.made import made

RULES = [rule for pack in core_packs() for rule in pack.rules]
NAMES = [one for pack in core_packs() for one in pack.names]


def found(rule: Rule, text: str) -> list[tuple[int, int]]:
    compiled = Compiled(rule)
    places = [(at, a) for a in rule.anchors for at in range(len(text)) if text.startswith(a, at)]
    matches = [compiled.at(text, at, anchor) for at, anchor in sorted(places)]
    return [(match.start, match.end) for match in matches if match is not None]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: str(rule.id))
def test_every_rule_finds_its_examples(rule: Rule) -> None:
    for pattern in rule.make:
        for seed in range(5):
            assert found(rule, made(pattern, random.Random(f"{rule.id}/{seed}"))), pattern


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: str(rule.id))
def test_every_rule_is_silent_on_its_counter_examples(rule: Rule) -> None:
    for pattern in rule.nots:
        for seed in range(5):
            assert [] == found(rule, made(pattern, random.Random(f"{rule.id}/{seed}"))), pattern


def test_the_core_packs_hold_at_least_180_literal_anchors_of_tokens() -> None:
    tokens, structures, names = core_packs()
    assert len({anchor for rule in tokens.rules for anchor in rule.anchors}) >= 180
    assert ["attraj-tokens", "attraj-structures", "attraj-names"] == [p.pack.id for p in (tokens, structures, names)]
    assert len({rule.id for rule in RULES}) == len(RULES)


@pytest.mark.parametrize("one", NAMES, ids=lambda one: str(one.type))
def test_a_name_class_takes_its_names_and_no_others(one: NameClass) -> None:
    names = Names(core_packs())
    meant = {name: (m.type if (m := names.meaning(name)) else "") for name in (*one.make, *one.nots)}
    assert dict.fromkeys(one.make, one.type) == {name: meant[name] for name in one.make}
    assert [] == [name for name in one.nots if meant[name] == one.type]


NOT_SECRET = (
    "max_tokens", "maxTokens", "token_type", "prompt_tokens", "completion_tokens_details", "tokenizer", "keyboard",
    "secretKeyRef", "password_hash", "cache_key", "primary_key", "sort_key", "public_key", "token_ids", "monkey",
    "session_id", "trajectory_id", "passed", "bypass", "key", "idempotency_key", "eos_token", "pass_rate", "n_tokens",
)  # fmt: skip


@pytest.mark.parametrize("name", NOT_SECRET)
def test_names_that_are_no_secrets(name: str) -> None:
    assert None is Names(core_packs()).meaning(name)


HEAD = '[pack]\nid = "house"\nversion = "1"\nspec = 1\n'
RULE = '[[rule]]\nid = "x"\ntype = "API_TOKEN"\nanchors = ["tide_"]\npattern = "tide_[a-z0-9]{8}"\n'
EXAMPLES = 'make = ["tide_[a-z0-9]{8}"]\nnot = ["tide_"]\n'
REFUSED = [
    pytest.param("not toml at all [", id="no-toml"),
    pytest.param('[pack]\nid = "house"\nversion = "1"\nspec = 2\n', id="unknown-spec"),
    pytest.param("[pack]\nspec = 1\n", id="no-id"),
    pytest.param(HEAD + "[other]\nx = 1\n", id="unknown-table"),
    pytest.param(HEAD + RULE, id="no-examples"),
    pytest.param(HEAD + RULE + 'make = ["tide_[a-z0-9]{8}"]\n', id="no-counter-examples"),
    pytest.param(HEAD + RULE + EXAMPLES + "colour = 1\n", id="unknown-member"),
    pytest.param(HEAD + RULE.replace("API_TOKEN", "TREASURE") + EXAMPLES, id="unknown-type"),
    pytest.param(HEAD + RULE.replace("tide_[a", "(?=x)[a") + EXAMPLES, id="lookahead"),
    pytest.param(HEAD + RULE.replace("tide_[a", "((a") + EXAMPLES, id="no-pattern"),
    pytest.param(HEAD + RULE + EXAMPLES + 'above = "[a-z]{8}"\n', id="line-without-a-group"),
    pytest.param(HEAD + RULE + EXAMPLES + 'require = ["magic"]\n', id="unknown-requirement"),
    pytest.param(HEAD + 2 * (RULE + EXAMPLES), id="two-of-one-id"),
    pytest.param('rule = "x"\n' + HEAD, id="rule-is-no-table"),
]


@pytest.mark.parametrize("text", REFUSED)
def test_a_pack_that_is_not_whole_does_not_load(text: str) -> None:
    with pytest.raises(AttrajError) as refused:
        read_pack(text.encode(), "file")
    assert 2 == refused.value.exit_code


@pytest.mark.parametrize("name", CORE)
def test_the_packs_that_come_with_attraj_are_held_to_the_same(name: str) -> None:
    raw = files("attraj.secrets").joinpath("rules", f"{name}.toml").read_bytes()
    assert "file" == read_pack(raw, "file").pack.origin


def test_a_whole_pack_loads_with_its_digest() -> None:
    loaded = read_pack((HEAD + RULE + EXAMPLES).encode(), "file")
    assert ("house", "1", 64, "file", 1) == (
        loaded.pack.id, loaded.pack.version, len(loaded.pack.sha256), loaded.pack.origin, len(loaded.rules),
    )  # fmt: skip


def test_the_lines_above_have_to_be_what_the_rule_requires() -> None:
    above = 'above = "([a-z0-9]{8})"\nrequire = ["mixed"]\n'
    examples = 'make = ["[a-f]{4}[0-9]{4}\\ntide_[a-z0-9]{8}"]\nnot = ["tide_[a-z0-9]{8}"]\n'
    (rule,) = read_pack((HEAD + RULE + examples + above).encode(), "file").rules
    assert [(0, 22)] == found(rule, "abcd1234\ntide_" + "a1b2c3d4")
    assert [] == found(rule, "aaaaaaaa\ntide_" + "aaaaaaaa")
    assert [] == found(rule, "tide_" + "a1b2c3d4")
