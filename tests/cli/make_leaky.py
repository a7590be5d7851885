"""Writes documents with made-up secrets into a folder. They are put together here: none stands in this repository."""

from __future__ import annotations

import base64
import json
import sys
from pathlib import Path

GITHUB = "gh" + "p_" + "R7tYw2KfQ9mZxL4vB8nJdH3sGp6CeUa1TiW5"
PASSWORD = "tidal" + "-Lantern-" + "4471"
USER = "m" + "arlow"


def trajectory() -> dict[str, object]:
    """An ATIF trajectory that prints its environment."""
    arguments = json.dumps({"command": "env | sort", "workdir": f"/home/{USER}/gauge"})
    call = {"tool_call_id": "call_1", "function_name": "bash", "arguments": json.loads(arguments)}
    path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
    output = f"DB_PASSWORD={PASSWORD}\nGITHUB_TOKEN={GITHUB}\nHOME=/home/{USER}\nPATH={path}\nPWD=/home/{USER}/gauge\n"
    encoded = base64.b64encode(f"token {GITHUB}".encode()).decode()
    return {
        "schema_version": "ATIF-v1.7",
        "session_id": "tidehouse-gauge-check",
        "agent": {"name": "tidehouse", "version": "2.1.0", "model_name": "fable-1"},
        "steps": [
            {"step_id": 1, "source": "user", "message": "Which token is set? Ask nadia@tidehouse-works.io if unsure."},
            {
                "step_id": 2,
                "source": "agent",
                "message": f"I look at the environment of {USER}.",
                "tool_calls": [call],
                "observation": {"results": [{"source_call_id": "call_1", "content": output}]},
            },
            {"step_id": 3, "source": "agent", "message": f"It is set. Kept as {encoded}.", "extra": {"cost": 0.10}},
        ],
    }


def main(folder: Path) -> None:
    """Write a trajectory, and the log beside it."""
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(trajectory(), indent=2) + "\n"
    (folder / "trajectory.json").write_text(text, encoding="utf-8")
    (folder / "trajectory.log").write_text(f"started\nlogin as {USER}, password={PASSWORD}\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
