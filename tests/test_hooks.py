"""The pre-commit hook, run by pre-commit itself on a repository with a good and a broken document."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests import transcripts
from tests.redaction.made_up import GITHUB
from tests.support import REPOSITORY, base_document, json_patch


def git(folder: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=tester", "-c", "user.email=tester@example.invalid"]
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


def hook_repository(folder: Path) -> Path:
    """A repository of its own with the sources and the hook, as a user of pre-commit would name it."""
    folder.mkdir()
    for name in ("src", "pyproject.toml", "README.md", "LICENSE", "NOTICE", ".pre-commit-hooks.yaml"):
        source = REPOSITORY / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, folder / name)
    git(folder, "init", "-q")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "hook")
    return folder


def test_the_hooks_pass_a_good_document_and_stop_a_broken_or_leaking_one(tmp_path: Path) -> None:
    hooks = hook_repository(tmp_path / "hooks")
    project = tmp_path / "project"
    project.mkdir()
    git(project, "init", "-q")
    good = base_document("attraj.bundle.checks", "minimal")
    broken = json_patch(good, [{"op": "replace", "path": "/edges/0/to", "value": "node:nowhere"}])
    (project / "good.json").write_text(json.dumps(good), encoding="utf-8")
    (project / "broken.json").write_text(json.dumps(broken), encoding="utf-8")
    git(project, "add", "-A")
    # No network: the hook's environment takes what it needs from this one, and builds with what is installed here.
    environment = {
        **os.environ,
        "PRE_COMMIT_HOME": str(tmp_path / "cache"),
        "PIP_NO_DEPS": "1",
        "PIP_NO_BUILD_ISOLATION": "0",  # pip's spelling of "do not isolate"
        "PIP_NO_INDEX": "1",
        "PYTHONPATH": os.pathsep.join(p for p in sys.path if p.endswith("site-packages")),
    }

    def attempt(name: str, hook: str = "attraj-validate") -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "pre_commit", "try-repo", str(hooks), hook, "--files", name]
        return subprocess.run(
            command, cwd=project, env=environment, capture_output=True, text=True, timeout=300, check=False
        )

    (project / "package.json").write_text('{"name": "no trajectory"}', encoding="utf-8")
    git(project, "add", "-A")
    passed, failed, foreign = attempt("good.json"), attempt("broken.json"), attempt("package.json")
    assert 0 == passed.returncode, passed.stdout + passed.stderr
    assert 0 == foreign.returncode, foreign.stdout + foreign.stderr
    assert (1, True) == (failed.returncode, "AT203" in failed.stdout), failed.stdout + failed.stderr

    (project / "notes.txt").write_text(f"the token is {GITHUB}\n", encoding="utf-8")
    git(project, "add", "-A")
    clean, leaking = attempt("package.json", "attraj-scan"), attempt("notes.txt", "attraj-scan")
    assert 0 == clean.returncode, clean.stdout + clean.stderr
    assert (1, True) == (leaking.returncode, "SEC-API_TOKEN" in leaking.stdout), leaking.stdout + leaking.stderr
    assert GITHUB not in leaking.stdout + leaking.stderr


def test_the_hooks_and_the_action_name_options_that_exist() -> None:
    from attraj.cli.app import build

    hooks = yaml.safe_load((REPOSITORY / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    lines = [hook["entry"] for hook in hooks] + [step.get("run", "") for step in action_steps()]
    calls = [line[line.index("attraj ") :] for text in lines for line in text.splitlines() if "attraj " in line]
    assert len(calls) >= 4
    for call in calls:
        command, *words = call.split()[1:]
        known = _options(build(), command)
        assert [] == [word for word in words if word.startswith("--") and word not in known], command


def action_steps() -> list[dict[str, Any]]:
    steps: list[dict[str, Any]] = yaml.safe_load((REPOSITORY / "action.yml").read_text("utf-8"))["runs"]["steps"]
    return steps


@pytest.mark.parametrize(
    ("arguments", "codes"),
    [
        pytest.param("", [0, 1], id="findings-are-in-the-report-and-fail-the-check"),
        pytest.param("--ignore AT203 --fail-on error", [0, 0], id="options"),
        pytest.param("--bogus", [2, 2], id="an-option-that-does-not-exist-fails-at-once"),
    ],
)
def test_the_action_as_its_steps_run(tmp_path: Path, arguments: str, codes: list[int]) -> None:
    folder = tmp_path / "my runs"
    folder.mkdir()
    good = base_document("attraj.bundle.checks", "minimal")
    broken = json_patch(good, [{"op": "replace", "path": "/edges/0/to", "value": "node:nowhere"}])
    (folder / "broken.json").write_text(json.dumps(broken), encoding="utf-8")
    environment = {
        **os.environ,
        "PATH": f"{transcripts.shim()}{os.pathsep}{os.environ['PATH']}",
        "ATTRAJ_PATHS": "my runs\n",
        "ATTRAJ_ARGS": arguments,
        "ATTRAJ_SARIF": "out/attraj.sarif",
    }
    scripts = [step["run"] for step in action_steps() if step.get("name") in ("Write SARIF", "Check")]
    done = [
        subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            timeout=60,
            check=False,
        ).returncode
        for script in scripts
    ]
    assert codes == done
    if codes[0] == 0:
        assert "2.1.0" == json.loads((tmp_path / "out" / "attraj.sarif").read_text(encoding="utf-8"))["version"]


def _options(group: Any, name: str) -> list[str]:
    command = group.get_command(None, name)
    return [option for parameter in command.params for option in parameter.opts]
