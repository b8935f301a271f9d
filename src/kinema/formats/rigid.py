"""Rigid poses out of matrices that scale and shear: skeletons have no scale, many files do.

Positions stay exact. What is left of each frame is the rotation nearest to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

import numpy as np

from kinema import kinematics, rotations
from kinema.arrays import Floats, Reals
from kinema.pose import Pose
from kinema.skeleton import Skeleton

FLAT = 1e-30  # determinant of a linear map that cannot be inverted
UNIFORM = 1e-5  # relative difference of scales that counts as none
BLOCK = 2048 * 64  # world matrices held at a time


def affine(linear: Floats, position: Reals) -> Floats:
    """Matrices `[..., 4, 4]` of linear maps `[..., 3, 3]` and positions `[..., 3]`."""
    result = np.zeros((*np.broadcast_shapes(linear.shape[:-2], position.shape[:-1]), 4, 4))
    result[..., :3, :3], result[..., :3, 3], result[..., 3, 3] = linear, position, 1.0
    return result


def inverses(matrices: Floats) -> Floats:
    """Inverse matrices `[N, 4, 4]`; not finite where there is none."""
    result = np.full(matrices.shape, np.nan)
    with np.errstate(all="ignore"):
        sizes = np.abs(np.linalg.det(matrices))
        for number in np.flatnonzero(np.isfinite(sizes) & (sizes > 1e-60)).tolist():
            try:
                result[number] = np.linalg.inv(matrices[number])
            except np.linalg.LinAlgError:
                continue
    return result


def rigid_part(matrices: Floats) -> Floats:
    """The rotations `[..., 3, 3]` nearest to linear maps `[..., 3, 3]`.

    Axes are normalised where they are at right angles; a sheared map takes its polar rotation. A mirroring map has its
    X axis reversed first, always the same, so that the result moves as smoothly as the map does. A map that
    flattens space has no rotation; it gets an arbitrary one, and stays finite.
    """
    lengths = np.sqrt(np.einsum("...ij,...ij->...j", matrices, matrices))[..., None, :]
    flat = lengths[..., 0, :] <= 1e-12
    axes = matrices / np.where(flat[..., None, :], 1.0, lengths)
    x, y, z = np.moveaxis(axes, -1, 0)
    cosines = [np.abs(np.einsum("...i,...i->...", a, b)) for a, b in ((x, y), (y, z), (z, x))]
    axes[..., 0] *= np.where(np.einsum("...i,...i->...", np.cross(x, y), z) < 0, -1.0, 1.0)[..., None]
    skewed = (np.max(cosines, axis=0) > 1e-6) | flat.any(axis=-1)
    if skewed.any():
        left, _, right = np.linalg.svd(axes[skewed] * lengths[skewed])
        left[..., 2] *= np.where(np.linalg.det(left @ right) < 0, -1.0, 1.0)[..., None]
        axes[skewed] = left @ right
    return axes


def rigid_rotations(world: Floats) -> Floats:
    """Quaternions `[..., 4]` of the rotations nearest to matrices `[..., 4, 4]`."""
    return rotations.from_matrix(rigid_part(world[..., :3, :3]))


def rigid_frames(world: Floats) -> Floats:
    """World matrices `[..., 4, 4]` without their scale and shear."""
    return affine(rigid_part(world[..., :3, :3]), world[..., :3, 3])


def transforms(quaternions: Floats, positions: Reals) -> Floats:
    """Matrices `[..., 4, 4]` of rotations `[..., 4]` and positions `[..., 3]`."""
    return affine(rotations.to_matrix(quaternions), positions)


def uniform_scales(linear: Floats) -> Floats | None:
    """Scales `[N]` of linear maps `[N, 3, 3]` if all of them are uniform and none mirrors; None otherwise."""
    gram = np.swapaxes(linear, 1, 2) @ linear
    squares = np.einsum("nii->n", gram) / 3
    uneven = np.abs(gram - squares[:, None, None] * np.eye(3)).max(axis=(1, 2)) > UNIFORM * squares
    if uneven.any() or (np.linalg.det(linear) <= 1e-12 * squares**1.5).any():
        return None
    return np.sqrt(squares)


def blocks(frames: int, joints: int) -> Iterator[slice]:
    """Runs of frames whose world matrices are held at a time."""
    length = max(BLOCK // joints, 1)
    return (slice(start, min(start + length, frames)) for start in range(0, frames, length))


def rigid_pose(skeleton: Skeleton, worlds: Callable[[slice], Floats], frames: int) -> Pose:
    """Poses `[F]` out of world matrices with all their scale and shear.

    Args:
        worlds: world matrices `[B, J, 4, 4]` of a run of frames.
    """
    pose = Pose(
        skeleton,
        np.empty((frames, skeleton.joint_count, 4), np.float32),
        np.empty((frames, skeleton.joint_count, 3), np.float32),
    )
    for block in blocks(frames, skeleton.joint_count):
        world = worlds(block)
        local = kinematics.to_local(rigid_rotations(world), world[..., :3, 3], skeleton.parents)
        pose.local_rotations[block], pose.local_translations[block] = local
    return pose


def carried(rest: Floats, known: Mapping[int, Floats], parents: Iterable[int]) -> Floats:
    """A pose in which the global matrices of some joints are known; the others follow their parents as at rest.

    Args:
        rest: global matrices `[J, 4, 4]` of the rest pose.
        known: global matrices `[4, 4]` by joint.
        parents: parent of each joint, -1 for a root; parents come before their children.
    """
    pose = rest.copy()
    flat = np.abs(np.linalg.det(rest[:, :3, :3])) < FLAT
    for joint, parent in enumerate(parents):
        if joint in known:
            pose[joint] = known[joint]
        elif parent >= 0 and not flat[parent]:
            pose[joint] = pose[parent] @ np.linalg.inv(rest[parent]) @ rest[joint]
    return pose
