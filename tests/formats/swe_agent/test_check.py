"""Each check with exact places, and the near misses that must be silent."""

from __future__ import annotations

import json
from typing import Any

import pytest

from attraj.findings import Severity, Stratum
from attraj.formats import Options
from attraj.formats.swe_agent import check
from attraj.jsonio import Document, parse
from tests.formats.swe_agent.files import base, changed, checked, found


def put(path: str, value: Any) -> dict[str, Any]:
    return {"op": "add", "path": path, "value": value}


def out(path: str) -> dict[str, Any]:
    return {"op": "remove", "path": path}


def configured(**agent: Any) -> dict[str, str]:
    return {"replay_config": json.dumps({"agent": agent})}


S, H = "/trajectory/0", "/history"
NULL = None

# base, patch, findings
CASES = [
    pytest.param("minimal", [], [], id="clean"),
    # --- the file
    pytest.param("minimal", [put("/trajectory", NULL)], [("TJ003", "/trajectory")], id="trajectory-null"),
    pytest.param("minimal", [out("/trajectory")], [("TJ003", "")], id="trajectory-missing"),
    pytest.param("minimal", [put("/trajectory/1", "x")], [("TJ003", "/trajectory/1")], id="step-is-text"),
    pytest.param("minimal", [out("/info")], [("TJ004", ""), ("TJ010", "")], id="info-missing-and-with-it-the-version"),
    pytest.param("minimal", [put("/info", [])], [("TJ010", ""), ("TJ018", "/info")], id="info-is-an-array"),
    pytest.param("minimal", [out("/environment")], [("TJ017", "")], id="environment-missing"),
    pytest.param("minimal", [put("/environment", 1)], [("TJ018", "/environment")], id="environment-is-a-number"),
    pytest.param("minimal", [out("/replay_config")], [], id="no-configuration-is-silent"),
    pytest.param(
        "minimal", [put("/replay_config", "[]")], [("TJ019", "/replay_config")], id="configuration-is-an-array"
    ),
    pytest.param("minimal", [put("/replay_config", 1)], [("TJ018", "/replay_config")], id="configuration-is-a-number"),
    pytest.param("retry", [], [("TJ031", "/attempts/0/trajectory/1")], id="null-configuration-of-a-retry-agent"),
    pytest.param(
        "minimal",
        [put(f"{S}/message", []), out(f"{S}/query")],
        [("TJ011", f"{S}/message")],
        id="message-is-an-alias-and-not-a-missing-query",
    ),
    pytest.param(
        "full",
        [put(f"/trajectory/{i}/step_no", i) for i in range(4)],
        [("TJ011", f"{S}/step_no"), ("TJ030", "/trajectory/1")],
        id="an-unknown-member-of-every-step-is-told-once",
    ),
    pytest.param(
        "minimal",
        [put("/instance_id", "x"), put("/run_id", "r"), put(f"{S}/step_id", 1), put(f"{S}/cost", 0.5)],
        [("TJ013", "/instance_id"), ("TJ013", f"{S}/step_id")],
        id="suggested-members-are-told-once-a-kind-of-object",
    ),
    pytest.param("minimal", [put(f"{S}/extra_info/anything", 1), put(f"{S}/state/diff", "")], [], id="free-members"),
    pytest.param("minimal", [put("/info/chooser", {"chosen_idx": 0})], [], id="chooser-is-known"),
    # --- steps
    pytest.param("minimal", [out(f"{S}/thought")], [("TJ020", S)], id="thought-missing"),
    pytest.param(
        "minimal", [out(f"{S}/thought"), out(f"{S}/response")], [("TJ020", S)], id="two-missing-are-one-fault"
    ),
    pytest.param("minimal", [put(f"{S}/response", NULL)], [("TJ020", f"{S}/response")], id="response-null"),
    pytest.param(
        "minimal", [put(f"{S}/observation", 3)], [("TJ020", f"{S}/observation")], id="observation-is-a-number"
    ),
    pytest.param("minimal", [put(f"{S}/observation", NULL)], [("TJ022", f"{S}/observation")], id="observation-null"),
    pytest.param("minimal", [put(f"{S}/state", NULL)], [("TJ018", f"{S}/state")], id="state-null"),
    pytest.param("minimal", [put(f"{S}/state", "{}")], [("TJ023", f"{S}/state")], id="state-as-text-in-1.x"),
    pytest.param("minimal", [put(f"{S}/state", "[]")], [("TJ021", f"{S}/state")], id="state-is-the-text-of-an-array"),
    pytest.param("old", [put(f"{S}/state", " {} \n")], [("TJ010", "")], id="white-space-around-a-state-of-0.x"),
    pytest.param("old", [put(f"{S}/state", "")], [("TJ010", ""), ("TJ021", f"{S}/state")], id="empty-state-of-0.x"),
    pytest.param("minimal", [put(f"{S}/execution_time", True)], [("TJ018", f"{S}/execution_time")], id="time-is-true"),
    pytest.param("minimal", [put(f"{S}/execution_time", 3)], [], id="a-whole-number-is-a-time"),
    pytest.param("minimal", [out(f"{S}/execution_time"), out(f"{S}/extra_info")], [], id="no-time-is-no-fault"),
    pytest.param("minimal", [put(f"{S}/execution_time", -1)], [("TJ026", f"{S}/execution_time")], id="negative-time"),
    pytest.param("minimal", [out(f"{S}/query")], [("TJ025", S)], id="query-missing-in-1.1"),
    pytest.param("minimal", [put(f"{S}/query", {})], [("TJ018", f"{S}/query")], id="query-is-an-object"),
    pytest.param("minimal", [out(f"{S}/state")], [("TJ024", S)], id="state-missing"),
    # --- messages
    pytest.param("minimal", [put(f"{H}/1", [])], [("TJ018", f"{H}/1")], id="message-is-an-array"),
    pytest.param("minimal", [put(f"{H}/1/content", 1)], [("TJ018", f"{H}/1/content")], id="content-is-a-number"),
    pytest.param("minimal", [out(f"{H}/1/content")], [("TJ027", f"{H}/1")], id="content-missing"),
    pytest.param(
        "minimal", [put(f"{H}/1/content", [{"type": "text", "text": "x"}])], [], id="content-in-parts-is-ordinary"
    ),
    pytest.param("minimal", [put(f"{H}/1/content", ["x"])], [("TJ018", f"{H}/1/content/0")], id="part-is-text"),
    pytest.param("minimal", [put(f"{S}/query/0/role", 1)], [("TJ018", f"{S}/query/0/role")], id="role-in-a-query"),
    pytest.param(
        "full",
        [put(f"/trajectory/{i}/query/0/role", 1) for i in range(4)],
        [("TJ018", f"{S}/query/0/role"), ("TJ030", "/trajectory/1")],
        id="a-fault-that-every-query-repeats-is-told-once",
    ),
    pytest.param("minimal", [out(f"{H}/3")], [], id="the-last-call-may-be-open"),
    pytest.param(
        "full", [out(f"{H}/3")], [("TJ030", "/trajectory/1"), ("TJ037", f"{H}/2/tool_calls")], id="call-without-result"
    ),
    pytest.param("minimal", [out(f"{H}/3/tool_call_ids")], [("TJ037", f"{H}/3")], id="result-without-id"),
    pytest.param(
        "minimal",
        [put(f"{H}/2/tool_calls", NULL)],
        [("TJ037", f"{H}/3/tool_call_ids")],
        id="result-without-call",
    ),
    pytest.param(
        "minimal",
        [put(f"{H}/2/tool_calls/0/function/arguments", {})],
        [("TJ038", f"{H}/2/tool_calls/0/function/arguments")],
        id="arguments-as-object",
    ),
    pytest.param(
        "minimal",
        [put(f"{H}/2/tool_calls/-", {"id": "b", "type": "function", "function": {"name": "x", "arguments": "{}"}})],
        [("TJ038", f"{H}/2/tool_calls")],
        id="two-calls",
    ),
    # --- views
    pytest.param(
        "full",
        [put("/trajectory/2/query/1/content", "Other.")],
        [("TJ030", "/trajectory/1"), ("TJ036", "/trajectory/2/query")],
        id="rewritten-and-written-back-is-told-once",
    ),
    pytest.param(
        "full",
        [
            put("/trajectory/2/query/1/content", [{"type": "text", "text": "Make x equal to 2."}]),
            put("/trajectory/2/query/1/cache_control", {"type": "ephemeral"}),
        ],
        [("TJ030", "/trajectory/1")],
        id="marks-for-the-cache-are-no-rewriting",
    ),
    pytest.param("full", [out("/trajectory/3/query/4")], [("TJ030", "/trajectory/1")], id="near-the-tail-of-a-requery"),
    pytest.param(
        "full",
        [put("/trajectory/2/query", [])],
        [("TJ030", "/trajectory/1"), ("TJ036", "/trajectory/2/query")],
        id="an-input-that-starts-anew",
    ),
]


@pytest.mark.parametrize(("name", "patch", "expected"), CASES)
def test_finds_exactly(name: str, patch: list[Any], expected: list[tuple[str, str]]) -> None:
    assert expected == found(changed(name, patch))


ELIDING = configured(history_processors=[{"type": "last_n_observations", "n": 1}])
CACHING = configured(history_processors=[{"type": "cache_control", "last_n_messages": 2}])


@pytest.mark.parametrize(
    ("config", "expected"), [(ELIDING, []), (CACHING, ["TJ036"])], ids=["elided-as-configured", "only-cached"]
)
def test_a_configured_processor_explains_rewriting(config: dict[str, str], expected: list[str]) -> None:
    tree = changed("full", config, [put("/trajectory/2/query/3/content", "(elided)")])
    assert expected == [code for code, _ in found(tree) if code == "TJ036"]


def parser(name: str, **tools: Any) -> dict[str, str]:
    return configured(tools={"parse_function": {"type": name}, **tools})


def turn(response: str, thought: str, action: str) -> list[dict[str, Any]]:
    """The one turn of the smallest file with other texts, the history alike."""
    texts = {"response": response, "thought": thought, "action": action}
    mine = [put(f"{S}/{name}", value) for name, value in texts.items()]
    return [*mine, put(f"{H}/2/content", response), put(f"{H}/2/thought", thought), put(f"{H}/2/action", action)]


FENCED = "Do it.\n```\nsubmit -f\n```\nThat is all."
CUTS = [
    pytest.param("thought_action", (FENCED, "Do it.\n\nThat is all.", "submit -f\n"), [], id="around-the-block"),
    pytest.param("thought_action", (FENCED, "Do it.", "submit -f"), [], id="before-the-block"),
    pytest.param("thought_action", (FENCED, "Do it.", "submit"), [], id="near-a-part-of-the-action"),
    pytest.param("thought_action", (FENCED, "Do it!", "submit -f"), ["TJ034"], id="another-thought"),
    pytest.param("thought_action", (FENCED, "Do it.", "submit -g"), ["TJ035"], id="another-action"),
    pytest.param("function_calling", (FENCED, FENCED, "submit -g"), [], id="a-call-stands-in-no-response"),
    pytest.param("function_calling", (FENCED, "Do it.", "submit"), ["TJ034"], id="with-calls-the-thought-is-whole"),
    pytest.param("xml_function_calling", (FENCED, "Do it.", "submit -g"), [], id="xml-calls-are-rendered"),
    pytest.param("json", ('{"thought": "a\\nb"}', "a\nb", "submit"), [], id="json-cannot-be-checked"),
    pytest.param("of_somebody", (FENCED, "It.", "submit -g"), ["TJ034"], id="unknown-parser-and-calls-in-the-history"),
]


@pytest.mark.parametrize(("name", "texts", "expected"), CUTS)
def test_thought_and_action_are_cut_from_the_response(
    name: str, texts: tuple[str, str, str], expected: list[str]
) -> None:
    assert expected == [code for code, _ in found(changed("minimal", parser(name), turn(*texts)))]


def test_nothing_is_known_about_thoughts_without_a_parser_and_calls() -> None:
    tree = changed("minimal", configured(), turn(FENCED, "It.", "submit -g"), [out(f"{H}/3"), out(f"{H}/2/tool_calls")])
    assert [] == found(tree)


PATCH = "diff --git a/x b/x\n"
ENDS = [
    pytest.param({"exit_status": None}, [("TJ040", "/info/exit_status")], id="null"),
    pytest.param({"exit_status": 1}, [("TJ041", "/info/exit_status")], id="a-number"),
    pytest.param({"exit_status": "submitted (exit_magic)"}, [("TJ041", "/info/exit_status")], id="unknown-reason"),
    pytest.param({"exit_status": "submitted (exit_cost)", "submission": PATCH}, [], id="cut-off-with-another-patch"),
    pytest.param({"exit_status": "exit_forfeit", "submission": None}, [], id="gave-up-without-a-patch"),
    pytest.param({"exit_status": "skipped", "submission": None}, [], id="a-word-of-0.x"),
    pytest.param({"submission": None}, [("TJ042", "/info/submission")], id="submitted-null"),
    pytest.param({"submission": ""}, [], id="an-empty-text-is-not-null"),
    pytest.param({"submission": PATCH}, [("TJ043", "/info/submission")], id="another-patch"),
    pytest.param({"submission": 3}, [("TJ018", "/info/submission")], id="submission-is-a-number"),
]


@pytest.mark.parametrize(("info", "expected"), ENDS)
def test_says_how_a_run_ended(info: dict[str, Any], expected: list[tuple[str, str]]) -> None:
    tree = base("minimal")
    tree["info"].update(info)
    assert expected == found(tree)


def test_an_absent_status_and_submission_stand_at_info() -> None:
    assert [("TJ040", "/info")] == found(changed("minimal", [out("/info/exit_status")]))
    assert [("TJ042", "/info")] == found(changed("minimal", [out("/info/submission")]))


def test_line_ends_and_space_around_a_patch_do_not_matter() -> None:
    tree = base("minimal")
    tree["info"]["submission"] = "\r\n" + tree["info"]["submission"].replace("\n", "\r\n")
    assert [] == found(tree)


@pytest.mark.parametrize(
    ("command", "expected"),
    [("submit", []), ("submit -f", []), ("submit_review", []), ("hand-in", ["TJ043"])],
)
def test_knows_a_submit(command: str, expected: list[str]) -> None:
    patch = [put(f"{S}/action", command), put(f"{H}/2/action", command)]
    assert expected == [code for code, _ in found(changed("minimal", patch))]


def test_the_configuration_may_name_the_submit_command() -> None:
    patch = [put(f"{S}/action", "hand-in now"), put(f"{H}/2/action", "hand-in now")]
    assert [] == found(changed("minimal", patch, parser("function_calling", submit_command="hand-in")))


def test_more_calls_than_steps_are_told_once_the_made_up_exit_is_counted() -> None:
    attempt = base("retry")["attempts"][0]
    assert ["TJ012", "TJ031"] == [code for code, _ in found(attempt)]
    attempt["info"]["model_stats"]["api_calls"] = 3
    assert ["TJ012", "TJ031", "TJ044"] == [code for code, _ in found(attempt)]


def test_samplers_explain_more_calls() -> None:
    assert [] == found(
        changed("minimal", [put("/info/model_stats/api_calls", 5), put(f"{S}/extra_info/colleagues", "x")])
    )


RETRY = [
    pytest.param([put("/info/best_attempt_idx", 7)], [("TJ052", "/info/best_attempt_idx")], id="no-such-attempt"),
    pytest.param([out("/info/best_attempt_idx")], [("TJ052", "")], id="no-attempt-named"),
    pytest.param([put("/info/model_stats/tokens_sent", 1)], [("TJ053", "/info/model_stats/tokens_sent")], id="totals"),
    pytest.param([put("/environment", "y")], [("TJ050", "/environment")], id="another-environment"),
    pytest.param(
        [out("/trajectory/0/state"), out("/attempts/1/trajectory/0/state")],
        [("TJ024", "/attempts/1/trajectory/0")],
        id="a-fault-of-top-and-attempt-is-told-once",
    ),
    pytest.param(
        [put("/trajectory/0/state", 1), put("/attempts/1/trajectory/0/state", 1), put("/environment", "y")],
        [("TJ018", "/attempts/1/trajectory/0/state"), ("TJ050", "/environment")],
        id="also-where-the-two-differ-elsewhere",
    ),
    pytest.param(
        [{"op": "replace", "path": "/attempts/0", "value": 3}],
        [("TJ018", "/attempts/0")],
        id="an-attempt-that-is-a-number",
    ),
]


@pytest.mark.parametrize(("patch", "expected"), RETRY)
def test_looks_at_the_files_of_retry_agents(patch: list[Any], expected: list[tuple[str, str]]) -> None:
    made_up = ("TJ031", "/attempts/0/trajectory/1")
    assert expected == [each for each in found(changed("retry", patch)) if each != made_up]


def test_a_retry_agent_at_work_is_open_and_its_attempts_are_looked_at() -> None:
    tree = {"attempts": base("retry")["attempts"]}
    assert [("TJ031", "/attempts/0/trajectory/1"), ("TJ040", "/attempts")] == found(tree)
    assert [("TJ040", "/attempts")] == found({"attempts": []})


def test_a_demonstration_is_named_and_its_messages_are_looked_at() -> None:
    history = base("minimal")["history"]
    assert [("TJ014", "")] == found({"history": history})
    assert [("TJ014", ""), ("TJ027", "/history/0")] == found({"history": [{"role": "user"}, *history]})


PRIVATE = [
    pytest.param({"path": "/home/alex/tools"}, 1, id="home"),
    pytest.param({"path": "C:\\Users\\alex\\tools"}, 1, id="home-on-windows"),
    pytest.param({"path": "/home/ubuntu/tools"}, 0, id="near-the-account-of-an-image"),
    pytest.param({"path": "/opt/tools/home"}, 0, id="near-a-folder-called-home"),
    pytest.param({"api_key": "zq" + "x" * 20}, 1, id="key"),
    pytest.param({"api_key": "**********"}, 0, id="masked-key"),
    pytest.param({"api_key": None, "api_base": None}, 0, id="no-key"),
    pytest.param({"api_base": "https://models.example/v1"}, 1, id="endpoint"),
    pytest.param({"completion_kwargs": {"extra_headers": {"X-Team": "a"}}}, 1, id="headers"),
    pytest.param({"env_variables": {"WINDOW": 100}}, 0, id="plain-variables"),
    pytest.param({"env_variables": {"GITHUB_TOKEN": "x"}}, 1, id="secret-variable"),
    pytest.param({"github_url": "https://a:b@example.com/r"}, 1, id="password-in-an-address"),
    pytest.param({"github_url": "https://example.com/a:b@c"}, 0, id="near-a-password"),
    pytest.param({"path": "/home/alex/a", "other": ["/home/alex/b"]}, 1, id="one-finding-a-kind"),
]


@pytest.mark.parametrize("as_text", [True, False], ids=["text", "object"])
@pytest.mark.parametrize(("inner", "number"), PRIVATE)
def test_says_what_should_not_travel(inner: dict[str, Any], number: int, as_text: bool) -> None:
    config = {"agent": {"tools": {"parse_function": {"type": "function_calling"}, **inner}}}
    tree = {**base("minimal"), "replay_config": json.dumps(config) if as_text else config}
    assert number == sum(code == "TJ060" for code, _ in found(tree))


def test_the_last_turn_before_1_0_was_never_kept() -> None:
    tree = changed("minimal", [out(f"{S}/query"), out("/info/swe_agent_version"), out("/history/3"), out("/history/2")])
    told = {finding.code: finding.severity for finding in checked(tree).findings}
    assert {"TJ010": Severity.INFO, "TJ032": Severity.INFO} == told


def test_a_history_without_turns_is_told_once() -> None:
    assert [("TJ030", "/trajectory/1"), ("TJ032", "/history")] == found(changed("full", {"history": []}))
    assert [("TJ032", "/trajectory/0")] == found(changed("minimal", {"history": []}))


def test_mixed_versions_are_a_warning() -> None:
    tree = changed("old", {"info": {"swe_agent_version": "0.7.0"}})
    assert [("TJ010", Severity.WARNING)] == [(f.code, f.severity) for f in checked(tree).findings]


def test_the_level_leaves_out_what_comes_after_it() -> None:
    tree = changed("minimal", [out("/history/3/tool_call_ids"), out(f"{S}/state"), put("/info/exit_status", None)])
    for level, expected in [(Stratum.BYTES, []), (Stratum.SHAPE, ["TJ024"]), (Stratum.REFERENCES, ["TJ024", "TJ037"])]:
        findings = check(Document(b"", tree), Options(level=level)).findings
        assert expected == sorted(finding.code for finding in findings)


def test_a_number_beyond_doubles_is_an_error_at_its_place() -> None:
    raw = json.dumps(base("minimal")).replace("0.25", "1e999").encode()
    findings = check(parse(raw), Options()).findings
    assert [("TJ008", "/trajectory/0/execution_time", Severity.ERROR)] == [
        (finding.code, finding.location.pointer, finding.severity) for finding in findings
    ]


def test_notes_say_what_the_steps_are() -> None:
    assert (
        "SWE-agent 1.1, by swe_agent_version, steps with `query`, state as an object",
        "4 steps: 3 turns, 1 rejected proposal, rejected by: 1 format",
        "configuration: a model is named, response format function_calling",
    ) == checked(base("full")).notes


def test_notes_of_a_retry_file_count_each_attempt_once() -> None:
    notes = checked(base("retry")).notes
    assert ("file of a retry agent", "2 attempts") == notes[:2]
    assert ["attempt 0: 2 steps: 1 turn, 1 made-up exit", "attempt 1: 1 step: 1 turn"] == [
        n for n in notes if "turn" in n
    ]


@pytest.mark.parametrize(("name", "version"), [("minimal", "1.1"), ("old", "0.1-0.6"), ("retry", "1.1")])
def test_the_version_is_reported(name: str, version: str) -> None:
    assert version == checked(base(name)).version
