"""What the pictures of a film show."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from kinema import Motion, Skeleton
from kinema.character import Character, Mesh
from kinema.errors import KinemaError
from kinema.rendering import bodies
from kinema.rendering.film.camera_work import CameraWork
from kinema.rendering.film.film import SHOWN, Film, FilmSettings
from kinema.rendering.film.performance import Shot
from kinema.terrain import Plane, Union, stairs


@pytest.fixture(autouse=True)
def cheap(monkeypatch: pytest.MonkeyPatch, puppet) -> None:
    """Bodies that take no time to make."""
    monkeypatch.setattr(bodies, "build_mannequin", lambda skeleton, motion=None: puppet(skeleton))


def shot_of(skeleton: Skeleton, frames: int = 90) -> Shot:
    moved = np.tile(skeleton.rest_translations, (frames, 1, 1)).astype(np.float32)
    moved[:, 0, 2] += np.arange(frames) / 10
    turned = np.tile(skeleton.rest_rotations, (frames, 1, 1))
    motion = Motion.create(skeleton, turned, moved, fps=30, name="walk")
    return Shot("walk", skeleton, motion)


@pytest.mark.parametrize(
    ("changes", "count", "first", "last"),
    [
        ({}, 90, 0.0, 89 / 30),
        ({"fps": 10.0}, 30, 0.0, 2.9),
        ({"start": 1.0, "stop": 2.0}, 30, 1.0, 59 / 30),
        ({"stop": 99.0}, 90, 0.0, 89 / 30),
        ({"stop": 0.001}, 1, 0.0, 0.0),
    ],
)
def test_times(biped: Skeleton, changes, count: int, first: float, last: float):
    film = Film(shot_of(biped), FilmSettings(64, 36, **changes))
    assert len(film) == count
    np.testing.assert_allclose([film.times[0], film.times[-1]], [first, last])


@pytest.mark.parametrize("changes", [{"start": 3.0}, {"start": 5.0}, {"start": 2.0, "stop": 1.0}, {"stop": 0.0}])
def test_nothing_in_between_is_one_line(biped: Skeleton, changes):
    with pytest.raises(KinemaError, match=r"'walk' lasts 3\.00 s: nothing lies between"):
        Film(shot_of(biped), FilmSettings(64, 36, **changes))


def test_pictures_hold_the_pose_of_their_time_and_of_the_one_before(biped: Skeleton):
    film = Film(shot_of(biped), FilmSettings(64, 36, fps=15))
    for number in (0, 1, 7, 44):
        view = film.view(number)
        (instances,) = view.instances
        wanted = film.performance.poses(film.times[[max(number - 1, 0), number]]).global_positions
        assert instances.previous is not None and view.previous_camera is not None
        np.testing.assert_allclose(instances.pose.global_positions[0], wanted[1], atol=1e-6)
        np.testing.assert_allclose(instances.previous.global_positions[0], wanted[0], atol=1e-6)
        before = film.camera(float(film.times[max(number - 1, 0)]))
        np.testing.assert_array_equal(view.previous_camera.position, before.position)
    at, viewed = (view.instances[0].pose.global_positions for view in (film.at(1.0), film.view(15)))
    np.testing.assert_array_equal(at, viewed)


def test_what_does_not_move_turns_around(biped: Skeleton):
    film = Film(Shot("rest", biped), FilmSettings(64, 36))
    assert len(film) == 180
    assert np.linalg.norm(film.view(0).camera.position - film.view(90).camera.position) > 1.0
    assert len(Film(Shot("rest", biped), FilmSettings(64, 36, stop=12.0))) == 360


def test_a_sheet_does_not_lie_in_the_floor_itself():
    corners = np.float32([[0, 0, 0], [1, 0, 0], [0, 0, 1]])
    sheet = Mesh("sheet", corners, np.tile(np.float32([0, 1, 0]), (3, 1)), np.uint32([[0, 2, 1]]), joint=0)
    skeleton = Skeleton.create(["root"], [-1], [[0, 0.3, 0]])
    film = Film(Shot("sheet", skeleton, None, Character("sheet", skeleton, (sheet,))), FilmSettings(64, 36))
    ground = film.at(0.0).floor
    assert ground is not None and 0.0005 < 0.3 - ground.y < 0.005


def test_floor_and_light_fit_the_body(biped: Skeleton):
    tiny = Skeleton.create(biped.names, biped.parents, biped.rest_translations * 0.01)
    large, small = (Film(Shot("rest", skeleton), FilmSettings(64, 36)) for skeleton in (biped, tiny))
    for film in (large, small):
        ground, near = film.at(0.0).floor, 0.004 * film.performance.size
        assert ground is not None and ground.y == pytest.approx(film.performance.floor, abs=near)
        assert 0.15 < ground.cell / film.performance.size < 0.6 and 5 < ground.fade / film.performance.size < 20
        toward = np.array(film.at(0.0).sun.toward)
        camera = film.at(0.0).camera
        assert toward @ -camera.ahead > 0.2 and toward[1] > 0.5, "what is filmed is lit from the camera's side"


def test_the_ground_of_a_shot_is_the_floor_around_it(biped: Skeleton):
    shot = dataclasses.replace(shot_of(biped), ground=Union((Plane(-0.2), stairs())))
    film = Film(shot, FilmSettings(64, 36, show=("contacts",)))
    view = film.at(0.5)
    assert view.floor is not None and view.floor.y == -0.2 and len(view.floor.surfaces) == 1
    assert view.draw is not None
    discs = view.draw.rows("disc")["center"]
    np.testing.assert_allclose(discs[:, 1], shot.ground.height(discs), atol=0.01)


def test_backgrounds(biped: Skeleton):
    plain = Film(shot_of(biped), FilmSettings(64, 36, background=(0.9, 0.8, 0.7))).at(0.0)
    assert plain.sky.backdrop == (0.9, 0.8, 0.7, 1.0) and plain.floor is not None
    assert plain.floor.color == (0.9, 0.8, 0.7) and not plain.floor.catcher
    clear = Film(shot_of(biped), FilmSettings(64, 36, transparent=True)).at(0.0)
    assert clear.sky.backdrop == (0, 0, 0, 0) and clear.floor is not None and clear.floor.catcher


def test_what_is_shown_besides(biped: Skeleton):
    assert Film(shot_of(biped), FilmSettings(64, 36)).at(0.0).draw is None
    for name in SHOWN:
        draw = Film(shot_of(biped), FilmSettings(64, 36, show=(name,))).at(1.0).draw
        assert draw is not None and not draw.empty
    captioned = Film(shot_of(biped), FilmSettings(64, 36, caption="hello")).at(0.0).draw
    assert captioned is not None and not captioned.empty
    with pytest.raises(KinemaError, match="'bones' cannot be shown; known are skeleton"):
        FilmSettings(show=("bones",))


def test_the_camera_is_as_asked(biped: Skeleton):
    film = Film(shot_of(biped), FilmSettings(64, 36, camera=CameraWork("top")))
    assert film.at(0.0).camera.ahead[1] < -0.99
