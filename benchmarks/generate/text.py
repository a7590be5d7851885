"""Text such as agents read and write: prose, code, logs, listings, terminal colours, now and then Chinese."""

from __future__ import annotations

import random
from collections.abc import Callable

VERBS = ("open", "read", "move", "build", "check", "drop", "split", "merge", "trace", "bind", "load", "store", "wrap")
NOUNS = (
    *("ledger", "harbour", "gauge", "parser", "buffer", "cursor", "record", "session", "schema", "window", "registry"),
    *("worker", "queue", "batch", "column", "header", "pointer", "segment", "fixture", "module", "branch", "commit"),
    *("layer", "volume", "socket", "payload", "counter", "index"),
)
GLUE = (
    "the",
    "a",
    "of",
    "for",
    "with",
    "before",
    "after",
    "when",
    "until",
    "into",
    "from",
    "each",
    "then",
    "so",
    "that",
)
FILES = (
    *("src/tidehouse/ledger.py", "src/tidehouse/gauge/reader.py", "tests/test_ledger.py", "docs/manual.md"),
    *(
        "web/panel/index.ts",
        "crates/meter/src/lib.rs",
        "scripts/nightly.sh",
        "data/levels.csv",
        "setup.cfg",
        "Makefile",
    ),
)
HAN = "读取账本后发现潮位记录缺少一行先运行测试再修改解析器最后核对输出与预期是否一致若失败则回退并说明原因"

LINES = 1536  # lines made once and drawn from: enough that no two long texts are equal


class Prose:
    """A source of text over one random generator.

    Args:
        rng: Everything is drawn from it, in a fixed order.
        lines: Lines made by another Prose, shared to save the making; None makes new ones.
    """

    def __init__(self, rng: random.Random, lines: list[str] | None = None) -> None:
        self.rng = rng
        self.lines = [self._line() for _ in range(LINES)] if lines is None else lines

    def words(self, count: int) -> str:
        """So many words of no great sense."""
        rng = self.rng
        return " ".join(rng.choice(rng.choice((GLUE, NOUNS, VERBS))) for _ in range(count))

    def sentence(self, length: int) -> str:
        """Prose of about `length` characters, one in thirty in Chinese."""
        rng = self.rng
        if rng.random() < 0.03:
            return "".join(rng.choices(HAN, k=max(6, length // 3))) + "。"
        return self.words(max(3, length // 6)).capitalize() + "."

    def block(self, length: int) -> str:
        """Lines of a terminal or a file, cut at `length` characters."""
        rng, lines = self.rng, self.lines
        first = rng.choice(lines)
        picked, size = [first], len(first)
        while size < length:
            line = lines[int(rng.random() * LINES)]
            picked.append(line)
            size += len(line) + 1
        return "\n".join(picked)[:length]

    def output_length(self) -> int:
        """Characters of a tool's output: most about one thousand, some twenty thousand."""
        return int(min(20_000, max(120, self.rng.lognormvariate(6.9, 1.1))))

    def _line(self) -> str:
        draw = self.rng.random()
        for share, make in _KINDS:
            if draw < share:
                return make(self)
        return self.words(9)


def _statement(text: Prose) -> str:
    rng, noun = text.rng, text.rng.choice
    return (
        f'{"    " * rng.randrange(4)}{noun(NOUNS)} = {noun(NOUNS)}.{noun(VERBS)}("{noun(NOUNS)}", {rng.randrange(99)})'
    )


def _definition(text: Prose) -> str:
    rng, noun = text.rng, text.rng.choice
    return (
        f"{noun(FILES)}:{rng.randrange(1, 900)}:    def {noun(VERBS)}_{noun(NOUNS)}(self, {noun(NOUNS)}: int) -> None:"
    )


def _log(text: Prose) -> str:
    rng, noun = text.rng, text.rng.choice
    clock = (
        f"2031-04-{rng.randrange(1, 29):02d}T{rng.randrange(24):02d}:{rng.randrange(60):02d}:{rng.randrange(60):02d}Z"
    )
    level = noun(("INFO", "WARN", "ERROR", "DEBUG"))
    return f"{clock} {level} [{noun(NOUNS)}] {text.words(6)} took={rng.randrange(4000)}ms"


def _frame(text: Prose) -> str:
    rng, noun = text.rng, text.rng.choice
    return f'  File "/workspace/{noun(FILES)}", line {rng.randrange(1, 900)}, in {noun(VERBS)}_{noun(NOUNS)}'


def _coloured(text: Prose) -> str:
    rng, noun = text.rng, text.rng.choice
    word = f"\x1b[3{rng.randrange(1, 7)}m{noun(('PASSED', 'FAILED', 'SKIPPED'))}\x1b[0m"
    return f"{word} {noun(FILES)}::test_{noun(NOUNS)} \x1b[1m[{rng.randrange(101):3d}%]\x1b[0m"


def _listing(text: Prose) -> str:
    rng, noun = text.rng, text.rng.choice
    return f"-rw-r--r-- 1 agent agent {rng.randrange(10**6):7d} Apr {rng.randrange(1, 29):2d} {noun(FILES)}\r"


def _table(text: Prose) -> str:
    rng, noun = text.rng, text.rng.choice
    return f"{noun('+- ')}{noun(NOUNS)}\t{noun(NOUNS)}\t{rng.randrange(10**5)}\t{noun(FILES)}"


def _inner_json(text: Prose) -> str:
    rng, noun = text.rng, text.rng.choice
    return (
        f'{{"{noun(NOUNS)}": "{text.words(2)}", "size": {rng.randrange(1000)}, "path": "C:\\\\work\\\\{noun(NOUNS)}"}}'
    )


def _han(text: Prose) -> str:
    return "# " + "".join(text.rng.choices(HAN, k=18)) + " ✓ 🚢"


_KINDS: tuple[tuple[float, Callable[[Prose], str]], ...] = (
    (0.24, _statement),
    (0.36, _definition),
    (0.48, _log),
    (0.56, _frame),
    (0.64, _coloured),
    (0.71, _listing),
    (0.79, _table),
    (0.86, _inner_json),
    (0.88, _han),
)
