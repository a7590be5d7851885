"""AT832, AT833, AT834: an Episode, or a Dataset manifest, against a document that it was made from (§12.1, §13.3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from attraj.bundle.checks.pairs.codes import AT832, AT833, AT834
from attraj.bundle.checks.pairs.lineage import is_other_digest, wider
from attraj.bundle.checks.pairs.pair import in_the_older
from attraj.bundle.checks.pairs.relation import kind_of
from attraj.bundle.model import Bundle, child, text
from attraj.findings import Finding, Severity
from attraj.pointer import join

Json = dict[str, Any]


def check(new: Bundle, old: Bundle) -> Iterator[Finding]:
    """The faults of a derived document that is no Bundle."""
    if kind_of(new) == "episode":
        yield from _episode_source(new, old)
        yield from _episode_names(new, old)
    else:
        yield from _member(new, old)
    for finding in wider(new, old):
        if finding.severity is Severity.ERROR:  # a denial that became unknown stays AT808
            yield replace(finding, rule=AT834)
        else:
            yield finding


# --- the source --------------------------------------------------------------------------------------------------


def _episode_source(new: Bundle, old: Bundle) -> Iterator[Finding]:
    theirs = text(old.tree, "trajectory_id")
    single = text(new.tree, "source_trajectory_id")
    several = [(i, s) for i, s in new.objects("sources") if type(s.get("trajectory_id")) is str]
    named = [(i, s) for i, s in several if s["trajectory_id"] == theirs]
    if (single is not None or several) and single != theirs and not named:
        yield AT832.at(
            "/source_trajectory_id" if single is not None else "/sources",
            "the Episode names another trajectory than the older document",
            hint="give the trajectory that it was derived from",
            related=in_the_older("trajectory_id"),
        )
    for i, source in named:
        yield from _digest(source, ("sources", i), old)


def _member(new: Bundle, old: Bundle) -> Iterator[Finding]:
    """The older document is one of the members that the manifest lists, under its digest."""
    theirs = text(old.tree, "episode_id" if kind_of(old) == "episode" else "trajectory_id")
    listed = [(i, m) for i, m in new.objects("members") if theirs is not None and text(m, "id") == theirs]
    if not listed and new.items("members"):
        yield AT832.at(
            "/members",
            "the older document is none of the members that the manifest lists",
            hint="give a document that the manifest lists",
        )
    for i, member in listed:
        yield from _digest(member, ("members", i), old)


def _digest(entry: Json, at: tuple[str | int, ...], old: Bundle) -> Iterator[Finding]:
    if is_other_digest(entry.get("digest"), old):
        yield AT832.at(
            join(*at, "digest"),
            "the source is named by another digest than the older document has",
            hint="give the very document that it was made from",
            related=in_the_older("integrity", "digest"),
        )


# --- what an Episode names ---------------------------------------------------------------------------------------


def _episode_names(new: Bundle, old: Bundle) -> Iterator[Finding]:
    """Nodes, states and records that the Episode takes from this trajectory."""
    theirs = text(old.tree, "trajectory_id")
    # Of an Episode with several sources only what names this one can be looked up in it.
    is_only = len(new.items("sources")) <= 1
    for i, transition in new.objects("transitions"):
        if _is_from(transition, "source_trajectory_id", theirs, is_only=is_only):
            yield from _transition(transition, ("transitions", i), old)
        yield from _fields(transition, ("transitions", i), old, is_only=is_only)
    if is_only:
        yield from _records(new.tree, (), old)
    for i, skipped in new.objects("skipped"):
        if _is_from(skipped, "trajectory_id", theirs, is_only=is_only):
            yield from _node(skipped, "node_id", ("skipped", i), old)


def _is_from(item: Json, member: str, identity: str | None, *, is_only: bool) -> bool:
    named = text(item, member)
    return is_only if named is None else named == identity


def _transition(transition: Json, at: tuple[str | int, ...], old: Bundle) -> Iterator[Finding]:
    yield from _node(transition, "source_node_id", at, old)
    yield from _records(transition, at, old)
    view = child(transition, "state_view")
    state = view.get("value")
    if view.get("availability") == "referenced" and type(state) is str and state not in old.index.state_positions:
        yield AT833.at(join(*at, "state_view", "value"), "the state is not in the older document", hint=_HINT)


def _node(item: Json, member: str, at: tuple[str | int, ...], old: Bundle) -> Iterator[Finding]:
    name = text(item, member)
    if name is not None and name not in old.index.node_positions:
        yield AT833.at(join(*at, member), "the node is not in the older document", hint=_HINT)


def _records(item: Json, at: tuple[str | int, ...], old: Bundle) -> Iterator[Finding]:
    for member, collection, word in _REFERENCES:
        names = item.get(member)
        for i, name in enumerate(names if type(names) is list else ()):
            if type(name) is str and name not in old.index.positions[collection]:
                yield AT833.at(join(*at, member, i), f"the {word} is not in the older document", hint=_HINT)


def _fields(transition: Json, at: tuple[str | int, ...], old: Bundle, *, is_only: bool) -> Iterator[Finding]:
    """The node that each field says its value comes from."""
    theirs = text(old.tree, "trajectory_id")
    for member, value in transition.items():
        single = type(value) is not list
        for i, field in enumerate([value] if single else value):
            source = field.get("source") if type(field) is dict else None
            if type(source) is dict and _is_from(source, "trajectory_id", theirs, is_only=is_only):
                way = (*at, member, "source") if single else (*at, member, i, "source")
                yield from _node(source, "node_id", way, old)


_REFERENCES = (
    ("outcome_refs", "outcomes", "outcome"),
    ("reward_refs", "reward_records", "reward"),
)
_HINT = "derive the Episode again from the document that it names"
