"""Both engines find every literal at every place; the differential test feeds them the same texts."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attraj.errors import AttrajError
from attraj.secrets import engine
from attraj.secrets.detector import Detector
from attraj.secrets.engine import engine_of
from attraj.secrets.policy import DetectionPolicy

LITERALS = ("ab", "abc", "b", "://", "-----BEGIN ", "密码", "a", "sk-", "")
CASES = [
    pytest.param("", [], id="nothing"),
    pytest.param("abc", [(0, 0), (0, 1), (0, 6), (1, 2)], id="overlapping"),
    pytest.param("xx密码x", [(2, 5)], id="not-ascii"),
    pytest.param("令sk-牌", [(1, 7)], id="offsets-are-characters"),
    pytest.param("\ud800b", [(1, 2)], id="lone-surrogate"),
    pytest.param("x" * 500 + "sk-" + "x" * 500, [(500, 7)], id="in-a-long-text"),
    pytest.param("x" * (engine._CHUNK - 1) + "://" + "x" * 500, [(engine._CHUNK - 1, 3)], id="across-two-chunks"),
    pytest.param("\ud800" + "x" * 500 + "sk-", [(501, 7)], id="long-with-a-lone-surrogate"),
]


@pytest.mark.parametrize("name", ["stdlib", "fast"])
@pytest.mark.parametrize(("text", "expected"), CASES)
def test_hits(name: str, text: str, expected: list[tuple[int, int]]) -> None:
    assert expected == engine_of(LITERALS, name).hits(text)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.text("ab-_密", min_size=1, max_size=4), min_size=1, max_size=12),
    st.text("ab-_密 \n", max_size=400),
)
def test_the_engines_agree(literals: list[str], text: str) -> None:
    assert engine_of(literals, "stdlib").hits(text) == engine_of(literals, "fast").hits(text)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.text("ab密", min_size=3, max_size=6), min_size=1, max_size=12),
    st.text("ab密", max_size=60),
)
def test_many_literals_are_found_where_few_are(literals: list[str], text: str) -> None:
    assert engine_of(literals, "stdlib").hits(text) == engine._Lookup(literals).hits(text)


def test_many_literals_need_no_pattern() -> None:
    many = [f"literal {number}" for number in range(engine._MANY + 1)]
    made = engine_of(many)
    assert isinstance(made, engine._Lookup)
    assert [(2, 7), (2, 71), (2, 711)] == made.hits("a literal 711")
    assert [(0, 7)] == made.hits_in(b"literal 7")


def test_the_literals_of_the_packs_are_not_many() -> None:
    assert type(DETECTORS[0]._engine) is type(engine_of(["abcd"], "stdlib"))
    assert type(DETECTORS[0]._encoded._inside) is type(engine_of(["abcd"], "stdlib"))


DETECTORS = [Detector(DetectionPolicy(engine=name)) for name in ("stdlib", "fast")]
ATOMS = st.sampled_from(
    [
        "password=",
        "tide",
        "7",
        "\n",
        '"',
        "\\n",
        "%41",
        "&amp;",
        "sk-",
        "A1b2C3d4E5",
        "密码是",
        "://a:",
        "@h",
        "\x1b[1m",
        " ",
        "=",
    ]
)


@settings(max_examples=150, deadline=None)
@given(st.lists(ATOMS, max_size=40))
def test_a_text_holds_the_same_with_both(atoms: list[str]) -> None:
    text = "".join(atoms)
    for detector in DETECTORS:
        detector.forget()
    stdlib, fast = (detector.scan_text(text) for detector in DETECTORS)
    assert stdlib == fast


def test_an_engine_that_is_missing_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(_literals: object) -> None:
        raise ImportError

    monkeypatch.setattr(engine, "_AhoCorasick", missing)
    assert "stdlib" == engine_of(["a"]).name
    with pytest.raises(AttrajError) as refused:
        engine_of(["a"], "fast")
    assert 2 == refused.value.exit_code
