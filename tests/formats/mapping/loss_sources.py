"""The losses that the rooms name in their code: code, category, handling and words, read off the calls that name them.

A function that names a loss by its own parameters stands for what each of its callers gives it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import attraj.formats

FORMATS = Path(attraj.formats.__file__).parent
ROOMS = {
    "atif": ("atif",),
    "swe-agent": ("swe_agent", "swe_bench"),
    "mini-swe-agent": ("mini_swe_agent",),
    "react-web": ("react_web",),
    "harbor": ("harbor",),
}
HANDLINGS = ("dropped", "approximated", "synthesized")
# Where the code stands among the arguments of what names a loss; category and handling follow it.
CALLS = {"lose": 0, "Loss": 0, "Made": 2}
WORDS = {"lose": (4, 5), "Loss": (5,), "Made": (5,)}


class Named(NamedTuple):
    stage: str
    code: str
    category: str
    handling: str
    words: str


def named(room: str) -> list[Named]:
    """The losses of one room, and of what is read beside its documents, reading first, each once."""
    files = [file for folder in ROOMS[room] for file in sorted((FORMATS / folder).glob("*.py"))]
    shared = any("mapping.experience import" in file.read_text(encoding="utf-8") for file in files)
    return sorted({*_of(files), *(_unlived() if shared else ())})


def _unlived() -> Iterator[Named]:
    """What is no experience of a run, for the writers that leave it out."""
    tree = ast.parse((FORMATS / "mapping" / "experience.py").read_text(encoding="utf-8"))
    for call in ast.walk(tree):
        if isinstance(call, ast.Call) and _name(call) == "Unlived":
            code, words = (_text(one, _texts(tree)) for one in call.args)
            yield Named("write", code, "message_vs_state_view", "dropped", words)


def of_all() -> list[Named]:
    """The losses of reading that every room shares."""
    return _of([FORMATS / "mapping" / "draft.py"])


class _Wrapper(NamedTuple):
    """A function that names a loss by its own parameters."""

    parameters: list[str]
    call: ast.Call
    texts: dict[str, str]


def _of(files: list[Path]) -> list[Named]:
    trees = {file: ast.parse(file.read_text(encoding="utf-8")) for file in files}
    wrappers = _wrappers(list(trees.values()))
    found: set[Named] = set()
    for file, tree in trees.items():
        stage = "write" if file.name[:2] in ("wr", "up") else "read"
        for scope in _functions(tree):
            for call in _calls(scope):
                known = {**_texts(tree), **_local(scope, call.lineno)}
                found.update(_named(call, stage, known))
                for wrapper in wrappers.get(_name(call), []):
                    given = dict(zip(wrapper.parameters, (_text(one, known) for one in call.args), strict=False))
                    given |= {one.arg: _text(one.value, known) for one in call.keywords if one.arg}
                    found.update(_named(wrapper.call, stage, {**wrapper.texts, **given}))
    return sorted(found)


def _wrappers(trees: list[ast.Module]) -> dict[str, list[_Wrapper]]:
    """Functions of these files by their names, and those that every room shares (`joined`)."""
    shared = ast.parse((FORMATS / "mapping" / "held.py").read_text(encoding="utf-8"))
    scopes = [(tree, scope) for tree in trees for scope in _functions(tree)]
    scopes += [(shared, scope) for scope in shared.body if isinstance(scope, ast.FunctionDef)]
    found: dict[str, list[_Wrapper]] = {}
    for tree, scope in scopes:
        parameters = [one.arg for one in scope.args.args if one.arg != "self"]
        for call in _calls(scope):
            name = _name(call)
            code = call.args[CALLS[name]] if name in CALLS and len(call.args) > CALLS[name] else None
            if isinstance(code, ast.Name) and code.id in parameters:
                texts = {**_texts(tree), **_local(scope, call.lineno)}
                found.setdefault(scope.name, []).append(_Wrapper(parameters, call, texts))
    return found


def _functions(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    return (one for one in ast.walk(tree) if isinstance(one, ast.FunctionDef))


def _calls(scope: ast.FunctionDef) -> Iterator[ast.Call]:
    return (one for one in ast.walk(scope) if isinstance(one, ast.Call))


def _name(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def _named(call: ast.Call, stage: str, known: dict[str, str]) -> Iterator[Named]:
    name = _name(call)
    if name not in CALLS:
        return
    said = [_text(one, known) for one in call.args]
    code, category, handling = (said + [""] * 6)[CALLS[name] : CALLS[name] + 3]
    if code and handling in HANDLINGS:  # a category that depends on the document is none here
        words = next((said[at] for at in WORDS[name] if at < len(said) and said[at]), "")
        yield Named(stage, code, category, handling, words)


def _text(node: ast.expr, known: dict[str, str]) -> str:
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    return known.get(node.id, "") if isinstance(node, ast.Name) else ""


def _texts(tree: ast.Module) -> dict[str, str]:
    """Texts that have a name in the whole module."""
    return {name: text for one in tree.body if isinstance(one, ast.Assign) for name, text in _assigned(one)}


def _local(scope: ast.FunctionDef, line: int) -> dict[str, str]:
    """Texts that have a name where a line of a function is run: the last that was given before it."""
    given = sorted(
        (one for one in ast.walk(scope) if isinstance(one, ast.Assign) and one.lineno <= line),
        key=lambda one: one.lineno,
    )
    return {name: text for one in given for name, text in _assigned(one)}


def _assigned(one: ast.Assign) -> Iterator[tuple[str, str]]:
    if isinstance(one.value, ast.Constant) and isinstance(one.value.value, str):
        yield from ((target.id, one.value.value) for target in one.targets if isinstance(target, ast.Name))
