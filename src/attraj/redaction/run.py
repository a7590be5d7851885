"""A scope from start to end: plan, apply, keep the books, prove. Nothing is written here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from attraj.limits import DEFAULT_LIMITS, Limits
from attraj.redaction import canaries
from attraj.redaction.apply import apply, marked_places, with_members
from attraj.redaction.books import Taken, books, renamed_ids, taken_places, uses_of
from attraj.redaction.changes import Change, Plan, Unscanned
from attraj.redaction.leaves import Keys
from attraj.redaction.opinions.opinion import Opinion
from attraj.redaction.opinions.proof import disagreements
from attraj.redaction.placeholders import Placeholders
from attraj.redaction.plan import Scope, plan
from attraj.redaction.policy import DEFAULT, Policy
from attraj.redaction.prove import Claim, Failure, Proof, Review, Validator, prove
from attraj.redaction.search import Value
from attraj.redaction.source import UNKNOWN, Forms, Part, Source, read_source
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
        opinion: Another scanner that looks at what would be written; None when there is none.
        limits, forms: As for reading.
    """

    detector: Detector
    residual: Detector
    lowered: Detector | None = None
    policy: Policy = DEFAULT
    tool: str = "attraj"
    seed: bytes = field(default=b"", repr=False)
    known: tuple[Value, ...] = field(default=(), repr=False)
    validator: Validator | None = None
    opinion: Opinion | None = None
    limits: Limits = DEFAULT_LIMITS
    forms: Forms = UNKNOWN

    def forget(self) -> None:
        """Drop what the detectors remember of texts."""
        for detector in (self.detector, self.residual, self.lowered):
            if detector is not None:
                detector.forget()


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
    made = _Rounds(sources, tools)
    made.once()
    refused = made.first.refused
    if refused:
        proof = Proof()
        detail = "a number that must go would become a text"
        proof.failures += [Failure("retyped", *_place(at), detail) for at in refused]
    else:
        proof = made.prove()
        for _ in range(ROUNDS - 1):
            if {failure.proof for failure in proof.failures} <= _UNCOVERED and proof.failures and made.once():
                proof = made.prove()
        _add_canaries(proof, made.outputs, tools)
        _add_opinion(proof, made.outputs, tools)
    return Done(
        sources,
        made.outputs,
        made.changes,
        made.known,
        made.first.unscanned,
        proof,
        made.placeholders,
        made.first.ignored,
        made.first.sealed,
    )


_UNCOVERED = frozenset({"residual", "values"})


class _Rounds:
    """The files of a scope as they become, round after round: replacing may uncover what could not be seen before."""

    def __init__(self, sources: Sequence[Source], tools: Tools) -> None:
        self._sources = sources
        self._tools = tools
        self._current = list(sources)
        self._taken: dict[tuple[int, int], list[Taken]] = {}
        self.first = Plan()
        self.known: list[Value] = list(tools.known)
        self.placeholders = Placeholders()
        self.changes: dict[tuple[int, int], list[Change]] = {}
        self.outputs: list[tuple[str, bytes]] = [(source.name, source.raw) for source in sources]
        self._is_first = True

    def once(self) -> bool:
        """Plan and apply. Returns whether anything changed."""
        tools, current = self._tools, self._current
        scope = Scope(current, self.known, self.placeholders, is_first=self._is_first)
        made = plan(scope, tools.detector, tools.policy)
        if self._is_first:
            self.first, self._is_first = made, False
        self.known = made.values
        if made.is_empty and made.names == [source.name for source in current]:
            return False
        for at, new in made.changes.items():
            if new:
                self.changes.setdefault(at, []).extend(new)
                self._taken.setdefault(at, []).extend(taken_places(new, _marked(current, at, new)))
        texts = zip(current, made.names, apply(current, made, tools.policy), strict=True)
        self._current = [_read(source, name, text, tools) for source, name, text in texts]
        books_kept = [
            _with_books(source, number, self.changes, self._taken, tools) for number, source in enumerate(self._current)
        ]
        self.outputs = [(source.name, source.raw) for source in books_kept]
        return True

    def prove(self) -> Proof:
        """Every proof but the canaries."""
        tools = self._tools
        return prove(
            Claim(self._sources, self.outputs, self.known, tools.policy),
            tools.residual,
            tools.lowered,
            tools.validator,
            limits=tools.limits,
            forms=tools.forms,
        )


def _add_canaries(proof: Proof, outputs: Sequence[tuple[str, bytes]], tools: Tools) -> None:
    if not tools.seed or proof.failures:
        proof.words["canaries"] = "not run"
        return
    found: list[Failure] = []
    for number, (name, raw) in enumerate(outputs):
        source = read_source(name, raw, tools.limits, tools.forms)
        found += canaries.check(source, number, tools.detector, tools.policy, tools.seed)
    proof.add("canaries", found)


def _add_opinion(proof: Proof, outputs: Sequence[tuple[str, bytes]], tools: Tools) -> None:
    if tools.opinion is None or proof.failures:
        proof.words["second_opinion"] = "not run"
        return
    after = [read_source(name, raw, tools.limits, tools.forms) for name, raw in outputs]
    proof.add("second_opinion", disagreements(after, tools.opinion, tools.policy))


def _place(at: tuple[int, int, Keys]) -> tuple[int, str]:
    from attraj.pointer import join

    return at[0], join(*at[2])


def _marked(current: Sequence[Source], at: tuple[int, int], changes: Sequence[Change]) -> frozenset[Keys]:
    source = current[at[0]]
    return marked_places(changes) if source.parts and source.parts[at[1]].is_bundle else frozenset()


def _read(source: Source, name: str, text: str, tools: Tools) -> Source:
    if text == source.text and name == source.name:
        return source
    if not source.parts:
        return Source(name, source.encoded(text), text, source.encoding)
    return read_source(name, source.encoded(text), tools.limits, tools.forms)


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
