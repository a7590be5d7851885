"""Personal data that has a shape. Names and postal addresses in prose have none, and are not looked for.

A cheap look at the bytes comes first: digits and letters are all written as one of each, so that a literal finds what
may be an address or an account number at the speed of memory.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from attraj.secrets.engine import engine_of
from attraj.secrets.quick.pii import emails, ibans, phones
from attraj.secrets.spans import Span
from attraj.secrets.values import vocabulary


class Datum(NamedTuple):
    """Offsets of one datum, its type and the rule that found it."""

    start: int
    end: int
    type: str
    rule: str


_KINDS = bytes.maketrans((string.digits + string.ascii_uppercase).encode(), b"0" * 10 + b"A" * 26)
_HEX = bytes.maketrans(b"0123456789abcdefABCDEF", b"h" * 22)
_BEFORE, _AFTER = 24, 48  # characters around a shape in which the datum stands
_GROUPS = ("0", "00", "000")
_NUMBER_SHAPES = (
    "AA00", "0000-0000-0", "0000 0000 0", "0000 000000 0", "0000-000000-0", "000-00-0000", "000-000-0000",
    "000.000.0000", ") 000", ")000", "0000000000000", "00 00 00 00 00", "000 000",
    *(f".{one}.{two}." for one in _GROUPS for two in _GROUPS),
)  # fmt: skip
_ADDRESS_SHAPES = ("hh:hh:hh:hh:hh:hh", "hh-hh-hh-hh-hh-hh", "hhhh.hhhh.hhhh", "hhhh:")


class Personal:
    """Finds personal data, user names apart.

    Args:
        engine: Name of the engine that looks for the shapes.
        is_strict: Also private addresses and numbers without groups.
    """

    def __init__(self, engine: str, is_strict: bool) -> None:
        self._numbers = engine_of(_NUMBER_SHAPES, engine).hits_in
        self._addresses = engine_of(_ADDRESS_SHAPES, engine).hits_in
        self._is_strict = is_strict

    def find(self, text: str, data: bytes) -> Iterator[Datum]:
        """The personal data of a text; `data` is the text with one byte a character."""
        if b"@" in data:
            yield from (Datum(*at, "EMAIL", "email") for at in emails(text))
        if b"+" in data:
            yield from (Datum(*at, "PHONE", "phone") for at in phones(text))
        kinds = data.translate(_KINDS)
        hits = self._numbers(kinds)
        if hits:
            if any(number == 0 for _, number in hits):
                yield from (Datum(*at, "IBAN", "iban") for at in ibans(text))
            for begin, finish in _windows([at for at, number in hits if number]):
                yield from cards(text, begin, finish)
                yield from named_cards(text, begin, finish)
                yield from national_phones(text, begin, finish)
                yield from social_security(text, begin, finish, self._is_strict)
                yield from ipv4(text, begin, finish, self._is_strict)
        if self._is_strict:
            yield from plain_cards(text)
        hexed = data.translate(_HEX)
        hits = self._addresses(hexed)
        if hits:
            for begin, finish in _windows([at for at, number in hits if number < 3]):
                yield from macs(text, begin, finish)
            for begin, finish in _windows([at for at, number in hits if number == 3]):
                yield from ipv6(text, begin, finish, self._is_strict)


def _windows(places: list[int]) -> Iterator[tuple[int, int]]:
    """What is around the places, merged where it touches."""
    begin = finish = -1
    for place in places:
        start = max(0, place - _BEFORE)
        if finish < 0:
            begin = start
        elif start > finish:
            yield begin, finish
            begin = start
        finish = place + _AFTER
    if finish >= 0:
        yield begin, finish


# --- addresses of machines -------------------------------------------------------------------------------------------

_OCTET = r"(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
_IPV4 = re.compile(rf"(?:{_OCTET}\.){{3}}{_OCTET}")
_AROUND = frozenset(string.digits + string.ascii_letters + "._-")
_VERSION_BEFORE = re.compile(r"(?:[Vv]ersion|[vV]er\.?|release|build|==|>=|<=|~=|[Vv])[\s:=\"']{0,3}\Z|/\Z").search
_PRIVATE = re.compile(
    r"(?:0|10|127|255|22[4-9]|2[3-5][0-9])\.|192\.168\.|172\.(?:1[6-9]|2[0-9]|3[01])\.|169\.254\."
    r"|100\.(?:6[4-9]|[7-9][0-9]|1[01][0-9]|12[0-7])\.|192\.0\.[02]\.|198\.51\.100\.|203\.0\.113\.|198\.1[89]\."
).match
# Resolvers that everybody writes.
_SMALL = 50  # numbers of versions and sections; one address in 700 has four of them
_WELL_KNOWN = frozenset(
    {"8.8.8.8", "8.8.4.4", "1.1.1.1", "1.0.0.1", "9.9.9.9", "114.114.114.114", "1.2.3.4", "4.4.4.4"}
)


def ipv4(text: str, begin: int, finish: int, is_strict: bool) -> Iterator[Datum]:
    """Public addresses; private ones and those of documentation only when strict. No version numbers."""
    for match in _IPV4.finditer(text, begin, finish):
        start, end = match.span()
        if (start and text[start - 1] in _AROUND and text[start - 1] not in "-_") or (
            end < len(text) and text[end] in _AROUND
        ):
            if not (end + 1 >= len(text) or (text[end] in ".-" and not text[end + 1].isalnum())):
                continue
            if start and text[start - 1] in _AROUND and text[start - 1] not in "-_":
                continue
        if start and text[start - 1].isdigit():
            continue
        address = match[0]
        if not is_strict and (_PRIVATE(address) or address in _WELL_KNOWN or address.endswith(".0")):
            continue
        if not is_strict and all(int(octet) < _SMALL for octet in address.split(".")):
            continue  # a section of a standard, a version
        before = text[max(0, start - 12) : start]
        if _VERSION_BEFORE(before) and not before.endswith("//"):
            continue
        yield Datum(start, end, "IP", "ipv4")


_IPV6 = re.compile(r"[0-9A-Fa-f]{1,4}:(?:[0-9A-Fa-f]{0,4}:){1,7}[0-9A-Fa-f]{0,4}")


def ipv6(text: str, begin: int, finish: int, is_strict: bool) -> Iterator[Datum]:
    """Global addresses."""
    from ipaddress import AddressValueError, IPv6Address

    for match in _IPV6.finditer(text, begin, finish):
        start, end = match.span()
        if (start and (text[start - 1].isalnum() or text[start - 1] in ":_.")) or (
            end < len(text) and (text[end].isalnum() or text[end] in "_")
        ):
            continue
        body = match[0].rstrip(":") if match[0].endswith(":") and not match[0].endswith("::") else match[0]
        if sum(len(part) > 2 for part in body.split(":")) < 2:
            continue  # a time, a MAC, a slice
        try:
            address = IPv6Address(body)
        except AddressValueError:
            continue
        if is_strict or (address.is_global and not address.is_multicast):
            yield Datum(start, start + len(body), "IP", "ipv6")


_MAC = re.compile(
    r"[0-9A-Fa-f]{2}(?:(?::[0-9A-Fa-f]{2}){5}|(?:-[0-9A-Fa-f]{2}){5})|[0-9A-Fa-f]{4}\.[0-9A-Fa-f]{4}\.[0-9A-Fa-f]{4}"
)


def macs(text: str, begin: int, finish: int) -> Iterator[Datum]:
    """Hardware addresses; not those of nobody, and not a part of a longer row (a fingerprint)."""
    for match in _MAC.finditer(text, begin, finish):
        start, end = match.span()
        if (start and (text[start - 1].isalnum() or text[start - 1] in ":-._")) or (
            end < len(text)
            and (
                (text[end].isascii() and text[end].isalnum())
                or (text[end] in ":-" and text[end + 1 : end + 2].isalnum())
            )
        ):
            continue
        digits = re.sub("[^0-9A-Fa-f]", "", match[0]).lower()
        if (
            len(set(digits)) > 2
            and not ("." in match[0] and digits.isdecimal())  # numbers of characters, of versions
            and not digits.startswith(("000000", "01005e", "3333", "0242"))
            and digits not in ("001122334455", "aabbccddeeff", "0123456789ab")
        ):
            yield Datum(start, end, "MAC", "mac")


# --- numbers of persons ----------------------------------------------------------------------------------------------

_CARD = re.compile(
    r"[2-6][0-9]{3}(?P<s>[ -])[0-9]{4}(?P=s)[0-9]{4}(?P=s)[0-9]{2,4}(?:(?P=s)[0-9]{1,3})?"
    r"|3[47][0-9]{2}(?P<t>[ -])[0-9]{6}(?P=t)[0-9]{5}"
)
_PLAIN_CARD = re.compile(r"(?:4[0-9]{15}|5[1-5][0-9]{14}|2[2-7][0-9]{14}|3[47][0-9]{13}|6(?:011|5[0-9]{2})[0-9]{12})")


def is_luhn(digits: str) -> bool:
    """Whether the check digit of a card number is right."""
    total = 0
    for position, digit in enumerate(reversed(digits)):
        number = int(digit) * (1 + position % 2)
        total += number - 9 * (number > 9)
    return total % 10 == 0 and len(set(digits)) > 1


def cards(text: str, begin: int, finish: int) -> Iterator[Datum]:
    """Card numbers in groups; without groups they are known by the name beside them only."""
    for match in _CARD.finditer(text, begin, finish):
        if _is_alone(text, *match.span()) and is_luhn(re.sub("[ -]", "", match[0])):
            yield Datum(*match.span(), "CARD", "card")


_NAMES_A_CARD = re.compile(r"card|visa|amex|master|\bpan\b|\bcc\b|_cc|cc_|银行卡|卡号", re.IGNORECASE).search


def named_cards(text: str, begin: int, finish: int) -> Iterator[Datum]:
    """Card numbers without groups, where something near before them says what they are."""
    for match in _PLAIN_CARD.finditer(text, begin, finish):
        is_named = _NAMES_A_CARD(text, max(0, match.start() - 40), match.start()) is not None
        if is_named and _is_alone(text, *match.span()) and is_luhn(match[0]):
            yield Datum(*match.span(), "CARD", "card-named")


def plain_cards(text: str) -> Iterator[Datum]:
    """Card numbers without groups (strict)."""
    for match in _PLAIN_CARD.finditer(text):
        if _is_alone(text, *match.span()) and is_luhn(match[0]):
            yield Datum(*match.span(), "CARD", "card-plain")


def _is_alone(text: str, start: int, end: int) -> bool:
    before, after = text[start - 1 : start], text[end : end + 1]
    return not (before.isalnum() or before in ("-", ".", "_")) and not (
        after.isalnum() or after in ("-", "_") or (after == "." and text[end + 1 : end + 2].isdigit())
    )


_SSN = re.compile(r"(?!000|666|9)[0-9]{3}-(?!00)[0-9]{2}-(?!0000)[0-9]{4}")


def social_security(text: str, begin: int, finish: int, is_strict: bool) -> Iterator[Datum]:
    """US numbers in their written form, where something near says so."""
    for match in _SSN.finditer(text, begin, finish):
        if not _is_alone(text, *match.span()):
            continue
        around = text[max(0, match.start() - 80) : match.end() + 40].lower()
        if is_strict or "ssn" in around or "social" in around or "tax" in around:
            yield Datum(*match.span(), "ID_NUMBER", "ssn")


_NATIONAL = re.compile(
    r"(?:\(\d{2,4}\)[ -]?|(?:1[ .-])?\d{3}[.-])\d{3}[ .-]\d{4}|0\d(?: \d{2}){4}|0\d{2,4} \d{3} ?\d{3,4}"
)


def national_phones(text: str, begin: int, finish: int) -> Iterator[Datum]:
    """Numbers in national form with separators, where the text is not one of numbers."""
    for match in _NATIONAL.finditer(text, begin, finish):
        start, end = match.span()
        if (
            not _is_alone(text, start, end)
            or text[start - 1 : start] in ("+", "/", "=", "#", "$")
            or text[end : end + 1] in ("/", "%")
        ):
            continue
        around = text[max(0, start - 24) : start].lower()
        is_said = any(
            word in around
            for word in (
                "tel",
                "phone",
                "call",
                "mobile",
                "cell",
                "fax",
                "contact",
                "sms",
                "whatsapp",
                "dial",
                "number",
                "ring",
            )
        )
        if is_said or match[0].startswith("(") or re.fullmatch(r"[2-9]\d{2}-[2-9]\d{2}-\d{4}", match[0]):
            yield Datum(start, end, "PHONE", "phone-national")


# --- user names ------------------------------------------------------------------------------------------------------

HOME_LITERALS = (
    "/home/",
    "/Users/",
    "\\Users\\",
    "\\\\Users\\\\",
    "/users/",
    "__home__",
    "__Users__",
    "-Users-",
    "-home-",
    "/export/home/",
    "%2Fhome%2F",
    "%2FUsers%2F",
    "/mnt/c/Users",
    "\\Documents and Settings\\",
)
_NAME = re.compile(r"[A-Za-z0-9\u00c0-\U0010ffff](?:[A-Za-z0-9\u00c0-\U0010ffff]|[._-](?=[A-Za-z0-9])){0,31}").match
_DASHED = re.compile(r"[A-Za-z0-9]+").match
_MANGLED = re.compile(r"[A-Za-z0-9]+(?:-[A-Za-z0-9]+|_(?!_)[A-Za-z0-9]+)*").match
_TILDE = re.compile(r"~([a-z_][a-z0-9._-]{2,31})/")
# What tells the home "/users/name/src" from a route of an interface, "/users/name/posts".
_IN_A_HOME = re.compile(
    r"/(?:\.[a-z]|src|Documents|Desktop|Downloads|projects?|work|code|repos?|git|dev|(?:mini|ana)conda|envs?|bin|Library)"
).match
SYSTEM_NAMES = vocabulary(
    "root runner ubuntu user users vscode node app apps admin administrator debian ec2-user azureuser vagrant "
    "docker jenkins default public shared guest test tester testuser dev developer agent gitpod codespace "
    "circleci travis builder build linuxbrew deploy www www-data nobody daemon git postgres mysql redis nginx "
    "conda mambauser jovyan sandbox swe worker workspace work project projects code src repo data tmp name "
    "username your yourname your-username me myuser someuser someone foo bar alice-example xxx container "
    "nonroot appuser site wwwroot runneradmin all me you he user1 user2 defaultuser0 coder opc centos fedora "
    "alpine arch pi steam oem home python ruby java nodejs claude codex openhands swe-agent sweagent nemotron "
    "service svc system local libvirt hadoop spark airflow ftp"
)


def users(text: str, at: int, literal: str) -> Datum | None:
    """The user name of the home path whose marker stands at `at`."""
    start = at + len(literal)
    if literal.startswith("-") and text[at - 1 : at].isalnum():
        return None
    if literal == "/mnt/c/Users":
        start += 1
    # `match` looks no further than the name: a dash in "/home/a-b/" belongs to it, in "-Users-a-b" nobody knows.
    match = (_DASHED if literal.startswith("-") else _MANGLED if literal.startswith("__") else _NAME)(text, start)
    if match is None or not is_user_name(match[0]):
        return None
    if (
        literal in ("/users/", "/home/")
        and at
        and (text[at - 1].isalnum() or text[at - 1] in "})._-")
        and not _is_mount(text, at)
    ):
        return None  # a route of an interface, not a path
    if literal == "/users/" and not _IN_A_HOME(text, match.end()):
        return None
    return Datum(start, match.end(), "USER", "home-path")


# A path up to a place, or the whole of a URL of files; not one of a site.
_PATH_BEFORE = re.compile(
    r"(?:(?:^|[\s\"'`=(\[{<>,;|])(?:file:|vscode\S*)?|:)/(?:[^\s\"'`=(\[{<>,;|:/][^\s\"'`:]*)?\Z"
).search


def _is_mount(text: str, at: int) -> bool:
    return _PATH_BEFORE(text, max(0, at - 200), at) is not None


def is_user_name(name: str) -> bool:
    """A name of somebody, not one that every machine has, a placeholder, or a number."""
    lowered = name.lower()
    return (
        lowered not in SYSTEM_NAMES
        and not name.isdigit()
        and len(name) >= 2
        and not lowered.startswith(("your", "example", "test_"))
    )


def tilde_users(text: str) -> Iterator[Datum]:
    """`~name/`."""
    for match in _TILDE.finditer(text):
        before = text[match.start() - 1 : match.start()] if match.start() else " "
        if (before.isspace() or before in "\"'=:(,") and is_user_name(match[1]):
            yield Datum(*match.span(1), "USER", "home-tilde")


MIN_SWEPT = 4  # letters; a shorter name is a word of too many texts
_COMMON = vocabulary(
    "main test name file data list code user home work long time type info line page text note form part"
)


def names_to_sweep(spans: Iterable[Span]) -> tuple[str, ...]:
    """The user names among these spans that can be looked for as whole words elsewhere, in order of appearance."""
    values = (span.value for span in spans if span.type == "USER")
    kept = (v for v in values if len(v) >= MIN_SWEPT and v.lower() not in _COMMON and any(c.isalpha() for c in v))
    return tuple(dict.fromkeys(kept))
