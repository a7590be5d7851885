"""A text in every reading of it: as it stands, decoded, joined, and what its encoded runs say. Knows no rule."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable
from itertools import accumulate

from attraj.secrets.encoded import Encoded, Run, media_of
from attraj.secrets.joins import joined
from attraj.secrets.overlaps import Raw, resolved
from attraj.secrets.seams import across
from attraj.secrets.views import DECODERS, MAX_DEPTH, View, cleaned

Look = Callable[[View, list[Raw]], None]
"""Looks at one view, and adds what it finds."""

_SLACK = 1 << 16  # characters of views that a short text may cost
_BLOCK = 1 << 17  # characters that are looked at as one
_BLOCK_WORK = 24
_SLIGHT = 64  # characters: shorter texts are no media
_SPLIT = frozenset({"continued", "concatenated"})  # ways to write a string in pieces; encoded ones are written so too
_SEPARATOR = "\n\x00\n"


class Reading:
    """One look at one text, with a budget for what decoding it may cost.

    Args:
        look: What is looked for in each view.
        encoded: Finds the runs of base64 and hex that are read.
        work: Characters that may still be made.
    """

    def __init__(self, look: Look, encoded: Encoded, work: int) -> None:
        self._look = look
        self._encoded = encoded
        self._left = work

    def read(self, root: View, raws: list[Raw]) -> bool:
        """Look at a text in every reading; False when the budget ended before the readings did."""
        stack = [(cleaned(root), "")]
        is_whole = True
        while stack:
            view, made_by = stack.pop()
            known = len(raws)
            self._look(view, raws)
            own = raws[known:]
            for child in joined(view):
                if not self._pays(child.text):
                    return False
                seams: list[Raw] = []
                self._look(child, seams)
                if child.via[-1] in _SPLIT:
                    for run in self._encoded.runs(child.text, child.data):
                        is_whole = self._read_run(child, run, seams) and is_whole
                raws.extend(across(view, child, seams, own))
            for run in self._encoded.runs(view.text, view.data):
                is_whole = self._read_run(view, run, raws) and is_whole
            for mark, decode in DECODERS if view.depth < MAX_DEPTH else ():
                # A decoder comes after another one only where that one brought its mark to light.
                if not made_by or mark == made_by or view.text.count(mark) > root.text.count(mark):
                    decoded = decode(view)
                    if decoded is not None:
                        if not self._pays(decoded.text):
                            return False
                        stack.append((cleaned(decoded), mark))
        return is_whole

    def _pays(self, text: str) -> bool:
        self._left -= len(text)
        return self._left >= 0

    def _read_run(self, view: View, run: Run, raws: list[Raw]) -> bool:
        """What an encoded run says; False when not all of it was looked at."""
        if not self._pays(run.text):
            return False
        inner: list[Raw] = []
        said = View(run.text)
        said.depth = view.depth + 1
        is_whole = self.read(said, inner) if said.depth < MAX_DEPTH else True
        # A blob goes for a secret in it; for personal data only when that is most of what it says.
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
                )
            )
        return is_whole


class Sieve:
    """Says which of many texts may hold something: they are looked at as one, and most of them hold nothing."""

    def __init__(self, look: Look, encoded: Encoded) -> None:
        self._look = look
        self._encoded = encoded

    def suspects(self, texts: Iterable[str], shortest: int) -> set[str]:
        """The texts that have to be looked at one by one."""
        blocks: dict[tuple[bool, ...], list[str]] = {}
        sizes: dict[tuple[bool, ...], int] = {}
        suspects: set[str] = set()
        for text in texts:
            size = len(text)
            if size < shortest:
                continue
            if size > _BLOCK or (size >= _SLIGHT and media_of(text)):
                suspects.add(text)
                continue
            # Texts that need the same readings stand together: the others do not pay for them.
            kind = ("\\" in text, "%" in text, "&" in text, text.isascii())
            blocks.setdefault(kind, []).append(text)
            sizes[kind] = sizes.get(kind, 0) + size
            if sizes[kind] > _BLOCK:
                suspects.update(self._of_block(blocks.pop(kind)))
                sizes[kind] = 0
        for block in blocks.values():
            suspects.update(self._of_block(block))
        return suspects

    def _of_block(self, texts: list[str]) -> Iterable[str]:
        block = _SEPARATOR.join(texts)
        raws: list[Raw] = []
        if not Reading(self._look, self._encoded, work_for(block, _BLOCK_WORK)).read(View(block), raws):
            return texts
        starts = list(accumulate((len(text) + len(_SEPARATOR) for text in texts), initial=0)) if raws else []
        return {
            texts[number]
            for raw in raws
            for start, end in raw.view.pieces(raw.start, raw.end)
            for number in range(
                bisect_right(starts, start) - 1, min(bisect_right(starts, max(start, end - 1)), len(texts))
            )
        }


def work_for(text: str, times: int) -> int:
    """The budget of a text: a multiple of its length, and some more for short ones."""
    return times * len(text) + _SLACK
