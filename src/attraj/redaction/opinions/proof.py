"""A second opinion as a proof: it finds nothing in what would be written, but what the policy lets stay."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attraj.pointer import join
from attraj.redaction.opinions.asked import placed, span_of
from attraj.redaction.opinions.opinion import NoOpinion, Opinion, Text
from attraj.redaction.policy import Policy
from attraj.redaction.prove import Failure
from attraj.redaction.source import Source
from attraj.secrets.spans import Span


def disagreements(after: Sequence[Source], opinion: Opinion, policy: Policy) -> Iterator[Failure]:
    """What the other scanner finds in what would be written, and the policy does not let stay."""
    all_texts = [(number, source, *each) for number, source in enumerate(after) for each in placed(source)]
    texts = list(dict.fromkeys(text for _, _, text, _ in all_texts))
    try:
        remarks = opinion.look(texts)
    except NoOpinion as error:
        yield Failure("second_opinion", 0, "", error.message)
        return
    said: dict[Text, list[Span]] = {}
    for remark in remarks:
        text = texts[remark.text]
        said.setdefault(text, []).append(span_of(remark, text.text))
    for number, source, text, leaf in all_texts if said else ():
        for span in said.get(text, ()):
            at = join(*leaf.keys) if leaf is not None else ""
            if not policy.allows(span, source.name, at):
                yield Failure("second_opinion", number, at, f"rule {span.rule} finds something")
