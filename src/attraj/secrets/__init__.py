"""Text to spans: secrets and personal data. Knows no format; no value leaves this room.

    detector = Detector(DetectionPolicy(personal="standard"))     # once a run: loads the packs, or raises AttrajError
    found = detector.scan_text(text, key="stderr")                # Found(spans, unscanned, media)
    for hit in detector.scan_tree(tree):                          # Hit(pointer, is_key, spans, unscanned, media)
        ...
    names = names_to_sweep(found.spans)                           # user names of home paths, to look for as words
    found = Sweep(known_values(spans)).find(other_text)           # the same values elsewhere, in every encoding
    detector.packs                                                # (id, version, sha256, origin) for the manifest

A text that was not looked at whole says so (`unscanned`), media say so (`media`): neither is ever silent. Whatever
names a rule, a type or a view may be shown; `Span.value` and what stands in a `pointer` may not.

spans.py      Span, Found, Hit, TYPES                     policy.py    what is looked for
detector.py   the Detector                                tree.py      structure: names and values, calls and results
reading.py    a text in every reading                     overlaps.py  several finds to spans that do not overlap
rules.py      reading packs                               rules/       the core pack (TOML)
engine.py     literals in a text (trie, Aho-Corasick)     views.py     decoded views that know their offsets
joins.py      what was broken over lines or in pieces     seams.py     what of it belongs together
names.py      what the name of a member says              values.py    what a value looks like
assigned.py   values beside a name (how: ties.py)         encoded.py   base64, hex, gzip
personal.py   e-mail, users, addresses, cards …           sweep.py     known values, in every encoding
gitleaks.py   a user's own `.gitleaks.toml`               codes.py     one finding code a type
quick/        the quick look that the checks of a Bundle take
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from attraj.secrets.detector import Detector as Detector
    from attraj.secrets.personal import names_to_sweep as names_to_sweep
    from attraj.secrets.policy import DetectionPolicy as DetectionPolicy
    from attraj.secrets.policy import Recogniser as Recogniser
    from attraj.secrets.spans import TYPES as TYPES
    from attraj.secrets.spans import Found as Found
    from attraj.secrets.spans import Hit as Hit
    from attraj.secrets.spans import Piece as Piece
    from attraj.secrets.spans import Span as Span
    from attraj.secrets.sweep import Sweep as Sweep
    from attraj.secrets.sweep import known_values as known_values

_HOME = {
    "Detector": "detector",
    "DetectionPolicy": "policy",
    "Recogniser": "policy",
    "Found": "spans",
    "Hit": "spans",
    "Piece": "spans",
    "Span": "spans",
    "TYPES": "spans",
    "names_to_sweep": "personal",
    "Sweep": "sweep",
    "known_values": "sweep",
}
__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    # Lazy: the checks of a Bundle import `attraj.secrets.quick` alone.
    from importlib import import_module

    if name in _HOME:
        return getattr(import_module(f"attraj.secrets.{_HOME[name]}"), name)
    raise AttributeError(name)
