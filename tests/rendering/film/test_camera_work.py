"""Where the camera stands: what must be in the picture is, and the camera is calm."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Motion, Skeleton, rotations
from kinema.errors import KinemaError
from kinema.rendering import bodies
from kinema.rendering.film.camera_work import KINDS, CameraWork, default_kind, plan, still_seconds
from kinema.rendering.film.performance import Performance, Shot

WIDTH, HEIGHT = 320, 180


@pytest.fixture(autouse=True)
def cheap(monkeypatch: pytest.MonkeyPatch, puppet) -> None:
    """Bodies that take no time to make."""
    monkeypatch.setattr(bodies, "build_mannequin", lambda skeleton, motion=None: puppet(skeleton))


def performed(skeleton: Skeleton, way, turns=None, frames: int = 300) -> Performance:
    """A body at `way` (`[F, 3]` metres from rest) that faces `turns` (`[F]` radians)."""
    turned = np.tile(skeleton.rest_rotations, (frames, 1, 1)).astype(np.float32)
    if turns is not None:
        turned[:, 0] = rotations.from_yaw(np.asarray(turns, np.float32))
    moved = np.tile(skeleton.rest_translations, (frames, 1, 1)).astype(np.float32)
    moved[:, 0] += way
    return Performance(Shot("x", skeleton, Motion.create(skeleton, turned, moved, fps=30)))


def straight(frames: int = 300, speed: float = 1.5) -> np.ndarray:
    return np.stack([0 * np.arange(frames), 0 * np.arange(frames), speed * np.arange(frames) / 30], axis=-1)


def seen(performance: Performance, work: CameraWork, time: float, aspect: float = WIDTH / HEIGHT):
    camera = plan(performance, work, aspect, performance.seconds or 6.0)(time)
    number = int(np.argmin(np.abs(performance.surface_times - time)))
    return camera, camera.project(performance.surface[number], WIDTH, round(WIDTH / aspect))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("aspect", [16 / 9, 0.6])
def test_the_whole_body_is_in_the_picture_all_the_time(biped: Skeleton, kind: str, aspect: float):
    made = performed(biped, straight(), 0.4 * np.sin(np.arange(300) / 40))
    work = CameraWork(kind)
    camera = plan(made, work, aspect, made.seconds)
    height = WIDTH / aspect
    shares = []
    for time, points in zip(made.surface_times, made.surface, strict=True):
        at = camera(time)
        pixels = at.project(points, WIDTH, round(height))
        assert (pixels[:, 2] > at.near).all() and (pixels[:, 2] < at.far).all()
        assert pixels[:, 0].min() > 0 and pixels[:, 0].max() < WIDTH
        assert pixels[:, 1].min() > 0 and pixels[:, 1].max() < height
        shares.append(max(np.ptp(pixels[:, 0]) / WIDTH, np.ptp(pixels[:, 1]) / height))
    assert np.median(shares) > (0.05 if kind == "fixed" else 0.5), "too small"


def test_a_clip_in_place_is_filmed_by_a_camera_that_stands(biped: Skeleton):
    sway = 0.05 * np.sin(np.arange(300)[:, None] / 20) * np.array([1, 0, 0])
    camera = plan(performed(biped, sway), CameraWork(), 16 / 9, 10.0)
    np.testing.assert_array_equal(camera(0.0).position, camera(7.3).position)


def test_a_single_picture_is_filled_by_its_own_pose(biped: Skeleton):
    made = performed(biped, straight(speed=0.2))
    work = CameraWork(azimuth=np.pi / 2, moment=made.seconds)
    _, pixels = seen(made, work, made.seconds)
    low, high = pixels[:, :2].min(axis=0), pixels[:, :2].max(axis=0)
    assert abs((low[0] + high[0]) / 2 - WIDTH / 2) < 4
    assert 0.7 < max((high - low) / (WIDTH, HEIGHT)) < 1


def test_following_is_calm_and_without_lag(biped: Skeleton):
    stop_and_go = np.cumsum(np.where(np.arange(300) // 60 % 2, 0.0, 2.0 / 30))[:, None] * np.array([0, 0, 1])
    camera = plan(performed(biped, stop_and_go), CameraWork(), 16 / 9, 10.0)
    times = np.arange(0.5, 9.5, 1 / 60)
    places = np.stack([camera(time).position for time in times])
    speeds = np.linalg.norm(np.diff(places, axis=0), axis=1) * 60
    assert speeds.max() < 2.3 and np.abs(np.diff(speeds)).max() * 60 < 4.0, "jerks"
    walking = performed(biped, straight())
    steady = plan(walking, CameraWork(), 16 / 9, 10.0)
    offset = np.stack([steady(time).position[2] - 1.5 * time for time in np.arange(0.0, 9.9, 0.1)])
    assert np.ptp(offset) < 0.05, "lags behind or runs ahead at the ends"


def test_jumps_do_not_move_the_camera_but_stairs_do(biped: Skeleton):
    time = np.arange(300) / 30
    jump = np.maximum(0.5 * np.sin(3 * time), 0)[:, None] * np.array([0, 1, 0]) + straight()
    camera = plan(performed(biped, jump), CameraWork(), 16 / 9, 10.0)
    assert np.ptp([camera(t).position[1] for t in time]) < 1e-6
    climb = 0.8 * time[:, None] * np.array([0, 1, 0])
    camera = plan(performed(biped, climb), CameraWork(), 0.3, 10.0)
    assert np.ptp([camera(t).position[1] for t in time]) > 5.0


@pytest.mark.parametrize(("kind", "side"), [("front", (0, 1)), ("side", (1, 0)), ("third", (0, -1))])
@pytest.mark.parametrize("turn", [0.0, 2.0])
def test_views_are_from_where_they_say(biped: Skeleton, kind: str, side: tuple[int, int], turn: float):
    made = performed(biped, np.zeros((300, 3)), np.full(300, turn))
    camera, _ = seen(made, CameraWork(kind), 1.0)
    left, ahead = np.array([np.cos(turn), -np.sin(turn)]), np.array([np.sin(turn), np.cos(turn)])
    way = camera.position[[0, 2]] / np.linalg.norm(camera.position[[0, 2]])
    np.testing.assert_allclose([way @ left, way @ ahead], side, atol=0.05)


def test_angles_are_taken_as_given(biped: Skeleton):
    made = performed(biped, np.zeros((300, 3)))
    camera, _ = seen(made, CameraWork("follow", np.pi / 2, 0.5), 1.0)
    assert camera.ahead[0] == pytest.approx(-np.cos(0.5), abs=1e-6)
    assert camera.ahead[1] == pytest.approx(-np.sin(0.5), abs=1e-6)
    above, _ = seen(made, CameraWork("top"), 1.0)
    assert above.ahead[1] == pytest.approx(-1.0, abs=1e-6)


def test_orbits_close(biped: Skeleton):
    made = Performance(Shot("x", biped))
    assert default_kind(made) == "orbit" and still_seconds(made) > 2
    camera = plan(made, CameraWork("orbit"), 1.0, 6.0)
    np.testing.assert_allclose(camera(0.0).position, camera(6.0).position, atol=1e-6)
    np.testing.assert_allclose(camera(1.5).ahead[[0, 2]], -camera(4.5).ahead[[0, 2]], atol=1e-6)


def test_one_wild_frame_does_not_make_the_body_small(biped: Skeleton):
    wild = straight(speed=0.0)
    wild[150:152] += [40.0, 0, 0]
    calm, shaken = (seen(performed(biped, way), CameraWork("follow", 0.5), 1.0)[1] for way in (0 * wild, wild))
    assert np.ptp(shaken[:, 1]) > 0.5 * np.ptp(calm[:, 1])


def test_size_does_not_matter(biped: Skeleton):
    tiny = Skeleton.create(biped.names, biped.parents, biped.rest_translations * 1e-3)
    pictures = [seen(Performance(Shot("x", skeleton)), CameraWork("side"), 0.0)[1] for skeleton in (biped, tiny)]
    np.testing.assert_allclose(np.ptp(pictures[0][:, 1]), np.ptp(pictures[1][:, 1]), rtol=0.05)


def test_cameras_that_are_none():
    with pytest.raises(KinemaError, match=r"no camera 'sideways'; there are follow, orbit"):
        CameraWork("sideways")
