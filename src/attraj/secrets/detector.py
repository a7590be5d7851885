"""The detector: one text, or every text and name of a JSON tree, to what must not be published."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import accumulate
from typing import Any, NamedTuple

from attraj.secrets import personal
from attraj.secrets.assigned import Assigned, judged
from attraj.secrets.encoded import Encoded, Run, media_of
from attraj.secrets.engine import engine_of
from attraj.secrets.names import Names
from attraj.secrets.overlaps import Raw, resolved
from attraj.secrets.policy import DEFAULT_POLICY, DetectionPolicy
from attraj.secrets.rules import Compiled, Pack, compiled, core_packs, pack_of_file
from attraj.secrets.spans import NOTHING, Found, Hit, Piece, Span
from attraj.secrets.views import DECODERS, MAX_DEPTH, View, cleaned, joined

MIN_CHARS = 5  # nothing shorter is a secret, but under a name that says so
_SLACK = 1 << 16  # characters of views that a short text may cost
_BLOCK = 1 << 17  # characters that are looked at as one
_BLOCK_WORK = 24
_SLIGHT = 64  # characters: shorter texts are no media
_SEPARATOR = "\n\x00\n"


class _Context(NamedTuple):
    """What is known of a text besides itself."""

    key: str
    is_exposed: bool
    budget: list[int]


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
        self._by_literal: list[tuple[str, list[Compiled], bool, bool]] = []
        table: dict[str, tuple[list[Compiled], list[bool]]] = {}
        for rule in self._rules:
            for anchor in rule.rule.anchors:
                table.setdefault(anchor, ([], [False, False]))[0].append(rule)
        for stem in names.literals():
            table.setdefault(stem, ([], [False, False]))[1][0] = True
        if policy.personal != "none":
            for home in personal.HOME_LITERALS:
                table.setdefault(home, ([], [False, False]))[1][1] = True
        self._by_literal = [(anchor, rules, *flags) for anchor, (rules, flags) in table.items()]  # type: ignore[misc]
        self._engine = engine_of(list(table), policy.engine)
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
        context = _Context(key, is_exposed, [self.policy.work_per_text * len(text) + _SLACK])
        meaning = self.names.meaning(key) if key else None
        if meaning is not None:
            value = judged(text, meaning)
            if value is not None:
                raws.append(
                    Raw(View(text), value.start, value.end, value.type, value.rule, "medium", 0, "attraj-names", ())
                )
        is_whole = True
        if len(text) >= MIN_CHARS and not (media and len(text.split(None, 1)) < 2 and media != "binary"):
            is_whole = self._views(View(text), context, raws)
        spans = resolved(raws)
        for recogniser in self.policy.recognisers:
            spans = resolved([*raws, *(_foreign(text, span, recogniser.id) for span in recogniser.find(text, key))])
        if not spans and is_whole and not media:
            return NOTHING
        return Found(tuple(spans), "" if is_whole else "budget", media)

    def _views(self, root: View, context: _Context, raws: list[Raw]) -> bool:
        """Look at a text in every reading of it; False when the budget ended before the readings did."""
        stack = [(cleaned(root), "")]
        is_whole = True
        while stack:
            view, made_by = stack.pop()
            self._look(view, context, raws)
            for child in joined(view):
                if not _pay(context, child):
                    return False
                seams: list[Raw] = []
                self._look(child, context, seams)
                raws.extend(raw for raw in seams if len(child.pieces(raw.start, raw.end)) > 1)
            for run in self._encoded.runs(view.text, view.data):
                is_whole = self._run(view, run, context, raws) and is_whole
            if view.depth >= MAX_DEPTH:
                continue
            for mark, decode in DECODERS:
                if mark in view.text and (
                    not made_by or mark == made_by or view.text.count(mark) > root.text.count(mark)
                ):
                    child_or_none = decode(view)
                    if child_or_none is not None:
                        if not _pay(context, child_or_none):
                            return False
                        stack.append((cleaned(child_or_none), mark))
        return is_whole

    def _run(self, view: View, run: Run, context: _Context, raws: list[Raw]) -> bool:
        """What an encoded run says, and whether all of it was looked at."""
        context.budget[0] -= len(run.text)
        if context.budget[0] < 0:
            return False
        inner: list[Raw] = []
        said = View(run.text)
        said.depth = view.depth + 1
        is_whole = True
        if said.depth < MAX_DEPTH:
            is_whole = self._views(said, context._replace(key=""), inner)
        spans = tuple(span for span in resolved(inner) if span.is_secret or len(span.value) * 4 >= len(run.text))
        if spans:
            one = spans[0]
            is_all = len(spans) == 1 and one.value.strip() == run.text.strip()
            raws.append(
                Raw(
                    view,
                    run.start,
                    run.end,
                    one.type if is_all else "ENCODED",
                    one.rule,
                    one.confidence,
                    one.secret_from if is_all else 0,
                    one.pack,
                    (run.name, *one.via),
                    spans,
                    one.value if is_all else None,
                )  # fmt: skip
            )
        return is_whole

    def _look(self, view: View, context: _Context, raws: list[Raw]) -> None:
        text = view.text
        stems: list[int] = []
        done: dict[int, int] = {}
        table = self._by_literal
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
                        )  # fmt: skip
                    )
            if is_home:
                datum = personal.users(text, at, literal)
                if datum is not None:
                    raws.append(_datum(view, datum))
        if stems:
            for value in self._assigned.find(text, stems, is_exposed=context.is_exposed):
                raws.append(Raw(view, value.start, value.end, value.type, value.rule, "medium", 0, "attraj-names", ()))
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

    def _suspects(self, texts: Iterable[str]) -> frozenset[str]:
        """The texts that may hold something: many are looked at as one, and most of them hold nothing."""
        if self.policy.is_lowered or self.policy.recognisers:
            return frozenset(texts)
        blocks: dict[tuple[bool, ...], list[str]] = {}
        sizes: dict[tuple[bool, ...], int] = {}
        suspects: set[str] = set()
        for text in texts:
            if len(text) < MIN_CHARS:
                continue
            if len(text) > _BLOCK or (len(text) >= _SLIGHT and media_of(text)):
                suspects.add(text)
                continue
            # Texts that need the same readings stand together: the others do not pay for them.
            kind = ("\\" in text, "%" in text, "&" in text, text.isascii())
            blocks.setdefault(kind, []).append(text)
            sizes[kind] = sizes.get(kind, 0) + len(text)
            if sizes[kind] > _BLOCK:
                suspects.update(self._suspects_of(blocks.pop(kind)))
                sizes[kind] = 0
        for block in blocks.values():
            suspects.update(self._suspects_of(block))
        return frozenset(suspects)

    def _suspects_of(self, texts: list[str]) -> Iterable[str]:
        joined_text = _SEPARATOR.join(texts)
        raws: list[Raw] = []
        if not self._views(View(joined_text), _Context("", False, [_BLOCK_WORK * len(joined_text) + _SLACK]), raws):
            return texts
        if not raws:
            return ()
        starts = [0, *accumulate(len(text) + len(_SEPARATOR) for text in texts)]
        return {
            texts[number]
            for raw in raws
            for start, end in raw.view.pieces(raw.start, raw.end)
            for number in range(
                bisect_right(starts, start) - 1, min(bisect_right(starts, max(start, end - 1)), len(texts))
            )
        }


def _pay(context: _Context, view: View) -> bool:
    context.budget[0] -= len(view.text)
    return context.budget[0] >= 0


def _datum(view: View, datum: personal.Datum) -> Raw:
    return Raw(view, datum.start, datum.end, datum.type, datum.rule, "medium", 0, "attraj-personal", ())


def _foreign(text: str, span: Span, recogniser: str) -> Raw:
    return Raw(View(text), span.start, span.end, span.type, span.rule, span.confidence, 0, recogniser, ())


__all__ = ["Detector", "Piece"]
