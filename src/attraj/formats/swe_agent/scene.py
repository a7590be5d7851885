"""One trajectory of a file while its nodes are made: where it stands, and what its nodes are called."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from attraj.formats.mapping.draft import Draft
from attraj.formats.mapping.fields import At, Json, Reading, merged
from attraj.formats.swe_agent.unit import Unit
from attraj.formats.swe_agent.views import Views

RUNTIME = "runtime:swe-agent"
AGENT = "agent:swe-agent"
NOT_SAID = "not recorded by the source"


@dataclass(slots=True)
class Scene:
    """One trajectory, and what is made of it.

    Attributes:
        name: Of an attempt ("attempt:0"); "" for the trajectory of a file that has no attempts.
        at: Place of the object that holds it.
        last: The last node that stands for something that happened in it; "" before the first.
        waiting: What the next decision follows from by the loop: nodes, each with the relation.
    """

    draft: Draft
    reading: Reading
    unit: Unit
    views: Views
    name: str = ""
    at: At = ()
    last: str = ""
    waiting: list[tuple[str, str]] = field(default_factory=list)

    def id(self, *parts: Any) -> str:
        """An identity made of positions: "attempt:1/step:3:decision"."""
        own = ":".join(map(str, parts))
        return f"{self.name}/{own}" if self.name else own

    def node(self, node_id: str, kind: str, actor: str, authority: str, members: Json, at: At) -> str:
        """Add a node of this trajectory, and give its identity back."""
        known: Json = {"actor": actor, "authority_class": authority}
        if self.name:
            known.update(thread_id=self.name, attempt_id=self.name)
        self.draft.node(node_id, kind, merged(known, members), (self.reading, at))
        self.last = node_id
        return node_id

    def take(self, place: str, record: str, at: At, source: Any) -> Json:
        """See `Reading.take`."""
        return self.reading.take(place, record, at, source)
