"""Height of the soles of a character's feet, from its meshes."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from kinema.character import Character
from kinema.retargeting.stance import StandingPose

_MOSTLY = 0.5  # weight of a foot from which a vertex is part of it


def sole_height(character: Character, standing: StandingPose, feet: Iterable[int]) -> float | None:
    """Height of the lowest vertex of the feet along the body's up direction, metres, while the character stands.

    Args:
        feet: joints that are feet; their descendants count too.

    Returns:
        None where no mesh moves with the feet.
    """
    skeleton = character.skeleton
    chosen = np.zeros(skeleton.joint_count, bool)
    chosen[list(feet)] = True
    for joint, parent in enumerate(skeleton.parents.tolist()):
        chosen[joint] = chosen[joint] or (parent >= 0 and chosen[parent])
    lowest: list[float] = []
    for mesh in character.meshes:
        part = _of_joints(mesh.joints, mesh.weights, chosen, len(mesh.positions), mesh.joint)
        if part.any():
            points = mesh.skin(standing.pose)[part]
            lowest.append(float((points @ standing.up).min()))
    return min(lowest, default=None)


def _of_joints(
    joints: NDArray[np.int32] | None,
    weights: NDArray[np.float32] | None,
    chosen: NDArray[np.bool_],
    count: int,
    hung_on: int | None,
) -> NDArray[np.bool_]:
    if joints is None or weights is None:
        return np.full(count, hung_on is not None and bool(chosen[hung_on]))
    return (weights * chosen[joints]).sum(axis=1) > _MOSTLY
