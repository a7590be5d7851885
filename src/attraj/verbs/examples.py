"""The examples of a page as a person reads them: what a patch makes of its base document, cut down to where it matters.

The pages hold patches, which the tests run; alone, a patch says nothing to who has not the document that it is made
for. Here each becomes an excerpt of the document that results: the members that the example is about, what stands
around them, and "…" for all that is left out.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from attraj.pages import Fragment, Page
from attraj.pointer import split

Way = tuple[str | int, ...]

WIDTH = 88  # columns of an excerpt
_LINES = 24
_ROOM = {"attraj.bundle.checks.pairs": "attraj.bundle.checks"}  # package to the one that holds its base documents
_FOLDER = {"attraj.formats.harbor": "trial", "attraj.formats.swe_agent": "run"}  # base of examples about a folder
_QUIET = ("at", "file", "folder", "link", "on", "seal")  # options of a fragment that are no options of the command line
_IDENTITY = ("iteration", "kind", "name", "role", "source", "status", "type")  # members that tell which object it is
LEFT_OUT = "…"

Gone = dict[Way, list[tuple[str | int, str]]]


def readable(page: Page, package: str) -> Page:
    """The page with an excerpt in place of each patch, and a word on the file or the options that belong to it."""
    fragments = list(page.fragments())
    wanted = [_touched(package, fragment) for fragment in fragments]
    body, at = [], 0
    for number, fragment in enumerate(fragments):
        others = [w for f, w in zip(fragments, wanted, strict=True) if _home(package, f) == _home(package, fragment)]
        start = page.body.index(fragment.fence, at)
        before = page.body[at:start]
        drawn = _drawn(package, fragment, wanted[number], others)
        body += [before, drawn if drawn.startswith("```") or before.endswith("\n\n") else f"\n{drawn}"]
        at = start + len(fragment.fence)
    return Page(page.code, page.slug, "".join((*body, page.body[at:])))


class Touched(NamedTuple):
    """What a patch does: the document that it makes, the places that it sets, those that it takes away.

    What is taken away has a word for it beside its place: the name of a member, the beginning of an element.
    """

    result: Any
    placed: tuple[Way, ...] = ()
    removed: tuple[tuple[Way, str], ...] = ()


def _drawn(package: str, fragment: Fragment, own: Touched | None, others: Iterable[Touched | None]) -> str:
    label = _label(fragment)
    if own is None:
        return label + fragment.fence
    if own.result is None:
        return f"`{fragment.options['file']}` is not there.\n"
    seen = own if own.placed or own.removed else _of_all(own, others)
    text = "\n".join(excerpt(seen.result, seen.placed, seen.removed))
    return f"{label}```text {fragment.role}\n{text}\n```\n"


def _of_all(own: Touched, others: Iterable[Touched | None]) -> Touched:
    """An example that changes nothing is about the places that the other examples of the page change."""
    touched = [other for other in others if other is not None]
    return Touched(own.result, tuple(way for o in touched for way in (*o.placed, *(gone for gone, _ in o.removed))))


def _label(fragment: Fragment) -> str:
    options = [
        f"`--{name.replace('_', '-')} {value}`" for name, value in fragment.options.items() if name not in _QUIET
    ]
    asked = f"asked with {' '.join(options)}" if options else ""
    if "link" in fragment.options:
        place = f"`{fragment.options['link']}` is a symbolic link to:"
    elif "file" in fragment.options:
        place = f"`{fragment.options['file']}`{', ' + asked if asked else ''}:"
    elif fragment.role == "old":
        place = "The older document:"
    else:
        place = f"{asked[:1].upper()}{asked[1:]}:" if asked else ""
    return f"{place}\n\n" if place else ""


# --- patches -----------------------------------------------------------------------------------------------------


def _home(package: str, fragment: Fragment) -> tuple[str, str, str]:
    """The base document that a patch is made for: its package, its name, and the file of a folder."""
    file = fragment.options.get("file", "")
    name = fragment.options.get("on", _FOLDER.get(package, "minimal") if file else "minimal")
    return _ROOM.get(package, package), name, file


@cache
def _base(package: str, name: str) -> Any:
    return json.loads(files(package).joinpath("pages", f"{name}.json").read_text(encoding="utf-8"))


def _touched(package: str, fragment: Fragment) -> Touched | None:
    """What a patch does; None for a fragment that is the whole text of a document."""
    if fragment.language != "json":
        return None
    room, name, file = _home(package, fragment)
    base = _base(room, name)
    made = patched(base.get(file, {}) if file else base, json.loads(fragment.body))
    about = tuple(_way(made.result, each) for each in fragment.options.get("at", "").split(",") if each)
    return made._replace(placed=(*made.placed, *about))


def _way(tree: Any, pointer: str) -> Way:
    way: list[str | int] = []
    for token in split(pointer):
        way.append(int(token) if type(tree) is list else token)
        tree = tree[way[-1]]
    return tuple(way)


def patched(base: Any, patch: Any) -> Touched:
    """Apply an array as a JSON Patch (RFC 6902: add, remove, replace), an object as a merge patch (RFC 7396).

    The base is not modified.
    """
    copy = json.loads(json.dumps(base))
    placed: list[Way] = []
    removed: list[tuple[Way, str]] = []
    if type(patch) is dict:
        _merge(copy, patch, (), placed, removed)
    elif type(patch) is list:
        for operation in patch:
            _operate(copy, operation, placed, removed)
    else:
        return Touched(patch)
    return Touched(copy, tuple(placed), tuple(removed))


def _merge(target: Any, patch: dict[str, Any], at: Way, placed: list[Way], removed: list[tuple[Way, str]]) -> None:
    for name, value in patch.items():
        if value is None:
            target.pop(name, None)
            removed.append(((*at, name), _scalar(name)))
            continue
        if type(value) is dict and (type(target.get(name)) is dict or name not in target):
            if name not in target or not value:
                placed.append((*at, name))
            _merge(target.setdefault(name, {}), value, (*at, name), placed, removed)
        else:
            target[name] = _without_nulls(value) if type(value) is dict else value
            placed.append((*at, name))


def _without_nulls(value: Any) -> Any:
    if type(value) is not dict:
        return value
    return {name: _without_nulls(each) for name, each in value.items() if each is not None}


def _operate(root: Any, operation: dict[str, Any], placed: list[Way], removed: list[tuple[Way, str]]) -> None:
    tokens = split(operation["path"])
    place, way = root, []
    for token in tokens[:-1]:
        key: str | int = int(token) if type(place) is list else token
        way.append(key)
        place = place[key]
    word, last = operation["op"], tokens[-1]
    if type(place) is not list:
        if word == "remove":
            del place[last]
            removed.append(((*way, last), _scalar(last)))
        else:
            place[last] = operation["value"]
            placed.append((*way, last))
        return
    index = len(place) if last == "-" else int(last)
    if word == "remove":
        removed.append(((*way, index), _beginning(place.pop(index))))
    elif word == "add":
        place.insert(index, operation["value"])
        placed.append((*way, index))
    else:
        place[index] = operation["value"]
        placed.append((*way, index))


def _beginning(element: Any) -> str:
    if type(element) is not dict or not element:
        return _scalar(element)
    name, value = next(iter(element.items()))
    return f"{{{_scalar(name)}: {_scalar(value)}{', ' + LEFT_OUT if len(element) > 1 else ''}}}"


def _at(tree: Any, way: Way) -> Any:
    for key in way:
        tree = tree[key]
    return tree


def _is_there(tree: Any, way: Way) -> bool:
    try:
        _at(tree, way)
    except (LookupError, TypeError):
        return False
    return True


# --- excerpts ----------------------------------------------------------------------------------------------------


def excerpt(tree: Any, placed: Iterable[Way], removed: Iterable[tuple[Way, str]] = ()) -> list[str]:
    """The lines that show these places of a document and what stands around them.

    Args:
        tree: The document.
        placed: What is shown whole; a place that is not there stands for the nearest one around it.
        removed: What is said not to be there, with the word that says it.
    """
    gone: Gone = {}
    for way, word in removed:
        if _is_there(tree, way[:-1]):
            gone.setdefault(way[:-1], []).append((way[-1], word))
    shown = {_nearest(tree, way) for way in placed} - {()}
    best = _draw(tree, _Plan(frozenset(shown), gone))
    while True:
        grown = next(_grown(tree, shown, gone), None)
        if grown is None:
            return best
        shown, best = grown


def _nearest(tree: Any, way: Way) -> Way:
    """A place that is there; the array, for a single value in one."""
    while not _is_there(tree, way):
        way = way[:-1]
    is_single = way and type(way[-1]) is int and type(_at(tree, way)) not in (dict, list)
    return way[:-1] if is_single else way


def _grown(tree: Any, shown: set[Way], gone: Gone) -> Iterator[tuple[set[Way], list[str]]]:
    """What is shown with more of what stands around one place, while that is short."""
    for way in sorted({*shown, *gone}, key=lambda each: (-len(each), str(each))):
        around = way if way in gone and way not in shown else way[:-1]
        if around and not _Plan(frozenset(shown), gone).is_whole(around):
            wider = {each for each in shown if each[: len(around)] != around} | {around}
            lines = _draw(tree, _Plan(frozenset(wider), gone))
            if len(lines) <= _LINES:
                yield wider, lines


class _Plan(NamedTuple):
    """What of a document is drawn: places that are shown whole, and what is said not to be there, by its container."""

    shown: frozenset[Way]
    gone: Gone

    def is_whole(self, way: Way) -> bool:
        return any(way[:length] in self.shown for length in range(len(way) + 1))

    def is_drawn(self, way: Way, value: Any) -> bool:
        """Whether a value is drawn at all: it is asked for, leads to what is, or says which object that stands in."""
        if self.is_whole(way) or any(each[: len(way)] == way for each in (*self.shown, *self.gone)):
            return True
        return len(way) > 1 and type(value) not in (dict, list) and _tells_which(way[-1])


def _tells_which(name: str | int) -> bool:
    return type(name) is str and (name in _IDENTITY or name.endswith("_id"))


def _draw(tree: Any, plan: _Plan) -> list[str]:
    return _lines(tree, (), plan, 0, 0)


def _lines(value: Any, way: Way, plan: _Plan, indent: int, before: int) -> list[str]:
    """The value as lines of which the first follows `before` columns, and the others stand below the indent."""
    if type(value) not in (dict, list):
        return [_scalar(value)]
    opening, closing = "{}" if type(value) is dict else "[]"
    parts: list[list[str]] = []
    for key, item in value.items() if type(value) is dict else enumerate(value):
        if plan.is_drawn((*way, key), item):
            name = f"{_scalar(key)}: " if type(key) is str else ""
            first, *rest = _lines(item, (*way, key), plan, indent + 2, len(name))
            parts.append([name + first, *rest])
        elif parts[-1:] != [[LEFT_OUT]]:
            parts.append([LEFT_OUT])
    absent = [f"(no {word})" for _, word in plan.gone.get(way, ())]
    if all(len(part) == 1 for part in parts) and (way or len(parts) < 3):
        line = opening + " ".join([", ".join(part[0] for part in parts), *absent]).strip() + closing
        if indent + before + len(line) <= WIDTH:
            return [line]
    lines = [opening]
    for number, part in enumerate(parts):
        comma = "," if number < len(parts) - 1 and part[0] != LEFT_OUT else ""
        lines += ["  " + line for line in part[:-1]] + [f"  {part[-1]}{comma}"]
    return [*lines, *("  " + word for word in absent), closing]


def _scalar(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if text.isascii() or text.isprintable() else json.dumps(value)
