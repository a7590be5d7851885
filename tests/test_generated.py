"""What is made from the code and stands in the repository is what the code makes today."""

from __future__ import annotations

import importlib.util
from types import ModuleType

import pytest

from tests.support import REPOSITORY


def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate", REPOSITORY / "scripts" / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


GENERATED: dict[str, str] = script().generated()


@pytest.mark.parametrize("name", sorted(GENERATED))
def test_a_generated_file_is_not_stale(name: str) -> None:
    path = REPOSITORY / name
    assert path.is_file(), f"{name} is missing: make generate"
    assert GENERATED[name] == path.read_text(encoding="utf-8"), f"{name} is stale: make generate"
