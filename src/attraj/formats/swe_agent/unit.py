"""One trajectory of a file, with what stands beside it.

A `.traj` holds one trajectory at its top or, from a retry agent, one in each of `attempts`.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

from attraj.formats.swe_agent.align import Alignment, align
from attraj.formats.swe_agent.config import Config, read_config
from attraj.formats.swe_agent.values import Json, child, items
from attraj.formats.swe_agent.version import Version, detect


def form_of(tree: Json) -> str:
    """What a file is: "run", "attempts" (a retry agent's, at work), "retry" (finished), "demonstration"."""
    if "trajectory" in tree:
        return "retry" if "attempts" in tree else "run"
    if "attempts" in tree:
        return "attempts"
    is_demonstration = "history" in tree and not tree.keys() - {"history", "replay_config"}
    return "demonstration" if is_demonstration else "run"


class Unit:
    """One trajectory with what stands beside it. Read only; what is missing or no object is empty.

    Attributes:
        at: Pointer of the object that holds it; "" for the file itself.
        tree: That object.
        open: In a file that was cut, the members that stand after the cut for all anyone knows, or not to their end:
            nothing is concluded from what is not in them.
    """

    def __init__(self, tree: Json, at: str, open: frozenset[str] = frozenset()) -> None:
        self.tree = tree
        self.at = at
        self.open = open
        self.steps: list[Any] = items(tree.get("trajectory"))
        self.history: list[Any] = items(tree.get("history"))
        self.info: Json = child(tree, "info")

    @cached_property
    def version(self) -> Version:
        return detect(self.tree)

    @cached_property
    def config(self) -> Config:
        return read_config(self.tree)

    @cached_property
    def alignment(self) -> Alignment:
        return align(self.steps, self.tree.get("history"), self.config, is_whole="history" not in self.open)

    @property
    def has_steps(self) -> bool:
        return type(self.tree.get("trajectory")) is list

    def lacks(self, member: str) -> bool:
        """Whether the member is not there, and no cut is the reason."""
        return member not in self.tree and member not in self.open

    def step(self, index: int, *members: str) -> str:
        """Pointer of a step, or of one of its members."""
        return "/".join([f"{self.at}/trajectory/{index}", *members])
