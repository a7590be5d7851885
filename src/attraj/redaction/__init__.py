"""What must not be published goes, nothing else changes, and that is proven before anything is written.

    from attraj.redaction import scrub, redact
    scrub("export TOKEN=…")                    # the text with placeholders
    done = redact(document)                    # a tree, bytes or a path: Redacted(raw, tree, counts …)

`attraj.redact` does the same, and proves besides that the copy is as valid in its own format as the source was.

Plan, apply, prove (STYLE.md, miniature B):

source.py        one file: its text, the JSON documents in it, and where each stands
tokens.py        where values stand in a JSON text; parts of a string token replaced, the rest byte for byte as it was
leaves.py        every text of a tree, in the order of the document
policy.py        what goes besides secrets, what stays although it looks like one (TOML)
fields.py        whole fields that a policy drops: reasoning, user content, tool output, headers, queries
times.py         timestamps made coarser, their order kept
placeholders.py  `<TYPE_n>` by first appearance in a scope
plan.py          a scope (one trial) to changes.py: where, what kind, which placeholder; seen.py reads the detector
known.py         values that the user knows to be secret; known_values.py looks for what was found everywhere else
apply.py         changes to texts
books.py         what a Bundle says of its own redaction: disclosure, transform, completeness, masks, identity
prove.py         nothing left, nothing else changed; search.py looks for values in every encoding; canaries.py
run.py           a scope from start to end
audit.py         the manifest that may be published, and the private one
scrubbing.py     texts and streams, for log writers

Knows Bundles, and no other format: those are JSON trees here. Nothing of this room reads a clock, a file or chance.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from attraj.redaction.library import Redacted as Redacted
    from attraj.redaction.library import redact as redact
    from attraj.redaction.policy import Policy as Policy
    from attraj.redaction.scrubbing import StreamScrubber as StreamScrubber
    from attraj.redaction.scrubbing import scrub as scrub

_HOME = {
    "Policy": "policy",
    "Redacted": "library",
    "StreamScrubber": "scrubbing",
    "redact": "library",
    "scrub": "scrubbing",
}
__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    # Lazy: a log writer needs `scrub` alone.
    from importlib import import_module

    if name in _HOME:
        return getattr(import_module(f"attraj.redaction.{_HOME[name]}"), name)
    raise AttributeError(name)
