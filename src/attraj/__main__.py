"""Entry point: `--version` is answered before anything else is imported (start-up is part of the product)."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line with sys.argv and exit with its code."""
    if sys.argv[1:] in (["--version"], ["-V"]):
        from attraj import __version__

        sys.stdout.write(f"attraj {__version__}\n")
        raise SystemExit(0)
    from attraj.cli import run

    raise SystemExit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
