"""Cameras that live: the same at any frame rate, calm in a hitch, above the ground, never upside down."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from kinema.rendering.camera import Camera
from kinema.rendering.rigs import FixedRig, FollowRig, FreeRig, OrbitRig, ThirdPersonRig

BODY = np.array([[x, y, z] for x in (-0.4, 0.4) for y in (0.0, 1.75) for z in (-0.3, 0.3)])


def way(time: float) -> np.ndarray:
    """Someone runs a wide bend."""
    return np.array([3 * np.sin(0.8 * time), 0.0, 3.0 * time])


def heading(time: float) -> float:
    return float(np.arctan2(2.4 * np.cos(0.8 * time), 3.0))


def following() -> dict[str, Callable[[float, float], Camera]]:
    """A new rig of each kind as a function of time and step."""
    orbit, third, follow, fixed = OrbitRig(), ThirdPersonRig(), FollowRig(), FixedRig(np.array([5.0, 2.0, -4.0]))
    return {
        "orbit": lambda time, dt: orbit.update(way(time) + np.array([0, 1, 0]), dt),
        "third person": lambda time, dt: third.update(way(time), heading(time), dt),
        "follow": lambda time, dt: follow.update(BODY + way(time), dt),
        "fixed": lambda time, dt: fixed.update(way(time), dt),
    }


KINDS = list(following())


@pytest.mark.parametrize("kind", KINDS)
def test_the_path_is_the_same_at_any_frame_rate(kind):
    paths = []
    for fps in (10, 30, 144):
        rig = following()[kind]
        cameras = [rig(frame / fps, 1 / fps) for frame in range(4 * fps + 1)]
        seconds = cameras[::fps]
        paths.append([np.concatenate([camera.position, camera.ahead]) for camera in seconds])
    np.testing.assert_allclose(paths[0], paths[2], atol=0.06)
    np.testing.assert_allclose(paths[1], paths[2], atol=0.02)


def test_flying_is_the_same_at_any_frame_rate():
    ends = []
    for fps in (10, 30, 144):
        rig = FreeRig()
        cameras = [rig.update((0.5, 0, 2), (0.0, 0.1), 1 / fps) for _ in range(2 * fps)]
        ends.append(cameras[-1].position)
    np.testing.assert_allclose(ends[0], ends[2], atol=0.06)
    np.testing.assert_allclose(ends[1], ends[2], atol=0.02)


@pytest.mark.parametrize("kind", KINDS)
def test_a_hitch_of_five_seconds_does_not_fling_the_camera(kind):
    rig, reference = following()[kind], following()[kind]
    for frame in range(121):
        before = rig(frame / 60, 1 / 60)
    after = rig(7.0, 5.0)
    for frame in range(7 * 60 + 1):
        calm = reference(frame / 60, 1 / 60)
    reach = np.linalg.norm(calm.position - way(7.0))
    assert np.isfinite(after.position).all() and np.isfinite(before.position).all()
    assert np.linalg.norm(after.position - way(7.0)) < 1.6 * reach + 1.0
    for frame in range(1, 121):
        after = rig(7 + frame / 60, 1 / 60)
        calm = reference(7 + frame / 60, 1 / 60)
    assert np.linalg.norm(after.position - calm.position) < 0.05


@pytest.mark.parametrize("kind", ["orbit", "third person", "follow"])
def test_whoever_is_put_elsewhere_takes_the_camera_along(kind):
    rig = following()[kind]
    for _ in range(60):
        rig(0.0, 1 / 60)
    before = rig(0.0, 1 / 60).position - way(0.0)
    after = rig(100.0, 1 / 60).position - way(100.0)
    if kind == "third person":  # it stands behind again, wherever that is now
        assert np.linalg.norm(after) == pytest.approx(np.linalg.norm(before), rel=1e-6)
    else:
        np.testing.assert_allclose(after, before, atol=1e-6)


@pytest.mark.parametrize("speed", [0.0, 1.5, 6.0])
@pytest.mark.parametrize("aspect", [0.5, 1.0, 16 / 9])
def test_subjects_stay_in_the_picture_with_room_above_and_ahead(speed, aspect):
    rig = FollowRig(azimuth=np.pi / 2, elevation=0.1, aspect=aspect)  # looks along +X, so that +Z is to the right
    for frame in range(361):  # stands, runs, stops dead, turns back
        time = frame / 60
        place = speed * (min(time, 3.0) - 0.5 if time > 0.5 else 0.0) - speed * max(time - 4.5, 0)
        camera = rig.update(BODY + np.array([0, 0, place]), 1 / 60)
        pixels = camera.project(BODY + np.array([0, 0, place]), 1000 * aspect, 1000) / [1000 * aspect, 1000, 1]
        assert pixels[:, :2].min() > 0.02 and pixels[:, :2].max() < 0.98, time
        if frame == 175:
            left, right = pixels[:, 0].min(), 1 - pixels[:, 0].max()
            assert pixels[:, 1].min() > 0.12, "room above the head"
            if speed:  # +Z is left in this picture, for the camera's left is +Z turned
                assert (left > right) == (camera.left[2] > 0), "room ahead of the one who runs"


def test_many_subjects_are_all_seen_and_the_picture_is_used():
    rig = FollowRig()
    crowd = np.concatenate([BODY + np.array([3.0 * x, 0, 0]) for x in range(5)])
    for _ in range(200):
        camera = rig.update(crowd, 1 / 60)
    pixels = camera.project(crowd, 1600, 900)[:, :2] / [1600, 900]
    assert pixels.min() > 0.05 and pixels.max() < 0.95
    assert np.ptp(pixels[:, 0]) > 0.7


@pytest.mark.parametrize("kind", ["orbit", "third person", "follow"])
def test_the_camera_stays_above_the_floor_and_on_its_subject(kind):
    target = np.array([0.0, 0.9, 0.0])
    rigs = {
        "orbit": lambda: OrbitRig(elevation=-1.2, floor=0.0).update(target, 0.1),
        "third person": lambda: ThirdPersonRig(elevation=-1.2, floor=0.0).update((0, 0, 0), 0.3, 0.1),
        "follow": lambda: FollowRig(elevation=-1.2, floor=0.0).update(BODY, 0.1),
    }
    camera = rigs[kind]()
    assert camera.position[1] >= 0.0999
    seen = camera.project(target, 1000, 1000)
    assert 200 < seen[0] < 800 and 100 < seen[1] < 900 and seen[2] > 0
    free = FreeRig(elevation=0.0, floor=0.0)
    for _ in range(100):
        camera = free.update((0, -5, 0), (0, 0), 1 / 30)
    assert camera.position[1] == pytest.approx(0.1)


def test_nothing_flips_at_the_poles():
    rig = OrbitRig(elevation=-1.5)
    last = rig.update((0, 1, 0), 1 / 60)
    for _ in range(400):
        rig.turn(0.01, 0.02)
        camera = rig.update((0, 1, 0), 1 / 60)
        assert camera.up[1] > 0, "never upside down"
        assert camera.up @ last.up > 0.99 and camera.ahead @ last.ahead > 0.99
        last = camera
    fixed = FixedRig(np.array([0.0, 5.0, 0.0]))
    fixed.update((0, 0, -3), 0.0)
    last = fixed.update((0, 0, -3), 1 / 60)
    for z in np.linspace(-3, 3, 240):  # under the camera, exactly
        camera = fixed.update((0, 0, z), 1 / 60)
        assert camera.up @ last.up > 0.9 and np.isfinite(camera.ahead).all()
        last = camera


def test_a_hand_turns_and_zooms_smoothly():
    rig = OrbitRig(distance=4.0)
    first = rig.update((0, 1, 0), 1 / 60)
    rig.zoom(0.5)
    rig.turn(0.5, 0.0)
    second = rig.update((0, 1, 0), 1 / 60)
    assert 0 < np.linalg.norm(second.position - first.position) < 1.0
    for _ in range(60):
        last = rig.update((0, 1, 0), 1 / 60)
    assert np.linalg.norm(last.position - [0, 1, 0]) == pytest.approx(2.0, abs=1e-3)
    assert first.ahead[[0, 2]] @ last.ahead[[0, 2]] / (np.cos(0.2) ** 2) == pytest.approx(np.cos(0.5), abs=1e-3)


def test_third_person_ends_up_behind_and_can_look_over_a_shoulder():
    rig = ThirdPersonRig(shoulder=0.4)
    for frame in range(240):
        camera = rig.update((0, 0, 0), -0.5 if frame else 0.0, 1 / 60)
    facing = np.array([np.sin(-0.5), 0, np.cos(-0.5)])
    assert camera.ahead @ facing == pytest.approx(np.cos(0.22), abs=1e-3)
    assert camera.position @ facing < -2.5
    assert camera.project((0, 1.3, 0), 1000, 500)[0] < 500, "seen over the right shoulder, the character is to the left"


def test_headings_take_the_short_way_around():
    rig = ThirdPersonRig()
    rig.update((0, 0, 0), 3.1, 1 / 60)
    for _ in range(60):
        camera = rig.update((0, 0, 0), -3.1, 1 / 60)
        assert camera.ahead[2] < -0.9, "not around the front"
