"""Scanning: what is found where, and that no finding says what."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from attraj.cli import run
from attraj.findings import DocumentReport
from attraj.redaction.policy import Allow, Policy
from attraj.redaction.search import Value
from attraj.secrets.detector import Detector
from attraj.verbs.scan import Scan, ScanRequest
from tests.redaction.made_up import EMAIL, ENCODED, GITHUB, OTHER_GITHUB, PASSWORD, USER

REQUEST = ScanRequest(Detector())


def scanned(raw: Any, name: str = "a.json", request: ScanRequest = REQUEST) -> list[DocumentReport]:
    data = raw if isinstance(raw, bytes) else json.dumps(raw, indent=1).encode()
    return list(Scan(request).file(name, data))


def told(reports: Sequence[DocumentReport]) -> list[tuple[str, str, int | None, int | None]]:
    return [(f.code, f.location.pointer, f.location.line, f.location.column) for r in reports for f in r.findings]


@pytest.mark.parametrize(
    ("raw", "name", "expected"),
    [
        pytest.param({"a": GITHUB}, "a.json", [("SEC-API_TOKEN", "/a", 2, 7)], id="in-a-text"),
        pytest.param({GITHUB: 1}, "a.json", [("SEC-API_TOKEN", "/{0}", 2, 46)], id="the-name-of-a-member"),
        pytest.param({"m": f"mail {EMAIL}"}, "a.json", [("SEC-EMAIL", "/m", 2, 7)], id="personal-data"),
        pytest.param({"m": ENCODED}, "a.json", [("SEC-ENCODED", "/m", 2, 7)], id="encoded"),
        pytest.param(f"x\nab {GITHUB}\n".encode(), "a.log", [("SEC-API_TOKEN", "", 2, 4)], id="in-a-log"),
        pytest.param(b"x\n", f"{GITHUB}.log", [("SEC-API_TOKEN", "", None, None)], id="in-the-name-of-a-file"),
        pytest.param(
            b'{"a": 1}\n{"b": "%s"}\n' % GITHUB.encode(), "a.jsonl", [("SEC-API_TOKEN", "/b", 2, 7)], id="a-line"
        ),
        pytest.param({"a": 1, "b": "plain"}, "a.json", [], id="clean"),
    ],
)
def test_where_and_what_kind(raw: Any, name: str, expected: list[Any]) -> None:
    assert expected == told(scanned(raw, name))


@pytest.mark.parametrize(
    ("raw", "name", "status"),
    [
        pytest.param(b"\x89PNG\0\0", "a.png", "skipped", id="not-text"),
        pytest.param(b"{", "a.json", "unreadable", id="broken-json"),
        pytest.param(b"[INFO] started", "a.log", "clean", id="a-log-that-begins-like-json"),
        pytest.param(b"", "empty.json", "clean", id="an-empty-file-holds-nothing"),
        pytest.param("text".encode("utf-16"), "a.txt", "clean", id="utf-16"),
    ],
)
def test_what_cannot_be_looked_at_is_named(raw: bytes, name: str, status: str) -> None:
    assert [status] == [report.status for report in scanned(raw, name)]


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        pytest.param(f"out\n{GITHUB}\n".encode() + bytes(5000), [("SEC-API_TOKEN", "", 2, 1)], id="made-longer"),
        pytest.param(b"out\n" * 40 + f"\0 tok {GITHUB}".encode(), [("SEC-API_TOKEN", "", 41, 7)], id="one-in-a-log"),
        pytest.param(bytes(range(256)) * 9 + GITHUB.encode(), [("SEC-API_TOKEN", "", None, None)], id="in-data"),
        pytest.param(f"out {GITHUB}".encode("utf-16-le"), [("SEC-API_TOKEN", "", None, None)], id="utf-16-unmarked"),
        pytest.param(bytes(range(256)) * 9 + EMAIL.encode(), [], id="an-address-in-data"),
    ],
)
def test_a_nul_hides_nothing(raw: bytes, expected: list[Any]) -> None:
    findings = told(scanned(raw, "pane.log"))
    assert expected == [finding for finding in findings if finding[0] != "SEC-IMAGE"]


def test_a_file_that_was_named_and_is_no_text_is_not_clean() -> None:
    reports = Scan(REQUEST).file("shot.png", b"\x89PNG\0\0", is_named=True)
    assert ["unreadable"] == [report.status for report in reports]


def test_media_are_named() -> None:
    reports = scanned({"image": "data:image/png;base64,iVBORw0KGgo" + "A" * 600})
    assert ["/image"] == [f.location.pointer for f in reports[0].findings]


def test_known_values_are_found_whatever_they_look_like() -> None:
    request = replace(REQUEST, known=(Value("blue harbour seven", "SECRET"),))
    assert [("SEC-SECRET", "/a", 2, 7)] == told(scanned({"a": "say blue harbour seven"}, request=request))


def test_what_is_allowed_is_silent_and_no_mark_in_the_text_is() -> None:
    policy = Policy(allow=(Allow(rule="email", reason="public"),))
    assert [] == told(scanned({"a": EMAIL}, request=replace(REQUEST, policy=policy)))
    for mark in ("gitleaks:allow", "pragma: allowlist secret", "betterleaks:allow", "kingfisher:ignore", "nosec"):
        assert 1 == len(told(scanned({"a": f"{GITHUB}  # {mark}"}))), mark


def test_a_key_tells_a_new_secret_in_an_old_place() -> None:
    request = replace(REQUEST, key=b"k" * 32)
    marks = [scanned({"a": token}, request=request)[0].findings[0].mark for token in (GITHUB, OTHER_GITHUB, GITHUB)]
    assert (True, False) == (marks[0] == marks[2], marks[0] == marks[1])
    assert "" == scanned({"a": GITHUB})[0].findings[0].mark


# --- the command -------------------------------------------------------------------------------------------------


def tree(folder: Path) -> Path:
    (folder / "in").mkdir()
    (folder / "in" / "a.json").write_text(json.dumps({"a": GITHUB, "password": PASSWORD}), "utf-8")
    (folder / "in" / "run.log").write_text(f"/home/{USER}/x\n", "utf-8")
    (folder / "in" / "shot.png").write_bytes(b"\x89PNG\0\0")
    return folder / "in"


@pytest.mark.parametrize("form", ["text", "json", "jsonl", "sarif", "junit", "github"])
def test_no_form_of_the_report_says_a_value(form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert 1 == run(["scan", "--show-all", "-v", "--format", form, str(tree(tmp_path))])
    out, err = capsys.readouterr()
    for part in (GITHUB[4:], GITHUB[:8], GITHUB[-4:], PASSWORD, PASSWORD[:4], PASSWORD[-4:]):
        assert part not in out + err


def test_a_baseline_needs_a_key_and_then_leaves_out_what_is_known(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, key = tree(tmp_path), tmp_path / "key"
    key.write_bytes(b"k" * 40)
    assert 1 == run(["scan", "--format", "json", "--key-file", str(key), str(folder)])
    earlier = tmp_path / "earlier.json"
    earlier.write_text(capsys.readouterr().out, "utf-8")
    assert 2 == run(["scan", "--baseline", str(earlier), str(folder)])
    known = ["scan", "--baseline", str(earlier), "--key-file", str(key), str(folder)]
    assert 0 == run(known)
    (folder / "a.json").write_text(json.dumps({"a": OTHER_GITHUB, "password": PASSWORD}), "utf-8")
    assert 1 == run(known)


def test_settings_and_allow_files_in_the_tree_are_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tree(tmp_path)
    (folder / "attraj.toml").write_text('exclude = ["*"]\nexit-zero = true\n', "utf-8")
    (folder / ".gitleaks.toml").write_text("[allowlist]\npaths = ['.*']\n", "utf-8")
    monkeypatch.chdir(folder)
    assert 1 == run(["scan", "."])


@pytest.mark.parametrize(
    "options",
    [
        pytest.param(["--allow-file", "nowhere.toml"], id="allow-file"),
        pytest.param(["--known-secrets", "nowhere.env"], id="known-secrets"),
        pytest.param(["--rules", "nowhere.toml"], id="rules"),
        pytest.param(["--key-file", "nowhere.key"], id="key"),
        pytest.param([], id="no-path"),
    ],
)
def test_what_cannot_be_used_stops_before_anything_is_read(options: list[str]) -> None:
    assert 2 == run(["scan", *options] + (["x"] if options else []))


@pytest.mark.parametrize(
    ("options", "codes", "exit_code"),
    [
        pytest.param(["--select", "SEC-API_TOKEN"], {"SEC-API_TOKEN"}, 1, id="select"),
        pytest.param(["--ignore", "SEC-USER,password-value,SEC-IMAGE"], {"SEC-API_TOKEN"}, 1, id="code-and-slug"),
        pytest.param(["--select", "SEC-IBAN"], set(), 0, id="select-what-is-not-there"),
        pytest.param(["--ignore", "SEC"], set(), 0, id="ignore-the-family"),
    ],
)
def test_codes_are_chosen(
    options: list[str], codes: set[str], exit_code: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert exit_code == run(["scan", "--format", "json", *options, str(tree(tmp_path))])
    told = json.loads(capsys.readouterr().out)
    assert codes == {finding["code"] for document in told["documents"] for finding in document["findings"]}


def test_a_code_that_nobody_has_stops_everything(tmp_path: Path) -> None:
    assert 2 == run(["scan", "--select", "SEC-NOTHING", str(tree(tmp_path))])


def test_rules_of_a_gitleaks_configuration_may_be_allowed_and_others_not(tmp_path: Path) -> None:
    pytest.importorskip("re2", reason="google-re2 is not installed")
    folder = tree(tmp_path)
    config, allow = tmp_path / "gitleaks.toml", tmp_path / "allow.toml"
    config.write_text("[[rules]]\nid = 'stone'\nregex = 'quartz-[0-9]'\n", "utf-8")
    options = ["--gitleaks-config", str(config), "--allow-file", str(allow), str(folder)]
    allow.write_text('[[allow]]\nrule = "stone"\nreason = "a stone"\n', "utf-8")
    assert 1 == run(["scan", *options])
    allow.write_text('[[allow]]\nrule = "sotne"\nreason = "a stone"\n', "utf-8")
    assert 2 == run(["scan", *options])


def test_a_known_value_is_told_beside_what_else_a_text_holds() -> None:
    request = replace(REQUEST, known=(Value("blue harbour seven", "SECRET"),))
    found = told(scanned({"a": f"{EMAIL} says blue harbour seven"}, request=request))
    assert ["SEC-EMAIL", "SEC-SECRET"] == [code for code, *_ in found]
