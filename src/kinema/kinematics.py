"""Forward kinematics and time derivatives, for NumPy and torch, with any leading dimensions.

On the CPU the plain loop over joints is the fastest array formulation. Float32 NumPy input uses a compiled kernel
instead (`kinema.kernels.forward`). A parity test compares it with `forward_reference`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from array_api_compat import array_namespace
from numpy.typing import NDArray

from kinema import rotations
from kinema.rotations import Array


def forward_reference(local_rotations: Array, local_translations: Array, parents: Sequence[int]) -> tuple[Array, Array]:
    """Forward kinematics as a loop over joints, differentiable under torch; see `forward`."""
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


def forward(
    local_rotations: Array,
    local_translations: Array,
    parents: Sequence[int] | NDArray[np.integer],
    checked: bool = False,
) -> tuple[Array, Array]:
    """Global rotations `[..., J, 4]` and positions `[..., J, 3]` of a tree of joints.

    Args:
        local_rotations: `[..., J, 4]`, child relative to parent.
        local_translations: `[..., J, 3]` or `[J, 3]`, metres, in the parent's frame; leading dimensions broadcast.
        parents: `[J]`, -1 for a root (there may be several). Parents come before their children.
        checked: skip the check of shapes and parents, because they are known to be valid.

    Raises:
        ValueError: the arrays and parents differ in their number of joints, or a parent comes after its child.
    """
    joints = local_rotations.shape[-2]
    order = np.asarray(parents, dtype=np.int32)
    # Compiled code does not check indices. Invalid ones would read memory outside the arrays.
    if not checked and (
        local_translations.shape[-2] != joints
        or order.shape != (joints,)
        or bool(((order < -1) | (order >= np.arange(joints))).any())
    ):
        raise ValueError(
            f"rotations of {joints} joints need as many translations ({local_translations.shape[-2]} given) and "
            f"parents ({len(parents)} given), each parent before its children"
        )
    fast = _compiled(local_rotations, local_translations) and local_rotations.size and local_translations.size
    if not fast:
        return forward_reference(local_rotations, local_translations, order.tolist())
    from kinema import kernels  # imported here because numba is slow to import

    shared = local_translations.ndim == 2
    batch = local_rotations.shape[:-2] if shared else _batch(local_rotations.shape[:-2], local_translations.shape[:-2])
    flat_rotations = _flat(local_rotations, batch)
    flat_translations = _flat(local_translations, () if shared else batch)
    global_rotations, global_positions = kernels.forward(flat_rotations, flat_translations, order)
    return global_rotations.reshape(*batch, joints, 4), global_positions.reshape(*batch, joints, 3)


def place_reference(
    model_rotations: Array, model_positions: Array, root_positions: Array, root_rotations: Array
) -> tuple[Array, Array]:
    """Array version of `place`; differentiable under torch."""
    root = root_rotations[..., None, :]
    global_positions = rotations.rotate(root, model_positions) + root_positions[..., None, :]
    return rotations.multiply(root, model_rotations), global_positions


def place(
    model_rotations: Array, model_positions: Array, root_positions: Array, root_rotations: Array
) -> tuple[Array, Array]:
    """Transform joints from the root frame to the world: global rotations `[..., J, 4]` and positions `[..., J, 3]`.

    Args:
        model_rotations, model_positions: `[..., J, 4]` and `[..., J, 3]`, relative to the root frame.
        root_positions, root_rotations: `[..., 3]`, metres, and `[..., 4]`.
    """
    if not (_compiled(model_rotations, model_positions) and model_rotations.size):
        return place_reference(model_rotations, model_positions, root_positions, root_rotations)
    from kinema import kernels

    batch = _batch(model_rotations.shape[:-2], root_positions.shape[:-1], root_rotations.shape[:-1])
    joints = model_rotations.shape[-2]
    roots = _flat(root_positions, batch, 1), _flat(root_rotations, batch, 1)
    global_rotations, global_positions = kernels.place(
        *roots, _flat(model_rotations, batch), _flat(model_positions, batch)
    )
    return global_rotations.reshape(*batch, joints, 4), global_positions.reshape(*batch, joints, 3)


def _compiled(rotation: Array, position: Array) -> bool:
    """Whether the compiled kernel supports these arrays."""
    return isinstance(rotation, np.ndarray) and isinstance(position, np.ndarray) and rotation.dtype == np.float32


def _batch(*shapes: tuple[int, ...]) -> tuple[int, ...]:
    """The shape to which leading dimensions broadcast."""
    return shapes[0] if all(shape == shapes[0] for shape in shapes) else np.broadcast_shapes(*shapes)


def _flat(array: NDArray[np.floating], batch: tuple[int, ...], tail: int = 2) -> NDArray[np.float32]:
    """`[N, ...]` float32, contiguous, from an array that broadcasts to the leading dimensions `batch`."""
    if len(batch) == 1 and array.shape[0] == batch[0] and array.ndim == tail + 1:
        return np.ascontiguousarray(array, np.float32)
    if array.shape[:-tail] != batch:
        array = np.broadcast_to(array, (*batch, *array.shape[-tail:]))
    return np.ascontiguousarray(array, dtype=np.float32).reshape(-1, *array.shape[-tail:])


def to_local(
    global_rotations: Array, global_positions: Array, parents: Sequence[int] | NDArray[np.integer]
) -> tuple[Array, Array]:
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
    rates = rotations.log(rotations.multiply(rotation[1:], rotations.inverse(rotation[:-1]))) / dt
    return xp.concat([rates[:1], 0.5 * (rates[1:] + rates[:-1]), rates[-1:]], axis=0)
