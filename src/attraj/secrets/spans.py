"""What is found: stretches of a text, places of a document. Nothing here shows a value in its `repr`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

Confidence = Literal["low", "medium", "high"]

SECRET_TYPES = (
    "API_TOKEN",
    "ACCESS_KEY_ID",
    "SECRET",
    "PASSWORD",
    "COOKIE",
    "AUTH_HEADER",
    "JWT",
    "PRIVATE_KEY",
    "WEBHOOK_URL",
    "SIGNATURE",
    "OTP_SEED",
    "ENCODED",
)
PERSONAL_TYPES = ("EMAIL", "USER", "IP", "MAC", "PHONE", "CARD", "IBAN", "ID_NUMBER")
TYPES = (*SECRET_TYPES, *PERSONAL_TYPES, "IMAGE", "CUSTOM")
"""The TYPE of a placeholder `<TYPE_n>`. IMAGE is never found here: media are only reported as such."""


class Piece(NamedTuple):
    """A stretch of the original text, in code points."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of one text that must not be published.

    Attributes:
        start, end: The hull in the original text, in code points.
        type: One of TYPES.
        rule: Id of the rule that found it.
        confidence: How surely it is what it is taken for.
        via: The views it was seen through, outermost first, for example ("json", "base64"); () in the text itself.
        pieces: What has to go, in order, inside the hull: the first piece becomes the placeholder, the others nothing.
            One piece unless the value is split (colour codes, terminal wrap, string concatenation, a hex dump).
        value: What it says once decoded: equal values get equal placeholders. Never to be written anywhere.
        secret_from: Offset in `value` after the public anchor ("ghp_"): the part whose windows a proof looks for.
        inner: Of an ENCODED span, what was found inside: their values have to be swept as well.
        pack: Id of the rule pack, or of the recogniser.
    """

    start: int
    end: int
    type: str
    rule: str
    confidence: Confidence = "high"
    via: tuple[str, ...] = ()
    pieces: tuple[Piece, ...] = ()
    value: str = field(default="", repr=False)
    secret_from: int = field(default=0, repr=False)
    inner: tuple[Span, ...] = field(default=(), repr=False)
    pack: str = "attraj-core"

    @property
    def is_secret(self) -> bool:
        """Whether it is a credential, as opposed to personal data."""
        return self.type not in PERSONAL_TYPES


@dataclass(frozen=True, slots=True)
class Found:
    """What one text holds.

    Attributes:
        spans: By start; they do not overlap.
        unscanned: Why a part of the text was not looked at ("budget"); "" when all of it was. Never to be ignored: a
            text that was not looked at whole must not be published as if it had been.
        media: What the text carries that is not text ("image/png" …, "binary"); "" for none. It is not decoded.
    """

    spans: tuple[Span, ...] = ()
    unscanned: str = ""
    media: str = ""

    def __bool__(self) -> bool:
        return bool(self.spans or self.unscanned or self.media)


NOTHING = Found()


@dataclass(frozen=True, slots=True)
class Hit:
    """A text of a document that holds something, was not looked at whole, or is media.

    Attributes:
        pointer: RFC 6901 pointer of the text; of the member whose name it is, when `is_key`. True, so never shown
            unmasked: `attraj.pointer.shown`.
        is_key: Whether it is the name of a member.
        spans, unscanned, media: See `Found`.
        is_number: The value is a number, not a text (a PIN or a card number under its name); the span covers its
            digits as `str` writes them.
    """

    pointer: str = field(repr=False)
    is_key: bool
    spans: tuple[Span, ...]
    unscanned: str = ""
    media: str = ""
    is_number: bool = False
