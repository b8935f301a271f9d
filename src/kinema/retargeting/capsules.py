"""The body as capsules, thick as bodies of that height are, for keeping limbs out of it."""

from __future__ import annotations

import numpy as np

from kinema.ik.full_body import Capsules
from kinema.ik.full_body_kernels import closest
from kinema.roles import Roles
from kinema.skeleton import Skeleton

# Radii as shares of the height from hips to the top of the head twice over, that is of a standing person's height.
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
SPARE = 0.0  # share of the height that pairs keep free beyond touching


def body_capsules(skeleton: Skeleton, weight: float = 1.0) -> Capsules | None:
    """Capsules of a biped, with pairs of limbs and what they run into; None for other bodies.

    A pair that touches in the rest pose may stay as near as it is there.
    """
    roles = skeleton.roles
    if not roles.is_biped:
        return None
    turned, placed = skeleton.rest_pose.global_rotations, skeleton.rest_pose.global_positions
    height = 2.0 * _leg(skeleton, roles, placed)
    owners: list[int] = []
    ends: list[np.ndarray] = []
    radii: list[float] = []
    kinds: list[tuple[str, str | None]] = []
    for joint, part in enumerate(roles.parts):
        if part not in RADII:
            continue
        child = _along(skeleton, roles, joint)
        if child is None:
            continue
        owners.append(joint)
        ends.append(np.stack([np.zeros(3), skeleton.rest_translations[child]]))
        radii.append(RADII[part] * height)
        kinds.append((part, roles.sides[joint]))
    pairs, slack = [], []
    world = [placed[owner] + _turn(turned[owner], end) for owner, end in zip(owners, ends, strict=True)]
    for a, (part, side) in enumerate(kinds):
        for b, (other, that) in enumerate(kinds):
            if part not in LIMBS or not _may_meet(part, side, other, that) or (b <= a and other in LIMBS):
                continue
            first, second = world[a].astype(np.float64), world[b].astype(np.float64)
            s, t = closest(first[0], first[1], second[0], second[1])
            gap = np.linalg.norm(first[0] + s * (first[1] - first[0]) - second[0] - t * (second[1] - second[0]))
            pairs.append((a, b))
            slack.append(max(radii[a] + radii[b] + SPARE * height - float(gap), 0.0))
    if not pairs:
        return None
    return Capsules(np.array(owners), np.stack(ends), np.array(radii), np.array(pairs), np.array(slack), weight)


def _may_meet(part: str, side: str | None, other: str, that: str | None) -> bool:
    """Arms run into trunk, head, thighs and each other; lower legs into each other."""
    if part in ("forearm", "hand"):
        return other in ("hips", "spine", "head", "thigh") or (other in ("forearm", "hand") and that != side)
    return other in ("shin", "foot") and that != side


def _along(skeleton: Skeleton, roles: Roles, joint: int) -> int | None:
    """The child that a joint's bone runs to: in the same chain, else its furthest."""
    for chain in roles.chains:
        if joint in chain.joints[:-1]:
            following = chain.joints[chain.joints.index(joint) + 1]
            if int(skeleton.parents[following]) == joint:
                return following
    children = [child for child in skeleton.children[joint] if skeleton.bone_lengths[child] > 1e-4]
    return max(children, key=lambda child: float(skeleton.bone_lengths[child]), default=None)


def _leg(skeleton: Skeleton, roles: Roles, placed: np.ndarray) -> float:
    legs = [
        np.linalg.norm(placed[leg.upper] - placed[leg.lower]) + np.linalg.norm(placed[leg.lower] - placed[leg.foot])
        for leg in roles.legs
    ]
    return 1.08 * float(np.mean(legs))


def _turn(turn: np.ndarray, points: np.ndarray) -> np.ndarray:
    from kinema import rotations

    return rotations.rotate(turn[None], points.astype(np.float32))
