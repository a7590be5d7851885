# ruff: noqa: E501  (tables)
"""The detector on texts and trees: places, types, structure, and what is said of what was not looked at."""

from __future__ import annotations

import base64
import json
import random
import re
import time
from typing import Any

import pytest

from attraj.errors import AttrajError
from attraj.secrets import DetectionPolicy, Detector, Hit, Piece, Span
from attraj.secrets.personal import names_to_sweep
from attraj.secrets.spans import TYPES
from tests.secrets.made import made

RNG = random.Random(11)
TOKEN = made("ghp_[A-Za-z0-9]{36}", RNG)
KEY = made("[A-Za-z0-9]{32}", RNG)
HEX = made("[0-9a-f]{32}", RNG)
WORD = "tide" + "gauge7"
DETECTOR = Detector()


def said(text: str, **context: Any) -> list[tuple[str, str]]:
    DETECTOR.forget()
    return [(span.type, span.value) for span in DETECTOR.scan_text(text, **context).spans]


def at(tree: Any) -> list[tuple[str, bool, list[str]]]:
    DETECTOR.forget()
    return [(hit.pointer, hit.is_key, [span.type for span in hit.spans]) for hit in DETECTOR.scan_tree(tree)]


TEXTS = [
    pytest.param(f"k={TOKEN}", [("API_TOKEN", TOKEN)], id="token"),
    pytest.param(f"令牌{TOKEN}到期", [("API_TOKEN", TOKEN)], id="glued-to-chinese"),
    pytest.param(f'{{"a": "{TOKEN}", "b": "{TOKEN}"}}', [("API_TOKEN", TOKEN)] * 2, id="twice"),
    pytest.param(f"https://keeper:{TOKEN}@git.example/x", [("API_TOKEN", TOKEN)], id="what-names-itself-wins"),
    pytest.param(f"password={WORD}&unit=m", [("PASSWORD", WORD)], id="query"),
    pytest.param("max_tokens=4096 token_type=bearer", [], id="names-that-are-no-secrets"),
    pytest.param("token=<API_TOKEN_1> password=[REDACTED]", [], id="placeholders"),
    pytest.param("Set-Cookie: a=<COOKIE_1>", [], id="own-placeholder-under-a-rule"),
    pytest.param("password = models.CharField(max_length=128)", [], id="code"),
    pytest.param("sha256:" + "ab12" * 16, [], id="digest"),
    pytest.param(f"the kaggle key is {HEX}", [("API_TOKEN", HEX)], id="name-in-words-after-an-article"),
    pytest.param(
        f"NEW_RELIC_LICENSE_KEY={HEX}",
        [("API_TOKEN", HEX)],
        id="vendor-whose-name-has-a-word-that-names-none",
    ),
    pytest.param(r"(r'(batch|emit|pass|put|read)')", [], id="alternatives-of-a-pattern"),
    pytest.param("def step(self, shrink_pass: ShrinkPass) -> None:", [], id="type-annotation"),
    pytest.param("use the --username and --password options instead", [], id="what-is-said-of-an-option"),
    pytest.param('{"KeyId": "1234abcd-12ab-34cd-56ef-1234567890ab"}', [], id="id-of-a-key-in-a-vault"),
    pytest.param(
        "arn:aws:secretsmanager:us-west-2:123456789012:secret:TideSecret-a1b2c3", [], id="resource-name-of-a-secret"
    ),
    pytest.param("GaugePass::Gauge1 and GaugePass::isRequired2", [], id="names-with-two-colons"),
    pytest.param("#define TIDE_PIN\t0x0002", [], id="number-of-a-register"),
    pytest.param("the value to pass to errorProc2", [], id="pass-as-a-verb"),
    pytest.param("my ($user, $pass) = $me->_lookup(@_)", [], id="variable-of-perl"),
    pytest.param("def pass_statement(self) -> PassStatement:", [], id="return-annotation"),
]


@pytest.mark.parametrize(("text", "expected"), TEXTS)
def test_texts(text: str, expected: list[tuple[str, str]]) -> None:
    assert expected == said(text)


def test_a_split_value_has_pieces_and_its_line_breaks_stay() -> None:
    text = f"curl -H X:{TOKEN[:20]}\\\n{TOKEN[20:]} https://tide.example"
    (span,) = DETECTOR.scan_text(text).spans
    first = text.index(TOKEN[:20])
    assert (Piece(first, first + 20), Piece(first + 22, first + 42)) == span.pieces
    assert (first, first + 42, TOKEN, ("continued",)) == (span.start, span.end, span.value, span.via)


LONG = made("sk-proj-[A-Za-z0-9_\\-]{74}T3BlbkFJ[A-Za-z0-9_\\-]{74}", RNG)


@pytest.mark.parametrize(
    "following",
    [
        pytest.param("hello world", id="a-word"),
        pytest.param("GAUGE_UNIT=m", id="another-variable"),
        pytest.param("port2: 5432", id="another-member"),
        pytest.param("2026-11-30 12:00:00 INFO", id="a-time"),
        pytest.param("a1b2c3d name the gauge", id="a-short-digest"),
        pytest.param("ReadTheTable of tides", id="a-name-in-camel-case"),
    ],
)
@pytest.mark.parametrize("line", [TOKEN, f"export A={TOKEN}", f"{'x ' * 18} q{WORD}={WORD} {TOKEN}"[-77:]])
def test_the_line_after_a_long_one_keeps_its_first_word(line: str, following: str) -> None:
    DETECTOR.forget()
    text = f"{line}\n{following}\n"
    (span,) = [span for span in DETECTOR.scan_text(text).spans if span.type == "API_TOKEN"]
    assert (text.index(TOKEN), text.index(TOKEN) + 40) == (span.start, span.end)


@pytest.mark.parametrize("width", [80, 93, 132])
def test_a_value_that_a_terminal_has_wrapped_goes_whole(width: int) -> None:
    DETECTOR.forget()
    text = f"the gauge was set up with VALUE={LONG} and then started"
    wrapped = "\n".join(text[at : at + width] for at in range(0, len(text), width))
    (span,) = DETECTOR.scan_text(wrapped).spans
    assert LONG == "".join(wrapped[start:end] for start, end in span.pieces)


READ = [
    pytest.param("".join(chr(ord(c) + 0xFEE0) if c.isalnum() else c for c in TOKEN), id="full-width"),
    pytest.param(f"k=3D{TOKEN[:30]}=\n{TOKEN[30:]}", id="quoted-printable"),
    pytest.param(TOKEN.replace("_", "\\_"), id="escaped-for-markdown"),
    pytest.param(f"^[[1;32m{TOKEN}^[[0m", id="colour-written-out"),
    pytest.param(f"[1;32m{TOKEN}[0m", id="colour-without-its-escape-character"),
    pytest.param("0x" + TOKEN.encode().hex(), id="hex-as-a-number"),
    pytest.param("\n".join(re.findall(".{1,60}", f"see {TOKEN} here".encode().hex())), id="hex-over-lines"),
    pytest.param(
        '"'
        + base64.b64encode(TOKEN.encode()).decode()[:30]
        + '" + "'
        + base64.b64encode(TOKEN.encode()).decode()[30:]
        + '"',
        id="base64-in-two-strings",
    ),
]


@pytest.mark.parametrize("text", READ)
def test_readings(text: str) -> None:
    DETECTOR.forget()
    spans = DETECTOR.scan_text(text).spans
    assert TOKEN in [value for span in spans for value in (span.value, *(inner.value for inner in span.inner))]


def test_an_encoded_value_that_is_all_of_its_run_keeps_its_type() -> None:
    alone = base64.b64encode(TOKEN.encode()).decode()
    among = base64.b64encode(f"the gauge said {TOKEN} today".encode()).decode()
    assert [("API_TOKEN", TOKEN)] == said(alone)
    (span,) = DETECTOR.scan_text(among).spans
    assert ("ENCODED", among, [TOKEN]) == (span.type, span.value, [inner.value for inner in span.inner])


def test_the_public_anchor_is_told_from_the_secret_part() -> None:
    (span,) = DETECTOR.scan_text(TOKEN).spans
    assert "ghp_" == span.value[: span.secret_from]


TREES = [
    pytest.param({"a": [f"k={TOKEN}"]}, [("/a/0", False, ["API_TOKEN"])], id="deep"),
    pytest.param({TOKEN: 1}, [(f"/{TOKEN}", True, ["API_TOKEN"])], id="name-of-a-member"),
    pytest.param({"a/b": {"~": TOKEN}}, [("/a~1b/~0", False, ["API_TOKEN"])], id="escaped-pointer"),
    pytest.param({"password": WORD}, [("/password", False, ["PASSWORD"])], id="secret-name"),
    pytest.param({"passwords": [WORD, "gaugetide8"]}, [("/passwords/0", False, ["PASSWORD"]), ("/passwords/1", False, ["PASSWORD"])], id="list-under-a-secret-name"),
    pytest.param([{"name": "API_KEY", "value": KEY}], [("/0/value", False, ["API_TOKEN"])], id="name-and-value"),
    pytest.param([{"value": KEY, "name": "API_KEY"}], [("/0/value", False, ["API_TOKEN"])], id="value-before-name"),
    pytest.param({"headers": [["X-Api-Key", KEY]]}, [("/headers/0/1", False, ["API_TOKEN"])], id="header-as-an-array"),
    pytest.param({"env": {"SERVICE_TOKEN": KEY}}, [("/env/SERVICE_TOKEN", False, ["API_TOKEN"])], id="environment"),
    pytest.param({"pin": 4827}, [("/pin", False, ["PASSWORD"])], id="number-under-a-secret-name"),
    pytest.param({"max_tokens": 4096, "token_ids": [1, 2], "cache_key": "ab12" * 10}, [], id="counters-and-digests"),
    pytest.param({"password": True, "token": None, "secret": {}, "api_key": []}, [], id="other-types-under-secret-names"),
    pytest.param({"arguments": json.dumps({"password": WORD})}, [("/arguments", False, ["PASSWORD"])], id="json-in-a-string"),
    pytest.param({"element": "Password field", "ref": "e1", "text": WORD}, [("/text", False, ["PASSWORD"])], id="typed-into-a-password-field"),
    pytest.param({"element": "Search field", "ref": "e1", "text": WORD}, [], id="typed-into-another-field"),
    pytest.param({"arguments": json.dumps({"selector": "#password", "value": WORD})}, [("/arguments", False, ["PASSWORD"])], id="typed-into-in-a-string"),
    pytest.param({"openai": {"key": KEY}, "cache": {"key": KEY}}, [("/openai/key", False, ["API_TOKEN"])], id="key-of-a-vendor"),
    pytest.param(TOKEN, [("", False, ["API_TOKEN"])], id="a-text-alone"),
    pytest.param(7, [], id="a-number-alone"),
    pytest.param([], [], id="nothing"),
]  # fmt: skip


@pytest.mark.parametrize(("tree", "expected"), TREES)
def test_trees(tree: Any, expected: list[tuple[str, bool, list[str]]]) -> None:
    assert expected == at(tree)


def step(command: str, output: str) -> dict[str, Any]:
    return {
        "observation": {"results": [{"source_call_id": "c1", "content": output}]},
        "tool_calls": [{"tool_call_id": "c1", "arguments": {"command": command}}],
    }


@pytest.mark.parametrize("command", ["cat .env", "printenv", "cat ~/.ssh/id_rsa", "cat /proc/1/environ"])
def test_the_result_of_what_reads_secrets_is_looked_at_more_closely(command: str) -> None:
    output = "note password: harbourlight and more"
    pointer = "/observation/results/0/content"
    assert ([], [(pointer, False, ["PASSWORD"])]) == (at(step("ls", output)), at(step(command, output)))


def test_the_tree_is_as_it_was() -> None:
    tree = step("cat .env", f"A={TOKEN}")
    before = json.dumps(tree)
    list(DETECTOR.scan_tree(tree))
    assert before == json.dumps(tree)


def test_a_text_over_its_budget_is_said_to_be_unscanned() -> None:
    text = json.dumps(json.dumps("tide \\ " * 2000)) * 3
    assert "budget" == Detector(DetectionPolicy(work_per_text=-20)).scan_text(text).unscanned


def test_media_are_said_and_not_decoded() -> None:
    picture = "data:image/png;base64,iVBORw0KGgo" + made("[A-Za-z0-9+/]{600}", RNG)
    found = DETECTOR.scan_text(picture)
    assert ("image/png", ()) == (found.media, found.spans)
    mixed = DETECTOR.scan_text(f"see {picture} and {TOKEN}")
    assert ("image/png", ["API_TOKEN"]) == (mixed.media, [span.type for span in mixed.spans])


def test_no_value_and_no_pointer_is_shown() -> None:
    (hit,) = DETECTOR.scan_tree({TOKEN: 1})
    for shown in (repr(hit), repr(hit.spans), str(DETECTOR.scan_text(TOKEN))):
        assert TOKEN not in shown
        assert TOKEN[:8] not in shown


class House:
    id = "house"

    def find(self, text: str, key: str) -> list[Span]:
        start = text.find("Ada Keeper")
        return [Span(start, start + 10, "CUSTOM", "person")] if start >= 0 else []


def test_a_recogniser_from_outside_adds_its_spans() -> None:
    detector = Detector(DetectionPolicy(recognisers=(House(),)))
    (span,) = detector.scan_text("by Ada Keeper").spans
    assert ("CUSTOM", "person", "house", "Ada Keeper") == (span.type, span.rule, span.pack, span.value)


PERSONAL = [
    pytest.param("none", [], id="none"),
    pytest.param("standard", ["EMAIL", "USER"], id="standard"),
    pytest.param("strict", ["EMAIL", "USER", "IP"], id="strict"),
]


@pytest.mark.parametrize(("level", "expected"), PERSONAL)
def test_levels_of_personal_data(level: Any, expected: list[str]) -> None:
    text = "a@" + "tide.example /home/adakeeper/x 192.168.1.20"
    assert expected == [span.type for span in Detector(DetectionPolicy(personal=level)).scan_text(text).spans]


def test_rules_can_be_left_out() -> None:
    detector = Detector(DetectionPolicy(without=frozenset({"github-token", "named-vendor-token"})))
    assert () == detector.scan_text(TOKEN).spans


def test_a_pack_that_cannot_be_read_is_refused(tmp_path: Any) -> None:
    with pytest.raises(AttrajError):
        Detector(DetectionPolicy(packs=(str(tmp_path / "missing.toml"),)))


def test_names_to_sweep_are_those_of_people() -> None:
    spans = DETECTOR.scan_text("/home/adakeeper/a /Users/bo/x /home/ubuntu/y /home/adakeeper/b").spans
    assert ("adakeeper",) == names_to_sweep(spans)


def test_every_type_that_is_found_is_known() -> None:
    assert {"SECRET", "IMAGE", "CUSTOM"} <= set(TYPES)
    assert Hit("", False, ()).spans == ()


HOSTILE = [pytest.param(unit, id=repr(unit)[:20]) for unit in (
    "a", "-", "eyJ", "\\", "%", "password=", "://a:", "-----BEGIN PRIVATE KEY-----", "\"\"", "&amp;", "\x1b[", "QUFB", "=\n",
    "a\\\n", "secret", "Set-Cookie: a=", "0.0.0.0 ", "aaaa:", "a1" * 39 + "b\n", "密码",
)]  # fmt: skip


@pytest.mark.parametrize("unit", HOSTILE)
def test_no_text_takes_time_out_of_proportion(unit: str) -> None:
    def seconds(characters: int) -> float:
        text = (unit * (characters // len(unit) + 1))[:characters]
        start = time.process_time()
        DETECTOR.scan_text(text)
        DETECTOR.forget()
        return time.process_time() - start

    seconds(1000)  # what is made once
    # 200 kB within the time of a second a MB, with the slack of a busy machine.
    assert seconds(200_000) < 2


CARD = "4087917062281582"
PERSONAL = [
    pytest.param("call +49 (0)30 901820 today", [("PHONE", "+49 (0)30 901820")], id="phone-with-a-trunk-zero"),
    pytest.param("+91 98765 43210.", [("PHONE", "+91 98765 43210")], id="phone-of-five-and-five"),
    pytest.param("ring +14158675309.", [("PHONE", "+14158675309")], id="phone-at-the-end-of-a-sentence"),
    pytest.param("Tel: 4158675309", [("PHONE", "4158675309")], id="phone-by-its-name"),
    pytest.param(f"Card number: {CARD}", [("CARD", CARD)], id="card-by-a-name-of-two-words"),
    pytest.param(f"the number on my visa is {CARD}", [("CARD", CARD)], id="card-by-what-stands-before"),
    pytest.param(f"order {CARD}", [], id="a-number-without-a-name"),
    pytest.param(
        "https://a.example/?email=ada.l+x@tide-works.io&x=1",
        [("EMAIL", "ada.l+x@tide-works.io")],
        id="e-mail-in-a-query",
    ),
    pytest.param("ämne@västra-verk.se", [("EMAIL", "ämne@västra-verk.se")], id="e-mail-beyond-ascii"),
    pytest.param("passport no: C01X00T47", [("ID_NUMBER", "C01X00T47")], id="passport"),
    pytest.param("护照号：C01X00T47", [("ID_NUMBER", "C01X00T47")], id="passport-in-chinese"),
    pytest.param("National Insurance number: AB123456C", [("ID_NUMBER", "AB123456C")], id="insurance"),
    pytest.param("Aadhaar: 2345 6789 0123", [("ID_NUMBER", "2345 6789 0123")], id="number-in-groups"),
    pytest.param("GET /users/list/x and /users/profile/edit", [], id="routes"),
    pytest.param("/users/okonkwo/src/gauge.py", [("USER", "okonkwo")], id="home-in-lower-case"),
    pytest.param("vscode-remote://wsl/home/okonkwo/a", [("USER", "okonkwo")], id="home-of-a-remote"),
]


@pytest.mark.parametrize(("text", "expected"), PERSONAL)
def test_personal_data(text: str, expected: list[tuple[str, str]]) -> None:
    assert expected == said(text)
