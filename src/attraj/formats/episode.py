"""The training Episode as a format: its checks and its version."""

from __future__ import annotations

from collections.abc import Sequence

from attraj.bundle.checks import datasets
from attraj.findings import Rule
from attraj.formats import Checked, Options
from attraj.formats.native import AT_BYTES, check_alone
from attraj.jsonio import Document


def check(document: Document, options: Options) -> Checked:
    """Every finding about one Episode taken alone, and a verdict on its integrity."""
    return check_alone(document, options, datasets.EPISODE)


def rules() -> Sequence[Rule]:
    return sorted({*AT_BYTES.values(), *datasets.rules(datasets.EPISODE)}, key=lambda rule: rule.code)
