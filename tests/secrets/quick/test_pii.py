"""Personal data of a known shape, and what looks like it."""

from __future__ import annotations

import re

import pytest

from attraj.secrets.quick import pii
from attraj.secrets.quick.pii import emails, ibans, phones

# Assembled, so that no address or account number stands here as a whole.
AT = "@"
IBAN_DE = "DE89" + "370400440532013000"
IBAN_GB = "GB82 " + "WEST 1234 5698 7654 32"


def found(search: object, text: str) -> list[str]:
    return [text[start:end] for start, end in search(text)]  # type: ignore[operator]


EMAILS = [
    pytest.param(f"a{AT}b.example", [f"a{AT}b.example"], id="catalogue-example"),
    pytest.param(f"Author: Ada <ada.keeper{AT}tide.example>", [f"ada.keeper{AT}tide.example"], id="git-log"),
    pytest.param(f"写给ada{AT}tide.example。", [f"ada{AT}tide.example"], id="glued-to-chinese"),
    pytest.param(f"a{AT}b.example, c+d{AT}e.f.example", [f"a{AT}b.example", f"c+d{AT}e.f.example"], id="two"),
    pytest.param(f"mail 'ada{AT}tide.example'", [f"ada{AT}tide.example"], id="quoted"),
    pytest.param(f"git{AT}github.com:tide/gauge.git", [], id="ssh-remote"),
    pytest.param(f"noreply{AT}tide.example", [], id="no-reply"),
    pytest.param(f"icon{AT}2x.png", [], id="asset"),
    pytest.param(f"attraj{AT}0.1.0", [], id="version"),
    pytest.param(f"{AT}app.route", [], id="decorator"),
    pytest.param(f"W{AT}x.reshape(2)", [], id="matrix-product"),
    pytest.param(f"postgres://keeper:gauge7{AT}db.example/x", [], id="url-password-has-its-own-rule"),
    pytest.param(f"a{AT}b", [], id="no-top-level-domain"),
]


@pytest.mark.parametrize(("text", "expected"), EMAILS)
def test_emails(text: str, expected: list[str]) -> None:
    assert expected == found(emails, text)


IBANS = [
    pytest.param(IBAN_DE, [IBAN_DE], id="alone"),
    pytest.param(f"to {IBAN_GB} AND more", [IBAN_GB], id="grouped-before-capitals"),
    pytest.param(f"令{IBAN_DE}令", [IBAN_DE], id="glued-to-chinese"),
    pytest.param(f"AB12 {IBAN_DE}", [IBAN_DE], id="after-what-looks-like-one"),
    pytest.param(f"{IBAN_GB} {IBAN_DE}", [IBAN_GB, IBAN_DE], id="two"),
    pytest.param(IBAN_DE[:-1] + "1", [], id="check-digits-wrong"),
    pytest.param(IBAN_DE + "0", [], id="too-long"),
    pytest.param("X" + IBAN_DE, [], id="inside-a-word"),
    pytest.param("ZZ" + IBAN_DE[2:], [], id="no-such-country"),
]


@pytest.mark.parametrize(("text", "expected"), IBANS)
def test_ibans(text: str, expected: list[str]) -> None:
    assert expected == found(ibans, text)


PHONES = [
    pytest.param("+1 555 010 0199", ["+1 555 010 0199"], id="grouped"),
    pytest.param("call +49 (30) 5550-1234 now", ["+49 (30) 5550-1234"], id="area-code"),
    pytest.param("+4915550123456", ["+4915550123456"], id="plain"),
    pytest.param("+1-555-010-0199", ["+1-555-010-0199"], id="hyphens"),
    pytest.param("2026-08-21T12:00:00+02:00", [], id="offset"),
    pytest.param("x = 1+15550100199", [], id="sum"),
    pytest.param("+1.2345678901", [], id="decimal"),
    pytest.param("--- a\n+++ b\n@@ -1 +1 @@\n+15550100199", [], id="added-line-of-a-diff"),
    pytest.param("+05550100199", [], id="no-country-code"),
    pytest.param("+1 23", [], id="too-short"),
]


@pytest.mark.parametrize(("text", "expected"), PHONES)
def test_phones(text: str, expected: list[str]) -> None:
    assert expected == found(phones, text)


@pytest.mark.parametrize("detector", pii.detectors(), ids=lambda d: str(d.id))
def test_every_find_holds_an_anchor_and_passes_the_gate(detector: object) -> None:
    for row in (*EMAILS, *IBANS, *PHONES):
        text = str(row.values[0])
        if list(detector.search(text)):  # type: ignore[attr-defined]
            has_anchor, passes = detector.may_be_in(text), re.search(detector.gate, text)  # type: ignore[attr-defined]
            assert (has_anchor, passes is not None) == (True, True), row.id
