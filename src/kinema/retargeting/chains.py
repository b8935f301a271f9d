"""Chains of roles as limbs of three joints."""

from __future__ import annotations

from collections.abc import Sequence

from kinema.roles import Chain, Roles

LIMBS = ("leg", "front_leg", "arm", "wing")
LEGS = ("leg", "front_leg")
LIMB_PARTS = (("thigh", "shin", "foot"), ("upper_arm", "forearm", "hand"))


def limb_chains(roles: Roles, kinds: Sequence[str] = LIMBS) -> list[Chain]:
    """The chains of legs and arms that have at least two joints."""
    return [chain for chain in roles.chains if chain.kind in kinds and len(chain.joints) >= 2]


def limb_joints(roles: Roles, chain: Chain) -> tuple[int, int, int | None]:
    """Upper and lower joint of a limb and the joint at its end (ankle, wrist), None where the chain stops before."""
    named = {roles.parts[joint]: joint for joint in reversed(chain.joints)}
    for upper, lower, end in LIMB_PARTS:
        if upper in named and lower in named:
            return named[upper], named[lower], named.get(end)
    joints = list(chain.joints)
    if roles.parts[joints[0]] == "leg":  # before the last four is a hip of several joints
        joints = joints[-4:]
    elif roles.parts[joints[0]] == "shoulder" and len(joints) > 3:
        joints = joints[1:]
    return joints[0], joints[1], joints[2] if len(joints) > 2 else None


def has_front_legs(roles: Roles) -> bool:
    """Whether the body goes on four legs."""
    return any(chain.kind == "front_leg" for chain in roles.chains)
