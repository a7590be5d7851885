"""Write what is made from the code: completions/ and docs/rules.md. `make generate`; a test says when it is stale."""

from __future__ import annotations

import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent


def generated() -> dict[str, str]:
    """Path in the repository to the text that should stand there."""
    from attraj.cli.app import completion_script
    from attraj.cli.explain import reference

    completions = {f"completions/attraj.{shell}": completion_script(shell) for shell in ("bash", "zsh", "fish")}
    return {**completions, "docs/rules.md": reference()}


def main() -> None:
    for name, text in generated().items():
        path = REPOSITORY / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        sys.stdout.write(f"{name}\n")


if __name__ == "__main__":
    main()
