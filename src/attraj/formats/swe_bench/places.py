"""The map of a harness's report: what it says of one instance, member by member, in a verifier result's output.

Other instances' part of a file is no part of the Bundle. What is not here stays in the residue. Spec: traj.md §7.1.
"""

from __future__ import annotations

from collections.abc import Mapping

from attraj.formats.mapping.fields import Field, Place
from attraj.formats.mapping.holds import is_any, is_list, is_text
from attraj.formats.swe_bench.report import SUMMARY_LISTS

_ENTRY = (
    Field(("resolved",), ("output", "resolved"), is_any, "the status is told by it alone"),
    Field(("patch_is_None",), ("output", "patch_is_None"), is_any, "as reported: no flag is derived from another"),
    Field(("patch_exists",), ("output", "patch_exists"), is_any),
    Field(("patch_successfully_applied",), ("output", "patch_successfully_applied"), is_any),
    Field(("tests_status",), ("output", "tests_status"), is_any, "each test by name, expected to turn or to stay"),
    Field(("model_name_or_path",), ("output", "model_name_or_path"), is_text),
)

PLACES: Mapping[str, Place] = {
    "verdict": Place("verdict", "verifier_results", _ENTRY),
    "listing": Place(
        "listing",
        "verifier_results",
        tuple(Field((name,), ("output", name), is_list, "whether the instance is in it") for name in SUMMARY_LISTS),
    ),
}
"""Name of each kind of object in a report to its fields."""
