"""Values beside names, in the shapes in which they are written: what goes, and what stands beside it and stays."""

from __future__ import annotations

import random

import pytest

from attraj.secrets import Detector
from tests.secrets.made import made

RNG = random.Random(31)
DETECTOR = Detector()
KEY = made("[A-Za-z0-9/+]{38}9x", RNG)
HEX = made("[0-9a-f]{32}", RNG)
WORD = "tide" + "gauge7"
MIXED = "Tide" + "4711!"
DIGEST = made("[0-9a-f]{40}", RNG)
WORDS = [
    "puzzle",
    "cradle",
    "abandon",
    "velvet",
    "hammer",
    "zebra",
    "orbit",
    "gadget",
    "river",
    "mother",
    "sea",
    "tide",
]


def said(text: str) -> list[tuple[str, str]]:
    DETECTOR.forget()
    return [(span.type, span.value) for span in DETECTOR.scan_text(text).spans]


APART = [
    pytest.param(f"Use AWS_SECRET_ACCESS_KEY `{KEY}` to log in.", [("SECRET", KEY)], id="backticks"),
    pytest.param(f"Use DD_API_KEY `{HEX}`.", [("API_TOKEN", HEX)], id="backticks-around-hex"),
    pytest.param(f"the API_KEY ({HEX}) is new", [("API_TOKEN", HEX)], id="parentheses"),
    pytest.param(f"log in with password `{MIXED}`", [("PASSWORD", MIXED)], id="password-in-backticks"),
    pytest.param(f"API_KEY: >-\n  {KEY}\n", [("API_TOKEN", KEY)], id="folded-block"),
    pytest.param(f"API_KEY: |\n    {KEY}\nunit: m\n", [("API_TOKEN", KEY)], id="literal-block"),
    pytest.param(f"  password: |-\n    {WORD}\n", [("PASSWORD", WORD)], id="password-in-a-block"),
    pytest.param(f"API_KEY:\n  {KEY}\n", [("API_TOKEN", KEY)], id="next-line"),
    pytest.param("set the token `refresh_token` first", [], id="a-name-in-backticks"),
    pytest.param("the password `min_length` option", [], id="an-option-in-backticks"),
    pytest.param("the password (optional) and the token (see below)", [], id="an-aside"),
    pytest.param(f"the commit token `{DIGEST}`", [], id="a-digest-in-backticks"),
    pytest.param("the API token (JWT-RS256-2024)", [], id="a-format-in-parentheses"),
    pytest.param("secrets:\n  gauge-prod-2024:\n", [], id="an-entry-on-the-next-line"),
    pytest.param("token: |\n  the one that was made for the gauge in 2024\n", [], id="prose-in-a-block"),
    pytest.param("password: |\n  must be at least 8 characters\n", [], id="a-rule-in-a-block"),
    pytest.param("API_KEY: >-\n  ${GAUGE_KEY_2024}\n", [], id="a-variable-in-a-block"),
]


@pytest.mark.parametrize(("text", "expected"), APART)
def test_a_value_apart_from_its_name(text: str, expected: list[tuple[str, str]]) -> None:
    assert expected == said(text)


LITERALS = ["Tide(wa)2x", "Ti[de]12", "a/b/c9X!", "%Tide9x%", "t g a tide gauge 9"]


@pytest.mark.parametrize("value", LITERALS)
@pytest.mark.parametrize("frame", ['password = "{}"', "password: '{}'", '{{"user": "keeper", "password": "{}"}}'])
def test_a_literal_is_no_code(value: str, frame: str) -> None:
    assert [("PASSWORD", value)] == said(frame.format(value))


@pytest.mark.parametrize("value", LITERALS)
def test_a_member_is_no_code(value: str) -> None:
    DETECTOR.forget()
    (hit,) = DETECTOR.scan_tree({"password": value})
    assert ["PASSWORD"] == [span.type for span in hit.spans]


@pytest.mark.parametrize(
    "value",
    [
        pytest.param("get_gauge(2)", id="call"),
        pytest.param("gauges[2]", id="index"),
        pytest.param("tides(nt.of('gauge2.dll'),", id="call-that-goes-on"),
        pytest.param("gauge.keys(1)[0].name2", id="chain"),
        pytest.param("/etc/gauge/key2", id="path"),
        pytest.param("@tide/gauge2", id="package"),
        pytest.param("/login?next=gauge2", id="route"),
        pytest.param("0x00022", id="number-of-a-register"),
        pytest.param("%GAUGE_PASS2%", id="variable"),
        pytest.param("must be at least 9", id="prose"),
        pytest.param("$(cat gauge2.txt)", id="substitution"),
    ],
)
def test_a_literal_that_is_code_stays(value: str) -> None:
    assert [] == said(f'password = "{value}"')


DJANGO = "f4zh9d@b+odi0" + "$(o7yed7#u0b(--9_7x8k&zcuqjai=w3h5)e%m2"


@pytest.mark.parametrize("frame", ["SECRET_KEY = '{}'", "DJANGO_SECRET_KEY={}", "SECRET_KEY: '{}'"])
@pytest.mark.parametrize("key", [DJANGO, "&e6re-" + DJANGO[::-1].lstrip(")")])
def test_a_key_of_django_goes_whole(frame: str, key: str) -> None:
    assert [("SECRET", key)] == said(frame.format(key))


@pytest.mark.parametrize("frame", ["SECRET_KEY = '{}'", "DJANGO_SECRET_KEY={}", "SECRET_KEY: {}", '"secret_key": "{}"'])
def test_a_drawn_key_of_django_goes(frame: str) -> None:
    rng = random.Random(frame)
    for _ in range(40):
        key = "".join(rng.choices("abcdefghijklmnopqrstuvwxyz0123456789!@#$%^&*(-_=+)", k=50))
        # What ends a value besides, a bracket or a dash in a name, may stay: no more than that.
        assert 47 <= sum(len(value) for _, value in said(frame.format(key)))


def test_an_and_sign_ends_a_value_of_a_query() -> None:
    assert [("PASSWORD", WORD)] == said(f"password={WORD}&unit=m")


def test_a_semicolon_ends_a_value_of_a_connection() -> None:
    assert [("PASSWORD", WORD)] == said(f"UID=sa;PWD={WORD};DATABASE=tides")
    assert [("API_TOKEN", KEY)] == said(f"https://tide.example/?API_TOKEN={KEY}&UNIT=m")


MNEMONIC = " ".join(WORDS)
STRUCTURES = [
    pytest.param(
        f"AWS Access Key ID [None]: {'AKIA' + 'TIDEGAUGE4711XYZ'}\nAWS Secret Access Key [None]: {KEY}\nDefault",
        [("ACCESS_KEY_ID", "AKIA" + "TIDEGAUGE4711XYZ"), ("SECRET", KEY)],
        id="dialogue-of-aws",
    ),
    pytest.param(
        f"AWS Secret Access Key [****************4711]: {KEY}\n", [("SECRET", KEY)], id="dialogue-of-aws-once-more"
    ),
    pytest.param("AWS Secret Access Key [None]: \nDefault region name [None]: eu-west-1", [], id="left-empty"),
    pytest.param(f'mnemonic: "{MNEMONIC}"', [("SECRET", MNEMONIC)], id="mnemonic-in-quotes"),
    pytest.param(f"seed phrase: {MNEMONIC}", [("SECRET", MNEMONIC)], id="seed-phrase"),
    pytest.param(f'mnemonic: "{" ".join(WORDS[:11])} the"', [], id="a-sentence"),
    pytest.param(f'unit: "{MNEMONIC}"', [], id="twelve-words-without-a-name"),
    pytest.param(
        f".tide.example\tTRUE\t/\tTRUE\t1790000000\tauth_session\t{HEX}\n", [("COOKIE", HEX)], id="file-of-cookies"
    ),
    pytest.param(".tide.example\tTRUE\t/\tTRUE\t1790000000\ttheme\tdark\n", [], id="a-cookie-that-is-no-secret"),
]


@pytest.mark.parametrize(("text", "expected"), STRUCTURES)
def test_structures(text: str, expected: list[tuple[str, str]]) -> None:
    assert expected == said(text)


def test_a_mnemonic_as_a_member_goes() -> None:
    DETECTOR.forget()
    (hit,) = DETECTOR.scan_tree({"mnemonic": " ".join(WORDS * 2), "note": " ".join(WORDS)})
    assert ("/mnemonic", ["SECRET"]) == (hit.pointer, [span.type for span in hit.spans])


IDS = [
    pytest.param(f"key_id: {HEX[:16]}", [], id="id-of-a-public-key"),
    pytest.param("passport_number: SDD3O5HDI", [("ID_NUMBER", "SDD3O5HDI")], id="mostly-letters"),
    pytest.param("passport: REQUIRED", [], id="a-word"),
    pytest.param("cpf: 123.456.789-09", [("ID_NUMBER", "123.456.789-09")], id="brazil"),
    pytest.param("steuer_id: 12345678901", [("ID_NUMBER", "12345678901")], id="germany"),
]


@pytest.mark.parametrize(("text", "expected"), IDS)
def test_ids(text: str, expected: list[tuple[str, str]]) -> None:
    assert expected == said(text)


HOMES = [
    pytest.param("/data/home/okonkwo/x", ["okonkwo"], id="data"),
    pytest.param("cd /var/home/okonkwo && ls", ["okonkwo"], id="var"),
    pytest.param("open('/data/home/okonkwo/x')", ["okonkwo"], id="in-quotes"),
    pytest.param("GAUGES=/var/home/okonkwo/a", ["okonkwo"], id="in-a-variable"),
    pytest.param("PATH=/usr/bin:/var/home/okonkwo/bin", ["okonkwo"], id="in-a-list-of-paths"),
    pytest.param("https://tide.example/data/home/okonkwo/x", [], id="route-of-a-site"),
    pytest.param("https://tide.example:8443/data/home/okonkwo", [], id="route-of-a-site-with-a-port"),
]


@pytest.mark.parametrize(("text", "expected"), HOMES)
def test_homes_under_other_roots(text: str, expected: list[str]) -> None:
    assert [("USER", name) for name in expected] == said(text)
