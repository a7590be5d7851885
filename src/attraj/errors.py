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


class ReaderLeft(Exception):
    """Who reads standard output has heard enough (`| head`): the command ends quietly."""


def bug_report(error: BaseException) -> str:
    """What to paste into a report: version, kind of error, places in the code; no text of the document."""
    import platform

    from attraj import __version__

    lines = [
        "attraj: this is a bug in attraj, not in your document. Please report the lines below.",
        f"  attraj {__version__}, Python {platform.python_version()}, {platform.system()}",
        f"  {type(error).__name__}",
    ]
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        place = "/".join(code.co_filename.replace("\\", "/").split("/")[-2:])
        lines.append(f"  at {place}:{trace.tb_lineno} in {code.co_name}")
        trace = trace.tb_next
    lines.append("  (--debug shows the whole traceback; it may hold text of the document)")
    return "\n".join(lines)
