"""A scope from start to end: plan, apply, keep the books, prove. Nothing is written here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from attraj.limits import DEFAULT_LIMITS, Limits
from attraj.redaction import canaries
from attraj.redaction.apply import apply, marked_places, with_members
from attraj.redaction.books import Taken, books, renamed_ids, taken_places, uses_of
from attraj.redaction.leaves import Keys
from attraj.redaction.placeholders import Placeholders
from attraj.redaction.plan import Change, Plan, Scope, Unscanned, plan
from attraj.redaction.policy import DEFAULT, Policy
from attraj.redaction.prove import Claim, Failure, Proof, Review, Validator, prove
from attraj.redaction.search import Value
from attraj.redaction.source import IsBundle, Part, Source, looks_like_bundle, read_source
from attraj.secrets.detector import Detector
from attraj.secrets.policy import DetectionPolicy

ROUNDS = 4  # what replacing uncovers is taken as well; text that never comes to rest fails the residual scan


@dataclass(frozen=True, slots=True)
class Tools:
    """What a redaction is done with.

    Attributes:
        detector: Finds what goes.
        residual: A detector with the other engine, for the proof.
        lowered: One with lower thresholds, for what a person should look at; None for none.
        policy: What goes besides, what stays.
        tool: Name and version of the program.
        seed: Makes canaries; b"" plants none.
        known: Values that are secret whatever they look like.
        validator: Tells new errors; None when there is none.
        limits, is_bundle: As for reading.
    """

    detector: Detector
    residual: Detector
    lowered: Detector | None = None
    policy: Policy = DEFAULT
    tool: str = "attraj"
    seed: bytes = field(default=b"", repr=False)
    known: tuple[Value, ...] = field(default=(), repr=False)
    validator: Validator | None = None
    limits: Limits = DEFAULT_LIMITS
    is_bundle: IsBundle = looks_like_bundle


def tools(detection: DetectionPolicy, policy: Policy, **others: object) -> Tools:
    """Tools whose proof looks with the other engine. Raises AttrajError for packs and engines that are not there."""
    detection = replace(detection, personal=policy.personal)
    detector = Detector(detection)
    residual = Detector(replace(detection, engine="stdlib"))
    lowered = Detector(replace(detection, engine="stdlib", is_lowered=True))
    made = Tools(detector, residual, lowered, policy)
    return replace(made, **others)  # type: ignore[arg-type]


@dataclass(slots=True)
class Done:
    """What became of a scope.

    Attributes:
        sources: The files as they came.
        outputs: New name and bytes of each.
        changes: What changed, by file and document, of all rounds.
        values: What was taken. Never shown, never written.
        unscanned: What could not be looked at.
        proof: What the proofs said.
        placeholders: All of them.
        ignored, sealed: See Plan.
        kept_media: How many media stay by policy.
    """

    sources: Sequence[Source]
    outputs: list[tuple[str, bytes]] = field(repr=False)
    changes: dict[tuple[int, int], list[Change]]
    values: list[Value] = field(repr=False)
    unscanned: list[Unscanned]
    proof: Proof
    placeholders: Placeholders
    ignored: int = 0
    sealed: int = 0

    @property
    def failures(self) -> list[Failure]:
        """Why nothing may be written; [] when it may."""
        return self.proof.failures

    @property
    def reviews(self) -> list[Review]:
        """What a person should look at."""
        return self.proof.reviews

    def is_changed(self, number: int) -> bool:
        """Whether a file has other bytes than it had."""
        return self.outputs[number][1] != self.sources[number].raw


def redact_scope(sources: Sequence[Source], tools: Tools) -> Done:
    """Redact files that belong together, and prove it."""
    placeholders = Placeholders()
    known: list[Value] = list(tools.known)
    current = list(sources)
    changes: dict[tuple[int, int], list[Change]] = {}
    taken: dict[tuple[int, int], list[Taken]] = {}
    first: Plan | None = None
    for number in range(ROUNDS):
        made = plan(Scope(current, known, placeholders, is_first=number == 0), tools.detector, tools.policy)
        first = first or made
        known = made.values
        if made.is_empty and made.names == [source.name for source in current]:
            break
        for at, new in made.changes.items():
            if new:
                changes.setdefault(at, []).extend(new)
                taken.setdefault(at, []).extend(taken_places(new, _marked(current, at, new)))
        texts = apply(current, made, tools.policy)
        current = [
            _read(source, name, text, tools) for source, name, text in zip(current, made.names, texts, strict=True)
        ]
    current = [_with_books(source, number, changes, taken, tools) for number, source in enumerate(current)]
    outputs = [(source.name, source.raw) for source in current]
    assert first is not None
    proof = Proof()
    detail = "a number that must go would become a text"
    proof.failures += [Failure("retyped", *_place(at), detail) for at in first.refused]
    if not proof.failures:
        proof = _proof(sources, outputs, known, tools)
    return Done(
        sources,
        outputs,
        changes,
        known,
        first.unscanned,
        proof,
        placeholders,
        first.ignored,
        first.sealed,
    )


def _place(at: tuple[int, int, Keys]) -> tuple[int, str]:
    from attraj.pointer import join

    return at[0], join(*at[2])


def _proof(sources: Sequence[Source], outputs: list[tuple[str, bytes]], values: list[Value], tools: Tools) -> Proof:
    claim = Claim(sources, outputs, values, tools.policy)
    proof = prove(claim, tools.residual, tools.lowered, tools.validator, limits=tools.limits, is_bundle=tools.is_bundle)
    if tools.seed and "parse" in proof.words and proof.words["parse"] == "passed":
        found: list[Failure] = []
        for number, (name, raw) in enumerate(outputs):
            source = read_source(name, raw, tools.limits, tools.is_bundle)
            found += canaries.check(source, number, tools.detector, tools.policy, tools.seed)
        proof.add("canaries", found)
    else:
        proof.words["canaries"] = "not run"
    return proof


def _marked(current: Sequence[Source], at: tuple[int, int], changes: Sequence[Change]) -> frozenset[Keys]:
    source = current[at[0]]
    return marked_places(changes) if source.parts and source.parts[at[1]].is_bundle else frozenset()


def _read(source: Source, name: str, text: str, tools: Tools) -> Source:
    if text == source.text and name == source.name:
        return source
    if not source.parts:
        return Source(name, source.encoded(text), text, source.encoding)
    return read_source(name, source.encoded(text), tools.limits, tools.is_bundle)


def _with_books(
    source: Source,
    number: int,
    changes: dict[tuple[int, int], list[Change]],
    taken: dict[tuple[int, int], list[Taken]],
    tools: Tools,
) -> Source:
    for position in range(len(source.parts) - 1, -1, -1):
        if source.parts[position].is_bundle and changes.get((number, position)):
            source = _kept(source, position, changes[number, position], taken[number, position], tools)
    return source


def _kept(source: Source, position: int, changes: Sequence[Change], taken: Sequence[Taken], tools: Tools) -> Source:
    def part() -> Part:
        return source.parts[position]

    operations = ["time_coarsening"] if any(c.stretches[0].kind == "TIME" for c in changes) else []
    names = renamed_ids(part().tree, taken)
    if names:
        operations.append("id_renaming")
        text = with_members(source.text, part(), uses_of(part().tree, names))
        source = _read(source, source.name, text, tools)
    members = books(part().tree, taken, tools.policy, tool=tools.tool, operations=operations)
    return _read(source, source.name, with_members(source.text, part(), members), tools)
