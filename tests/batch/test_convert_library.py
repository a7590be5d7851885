"""`convert_paths` does what the command does, with what it has written before as well."""

from __future__ import annotations

from pathlib import Path

import pytest

from attraj.batch.convert_library import convert_paths
from attraj.cli import run
from attraj.errors import AttrajError
from attraj.verbs.convert import Request
from tests.batch.converting import tree_of
from tests.support import REPOSITORY

REQUEST = Request("bundle")


def test_the_library_writes_what_the_command_writes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    job = REPOSITORY / "examples" / "harbor-job"
    done = convert_paths([job], tmp_path / "out", REQUEST)
    code = run(["convert", str(job), "--to", "bundle", "-o", str(tmp_path / "command"), "--no-config"])
    assert (code, tree_of(tmp_path / "command")) == (done.exit_code, tree_of(tmp_path / "out"))
    assert (4, 3, 1) == tuple(done.counts[name] for name in ("documents", "written", "unreadable"))
    assert done == convert_paths([job], tmp_path / "out", REQUEST, resume=True)
    with pytest.raises(AttrajError, match="earlier run"):
        convert_paths([job], tmp_path / "out", REQUEST)
    assert done == convert_paths([job], tmp_path / "out", REQUEST, overwrite=True)
