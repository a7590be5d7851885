"""The quick look that the checks of a Bundle take: few kinds, decided from the bytes before a tree is walked.

scan.py       find(text), is_secret_like(text), and which detectors the bytes of a document leave possible
anchors.py    credentials that carry a literal prefix, one entry a format, with their examples
pii.py        e-mail addresses, IBANs, telephone numbers
detector.py   what a detector is, and a span
gate.py       searching the bytes of a document before its tree

`attraj scan` and `attraj redact` look with the whole pack instead: `attraj.secrets.Detector`.
"""

from __future__ import annotations
