"""Bytes to documents and back. Knows JSON, its defects and its limits; knows no trajectory format.

document.py    what reading gives: bytes beside their tree, and the faults of the bytes
read.py        files and streams to bytes, within bounds; compressed.py expands gzip and Zstandard
parse.py       bytes to Document: the fast way (jiter), and which way to go when it fails
exact.py       the slow and tolerant reader: every defect with its place, and a tree wherever one can be had;
               sniff.py tells what is no text at all, utf8.py what is no UTF-8, explain.py why a text breaks,
               cut.py the quick way for a large text that only ends too early
split.py       one file, many documents: a JSON array, JSON Lines
write.py       trees to bytes (exact integers), files replaced atomically
"""

from __future__ import annotations

from attraj.jsonio.document import MISSING, Document, Fault, FaultKind
from attraj.jsonio.parse import parse
from attraj.jsonio.read import load, read_bytes
from attraj.jsonio.split import documents

__all__ = ["MISSING", "Document", "Fault", "FaultKind", "documents", "load", "parse", "read_bytes"]
