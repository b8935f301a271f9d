"""Feet that would enter the ground are levelled, others stay."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import numpy as np

from kinema import Motion, Skeleton, rotations
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


def test_a_leg_without_a_foot_has_nothing_to_level(walk: Motion, small: Skeleton) -> None:
    """Legs that end in their shins, sunk into the ground, stay as they are."""
    feet = {j for leg in small.roles.legs for j in range(small.joint_count) if leg.foot in (j, *small.ancestors(j))}
    kept = [joint for joint in range(small.joint_count) if joint not in feet]
    parents = [-1 if small.parents[j] < 0 else kept.index(int(small.parents[j])) for j in kept]
    pegs = Skeleton.create([small.names[j] for j in kept], parents, small.rest_translations[kept])
    setup = Retargeter(walk.skeleton, pegs)
    assert len(setup.legs) == 2 and all(leg.target.end is None for leg in setup.legs)
    pose = setup.pose(np.tile(pegs.rest_rotations, (4, 1, 1)), np.tile(np.float32([0, 0.1, 0]), (4, 1)))
    level = level_feet(setup, pose, 60.0)
    np.testing.assert_array_equal(level.local_rotations, pose.local_rotations)


def test_a_foot_keeps_its_heading_and_no_more_than_its_tilt_is_taken(walk: Motion) -> None:
    """Feet turned out and pitched deep into the ground end level where they must, still turned out."""
    robot = load(Path(str(files("kinema.retargeting").joinpath("robots", "kinema_humanoid.xml"))))
    setup = Retargeter(walk.skeleton, robot, motions=(walk,))
    rest, leg = setup.target.rest_pose, setup.legs[0]
    foot = leg.target.end
    assert foot is not None
    local = np.tile(rest.local_rotations, (5, 1, 1))
    hips = np.tile(rest.global_positions[setup.target.roles.hips], (5, 1)).astype(np.float32)
    hips[:, 1] -= min(float(corner.points(rest)[1]) for corner in leg.corners)  # level soles touch the ground
    pose = setup.pose(local, hips)
    out = rotations.from_yaw(np.full(5, 0.6, np.float32))
    pitched = rotations.multiply(out, rotations.from_axis_angle(np.float32([1, 0, 0]), np.full(5, 0.5, np.float32)))
    set_global_rotations(local, pose, {foot: rotations.multiply(pitched, pose.global_rotations[:, foot])})
    level = level_feet(setup, setup.pose(local, hips), 60.0)
    turn = rotations.multiply(level.global_rotations[:, foot], rotations.inverse(rest.global_rotations[foot]))
    np.testing.assert_allclose(rotations.angle(rotations.relative(turn, out)), 0, atol=5e-3)
