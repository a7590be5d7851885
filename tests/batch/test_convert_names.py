"""Names of outputs: nothing but the way a document is kept is left out, and no two inputs may meet."""

from __future__ import annotations

import pytest

from attraj.batch.convert_names import is_taken, output_name, relative, rest_of, rivals, stem


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        pytest.param("job/trajectory.json", "job/trajectory", id="json"),
        pytest.param("a.jsonl", "a", id="json-lines"),
        pytest.param("django__django-1.traj", "django__django-1", id="traj"),
        pytest.param("a.jsonl.zst", "a", id="compressed"),
        pytest.param("a.traj.json", "a", id="mini-swe-agent"),
        pytest.param("a.bundle.json", "a", id="what-attraj-writes"),
        pytest.param("a.swe-agent.json.gz", "a", id="what-attraj-writes-compressed"),
        pytest.param("trajectory.cont-1.json", "trajectory.cont-1", id="other-dots-stay"),
        pytest.param("a.bundle.jsonl", "a.bundle", id="a-mark-stands-before-json-only"),
        pytest.param("a.json.json", "a.json", id="one-suffix-goes"),
        pytest.param("log.txt", "log.txt", id="unknown-suffix"),
        pytest.param(".json", ".json", id="nothing-would-be-left"),
        pytest.param("folder/.traj.json", "folder/.traj", id="nothing-would-be-left-in-a-folder"),
        pytest.param("folder.json/a", "folder.json/a", id="a-folder-keeps-its-name"),
    ],
)
def test_a_name_loses_what_says_how_it_is_kept(name: str, expected: str) -> None:
    assert expected == stem(name)


@pytest.mark.parametrize(
    ("index", "part", "expected"),
    [
        pytest.param(None, "", "t.bundle.json", id="the-one"),
        pytest.param(3, "", "t.3.bundle.json", id="one-of-several"),
        pytest.param(None, "step-1", "t.step-1.bundle.json", id="a-step"),
        pytest.param(0, "attempt-2", "t.0.attempt-2.bundle.json", id="both"),
        pytest.param(None, "../x", "t...%2Fx.bundle.json", id="a-part-is-no-path"),
        pytest.param(None, "50%2F", "t.50%252F.bundle.json", id="different-parts-stay-different"),
    ],
)
def test_an_output_is_called_by_its_input_and_its_part(index: int | None, part: str, expected: str) -> None:
    assert expected == output_name("t", rest_of(index, part), "bundle")


def test_rivals_are_longer_names_in_the_same_folder() -> None:
    assert rivals(["a", "a.0", "a.0.x", "b/a.1", "ab", ".a", ".a.b"]) == {
        "a": ("0", "0.x"),
        "a.0": ("x",),
        ".a": ("b",),
    }


@pytest.mark.parametrize(
    ("rest", "expected"),
    [
        pytest.param("0", True, id="the-name-itself"),
        pytest.param("0.attempt-1", True, id="a-name-that-the-other-may-take"),
        pytest.param("01", False, id="another-number"),
        pytest.param("1", False, id="another-document"),
    ],
)
def test_a_name_that_belongs_to_another_input_is_taken(rest: str, expected: bool) -> None:
    assert expected is is_taken(rest, ("0",))


@pytest.mark.parametrize(
    ("path", "root", "expected"),
    [
        pytest.param("in/a/b.json", "in", "a/b.json", id="below"),
        pytest.param("in/a/b.json", "in/", "a/b.json", id="below-with-a-slash"),
        pytest.param("in/b.json", "in/b.json", "b.json", id="itself"),
        pytest.param("./b.json", ".", "b.json", id="below-here"),
        pytest.param("/b.json", "/", "b.json", id="below-the-root"),
    ],
)
def test_a_name_is_relative_to_what_was_given(path: str, root: str, expected: str) -> None:
    assert expected == relative(path, root)
