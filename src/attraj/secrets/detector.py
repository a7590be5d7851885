"""The detector: one text, or every text and name of a JSON tree, to what must not be published."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple

from attraj.secrets import personal
from attraj.secrets.assigned import Assigned, judged
from attraj.secrets.encoded import Encoded, media_of
from attraj.secrets.engine import engine_of
from attraj.secrets.names import Names
from attraj.secrets.overlaps import Raw, resolved
from attraj.secrets.policy import DEFAULT_POLICY, DetectionPolicy
from attraj.secrets.reading import Reading, Sieve, work_for
from attraj.secrets.rules import Compiled, Pack, compiled, core_packs, pack_of_file
from attraj.secrets.spans import NOTHING, Found, Hit, Span
from attraj.secrets.views import View

MIN_CHARS = 5  # nothing shorter is a secret, but under a name that says so
_NAMES = "attraj-names"
_PERSONAL = "attraj-personal"


class _Literal(NamedTuple):
    """What is done where a literal stands."""

    text: str
    rules: list[Compiled]
    is_stem: bool
    is_home: bool


class Detector:
    """Finds secrets and personal data.

    Everything that can be wrong with packs and engines is said when it is made. It keeps what it found of each distinct
    text until `forget`, so one of them serves one document or one trial.

    Args:
        policy: What is looked for.

    Raises:
        AttrajError: A pack does not load, or the engine is not installed.
    """

    def __init__(self, policy: DetectionPolicy = DEFAULT_POLICY) -> None:
        self.policy = policy
        packs = [*core_packs(), *map(pack_of_file, policy.packs)]
        self.packs: tuple[Pack, ...] = tuple(loaded.pack for loaded in packs)
        names = Names(packs, policy.without)
        self.names = names
        self._assigned = Assigned(names)
        self._rules: list[Compiled] = list(compiled(packs, policy.without))
        self._literals = self._table(self._rules)
        self._engine = engine_of([literal.text for literal in self._literals], policy.engine)
        high = {a for rule in self._rules if rule.rule.confidence == "high" for a in rule.rule.anchors}
        self._encoded = Encoded(sorted(high), policy.engine)
        self._personal = personal.Personal(policy.engine, policy.personal == "strict")
        self._gitleaks: Any = None
        if policy.gitleaks:
            # Imported here: only who gives a configuration needs the engine of it.
            from attraj.secrets.gitleaks import load

            self._gitleaks = load(policy.gitleaks)
            self.packs = (*self.packs, self._gitleaks.pack)
        self._known: dict[tuple[str, str, bool], Found] = {}

    def _table(self, rules: list[Compiled]) -> list[_Literal]:
        homes = frozenset(personal.HOME_LITERALS if self.policy.personal != "none" else ())
        stems = frozenset(self.names.literals())
        anchored: dict[str, list[Compiled]] = {}
        for rule in rules:
            for anchor in rule.rule.anchors:
                anchored.setdefault(anchor, []).append(rule)
        texts = dict.fromkeys([*anchored, *self.names.literals(), *sorted(homes)])
        return [_Literal(text, anchored.get(text, []), text in stems, text in homes) for text in texts]

    @property
    def engine(self) -> str:
        """Name of the engine in use: "fast" or "stdlib"."""
        return self._engine.name

    def forget(self) -> None:
        """Drop what is remembered of texts."""
        self._known.clear()

    # --- one text --------------------------------------------------------------------------------------------------

    def scan_text(self, text: str, *, key: str = "", is_exposed: bool = False) -> Found:
        """What one decoded text holds.

        Args:
            text: Never modified; remembered until `forget`.
            key: Name of the member whose value it is; a secret name makes the whole value a finding.
            is_exposed: It is the output of something that reads secrets: thresholds are lower.

        Returns:
            Spans that do not overlap; and what was not looked at.
        """
        if len(text) < MIN_CHARS and not key:
            return NOTHING
        asked = (text, key if self.names.meaning(key) else "", is_exposed or self.policy.is_lowered)
        found = self._known.get(asked)
        if found is None:
            found = self._known[asked] = self._scan(*asked)
        return found

    def _scan(self, text: str, key: str, is_exposed: bool) -> Found:
        raws: list[Raw] = []
        media = media_of(text)
        meaning = self.names.meaning(key) if key else None
        if meaning is not None:
            value = judged(text, meaning)
            if value is not None:
                raws.append(Raw(View(text), value.start, value.end, value.type, value.rule, "medium", 0, _NAMES, ()))
        is_whole = True
        # A picture is not decoded; a text with a picture in it is still a text.
        if len(text) >= MIN_CHARS and (not media or media == "binary" or len(text.split(None, 1)) > 1):
            look = partial(self._look, is_exposed)
            is_whole = Reading(look, self._encoded, work_for(text, self.policy.work_per_text)).read(View(text), raws)
        for recogniser in self.policy.recognisers:
            raws.extend(_foreign(text, span, recogniser.id) for span in recogniser.find(text, key))
        if not raws and is_whole and not media:
            return NOTHING
        return Found(tuple(resolved(raws)), "" if is_whole else "budget", media)

    def _look(self, is_exposed: bool, view: View, raws: list[Raw]) -> None:
        text = view.text
        stems: list[int] = []
        done: dict[int, int] = {}
        table = self._literals
        for at, number in self._engine.hits(text, view.data):
            literal, rules, is_stem, is_home = table[number]
            if is_stem:
                stems.append(at)
            for rule in rules:
                if done.get(id(rule), -1) > at:
                    continue
                match = rule.at(text, at, literal)
                if match is not None:
                    done[id(rule)] = match.end
                    raws.append(
                        Raw(
                            view,
                            match.start,
                            match.end,
                            rule.rule.type,
                            rule.rule.id,
                            rule.rule.confidence,
                            match.secret_from,
                            rule.rule.pack,
                            (),
                        )
                    )
            if is_home:
                datum = personal.users(text, at, literal)
                if datum is not None:
                    raws.append(_datum(view, datum))
        if stems:
            for value in self._assigned.find(text, stems, is_exposed=is_exposed):
                raws.append(Raw(view, value.start, value.end, value.type, value.rule, "medium", 0, _NAMES, ()))
        if self.policy.personal != "none" and not view.is_joined:
            for datum in self._personal.find(text, view.data):
                raws.append(_datum(view, datum))
            if "~" in text:
                raws.extend(_datum(view, datum) for datum in personal.tilde_users(text))
        if self._gitleaks is not None and not view.is_joined:
            raws.extend(
                Raw(view, start, end, "SECRET", rule, "medium", 0, self._gitleaks.pack.id, ())
                for start, end, rule in self._gitleaks.find(text)
            )

    # --- a tree ----------------------------------------------------------------------------------------------------

    def scan_tree(self, tree: Any) -> Iterator[Hit]:
        """Every text and name of a JSON tree that holds something, in the order of the document.

        The structure counts: names of members, pairs of name and value, headers as arrays, lists under a secret name,
        results of calls that read secrets.
        """
        # Imported here: a text alone needs none of it.
        from attraj.secrets.tree import leaves_of, pointer_of

        leaves, names = leaves_of(tree, self.names)
        suspects = self._suspects(dict.fromkeys([*names, *(leaf[2] for leaf in leaves)]))
        if not names.keys().isdisjoint(suspects):
            leaves, _ = leaves_of(tree, self.names, with_names=True)
        for way, token, text, key, is_key, is_exposed, is_number in leaves:
            if not (key or is_exposed or text in suspects):
                continue
            found = self.scan_text(text, key=key, is_exposed=is_exposed)
            if is_number:
                found = Found(tuple(s for s in found.spans if s.end - s.start == len(text)))
            if found:
                yield Hit(pointer_of(way, token), is_key, found.spans, found.unscanned, found.media, is_number)

    def _suspects(self, texts: dict[str, None]) -> set[str]:
        if self.policy.is_lowered or self.policy.recognisers:
            return set(texts)
        return Sieve(partial(self._look, False), self._encoded).suspects(texts, MIN_CHARS)


def _datum(view: View, datum: personal.Datum) -> Raw:
    return Raw(view, datum.start, datum.end, datum.type, datum.rule, "medium", 0, _PERSONAL, ())


def _foreign(text: str, span: Span, recogniser: str) -> Raw:
    return Raw(View(text), span.start, span.end, span.type, span.rule, span.confidence, 0, recogniser, ())
