"""`pytest --accept` rewrites the expectation of the transcripts that fail; read every diff. CI never accepts."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--accept", action="store_true", help="rewrite failing transcripts and goldens")
