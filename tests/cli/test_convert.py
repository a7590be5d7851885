"""`attraj convert` as a command: what is refused, what is said, exit codes, reports; toys stand for the formats."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest

from attraj.batch.convert_lock import FolderLock
from attraj.bundle.vocabulary import LOSS_CATEGORIES
from attraj.cli import _options, run
from attraj.cli import convert as command
from attraj.cli._progress import Bar, pace
from attraj.verbs.convert import WRITABLE
from attraj.verbs.schema import schema_of
from tests.batch.convert_script import Toys
from tests.batch.converting import tree_of, written
from tests.support import REPOSITORY, Deaf
from tests.test_canary import PLANTS, TOKEN

Attraj = Callable[..., tuple[int, str, str]]


@pytest.fixture
def attraj(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Attraj:
    monkeypatch.setattr(command, "ConvertTask", Toys)
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str) -> tuple[int, str, str]:
        code = run(["convert", "--to", "atif", "--no-config", *arguments])
        return code, *capsys.readouterr()

    return call


def test_the_words_of_the_options_are_those_of_the_code() -> None:
    assert ["any", *LOSS_CATEGORIES] == _options.complete_categories("")
    assert ["rights"] == _options.complete_categories("ri")
    assert WRITABLE == _options.Target.__args__  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param([], "no path is given", id="nothing"),
        pytest.param(["-", "-"], "standard input can be read only once", id="stdin-twice"),
        pytest.param(["a.json", "b.json"], "several inputs need -o FOLDER", id="several-without-output"),
        pytest.param(["in"], "a folder needs -o FOLDER", id="a-folder-without-output"),
        pytest.param(["a.json", "b.json", "-o", "-"], "several inputs need -o FOLDER", id="several-to-stdout"),
        pytest.param(["a.json", "-o", "-", "--assets", "x"], "--assets needs -o", id="assets-beside-stdout"),
        pytest.param(["-", "-o", "o/", "--resume"], "cannot read standard input a second time", id="resume-stdin"),
        pytest.param(["a.json", "-o", "o", "--resume"], "in an output folder, and none is named", id="resume-a-file"),
        pytest.param(["a.json", "--trajectory-id", ""], "this is no name", id="an-empty-name"),
        pytest.param(["a.json", "--to", "react-web", "--embed-subagents"], "is for --to atif", id="nothing-to-embed"),
        pytest.param(["a.json", "--loss-report", "-"], "--loss-report names a file", id="report-to-stdout"),
        pytest.param(["a.json", "--fail-on-loss", " ,"], "this one names none", id="no-category"),
        pytest.param(["a.json", "--fail-on-loss", "usage,nope"], "is called `nope`", id="one-unknown-category"),
        pytest.param(["in", "-o", "a.json"], "several inputs need a folder to go to", id="several-to-a-file"),
        pytest.param(["a.json", "-o", "a.json"], "an output would be written over an input", id="over-the-input"),
        pytest.param(["a.json", "-o", "b.json"], "b.json: exists already", id="exists"),
        pytest.param(["a.json", "--resume"], "--resume goes on with a run in an output folder", id="resume-nothing"),
        pytest.param(["a.json", "--form", "morphz-ref"], "--form is for --to bundle", id="form-of-another"),
        pytest.param(["a.json", "--derived"], "--derived is for --to swe-agent", id="derived-of-another"),
        pytest.param(["a.json", "--split-subagents", "--embed-subagents"], "opposite things", id="opposites"),
        pytest.param(
            ["a.json", "--embed-subagents", "--atif-version", "1.6"], "needs ATIF 1.7", id="nothing-to-embed-in"
        ),
        pytest.param(["a.json", "--to", "bundle", "--split-subagents"], "is for --to atif", id="subagents-of-another"),
        pytest.param(
            ["a.json", "--upgrade", "--atif-version", "1.6"], "--upgrade writes the newest", id="two-versions"
        ),
        pytest.param(["in", "-o", "o", "--trajectory-id", "x"], "names one document", id="one-name-for-several"),
        pytest.param(["a.json", "--assets", "x"], "--assets needs -o", id="assets-beside-nothing"),
        pytest.param(["a.json", "-o", "o", "--assets", "../x"], "a folder beside the output", id="assets-elsewhere"),
        pytest.param(["a.json", "-o", "o", "--assets", "/x"], "a folder beside the output", id="assets-at-the-root"),
        pytest.param(["a.json", "--from", "nope"], "--from names is not known", id="unknown-source"),
        pytest.param(["a.json", "--from", "harbor"], "--from harbor takes trial and job folders", id="harbor-file"),
        pytest.param(["a.json", "--relative-to", "a.json"], "--relative-to names a folder", id="no-base"),
        pytest.param(["a.json", "--stdin-filename", "x"], "`-` is not among the paths", id="a-name-for-nothing"),
        pytest.param(["a.json", "--loss-report", "a.json"], "would be written over an input", id="report-over-input"),
        pytest.param(["a.json", "-o", "o", "--loss-report", "o"], "over an output", id="report-over-output"),
        pytest.param(
            ["in", "-o", "o", "--loss-report", "o/_attraj/manifest.jsonl"],
            "over the bookkeeping",
            id="report-over-books",
        ),
        pytest.param(["a.json", "--loss-report", "b.json"], "b.json: exists already", id="report-exists"),
        pytest.param(["a.json", "--loss-report", "no/x"], "does not exist", id="report-nowhere"),
        pytest.param(["a.json", "--fail-on-loss", "nope"], "nope", id="unknown-category"),
    ],
)
def test_what_cannot_be_meant_is_refused_before_anything_is_read(
    attraj: Attraj, tmp_path: Path, arguments: list[str], message: str
) -> None:
    for name in ("a.json", "b.json", "in/c.json"):
        written(tmp_path / name)
    before = tree_of(tmp_path)
    code, out, err = attraj(*arguments)
    assert (2, "", True) == (code, out, message in err), err
    assert before == tree_of(tmp_path)


@pytest.mark.parametrize(
    ("tree", "options", "code"),
    [
        pytest.param({}, [], 0, id="converted"),
        pytest.param({"losses": 1}, [], 0, id="with-losses"),
        pytest.param({"losses": 1}, ["--fail-on-loss", "timing"], 1, id="with-losses-that-matter"),
        pytest.param({"losses": 1}, ["--fail-on-loss", "usage", "--fail-on-loss", "rights"], 0, id="other-losses"),
        pytest.param({"losses": 1}, ["--fail-on-loss", "usage, timing"], 1, id="losses-with-commas"),
        pytest.param({"losses": 1}, ["--fail-on-loss", "any"], 1, id="any-loss"),
        pytest.param({}, ["--fail-on-loss", "any"], 0, id="no-loss"),
        pytest.param({"toy": "findings"}, [], 1, id="findings"),
        pytest.param({"toy": "refused"}, [], 1, id="refused"),
        pytest.param({"toy": "rejected"}, [], 3, id="rejected"),
        pytest.param({"toy": "unproven"}, ["--verify"], 5, id="unproven"),
        pytest.param({"toy": "bug", "secret": TOKEN}, [], 4, id="a-bug"),
    ],
)
def test_exit_codes(attraj: Attraj, tmp_path: Path, tree: dict[str, Any], options: list[str], code: int) -> None:
    written(tmp_path / "a.json", **tree)
    found, out, err = attraj("a.json", "-o", "b.json", *options)
    assert (code, code == 0) == (found, (tmp_path / "b.json").exists())
    assert TOKEN not in out + err


def test_a_bug_is_told_as_one(attraj: Attraj, tmp_path: Path) -> None:
    written(tmp_path / "in" / "a.json", toy="bug", secret=TOKEN)
    written(tmp_path / "in" / "b.json")
    code, out, err = attraj("in", "-o", "out")
    assert (4, True, True) == (code, "this is a bug in attraj" in err, "2 documents: 1 converted, 1 unreadable" in out)


def test_the_product_goes_to_standard_output_and_the_account_elsewhere(attraj: Attraj, tmp_path: Path) -> None:
    written(tmp_path / "a.json", losses=2)
    code, out, err = attraj("a.json", "--loss-report", "loss.json")
    assert (0, "a") == (code, json.loads(out)["name"])
    assert err.splitlines() == [
        "Not as in the source (--loss-report FILE lists every place):",
        "  timing",
        "    2  dropped       toy-step: steps of toys have no time",
        "",
        "1 document: 1 converted",
    ]
    (document,) = json.loads((tmp_path / "loss.json").read_text("utf-8"))["documents"]
    assert document == {
        "path": "a.json",
        "index": 0,
        "status": "written",
        "output": None,
        "losses": [
            {
                "code": "toy-step",
                "category": "timing",
                "handling": "dropped",
                "pointer": "/steps/*/when",
                "count": 2,
                "detail": "steps of toys have no time",
                "stage": "read",
                "places": ["/steps/0/when", "/steps/1/when"],
            }
        ],
    }
    assert (0, out, "") == attraj("a.json", "-q")


def test_a_dash_is_standard_output(attraj: Attraj, tmp_path: Path) -> None:
    written(tmp_path / "a.json")
    code, out, _ = attraj("a.json", "-o", "-")
    assert (0, "a", False) == (code, json.loads(out)["name"], (tmp_path / "-").exists())


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_run_goes_on_when_nobody_reads_its_account(
    attraj: Attraj, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    for name in "abcde":
        written(tmp_path / "in" / f"{name}.json")
    written(tmp_path / "in" / "f.json", toy="findings")
    monkeypatch.setattr(sys, "stdout", Deaf(io.BytesIO()))
    code, _, err = attraj("in", "-o", "out", "-v", "--format", form, "--loss-report", "out/loss.json")
    assert (1, "", 5, True) == (
        code,
        err,
        len(list((tmp_path / "out").glob("*.atif.json"))),
        (tmp_path / "out" / "loss.json").exists(),
    )


def test_the_product_is_whole_when_nobody_hears_the_account(
    attraj: Attraj, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path / "a.json", losses=2)
    for stderr in (Deaf(io.BytesIO()), None):
        monkeypatch.setattr(sys, "stderr", stderr)
        code, out, _ = attraj("a.json")
        assert (0, "a") == (code, json.loads(out)["name"])


def test_a_report_that_cannot_be_written_is_refused_before_the_run(
    attraj: Attraj, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path / "a.json")
    monkeypatch.setattr(os, "access", lambda *_: False)
    code, _, err = attraj("a.json", "-o", "out/", "--loss-report", "loss.json")
    assert (2, False) == (code, (tmp_path / "out").exists())
    assert "the report of losses cannot be written: permission denied" in err


def test_what_stands_where_the_bookkeeping_goes_is_named(attraj: Attraj, tmp_path: Path) -> None:
    written(tmp_path / "a.json")
    written(tmp_path / "out" / "_attraj")
    code, _, err = attraj("a.json", "-o", "out")
    assert (2, True) == (code, "`_attraj` in the output folder cannot be written: file exists" in err), err


def test_choices_are_told_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert 2 == run(["convert", "a.json"])
    assert " bundle, atif, swe-agent, mini-swe-agent, react-web\n" in capsys.readouterr().err


def test_standard_input_has_the_name_that_it_is_given(
    attraj: Attraj, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for options, name in (([], "stdin"), (["--stdin-filename", "folder/run.traj"], "run")):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b'{"toy":"converted"}')))
        code, out, _ = attraj("-", "-o", f"{name}/", *options)
        assert (0, True) == (code, (tmp_path / name / f"{name}.atif.json").exists()), out


def test_a_list_of_files_keeps_its_folders(attraj: Attraj, tmp_path: Path) -> None:
    for folder in ("one", "two"):
        written(tmp_path / "jobs" / folder / "trajectory.json")
    (tmp_path / "list").write_text("jobs/two/trajectory.json\njobs/one/trajectory.json\n", encoding="utf-8")
    code, _, err = attraj("--files-from", "list", "-o", "out")
    assert (2, True) == (code, "--relative-to a folder above both" in err)
    code, _, err = attraj("--files-from", "list", "-o", "out", "--relative-to", "jobs")
    found = {name for name in tree_of(tmp_path / "out") if not name.startswith("_attraj")}
    assert (0, {"one/trajectory.atif.json", "two/trajectory.atif.json"}) == (code, found), err


def test_the_report_is_the_contract(attraj: Attraj, tmp_path: Path) -> None:
    trees: dict[str, dict[str, Any]] = {
        "a": {"losses": 2, "parts": ["", "b"]},
        "f": {"toy": "findings"},
        "r": {"toy": "refused"},
    }
    for name, tree in trees.items():
        written(tmp_path / "in" / f"{name}.json", **tree)
    (tmp_path / "in" / "s.txt").write_text("text", encoding="utf-8")
    code, out, err = attraj("in", "-o", "out", "--format", "json")
    report = json.loads(out)
    jsonschema.Draft202012Validator(schema_of("report")).validate(report)
    assert (1, "", "convert") == (code, err, report["command"])
    assert [(one["path"], one["status"], one["output"]) for one in report["documents"]] == [
        ("in/a.json", "written", "out/a.atif.json"),
        ("in/f.json", "findings", None),
        ("in/r.json", "refused", None),
        ("in/s.txt", "skipped", None),
    ]
    assert ["out/a.atif.json", "out/a.b.atif.json"] == report["documents"][0]["outputs"]
    assert "the target has no word for it" == report["documents"][2]["reason"]
    summary = report["summary"]
    assert (4, 1, 1, 1, 1, 2) == tuple(
        summary[name] for name in ("documents", "written", "with_findings", "refused", "skipped", "outputs")
    )
    assert [{"category": "timing", "code": "toy-step", "handling": "dropped", "count": 2, "documents": 1}] == summary[
        "losses"
    ]


def test_every_document_is_named_when_that_is_asked_for(attraj: Attraj, tmp_path: Path) -> None:
    written(tmp_path / "in" / "a.json", losses=1)
    written(tmp_path / "in" / os.fsdecode(b"b\xff\x1b.json"))
    (tmp_path / "in" / "c.txt").write_text("text", encoding="utf-8")
    _, out, _ = attraj("in", "-o", "out", "-v")
    assert out.splitlines()[:3] == [
        "in/a.json -> out/a.atif.json: converted, 1 loss",
        "in/b\\xff\\x1b.json -> out/b\\xff\\x1b.atif.json: converted",
        "in/c.txt: skipped (not JSON)",
    ]


def test_findings_are_told_and_what_is_not_asked_for_is_not(attraj: Attraj, tmp_path: Path) -> None:
    written(tmp_path / "in" / "a.json")
    written(tmp_path / "in" / "f.json", toy="findings")
    _, out, err = attraj("in", "-o", "out", "-q")
    assert ("", out.splitlines()) == (
        err,
        [
            "in/f.json (toy 1)",
            "  -       error TOY001 broken-toy  /toy",
            "          the toy is broken",
            "          → mend it",
            "  not converted: errors in its shape (--lenient converts what can be read)",
        ],
    )


def test_a_run_goes_on_with_a_report_that_it_has_written_before(attraj: Attraj, tmp_path: Path) -> None:
    written(tmp_path / "in" / "a.json", losses=1)
    arguments = ("in", "-o", "out", "--loss-report", "out/_attraj/report.json")
    first = attraj(*arguments)
    files = tree_of(tmp_path / "out")
    code, out, err = attraj(*arguments, "--resume")
    assert (first[0], first[2], files) == (code, err, tree_of(tmp_path / "out"))
    assert out.splitlines()[-2:] == ["1 document: 1 converted (1 before)", "0 files written to out (1 before)"]
    assert 2 == attraj(*arguments)[0]
    assert (first, files) == (attraj(*arguments, "--overwrite"), tree_of(tmp_path / "out"))


def test_what_is_converted_in_spite_of_errors_is_told(attraj: Attraj, tmp_path: Path) -> None:
    written(tmp_path / "in" / "a.json", errors=2, losses=1)
    written(tmp_path / "in" / "b.json", errors=1)
    written(tmp_path / "in" / "c.json", because="no trajectory")
    code, out, _ = attraj("in", "-o", "out", "--lenient", "-v")
    assert (0, 1) == (code, out.count("3 documents: 2 converted (2 of them with errors), 1 without trajectory\n"))
    assert out.splitlines()[:3] == [
        "in/a.json -> out/a.atif.json: converted, with 2 errors in it, 1 loss",
        "in/b.json -> out/b.atif.json: converted, with 1 error in it",
        "in/c.json -> out/c.atif.json: converted (no trajectory)",
    ]
    code, out, _ = attraj("in", "-o", "other", "--lenient", "--format", "json")
    report = json.loads(out)
    assert [(2, None), (1, None), (None, "no trajectory")] == [
        (one.get("errors"), one.get("reason")) for one in report["documents"]
    ]
    assert (3, 2, 1) == tuple(
        report["summary"][name] for name in ("written", "written_with_errors", "without_trajectory")
    )


def test_what_is_worth_a_line_is_said_once_and_of_each_document(attraj: Attraj, tmp_path: Path) -> None:
    for name in "ab":
        written(tmp_path / "in" / f"{name}.json", notes=["a fact"])
    _, out, _ = attraj("in", "-o", "out")
    assert ["2 documents: 2 converted", "note: a fact (2 documents)"] == out.splitlines()[:2]
    report = json.loads(attraj("in", "-o", "other", "--format", "json")[1])
    assert [["a fact"], ["a fact"]] == [one["notes"] for one in report["documents"]]
    assert [{"note": "a fact", "documents": 2}] == report["summary"]["notes"]


def test_a_trial_is_named_whatever_file_of_it_is_wrong(attraj: Attraj, tmp_path: Path) -> None:
    written(tmp_path / "job" / "a" / "agent" / "trajectory.json", toy="findings")
    for folder in ("job", "job/a"):
        (tmp_path / folder / "result.json").write_text("{}", encoding="utf-8")
    report = json.loads(attraj("job", "-o", "out", "--format", "json")[1])
    assert [("job/a", "job/a/agent/trajectory.json")] == [(one["trial"], one["path"]) for one in report["documents"]]


def test_what_an_earlier_run_has_left_is_told(attraj: Attraj, tmp_path: Path) -> None:
    for name in "abc":
        written(tmp_path / "in" / f"{name}.json")
    attraj("in", "-o", "out")
    for name in "ab":
        (tmp_path / "in" / f"{name}.json").unlink()
    (tmp_path / "out" / "b.atif.json").write_text("mine", encoding="utf-8")
    code, out, _ = attraj("in", "-o", "out", "--overwrite")
    assert (0, out.splitlines()) == (
        code,
        [
            "1 document: 1 converted",
            "1 file written to out",
            "1 file of the earlier run removed, which this one does not give",
            "1 file of an earlier run left, which this one does not give:",
            "  out/b.atif.json",
        ],
    )
    attraj("in", "-o", "out", "--overwrite", "--to", "bundle", "-q")
    report = json.loads(attraj("in", "-o", "out", "--overwrite", "--format", "json")[1])
    assert {"removed": 0, "left": ["c.bundle.json"]} == report["summary"]["earlier"]


def test_every_pair_of_inputs_with_one_name_is_named(attraj: Attraj, tmp_path: Path) -> None:
    for name in ("a.json", "a.traj", "b/c.json", "b/c.bundle.json"):
        written(tmp_path / "in" / name)
    code, out, err = attraj("in", "-o", "out")
    assert (2, "", err.splitlines()) == (
        code,
        out,
        [
            "attraj: error: 2 pairs of inputs would be written to the same file:",
            "  in/a.json and in/a.traj",
            "  in/b/c.bundle.json and in/b/c.json",
            "  hint: --exclude PATH leaves out one of two that a walk meets",
        ],
    )
    excluded = ["--exclude", "in/a.traj", "--exclude", "in/b/c.json"]
    assert 0 == attraj("in", "-o", "out", *excluded)[0]


def test_names_that_another_file_system_takes_for_one_are_told_of(attraj: Attraj, tmp_path: Path) -> None:
    for name in ("A.json", "a.json"):
        written(tmp_path / "in" / name)
    _, out, _ = attraj("in", "-o", "out")
    assert " ".join(out.splitlines()[1:3]).startswith("note: in/A.json and in/a.json: outputs whose names a file")


def test_a_folder_that_another_run_writes_to_is_in_use(attraj: Attraj, tmp_path: Path) -> None:
    written(tmp_path / "in" / "a.json")
    attraj("in", "-o", "out")
    with FolderLock("out/_attraj"):
        for options in ([], ["--resume"], ["--overwrite"]):
            code, _, err = attraj("in", "-o", "out", *options)
            assert (2, True) == (code, "another run of attraj writes to this folder" in err), options
    code, _, err = attraj("in", "-o", "out")
    assert (2, True) == (code, "the output folder holds an earlier run" in err)


def test_no_bar_is_drawn_where_nobody_sees_it(attraj: Attraj, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rich.progress", None)  # importing it would fail
    for number in range(3):
        written(tmp_path / "in" / f"{number}.json")
    assert (0, "") == attraj("in", "-o", "out")[::2]


def test_a_bar_lets_what_is_written_through(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = io.StringIO()
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    seen: list[str] = []
    with Bar(3, is_wanted=True) as bar:
        write = bar.beside(seen.append)
        bar.advance()
        write("a line\n")
        bar.advance()
    assert (["a line\n"], True) == (seen, "converting" in terminal.getvalue())
    drawn = terminal.getvalue()
    write("the account\n")  # and no bar is drawn again after it
    assert (["a line\n", "the account\n"], drawn) == (seen, terminal.getvalue())


@pytest.mark.parametrize(
    ("done", "elapsed_s", "left", "expected"),
    [
        pytest.param(0, 1.0, 9, "", id="nothing-is-known"),
        pytest.param(1, 0.0, 9, "", id="no-time-has-passed"),
        pytest.param(3000, 2.0, 3000, "1,500/s, 0:00:02 left", id="fast"),
        pytest.param(1, 2.0, 1830, "0.5/s, 1:01:00 left", id="slow"),
        pytest.param(5, 1.0, 0, "5.0/s, 0:00:00 left", id="done"),
    ],
)
def test_the_pace_is_that_of_the_whole_run(done: float, elapsed_s: float, left: int, expected: str) -> None:
    assert expected == pace(done, elapsed_s, left)


@pytest.mark.parametrize("plant", PLANTS, ids=lambda plant: str(plant.__name__))
@pytest.mark.parametrize("name", ["bundle.json", "trajectory.json"])
def test_a_planted_token_appears_in_nothing_but_the_product(
    name: str, plant: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tree = json.loads((REPOSITORY / "examples" / name).read_text("utf-8"))
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "planted.json").write_text(json.dumps(plant(tree)), encoding="utf-8")
    for form in ("text", "json"):
        out = tmp_path / form
        arguments = ["--to", "bundle", "-o", str(out), "--loss-report", str(out / "loss.json"), "--lenient", "-v"]
        code = run(["convert", str(tmp_path / "in"), *arguments, "--format", form, "--no-config"])
        said = "".join(capsys.readouterr())
        kept = {path.name: path.read_text("utf-8") for path in (out / "_attraj").iterdir()}
        report = (out / "loss.json").read_text("utf-8")
        assert code in (0, 1, 2, 3), said
        assert [] == [place for place, text in {"": said, "r": report, **kept}.items() if TOKEN in text]
