"""What was found in one text, looked for in all others: values in every view and encoding, user names as words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from attraj.redaction.search import Value
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
    search = re.compile(r"(?<![A-Za-z0-9])(?:%s)(?![A-Za-z0-9])" % "|".join(map(re.escape, names)))
    return lambda text: [Span(m.start(), m.end(), "USER", "user-name", value=m[0]) for m in search.finditer(text)]
