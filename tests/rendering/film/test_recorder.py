"""Films of what is going on."""

from __future__ import annotations

import types
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from kinema import Skeleton
from kinema.character import Character, Mesh
from kinema.engine import Eye, Figure, Name, Transform, World, run_headless
from kinema.engine import Recorder as Marked
from kinema.errors import KinemaError
from kinema.rendering.film.recorder import FilmRecorder, WorldRecorder


def flat(value: int, height: int = 8, width: int = 12) -> np.ndarray:
    return np.full((height, width, 3), value, np.uint8)


def film(folder: Path) -> list[int]:
    """The grey of each picture of a sequence."""
    return [int(np.asarray(Image.open(path))[..., 0].max()) for path in sorted(folder.glob("*.png"))]


def test_a_fixed_rate_from_pictures_that_come_as_they_like(tmp_path: Path):
    with FilmRecorder(tmp_path / "film", fps=10) as recorder:
        for time in (5.0, 5.02, 5.11, 5.5, 5.52, 5.6):
            recorder.capture(flat(round(100 * (time - 5))), time)
    # at 5.0, 5.1 (still the one of 5.02), 5.2 to 5.4 (that of 5.11), then 5.5 and 5.6 as they come
    assert film(tmp_path / "film") == [0, 2, 11, 11, 11, 50, 60]
    assert recorder.seconds == pytest.approx(0.7)


def test_due_says_when_pixels_are_needed(tmp_path: Path):
    recorder = FilmRecorder(tmp_path / "film", fps=10)
    taken = []
    for step in range(61):
        time = step / 60
        if recorder.due(time):
            recorder.capture(flat(step), time)
            taken.append(step)
    recorder.finish()
    assert taken == list(range(0, 61, 6)) and film(tmp_path / "film") == taken


def test_without_times_every_call_is_a_picture(tmp_path: Path):
    with FilmRecorder(tmp_path / "film", fps=25) as recorder:
        assert [recorder.capture(types.SimpleNamespace(color=flat(value))) for value in range(5)] == [1] * 5
    assert film(tmp_path / "film") == list(range(5))


def test_a_clock_that_is_set_back_goes_on(tmp_path: Path):
    with FilmRecorder(tmp_path / "film", fps=10) as recorder:
        for value, time in enumerate((0.0, 0.1, 0.2, 0.0, 0.1, 0.2)):
            recorder.capture(flat(value), time)
    assert film(tmp_path / "film") == [0, 1, 2, 4, 5]


@pytest.mark.parametrize(
    ("first", "later", "inside"),
    [
        ((9, 13), (9, 13), (8, 12)),
        ((8, 12), (16, 24), (8, 12)),
        ((8, 12), (8, 6), (8, 6)),
        ((8, 12), (2, 12), (2, 12)),
    ],
)
def test_a_window_that_is_resized_is_fitted_in(first, later, inside, tmp_path: Path):
    with FilmRecorder(tmp_path / "film") as recorder:
        recorder.capture(flat(200, *first))
        recorder.capture(flat(200, *later))
    pictures = [np.asarray(Image.open(path)) for path in sorted((tmp_path / "film").glob("*.png"))]
    assert [picture.shape for picture in pictures] == [(8, 12, 3)] * 2
    assert (pictures[1] == 200).all(axis=-1).sum() == inside[0] * inside[1]


def test_finish_twice_and_what_comes_after(tmp_path: Path):
    recorder = FilmRecorder(tmp_path / "film")
    recorder.capture(flat(1))
    assert recorder.finish() == recorder.finish() == [str(tmp_path / "film" / "frame_00000.png")]
    with pytest.raises(KinemaError, match="has ended"):
        recorder.capture(flat(1))
    nothing = FilmRecorder(tmp_path / "none")
    assert nothing.finish() == [] and not (tmp_path / "none").exists()


def test_trouble_leaves_nothing(tmp_path: Path):
    with pytest.raises(RuntimeError), FilmRecorder(tmp_path / "film") as recorder:
        recorder.capture(flat(1))
        raise RuntimeError
    assert not list(tmp_path.iterdir())
    with pytest.raises(KinemaError, match="unknown kind"):
        FilmRecorder(tmp_path / "film.avi")
    with pytest.raises(KinemaError, match="rate"):
        FilmRecorder(tmp_path / "film", fps=0)
    with pytest.raises(KinemaError, match=r"uint8 \[H, W"):
        FilmRecorder(tmp_path / "film").capture(np.zeros((4, 4)))


class Watch:
    """A renderer that says where the first body is, as the grey of its pictures."""

    def render(self, view, buffers=("color",)):
        return types.SimpleNamespace(color=flat(round(float(view.instances[0].pose.global_positions[0, 0, 0]) * 100)))


def scene(folder: Path, fps: float) -> tuple[World, int]:
    """A thing that moves by 1 m/s, and a camera that records."""
    from kinema.engine import system

    one = Skeleton.create(["thing"], [-1], [[0, 0, 0]])
    corner = np.zeros((3, 3), np.float32)
    body = Character("thing", one, (Mesh("m", corner, corner, np.uint32([[0, 1, 2]]), joint=0),))
    world = World(step=1 / 60)
    thing = world.spawn(Transform(), Figure(body), Name("thing"))

    @system(phase="animate", writes=(Transform,))
    def move(world: World, dt: float) -> None:
        world.get(thing, Transform).position = (world.time + dt, 0, 0)

    world.systems.add(move)
    eye = world.spawn(Transform((0, 1, 5)), Eye(), Marked(str(folder), fps))
    return world, eye


@pytest.mark.parametrize(("fps", "count"), [(20.0, 21), (25.0, 26), (60.0, 61), (120.0, 121)])
def test_a_world_is_filmed_at_any_rate(fps: float, count: int, tmp_path: Path):
    world, _ = scene(tmp_path / "film", fps)
    with WorldRecorder(Watch()) as recorder:
        recorder(world)
        run_headless(world, seconds=1.0, on_frame=recorder)
    seen = film(tmp_path / "film")
    assert len(seen) == count
    # In between two steps it is in between: the film is as even as if the world had its rate.
    np.testing.assert_allclose(seen, np.arange(count) / fps * 100, atol=2.5)
    assert recorder.outputs[0] == str(tmp_path / "film" / "frame_00000.png")


def test_a_film_ends_with_its_component(tmp_path: Path):
    world, eye = scene(tmp_path / "film", 30.0)
    recorder = WorldRecorder(Watch())
    run_headless(world, seconds=0.5, on_frame=recorder)
    world.remove(eye, Marked)
    run_headless(world, seconds=0.5, on_frame=recorder)
    assert 14 <= len(film(tmp_path / "film")) <= 16
    assert len(recorder.finish()) == len(film(tmp_path / "film"))
