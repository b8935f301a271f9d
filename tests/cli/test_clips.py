"""`kinema clips`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kinema.cli.main import main
from kinema.errors import MissingError

SMALL = ["--count", "2", "--frames", "2", "--size", "32", "--identities", "2", "--scene-share", "0", "--workers", "1"]


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from kinema.rendering.context import probe

    try:
        probe()
    except MissingError as error:
        pytest.skip(str(error))
    monkeypatch.chdir(tmp_path)


def test_json_is_one_object_and_a_second_call_makes_nothing(capsys) -> None:
    assert main(["clips", "-o", "clips", *SMALL, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["clips"], report["made"], report["failed"]) == (2, 2, [])
    assert main(["clips", "-o", "clips", *SMALL]) == 0
    printed = capsys.readouterr()
    assert printed.out == "clips\n" and "0 of them made now" in printed.err


def test_clips_are_written_in_other_forms(capsys) -> None:
    assert main(["clips", "-o", "clips", *SMALL]) == 0
    assert main(["clips", "clips", "-o", "tar", "--as", "webdataset"]) == 0
    assert main(["clips", "clips", "-o", "tar", "--as", "webdataset"]) == 1
    assert "exists" in capsys.readouterr().err
    assert main(["clips", "clips", "-o", "meta", "--as", "prompts", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["clips"] == 2
    assert main(["clips", "meta", "-o", "back", "--as", "clips"]) == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["clips"], "belong together"),
        (["--as", "webdataset"], "belong together"),
        (["--size", "8"], "16 to 1024"),
        (["--frames", "0"], "1 to 1024"),
        (["--maps", "smell"], "'smell'"),
        (["--characters", "nobody"], "'nobody'"),
        (["--scenes", "moon"], "moon is neither"),
    ],
)
def test_wrong_arguments_are_one_line(arguments: list[str], said: str, capsys) -> None:
    assert main(["clips", "-o", "out", *arguments]) == 2
    printed = capsys.readouterr()
    assert said in printed.err and printed.out == "" and "Traceback" not in printed.err
    assert not Path("out").exists()


def test_motions_that_cannot_be_used_are_told(capsys) -> None:
    Path("takes").mkdir()
    Path("takes/broken.bvh").write_text("HIERARCHY")
    assert main(["clips", "-o", "clips", *SMALL, "--motions", "takes", "generated"]) == 1
    assert "skipped: takes/broken.bvh" in capsys.readouterr().err
