"""Roles as retargeting needs them."""

from __future__ import annotations

from pathlib import Path

from kinema import Motion, formats
from kinema.retargeting.body_plan import with_body_plan


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
