"""Which joints of a rig are mirror images of each other, by the shape of the rest pose and the tree alone.

Automatic riggers give no names that say left or right, and names can be wrong. Bodies are symmetric about the plane
x = 0 of a rest pose that faces +Z: from the hips outwards, children are matched with the children of the other side
whose bones, mirrored, are most like theirs. Poses that are no symmetric stance, such as a dog in mid-stride, have no
mirror image; there, names have to say it.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import linear_sum_assignment

from kinema.arrays import Floats, Indices, Singles
from kinema.generation.rig import AnyRig

_ALIKE = 0.4
"""Largest difference of two mirrored branches: of bones, relative to their length, with that of sizes of branches."""

_MIRROR = np.asarray([-1.0, 1.0, 1.0])


def mirror_image(rig: AnyRig) -> Indices:
    """int32 `[K]`: the joint that each is the mirror image of: itself in the middle of the body, -1 where there is
    none."""
    count = rig.count
    children: list[list[int]] = [[] for _ in range(count)]
    for joint, parent in enumerate(rig.parents.tolist()):
        if parent >= 0:
            children[parent].append(joint)
    branches = _branches(rig)
    image = np.full(count, -1, np.int32)
    image[0] = 0
    for joint in range(count):
        other = int(image[joint])
        if other < joint:  # has none, or was done with the other
            continue
        mine, theirs = children[joint], children[other]
        cost = _differences(rig.offsets, branches, mine, theirs)
        rows, columns = linear_sum_assignment(cost)
        found = {mine[row]: theirs[column] for row, column in zip(rows, columns, strict=True)}
        for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
            one, two = mine[row], theirs[column]
            if cost[row, column] <= _ALIKE and (joint != other or found.get(two) == one):
                image[one], image[two] = two, one
    return image


def _branches(rig: AnyRig) -> Floats:
    """`[K, 2]`: logarithms of the joints of each branch and of the length of its bones."""
    joints, lengths = np.ones(rig.count), np.linalg.norm(rig.offsets, axis=-1).astype(np.float64)
    for joint in range(rig.count - 1, 0, -1):
        joints[rig.parents[joint]] += joints[joint]
        lengths[rig.parents[joint]] += lengths[joint]
    return np.log(np.stack([joints, np.maximum(lengths, 1e-3)], axis=-1))


def _differences(offsets: Singles, branches: Floats, mine: list[int], theirs: list[int]) -> Floats:
    """`[N, M]`: how unlike branches are the mirror images of others."""
    mirrored, others = offsets[mine] * _MIRROR, offsets[theirs]
    apart = np.linalg.norm(mirrored[:, None] - others[None], axis=-1)
    lengths = np.maximum(np.linalg.norm(mirrored, axis=-1)[:, None], np.linalg.norm(others, axis=-1)[None])
    sizes = np.abs(branches[mine][:, None] - branches[theirs][None]).sum(axis=-1)
    return apart / np.maximum(lengths, 1e-2) + sizes
