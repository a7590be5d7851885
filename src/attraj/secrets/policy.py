"""What is looked for: a value that the caller makes from options; nothing is discovered."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, Protocol

from attraj.secrets.spans import Span

Personal = Literal["none", "standard", "strict"]
EngineName = Literal["auto", "stdlib", "fast"]


class Recogniser(Protocol):
    """A finder from outside (a named-entity model, a house rule): called once for each distinct text."""

    id: str

    def find(self, text: str, key: str) -> Iterable[Span]:
        """Spans in the text, in any order, whose `type` is one of TYPES and whose `pieces` may be empty."""
        ...


@dataclass(frozen=True, slots=True)
class DetectionPolicy:
    """Everything that a detection depends on besides the text.

    Attributes:
        personal: Which personal data is looked for. `standard`: e-mail, user names, public IP addresses, MAC, phone,
            card, IBAN, ids named by their key. `strict`: also private addresses and numbers in national form.
        packs: Paths of further rule packs (TOML), after the core pack.
        without: Ids of rules that are not applied.
        gitleaks: Path of a `.gitleaks.toml` whose rules are applied as well; "" for none.
        engine: How anchors are searched: `fast` needs the extra of that name, `auto` takes it when it is there.
        is_lowered: Thresholds one step lower, for the residual scan of a proof.
        recognisers: Finders from outside.
        work_per_text: Characters of views that may be made for a text, as a multiple of its length (and 64 KiB more).
    """

    personal: Personal = "standard"
    packs: tuple[str, ...] = ()
    without: frozenset[str] = frozenset()
    gitleaks: str = ""
    engine: EngineName = "auto"
    is_lowered: bool = False
    recognisers: tuple[Recogniser, ...] = ()
    work_per_text: int = 8


DEFAULT_POLICY = DetectionPolicy()
