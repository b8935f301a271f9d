from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import kinema
from kinema.cli.main import main
from kinema.cli.scene import PARTS
from kinema.worlds import read_scene


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def room() -> str:
    kinema.convert_scene("room", "room.ply", seed=1, spacing=0.3)
    return "room.ply"


@pytest.mark.parametrize("part", PARTS)
def test_every_part_has_help_with_an_example(part: str, capsys) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["scene", part, "--help"])
    assert stop.value.code == 0
    out = capsys.readouterr().out
    assert f"  kinema scene {part}" in out.split("examples:", 1)[1]
    assert "--json" in out and "--debug" in out


def test_facts_of_files_as_a_table_and_as_json(data_dir: Path, capsys) -> None:
    files = [
        str(data_dir / "gaussian_splats" / name)
        for name in ("derived/biker_400_ascii.ply", "playbot_sog/6_0/meta.json")
    ]
    assert main(["scene", "info", *files]) == 0
    out = capsys.readouterr().out
    assert "400" in out and "1,873" in out and " x " in out
    assert main(["scene", "info", *files, "gone.ply", "--json"]) == 1
    rows = json.loads(capsys.readouterr().out)
    assert [row.get("splats") for row in rows] == [400, 1873, None]
    assert set(rows[0]) == {
        "path", "splats", "degree", "low_m", "high_m", "core_m", "opacity", "scale_m", "megabytes", "notes",
    }  # fmt: skip
    assert set(rows[2]) == {"path", "error"} and "no such file" in rows[2]["error"]
    assert main(["scene", "info", "gone.ply"]) == 1
    said = capsys.readouterr()
    assert said.out == "" and said.err == "refused: gone.ply: no such file\n"


def test_files_of_all_formats_are_converted(data_dir: Path, capsys) -> None:
    source = data_dir / "gaussian_splats" / "metalsplatter" / "test-splat.3-points-from-train.ply"
    for name in ("a.ply", "a.compressed.ply", "a.splat", "a.spz"):
        assert main(["scene", "convert", str(source), name]) == 0
        assert len(read_scene(name)) == 3
    assert capsys.readouterr().out.splitlines() == ["a.ply", "a.compressed.ply", "a.splat", "a.spz"]


def test_changes_are_made_and_said_line_by_line(room: str, capsys) -> None:
    steps = ["--crop", "-2,-1,-2,2,1,2", "--scale", "2", "--turn", "-90", "--move", "-1,0,2", "--degree", "0"]
    assert main(["scene", "convert", room, "out.ply", *steps]) == 0
    said = capsys.readouterr()
    assert said.out == "out.ply\n"
    assert [line.partition(" ")[0] for line in said.err.splitlines()[:-1]] == [
        "cropped:", "scaled", "turned", "moved", "colours:",
    ]  # fmt: skip
    before = read_scene(room).means
    kept = before[(np.abs(before) <= [2, 1, 2]).all(axis=1)]
    np.testing.assert_allclose(read_scene("out.ply").means, 2 * kept[:, [2, 1, 0]] * [-1, 1, 1] + [-1, 0, 2], atol=1e-5)
    assert main(["scene", "convert", room, "same.ply", *steps[:1], "-2,-1,-2,2,1,2", "--move=-1,0,2", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["splats"] == len(kept) and report["outputs"] == ["same.ply"] and len(report["steps"]) == 2


def test_nothing_is_overwritten_without_force(room: str, capsys) -> None:
    data = Path(room).read_bytes()
    for command in (["convert", room, room], ["make", "room", "-o", room], ["render", room, "-o", room]):
        assert main(["scene", *command]) == 1
        assert "--force" in capsys.readouterr().err
    assert Path(room).read_bytes() == data
    assert main(["scene", "convert", room, room, "--crop", "-2,-1,-2,2,1,2", "--force"]) == 0
    assert Path(room).stat().st_size < len(data)


def test_names_of_things_beside_another_scene_are_kept_without_force(room: str, capsys) -> None:
    assert main(["scene", "convert", room, "room.spz"]) == 0  # the same things
    things = Path("room.things.json").read_bytes()
    assert main(["scene", "convert", room, "room.splat", "--move", "1,0,0"]) == 1
    assert "room.things.json exists; give --force" in capsys.readouterr().err
    assert Path("room.things.json").read_bytes() == things and not Path("room.splat").exists()
    assert main(["scene", "convert", room, "room.splat", "--move", "1,0,0", "--force"]) == 0
    assert Path("room.things.json").read_bytes() != things


def test_worlds_and_meshes_become_files(data_dir: Path, capsys) -> None:
    assert main(["scene", "make", "park", "-o", "folder/park.ply", "--seed", "5", "--spacing", "0.3"]) == 0
    np.testing.assert_allclose(
        read_scene("folder/park.ply").means, kinema.scene("park", seed=5, spacing=0.3).means, atol=1e-6
    )
    mesh = data_dir / "characters" / "threejs" / "CesiumMan" / "CesiumMan.glb"
    assert main(["scene", "make", str(mesh), "-o", "man.spz", "--spacing", "0.05", "--json"]) == 0
    assert json.loads(capsys.readouterr().out.partition("\n")[2])["splats"] == len(read_scene("man.spz"))
    assert main(["scene", "make", "man.spz", "-o", "other.ply"]) == 2
    assert "kinema scene convert" in capsys.readouterr().err


def test_pictures_and_films_are_drawn(room: str, capsys) -> None:
    pytest.importorskip("av", reason="av is not installed: pip install 'kinema[render]'")
    assert (
        main(["scene", "render", room, "-o", "room.png", "--size", "64x48", "--eye", "-1,2,-2", "--target", "0,1,0"])
        == 0
    )
    assert Image.open("room.png").size == (64, 48)
    for name in ("room.mp4", "room.webm", "room.gif"):
        options = ["--size", "32x32", "--seconds", "0.2", "--fps", "20", "--json"]
        capsys.readouterr()
        assert main(["scene", "render", room, "-o", name, *options]) == 0
        report = json.loads(capsys.readouterr().out)
        assert report["frames"] == 4 and report["outputs"] == [name] and Path(name).stat().st_size > 100
    with Image.open("room.gif") as film:
        assert getattr(film, "n_frames", 1) == 4


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ([], 2, "PART"),
        (["fix"], 2, "'info', 'convert', 'make', 'render'"),
        (["convert", "room.ply", "a.obj"], 2, "scenes are written as"),
        (["convert", "room.ply", "a.ply", "--crop", "1,2"], 2, "not 6 numbers of metres such as"),
        (["convert", "room.ply", "a.ply", "--move", "1,2,up"], 2, "not a number of metres"),
        (["convert", "room.ply", "a.ply", "--degree", "4"], 2, "choose from"),
        (["convert", "room.ply", "a.ply", "--scale", "0"], 2, "not a number above 0"),
        (["convert", "gone.ply", "a.ply"], 1, "gone.ply: no such file"),
        (["make", "moon", "-o", "a.ply"], 2, "give a world (room, street"),
        (["make", "street", "-o", "a.ply", "--spacing", "1e-5"], 1, "space them"),
        (["render", "room.ply", "-o", "a.png", "--seconds", "3"], 2, "those of a film"),
        (["render", "room.ply", "-o", "a.png", "--eye", "1,2,3"], 2, "--eye and --target go together"),
        (["render", "room.ply", "-o", "a.tiff"], 1, "unknown kind of picture"),
        (["render", "room.ply", "-o", "a.png", "--fov", "180"], 2, "1 to 170 degrees"),
        (["info", "room.ply", "--clean"], 2, "`kinema scene info --help`"),
    ],
)
def test_bad_input_is_one_clear_line(arguments: list[str], code: int, said: str, room: str, capsys) -> None:
    before = sorted(Path().iterdir())
    assert main(["scene", *arguments]) == code
    printed = capsys.readouterr()
    assert printed.out == "" and printed.err.count("\n") == 1 and said in printed.err
    assert sorted(Path().iterdir()) == before


def test_options_of_every_command_stand_before_the_part_too(room: str, capsys) -> None:
    assert main(["scene", "--json", "info", room]) == 0
    assert json.loads(capsys.readouterr().out)[0]["path"] == room


def test_a_fit_says_what_it_needs(tmp_path: Path, capsys) -> None:
    assert main(["scene", "fit", str(tmp_path), "-o", "a.ply"]) == 1
    assert "has no cameras" in capsys.readouterr().err
    assert main(["scene", "fit", str(tmp_path), "-o", "a.txt"]) != 0
    assert "scenes are written as" in capsys.readouterr().err
    assert main(["scene", "fit", str(tmp_path), "-o", "a.ply", "--holdout", "1"]) == 2
    assert "a whole number from 2 on" in capsys.readouterr().err


def test_scenes_are_shown(room: str, capsys) -> None:
    pytest.importorskip("viser")
    assert main(["scene", "view", room, "park", "--port", "0", "--seconds", "0.3", "--json"]) == 0
    said = capsys.readouterr()
    assert json.loads(said.out)["files"] == 2 and "http://" in said.err
    assert main(["scene", "view", "gone.ply"]) == 1
    assert "gone.ply: no such file" in capsys.readouterr().err
