"""The gutter, the wrap, the cut: content stays behind its own line, and what is left out is counted."""

from __future__ import annotations

from unicodedata import category

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attraj.reports.layout import View, block, inline, width_of

NARROW = View(width=24)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        pytest.param("one\ntwo", ["  │ one", "  │ two"], id="line-ends-are-line-ends"),
        pytest.param("one\r\ntwo", ["  │ one", "  │ two"], id="windows-line-ends"),
        pytest.param("one\rtwo", ["  │ one\\x0dtwo"], id="a-lone-return-does-not-go-back"),
        pytest.param("a\tb", ["  │ a       b"], id="a-tab-is-spaces"),
        pytest.param("the quick brown fox jumps", ["  │ the quick brown fox", "  ┆ jumps"], id="broken-after-a-space"),
        pytest.param("x" * 25, ["  │ " + "x" * 20, "  ┆ xxxxx"], id="broken-where-there-is-no-space"),
        pytest.param("日" * 12, ["  │ " + "日" * 10, "  ┆ 日日"], id="wide-characters-count-twice"),
        pytest.param("a\n\nb", ["  │ a", "  │", "  │ b"], id="an-empty-line-keeps-its-gutter"),
    ],
)
def test_a_block(text: str, lines: list[str]) -> None:
    assert lines == list(block(text, NARROW))


def test_what_is_left_out_is_counted() -> None:
    text = "\n".join(f"line {i}" for i in range(100))
    drawn = list(block(text, View()))
    assert [*(f"  │ line {i}" for i in range(16)), "  … 84 lines, 672 characters left out (--full shows them)"] == drawn
    assert 100 == len(list(block(text, View(is_full=True))))


def test_a_long_line_is_cut_as_well() -> None:
    drawn = list(block("x" * 10_000, View()))
    assert "  … 8,400 characters left out (--full shows them)" == drawn[-1]


def test_a_cut_that_spares_nothing_is_not_made() -> None:
    assert 18 == len(list(block("\n".join("x" * 18), View())))


def test_data_in_a_text_is_named_and_not_shown() -> None:
    text = "![plot](data:image/png;base64," + "QUJD" * 100 + ")"
    assert ["  │ ![plot](data:image/png;base64,… (400 characters, not shown))"] == list(block(text, View()))


def test_without_unicode_the_gutter_is_ascii() -> None:
    drawn = list(block("x" * 30, View(width=24, unicode=False)))
    assert ["  | " + "x" * 20, "  : " + "x" * 10] == drawn


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("example/small-1", "example/small-1", id="plain"),
        pytest.param("two words", "two words", id="plain-words"),
        pytest.param("x [rejected]", '"x [rejected]"', id="brackets"),
        pytest.param('say "yes"', '"say \\"yes\\""', id="quotes"),
        pytest.param("a\nStep 9  agent", '"a\\x0aStep 9  agent"', id="a-line-of-ours"),
        pytest.param("a  b", '"a  b"', id="space-that-aligns"),
        pytest.param("", '""', id="empty"),
        pytest.param("x" * 130, "x" * 120 + " (… 10 more characters)", id="long"),
    ],
)
def test_a_quoted_text(text: str, shown: str) -> None:
    assert shown == inline(text, View())


@given(st.text(max_size=400), st.integers(min_value=24, max_value=100))
def test_no_line_leaves_its_gutter_or_the_terminal(text: str, width: int) -> None:
    view = View(width=width, is_full=True)
    for line in block(text, view):
        assert line.startswith(("  │", "  ┆"))
        assert width_of(line) <= width
        assert {"Cc", "Cs", "Zl", "Zp"}.isdisjoint(map(category, line))


@given(st.text(max_size=200))
def test_a_quoted_text_is_one_line(text: str) -> None:
    assert len(inline(text, View()).splitlines()) == 1
