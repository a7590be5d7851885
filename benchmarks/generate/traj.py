"""SWE-agent trajectories (.traj), as SWE-agent 1.1 writes them: each step repeats the conversation that led to it."""

from __future__ import annotations

import json
import random
from typing import Any, BinaryIO

from benchmarks.generate.text import FILES, Prose

Json = dict[str, Any]


def write_traj(out: BinaryIO, seed: str, n_bytes: int) -> int:
    """Write one trajectory of about so many bytes. Returns its number of steps."""
    rng = random.Random(seed)
    prose = Prose(rng)
    system = _message("system", "system_prompt", prose.block(4000))
    history = [system, _message("user", "observation", prose.block(3000))]
    steps: list[Json] = []
    size = 0
    while size < n_bytes:
        step = _step(prose, rng, [*history])
        history += [
            {**_message("assistant", "action", step["response"]), "thought": step["thought"], "action": step["action"]},
            _message("user", "observation", step["observation"]),
        ]
        steps.append(step)
        size += len(json.dumps(step, indent=2))
    document = {"trajectory": steps, "history": history, "info": _info(len(steps)), "replay_config": "{}"}
    document["environment"] = "swe_main"
    out.write(json.dumps(document, indent=2).encode())
    return len(steps)


def _message(role: str, kind: str, text: str) -> Json:
    return {"role": role, "content": text, "agent": "main", "message_type": kind}


def _step(prose: Prose, rng: random.Random, query: list[Json]) -> Json:
    thought = prose.sentence(240)
    action = f"sed -n 1,{rng.randrange(20, 300)}p {rng.choice(FILES)}"
    return {
        "action": action + "\n",
        "observation": prose.block(min(prose.output_length(), 4000)),
        "response": f"{thought}\n\n```\n{action}\n```",
        "thought": thought,
        "execution_time": round(rng.uniform(0.05, 4), 6),
        "state": {"working_dir": "/testbed", "open_file": "n/a"},
        "query": query,
        "extra_info": {},
    }


def _info(steps: int) -> Json:
    stats = {"instance_cost": 0.0, "tokens_sent": 4000 * steps, "tokens_received": 200 * steps, "api_calls": steps}
    return {"exit_status": "submitted", "submission": "", "model_stats": stats}
