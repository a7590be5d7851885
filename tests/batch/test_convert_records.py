"""A record comes back from its line as it was, whatever stands in it: an account made of lines is the same account."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from attraj.batch.convert_records import Record, Written, from_line, to_line, worst
from attraj.findings import DocumentReport, Finding, Location, Related, Rule, Severity, Stratum
from attraj.formats.mapping.loss import Loss

# Names of files that are no UTF-8 hold halves of characters; whole pairs of them are not made by Python.
names = st.text(st.characters(codec="utf-8") | st.sampled_from("\udcff\udc80"), max_size=12)
maybe = st.none() | st.text(max_size=5)
numbers = st.none() | st.integers(1, 1 << 40)
rules = st.builds(
    Rule, st.just("TOY001"), st.just("toy"), st.sampled_from(Severity), st.sampled_from(Stratum), maybe.map(str)
)
findings = st.builds(
    Finding,
    rules,
    st.sampled_from(Severity),
    st.builds(Location, names, numbers, numbers, names),
    st.text(max_size=5),
    st.text(max_size=5),
    st.lists(st.builds(Related, names, st.text(max_size=5)), max_size=2).map(tuple),
)
reports = st.builds(
    DocumentReport,
    names,
    st.integers(0, 9),
    maybe,
    maybe,
    st.sampled_from(["clean", "findings", "skipped"]),
    st.lists(findings, max_size=2).map(tuple),
    st.dictionaries(st.text(max_size=3), st.text(max_size=3), max_size=2),
    st.none() | st.sampled_from(Stratum),
    maybe,
    st.lists(st.text(max_size=5), max_size=2).map(tuple),
)
records = st.builds(
    Record,
    reports,
    st.sampled_from(["written", "refused"]),
    st.sampled_from(["document", "trial", "step"]),
    names,
    st.sampled_from([0, 1, 2, 4]),
    st.lists(st.builds(Written, names, st.integers(0, 9), st.just("0f"), st.booleans()), max_size=2).map(tuple),
    st.lists(
        st.builds(Loss, st.just("code"), st.just("timing"), st.just("dropped"), names, st.integers(1, 9)), max_size=2
    ).map(tuple),
    st.booleans(),
    st.integers(0, 9),
    st.lists(st.text(max_size=5), max_size=2).map(tuple),
    names,
)


@given(records)
def test_a_record_survives_its_line(record: Record) -> None:
    line = to_line(record)
    assert (record, 1) == (from_line(line), line.count(b"\n"))
    assert line == to_line(from_line(line))


def test_the_worst_exit_code_decides() -> None:
    assert [0, 1, 3, 2, 5, 4] == [worst(codes) for codes in ([0], [0, 1], [1, 3], [3, 2], [2, 5], [5, 4])]
