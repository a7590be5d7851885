"""ATIF v1.7 trajectories without faults, by steps or by bytes, written step by step.

Three flavours: "plain" text; "tokens", where steps carry token ids and log probabilities; "floats", where tool
calls carry rows of measurements in every shape that a number has.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any, BinaryIO, Literal

from benchmarks.generate.clock import Clock
from benchmarks.generate.encode import ArrayWriter, closed, opened
from benchmarks.generate.text import FILES, Prose

Json = dict[str, Any]
Flavour = Literal["plain", "tokens", "floats"]

TOOLS = ("bash", "edit_file", "read_file", "search", "python", "finish")
FIRST_STEPS = 3  # system, user, one agent step: no document is shorter


@dataclass(frozen=True, slots=True)
class Size:
    """How much to write: that many steps, or steps until that many bytes. Exactly one is given."""

    steps: int = 0
    n_bytes: int = 0

    def is_reached(self, steps: int, n_bytes: int) -> bool:
        if steps < FIRST_STEPS:
            return False
        return steps >= self.steps if self.steps else n_bytes >= self.n_bytes


@dataclass(slots=True)
class Usage:
    """What the steps so far have used, and the length of the context."""

    context: int = 1800
    prompt: int = 0
    completion: int = 0
    cached: int = 0
    cost: float = 0.0

    def step(self, completion: int) -> Json:
        prompt = self.context
        cached = prompt * 4 // 5
        cost = round(prompt * 3e-6 + completion * 1.5e-5, 6)
        self.prompt += prompt
        self.completion += completion
        self.cached += cached
        self.cost += cost
        self.context = 1800 if self.context > 170_000 else self.context + completion + 650
        return {"prompt_tokens": prompt, "completion_tokens": completion, "cached_tokens": cached, "cost_usd": cost}

    def totals(self, steps: int) -> Json:
        return {
            "total_prompt_tokens": self.prompt,
            "total_completion_tokens": self.completion,
            "total_cached_tokens": self.cached,
            "total_cost_usd": round(self.cost, 6),
            "total_steps": steps,
        }


class Trajectory:
    """One trajectory that is written as it is made.

    Args:
        seed: Everything follows from it, `size` and `flavour`.
        flavour: Which measurements the steps carry.
        lines: Lines of another document's Prose, to save making new ones; None makes them.
    """

    def __init__(self, seed: str, flavour: Flavour = "plain", lines: list[str] | None = None) -> None:
        self.rng = random.Random(seed)
        self.prose = Prose(self.rng, lines)
        self.usage = Usage()
        self._clock = Clock(self.rng)
        self._flavour = flavour

    def write(self, out: BinaryIO, size: Size) -> int:
        """Write the whole document and return the number of its steps."""
        head = opened(self._head())
        out.write(head)
        steps = ArrayWriter(out, "steps")
        count = 0
        while not size.is_reached(count, len(head) + steps.size):
            count += 1
            steps.add(self._step(count))
        steps.end()
        out.write(closed({"final_metrics": self.usage.totals(count), "notes": "made for measurements"}))
        return count

    def _head(self) -> Json:
        identity = f"{self.rng.getrandbits(48):012x}"
        return {
            "schema_version": "ATIF-v1.7",
            "session_id": f"session-{identity}",
            "trajectory_id": f"trajectory-{identity}",
            "agent": {
                "name": "paperclip",
                "version": "0.4.1",
                "model_name": "example/small-1",
                "tool_definitions": [_definition(name) for name in TOOLS],
                "extra": {"temperature": 0.2},
            },
        }

    def _step(self, number: int) -> Json:
        if number <= 2:
            length, source = (1500, "system") if number == 1 else (800, "user")
            return self._said(number, source, self.prose.block(length))
        draw = self.rng.random()
        if number > FIRST_STEPS and draw < 0.01:
            return self._compaction(number)
        if number > FIRST_STEPS and draw < 0.03:
            return self._said(number, "user", self.prose.sentence(160))
        return self._decision(number)

    def _said(self, number: int, source: str, message: str) -> Json:
        return {"step_id": number, "timestamp": self._clock.tick(), "source": source, "message": message}

    def _compaction(self, number: int) -> Json:
        boundary = {"context_management": {"type": "compaction", "boundary": "replace"}}
        summary = {"results": [{"content": self.prose.block(700)}]}
        step = self._said(number, "system", "The context is compacted.")
        return {**step, "observation": summary, "extra": boundary}

    def _decision(self, number: int) -> Json:
        rng = self.rng
        step = self._said(number, "agent", self.prose.sentence(rng.randrange(30, 420)))
        step["model_name"] = "example/small-1"
        if rng.random() < 0.6:
            step["reasoning_content"] = self.prose.sentence(rng.randrange(80, 2200))
        calls = [self._call() for _ in range(rng.choices((0, 1, 2, 3), (4, 82, 10, 4))[0])]
        if calls:
            step["tool_calls"] = calls
            step["observation"] = {"results": [self._result(call["tool_call_id"]) for call in calls]}
        step["llm_call_count"] = 1
        step["metrics"] = self._metrics()
        return step

    def _call(self) -> Json:
        rng = self.rng
        name = rng.choice(TOOLS)
        arguments: Json = {"command": self.prose.block(rng.randrange(16, 300))}
        if name == "edit_file":
            old, new = self.prose.block(rng.randrange(40, 500)), self.prose.block(rng.randrange(40, 500))
            arguments = {"path": f"/workspace/{rng.choice(FILES)}", "old": old, "new": new}
        if self._flavour == "floats":
            arguments["rows"] = [[_number(rng) for _ in range(24)] for _ in range(8)]
        return {"tool_call_id": f"call-{rng.getrandbits(64):016x}", "function_name": name, "arguments": arguments}

    def _result(self, call_id: str) -> Json:
        content: Any = self.prose.block(self.prose.output_length())
        if self.rng.random() < 0.02:
            content = [{"type": "text", "text": content}, {"type": "text", "text": self.prose.sentence(60)}]
        result = {"source_call_id": call_id, "content": content}
        if self.rng.random() < 0.05:
            result["extra"] = {"exit_code": self.rng.randrange(3)}
        return result

    def _metrics(self) -> Json:
        completion = self.rng.randrange(30, 900)
        metrics = self.usage.step(completion)
        if self._flavour == "tokens":
            metrics["completion_token_ids"] = [self.rng.randrange(150_000) for _ in range(completion)]
            metrics["logprobs"] = [-round(self.rng.expovariate(3.0), 6) for _ in range(completion)]
        return metrics


def _number(rng: random.Random) -> float:
    """A measurement: most plain, some whole, tiny, huge or negative zero, as real series hold them."""
    draw = rng.random()
    if draw < 0.88:
        return rng.uniform(-1000, 1000)
    if draw < 0.96:
        return float(rng.randrange(-5000, 5000))
    if draw < 0.99:
        return rng.uniform(-1, 1) * 10.0 ** rng.randrange(-12, -4)
    return rng.choice((1e21, 6.02e23, -0.0, 1e16, 5e-324))


def _definition(name: str) -> Json:
    properties = {"command": {"type": "string", "description": "what to run"}, "path": {"type": "string"}}
    function = {
        "name": name,
        "description": f"Runs {name} in the workspace and gives back what it printed.",
        "parameters": {"type": "object", "properties": properties, "required": ["command"]},
    }
    return {"type": "function", "function": function}
