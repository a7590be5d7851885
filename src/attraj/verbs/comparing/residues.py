"""Members of a source document that the core does not map, told by their places in it."""

from __future__ import annotations

from collections.abc import Iterator

from attraj.formats.mapping.fields import At, pointer_of, tokens_of
from attraj.formats.mapping.residue import EXTENSION
from attraj.formats.mapping.restore import sources
from attraj.verbs.comparing.said import Name, Said, Says, leaves
from attraj.verbs.comparing.sides import Side, file_of
from attraj.verbs.comparing.steps import Step, Story


def add_residue(side: Side, told: list[Story], *, is_native: bool) -> Says:
    """Put each member beside the step that it belongs to, and give those of no step back.

    Args:
        told: Its steps say more afterwards.
        is_native: Both documents are Bundles, so that what stands in them is what they say.
    """
    homes = _homes(side, told)
    outside: Says = {}
    for number, source in enumerate(sources(side.bundle)):
        rest, artifact = source.get("rest"), source.get("artifact_id")
        if type(rest) is not dict:
            continue
        file = file_of(artifact)
        other = "" if file or not number else f"source {number}"
        for pointer, value in rest.items():
            home, below = _home(homes, f"{artifact}#", pointer)
            says, slot, start = (outside, other, file) if home is None else (home[0].says, home[1], ())
            where = pointer_of(file) + pointer
            if is_native:
                where = pointer_of(("extensions", EXTENSION, "data", "artifacts", number, "rest", pointer))
            for path, one in leaves(value):
                name = Name(slot, ("source", *start, *below, *path))
                says[name] = Said("members", one, where + pointer_of(path))
    return outside


def _homes(side: Side, told: list[Story]) -> dict[str, tuple[Step, str]]:
    """Place of a node in its source → its step and its slot."""
    known = {node: (step, slot) for story in told for step in story.steps for node, slot in step.nodes.items()}
    homes: dict[str, tuple[Step, str]] = {}
    for _, node in side.bundle.objects("nodes"):
        node_id, event = node.get("node_id"), node.get("source_event_id")
        if type(node_id) is str and type(event) is str and node_id in known:
            homes.setdefault(event, known[node_id])
    return homes


def _home(homes: dict[str, tuple[Step, str]], prefix: str, pointer: str) -> tuple[tuple[Step, str] | None, At]:
    """The nearest node above a place, and the way down from it."""
    for end in _ends(pointer):
        home = homes.get(prefix + pointer[:end])
        if home is not None:
            return home, tokens_of(pointer[end:])
    return None, tokens_of(pointer)


def _ends(pointer: str) -> Iterator[int]:
    end = len(pointer)
    while end > 0:
        yield end
        end = pointer.rfind("/", 0, end)
