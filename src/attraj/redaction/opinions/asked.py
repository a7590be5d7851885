"""What a second opinion is asked about a file, and what its remarks are to us."""

from __future__ import annotations

from collections.abc import Iterator

from attraj.redaction.leaves import Leaf, leaves
from attraj.redaction.opinions.opinion import Remark, Text
from attraj.redaction.seen import visible
from attraj.redaction.source import Source
from attraj.secrets.spans import Span


def text_of_leaf(leaf: Leaf) -> Text:
    """A text of a document with the name of its member; a name itself has none."""
    name = leaf.key if type(leaf.key) is str and not leaf.is_key else ""
    return Text(name, visible(leaf.value))


def texts_of(source: Source) -> Iterator[Text]:
    """The name of a file, and each of its texts."""
    for text, _ in placed(source):
        yield text


def placed(source: Source) -> Iterator[tuple[Text, Leaf | None]]:
    """The same, each with where it stands; None for the name of a file and for a text that is no document."""
    yield Text("", visible(source.name)), None
    if not source.parts:
        yield Text("", visible(source.text)), None
    for part in source.parts:
        for leaf in leaves(part.tree):
            if type(leaf.value) is str:
                yield text_of_leaf(leaf), leaf


def span_of(remark: Remark, text: str) -> Span:
    """A remark as a span: what a scanner finds is a secret, of a kind that only it knows."""
    return Span(
        remark.start, remark.end, "SECRET", remark.rule, "medium", value=text[remark.start : remark.end], pack=""
    )
