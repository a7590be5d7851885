"""One finding code a type of secret or personal data (spec: decisions 2), and two for what was not looked at."""

from __future__ import annotations

from attraj.findings import Rule, Severity, Stratum
from attraj.secrets.spans import PERSONAL_TYPES, TYPES

_SLUGS = {
    "API_TOKEN": "api-token",
    "ACCESS_KEY_ID": "access-key-id",
    "SECRET": "secret-value",
    "PASSWORD": "password-value",
    "COOKIE": "session-cookie",
    "AUTH_HEADER": "authorization-value",
    "JWT": "signed-token",
    "PRIVATE_KEY": "private-key",
    "WEBHOOK_URL": "webhook-address",
    "SIGNATURE": "request-signature",
    "OTP_SEED": "one-time-seed",
    "ENCODED": "encoded-secret",
    "EMAIL": "e-mail-address",
    "USER": "user-name",
    "IP": "network-address",
    "MAC": "hardware-address",
    "PHONE": "phone-number",
    "CARD": "card-number",
    "IBAN": "account-number",
    "ID_NUMBER": "identity-number",
    "IMAGE": "unscanned-media",
    "CUSTOM": "house-rule",
}


def _severity(kind: str) -> Severity:
    # An access key id alone opens nothing; personal data may be meant to be there: a person decides.
    return Severity.WARNING if kind in PERSONAL_TYPES or kind in ("ACCESS_KEY_ID", "IMAGE") else Severity.ERROR


_RULES = {kind: Rule(f"SEC-{kind}", _SLUGS[kind], _severity(kind), Stratum.MEANING) for kind in TYPES}

MEDIA = _RULES["IMAGE"]
UNSCANNED = Rule("SEC-UNSCANNED", "unscanned-text", Severity.ERROR, Stratum.MEANING)


def code_of(kind: str) -> Rule:
    """The code of a type."""
    return _RULES[kind]


def rules() -> tuple[Rule, ...]:
    """All codes, in the order of the types."""
    return (*_RULES.values(), UNSCANNED)
