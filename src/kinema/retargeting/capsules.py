"""The body as capsules, as thick as those of a person of that height, to keep limbs out of it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kinema import rotations
from kinema.arrays import Reals
from kinema.ik import Capsules
from kinema.ik.task_kernels import closest
from kinema.skeleton import Skeleton

# Radii as shares of a person's height, for which twice the length of the legs stands.
RADII = {
    "hips": 0.06,
    "spine": 0.06,
    "head": 0.045,
    "upper_arm": 0.022,
    "forearm": 0.018,
    "hand": 0.015,
    "thigh": 0.038,
    "shin": 0.024,
    "foot": 0.02,
}
LIMBS = ("forearm", "hand", "shin", "foot")


def body_capsules(skeleton: Skeleton, weight: float = 1.0) -> Capsules | None:
    """Capsules of a biped, with pairs of limbs and what they run into; None for other bodies.

    A pair that touches in the rest pose may stay as near as it is there.
    """
    if not skeleton.roles.is_biped:
        return None
    parts, rest = skeleton.roles.parts, skeleton.rest_pose
    height = 2.0 * _leg_length(skeleton)
    bones = {joint: child for joint in range(len(parts)) if (child := _bone(skeleton, joint)) is not None}
    owners = list(bones)
    ends = np.zeros((len(bones), 2, 3), np.float32)
    ends[:, 1] = skeleton.rest_translations[list(bones.values())]
    radii = np.array([RADII[parts[joint]] * height for joint in owners])
    turns, places = rest.global_rotations[owners][:, None], rest.global_positions[owners][:, None]
    world = (places + rotations.rotate(turns, ends)).astype(np.float64)
    pairs = _pairs(skeleton, owners)
    if not pairs:
        return None
    slack = [max(radii[a] + radii[b] - _gap(world[a], world[b]), 0.0) for a, b in pairs]
    return Capsules(np.array(owners), ends, radii, np.array(pairs), np.array(slack), weight)


def _pairs(skeleton: Skeleton, owners: Sequence[int]) -> list[tuple[int, int]]:
    """Pairs of capsules on some joints that may meet, each once."""
    found = []
    for a, one in enumerate(owners):
        for b, other in enumerate(owners):
            if _may_meet(skeleton, one, other) and (b > a or skeleton.roles.parts[other] not in LIMBS):
                found.append((a, b))
    return found


def _gap(one: Reals, other: Reals) -> float:
    """Distance between two segments `[2, 3]`."""
    s, t = closest(one[0], one[1], other[0], other[1])
    return float(np.linalg.norm(one[0] + s * (one[1] - one[0]) - other[0] - t * (other[1] - other[0])))


def _may_meet(skeleton: Skeleton, joint: int, other: int) -> bool:
    """Arms run into trunk, head, thighs and each other; lower legs into each other."""
    parts, sides = skeleton.roles.parts, skeleton.roles.sides
    if parts[joint] in ("forearm", "hand"):
        trunk = parts[other] in ("hips", "spine", "head", "thigh")
        return trunk or (parts[other] in ("forearm", "hand") and sides[other] != sides[joint])
    lower_legs = parts[joint] in LIMBS and parts[other] in ("shin", "foot")
    return lower_legs and sides[other] != sides[joint]


def _bone(skeleton: Skeleton, joint: int) -> int | None:
    """The child to which the bone of a capsule runs: in the same chain, else the furthest; None without a capsule."""
    if skeleton.roles.parts[joint] not in RADII:
        return None
    for chain in skeleton.roles.chains:
        if joint in chain.joints[:-1]:
            following = chain.joints[chain.joints.index(joint) + 1]
            if int(skeleton.parents[following]) == joint:
                return following
    children = [child for child in skeleton.children[joint] if skeleton.bone_lengths[child] > 1e-4]
    return max(children, key=lambda child: float(skeleton.bone_lengths[child]), default=None)


def _leg_length(skeleton: Skeleton) -> float:
    """Mean length of the legs with the feet, metres."""
    positions = skeleton.rest_pose.global_positions
    lines = [positions[[leg.upper, leg.lower, leg.foot]] for leg in skeleton.roles.legs]
    return 1.08 * float(np.mean([np.linalg.norm(np.diff(line, axis=0), axis=-1).sum() for line in lines]))
