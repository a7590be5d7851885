"""What was found in one text, looked for in all others: values in every view and encoding, user names as words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from attraj.redaction.search import Value
from attraj.secrets.engine import engine_of, stands_alone
from attraj.secrets.spans import Span


def values_of(spans: Iterable[Span]) -> Iterator[Value]:
    for span in spans:
        yield Value(span.value, span.type, span.secret_from, span.is_secret)
        yield from values_of(span.inner)


def sweep_of(values: Sequence[Value], spans: Sequence[Span]) -> Callable[[str], Sequence[Span]]:
    """A function that finds known values in a text, through every view that the detector has."""
    from attraj.secrets.sweep import Sweep, known_values

    extra = [
        Span(0, len(v.text), v.kind, "known-value", value=v.text, secret_from=v.secret_from)
        for v in values
        if v.kind != "CUSTOM"
    ]
    if not extra:
        return lambda _text: ()
    sweep = Sweep(known_values([*(span for span in spans if span.type != "CUSTOM"), *extra]))
    return lambda text: sweep.find(text).spans


def names_of(spans: Sequence[Span], known: Sequence[Value]) -> Callable[[str], list[Span]]:
    """A function that finds the names of users as words."""
    from attraj.secrets.personal import names_to_sweep

    earlier = [Span(0, len(v.text), "USER", "known-value", value=v.text) for v in known if v.kind == "USER"]
    names = sorted(set(names_to_sweep([*spans, *earlier])), key=lambda name: (-len(name), name))
    if not names:
        return lambda _text: []
    return _Names(names).find


class _Names:
    """Names as words. Of two that begin at one place the longer one counts."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names
        self._engine = engine_of(names, "stdlib")

    def find(self, text: str) -> list[Span]:
        ends: dict[int, int] = {}
        for start, number in self._engine.hits(text):
            end = start + len(self._names[number])
            if end > ends.get(start, start) and stands_alone(text, start, end):
                ends[start] = end
        found: list[Span] = []
        done = 0
        for start, end in ends.items():
            if start >= done:
                found.append(Span(start, end, "USER", "user-name", value=text[start:end]))
                done = end
        return found
