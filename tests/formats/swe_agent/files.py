"""Documents and folders of SWE-agent, made from the base documents of the pages."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from attraj.findings import Finding
from attraj.formats import Checked, Options
from attraj.formats.bytes_rules import byte_findings
from attraj.formats.swe_agent import check
from attraj.formats.swe_agent.check_folder import RunChecked, account_of, check_run
from attraj.formats.swe_agent.layout import read_run
from attraj.jsonio import Document, parse
from tests.support import base_document, patched

PACKAGE = "attraj.formats.swe_agent"


def base(name: str) -> Any:
    """minimal (one turn of 1.1), full (a rejected proposal among turns), old (0.x), retry (two attempts); run …"""
    return base_document(PACKAGE, name)


def changed(name: str, *patches: Any) -> Any:
    """A base document with patches: objects are merge patches, arrays JSON Patches."""
    document = base(name)
    for patch in patches:
        document = patched(document, patch)
    return document


def checked(tree: Any) -> Checked:
    return check(Document(b"", tree), Options())


def at(findings: Any) -> list[tuple[str, str]]:
    """Code and pointer of each finding, sorted."""
    return sorted((finding.code, finding.location.pointer) for finding in findings)


def found(tree: Any) -> list[tuple[str, str]]:
    """What is found in a document besides what its base document shows of itself."""
    return at(checked(tree).findings)


def codes_of_bytes(raw: bytes) -> set[str]:
    """Every code that the bytes of a file and their tree give."""
    document = parse(raw)
    findings: list[Finding] = [*byte_findings(document.faults, "TJ")]
    if document.is_readable:
        findings.extend(check(document, Options()).findings)
    return {finding.code for finding in findings}


def build(folder: Path, files: Mapping[str, Any]) -> Path:
    """Write a folder; text is written as it is, anything else as JSON."""
    for path, content in files.items():
        put(folder / path, content)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def put(place: Path, content: Any) -> None:
    """Write one file; None takes it away."""
    if content is None:
        place.unlink(missing_ok=True)
        return
    place.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, bytes):
        place.write_bytes(content)
    else:
        text = content if isinstance(content, str) else json.dumps(content)
        place.write_text(text, encoding="utf-8", newline="")


def checked_run(folder: Path) -> RunChecked:
    """The run of a folder, with the account of every trajectory that can be read."""
    run = read_run(folder)
    documents = {path: parse(Path(run.full(path)).read_bytes()) for path in run.trajectories}
    return check_run(run, {path: account_of(d) for path, d in documents.items() if d.is_readable})
