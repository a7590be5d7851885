"""Examples of pages as a person reads them: true to the patches that the tests run, about the right place, short."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from attraj.pages import Fragment, Page, pages_of
from attraj.verbs import explain
from attraj.verbs.examples import _base, _home, excerpt, patched, readable
from tests import support

PATCHES = [
    pytest.param(package, fragment, id=f"{page.code}-{fragment.role}-{number}")
    for package in explain._PAGES
    for page in pages_of(package)
    for number, fragment in enumerate(page.fragments())
    if fragment.language == "json" and fragment.body.strip() != "null"
]


def base_of(package: str, fragment: Fragment) -> Any:
    room, name, file = _home(package, fragment)
    return _base(room, name).get(file, {}) if file else _base(room, name)


@pytest.mark.parametrize(("package", "fragment"), PATCHES)
def test_a_patch_makes_what_it_makes_in_the_tests_and_all_of_it_is_shown(package: str, fragment: Fragment) -> None:
    base, patch = base_of(package, fragment), json.loads(fragment.body)
    before = json.dumps(base)
    result, placed, removed = patched(base, patch)
    assert (support.patched(base, patch), before) == (result, json.dumps(base))
    text = "".join(line.strip() for line in excerpt(result, placed, removed))
    for value in (value for way in placed for value in scalars(found(result, way))):
        assert json.dumps(value, ensure_ascii=False) in text or json.dumps(value) in text
    assert [] == [word for _, word in removed if f"(no {word})" not in text]


def found(tree: Any, way: tuple[str | int, ...]) -> Any:
    for key in way:
        try:
            tree = tree[key]
        except LookupError:  # a later operation of the patch has moved or taken it
            return None
    return tree


def scalars(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        for each in value.values():
            yield from scalars(each)
    elif isinstance(value, list):
        for each in value:
            yield from scalars(each)
    elif value is not None:
        yield value


@pytest.mark.parametrize("code", list(explain.all_pages()))
def test_every_example_can_be_read_alone(code: str) -> None:
    page = explain.all_pages()[code]
    written = explain.all_pages().as_written(code)
    assert ('"op":' in page.body, "```json" in page.body) == (False, False)
    assert [page.section(title) for title in ("What it checks", "How to fix")] == [
        written.section(title) for title in ("What it checks", "How to fix")
    ]
    shown = [fragment for fragment in page.fragments() if fragment.role in ("bad", "good", "old")]
    nothing = [fragment for fragment in written.fragments() if fragment.body.strip() == "null"]
    assert len(list(written.fragments())) == len(shown) + len(nothing)
    assert [] == [fragment.body for fragment in shown if fragment.body.strip() == "{…}"]


TREE = {
    "version": "1",
    "agent": {"name": "a", "version": "2", "extra": {"long": "x" * 60, "more": ["y" * 60]}},
    "steps": [{"step_id": n, "source": "agent", "message": "z" * 70, "seen": ["p" * 80, "q" * 80]} for n in range(9)],
}


@pytest.mark.parametrize(
    ("patch", "lines"),
    [
        pytest.param({"version": "9"}, ['{"version": "9", …}'], id="a member of the document"),
        pytest.param(
            {"agent": {"name": "b"}},
            [
                "{",
                "  …",
                '  "agent": {',
                '    "name": "b",',
                '    "version": "2",',
                '    "extra": {',
                f'      "long": "{"x" * 60}",',
                f'      "more": ["{"y" * 60}"]',
                "    }",
                "  },",
                "  …",
                "}",
            ],
            id="what stands around it, while that is short",
        ),
        pytest.param(
            [{"op": "remove", "path": "/steps/3"}, {"op": "replace", "path": "/steps/6/message", "value": "short"}],
            [
                "{",
                "  …",
                '  "steps": [',
                "    …",
                '    {"step_id": 7, "source": "agent", "message": "short", …},',
                "    …",
                '    (no {"step_id": 3, …})',
                "  ]",
                "}",
            ],
            id="which object it is, of one that is long, and what is taken away",
        ),
        pytest.param(
            {"agent": None, "new": {"a": {}, "b": []}},
            ['{…, "new": {"a": {}, "b": []} (no "agent")}'],
            id="a member that is gone and one that is new",
        ),
    ],
)
def test_an_excerpt(patch: Any, lines: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("attraj.verbs.examples._LINES", 14)
    assert lines == excerpt(*patched(TREE, patch))


def test_what_belongs_to_an_example_is_said() -> None:
    body = """A sentence.

**Bad**
```json bad file=config.json on=job now=2031-01-01
{"job_name": null}
```

**Good**

```json good file=config.json on=job
null
```

```text good
as it stands
```
"""
    expected = """A sentence.

**Bad**

`config.json`, asked with `--now 2031-01-01`:

```text bad
{… (no "job_name")}
```

**Good**

`config.json` is not there.

```text good
as it stands
```
"""
    assert expected == readable(Page("HB1", "slug", body), "attraj.formats.harbor").body
