from __future__ import annotations

import pytest

from attraj.jsonio.document import Fault, FaultKind
from attraj.jsonio.sniff import sniff

NUL = "(written sparsely or never filled?)"
CONVERT = "JSON must be UTF-8: convert it"
TEXT = '{"a": 1}'


def other(message: str, hint: str = "") -> Fault:
    return Fault(FaultKind.SYNTAX, message, line=1, column=1, hint=hint)


def wide(message: str) -> Fault:
    return Fault(FaultKind.ENCODING, message, line=1, column=1, hint=CONVERT)


CASES = [
    pytest.param(b"", Fault(FaultKind.SYNTAX, "the file is empty"), id="empty"),
    pytest.param(b"\xef\xbb\xbf", Fault(FaultKind.SYNTAX, "the file is empty"), id="a byte order mark alone"),
    pytest.param(b" \n\t\r\n", Fault(FaultKind.SYNTAX, "the file holds only white space"), id="white space"),
    pytest.param(b"\0" * 64, other(f"the file holds only NUL bytes {NUL}"), id="NUL bytes"),
    pytest.param(b"\0" * 64 + b"{}", other(f"the file starts with NUL bytes {NUL}"), id="NUL bytes at the start"),
    pytest.param(
        TEXT.encode("utf-16"), wide("the file is UTF-16LE, as its byte order mark says"), id="UTF-16 with its mark"
    ),
    pytest.param(
        b"\xfe\xff" + TEXT.encode("utf-16-be"),
        wide("the file is UTF-16BE, as its byte order mark says"),
        id="UTF-16, high byte first, with its mark",
    ),
    pytest.param(
        TEXT.encode("utf-32"), wide("the file is UTF-32LE, as its byte order mark says"), id="UTF-32 with its mark"
    ),
    pytest.param(
        b"\0\0\xfe\xff" + TEXT.encode("utf-32-be"),
        wide("the file is UTF-32BE, as its byte order mark says"),
        id="UTF-32, high byte first, with its mark",
    ),
    pytest.param(TEXT.encode("utf-16-le"), wide("the file looks like UTF-16LE"), id="UTF-16LE"),
    pytest.param(TEXT.encode("utf-16-be"), wide("the file looks like UTF-16BE"), id="UTF-16BE"),
    pytest.param(TEXT.encode("utf-32-le"), wide("the file looks like UTF-32LE"), id="UTF-32LE"),
    pytest.param(TEXT.encode("utf-32-be"), wide("the file looks like UTF-32BE"), id="UTF-32BE"),
    pytest.param('{\n  "é": 1}'.encode("utf-16-le"), wide("the file looks like UTF-16LE"), id="UTF-16LE in lines"),
    pytest.param('{\n  "é": 1}'.encode("utf-16-be"), wide("the file looks like UTF-16BE"), id="UTF-16BE in lines"),
    pytest.param(b"\x89PNG\r\n\x1a\n\0\0", other("the file looks like a PNG image, not JSON"), id="PNG"),
    pytest.param(b"PK\x03\x04\x14", other("the file looks like a ZIP archive, not JSON"), id="ZIP"),
    pytest.param(b"\x1f\x8b\x08\0", other("the file looks like gzip data, not JSON"), id="gzip"),
    pytest.param(
        b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n",
        other("the file is a Git LFS pointer, not the file it stands for", "fetch it: git lfs pull"),
        id="Git LFS pointer",
    ),
    pytest.param(TEXT.encode(), None, id="JSON"),
    pytest.param(b"\xef\xbb\xbf{}", None, id="JSON with a byte order mark"),
    pytest.param(b"7", None, id="a single digit"),
    pytest.param(b"\xff{}", None, id="a byte that is no magic"),
]


@pytest.mark.parametrize(("raw", "fault"), CASES)
def test_tells_what_is_no_json_text(raw: bytes, fault: Fault | None) -> None:
    assert fault == sniff(raw)


def test_names_what_the_bytes_are() -> None:
    assert other(f"the line holds only NUL bytes {NUL}") == sniff(b"\0\0", "line")
