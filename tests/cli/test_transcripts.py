"""Every command that a page shows is run, and prints what the page says."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import transcripts
from tests.support import REPOSITORY

PAGES = [REPOSITORY / "README.md", *sorted(Path(__file__).parent.glob("*.md"))]
COMMANDS = [command for page in PAGES for command in transcripts.commands(page)]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda c: f"{c.page.stem}:{c.line}")
def test_a_command_prints_what_its_page_says(command: transcripts.Command, pytestconfig: pytest.Config) -> None:
    printed = transcripts.run(command)
    if not transcripts.agrees(command.expected, printed) and pytestconfig.getoption("--accept"):
        transcripts.accept(command, printed)  # one command a run and page: line numbers move
        pytest.fail("accepted: read the diff, and run again")
    assert transcripts.agrees(command.expected, printed), "\n".join(["", *printed])
