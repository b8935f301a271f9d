"""`kinema render`."""

from __future__ import annotations

import json
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from kinema import Asset, Character, Motion, Skeleton, rotations, save
from kinema.character import Mesh
from kinema.cli.main import main
from kinema.errors import MissingError
from kinema.mocap import MotionDatabase
from kinema.rendering import bodies
from kinema.rendering.film import shoot
from kinema.rendering.film.film import Film


class Easel:
    """A renderer that needs no graphics: it draws the joints."""

    info, timings = "easel", {"squares": 1.0}

    def __init__(self, width: int, height: int) -> None:
        self.size = width, height

    def render(self, view, buffers=("color",)):
        import types

        width, height = self.size
        color = np.full((height, width, 4), 220, np.uint8)
        color[..., 3] = 0 if view.sky.backdrop and view.sky.backdrop[3] == 0 else 255
        for x, y, _ in view.camera.project(view.instances[0].pose.global_positions[0], width, height):
            color[max(int(y) - 1, 0) : int(y) + 1, max(int(x) - 1, 0) : int(x) + 1] = (200, 60, 30, 255)
        return types.SimpleNamespace(color=color, depth=np.ones((height, width), np.float32))


def puppet(skeleton: Skeleton, motion: Motion | None = None) -> Character:
    corner = np.float32([[0.05, 0, 0], [0, 0.05, 0], [0, 0, 0.05]])
    meshes = [
        Mesh(str(joint), corner, corner, np.uint32([[0, 1, 2]]), joint=joint) for joint in range(skeleton.joint_count)
    ]
    return Character("puppet", skeleton, tuple(meshes))


@pytest.fixture(autouse=True)
def place(biped: Skeleton, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with a clip, a character and no graphics."""
    monkeypatch.chdir(tmp_path)
    swing = np.zeros((30, biped.joint_count, 3), np.float32)
    swing[:, 1:, 0] = 0.1 * np.sin(np.arange(30) / 4)[:, None]
    walk = Motion.create(biped, rotations.exp(swing), fps=30, name="walk")
    save(walk, "walk.bvh")
    save(Asset("", "gltf", biped, (walk, walk.cut(0, 15).replace(name="run")), puppet(biped)), "person.glb")

    @contextmanager
    def opened(width: int, height: int, quality: str, profile: bool):
        yield Easel(width, height)

    for module in ("film.shoot", "renderer"):
        monkeypatch.setattr(f"kinema.rendering.{module}.Renderer", opened)
    monkeypatch.setattr(bodies, "build_mannequin", puppet)


def run(*arguments: str) -> int:
    return main(["render", "--size", "64x36", *arguments])


def read(path: str) -> np.ndarray:
    with Image.open(path) as image:
        return np.asarray(image)


def test_json_is_one_object(capsys):
    pytest.importorskip("av")
    assert run("walk.bvh", "-o", "walk.mp4", "--json") == 0
    result = json.loads(capsys.readouterr().out)
    assert set(result) == {
        "frames",
        "wall_seconds",
        "frames_per_second",
        "renderer",
        "passes",
        "outputs",
        "skipped",
        "failed",
    }
    assert (result["frames"], result["outputs"], result["renderer"]) == (30, ["walk.mp4"], "easel")
    assert result["passes"] == {"squares": 1.0} and result["failed"] == []


@pytest.mark.parametrize(
    ("arguments", "made"),
    [
        (["walk.bvh", "-o", "a.gif"], ["a.gif"]),
        (["walk.bvh", "-o", "a.webm", "--transparent"], ["a.webm"]),
        (["walk.bvh", "-o", "a.png", "--still", "0.5"], ["a.png"]),
        (["walk.bvh", "-o", "a.png", "--sheet", "4", "--transparent"], ["a.png"]),
        (["walk.bvh", "-o", "a_%02d.png", "--seconds", "0.1"], ["a_00.png", "a_01.png", "a_02.png"]),
        (["walk.bvh", "-o", "a", "--start", "0.9"], ["a/frame_00000.png", "a/frame_00001.png", "a/frame_00002.png"]),
        (
            ["walk.bvh", "-o", "a", "--fps", "2", "--buffers", "depth"],
            ["a/frame_00000.png", "a/frame_00001.png", "a_buffers/00000.npz", "a_buffers/00001.npz"],
        ),
        (["walk.bvh", "person.glb", "-o", "a.png", "--side-by-side"], ["a.png"]),
        (["walk.bvh", "person.glb", "-o", "a", "--to", "png"], ["a/person.png", "a/walk.png"]),
        (["walk.bvh", "--character", "person.glb", "-o", "a.png"], ["a.png"]),
    ],
)
def test_what_is_made(arguments: list[str], made: list[str], tmp_path: Path):
    if arguments[2].endswith((".gif", ".webm", ".mp4")):
        pytest.importorskip("av")
    assert run(*arguments) == 0
    files = [str(path.relative_to(tmp_path)) for path in sorted(tmp_path.rglob("*")) if path.is_file()]
    assert [name for name in files if name not in ("walk.bvh", "person.glb")] == made


def test_transparent_pictures_have_nothing_behind():
    assert run("walk.bvh", "-o", "a.png", "--transparent") == 0
    assert read("a.png").shape == (36, 64, 4) and (read("a.png")[..., 3] == 0).mean() > 0.5


def test_clips(capsys):
    assert run("person.glb", "-o", "a", "--clip", "run", "--fps", "30") == 0
    assert run("person.glb", "-o", "b", "--clip", "1", "--fps", "30") == 0
    assert len(list(Path("a").iterdir())) == len(list(Path("b").iterdir())) == 15
    assert "first of 2 clips" not in capsys.readouterr().err
    assert run("person.glb", "-o", "c", "--fps", "30") == 0
    assert len(list(Path("c").iterdir())) == 30 and "first of 2 clips" in capsys.readouterr().err
    assert run("person.glb", "-o", "d", "--clip", "fly") == 1
    assert "has no clip 'fly'; there are walk, run" in capsys.readouterr().err


def test_databases(biped: Skeleton):
    from kinema import load_motion

    MotionDatabase.from_motions([load_motion("walk.bvh")]).save("db")
    assert run("db", "-o", "a.png") == 0 and read("a.png").shape == (36, 64, 3)


def test_folders_are_made_where_there_are_none():
    assert run("walk.bvh", "-o", "films/first/pose.png") == 0
    assert Path("films/first/pose.png").is_file()


def test_a_folder_that_cannot_be_made_is_one_line(capsys):
    assert run("walk.bvh", "-o", "walk.bvh/pose.png") == 1
    said = capsys.readouterr().err.strip()
    assert said.startswith("kinema: error: walk.bvh") and "\n" not in said


def test_what_fails_while_it_is_filmed_is_listed_by_its_path(biped: Skeleton, capsys):
    Path("sub").mkdir()
    still = np.broadcast_to(np.float32([1, 0, 0, 0]), (3, biped.joint_count, 4))
    save(Motion.create(biped, still, fps=30, name="short"), "sub/short.bvh")
    assert run("walk.bvh", "sub/short.bvh", "-o", "out", "--to", "png", "--start", "0.5", "--json") == 1
    assert [entry["path"] for entry in json.loads(capsys.readouterr().out)["failed"]] == ["sub/short.bvh"]


def test_one_of_many_that_fails_does_not_stop_the_others(capsys):
    Path("bad.bvh").write_text("nonsense")
    assert run("walk.bvh", "bad.bvh", "person.glb", "-o", "out", "--to", "png", "--json") == 1
    result = json.loads(capsys.readouterr().out)
    assert sorted(result["outputs"]) == ["out/person.png", "out/walk.png"]
    assert [entry["path"] for entry in result["failed"]] == ["bad.bvh"]


def test_an_error_of_the_program_does_not_stop_the_others_either(monkeypatch: pytest.MonkeyPatch, capsys):
    views = Film.view

    def trip(film: Film, number: int):
        if film.performance.shot.title == "person.glb":
            raise AttributeError("faces")
        return views(film, number)

    monkeypatch.setattr(Film, "view", trip)
    assert run("person.glb", "walk.bvh", "-o", "out", "--to", "gif", "--json") == 1
    result = json.loads(capsys.readouterr().out)
    assert result["outputs"] == ["out/walk.gif"]
    assert result["failed"] == [{"path": "person.glb", "reason": "person.glb: AttributeError: faces"}]


def test_files_of_one_stem_go_to_files_of_their_own(capsys):
    Path("walk.glb").write_bytes(Path("person.glb").read_bytes())
    Path("sub").mkdir()
    Path("sub/walk.bvh").write_bytes(Path("walk.bvh").read_bytes())
    Path("sub/walk (1).bvh").write_bytes(Path("walk.bvh").read_bytes())
    assert run("walk.bvh", "walk.glb", "sub", "-o", "out", "--to", "png", "--json") == 0
    outputs = json.loads(capsys.readouterr().out)["outputs"]
    assert outputs == ["out/walk.png", "out/walk.glb.png", "out/walk_1.png", "out/walk.bvh.png"]
    assert all(Path(output).is_file() for output in outputs)


def test_an_interrupted_folder_goes_on(capsys):
    assert run("walk.bvh", "-o", "out", "--to", "png") == 0
    before = Path("out/walk.png").stat().st_mtime_ns
    capsys.readouterr()
    assert run("walk.bvh", "person.glb", "-o", "out", "--to", "png", "--json") == 0
    result = json.loads(capsys.readouterr().out)
    assert result["outputs"] == ["out/person.png"] and result["skipped"] == ["out/walk.png"]
    assert run("walk.bvh", "person.glb", "-o", "out", "--to", "png") == 0
    assert "2 outputs existed already" in capsys.readouterr().err
    assert Path("out/walk.png").stat().st_mtime_ns == before
    assert run("walk.bvh", "-o", "out", "--to", "png", "--force") == 0
    assert Path("out/walk.png").stat().st_mtime_ns != before


@pytest.mark.parametrize("name", ["a.png", "a.mp4", "a", "a_%d.png"])
def test_nothing_is_overwritten_unasked(name: str, capsys):
    there = Path({"a": "a/frame_00000.png", "a_%d.png": "a_7.png"}.get(name, name))
    there.parent.mkdir(exist_ok=True)
    there.write_text("mine")
    assert run("walk.bvh", "-o", name) == 1
    err = capsys.readouterr().err
    assert err.count("\n") == 1 and "--force" in err and there.read_text() == "mine"
    if name != "a.mp4":
        assert run("walk.bvh", "-o", name, "--force") == 0


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["walk.bvh", "-o", "a.avi"], 1, "known are .mp4"),
        (["walk.bvh", "-o", "a.mp4", "--transparent"], 1, ".webm .gif .png"),
        (["walk.bvh", "person.glb", "-o", "a.mp4"], 2, "--side-by-side for one file"),
        (["walk.bvh", "-o", "a.mp4", "--still", "0"], 1, "a single picture is a .png"),
        (["walk.bvh", "-o", "a.png", "--still", "0", "--sheet", "3"], 2, "choose one"),
        (["walk.bvh", "-o", "a.mp4", "--seconds", "1", "--stop", "2"], 2, "choose one"),
        (["walk.bvh", "-o", "a", "--to", "png", "--side-by-side"], 2, "--to one for each input"),
        (["walk.bvh", "-o", "a.mp4", "--start", "9"], 1, "lasts 1.00 s"),
        (["walk.bvh", "-o", "a.mp4", "--show", "bones"], 1, "known are skeleton"),
        (["walk.bvh", "-o", "a", "--buffers", "albedo"], 1, "there are depth"),
        (["walk.bvh", "-o", "a", "--buffers", "motion", "--buffers-as", "png"], 1, "npz"),
        (["gone.bvh", "-o", "a.mp4"], 1, "gone.bvh"),
        (["walk.bvh", "--character", "walk.bvh", "-o", "a.png"], 1, "no character"),
    ],
)
def test_what_does_not_fit_is_one_line(arguments: list[str], code: int, said: str, capsys, tmp_path: Path):
    before = sorted(tmp_path.rglob("*"))
    assert run(*arguments) == code
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1 and said in err, err
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize(
    "arguments",
    [
        ["--size", "0x10"],
        ["--size", "big"],
        ["--size", "99999x10"],
        ["--fps", "0"],
        ["--start", "-1"],
        ["--crf", "99"],
        ["--azimuth", "north"],
        ["--background", "beige-ish"],
        ["--quality", "best"],
        ["--camera", "drone"],
        ["--sheet", "0"],
    ],
)
def test_values_that_are_none_are_refused(arguments: list[str], capsys):
    assert main(["render", "walk.bvh", "-o", "a.png", *arguments]) == 2
    said = capsys.readouterr().err
    assert arguments[0] in said and said.count("\n") == 1


def test_options_reach_the_film(monkeypatch: pytest.MonkeyPatch):
    seen = []
    whole = Film.__init__

    def watch(self, take, settings) -> None:
        seen.append(settings)
        whole(self, take, settings)

    monkeypatch.setattr(Film, "__init__", watch)
    options = "--camera orbit --azimuth 90 --elevation -10 --fps 12 --background #ff0080 --show skeleton,names"
    assert run("walk.bvh", "-o", "a.png", *options.split(), "--start", "0.2", "--seconds", "0.5") == 0
    (settings,) = seen
    assert settings.camera.kind == "orbit" and settings.camera.azimuth == pytest.approx(np.pi / 2)
    assert settings.camera.elevation == pytest.approx(-0.1745, abs=1e-3)
    assert (settings.fps, settings.start, settings.stop, settings.show) == (12, 0.2, 0.7, ("skeleton", "names"))
    np.testing.assert_allclose(settings.background, [1.0, 0.0, 0.2159], atol=1e-3)


def test_without_graphics_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch, capsys, tmp_path: Path):
    @contextmanager
    def missing(width: int, height: int, quality: str, profile: bool):
        raise MissingError("no OpenGL: apt-get install libegl1 libgl1-mesa-dri")
        yield

    monkeypatch.setattr(shoot, "Renderer", missing)
    before = sorted(tmp_path.rglob("*"))
    assert run("walk.bvh", "-o", "a.png") == 1
    assert capsys.readouterr().err == "kinema: error: no OpenGL: apt-get install libegl1 libgl1-mesa-dri\n"
    assert sorted(tmp_path.rglob("*")) == before


@pytest.fixture
def graphics() -> None:
    """Skips where there is nothing to draw with."""
    from kinema.rendering.context import probe

    try:
        probe()
    except MissingError as error:
        pytest.skip(str(error))


def test_the_real_renderer_shows_a_body_on_a_floor(graphics, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.undo()
    made = str(tmp_path / "real.png")
    assert (
        main(
            [
                "render",
                str(tmp_path / "walk.bvh"),
                "-o",
                made,
                "--size",
                "160x120",
                "--quality",
                "draft",
                "--background",
                "#ffffff",
            ]
        )
        == 0
    )
    picture = read(made).astype(int)
    middle, border = picture[20:100, 60:100], picture[:8]
    assert np.ptp(border.reshape(-1, 3), axis=0).max() < 40, "the distance is even"
    assert np.abs(middle - border.reshape(-1, 3).mean(axis=0)).max(axis=-1).max() > 80, "no body"
