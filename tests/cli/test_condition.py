"""`kinema condition`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import kinema
from kinema.cli.main import main
from kinema.errors import MissingError
from kinema.mocap.creatures import make_creature


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with a walk."""
    from kinema.rendering.context import probe

    try:
        probe()
    except MissingError as error:
        pytest.skip(str(error))
    monkeypatch.chdir(tmp_path)
    kinema.save(kinema.perform(script=[kinema.Segment("walk", 1.0)], fps=30.0, name="walk"), "walk.bvh")


def run(*arguments: str) -> int:
    small = ["--size", "64x96", "--frames", "2", "--quality", "draft"]
    return main(["condition", "mannequin", "--motion", "walk.bvh", *small, *arguments])


def test_json_is_one_object_and_a_second_call_draws_nothing(capsys) -> None:
    assert run("-o", "pack", "--maps", "pose, depth", "--json") == 0
    report = json.loads(capsys.readouterr().out)
    assert report["frames"] == report["drawn"] == 2 and report["maps"] == ["pose", "depth"] and not report["faults"]
    assert Path("pack/pose/00001.png").is_file()
    assert run("-o", "pack", "--maps", "pose,depth") == 0
    printed = capsys.readouterr()
    assert printed.out == "pack\n" and "2 of them were there already" in printed.err


def test_errors_are_one_line(capsys) -> None:
    Path("full").mkdir()
    Path("full/a.txt").write_text("a")
    assert run("-o", "full", "--maps", "mask") == 1
    assert run("-o", "pack", "--for", "vace") == 2  # 2 frames are not 4n + 1
    assert run("-o", "pack", "--maps", "flow") == 2
    assert run("-o", "pack", "--for", "sora") == 2
    kinema.save(kinema.Character("wolf", make_creature("wolf").skeleton), "wolf.glb")
    assert main(["condition", "wolf.glb", "--motion", "walk.bvh", "-o", "pack"]) == 1
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 5 and all(line.startswith("kinema: error: ") for line in lines)
    assert not Path("pack").exists()


def test_the_help_names_targets_and_maps(capsys) -> None:
    with pytest.raises(SystemExit):
        main(["condition", "--help"])
    shown = capsys.readouterr().out
    for word in ("wan-animate", "comfyui", "normals", "--motion", "--for"):
        assert word in shown


def test_where_a_body_is_needs_a_scene_and_one_thing_says_what_it_does(capsys, tmp_path) -> None:
    pack = str(tmp_path / "pack")
    for arguments, said in (
        (["--motion", "walk.bvh", "--at", "1,2"], "give --scene too"),
        (["--scene", "street", "--motion", "walk.bvh", "--speed", "2"], "--speed is that of a walk along --path"),
        (["--points", "none.json", "--motion", "walk.bvh"], "not allowed with"),
        ([], "say what the body does with one of these"),
        (["--points", str(tmp_path / "none.json")], "No such file"),
    ):
        assert main(["condition", "mannequin", *arguments, "-o", pack]) != 0
        assert said in capsys.readouterr().err
