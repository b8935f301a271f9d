"""Chains of roles as limbs."""

from __future__ import annotations

from kinema import Skeleton
from kinema.retargeting.chains import has_front_legs, limb_chains, limb_joints


def test_limbs_have_two_bones_and_an_end(biped: Skeleton) -> None:
    limbs = {chain.name: limb_joints(biped.roles, chain) for chain in limb_chains(biped.roles)}
    assert set(limbs) == {"left_leg", "right_leg", "left_arm", "right_arm"}
    leg, arm = biped.roles.leg("left"), biped.roles.arms[0]
    assert limbs["left_leg"] == (leg.upper, leg.lower, leg.foot)
    assert limbs[f"{arm.side}_arm"] == (arm.upper, arm.lower, arm.hand)
    assert [chain.kind for chain in limb_chains(biped.roles, ("arm",))] == ["arm", "arm"]
    assert not has_front_legs(biped.roles)


def test_a_leg_without_a_foot_has_no_end() -> None:
    names = ["Hips", "Spine", "Head"]
    parents, offsets = [-1, 0, 1], [[0, 1, 0], [0, 0.4, 0], [0, 0.3, 0]]
    for side, x in (("Left", 0.1), ("Right", -0.1)):
        parents += [0, len(names)]
        names += [f"{side}UpLeg", f"{side}Leg"]
        offsets += [[x, 0, 0], [0, -0.5, 0]]
    stumps = Skeleton.create(names, parents, offsets)
    for chain in limb_chains(stumps.roles, ("leg",)):
        assert limb_joints(stumps.roles, chain)[2] is None
