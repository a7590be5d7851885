"""The command: what is written where, what is refused, and that nothing it says holds a value."""

from __future__ import annotations

import hashlib
import io
import json
import os
import sys
from pathlib import Path

import pytest

from attraj.batch import redact as batch
from attraj.cli import run
from tests.redaction.made_up import EMAIL, GITHUB, PASSWORD, USER
from tests.support import REPOSITORY, Deaf


def tree(folder: Path) -> Path:
    made = folder / "in"
    (made / "sub").mkdir(parents=True)
    (made / "sub" / "a.json").write_text(json.dumps({"a": GITHUB, "password": PASSWORD}), "utf-8")
    (made / "sub" / "a.log").write_text(f"/home/{USER}/x {PASSWORD} {EMAIL}\n", "utf-8")
    return made


def outputs(folder: Path) -> dict[str, str]:
    return {p.relative_to(folder).as_posix(): p.read_text("utf-8") for p in sorted(folder.rglob("*")) if p.is_file()}


def test_a_folder_is_mirrored(tmp_path: Path) -> None:
    assert 0 == run(["redact", str(tree(tmp_path)), "-o", str(tmp_path / "out")])
    made = outputs(tmp_path / "out")
    manifest = made.pop("_attraj/redaction.json")
    assert {
        "sub/a.json": '{"a": "<API_TOKEN_1>", "password": "<PASSWORD_1>"}',
        "sub/a.log": "/home/<USER_1>/x <PASSWORD_1> <EMAIL_1>\n",
    } == made
    assert "verified" == json.loads(manifest)["result"]


def test_one_file_goes_where_it_is_told_or_to_standard_output(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    path = tree(tmp_path) / "sub" / "a.json"
    assert 0 == run(["redact", str(path), "-o", str(tmp_path / "b.json")])
    expected = b'{"a": "<API_TOKEN_1>", "password": "<PASSWORD_1>"}'
    assert expected == (tmp_path / "b.json").read_bytes()
    capfdbinary.readouterr()
    assert 0 == run(["redact", str(path)])
    assert expected == capfdbinary.readouterr()[0]


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_run_goes_on_when_nobody_reads_its_account(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], form: str
) -> None:
    folder = tree(tmp_path)
    (folder / "a.bin").write_bytes(b"\0")  # no text: something is left to look at
    monkeypatch.setattr(sys, "stdout", Deaf(io.BytesIO()))
    assert 1 == run(["redact", str(folder), "-o", str(tmp_path / "out"), "--format", form])
    assert ["_attraj/redaction.json", "sub/a.json", "sub/a.log"] == list(outputs(tmp_path / "out"))
    assert "" == capsys.readouterr().err


def test_a_manifest_is_written_when_nobody_reads_the_product(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", Deaf(io.BytesIO()))
    path, private = tree(tmp_path) / "sub" / "a.json", tmp_path / "private.json"
    assert 0 == run(["redact", str(path), "--private-manifest", str(private)])
    assert private.exists()


def test_the_product_is_whole_when_nobody_hears_the_account(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    path = tree(tmp_path) / "sub" / "a.json"
    for stderr in (Deaf(io.BytesIO()), None):
        monkeypatch.setattr(sys, "stderr", stderr)
        assert 0 == run(["redact", str(path)])
        assert b'{"a": "<API_TOKEN_1>", "password": "<PASSWORD_1>"}' == capfdbinary.readouterr()[0]


def test_a_dry_run_ends_when_nobody_reads_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdout", Deaf(io.BytesIO()))
    assert 0 == run(["redact", str(tree(tmp_path)), "--dry-run"])
    assert "" == capsys.readouterr().err


def test_the_manifest_is_written_of_a_document_that_needs_the_limits_of_the_caller(tmp_path: Path) -> None:
    name = "pass" + "word"
    (tmp_path / "a.json").write_text('{"a":' * 300 + f'"{name}: summer"' + "}" * 300, "utf-8")  # to be looked at
    assert 1 == run(["redact", str(tmp_path / "a.json"), "-o", str(tmp_path / "b.json"), "--max-depth", "1000"])
    manifest = json.loads((tmp_path / "_attraj" / "b.json.redaction.json").read_text("utf-8"))
    assert ["/a" * 300] == [review["pointer"] for review in manifest["review"]]


def test_nothing_that_is_said_or_written_holds_a_value(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, private = tree(tmp_path), tmp_path / "private.json"
    known = tmp_path / "known.env"
    known.write_text(f"A={PASSWORD}\n", "utf-8")
    common = ["redact", str(folder), "--known-secrets", str(known)]
    runs = [
        [*common, "--dry-run"],
        [*common, "--dry-run", "--format", "json"],
        [*common, "-o", str(tmp_path / "o1"), "--private-manifest", str(private), "--reviewer", "N. N."],
        [*common, "-o", str(tmp_path / "o2"), "--format", "json", "-v"],
    ]
    assert [0, 0, 0, 0] == [run(each) for each in runs]
    out, err = capsys.readouterr()
    written = "".join(text for n in (1, 2) for text in outputs(tmp_path / f"o{n}").values())
    plain = [hashlib.sha256(value.encode()).hexdigest() for value in (GITHUB, PASSWORD, USER)]
    parts = [GITHUB[4:], GITHUB[:8], GITHUB[-4:], PASSWORD, PASSWORD[:4], PASSWORD[-4:], EMAIL, *plain]
    said = out + err + written + private.read_text("utf-8")
    assert [] == [part for part in parts if part in said]
    digests = [hashlib.sha256(p.read_bytes()).hexdigest() for p in folder.rglob("*") if p.is_file()]
    assert [] == [digest for digest in digests if digest in out + err + written]
    assert [] != [digest for digest in digests if digest in private.read_text("utf-8")]
    assert 0o600 == private.stat().st_mode & 0o777


def test_the_same_input_gives_the_same_bytes(tmp_path: Path) -> None:
    folder = tree(tmp_path)
    for out in ("o1", "o2"):
        assert 0 == run(["redact", str(folder), "-o", str(tmp_path / out), "-q"])
    first, second = outputs(tmp_path / "o1"), outputs(tmp_path / "o2")
    first.pop("_attraj/redaction.json")
    second.pop("_attraj/redaction.json")
    assert first == second


# --- what is refused -------------------------------------------------------------------------------------------------


def test_an_input_is_never_written_over(tmp_path: Path) -> None:
    path = tree(tmp_path) / "sub" / "a.json"
    before = path.read_bytes()
    for target in (path, path.parent):
        assert 2 == run(["redact", str(path), "-o", str(target), "--overwrite"])
    os.symlink(path, tmp_path / "link.json")
    assert 2 == run(["redact", str(path), "-o", str(tmp_path / "link.json"), "--overwrite"])
    assert before == path.read_bytes()


def test_what_exists_stays_unless_it_may_be_overwritten(tmp_path: Path) -> None:
    path, out = tree(tmp_path) / "sub" / "a.json", tmp_path / "b.json"
    out.write_text("mine", "utf-8")
    assert (2, "mine") == (run(["redact", str(path), "-o", str(out)]), out.read_text("utf-8"))
    assert 0 == run(["redact", str(path), "-o", str(out), "--overwrite"])


@pytest.mark.parametrize(
    ("name", "raw", "code"),
    [
        pytest.param("b.json", b'{"a": ', 2, id="broken-json"),
        pytest.param("shot.png", b"\x89PNG\0\0", 1, id="not-text"),
        pytest.param("b.json", b'{"a": "data:image/png;base64,iVBORw0KGgo' + b"A" * 600 + b'"}', 5, id="an-image"),
    ],
)
def test_what_was_not_looked_at_is_not_written(name: str, raw: bytes, code: int, tmp_path: Path) -> None:
    folder = tree(tmp_path)
    (folder / name).write_bytes(raw)
    assert code == run(["redact", str(folder), "-o", str(tmp_path / "out")])
    assert (False, True) == ((tmp_path / "out" / name).exists(), (tmp_path / "out" / "sub" / "a.json").exists())


def test_a_log_with_a_nul_is_a_log(tmp_path: Path) -> None:
    raw = b"line of a log\n" * 40 + b"\0\0\0tok "
    (tmp_path / "pane.log").write_bytes(raw + GITHUB.encode() + b"\n")
    assert 0 == run(["redact", str(tmp_path / "pane.log"), "-o", str(tmp_path / "out.log")])
    assert raw + b"<API_TOKEN_1>\n" == (tmp_path / "out.log").read_bytes()


def test_an_image_is_written_when_the_user_says_so(tmp_path: Path) -> None:
    path = tmp_path / "b.json"
    path.write_bytes(b'{"a": "data:image/png;base64,iVBORw0KGgo' + b"A" * 600 + b'"}')
    policy = tmp_path / "policy.toml"
    policy.write_text('[policy]\nmedia = "drop"\n', "utf-8")
    assert 1 == run(["redact", str(path), "-o", str(tmp_path / "c.json"), "--allow-unscanned"])
    assert 0 == run(["redact", str(path), "-o", str(tmp_path / "d.json"), "--policy", str(policy)])
    assert '{"a": "<IMAGE_1>"}' == (tmp_path / "d.json").read_text("utf-8")


def test_a_bug_leaves_no_output_and_no_word_of_the_document(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object) -> None:
        raise KeyError(GITHUB)

    monkeypatch.setattr(batch, "redact_scope", broken)
    assert 4 == run(["redact", str(tree(tmp_path)), "-o", str(tmp_path / "out")])
    out, err = capsys.readouterr()
    assert (False, False, True) == ((tmp_path / "out").exists(), GITHUB in out + err, "KeyError" in err)


def test_several_inputs_need_a_folder(tmp_path: Path) -> None:
    folder = tree(tmp_path)
    (tmp_path / "file").write_text("x", "utf-8")
    assert 2 == run(["redact", str(folder)])
    assert 2 == run(["redact", str(folder), "-o", str(tmp_path / "file")])
    same = [str(folder / "sub" / "a.json"), str(folder / "sub" / ".." / "sub" / "a.json")]
    assert 2 == run(["redact", *same, "-o", str(tmp_path / "out")])


def test_a_private_manifest_is_not_published(tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert 2 == run(["redact", str(tree(tmp_path)), "-o", str(out), "--private-manifest", str(out / "p.json")])


def test_self_test(capsys: pytest.CaptureFixture[str]) -> None:
    assert 0 == run(["redact", "--self-test"])
    assert capsys.readouterr().out.endswith(", 0 left\n")


def test_a_job_with_a_file_that_breaks_off_gives_all_the_others(tmp_path: Path) -> None:
    assert 2 == run(["redact", str(REPOSITORY / "examples" / "harbor-job"), "-o", str(tmp_path / "out"), "-q"])
    assert (tmp_path / "out" / "rename-flag__aaaaaa1" / "agent" / "trajectory.json").exists()


# --- the map of values -----------------------------------------------------------------------------------------------


def test_a_map_of_values_is_for_the_owner_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pyrage = pytest.importorskip("pyrage")
    owner = pyrage.x25519.Identity.generate()
    folder, path = tree(tmp_path), tmp_path / "map.age"
    common = ["redact", str(folder), "-o", str(tmp_path / "out"), "--map-out", str(path)]
    assert 0 == run([*common, "--map-key", str(owner.to_public())])
    sealed = path.read_bytes()
    assert [] == [value for value in (GITHUB, PASSWORD, USER, EMAIL, GITHUB[-4:]) if value.encode() in sealed]
    assert 0o600 == path.stat().st_mode & 0o777
    made = json.loads(pyrage.decrypt(sealed, [owner]))
    values = {"<API_TOKEN_1>": GITHUB, "<PASSWORD_1>": PASSWORD, "<USER_1>": USER, "<EMAIL_1>": EMAIL}
    assert {"spec": "attraj-map-1", "scopes": [{"files": ["sub/a.json", "sub/a.log"], "values": values}]} == made
    assert GITHUB not in "".join(capsys.readouterr())


@pytest.mark.parametrize(
    ("options", "said"),
    [
        pytest.param(["--map-out", "map.age"], "encrypted only", id="no-key"),
        pytest.param(["--map-out", "map.age", "--map-key", "age1none"], "no public key", id="no-such-key"),
        pytest.param(["--map-out", "map.age", "--map-key", "AGE-SECRET-" + "KEY-1QQ"], "private one", id="private-key"),
        pytest.param(["--map-out", "out/map.age", "--map-key", "age1none"], "published", id="beside-the-output"),
        pytest.param(["--map-key", "age1none"], "where it goes", id="no-file"),
    ],
)
def test_a_map_that_cannot_be_sealed_is_refused_before_anything_is_read(
    options: list[str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    pytest.importorskip("pyrage")
    tree(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert 2 == run(["redact", "in", "-o", "out", *options])
    told = capsys.readouterr().err
    assert said in told
    assert options[-1] not in told
    assert not (tmp_path / "out").exists()
