"""Folders: many small ATIF files, the run folder of a SWE-agent batch, and Harbor jobs of many trials."""

from __future__ import annotations

import hashlib
import random
from pathlib import Path
from typing import Any

from benchmarks.generate.atif import Size, Trajectory
from benchmarks.generate.encode import encoded
from benchmarks.generate.text import Prose
from benchmarks.generate.traj import write_traj

Json = dict[str, Any]

FILES_A_FOLDER = 1000
NAME_LETTERS = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789"


def write_many(folder: Path, seed: str, files: int, n_bytes: int) -> None:
    """`files` ATIF documents of about `n_bytes` each, a thousand to a folder."""
    lines = Prose(random.Random(seed)).lines
    for number in range(files):
        home = folder / f"{number // FILES_A_FOLDER:03d}"
        home.mkdir(parents=True, exist_ok=True)
        with (home / f"{number:06d}.json").open("wb") as out:
            Trajectory(f"{seed}/{number}", lines=lines).write(out, Size(n_bytes=n_bytes))


def write_trajs(folder: Path, seed: str, files: int, n_bytes: int) -> None:
    """`files` trajectories of SWE-agent of about `n_bytes` each, each in the folder of its instance."""
    for number in range(files):
        name = f"example__project-{number}"
        (folder / name).mkdir(parents=True, exist_ok=True)
        with (folder / name / f"{name}.traj").open("wb") as out:
            write_traj(out, f"{seed}/{number}", n_bytes)


def write_job(folder: Path, seed: str, trials: int, steps: int) -> None:
    """A finished Harbor job of `trials` trials, each with a trajectory of about `steps` steps."""
    rng = random.Random(seed)
    lines = Prose(rng).lines
    job_id = _uuid(rng)
    records = [_write_trial(folder, f"{seed}/{number}", number, steps, lines, job_id) for number in range(trials)]
    tasks = sorted({record["task"]["path"] for record in records})
    config: Json = {"schema_version": 1, "job_name": folder.name, "jobs_dir": "jobs", "n_attempts": 3}
    config |= {"agents": [_AGENT], "tasks": [{"path": path} for path in tasks]}
    lock: Json = {"schema_version": 3, "created_at": _at(-2), "harbor": {"version": "0.26.0", "is_editable": False}}
    lock |= {"n_concurrent_trials": 2, "retry": {"max_retries": 0}, "trials": [record["lock"] for record in records]}
    _save(folder / "config.json", config)
    _save(folder / "lock.json", lock)
    _save(folder / "result.json", _job_result(records, job_id))


_AGENT = {"import_path": "paperclip:Agent", "model_name": "example/small-1", "kwargs": {}}


def _write_trial(folder: Path, seed: str, number: int, steps: int, lines: list[str], job_id: str) -> Json:
    trajectory = Trajectory(seed, lines=lines)
    rng = trajectory.rng
    task = f"task-{number // 3:05d}"
    name = f"{task}__{''.join(rng.choices(NAME_LETTERS, k=7))}"
    home, reward = folder / name, float(rng.random() < 0.4)
    for part in ("agent", "verifier"):
        (home / part).mkdir(parents=True, exist_ok=True)
    with (home / "agent" / "trajectory.json").open("wb") as out:
        trajectory.write(out, Size(steps=max(3, int(rng.lognormvariate(0, 0.5) * steps))))
    config: Json = {"schema_version": 1, "task": {"path": f"tasks/{task}"}, "trial_name": name}
    config |= {"trials_dir": f"jobs/{folder.name}", "agent": {"name": None, **_AGENT}, "verifier": {"disable": False}}
    config |= {"environment": {"type": "docker", "import_path": None}, "job_id": job_id}
    lock = _trial_lock(task)
    _save(home / "config.json", config)
    _save(home / "lock.json", lock)
    usage = trajectory.usage
    spent: Json = {"n_input_tokens": usage.prompt, "n_cache_tokens": usage.cached, "n_output_tokens": usage.completion}
    spent |= {"cost_usd": round(usage.cost, 6)}
    _save(home / "result.json", _trial_result(rng, task, name, config, spent, reward))
    (home / "trial.log").write_text(trajectory.prose.block(1200), encoding="utf-8")
    (home / "verifier" / "reward.txt").write_text(f"{reward:g}\n", encoding="utf-8")
    (home / "verifier" / "test-stdout.txt").write_text(trajectory.prose.block(900), encoding="utf-8")
    return {"name": name, "task": config["task"], "lock": lock, "spent": spent, "reward": reward}


def _trial_lock(task: str) -> Json:
    named = {"name": task, "type": "local", "digest": f"sha256:{_digest(task)}", "path": f"tasks/{task}"}
    agent, verifier = dict(_AGENT), {"disable": False, "environment_mode": "shared"}
    return {"schema_version": 2, "task": named, "agent": agent, "environment": {"type": "docker"}, "verifier": verifier}


def _trial_result(rng: random.Random, task: str, name: str, config: Json, spent: Json, reward: float) -> Json:
    result: Json = {"schema_version": 1, "id": _uuid(rng), "task_name": task, "trial_name": name}
    result |= {"trial_uri": f"file:///jobs/{name}", "task_id": config["task"], "source": None}
    result |= {"task_checksum": _digest(task), "config": config}
    result["agent_info"] = {
        "name": "paperclip",
        "version": "0.4.1",
        "model_info": {"name": "small-1", "provider": "example"},
    }
    result["agent_result"] = {**spent, "rollout_details": None, "metadata": None}
    result["verifier_result"] = {"rewards": {"reward": reward}}
    result |= {"verifier_environment_mode": "shared", "exception_info": None}
    result |= {"started_at": _at(-2), "finished_at": _at(59)}
    for phase, (begin, end) in _PHASES.items():
        result[phase] = {"started_at": _at(begin), "finished_at": _at(end)}
    result |= {"step_results": None, "reward_valid": True}
    return result


def _job_result(records: list[Json], job_id: str) -> Json:
    by_reward: dict[str, list[str]] = {}
    for record in records:
        by_reward.setdefault(str(record["reward"]), []).append(record["name"])
    mean = sum(record["reward"] for record in records) / max(1, len(records))
    evaluation = {"n_trials": len(records), "n_errors": 0, "metrics": [{"mean": mean}], "pass_at_k": {}}
    evaluation |= {"reward_stats": {"reward": by_reward}, "exception_stats": {}}
    counts = {"n_completed_trials": len(records)} | dict.fromkeys(
        ("n_errored_trials", "n_running_trials", "n_pending_trials", "n_cancelled_trials", "n_retries"), 0
    )
    sums = {name: sum(record["spent"][name] for record in records) for name in records[0]["spent"]} if records else {}
    result: Json = {"schema_version": 1, "id": job_id, "started_at": _at(-2)[:-1], "updated_at": _at(59)[:-1]}
    result |= {"finished_at": _at(59)[:-1], "n_total_trials": len(records)}
    result["stats"] = {**counts, "evals": {"paperclip__small-1__adhoc": evaluation}, **sums}
    return result


# When the parts of a trial began and ended, in minutes from the start of its trajectory.
_PHASES = {"environment_setup": (-2, -1), "agent_setup": (-1, 0), "agent_execution": (0, 57), "verifier": (57, 58)}


def _at(minute: int) -> str:
    """A time so many minutes after the trajectories begin."""
    return f"2031-04-02T06:{minute:02d}:00Z" if minute >= 0 else f"2031-04-02T05:{60 + minute}:00Z"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _uuid(rng: random.Random) -> str:
    text = f"{rng.getrandbits(128):032x}"
    return f"{text[:8]}-{text[8:12]}-4{text[13:16]}-8{text[17:20]}-{text[20:]}"


def _save(path: Path, value: Json) -> None:
    path.write_bytes(encoded(value))
