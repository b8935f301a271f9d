"""Feet that would enter the ground are levelled, others stay."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import numpy as np

from kinema import Motion, rotations
from kinema.formats import load
from kinema.retargeting import Retargeter
from kinema.retargeting.footing import level_feet
from kinema.retargeting.limbs import set_global_rotations


def test_a_foot_is_levelled_as_far_as_its_sole_needs(walk: Motion) -> None:
    robot = load(Path(str(files("kinema.retargeting").joinpath("robots", "kinema_humanoid.xml"))))
    setup = Retargeter(walk.skeleton, robot, motions=(walk,))
    rest = setup.target.rest_pose
    leg, other = setup.legs
    assert leg.target.end is not None and other.target.end is not None
    frames = 40
    local = np.tile(rest.local_rotations, (frames, 1, 1))
    hips = np.tile(rest.global_positions[setup.target.roles.hips], (frames, 1))
    lowest = min(float(corner.points(rest)[1]) for corner in leg.corners)
    hips[:, 1] += 0.03 - lowest  # three centimetres above the ground
    pose = setup.pose(local, hips.astype(np.float32))
    pitch = rotations.from_axis_angle(np.array([1, 0, 0], np.float32), np.linspace(0, 0.9, frames).astype(np.float32))
    tilted = rotations.multiply(pitch, pose.global_rotations[:, leg.target.end])
    set_global_rotations(local, pose, {leg.target.end: tilted})
    pose = setup.pose(local, hips.astype(np.float32))
    before = np.min([corner.points(pose)[:, 1] for corner in leg.corners], axis=0)
    assert before[0] > 0.02 and before[-1] < -0.05
    level = level_feet(setup, pose, 1000.0)
    after = np.min([corner.points(level)[:, 1] for corner in leg.corners], axis=0)
    assert after.min() > -1e-3
    level = level_feet(setup, pose, 10.0)  # smoothing over a frame or so
    np.testing.assert_allclose(level.local_rotations[:5], pose.local_rotations[:5], atol=1e-5)
    turned = rotations.angle(
        rotations.relative(level.global_rotations[:, leg.target.end], rotations.identity((frames,), tilted))
    )
    assert 0.1 < turned[-5] < 0.7, "no further than it has to"
    np.testing.assert_allclose(
        level.local_rotations[:, other.target.end], pose.local_rotations[:, other.target.end], atol=1e-5
    )
