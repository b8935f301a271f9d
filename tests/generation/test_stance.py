from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import kinema
from kinema import rotations
from kinema.generation.channels import decode, encode
from kinema.generation.rig import AnyRig
from kinema.generation.stance import standing_pose
from kinema.mocap.creatures import Act, make_creature, perform
from kinema.mocap.creatures.perform import kind_of_creature
from kinema.motion import Motion
from kinema.skeleton import Skeleton


def lying(skeleton: Skeleton) -> Skeleton:
    """The same joints with legs that lie along the trunk at rest."""
    turns = skeleton.rest_rotations.copy()
    over = rotations.from_axis_angle(np.asarray([1.0, 0.0, 0.0]), np.asarray(-0.5 * np.pi)).astype(np.float32)
    world = skeleton.rest_pose.global_rotations
    for chain in skeleton.roles.chains:
        if chain.kind in ("leg", "front_leg"):
            joint = chain.joints[0]
            turned = rotations.multiply(over, world[joint])
            turns[joint] = rotations.relative(world[skeleton.parents[joint]], turned)
    made = Skeleton.create(skeleton.names, skeleton.parents, skeleton.rest_translations, turns)
    return made.with_roles(skeleton.roles)


@pytest.fixture(scope="module")
def walk() -> Motion:
    """A dog, whose rest pose does not stand, that walks away to its left."""
    motion = perform(make_creature("dog"), [Act("walk", 4.0, curve=0.4)])
    return Motion.create(
        lying(motion.skeleton), motion.local_rotations, motion.local_translations, motion.translated, fps=motion.fps
    )


def test_a_rest_pose_that_stands_is_left_alone() -> None:
    motion = perform(make_creature("dog"), [Act("walk", 1.0)])
    assert standing_pose(motion.skeleton, [motion]) is None


def test_without_a_motion_there_is_none(walk: Motion) -> None:
    assert standing_pose(walk.skeleton, []) is None


def test_a_motion_shows_how_a_body_stands(walk: Motion) -> None:
    pose = standing_pose(walk.skeleton, [walk])
    assert pose is not None
    body = kind_of_creature(walk.skeleton, pose).body
    assert len(body.legs) == 4 and all(leg.hip[1] > 5 * leg.place[1] for leg in body.legs)
    rig = AnyRig.of(walk.skeleton, stance=pose)
    head = rig.joints.tolist().index(walk.skeleton.roles.head)
    assert rig.rest_positions[head, 2] > 0.3 and abs(rig.rest_positions[head, 0]) < 0.05
    assert rig.rest_positions[:, 1].min() > -0.05


def test_motion_is_the_same_from_any_rest_pose(walk: Motion) -> None:
    pose = standing_pose(walk.skeleton, [walk])
    assert pose is not None
    rig = AnyRig.of(walk.skeleton, stance=pose)
    channels, start = encode(rig, walk)
    back = decode(rig, channels, start)[:].global_positions
    np.testing.assert_allclose(back, walk.resample(30.0)[:].global_positions, atol=2e-3)
    assert np.abs(channels[:, 1:, :6]).mean() < 0.2


@pytest.mark.parametrize(
    ("file", "legs"), [("dog_mocap_nc/D1_025_KAN01_001.bvh", 4), ("truebones/Chicken_TPOSE.bvh", 2)]
)
def test_captured_animals_stand(data_dir: Path, file: str, legs: int) -> None:
    motion = kinema.load_motion(data_dir / "any_topology" / file)
    pose = standing_pose(motion.skeleton, [motion.cut(0, 600)])
    assert pose is not None
    body = kind_of_creature(motion.skeleton, pose).body
    assert len(body.legs) == legs and not body.sprawled
