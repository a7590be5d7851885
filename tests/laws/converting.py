"""Documents of every format, real and made up, and what is asked of each conversion of one."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from hypothesis import strategies as st

from attraj.findings import Severity
from attraj.formats import detect, is_one
from attraj.formats.mapping.rooms import READABLE
from attraj.jsonio import Document, documents, parse
from attraj.jsonio.write import dumps
from attraj.verbs.convert import Converted, Request, convert
from attraj.verbs.validate import Request as ValidateRequest
from attraj.verbs.validate import validate
from tests.formats.mapping.trees import VALUES, containers
from tests.support import CORPUS, base_document

SLOW_BYTES = 40_000  # what is larger is looked at by the slow tests alone
BASES = {
    "atif": ("minimal", "full"),
    "swe-agent": ("minimal", "full", "old", "retry"),
    "mini-swe-agent": ("minimal", "full", "first"),
    "react-web": ("minimal", "full"),
}
_PACKAGES = {name: f"attraj.formats.{name.replace('-', '_')}" for name in BASES}


class Case(NamedTuple):
    """One document of the corpus."""

    name: str
    format: str
    document: Document

    @property
    def is_small(self) -> bool:
        return len(self.document.raw) < SLOW_BYTES


def corpus() -> Iterator[Case]:
    """Every document of the corpus in a format that can be read, its own elements and lines among them."""
    for path in sorted(CORPUS.rglob("*")) if CORPUS.is_dir() else ():
        if path.suffix in (".json", ".jsonl", ".traj") and path.is_file():
            yield from _cases(path)


def _cases(path: Path) -> Iterator[Case]:
    for document in documents(path.read_bytes(), is_one=is_one):
        known = detect(document.tree)
        if known is not None and known.name in READABLE:
            yield Case(f"{path.relative_to(CORPUS)}#{document.index}", known.name, document)


def bases(name: str) -> list[Any]:
    """The base documents of a room's pages."""
    return [base_document(_PACKAGES[name], one) for one in BASES[name]]


@st.composite
def damaged(draw: st.DrawFn, name: str) -> Any:
    """A document of a room with up to four members replaced, removed, added or doubled."""
    tree = copy.deepcopy(draw(st.sampled_from(bases(name))))
    for _ in range(draw(st.integers(0, 4))):
        _, owner = draw(st.sampled_from([one for one in containers(tree) if one[1]]))
        key = draw(st.sampled_from(sorted(owner) if type(owner) is dict else range(len(owner))))
        act = draw(st.sampled_from(["replace", "remove", "add", "double"]))
        value = copy.deepcopy(draw(VALUES) if act in ("replace", "add") else owner[key])
        if act == "remove":
            del owner[key]
        elif act == "replace":
            owner[key] = value
        elif type(owner) is list:
            owner.insert(key, value)
        else:
            owner[draw(st.sampled_from(["extra", "0", "a/b", "$at", "timestamp", "content", "role"]))] = value
    return tree


def document_of(tree: Any) -> Document:
    """A tree as its bytes say it."""
    return parse(dumps(tree))


def converted(document: Document, to: str, **asked: Any) -> Converted:
    return convert(document, "run", Request(to, **asked))


def errors(text: bytes, name: str = "") -> list[str]:
    """Codes and places of what is wrong with a document that was written."""
    report = validate(parse(text), ValidateRequest(format=name))
    return [f"{one.rule.code} {one.location.pointer}" for one in report.findings if one.severity is Severity.ERROR]
