"""What can be wrong with the world (a path, a stream, a request), as opposed to with a document.

A fault in a document is a value (`attraj.findings.Finding`); a fault in attraj itself is a crash.
No message here may repeat text from inside a document.
"""

from __future__ import annotations


class AttrajError(Exception):
    """A one-line message for a person, and the exit code that the command line ends with.

    Args:
        message: What is wrong, in one line, without any text from inside a document.
        hint: What to do about it, in one line; "" when there is nothing to add.
    """

    exit_code = 2

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class Unreadable(AttrajError):
    """A file, stream or request that cannot be read or understood at all (exit code 2)."""


class Refused(AttrajError):
    """A document that the specification's own negotiation rejects (exit code 3)."""

    exit_code = 3
