"""Task, environment, harness, agent, model and verifier of a trial, and what it was allowed and used (atif.md §5.7)."""

from __future__ import annotations

from typing import Any

from attraj.bundle.markers import unavailable, unknown
from attraj.formats.harbor.facts import child, text
from attraj.formats.harbor.material import Material, settings_of
from attraj.formats.mapping.fields import At, Json, merged

VERIFIER = "verifier:task-tests"  # of every trial, in words of ours: its version tells one task's from another's
_NO_DIGEST = "the trial's files give no digest of the task"


def read_bindings(material: Material) -> None:
    """Fill `bindings`. What the files do not tell is said to be unknown, never left to be guessed."""
    _task(material)
    _environment(material)
    _harness(material)
    _agent(material)
    _model(material)
    _verifier(material)
    material.draft.bindings["uncontrolled_variables"] = [
        "image of the environment",
        "decoding of the model",
        "agent timeout of the task, where it was not overridden",
    ]


def _task(material: Material) -> None:
    """The task that the agent ran: in a regrade that of the source trial, where the lock tells it (atif.md §5.7).

    One file gives all of it: the lock when it has a digest or result.json no checksum (Harbor 0.1 has no lock).
    """
    record = material.next_binding("tasks")
    lock, result = material.facts.lock, material.facts.result
    where: At = ("source_trial", "task") if child(lock, "source_trial", "task") else ("task",)
    task: Json = {}
    if text(child(lock, *map(str, where)), "digest") is not None or text(result, "task_checksum") is None:
        task = material.take("task", record, "lock.json", *where)
    if not task:
        task = material.take("task-name", record, "result.json")
        checksum = material.take("task-checksum", record, "result.json")
        if checksum:
            task = merged(task, merged({"digest": {"algorithm": "harbor-dirhash"}}, checksum))
    if not task:
        task = {"availability": "unknown", "reason": "no file of the trial names its task"}
    material.bind("tasks", task)


def _environment(material: Material) -> None:
    record = material.next_binding("environments")
    settings = settings_of(material.facts)
    found = material.take("environment", record, "lock.json", "environment")
    if not found:
        found = material.take("environment", record, settings.file, *settings.at, "environment")
    material.bind(
        "environments", found | {"availability": "unknown", "reason": "Harbor records no digest of the image"}
    )


def _harness(material: Material) -> None:
    harness: Json = {"id": "harbor"}
    if material.release:
        harness["version"] = material.release
    else:
        harness |= {"availability": "unknown", "reason": "only the lock.json of the job names the release"}
    material.bind("harnesses", harness)


def _agent(material: Material) -> None:
    record = material.next_binding("agents")
    agent = material.take("agent", record, "result.json", "agent_info")
    settings = settings_of(material.facts)
    code = material.take("agent-code", record, settings.file, *settings.at, "agent")
    if not agent:
        agent = material.take("agent", record, settings.file, *settings.at, "agent")
    material.bind("agents", merged(agent, code))
    _skills(material)


def _skills(material: Material) -> None:
    """Skills that the agent was given, by their digests."""
    skills = material.facts.lock.get("skills")
    for position, _ in enumerate(skills if type(skills) is list else ()):
        record = material.next_binding("capabilities")
        material.bind("capabilities", material.take("skill", record, "lock.json", "skills", position))


def _model(material: Material) -> None:
    record = material.next_binding("models")
    model = material.take("model", record, "result.json", "agent_info", "model_info")
    if not model:
        settings = settings_of(material.facts)
        model = material.take("model-name", record, settings.file, *settings.at, "agent")
    material.bind("models", model)


def close_bindings(material: Material) -> None:
    """Say of what neither the trial nor its trajectories name that it is unknown; an oracle runs without a model."""
    for kind in ("agents", "models"):
        if not material.draft.bindings.get(kind):
            reason = f"no file of the trial names its {kind.removesuffix('s')}"
            material.bind(kind, {"availability": "unknown", "reason": reason})
    kinds = {node["kind"] for node in material.draft.nodes}
    for kind, mentions, reason in (
        ("principals", "input", "the trajectory does not name who stands behind a step of a user"),
        ("tools", "action", "the trajectory names the tools that were called, and gives no definition of them"),
    ):
        if mentions in kinds and not material.draft.bindings.get(kind):
            material.bind(kind, {"availability": "unknown", "reason": reason})


def _verifier(material: Material) -> None:
    if child(settings_of(material.facts).said, "verifier").get("disable") is True:
        material.bind("verifiers", {"availability": "not_applicable", "reason": "the verifier was switched off"})
        return
    binding: Json = {"id": VERIFIER}
    version = verifier_version(material)
    if type(version) is str:
        binding["version"] = version
    else:
        binding |= {"availability": "unknown", "reason": _NO_DIGEST}
    material.bind("verifiers", binding)


def verifier_version(material: Material) -> Any:
    """The verifier is the task's own test script: its version is the digest of the task whose tests ran."""
    digest = text(child(material.facts.lock, "task"), "digest")
    return digest if digest else unknown(_NO_DIGEST)


# --- what was allowed, and what was used -------------------------------------------------------------------------


def read_resources(material: Material) -> None:
    """Fill `scope.resources` by what the trial's own account says; 0 is a count only where it was recorded."""
    settings = settings_of(material.facts)
    budget = material.take("budget", "/scope/resources/budget", settings.file, *settings.at)
    if "agent_timeout_s" not in budget:
        budget["task_agent_timeout_s"] = unavailable("the task sets it, and the trial's folder does not hold the task")
    used: Json = {}
    if not material.is_step or material.said_at:
        record = "/scope/resources/observed/trial"
        used = material.take("used", record, "result.json", *material.said_at, "agent_result")
        used = merged(used, material.take("spans", record, "result.json", *material.said_at))
    if material.facts.is_simulated_user and used:
        used["counted_for"] = "the user agent, which ran beside the agent"
    resources: Json = {"budget": budget}
    resources["observed"] = {"trial": used or unavailable("the trial has no account of what was used")}
    material.draft.scope = merged(material.draft.scope, {"resources": resources})
