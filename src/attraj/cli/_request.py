"""Options and settings to what is asked of the documents."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from attraj.errors import AttrajError
from attraj.findings import Rule, Severity, Stratum
from attraj.formats import Options
from attraj.limits import DEFAULT_LIMITS, Limits
from attraj.verbs.validate import LOCATED, Request, named_format

STRATA = {str(stratum): stratum for stratum in Stratum} | {"structure": Stratum.REFERENCES}
SEVERITIES = {str(severity): severity for severity in Severity}


class Chosen:
    """The options of one run, each the command line's, else the settings file's, else None."""

    __slots__ = ("values",)

    def __init__(self, values: Mapping[str, Any]) -> None:
        self.values = values

    def __getitem__(self, name: str) -> Any:
        return self.values.get(name)

    @property
    def fail_on(self) -> Severity | None:
        """The severity from which findings fail the run; None when none does."""
        return None if self["exit-zero"] else SEVERITIES[self["fail-on"] or "error"]

    @property
    def form(self) -> str:
        return self["format"] or "text"

    @property
    def jobs(self) -> int:
        """Processes to use at most; 0 asks for as many as this process may run on."""
        asked = self["jobs"]
        return _cores() if asked == 0 else asked or 1


def chosen(options: Mapping[str, Any]) -> Chosen:
    """Join the options with the settings file. `config` and `no-config` say which file.

    Args:
        options: Option name (with dashes) to value; None or [] where the command line says nothing.
    """
    from attraj.cli import _config

    values = {} if options.get("no-config") else _config.settings(options.get("config"))
    values.update({name: value for name, value in options.items() if value not in (None, [])})
    return Chosen(values)


def request(asked: Chosen, *, located: int | None = LOCATED) -> Request:
    """What to ask of each document. Raises AttrajError for a format or code that does not exist."""
    if asked["from"]:
        named_format(asked["from"])
    insisted = asked["from"] if asked["from"] != "harbor" else ""  # folders are told by what lies in them
    options = Options(
        level=STRATA[asked["level"] or "profiles"],
        now=_time(asked["now"]),
        purpose=asked["purpose"] or "",
        needs_closure=bool(asked["strict-closure"]),
        as_reference=asked["schema"] == "morphz-ref",
        profiles=frozenset(asked["profile"] or ()),
        limits=limits_of(asked),
    )
    return Request(
        insisted or "",
        options,
        codes_of(asked["select"]),
        codes_of(asked["ignore"]) or frozenset(),
        located,
        bool(asked["lenient"]),
    )


def paths_of(named: list[str] | None, files_from: str | None) -> Iterator[str]:
    """The paths of the command line, then those of the list."""
    yield from named or ()
    if files_from is None:
        return
    try:
        import sys

        raw = sys.stdin.buffer.read() if files_from == "-" else _read(files_from)
    except OSError as error:
        raise AttrajError(f"{files_from}: {(error.strerror or 'cannot be read').lower()}") from error
    for line in raw.split(b"\0" if b"\0" in raw else b"\n"):
        if line.strip():
            yield os.fsdecode(line.rstrip(b"\r"))


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def codes_of(words: list[str] | None, known: Iterable[Rule] = ()) -> frozenset[str] | None:
    """Codes that the words name, each of which must name one at least; None for no words.

    Args:
        words: Codes, slugs, families, also several with commas between them.
        known: The rules that the command has; () for those of all formats, among which secrets are not.
    """
    if words is None:
        return None
    from attraj.findings import selected
    from attraj.verbs.explain import all_rules  # imports every format: only when codes are named

    words = [part.strip() for word in words for part in word.split(",") if part.strip()]
    if not words:  # an unset variable must not turn a gate green
        raise AttrajError("--select and --ignore name codes, and this one names none", hint="leave the option out")
    # A code that a command never gives must not turn a gate green.
    rules = tuple(known) or tuple(rule for rule in all_rules() if not rule.code.startswith("SEC-"))
    for word in words:
        if not selected(rules, [word]):
            raise AttrajError(f"no code, slug or family is called `{word}`", hint="attraj explain --all lists them")
    return selected(rules, words)


def _time(text: str | None) -> str:
    if not text:
        return ""
    from attraj.bundle.instants import is_rfc3339

    if not is_rfc3339(text):
        raise AttrajError("--now takes an RFC 3339 time such as 2026-08-21T12:00:00Z")
    return text


def limits_of(asked: Chosen) -> Limits:
    """The bounds, with what the options change."""
    changed = {
        name: asked[option]
        for name, option in (("max_bytes", "max-bytes"), ("max_depth", "max-depth"), ("max_nodes", "max-nodes"))
        if asked[option] is not None
    }
    return DEFAULT_LIMITS._replace(**changed) if changed else DEFAULT_LIMITS


def _cores() -> int:
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1
