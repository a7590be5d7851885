"""Personal data that has a shape: e-mail addresses, IBANs, international telephone numbers. Names and postal addresses
in prose have none, and are not looked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from attraj.secrets.quick.detector import Detector

# --- e-mail --------------------------------------------------------------------------------------------------------

_LOCAL = re.compile(r"[A-Za-z0-9\u00c0-\u024f._%+'-]{1,64}\Z")
_DOMAIN = re.compile(
    r"@(?:[A-Za-z0-9\u00c0-\u024f](?:[A-Za-z0-9\u00c0-\u024f-]{0,62}\.)){1,8}([A-Za-z]{2,24})(?![A-Za-z0-9_(\[=])"
)
# What follows the last dot of an asset ("icon@2x.png") or of a versioned file is no top-level domain.
_SUFFIX = re.compile(
    "bmp|cfg|conf|cpp|css|csv|gif|go|gz|html|ini|ipynb|jar|java|jpe?g|jsx?|jsonl?|lock|log|map|md|pdf|php|png|py|rb|rst"
    "|service|sh|svg|tar|tgz|toml|tsx?|txt|webp|whl|xml|ya?ml|zip",
    re.IGNORECASE,
)
_ROLES = frozenset({"git", "noreply", "no-reply", "donotreply", "do-not-reply"})


def emails(text: str) -> Iterator[tuple[int, int]]:
    """Addresses of persons; not `git@host`, no-reply senders, or decorators and file names with an "@"."""
    at = text.find("@")
    while at >= 0:
        local = _LOCAL.search(text, max(0, at - 65), at) if at else None
        domain = _DOMAIN.match(text, at) if local else None
        if local and domain and not _SUFFIX.fullmatch(domain[1]) and local[0].lower() not in _ROLES:
            start = local.start() + len(local[0]) - len(local[0].lstrip(".'-%+"))
            if start < at and not _is_url_password(text, start):
                yield start, domain.end()
        at = text.find("@", at + 1)


def _is_url_password(text: str, start: int) -> bool:
    # "scheme://user:password@host" is no address; the password has a rule of its own. What stands in the path or the
    # query of a URL is one.
    at = text.rfind("://", max(0, start - 80), start)
    return at > text.rfind(" ", max(0, start - 80), start) and not _PAST_HOST(text, at + 3, start)


_PAST_HOST = re.compile(r"[^/?#]*[/?#]").match


# --- IBAN ----------------------------------------------------------------------------------------------------------

# Country and length. Source: SWIFT IBAN Registry (ISO 13616).
_IBAN_LENGTHS = {
    **dict.fromkeys(("NO",), 15),
    **dict.fromkeys(("BE",), 16),
    **dict.fromkeys(("DK", "FI", "FO", "GL", "NL"), 18),
    **dict.fromkeys(("MK", "SI"), 19),
    **dict.fromkeys(("AT", "BA", "EE", "KZ", "LT", "LU", "XK"), 20),
    **dict.fromkeys(("CH", "HR", "LI", "LV"), 21),
    **dict.fromkeys(("BG", "BH", "CR", "DE", "GB", "GE", "IE", "ME", "RS", "VA"), 22),
    **dict.fromkeys(("AE", "GI", "IL", "IQ", "TL"), 23),
    **dict.fromkeys(("AD", "CZ", "ES", "MD", "PK", "RO", "SA", "SE", "SK", "TN", "VG"), 24),
    **dict.fromkeys(("PT",), 25),
    **dict.fromkeys(("IS", "TR"), 26),
    **dict.fromkeys(("FR", "GR", "IT", "MC", "SM"), 27),
    **dict.fromkeys(("AL", "AZ", "BY", "CY", "DO", "GT", "HU", "LB", "PL", "SV"), 28),
    **dict.fromkeys(("BR", "PS", "QA", "UA"), 29),
    **dict.fromkeys(("JO", "KW", "MU"), 30),
    **dict.fromkeys(("MT", "SC"), 31),
    "LC": 32,
}
_GATE = " ?[A-Z0-9]{4} ?[A-Z0-9]{4} ?[A-Z0-9]{3}"
# Without the countries: `re` tries 76 alternatives one by one, at every place.
_iban = re.compile(r"[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]){11,28}").search


def ibans(text: str) -> Iterator[tuple[int, int]]:
    """Account numbers of the right length whose check digits are right (mod 97)."""
    match = _iban(text)
    while match is not None:
        start = match.start()
        end = _iban_end(text, start, _IBAN_LENGTHS.get(match[0][:2], 0))
        if end:
            yield start, end
        match = _iban(text, end or start + 1)


def _iban_end(text: str, start: int, length: int) -> int:
    """Where the account number of this length that begins here ends; 0 when it is none."""
    if not length or (start and text[start - 1].isascii() and text[start - 1].isalnum()):
        return 0
    end, letters = start, ""
    while len(letters) < length and end < len(text):
        letters += text[end].strip(" ")
        end += 1
    ends = end == len(text) or not (text[end].isascii() and text[end].isalnum())
    return end if ends and len(letters) == length and _is_checked(letters) else 0


def _is_checked(iban: str) -> bool:
    if not (iban.isascii() and iban.isalnum()):
        return False
    return int("".join(str(int(c, 36)) for c in iban[4:] + iban[:4])) % 97 == 1


# --- telephone -----------------------------------------------------------------------------------------------------

_PHONE = r"\+[1-9][0-9 ().-]{7}"
_GROUPED = re.compile(
    r"\+[1-9][0-9]{0,2}(?:[ -]?\([0-9]{1,4}\)[0-9]{0,4}|[ .-][0-9]{1,5})(?:[ .-][0-9]{2,8}){1,5}(?![0-9])"
)
_PLAIN = re.compile(r"\+[1-9][0-9]{9,14}(?![0-9]|[.,][0-9])")
_IS_DIFF = re.compile(r"^(?:@@ |diff --git |\+\+\+ )", re.MULTILINE)


def phones(text: str) -> Iterator[tuple[int, int]]:
    """Numbers in international form with 9 to 15 digits; not the added lines of a diff, not decimal numbers."""
    at = text.find("+")
    while at >= 0:
        match = None
        if not at or not (text[at - 1].isalnum() or text[at - 1] in "+_)]"):
            match = _GROUPED.match(text, at) or _PLAIN.match(text, at)
        if match is not None and _is_number(match[0]) and not _is_added_line(text, at):
            yield match.span()
        at = text.find("+", match.end() if match else at + 1)


def _is_number(phone: str) -> bool:
    is_decimal = phone.count(".") == 1 and not set(phone) & set(" -(")
    return 9 <= sum(map(str.isdigit, phone)) <= 15 and not is_decimal


def _is_added_line(text: str, at: int) -> bool:
    return (at == 0 or text[at - 1] == "\n") and _IS_DIFF.search(text) is not None


def detectors() -> tuple[Detector, ...]:
    """The three kinds; none of them is a credential."""
    return (
        Detector(
            "email",
            "EMAIL",
            "an e-mail address",
            False,
            ("@",),
            r"@(?:[A-Za-z0-9-]+\.)+[A-Za-z]{2}",
            emails,
        ),
        Detector(
            "iban",
            "IBAN",
            "a bank account number",
            False,
            tuple(_IBAN_LENGTHS),
            f"(?:{'|'.join(sorted(_IBAN_LENGTHS))})[0-9]{{2}}{_GATE}",
            ibans,
            re_gate=f"[A-Z]{{2}}[0-9]{{2}}{_GATE}",
        ),
        Detector("phone", "PHONE", "a telephone number", False, ("+",), _PHONE, phones),
    )
