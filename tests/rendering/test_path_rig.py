"""Cameras that follow a path."""

import numpy as np
import pytest

from kinema.errors import KinemaError
from kinema.rendering.camera import Camera
from kinema.rendering.path_rig import PathRig

KEYS = [
    Camera.look_at((0, 1, 5), (0, 1, 0), fov=0.4),
    Camera.look_at((1, 1, 4.5), (0, 1, 0), fov=0.6),
    Camera.look_at((5, 2, 0.1), (0, 1, 0), fov=0.6),
    Camera.look_at((0, 3, -5), (0, 1, 0), fov=0.8),
]


def test_it_goes_through_its_keys_in_time():
    rig = PathRig(KEYS, seconds=6.0, times=[0, 1, 4, 6])
    for time, key in zip((0, 1, 4, 6), KEYS, strict=True):
        camera = rig.at(time / 6)
        assert camera.position == pytest.approx(key.position, abs=1e-6)
        assert camera.ahead == pytest.approx(key.ahead, abs=1e-5) and camera.fov == pytest.approx(key.fov)


def test_even_speed_is_even_and_ends_at_the_ends():
    rig = PathRig(KEYS, seconds=5.0)
    steps = np.linalg.norm(np.diff([rig.at(share).position for share in np.linspace(0, 1, 201)], axis=0), axis=-1)
    assert steps.max() / steps.min() < 1.03
    uneven = PathRig(KEYS, seconds=5.0, even=False)
    steps = np.linalg.norm(np.diff([uneven.at(share).position for share in np.linspace(0, 1, 201)], axis=0), axis=-1)
    assert steps.max() / steps.min() > 2
    assert rig.at(0).position == pytest.approx(KEYS[0].position)
    assert rig.update(99.0).position == pytest.approx(KEYS[-1].position)


def test_a_loop_has_no_seam():
    rig = PathRig(KEYS, seconds=8.0, loop=True)
    assert rig.at(1.0).position == pytest.approx(KEYS[0].position, abs=1e-6)
    shares = np.linspace(0, 2, 801)[:-1] % 1.0
    cameras = [rig.at(share) for share in shares]
    turns = np.diff([camera.ahead for camera in cameras], axis=0)
    ways = np.diff([camera.position for camera in cameras], axis=0)
    ways /= np.linalg.norm(ways, axis=-1, keepdims=True)
    assert (ways[1:] * ways[:-1]).sum(axis=-1).min() > 0.94, "no corner, no cusp, no jump"
    assert np.linalg.norm(turns, axis=-1).max() < 0.1
    rig.update(7.9)
    assert rig.update(0.2).position == pytest.approx(rig.at(0.1 / 8).position)


def test_the_frame_rate_does_not_matter():
    ends = []
    for fps in (10, 30, 144):
        rig = PathRig(KEYS, seconds=5.0)
        ends.append([rig.update(1 / fps) for _ in range(3 * fps)][-1].position)
    np.testing.assert_allclose(ends[0], ends[1], atol=1e-6)
    np.testing.assert_allclose(ends[0], ends[2], atol=1e-6)


def test_one_key_and_keys_in_one_place():
    assert PathRig(KEYS[:1]).at(0.7).position == pytest.approx(KEYS[0].position)
    turning = [Camera.look_at((0, 1, 0), (np.sin(a), 1, np.cos(a))) for a in (0.0, 1.0, 2.0)]
    rig = PathRig(turning)
    assert rig.at(0.5).ahead == pytest.approx(turning[1].ahead, abs=1e-6)


def test_what_is_no_path():
    for keys, options, said in (
        ([], {}, "needs a camera"),
        (KEYS, {"seconds": 0.0}, "duration above 0"),
        (KEYS, {"times": [0, 1]}, "4 ascending times"),
        (KEYS, {"times": [0, 2, 1, 3]}, "4 ascending times"),
    ):
        with pytest.raises(KinemaError, match=said):
            PathRig(keys, **options)
