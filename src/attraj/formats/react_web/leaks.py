"""RW050: what must not stand in a file that is served to everyone. The shapes are `attraj.secrets`'."""

from __future__ import annotations

from typing import Any

from attraj.bundle.leaves import members, pointer_of, walk
from attraj.formats.found import Found
from attraj.formats.react_web.codes import SECRET
from attraj.secrets.quick.scan import by_id, find, possible


def look_for_leaks(found: Found, tree: Any, raw: bytes) -> None:
    """Look at every text and member name; nothing of what is found is repeated."""
    detectors = possible(raw)
    for way, container in walk(tree).containers if detectors else ():
        for key, value in members(container):
            for text, place, where in (
                (key, (), "the name of a member holds"),
                (value, (key,), "the text holds"),
            ):
                spans = find(text, detectors) if type(text) is str else []
                if spans:
                    nouns = " and ".join(dict.fromkeys(by_id()[span.rule].noun for span in spans))
                    hint = "the file is published as it is: take it out, and revoke it if it is a credential"
                    found.add(SECRET, pointer_of(way, *place), f"{where} {nouns}", hint)
