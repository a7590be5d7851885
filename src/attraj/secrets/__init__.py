"""Text to spans: secrets and personal data of a known shape. Knows no format; no value leaves this room.

scan.py       find(text), is_secret_like(text), and which detectors the bytes of a document leave possible
anchors.py    credentials that carry a literal prefix, one entry a format, with their examples
pii.py        e-mail addresses, IBANs, telephone numbers
detector.py   what a detector is, and a span
gate.py       searching the bytes of a document before its tree
"""

from __future__ import annotations
