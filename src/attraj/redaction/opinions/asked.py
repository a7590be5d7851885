"""What a second opinion is asked about a file, and what its remarks mean for a proof."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attraj.pointer import join
from attraj.redaction.leaves import Leaf, leaves
from attraj.redaction.opinions.opinion import NoOpinion, Opinion, Remark, Text
from attraj.redaction.policy import Policy
from attraj.redaction.prove import Failure
from attraj.redaction.seen import visible
from attraj.redaction.source import Source
from attraj.secrets.spans import Span


def text_of_leaf(leaf: Leaf) -> Text:
    """A text of a document with the name of its member; a name itself has none."""
    name = leaf.key if type(leaf.key) is str and not leaf.is_key else ""
    return Text(name, visible(leaf.value))


def texts_of(source: Source) -> Iterator[Text]:
    """The name of a file, and each of its texts."""
    for text, _ in _placed(source):
        yield text


def _placed(source: Source) -> Iterator[tuple[Text, Leaf | None]]:
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


def disagreements(after: Sequence[Source], opinion: Opinion, policy: Policy) -> Iterator[Failure]:
    """What the other scanner finds in what would be written, and the policy does not let stay."""
    placed = [(number, source, text, leaf) for number, source in enumerate(after) for text, leaf in _placed(source)]
    texts = list(dict.fromkeys(text for _, _, text, _ in placed))
    try:
        remarks = opinion.look(texts)
    except NoOpinion as error:
        yield Failure("second_opinion", 0, "", error.message)
        return
    said: dict[Text, list[Span]] = {}
    for remark in remarks:
        text = texts[remark.text]
        said.setdefault(text, []).append(span_of(remark, text.text))
    for number, source, text, leaf in placed if said else ():
        for span in said.get(text, ()):
            at = join(*leaf.keys) if leaf is not None else ""
            if not policy.allows(span, source.name, at):
                yield Failure("second_opinion", number, at, f"rule {span.rule} finds something")
