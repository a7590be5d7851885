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


class Unit:
    """One trajectory with what stands beside it. Read only; what is missing or no object is empty.

    Attributes:
        at: Pointer of the object that holds it; "" for the file itself.
        tree: That object.
    """

    def __init__(self, tree: Json, at: str) -> None:
        self.tree = tree
        self.at = at
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
        return align(self.steps, self.tree.get("history"), self.config)

    @property
    def has_steps(self) -> bool:
        return type(self.tree.get("trajectory")) is list

    def step(self, index: int, *members: str) -> str:
        """Pointer of a step, or of one of its members."""
        return "/".join([f"{self.at}/trajectory/{index}", *members])
