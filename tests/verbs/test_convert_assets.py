"""Images that a document carries: files beside the product where they are asked for, declared where they are not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from attraj.findings import DocumentReport
from attraj.jsonio.values import of_value
from attraj.limits import DEFAULT_LIMITS
from attraj.verbs.convert import Converted, Request, convert
from attraj.verbs.validate import validate

GIF = "R0lGODlhAQABAAAAACw="
BYTES = b"GIF89a\x01\x00\x01\x00\x00\x00\x00,"
URI = f"data:image/gif;base64,{GIF}"


def document() -> Any:
    """A mini-swe-agent run whose tool gave back an image."""
    call = {"id": "c1", "type": "function", "function": {"name": "bash", "arguments": '{"command": "show"}'}}
    parts = [{"type": "text", "text": "here"}, {"type": "image_url", "image_url": {"url": URI}}]
    return {
        "trajectory_format": "mini-swe-agent-1.1",
        "info": {"exit_status": "Submitted", "submission": "", "mini_version": "2.0.0", "config": {}},
        "messages": [
            {"role": "system", "content": "You act."},
            {"role": "user", "content": "Show it."},
            {"role": "assistant", "content": "I show it.", "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "c1", "content": parts},
        ],
    }


def converted(to: str, **asked: Any) -> Converted:
    return convert(of_value(document(), DEFAULT_LIMITS), "run", Request(to, **asked))


def codes(made: Converted) -> set[str]:
    return {loss.code for loss in made.losses if loss.category == "attachments"}


def test_an_image_becomes_a_file_that_the_product_names(tmp_path: Path) -> None:
    made = converted("atif", extracts_assets=True, assets_folder="media/run")
    output = made.outputs[0]
    assert {"media/run/image-1.gif": BYTES} == output.assets
    assert {"attachment-in-file"} <= codes(made)
    path = tmp_path / "run.atif.json"
    path.write_bytes(output.text)
    for name, data in output.assets.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(data)
    report: DocumentReport = validate(path)
    assert [] == [finding.code for finding in report.findings if finding.code == "ATIF025"]
    assert "image/gif" in output.text.decode()
    assert GIF not in output.text.decode()


def test_an_image_that_no_file_is_asked_for_is_declared() -> None:
    made = converted("atif")
    assert {} == made.outputs[0].assets
    assert {"attachment-in-file"} != codes(made) != set()
    assert GIF not in made.outputs[0].text.decode()


def test_a_bundle_and_the_format_it_came_from_hold_the_data_themselves() -> None:
    bundle = converted("bundle", extracts_assets=True).outputs[0]
    assert ({}, True) == (bundle.assets, GIF in bundle.text.decode())
    again = converted("mini-swe-agent").outputs[0]
    assert document() == json.loads(again.text)


def test_the_format_it_came_from_names_the_file_when_that_is_asked_for() -> None:
    made = converted("mini-swe-agent", extracts_assets=True)
    parts = json.loads(made.outputs[0].text)["messages"][3]["content"]
    assert "assets/image-1.gif" == parts[1]["image_url"]["url"]
    assert {"assets/image-1.gif": BYTES} == made.outputs[0].assets
