"""Joints that are not children of the body: feet and targets of IK rigs, which may carry a part of the mesh."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from kinema.arrays import Singles
from kinema.pose import Pose
from kinema.retargeting.chains import limb_chains, limb_joints
from kinema.roles import Chain, carrier

_NEAR = 0.85  # of the distance between the ends of a limb: a detached foot is that near to the limb's last joint


def detached_joints(standing: Pose) -> dict[int, Chain]:
    """Joints with a side that are not below the hips, each with the limb of its side whose last joint is nearest.

    Of several that are below each other only the topmost is listed.
    """
    skeleton, positions = standing.skeleton, standing.global_positions
    roles, top = skeleton.roles, carrier(skeleton)
    above = skeleton.ancestors(top)
    found: dict[int, Chain] = {}
    for joint, side in enumerate(roles.sides):
        limbs = [chain for chain in limb_chains(roles) if chain.side == side]
        if side is None or not limbs or joint in above:
            continue
        if {joint, *skeleton.ancestors(joint)}.isdisjoint((top, *found)):
            found[joint] = min(limbs, key=lambda chain: _distance(positions, joint, chain.joints[-1]))
    return found


def _distance(positions: Singles, one: int, other: int) -> float:
    return float(np.linalg.norm(positions[one] - positions[other]))


def detached_ends(standing: Pose, detached: Mapping[int, Chain]) -> dict[str, int]:
    """The detached joints that are feet and hands of limbs, by the name of the limb's chain."""
    roles, positions = standing.skeleton.roles, standing.global_positions
    found: dict[str, int] = {}
    for chain in limb_chains(roles):
        near = {j: _distance(positions, j, chain.joints[-1]) for j, limb in detached.items() if limb is chain}
        best = min(near, key=lambda joint: (roles.parts[joint] not in ("foot", "hand"), near[joint]), default=None)
        if best is not None and near[best] < _NEAR * _distance(positions, best, limb_joints(roles, chain)[0]):
            found[chain.name] = best
    return found
