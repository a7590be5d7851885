"""`pytest --accept` rewrites the expectation of the transcripts that fail; read every diff. CI never accepts."""

from __future__ import annotations

import os
import random

import pytest
from hypothesis import settings

# No test depends on the clock; and what CI says of a commit, it says again.
settings.register_profile("attraj", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("attraj")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--accept", action="store_true", help="rewrite failing transcripts and goldens")


@pytest.fixture(autouse=True)
def _values_of_its_own(request: pytest.FixtureRequest) -> None:
    """A test that draws values draws the same ones, whichever tests ran before it."""
    source = getattr(request.module, "RNG", None)
    if isinstance(source, random.Random):
        source.seed(request.node.nodeid)
