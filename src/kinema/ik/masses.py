"""How the mass of a body is spread over its joints, for the centre of mass."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kinema import rotations
from kinema.arrays import Floats
from kinema.pose import Pose
from kinema.rotations import Array, alike
from kinema.skeleton import Skeleton

SHARES = {
    "hips": 0.142,
    "spine": 0.355,
    "neck": 0.021,
    "head": 0.06,
    "upper_arm": 0.056,
    "forearm": 0.032,
    "hand": 0.012,
    "thigh": 0.2,
    "shin": 0.093,
    "foot": 0.029,
}
"""Shares of a person's mass, both sides together (Winter, "Biomechanics and Motor Control of Human Movement", 2009,
table 4.1; pelvis 0.142, the rest of the trunk 0.355, head and neck 0.081)."""


def mass_shares(skeleton: Skeleton) -> Floats:
    """The share of each joint `[J]` in the mass of the body; their sum is 1.

    A person's are measured shares of the parts, which the joints of a part divide by the lengths of their bones. Other
    bodies have mass in proportion to the lengths of their bones.
    """
    lengths = _lengths(skeleton)
    if not skeleton.roles.is_biped:
        return lengths / lengths.sum() if lengths.sum() > 0 else np.full(len(lengths), 1.0 / len(lengths))
    parts, shares = np.array(skeleton.roles.parts), np.zeros(skeleton.joint_count)
    for part, share in SHARES.items():
        members = parts == part
        own = np.where(members, np.maximum(lengths, 1e-6), 0.0)
        if members.any():
            shares += share * own / own.sum()
    return shares / shares.sum()


def mass_centres(skeleton: Skeleton) -> Floats:
    """The centre of the mass of each joint `[J, 3]` in the joint's frame, metres: the middle of its bones."""
    sums, counts = np.zeros((skeleton.joint_count, 3)), np.zeros(skeleton.joint_count)
    for joints, offsets in _bones(skeleton):
        np.add.at(sums, joints, 0.5 * np.asarray(offsets, np.float64))
        np.add.at(counts, joints, 1.0)
    return sums / np.maximum(counts, 1.0)[:, None]


def mass_centre(pose: Pose, shares: Array | None = None) -> Array:
    """The centre of mass `[..., 3]` of poses, in the world, metres.

    Args:
        shares: of the joints, `[J]`; None: `mass_shares`.
    """
    shares = mass_shares(pose.skeleton) if shares is None else shares
    turned = pose.global_rotations
    places = pose.global_positions + rotations.rotate(turned, alike(mass_centres(pose.skeleton), turned))
    return (alike(np.asarray(shares), turned)[:, None] * places).sum(-2)


def _bones(skeleton: Skeleton) -> Sequence[tuple[Array, Array]]:
    """Joints `[B]` and where their bones end `[B, 3]`, in the joint's frame: at their children and tips."""
    below = np.flatnonzero(skeleton.parents >= 0)
    return (
        (skeleton.parents[below], skeleton.rest_translations[below]),
        (skeleton.tip_joints, skeleton.tip_offsets),
    )


def _lengths(skeleton: Skeleton) -> Floats:
    """Length of the bones of each joint `[J]`, metres."""
    lengths = np.zeros(skeleton.joint_count)
    for joints, offsets in _bones(skeleton):
        np.add.at(lengths, joints, np.linalg.norm(offsets, axis=-1))
    return lengths
