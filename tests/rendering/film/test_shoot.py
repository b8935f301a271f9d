"""Shots into files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from kinema import Motion, Skeleton, rotations
from kinema.errors import KinemaError
from kinema.rendering.film import shoot as shooting
from kinema.rendering.film.film import FilmSettings
from kinema.rendering.film.performance import Shot
from kinema.rendering.film.shoot import RenderOptions, buffer_folder, shoot

SMALL = FilmSettings(64, 36, 10.0)


@pytest.fixture
def walk(biped: Skeleton, puppet) -> Shot:
    moved = np.tile(biped.rest_translations, (30, 1, 1)).astype(np.float32)
    moved[:, 0, 2] += np.arange(30) / 20
    motion = Motion.create(biped, np.tile(biped.rest_rotations, (30, 1, 1)), moved, fps=30, name="walk")
    return Shot("walk", biped, motion, puppet(biped))


def read(path: Path) -> np.ndarray:
    with Image.open(path) as image:
        return np.asarray(image)


def reds(pixels: np.ndarray) -> int:
    return int((np.abs(pixels[..., :3].astype(int) - (200, 60, 30)).max(axis=-1) < 4).sum())


def test_a_sequence_of_all_pictures(walk: Shot, easel, tmp_path: Path):
    seen = []
    drawing = easel(64, 36)
    report = shoot([walk], tmp_path / "out", SMALL, progress=lambda *at: seen.append(at), renderer=drawing)
    files = sorted((tmp_path / "out").iterdir())
    assert len(files) == report.frames == 10 and seen == [(number, 10) for number in range(1, 11)]
    assert all(reds(read(file)) > 20 for file in files) and read(files[0]).shape == (36, 64, 3)
    assert report.outputs == (str(tmp_path / "out"),) and report.renderer == "easel"
    assert report.passes == {"squares": 1.5} and report.frames_per_second == 10 / report.wall_seconds


@pytest.mark.parametrize("name", ["a.mp4", "a.webm", "a.gif"])
def test_films(name: str, walk: Shot, easel, tmp_path: Path):
    av = pytest.importorskip("av")
    report = shoot([walk], tmp_path / name, SMALL, renderer=easel(64, 36))
    assert report.outputs == (str(tmp_path / name),) and report.frames == 10
    with av.open(str(tmp_path / name)) as film:
        assert len(list(film.decode(video=0))) == 10


def test_a_single_picture_is_the_middle_or_the_second_asked_for(walk: Shot, easel, tmp_path: Path):
    drawing = easel(64, 36)
    shoot([walk], tmp_path / "a.png", SMALL, renderer=drawing)
    shoot([walk], tmp_path / "b.png", SMALL, RenderOptions(still=0.9), renderer=drawing)
    placed = [view.instances[0].pose.global_positions[0, 0, 2] for view in drawing.views]
    np.testing.assert_allclose(placed, [15 / 20, 27 / 20], atol=1e-5)
    assert reds(read(tmp_path / "a.png")) > 20


def test_sheets(walk: Shot, easel, tmp_path: Path):
    report = shoot([walk], tmp_path / "a.png", SMALL, RenderOptions(sheet=6), renderer=easel(64, 36))
    sheet = read(tmp_path / "a.png")
    assert report.frames == 6 and sheet.shape[0] > 2 * 36 and sheet.shape[1] > 2 * 64


def test_side_by_side(walk: Shot, easel, tmp_path: Path):
    drawing = easel(32, 36)
    shoot([walk, walk], tmp_path / "a.png", SMALL, renderer=drawing)
    picture = read(tmp_path / "a.png")
    assert picture.shape == (36, 64, 3) and reds(picture[:, :32]) > 10
    np.testing.assert_array_equal(picture[:, :32], picture[:, 32:])
    assert all(view.draw is not None and not view.draw.empty for view in drawing.views), "no titles"


def test_a_shorter_shot_waits_at_its_end(walk: Shot, biped: Skeleton, puppet, easel, tmp_path: Path):
    assert walk.motion is not None
    brief = Shot("brief", biped, walk.motion.cut(0, 15), puppet(biped))
    report = shoot([walk, brief], tmp_path / "out", SMALL, renderer=easel(32, 36))
    assert report.frames == 10


def test_transparency(walk: Shot, easel, tmp_path: Path):
    shoot([walk], tmp_path / "a.png", FilmSettings(64, 36, transparent=True), renderer=easel(64, 36))
    picture = read(tmp_path / "a.png")
    assert picture.shape[2] == 4 and picture[0, 0, 3] == 0 and (picture[..., 3] == 255).sum() == reds(picture)


def test_buffers(walk: Shot, easel, tmp_path: Path):
    order = RenderOptions(buffers=("depth", "parts"))
    report = shoot([walk], tmp_path / "walk_%04d.png", SMALL, order, renderer=easel(64, 36))
    assert report.outputs == (str(tmp_path / "walk_%04d.png"), str(tmp_path / "walk_buffers"))
    with np.load(tmp_path / "walk_buffers" / "00009.npz") as file:
        assert set(file.files) == {"depth", "parts", "view", "projection"}
        assert ((file["parts"] == 3) == np.isfinite(file["depth"])).all()
    for path, folder in (("a/walk.mp4", "a/walk_buffers"), ("out", "out_buffers"), ("%d.png", "film_buffers")):
        assert buffer_folder(path) == Path(folder)


def test_ctrl_c_leaves_nothing(walk: Shot, easel, tmp_path: Path):
    def stop(done: int, total: int) -> None:
        if done == 5:
            raise KeyboardInterrupt

    for name in ("a.mp4", "a.gif", "out"):
        if name != "out":
            pytest.importorskip("av")
        with pytest.raises(KeyboardInterrupt):
            shoot([walk], tmp_path / name, SMALL, RenderOptions(buffers=("depth",)), stop, easel(64, 36))
        assert not list(tmp_path.iterdir())


def test_same_shot_same_bytes(walk: Shot, easel, tmp_path: Path):
    pytest.importorskip("av")
    for name in ("a.mp4", "b.mp4"):
        shoot([walk], tmp_path / name, SMALL, renderer=easel(64, 36))
    assert (tmp_path / "a.mp4").read_bytes() == (tmp_path / "b.mp4").read_bytes()


@pytest.mark.parametrize(
    ("name", "shots", "order", "said"),
    [
        ("a.avi", 1, RenderOptions(), "unknown kind"),
        ("a.mp4", 0, RenderOptions(), "nothing to film"),
        ("a.mp4", 1, RenderOptions(still=0.5), r"a single picture is a \.png"),
        ("a_%d.png", 1, RenderOptions(sheet=4), "leave the number out"),
        ("a.png", 1, RenderOptions(still=7.0), "second 7 lies outside of 'walk'"),
        ("a.png", 1, RenderOptions(buffers=("depth",)), "with films and numbered pictures"),
        ("a.mp4", 2, RenderOptions(buffers=("depth",)), "buffers are of one shot"),
        ("a.png", 9, RenderOptions(), "6 pixels wide each"),
    ],
)
def test_what_does_not_fit_is_one_line(
    name: str, shots: int, order: RenderOptions, said: str, walk, easel, tmp_path: Path
):
    with pytest.raises(KinemaError, match=said) as caught:
        shoot([walk] * shots, tmp_path / name, SMALL, order, renderer=easel(64, 36))
    assert "\n" not in str(caught.value) and not list(tmp_path.iterdir())


def test_a_renderer_is_opened_and_closed(walk: Shot, easel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    from contextlib import contextmanager

    opened = []

    @contextmanager
    def fake(width: int, height: int, quality: str, profile: bool):
        opened.append((width, height, quality))
        yield easel(width, height)
        opened.append("closed")

    monkeypatch.setattr(shooting, "Renderer", fake)
    shoot([walk], tmp_path / "a.png", SMALL, RenderOptions("draft"))
    assert opened == [(64, 36, "draft"), "closed"]


def test_single_pictures_show_the_front_of_that_moment(biped: Skeleton, puppet, easel, tmp_path: Path):
    turned = np.tile(biped.rest_rotations, (60, 1, 1))
    turned[:, 0] = rotations.from_yaw(np.linspace(0, 3, 60).astype(np.float32))
    spin = Shot("spin", biped, Motion.create(biped, turned, fps=30), puppet(biped))
    rest = Shot("rest", biped, None, puppet(biped))
    for shot, second, facing in ((spin, 0.0, 0.0), (spin, 1.9, 2.9), (rest, None, 0.0)):
        drawing = easel(64, 36)
        shoot([shot], tmp_path / "a.png", SMALL, RenderOptions(still=second), renderer=drawing)
        (view,) = drawing.views
        assert -view.camera.ahead @ [np.sin(facing), 0, np.cos(facing)] > 0.6
