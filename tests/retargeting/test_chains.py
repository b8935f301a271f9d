"""Chains of roles as limbs."""

from __future__ import annotations

import pytest

from kinema import Skeleton
from kinema.retargeting.chains import has_front_legs, limb_chains, limb_joints
from kinema.roles import Chain, Roles


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


@pytest.mark.parametrize(
    ("parts", "found"),
    [
        (("leg", "leg"), (0, 1, None)),
        (("leg", "leg", "leg"), (0, 1, 2)),
        (("leg", "leg", "leg", "leg", "leg", "leg"), (2, 3, 4)),  # before the last four is a hip of several joints
        (("shoulder", "arm", "arm"), (0, 1, 2)),
        (("shoulder", "arm", "arm", "arm"), (1, 2, 3)),
        (("hip", "thigh", "shin", "shin", "foot", "toe"), (1, 2, 4)),
        (("thigh", "shin", "toe"), (0, 1, None)),
        (("shoulder", "upper_arm", "forearm", "hand"), (1, 2, 3)),
    ],
)
def test_joints_without_parts_of_their_own_count_from_the_end(
    parts: tuple[str, ...], found: tuple[int, int, int | None]
) -> None:
    chain = Chain("leg", "left", tuple(range(len(parts))))
    roles = Roles(0, chains=(chain,), plan="many-legged", parts=parts)  # type: ignore[arg-type]
    assert limb_joints(roles, chain) == found
    assert limb_chains(roles) == [chain]
    assert limb_chains(Roles(0, chains=(Chain("leg", "left", (1,)),), plan="biped")) == []  # type: ignore[arg-type]
