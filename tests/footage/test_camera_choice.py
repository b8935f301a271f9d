"""Cameras have the body in the picture, and nothing before it or around them."""

from __future__ import annotations

import numpy as np
import pytest

from kinema.arrays import Floats
from kinema.footage.camera_choice import KINDS, choose_cameras, in_frame
from kinema.footage.scenery import backdrop, made

FRAMES = 8


def walker(speed: float = 1.2, at: tuple[float, float] = (0.0, 0.0)) -> Floats:
    """A box of points as large as a person that goes along +Z."""
    box = np.stack(np.meshgrid([-0.3, 0.3], [0.0, 0.9, 1.75], [-0.2, 0.2]), axis=-1).reshape(-1, 3)
    way = np.linspace(0.0, speed, FRAMES)[:, None] * [0.0, 0.0, 1.0] + [at[0], 0.0, at[1]]
    return box + way[:, None]


@pytest.mark.parametrize("kind", KINDS)
def test_a_body_is_in_every_picture_and_not_small(kind: str) -> None:
    points = walker()
    for seed in range(6):
        shots = choose_cameras(points, backdrop(np.random.default_rng(0)), kind, np.random.default_rng(seed), 1.0)
        assert shots is not None and shots.kind == kind and len(shots.cameras) == FRAMES
        assert in_frame(points, shots.cameras, 0.03).all()
        heights = [np.ptp(camera.project(seen, 1, 1)[:, 1]) for seen, camera in zip(points, shots.cameras, strict=True)]
        assert min(heights) > 0.3


def test_kinds_move_as_they_are_called() -> None:
    points, around = walker(), backdrop(np.random.default_rng(0))
    eyes, ways = {}, {}
    for kind in KINDS:
        shots = choose_cameras(points, around, kind, np.random.default_rng(1), 1.0)
        assert shots is not None
        eyes[kind] = np.stack([camera.position for camera in shots.cameras])
        ways[kind] = np.stack([camera.ahead for camera in shots.cameras])
    assert np.ptp(eyes["still"], axis=0).max() == 0 and np.ptp(ways["still"], axis=0).max() < 1e-9
    assert np.ptp(eyes["follow"], axis=0)[2] > 0.3 and np.ptp(ways["follow"], axis=0).max() < 1e-6
    assert np.ptp(ways["orbit"], axis=0).max() > 0.2
    steps = np.diff(eyes["rail"], axis=0)
    np.testing.assert_allclose(steps, np.broadcast_to(steps[0], steps.shape), atol=1e-9)
    assert np.linalg.norm(steps[0]) > 0.02 and np.ptp(ways["rail"], axis=0).max() > 0.05


def test_who_runs_far_is_not_filmed_standing_still() -> None:
    shots = choose_cameras(walker(12.0), backdrop(np.random.default_rng(0)), "still", np.random.default_rng(0), 1.0)
    assert shots is not None and shots.kind == "follow"


def test_cameras_in_a_room_are_free_and_see_the_body() -> None:
    around = made("room", 3, 64)
    assert around.blocks is not None and around.room is not None
    row, column = np.unravel_index(int(around.room.argmax()), around.room.shape)
    at = (column * around.cell + around.origin[0], row * around.cell + around.origin[1])
    points, found = walker(0.5, at), 0
    for seed in range(8):
        shots = choose_cameras(points, around, KINDS[seed % 4], np.random.default_rng(seed), 1.0)
        if shots is None:
            continue
        found += 1
        eyes = np.stack([camera.position for camera in shots.cameras])
        assert around.within(eyes).all() and not around.blocks.hold(eyes).any() and shots.free >= 0.85
    assert found >= 4


def test_where_nothing_can_be_seen_there_is_no_camera() -> None:
    around = made("room", 3, 64)
    assert choose_cameras(walker(at=(200.0, 0.0)), around, "follow", np.random.default_rng(0), 1.0) is None
