from __future__ import annotations

import numpy as np
import pytest

from kinema import rotations
from kinema.generation.channels import CHANNELS
from kinema.generation.reaching import fitted, posed, reach
from kinema.generation.rig import AnyRig
from kinema.generation.soles import RigidFoot, find_feet

FRAMES = 20


@pytest.fixture
def foot(toed: AnyRig) -> RigidFoot:
    names = [toed.skeleton.names[joint] for joint in toed.joints]
    return find_feet(toed, [names.index(f"left_toe_{toe}_end") for toe in range(3)])[0]


@pytest.fixture
def still(toed: AnyRig) -> np.ndarray:
    return np.zeros((FRAMES, toed.count, CHANNELS), np.float32)


def world(rig: AnyRig, channels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return rig.forward(*posed(rig, channels))


def apart(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    return rotations.angle(rotations.relative(one, other))


def test_the_ankle_gets_where_it_is_to_be_and_the_foot_keeps_its_orientation(
    toed: AnyRig, foot: RigidFoot, still: np.ndarray
) -> None:
    turns, positions = world(toed, still)
    goal = positions[:, foot.limb.end] + np.linspace(0.0, 0.15, FRAMES)[:, None] * [0.2, 1.0, 0.5]
    made_turns, made = world(toed, reach(toed, still, [foot], lambda *_: (goal, None)))
    np.testing.assert_allclose(made[:, foot.limb.end], goal, atol=1e-3)
    joints = foot.joints
    assert apart(made_turns[:, joints], turns[:, joints]).max() < 1e-3


def test_a_foot_is_turned_as_it_is_told(toed: AnyRig, foot: RigidFoot, still: np.ndarray) -> None:
    turns, positions = world(toed, still)
    tilt = rotations.from_axis_angle(np.tile([1.0, 0.0, 0.0], (FRAMES, 1)), np.linspace(0.0, 0.5, FRAMES))
    goal = positions[:, foot.limb.end] + [0.0, 0.1, 0.0]
    made, _ = world(toed, reach(toed, still, [foot], lambda *_: (goal, tilt)))
    wanted = rotations.multiply(tilt[:, None], turns[:, foot.joints])
    assert apart(made[:, foot.joints], wanted).max() < 2e-3


def test_a_rigid_foot_follows_all_its_toes(toed: AnyRig, foot: RigidFoot, still: np.ndarray) -> None:
    _, positions = world(toed, still)
    positions = positions.astype(np.float64)
    turn = rotations.from_axis_angle(np.tile([0.6, 0.0, 0.8], (FRAMES, 1)), np.linspace(0.0, 0.3, FRAMES))
    toes = positions[:, foot.ends]
    about = toes.mean(axis=1, keepdims=True)
    goals = about + rotations.rotate(turn[:, None], toes - about) + [0.1, 0.02, 0.0]
    ankle, tilt = fitted(foot, positions, goals, np.ones(goals.shape[:2]))
    assert tilt is not None
    assert apart(tilt, turn).max() < 0.02
    made = ankle[:, None] + rotations.rotate(tilt[:, None], toes - positions[:, foot.limb.end][:, None])
    np.testing.assert_allclose(made, goals, atol=2e-3)


def test_a_foot_does_not_turn_about_the_line_through_two_toes(toed: AnyRig, foot: RigidFoot, still: np.ndarray) -> None:
    _, positions = world(toed, still)
    positions = positions.astype(np.float64)
    two = RigidFoot(foot.limbs[:2], foot.joints, foot.lowest)
    goals = positions[:, two.ends] + [0.0, 0.05, 0.1]
    ankle, tilt = fitted(two, positions, goals, np.ones(goals.shape[:2]))
    assert tilt is not None
    assert rotations.angle(tilt).max() < 1e-6
    np.testing.assert_allclose(ankle, positions[:, foot.limb.end] + [0.0, 0.05, 0.1], atol=1e-9)


def test_what_stands_counts_for_more_than_what_swings(toed: AnyRig, foot: RigidFoot, still: np.ndarray) -> None:
    """One toe is to be elsewhere, and nothing is asked of the others: all go along."""
    _, positions = world(toed, still)
    positions = positions.astype(np.float64)
    goals, weights = positions[:, foot.ends], np.tile([1.0, 0.0, 0.0], (FRAMES, 1))
    goals[:, 0] += [0.0, 0.02, 0.05]
    ankle, tilt = fitted(foot, positions, goals, weights)
    assert tilt is not None
    assert rotations.angle(tilt).max() < 0.01
    np.testing.assert_allclose(ankle, positions[:, foot.limb.end] + [0.0, 0.02, 0.05], atol=0.003)
