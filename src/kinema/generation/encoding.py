"""What a network is told about a rig: numbers for each joint, and relations for each pair of joints.

All of it follows from the rest pose, the tree and the names, so a skeleton without any motion has it. Names and roles
can be withheld, since rigs out of automatic riggers have neither. Places in the tree are described by heat kernels (J.
Sun et al., "A Concise and Provably Informative Multi-Scale Signature Based on Heat Diffusion", SGP 2009), which, unlike
the eigenvectors that they are made of, do not depend on the choice of a basis where eigenvalues coincide, as they do in
symmetric bodies. Relations of pairs bias attention (W. Park et al., "GRPE: Relative Positional Encoding for Graph
Transformer", 2022).
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from kinema import naming
from kinema.arrays import Singles
from kinema.generation.rig import AnyRig
from kinema.generation.symmetry import mirror_image
from kinema.roles import PARTS, Side

FARTHEST = 8
"""Hops between two joints that are told apart; farther ones count as this many."""

SIZES = 0.1, 3.5
"""Metres of a unit between which generated bodies are. Those beyond, often in wrong units, are told as these."""

RELATIONS = ("self", "parent", "child", "sibling", "ancestor", "descendant", "partner", "other")
"""What the second joint of a pair is to the first."""

NAME_BUCKETS = 64
_SIDES: tuple[Side | None, ...] = ("left", "right", None)
_DIFFUSION = np.geomspace(0.3, 300.0, 8)  # times of heat kernels, in units of the Laplacian of the tree
_MOST_CHILDREN = 4

SHAPE = 3 + 3 + 1 + 1 + 1 + 1 + (_MOST_CHILDREN + 1) + len(_DIFFUSION) + 1 + len(_SIDES)
ROLE, NAME = len(PARTS), NAME_BUCKETS
SHAPED, ROLED, NAMED = slice(0, SHAPE), slice(SHAPE, SHAPE + ROLE), slice(SHAPE + ROLE, SHAPE + ROLE + NAME)
"""Where in the numbers of a joint its shape, its role and its name are."""

WIDTH = SHAPE + ROLE + NAME
"""Numbers of a joint."""

_Small: TypeAlias = NDArray[np.int8]


@dataclass(frozen=True, eq=False)
class RigEncoding:
    """A rig as a network sees it.

    Attributes:
        joints: float32 `[K, WIDTH]`.
        hops: int8 `[K, K]`: joints to pass from one to the other, at most `FARTHEST`.
        relations: int8 `[K, K]`, indices into `RELATIONS`.
        size: logarithm of the metres of a unit, within `SIZES`.
    """

    joints: Singles
    hops: _Small
    relations: _Small
    size: float


def encode_rig(rig: AnyRig) -> RigEncoding:
    """The encoding of a rig."""
    hops = _hops(rig)
    joints = np.concatenate([_shape(rig), _roles(rig), _names(rig)], axis=1).astype(np.float32)
    size = float(np.log(np.clip(rig.unit, *SIZES)))
    return RigEncoding(joints, np.minimum(hops, FARTHEST).astype(np.int8), _relations(rig, hops), size)


def _above(rig: AnyRig) -> NDArray[np.bool_]:
    """Whether joint `[i]` is `[j]` or an ancestor of it, `[K, K]`."""
    above = np.eye(rig.count, dtype=np.bool_)
    for joint, parent in enumerate(rig.parents.tolist()):
        if parent >= 0:
            above[:, joint] |= above[:, parent]
    return above


def _hops(rig: AnyRig) -> NDArray[np.int32]:
    above = _above(rig)
    shared = above.astype(np.float32).T @ above.astype(np.float32)  # number of common ancestors, with the joints
    depths = rig.depths.astype(np.int32)
    return depths[:, None] + depths[None] - 2 * (shared.round().astype(np.int32) - 1)


def _relations(rig: AnyRig, hops: NDArray[np.int32]) -> _Small:
    above, count = _above(rig), rig.count
    found = np.full((count, count), RELATIONS.index("other"), np.int8)
    found[above] = RELATIONS.index("descendant")
    found[above.T] = RELATIONS.index("ancestor")
    parents = rig.parents
    siblings = (parents[:, None] == parents[None]) & (parents >= 0)[:, None]
    found[siblings] = RELATIONS.index("sibling")
    below = np.arange(1, count)
    found[below, parents[1:]] = RELATIONS.index("parent")
    found[parents[1:], below] = RELATIONS.index("child")
    partners = mirror_partners(rig)
    paired = np.flatnonzero(partners != np.arange(count))
    found[paired, partners[paired]] = RELATIONS.index("partner")
    found[np.arange(count), np.arange(count)] = RELATIONS.index("self")
    return found


def mirror_partners(rig: AnyRig) -> NDArray[np.int32]:
    """int32 `[K]`: the animated joint on the other side of each, or the joint itself.

    The rest pose tells; of what has no mirror image there, names do.
    """
    image, own = mirror_image(rig), np.arange(rig.count, dtype=np.int32)
    place = np.full(rig.skeleton.joint_count, -1, np.int32)
    place[rig.joints] = own
    named = place[rig.skeleton.roles.partners[rig.joints]]
    agreed = (image < 0) & (named >= 0) & (image[named] < 0) & (named[named] == own)
    return np.where(image >= 0, image, np.where(agreed, named, own)).astype(np.int32)


def sides(rig: AnyRig) -> list[Side | None]:
    """The side of each joint `[K]`: where the rest pose has it, if it has a mirror image; else what names say."""
    image = mirror_image(rig)
    told = [rig.skeleton.roles.sides[joint] for joint in rig.joints.tolist()]
    across = rig.rest_positions[:, 0] - rig.rest_positions[np.maximum(image, 0), 0]
    return [
        side if other < 0 else None if other == joint else "left" if apart > 0 else "right"
        for joint, (side, other, apart) in enumerate(zip(told, image.tolist(), across.tolist(), strict=True))
    ]


def _shape(rig: AnyRig) -> Singles:
    """Place, bone, tree and side of each joint, `[K, SHAPE]`."""
    skeleton, count = rig.skeleton, rig.count
    above = _above(rig)
    children = np.bincount(rig.parents[1:], minlength=count)
    lengths = np.linalg.norm(rig.offsets, axis=-1, keepdims=True)
    lengths[0] = 0.0
    tips = np.zeros((count, 1))
    tips[np.isin(rig.joints, skeleton.tip_joints)] = 1.0
    hips = np.zeros((count, 1))
    hips[0] = 1.0
    return np.concatenate(
        [
            rig.rest_positions,
            4.0 * np.concatenate([np.zeros((1, 3)), rig.offsets[1:]]),
            4.0 * lengths,
            rig.depths[:, None] / 8.0,
            np.log(above.sum(axis=1, keepdims=True)) / 3.0,
            hips,
            np.eye(_MOST_CHILDREN + 1)[np.minimum(children, _MOST_CHILDREN)],
            _heat(rig),
            tips,
            np.eye(len(_SIDES))[[_SIDES.index(side) for side in sides(rig)]],
        ],
        axis=1,
    ).astype(np.float32)


def _heat(rig: AnyRig) -> Singles:
    """Share of the heat that a joint keeps after some times, were it the only hot one of the tree: `[K, 8]`."""
    count = rig.count
    laplacian = np.zeros((count, count))
    below = np.arange(1, count)
    laplacian[below, rig.parents[1:]] = laplacian[rig.parents[1:], below] = -1.0
    laplacian[np.arange(count), np.arange(count)] = -laplacian.sum(axis=1)
    values, vectors = np.linalg.eigh(laplacian)
    kept = np.square(vectors) @ np.exp(-np.maximum(values, 0.0)[:, None] * _DIFFUSION)
    return (kept * np.sqrt(1.0 + _DIFFUSION)).astype(np.float32)  # spread over the tree by then, it is of order one


def _roles(rig: AnyRig) -> Singles:
    parts = [PARTS.index(rig.skeleton.roles.parts[joint]) for joint in rig.joints.tolist()]
    return np.eye(ROLE, dtype=np.float32)[parts]


def _names(rig: AnyRig) -> Singles:
    return np.stack([hashed_name(rig.skeleton.names[joint]) for joint in rig.joints.tolist()])


def hashed_name(name: str) -> Singles:
    """A name as `NAME_BUCKETS` numbers: counts of three letters in a row in its words, hashed, of unit length."""
    counts = np.zeros(NAME_BUCKETS, np.float32)
    for word in naming.words(name):
        marked = f"^{word.lower()}$"
        for start in range(max(len(marked) - 2, 1)):
            counts[zlib.crc32(marked[start : start + 3].encode()) % NAME_BUCKETS] += 1.0
    return counts / max(float(np.linalg.norm(counts)), 1.0)
