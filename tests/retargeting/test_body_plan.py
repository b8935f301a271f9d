"""Roles as retargeting needs them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kinema import Motion, Skeleton, formats, rotations
from kinema.retargeting.body_plan import _bone_between, _walks_on_hands, with_body_plan
from kinema.roles import Chain


def test_a_person_stays_as_he_is(walk: Motion) -> None:
    assert with_body_plan(walk.skeleton, [walk]) is walk.skeleton


def test_a_dog_is_one_even_while_it_sits(data_dir: Path) -> None:
    """Its rest pose is not a standing pose, its front legs are named like arms, and in one clip it sits."""
    for name in ("D1_007_KAN01_001.bvh", "D1_025_KAN01_001.bvh"):
        motion = formats.load(data_dir / "any_topology" / "dog_mocap_nc" / name).motion()
        roles = with_body_plan(motion.skeleton, [motion]).roles
        assert roles.plan == "quadruped"
        assert sum(chain.kind == "front_leg" for chain in roles.chains) == 2


def test_hind_legs_have_three_bones(data_dir: Path) -> None:
    asset = formats.load(data_dir / "any_topology" / "quaternius" / "Horse.glb")
    assert asset.skeleton is not None
    roles = with_body_plan(asset.skeleton, []).roles
    for side in ("left", "right"):
        leg = roles.chain(f"{side}_leg")
        assert leg is not None and [roles.parts[joint] for joint in leg.joints] == ["thigh", "shin", "foot"]


def test_who_walks_on_hands_has_a_level_trunk_and_low_hands(biped: Skeleton) -> None:
    """A person on all fours does, wherever it goes; one who stands or whose hands are high does not."""
    local = np.tile(biped.rest_rotations, (3, 1, 1))
    down = rotations.from_axis_angle(np.float32([1, 0, 0]), np.float32(np.pi / 2))
    joints = {name: biped.index(name) for name in ("Hips", "LeftUpLeg", "RightUpLeg", "LeftArm", "RightArm")}
    local[:, joints["Hips"]] = down
    for name in ("LeftUpLeg", "RightUpLeg"):
        local[:, joints[name]] = rotations.inverse(down)
    hanging = local.copy()
    for name, sign in (("LeftArm", -1.0), ("RightArm", 1.0)):
        ahead = rotations.from_axis_angle(np.float32([0, 1, 0]), np.float32(sign * np.pi / 2))
        hanging[:, joints[name]] = ahead
    from kinema.pose import Pose

    roles = biped.roles
    for yaw in (0.0, 1.0, np.pi / 2):
        turn = rotations.from_yaw(np.float32(yaw))

        def places(pose: np.ndarray, turn: np.ndarray = turn) -> np.ndarray:
            return rotations.rotate(turn, Pose(biped, pose).global_positions)

        assert not _walks_on_hands(roles, places(local)), "arms out to the sides, as high as the trunk"
        assert not _walks_on_hands(roles, places(np.tile(biped.rest_rotations, (3, 1, 1))))
        low = places(hanging)
        hands = [arm.hand for arm in roles.arms]
        feet = [leg.foot for leg in roles.legs]
        assert low[:, hands, 1].max() < 0.6
        low[:, hands, 1] = low[:, feet, 1].mean() + 0.05
        assert _walks_on_hands(roles, low)
        low[:, hands, 1] += 0.35 * (low[:, roles.hips, 1].mean() - low[:, feet, 1].mean())
        assert not _walks_on_hands(roles, low)


@pytest.mark.parametrize(
    ("points", "found"),
    [
        ([[0, 1, 0], [0, 0.5, 0.3], [0, 0.2, -0.1], [0, 0, 0]], True),
        ([[0, 1, 0], [0, 0.6, 0], [0, 0.2, 0], [0, 0, 0]], False),  # straight
        ([[0, 1, 0], [0, 0.9, 0.1], [0, 0.2, -0.1], [0, 0, 0]], False),  # a short bone
    ],
)
def test_a_long_bent_bone_between_two_named_ones_is_a_shin(points: list[list[float]], found: bool) -> None:
    at = np.array([[0, 1, 0], *points], float)
    offsets = at - np.concatenate([np.zeros((1, 3)), at[:-1]])
    leg = Skeleton.create(["hips", "upper", "between", "lower", "toe"], np.arange(5) - 1, offsets)
    assert _bone_between(leg, Chain("leg", "left", (1, 3))) == (2 if found else None)
    assert _bone_between(leg, Chain("arm", "left", (1, 3))) is None
    assert _bone_between(leg, Chain("leg", "left", (1, 2))) is None
    assert _bone_between(leg, Chain("leg", "left", (1, 4))) is None, "two joints between"
