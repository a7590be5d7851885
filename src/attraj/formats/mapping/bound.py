"""What a Bundle binds to one thread: a subagent whose model is not recorded has not the model of who called it.

A binding without a thread speaks of the agent of the run: of its main thread, or of each of its attempts. What the run
is about (its task) is said of every thread. Anything else of another thread is unknown where it names no thread.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from attraj.bundle.markers import is_marker
from attraj.bundle.model import Bundle
from attraj.formats.mapping.fields import At
from attraj.formats.mapping.held import Held, Ledger, Part

ATTEMPT = "attempt:"  # what the names of threads begin with that are attempts of one agent
_OF_THE_RUN = frozenset({"tasks"})


def bindings_of(root: Part, kind: str) -> Iterator[tuple[str, Part]]:
    """Each binding of this kind, in order, with the thread that it names; "" where it names none.

    Args:
        root: The Bundle. What is withheld of its bindings is none.
    """
    listed, at = root.peek("bindings", kind), ("bindings", kind)
    items: list[tuple[At, object]] = [((*at, i), one) for i, one in enumerate(listed if type(listed) is list else ())]
    for place, one in items or [(at, listed)]:
        if type(one) is dict and not is_marker(one):
            name = one.get("thread_id")
            yield name if type(name) is str else "", Part(one, place, root.ledger)


@dataclass(frozen=True, slots=True)
class Bound:
    """The bindings of one thread.

    Attributes:
        bundle, ledger: What is written, and what of it is said.
        thread: Its `thread_id`, "" for the main one.
        is_alone: No other thread is in the Bundle, so that whatever is bound is bound for this one.
    """

    bundle: Bundle
    ledger: Ledger
    thread: str
    is_alone: bool = False

    def parts(self, kind: str) -> Iterator[Part]:
        """What is bound of this kind: the thread's own first, then what is bound for no thread, where it is meant."""
        own, shared = [], []
        for name, part in bindings_of(Part(self.bundle.tree, (), self.ledger), kind):
            if not name:
                shared.append(part)
            elif name == self.thread:
                own.append(part)
        is_shared = self.is_alone or not self.thread or self.thread.startswith(ATTEMPT) or kind in _OF_THE_RUN
        return iter([*own, *shared] if is_shared else own)

    def text(self, kind: str, member: str) -> Held | None:
        """The first text that a binding of this kind says; None when none does."""
        for part in self.parts(kind):
            held = part.hold(member)
            if held is not None and type(held.value) is str and held.value:
                for name in ("availability", "reason", "thread_id"):  # told by a name alone, and by where it stands
                    part.get(name)
                return held
        return None
