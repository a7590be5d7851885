"""Entry point: `--version` is answered before anything else is imported (start-up is part of the product)."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line with sys.argv and exit with its code."""
    if sys.argv[1:] in (["--version"], ["-V"]):
        from attraj import __version__

        sys.stdout.write(f"attraj {__version__}\n")
        raise SystemExit(0)
    import gc
    import os

    gc.disable()  # parsed documents hold no cycles; collecting them costs up to a third of the time
    from attraj.cli import run

    code = run(sys.argv[1:])
    if sys.stderr is not None:
        sys.stderr.flush()
    os._exit(code)  # taking a large tree apart at exit would cost a quarter of the time that reading it took


if __name__ == "__main__":
    main()
