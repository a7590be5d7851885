"""The catalogue of bad inputs, when it lies beside this checkout: what each file is at the level of bytes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from attraj.errors import Unreadable
from attraj.jsonio import MISSING, FaultKind, documents, read_bytes
from tests.support import SHARED

GENERATOR = SHARED / "gen" / "bad_inputs.py"
if not GENERATOR.is_file():
    pytest.skip("no catalogue of bad inputs beside this checkout (../shared/gen)", allow_module_level=True)

ENCODING, SYNTAX, DUPLICATE = FaultKind.ENCODING, FaultKind.SYNTAX, FaultKind.DUPLICATE
LIMIT, SURROGATE, NUMBER = FaultKind.LIMIT, FaultKind.SURROGATE, FaultKind.NUMBER
FATAL, PASSING = True, False
TREE, NO_TREE = True, False

MESSAGE = "/steps/1/message"
ARGUMENTS = "/steps/1/tool_calls/0/arguments"
COST, TOKENS = "/steps/1/metrics/cost_usd", "/steps/1/metrics/prompt_tokens"
CONTENT = "/steps/1/observation/results/0/content"
DEEP = ARGUMENTS + "/d" + "/0" * 194  # after six levels of objects and arrays

# Whether there is a tree, and the faults: kind, whether it is fatal, pointer, line, column. For files with several
# documents, a list of those.
EXPECTED: dict[str, Any] = {
    "empty": (NO_TREE, (SYNTAX, FATAL, "", None, None)),
    "whitespace": (NO_TREE, (SYNTAX, FATAL, "", None, None)),
    "nul_bytes": (NO_TREE, (SYNTAX, FATAL, "", 1, 1)),
    "nul_padding_after_doc": (NO_TREE, (SYNTAX, FATAL, "", 1, 479)),
    "png_magic": (NO_TREE, (SYNTAX, FATAL, "", 1, 1)),
    "gzip_magic": "gzip data that ends too early",
    "zstd_magic": "Zstandard data that ends too early",
    "html": (NO_TREE, (SYNTAX, FATAL, "", 1, 1)),
    "yaml": (NO_TREE, (SYNTAX, FATAL, "", 1, 1)),
    "python_repr": (NO_TREE, (SYNTAX, FATAL, "", 1, 2)),
    "git_lfs_pointer": (NO_TREE, (SYNTAX, FATAL, "", 1, 1)),
    "bom_utf8": (TREE, (ENCODING, PASSING, "", 1, 1)),
    "utf16le_bom": (NO_TREE, (ENCODING, FATAL, "", 1, 1)),
    "utf16be_nobom": (NO_TREE, (ENCODING, FATAL, "", 1, 1)),
    "utf32le": (NO_TREE, (ENCODING, FATAL, "", 1, 1)),
    "latin1_byte": (NO_TREE, (ENCODING, FATAL, MESSAGE, 1, 226)),
    # Its last bracket is missing too.
    "truncated_utf8_eof": (NO_TREE, (ENCODING, FATAL, CONTENT, 1, 411), (SYNTAX, FATAL, "/steps", 1, 476)),
    "overlong_utf8": (NO_TREE, (ENCODING, FATAL, MESSAGE, 1, 223)),
    "cesu8_surrogates": (NO_TREE, (ENCODING, FATAL, MESSAGE, 1, 223)),
    "lone_high_surrogate": (TREE, (SURROGATE, PASSING, MESSAGE, 1, 224)),
    "lone_low_surrogate": (TREE, (SURROGATE, PASSING, MESSAGE, 1, 224)),
    "lone_surrogate_key": (TREE, (SURROGATE, PASSING, ARGUMENTS, 1, 328)),
    "inverted_surrogates": (TREE, (SURROGATE, PASSING, MESSAGE, 1, 223)),
    "raw_tab_in_string": (TREE, (SYNTAX, FATAL, MESSAGE, 1, 224)),
    "raw_newline_in_string": (TREE, (SYNTAX, FATAL, MESSAGE, 1, 224)),
    "truncated_mid_string": (NO_TREE, (SYNTAX, FATAL, "", 1, 121)),
    "truncated_mid_array": (NO_TREE, (SYNTAX, FATAL, "/steps", 1, 175)),
    "trailing_comma_object": (NO_TREE, (SYNTAX, FATAL, "/steps/0", 1, 174)),
    "trailing_comma_array": (NO_TREE, (SYNTAX, FATAL, "/steps", 1, 477)),
    "comment": (NO_TREE, (SYNTAX, FATAL, "", 1, 1)),
    "unquoted_key": (NO_TREE, (SYNTAX, FATAL, "", 1, 116)),
    "nan": (TREE, (SYNTAX, FATAL, COST, 1, 444)),
    "infinity": (TREE, (SYNTAX, FATAL, COST, 1, 444)),
    "leading_zero": (NO_TREE, (SYNTAX, FATAL, TOKENS, 1, 449)),
    "plus_sign": (NO_TREE, (SYNTAX, FATAL, TOKENS, 1, 449)),
    "hex_number": (NO_TREE, (SYNTAX, FATAL, TOKENS, 1, 449)),
    "two_documents": [(TREE,), (TREE,)],
    "trailing_garbage": (NO_TREE, (SYNTAX, FATAL, "", 1, 479)),
    "jsonl_truncated_last": [(TREE,), (NO_TREE, (SYNTAX, FATAL, "", 2, 51))],
    "dup_root": (TREE, (DUPLICATE, PASSING, "/session_id", 1, 53)),
    "dup_step_message": (TREE, (DUPLICATE, PASSING, "/steps/0/message", 1, 176)),
    "dup_escaped_equal": (TREE, (DUPLICATE, PASSING, "/steps/0/message", 1, 176)),
    "dup_in_arguments": (TREE, (DUPLICATE, PASSING, ARGUMENTS + "/command", 1, 343)),
    "dup_rights": (TREE, (DUPLICATE, PASSING, "/rights/training", 1, 50)),
    "int_5000_digits": (NO_TREE, (LIMIT, FATAL, TOKENS, 1, 449)),
    "depth_300": (NO_TREE, (LIMIT, FATAL, DEEP, 1, 524)),
    "depth_100k": (NO_TREE, (LIMIT, FATAL, DEEP, 1, 524)),
    "depth_unclosed_100k": (NO_TREE, (LIMIT, FATAL, "/0" * 200, 1, 201)),
}
# The fast reader takes 1e400 for infinity without a word; the formats look for that where a number counts.
SOUND_BYTES = (TREE,)


@pytest.fixture(scope="module")
def catalogue(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("catalogue")
    subprocess.run([sys.executable, str(GENERATOR), str(folder)], check=True, capture_output=True)
    manifest = json.loads((folder / "manifest.json").read_text())
    return {case["id"]: folder / case["name"] for case in manifest}


def seen(path: Path) -> Any:
    try:
        raw = read_bytes(path)
    except Unreadable as error:
        return error.message
    found: list[Any] = []
    for document in documents(raw):
        faults = [(f.kind, f.is_fatal, f.pointer, f.line, f.column) for f in document.faults]
        found.append((document.tree is not MISSING, *faults))
    return found if len(found) > 1 else found[0]


@pytest.mark.parametrize("case", [pytest.param(case, id=case) for case in EXPECTED])
def test_tells_what_is_wrong_with(case: str, catalogue: dict[str, Path]) -> None:
    assert EXPECTED[case] == seen(catalogue[case])


def test_finds_the_bytes_of_every_other_case_sound(catalogue: dict[str, Path]) -> None:
    others = {case: path for case, path in catalogue.items() if case not in EXPECTED}
    assert len(others) > 90
    assert dict.fromkeys(others, SOUND_BYTES) == {case: seen(path) for case, path in others.items()}
