"""Body parts of the part mask: the part that each joint of a skeleton belongs to, by its role."""

from __future__ import annotations

import numpy as np

from kinema.arrays import Indices
from kinema.skeleton import Skeleton

PARTS = (
    "background", "other", "pelvis", "torso", "neck", "head",
    "left_shoulder", "left_upper_arm", "left_forearm", "left_hand", "left_thigh", "left_shin", "left_foot",
    "right_shoulder", "right_upper_arm", "right_forearm", "right_hand", "right_thigh", "right_shin", "right_foot",
)  # fmt: skip
"""Names of the values in the part mask. `other` is a body without known roles."""


def joint_parts(skeleton: Skeleton) -> Indices:
    """int32 `[J]`: index into `PARTS` of each joint. A joint without a role belongs to the part of its parent."""
    roles = skeleton.roles
    own = np.zeros(skeleton.joint_count, np.int32)

    def put(joint: int | None, name: str) -> None:
        if joint is not None:
            own[joint] = PARTS.index(name)

    if roles.legs or roles.arms or roles.head is not None or roles.spine:
        put(roles.hips, "pelvis")
    for joint in roles.spine:
        put(joint, "torso")
    put(roles.neck, "neck")
    put(roles.head, "head")
    for arm in roles.arms:
        put(arm.shoulder, f"{arm.side}_shoulder")
        put(arm.upper, f"{arm.side}_upper_arm")
        put(arm.lower, f"{arm.side}_forearm")
        put(arm.hand, f"{arm.side}_hand")
    for leg in roles.legs:
        put(leg.upper, f"{leg.side}_thigh")
        put(leg.lower, f"{leg.side}_shin")
        put(leg.foot, f"{leg.side}_foot")
        put(leg.toe, f"{leg.side}_foot")
    for joint in np.flatnonzero(own == 0):
        parent = skeleton.parents[joint]
        own[joint] = own[parent] if parent >= 0 else PARTS.index("other")
    return own
