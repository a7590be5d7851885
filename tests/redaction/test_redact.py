"""A scope, redacted: what goes, what stays, which placeholder; and the laws that hold for any document."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from attraj.redaction.policy import DEFAULT, Policy
from attraj.redaction.run import redact_scope
from attraj.redaction.search import Value
from attraj.redaction.source import read_source
from tests.redaction.made_up import (
    EMAIL,
    GITHUB,
    OTHER_GITHUB,
    PASSWORD,
    TOOLS,
    USER,
    done_with,
    made_tools,
    redacted,
)

# --- what goes -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param({"a": f"use {GITHUB} now"}, {"a": "use <API_TOKEN_1> now"}, id="in-a-text"),
        pytest.param({GITHUB: 1}, {"<API_TOKEN_1>": 1}, id="the-name-of-a-member"),
        pytest.param({"password": PASSWORD}, {"password": "<PASSWORD_1>"}, id="under-a-name"),
        pytest.param([f"{GITHUB} {OTHER_GITHUB}"], ["<API_TOKEN_1> <API_TOKEN_2>"], id="two-values"),
        pytest.param(
            [{"x": GITHUB}, {"y": f"({GITHUB})"}], [{"x": "<API_TOKEN_1>"}, {"y": "(<API_TOKEN_1>)"}], id="equal-values"
        ),
        pytest.param(
            ["<API_TOKEN_7>", GITHUB], ["<API_TOKEN_7>", "<API_TOKEN_8>"], id="numbers-go-on-above-those-that-are-there"
        ),
        pytest.param({"message": f"mail {EMAIL}"}, {"message": "mail <EMAIL_1>"}, id="personal-data"),
        pytest.param(
            {"cwd": f"/home/{USER}/src", "message": f"{USER} said"},
            {"cwd": "/home/<USER_1>/src", "message": "<USER_1> said"},
            id="a-user-and-the-name-elsewhere",
        ),
        pytest.param(
            {"cwd": f"/home/{USER}/src", "agent": {"name": USER}},
            {"cwd": "/home/<USER_1>/src", "agent": {"name": USER}},
            id="a-user-and-an-agent-of-the-same-name",
        ),
        pytest.param(
            {"password": PASSWORD, "log": f"login with {PASSWORD} ok"},
            {"password": "<PASSWORD_1>", "log": "login with <PASSWORD_1> ok"},
            id="found-once-gone-everywhere",
        ),
        pytest.param(
            {"password": PASSWORD, "args": json.dumps({"x": f'"{PASSWORD}"'})},
            {"password": "<PASSWORD_1>", "args": '{"x": "\\"<PASSWORD_1>\\""}'},
            id="in-json-in-a-text",
        ),
        pytest.param(
            {"n": 1.5, "b": False, "z": None, "e": ""}, {"n": 1.5, "b": False, "z": None, "e": ""}, id="nothing"
        ),
    ],
)
def test_what_goes(value: Any, expected: Any) -> None:
    assert expected == redacted(value)


def test_what_follows_a_private_key_stays() -> None:
    body = "Q7xZ" * 16
    key = f"-----BEGIN RSA PRIV{'ATE KEY'}-----\nb{body}\n-----END RSA PRIV{'ATE KEY'}-----"
    given_ = {"a": json.dumps({"cmd": f"a\n{key}\nb"}), "b": f"{key}\nbee"}
    assert {"a": '{"cmd": "a\\n<PRIVATE_KEY_1>\\nb"}', "b": "<PRIVATE_KEY_1>\nbee"} == redacted(given_)


def test_the_files_of_a_scope_share_values_and_numbers() -> None:
    done = done_with({"password": PASSWORD, "t": GITHUB}, {"t": OTHER_GITHUB, "m": f"again {PASSWORD}"})
    assert [] == done.failures
    first, second = (json.loads(raw) for _, raw in done.outputs)
    assert {"password": "<PASSWORD_1>", "t": "<API_TOKEN_1>"} == first
    assert {"t": "<API_TOKEN_2>", "m": "again <PASSWORD_1>"} == second


def test_a_text_file_and_its_name_are_redacted() -> None:
    source = read_source(f"home/{USER}/{GITHUB}/run.log", f"{GITHUB}\r\nPWD=/home/{USER}\r\n".encode())
    done = redact_scope([source], TOOLS)
    assert [] == done.failures
    assert [("home/<USER_1>/<API_TOKEN_1>/run.log", b"<API_TOKEN_1>\r\nPWD=/home/<USER_1>\r\n")] == done.outputs


def test_known_values_go_whatever_they_look_like() -> None:
    tools = replace(TOOLS, known=(Value("blue harbour seven", "SECRET"),))
    assert {"a": "say <SECRET_1> twice"} == redacted({"a": "say blue harbour seven twice"}, tools)


def test_lines_stay_lines() -> None:
    raw = f'{{"a": "{GITHUB}"}}\r\n\n{{"a": 1.50, "a": "{GITHUB}"}}\n'.encode()
    done = redact_scope([read_source("rows.jsonl", raw)], TOOLS)
    assert [] == done.failures
    assert b'{"a": "<API_TOKEN_1>"}\r\n\n{"a": 1.50, "a": "<API_TOKEN_1>"}\n' == done.outputs[0][1]


def test_bytes_that_are_no_text_stay() -> None:
    raw = b"\xff\xfe\xfd caf\xe9 " + GITHUB.encode() + b"\n"
    done = redact_scope([read_source("pane.log", b"x" + raw)], TOOLS)
    assert b"x\xff\xfe\xfd caf\xe9 <API_TOKEN_1>\n" == done.outputs[0][1]


def test_two_names_of_one_object_never_become_one() -> None:
    value = {GITHUB: 1, f"{GITHUB} ": 2, "<API_TOKEN_1>": 3}
    made = redacted(value)
    assert [1, 2, 3] == list(made.values())


def test_a_number_that_must_go_is_refused_unless_it_may_become_a_text() -> None:
    done = done_with({"pin": 480233})
    if done.failures:
        assert ["retyped"] == [f.proof for f in done.failures]
        assert {"pin": "<PASSWORD_1>"} == redacted({"pin": 480233}, made_tools(Policy(retype_numbers=True)))


# --- policies --------------------------------------------------------------------------------------------------------

STEPS = {
    "schema_version": "ATIF-v1.7",
    "steps": [
        {"source": "user", "message": "please look at the tide table of the harbour"},
        {
            "source": "agent",
            "reasoning_content": "the table is in the second drawer, I think, below the charts",
            "message": "I said: the table is in the second drawer, I think, below the charts.",
            "observation": {"results": [{"source_call_id": "c1", "content": "06:10 high water, 12:22 low water"}]},
        },
    ],
}


@pytest.mark.parametrize(
    ("drop", "gone", "kept"),
    [
        pytest.param("user_content", ["tide table"], ["second drawer", "high water"], id="user"),
        pytest.param("tool_output", ["high water"], ["tide table", "second drawer", "c1"], id="tool"),
        pytest.param(
            "private_reasoning", ["second drawer"], ["tide table", "high water"], id="reasoning-also-where-it-is-quoted"
        ),
    ],
)
def test_fields_that_a_policy_drops(drop: str, gone: list[str], kept: list[str]) -> None:
    made = json.dumps(redacted(STEPS, made_tools(Policy(drop=frozenset({drop})))))
    assert ([], kept) == ([t for t in gone if t in made], [t for t in kept if t in made])
    assert "<CUSTOM_1>" in made


def test_headers_and_queries() -> None:
    value = {"headers": {"Accept": "text/html", "X-Route": "north"}, "u": "GET https://a.example/b?c=d&e=f#g"}
    tools = made_tools(Policy(headers=frozenset({"accept"}), clean_queries=True))
    expected = {
        "headers": {"Accept": "text/html", "X-Route": "<CUSTOM_1>"},
        "u": "GET https://a.example/b?<CUSTOM_2>#g",
    }
    assert expected == redacted(value, tools)


def test_times_are_cut() -> None:
    tools = made_tools(Policy(coarsen_time="hour"))
    assert {"timestamp": "2026-03-01T10:00:00Z"} == redacted({"timestamp": "2026-03-01T10:47:12Z"}, tools)


IMAGE = "data:image/png;base64,iVBORw0KGgo" + "A" * 600


def test_media_are_never_passed_silently() -> None:
    assert [True] == [u.is_media for u in done_with({"image": IMAGE}).unscanned]
    assert {"image": "<IMAGE_1>"} == redacted({"image": IMAGE}, made_tools(Policy(media="drop")))
    assert {"image": IMAGE} == redacted({"image": IMAGE}, made_tools(Policy(media="keep")))


# --- laws ------------------------------------------------------------------------------------------------------------

plain = st.text(st.characters(blacklist_categories=("Cs", "Cc")), max_size=12)
secrets_ = st.sampled_from([GITHUB, PASSWORD + "x"])
texts = st.builds(lambda a, s, b: f"{a} {s} {b}", plain, secrets_, plain) | plain
trees = st.recursive(
    texts | st.integers() | st.booleans() | st.none() | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=12,
)
relaxed = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def bytes_after(value: Any, with_tools: Any = TOOLS) -> bytes:
    raw = json.dumps(value, indent=1, ensure_ascii=False).encode()
    done = redact_scope([read_source("x.json", raw)], with_tools)
    assert [] == done.failures
    return done.outputs[0][1]


@relaxed
@given(trees)
def test_nothing_that_must_go_survives_and_redacting_twice_changes_nothing(tree: Any) -> None:
    once = bytes_after({"password": PASSWORD + "x", "tree": tree})
    assert GITHUB.encode() not in once
    assert (PASSWORD + "x").encode() not in once
    assert once == redact_scope([read_source("x.json", once)], TOOLS).outputs[0][1]


@relaxed
@given(trees)
def test_both_engines_give_the_same_bytes(tree: Any) -> None:
    assert bytes_after(tree, made_tools(engine="stdlib")) == bytes_after(tree)


@relaxed
@given(trees)
def test_another_secret_of_its_kind_gives_the_same_bytes(tree: Any) -> None:
    text = json.dumps(tree)
    other = json.loads(text.replace(GITHUB, OTHER_GITHUB))
    assert bytes_after(tree) == bytes_after(other)


def test_the_policy_without_anything_is_the_default() -> None:
    assert Policy() == DEFAULT
