"""Forward kinematics and time derivatives, for NumPy and torch, with any leading dimensions.

On CPU the plain loop over joints is the fastest array formulation; float32 NumPy input takes a compiled kernel instead
(`kinema.kernels.forward`), bound to `forward_reference` by a parity test.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from array_api_compat import array_namespace

from kinema import rotations
from kinema.rotations import Array


def forward_reference(local_rotations: Array, local_translations: Array, parents: Sequence[int]) -> tuple[Array, Array]:
    """Forward kinematics as a loop over joints; differentiable under torch. See `forward`."""
    xp = array_namespace(local_rotations, local_translations)
    local_translations = local_translations + xp.zeros_like(local_rotations[..., :3])
    local_rotations = local_rotations + xp.zeros_like(local_translations[..., :1])
    global_rotations: list[Array] = []
    global_positions: list[Array] = []
    for joint, parent in enumerate(int(p) for p in parents):
        rotation, translation = local_rotations[..., joint, :], local_translations[..., joint, :]
        if parent >= 0:
            translation = global_positions[parent] + rotations.rotate(global_rotations[parent], translation)
            rotation = rotations.multiply(global_rotations[parent], rotation)
        global_rotations.append(rotation)
        global_positions.append(translation)
    return xp.stack(global_rotations, axis=-2), xp.stack(global_positions, axis=-2)


def forward(local_rotations: Array, local_translations: Array, parents: Sequence[int]) -> tuple[Array, Array]:
    """Global rotations `[..., J, 4]` and positions `[..., J, 3]` of a tree of joints.

    Args:
        local_rotations: `[..., J, 4]`, child relative to parent.
        local_translations: `[..., J, 3]` or `[J, 3]`, metres, in the parent's frame; leading dimensions broadcast.
        parents: `[J]`, -1 for a root (there may be several); parents come before their children.

    Raises:
        ValueError: the arrays and parents are not of the same joints, or a parent comes after its child.
    """
    joints = local_rotations.shape[-2]
    # Compiled code checks no index: what does not fit together would read memory that is not its own.
    ordered = len(parents) == joints and all(-1 <= int(p) < j for j, p in enumerate(parents))
    if local_translations.shape[-2] != joints or not ordered:
        raise ValueError(
            f"rotations of {joints} joints need as many translations ({local_translations.shape[-2]} given) and "
            f"parents ({len(parents)} given), each parent before its children"
        )
    fast = (
        isinstance(local_rotations, np.ndarray)
        and isinstance(local_translations, np.ndarray)
        and local_rotations.dtype == np.float32
        and local_rotations.size > 0
        and local_translations.size > 0
    )
    if not fast:
        return forward_reference(local_rotations, local_translations, parents)
    from kinema import kernels  # numba loads on first use, not with the package

    shared = local_translations.ndim == 2
    batch = np.broadcast_shapes(local_rotations.shape[:-2], local_translations.shape[:-2])
    local_rotations = np.broadcast_to(local_rotations, (*batch, joints, 4))
    flat_rotations = np.ascontiguousarray(local_rotations).reshape(-1, joints, 4)
    if not shared:
        local_translations = np.broadcast_to(local_translations, (*batch, joints, 3))
    flat_translations = np.ascontiguousarray(local_translations, dtype=np.float32).reshape(-1, joints, 3)
    global_rotations, global_positions = kernels.forward(
        flat_rotations, flat_translations, np.asarray(parents, dtype=np.int32)
    )
    return global_rotations.reshape(*batch, joints, 4), global_positions.reshape(*batch, joints, 3)


def to_local(global_rotations: Array, global_positions: Array, parents: Sequence[int]) -> tuple[Array, Array]:
    """The inverse of `forward`: local rotations `[..., J, 4]` and translations `[..., J, 3]`."""
    xp = array_namespace(global_rotations, global_positions)
    index = np.asarray(parents)
    is_root = xp.asarray((index < 0)[:, None], device=global_rotations.device)
    order = np.maximum(index, 0)
    if not isinstance(global_rotations, np.ndarray):
        order = xp.asarray(order, device=global_rotations.device)
    parent_rotations = xp.take(global_rotations, order, axis=-2)
    parent_positions = xp.take(global_positions, order, axis=-2)
    to_parent = rotations.inverse(parent_rotations)
    local_rotations = rotations.multiply(to_parent, global_rotations)
    local_translations = rotations.rotate(to_parent, global_positions - parent_positions)
    return (
        xp.where(is_root, global_rotations, local_rotations),
        xp.where(is_root, global_positions, local_translations),
    )


def velocities(positions: Array, dt: float) -> Array:
    """Velocities of `positions` `[F, ...]` in units per second: central differences, one-sided at both ends."""
    xp = array_namespace(positions)
    if positions.shape[0] < 2:
        return xp.zeros_like(positions)
    inner = (positions[2:] - positions[:-2]) / (2.0 * dt)
    first = (positions[1:2] - positions[:1]) / dt
    last = (positions[-1:] - positions[-2:-1]) / dt
    return xp.concat([first, inner, last], axis=0)


def angular_velocities(rotation: Array, dt: float) -> Array:
    """Angular velocities `[F, ..., 3]` in rad/s, in the frame that the rotations `[F, ..., 4]` map into."""
    xp = array_namespace(rotation)
    if rotation.shape[0] < 2:
        return xp.zeros_like(rotation[..., :3])
    turned = rotations.log(rotations.multiply(rotation[1:], rotations.inverse(rotation[:-1]))) / dt
    return xp.concat([turned[:1], 0.5 * (turned[1:] + turned[:-1]), turned[-1:]], axis=0)
