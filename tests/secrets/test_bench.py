"""The bars of detection, on a quick part of the generated set; the whole: `python -m benchmarks.detection`."""

from __future__ import annotations

from collections import Counter

from attraj.secrets.detector import Detector
from attraj.secrets.policy import DetectionPolicy
from attraj.secrets.spans import Found
from tests.secrets import bench_second
from tests.secrets.bench import BARS, bar_of, cases, is_missed


def test_the_bars_are_met() -> None:
    detector = Detector()
    total: Counter[str] = Counter()
    missed: Counter[str] = Counter()
    for case in cases(seed=3, share=0.12):
        total[case.group] += 1
        missed[case.group] += is_missed(case, detector.scan_text(case.text))
        detector.forget()
    shares = {group: 1 - missed[group] / total[group] for group in total}
    assert {} == {group: share for group, share in shares.items() if share < bar_of(group)}
    assert set(BARS) <= {group.partition("-")[0] for group in total}


def test_the_bars_are_met_by_what_is_written_in_other_words() -> None:
    detector = Detector()
    total: Counter[str] = Counter()
    missed: list[tuple[str, str]] = []
    for case in bench_second.cases(seed=5):
        total[case.group] += 1
        if is_missed(case, detector.scan_text(case.text)):
            missed.append((case.group, case.name))
        detector.forget()
    counts = Counter(group for group, _ in missed)
    low = {group for group in total if 1 - counts[group] / total[group] < bar_of(group)}
    assert [] == [name for group, name in missed if group in low]


def test_texts_looked_at_together_give_what_each_gives_alone_with_either_engine() -> None:
    texts = [case.text for case in bench_second.cases(seed=6)][::2]
    texts += [case.text for case in cases(seed=6, share=0.004) if len(case.text) < 20_000]
    one, other = Detector(), Detector(DetectionPolicy(engine="stdlib"))
    alone = {f"/{number}": one.scan_text(text).spans for number, text in enumerate(texts)}
    one.forget()
    assert {at: spans for at, spans in alone.items() if spans} == {
        h.pointer: h.spans for h in one.scan_tree(texts) if h.spans
    }
    assert alone == {f"/{number}": other.scan_text(text).spans for number, text in enumerate(texts)}


def test_what_finds_nothing_misses_everything() -> None:
    blind = [is_missed(case, Found()) for case in cases(seed=4, share=0.02) if case.group != "negatives"]
    assert all(blind)
