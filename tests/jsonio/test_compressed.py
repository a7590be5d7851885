from __future__ import annotations

import gzip
import sys
import tracemalloc
import types
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from attraj.errors import Unreadable
from attraj.jsonio import read_bytes
from attraj.jsonio.compressed import _standard_pieces, expand
from attraj.limits import DEFAULT_LIMITS

zstandard = pytest.importorskip("zstandard") if sys.version_info < (3, 14) else None

TEXT = b'{"a": "' + b"text " * 50_000 + b'"}'
Compress = Callable[[bytes], bytes]


def zstd(data: bytes) -> bytes:
    if sys.version_info >= (3, 14):
        from compression import zstd as standard

        return standard.compress(data, options={standard.CompressionParameter.checksum_flag: 1})
    assert zstandard is not None
    made: bytes = zstandard.ZstdCompressor(write_checksum=True).compress(data)
    return made


BOTH = [pytest.param(gzip.compress, "gzip", id="gzip"), pytest.param(zstd, "Zstandard", id="Zstandard")]


@pytest.mark.parametrize(("compress", "name"), BOTH)
class TestBoth:
    def test_is_read_as_what_it_holds(self, compress: Compress, name: str, tmp_path: Path) -> None:
        path = tmp_path / "a.json"  # told by content, never by name
        path.write_bytes(compress(TEXT))
        assert read_bytes(path) == TEXT

    def test_is_read_to_the_end_of_its_last_part(self, compress: Compress, name: str) -> None:
        assert expand(compress(TEXT) + compress(b"") + compress(TEXT * 2), DEFAULT_LIMITS) == TEXT * 3

    def test_may_expand_to_the_limit_and_no_further(self, compress: Compress, name: str) -> None:
        data = compress(TEXT)
        assert expand(data, DEFAULT_LIMITS._replace(max_bytes=len(TEXT))) == TEXT
        with pytest.raises(Unreadable) as refused:
            expand(data, DEFAULT_LIMITS._replace(max_bytes=len(TEXT) - 1))
        assert f"expands to more than {len(TEXT) - 1} bytes" == refused.value.message

    def test_that_is_cut_anywhere_is_refused(self, compress: Compress, name: str) -> None:
        data = compress(TEXT)
        for end in {4, 10, len(data) // 2, len(data) - 1}:
            with pytest.raises(Unreadable, match=f"{name} data that ends too early"):
                expand(data[:end], DEFAULT_LIMITS)

    def test_that_is_damaged_is_refused(self, compress: Compress, name: str) -> None:
        data = bytearray(compress(bytes(range(256)) * 50))
        data[len(data) // 2] ^= 0xFF
        with pytest.raises(Unreadable, match=f"damaged {name} data|{name} data that ends too early"):
            expand(bytes(data), DEFAULT_LIMITS)

    def test_with_something_behind_it_is_refused(self, compress: Compress, name: str) -> None:
        with pytest.raises(Unreadable, match=f"damaged {name} data"):
            expand(compress(TEXT) + b"something else", DEFAULT_LIMITS)

    def test_that_is_a_bomb_is_left_early(self, compress: Compress, name: str) -> None:
        bomb = compress(b"\0" * (64 << 20))
        tracemalloc.start()
        try:
            with pytest.raises(Unreadable, match="expands to more than 1000000 bytes"):
                expand(bomb, DEFAULT_LIMITS._replace(max_bytes=1_000_000))
            assert tracemalloc.get_traced_memory()[1] < 40 << 20
        finally:
            tracemalloc.stop()


def test_bytes_that_only_begin_like_it_are_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b"\x28\xb5\x00\x00")
    assert read_bytes(path) == b"\x28\xb5\x00\x00"


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="Python itself reads Zstandard from 3.14")
def test_zstandard_without_its_package_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    data = zstd(TEXT)
    monkeypatch.setitem(sys.modules, "zstandard", None)
    with pytest.raises(Unreadable) as refused:
        expand(data, DEFAULT_LIMITS)
    expected = ("Zstandard data, which needs an optional package", "pip install 'attraj[zstd]'")
    assert expected == (refused.value.message, refused.value.hint)


class TestModuleOfPython314:
    """The interface of `compression.zstd`, played by gzip on older Pythons."""

    module = types.SimpleNamespace(ZstdFile=lambda stream: gzip.GzipFile(fileobj=stream), ZstdError=zlib.error)

    def test_gives_all_pieces(self) -> None:
        assert b"".join(_standard_pieces(self.module, gzip.compress(TEXT))) == TEXT

    def test_refuses_what_is_cut(self) -> None:
        with pytest.raises(Unreadable, match="Zstandard data that ends too early"):
            list(_standard_pieces(self.module, gzip.compress(TEXT)[:-9]))

    def test_refuses_what_is_damaged(self) -> None:
        data = bytearray(gzip.compress(TEXT))
        data[12] = 0xFF
        with pytest.raises(Unreadable, match="damaged Zstandard data"):
            list(_standard_pieces(self.module, bytes(data)))
