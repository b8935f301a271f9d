"""Analytic two-bone inverse kinematics for legs and arms, batched over any leading dimensions.

One array implementation serves NumPy and torch (differentiable). Float32 NumPy arrays use a compiled kernel
(`kinema.ik.kernels`) with the same results.
"""

from __future__ import annotations

import numpy as np
from array_api_compat import array_namespace
from numpy.typing import NDArray

from kinema import rotations
from kinema.rotations import Array, cross, dot, perpendicular

STRAIGHT = 1e-4
"""Sine of the bend below which a chain without a pole counts as straight: it then bends about its own X axis."""
LEAST_BEND = 0.35
"""Sine of the bend below which the pole outweighs the chain's own plane."""

_TINY = 1e-12


def _length(v: Array) -> Array:
    xp = array_namespace(v)
    return xp.sqrt(xp.clip(dot(v, v), _TINY * _TINY, None))


def _unit(v: Array, fallback: Array) -> Array:
    """`v / |v|`, or `fallback` where `v` is shorter than 1e-6; gradients stay finite."""
    xp = array_namespace(v, fallback)
    square = dot(v, v)
    short = square < _TINY
    return xp.where(short, fallback, v / xp.sqrt(xp.where(short, xp.ones_like(square), square)))


def reach(distance: Array, upper: Array, lower: Array, softness: float = 0.0) -> Array:
    """The distance between root and end that a chain takes for a target at `distance`; same shape.

    Without softness this is a clamp to what the chain can reach. With it, the last `softness` (a share of the
    chain's length) before the limit is approached exponentially, so that the knee never snaps straight
    (A. Nicholas, "Soft IK", 2012).

    Args:
        distance: metres.
        upper, lower: lengths of the two bones, metres.
        softness: 0 to 1.
    """
    xp = array_namespace(distance)
    longest, shortest = upper + lower, xp.abs(upper - lower)
    if softness > 0:
        zone = xp.clip(softness * longest, _TINY, None)
        over = xp.clip(distance - (longest - zone), 0, None)
        distance = xp.where(over > 0, longest - zone * xp.exp(-over / zone), distance)
    return xp.minimum(xp.maximum(distance, shortest), longest)


def _bend(direction: Array, bend: Array, upper: Array, lower: Array, distance: Array) -> Array:
    """Offset of the mid joint from the root; `direction` and `bend` are unit and at right angles."""
    xp = array_namespace(direction)
    along = (upper * upper + distance * distance - lower * lower) / (2 * xp.clip(distance, 1e-9, None))
    along = xp.where(distance < 1e-6, xp.zeros_like(along), along)
    along = xp.minimum(xp.maximum(along, -upper), upper)
    out = xp.sqrt(xp.clip(upper * upper - along * along, _TINY, None))
    return along * direction + out * bend


def two_bone_positions(
    roots: Array, targets: Array, upper: Array, lower: Array, poles: Array, softness: float = 0.0
) -> tuple[Array, Array]:
    """Where the mid joint and the end go: positions `[..., 3]` and `[..., 3]`, for known bone lengths.

    Args:
        roots, targets: `[..., 3]`, metres, in one frame of reference.
        upper, lower: bone lengths, metres, `[..., 1]` or numbers as arrays that broadcast.
        poles: `[..., 3]` directions to which the mid joint bends; any length but zero.
        softness: see `reach`.
    """
    line = targets - roots
    direction = _unit(line, -perpendicular(_unit(poles, line * 0 + 1)))
    distance = reach(_length(line), upper, lower, softness)
    bend = _unit(poles - dot(poles, direction) * direction, perpendicular(direction))
    return roots + _bend(direction, bend, upper, lower, distance), roots + direction * distance


def bend_forward(bend: Array, front: Array, least: Array | float) -> Array:
    """Turn a bend `[..., 3]` to the side of the unit vector `front` `[..., 3]`, without a jump.

    A bend far ahead stays as it is, one far behind is mirrored to the front, and no result is nearer to zero than
    `least`. A knee that wanders through its straight pose thus keeps one bend direction.
    """
    xp = array_namespace(bend, front)
    ahead = dot(bend, front)
    forward = 0.5 * (ahead + xp.sqrt(ahead * ahead + 4.0 * least * least))
    floor = xp.clip(xp.abs(ahead), least, None)
    return forward * front + xp.clip(forward / floor, None, 1.0) * (bend - ahead * front)


def two_bone_reference(
    root_rotations: Array,
    mid_rotations: Array,
    root_positions: Array,
    mid_positions: Array,
    end_positions: Array,
    targets: Array,
    poles: Array | None = None,
    softness: float = 0.0,
) -> tuple[Array, Array]:
    """Array form of `two_bone`; differentiable under torch."""
    xp = array_namespace(root_positions, targets)
    first, second = mid_positions - root_positions, end_positions - mid_positions
    upper, lower = _length(first), _length(second)
    down = first * 0 + xp.asarray([0.0, -1.0, 0.0], dtype=first.dtype, device=first.device)
    first = _unit(first, _unit(second, down))
    second = _unit(second, first)
    old_direction = _unit(end_positions - root_positions, first)
    line = targets - root_positions
    direction = _unit(line, old_direction)
    distance = reach(_length(line), upper, lower, softness)

    swing = rotations.between(old_direction, direction)
    plane = cross(first, second)
    # A straight chain bends about its root joint's own X axis, so that the choice moves with the character.
    along_x = xp.asarray([1.0, 0.0, 0.0], dtype=first.dtype, device=first.device)
    axis = rotations.rotate(root_rotations, down * 0 + along_x)
    axis = _across(axis, first, perpendicular(first))
    old_normal = xp.where(_length(plane) < STRAIGHT, axis, _unit(plane, axis))
    normal = rotations.rotate(swing, old_normal)
    if poles is not None:
        across = cross(poles, direction)
        aligned = _length(across) < STRAIGHT * _length(poles)
        normal = xp.where(aligned, normal, _unit(across, normal))
        # The sign of the bend says nothing near zero: the chain's plane counts only as far as the pole agrees with it.
        carried = rotations.inverse_rotate(swing, normal)
        old_normal = _unit(bend_forward(plane, carried, LEAST_BEND), carried)
    normal = _across(normal, direction, perpendicular(direction))

    new_first = _bend(direction, cross(direction, normal), upper, lower, distance)
    new_second = _unit(direction * distance - new_first, direction)
    new_first = _unit(new_first, direction)
    root_turn = _frame_to_frame(first, _across(old_normal, first, axis), new_first, normal)
    mid_turn = _frame_to_frame(second, _across(old_normal, second, axis), new_second, normal)
    return rotations.multiply(root_turn, root_rotations), rotations.multiply(mid_turn, mid_rotations)


def _across(v: Array, axis: Array, fallback: Array) -> Array:
    """The unit part of `v` at right angles to the unit vector `axis`."""
    return _unit(v - dot(v, axis) * axis, fallback)


def _frame_to_frame(old_forward: Array, old_up: Array, forward: Array, up: Array) -> Array:
    """Rotations that turn one pair of orthogonal unit vectors into another."""
    old = rotations.look_rotation(old_forward, old_up)
    return rotations.multiply(rotations.look_rotation(forward, up), rotations.inverse(old))


def two_bone(
    root_rotations: Array,
    mid_rotations: Array,
    root_positions: Array,
    mid_positions: Array,
    end_positions: Array,
    targets: Array,
    poles: Array | None = None,
    softness: float = 0.0,
) -> tuple[Array, Array]:
    """New global rotations `[..., 4]` of the root and the mid joint that bring the end joint to the target.

    Defined and finite everywhere: a target out of reach is pointed at with a straight chain (or as near as the bones
    allow), a target on the root keeps the chain's direction, a straight chain bends about its root joint's X axis,
    bones of no length stay so. Bone lengths never change.

    Args:
        root_rotations, mid_rotations: global rotations `[..., 4]` of hip and knee (shoulder and elbow).
        root_positions, mid_positions, end_positions: global `[..., 3]`, metres.
        targets: global positions `[..., 3]` for the end joint, metres.
        poles: directions `[..., 3]` to which the mid joint shall bend; None keeps the plane of the chain as it is.
            Where a pole lies along the line to the target, the plane is kept too. A bent chain twists with its pole so
            that the hinge follows. A chain that is nearly straight, or bent away from the pole, does not twist: it may
            pass through its straight pose without a jump. For a pole far behind the bend, turn the chain first.
        softness: share of the chain's length over which the reach limit is eased into; 0 is a hard limit.

    Returns:
        Global rotations of root and mid; the end joint's own rotation is the caller's to choose.

    Raises:
        ValueError: float32 arrays of NumPy do not end in 4 and 3 numbers.
    """
    arrays = (root_rotations, mid_rotations, root_positions, mid_positions, end_positions, targets)
    fast = all(isinstance(array, np.ndarray) and array.dtype == np.float32 for array in arrays)
    if fast and (poles is None or isinstance(poles, np.ndarray)):
        return _compiled(arrays, poles, softness)
    return two_bone_reference(*arrays, poles, softness)


def _compiled(
    arrays: tuple[NDArray[np.float32], ...], poles: NDArray[np.floating] | None, softness: float
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    from kinema.ik import kernels  # numba loads on first use, not with the package

    bends = arrays[2] if poles is None else poles.astype(np.float32, copy=False)
    given = (*arrays, bends)
    # Compiled code checks no bounds.
    if any(array.shape[-1:] != (size,) for array, size in zip(given, (4, 4, 3, 3, 3, 3, 3), strict=True)):
        shapes = ", ".join(str(list(array.shape)) for array in given)
        raise ValueError(f"two_bone needs two rotations [..., 4] and then positions [..., 3], not {shapes}")
    if all(array.ndim == 1 for array in given):
        return kernels.two_bone_single(*given, poles is not None, softness)  # pyright: ignore[reportCallIssue]
    batch = np.broadcast_shapes(*(array.shape[:-1] for array in given))
    flat = [
        np.ascontiguousarray(np.broadcast_to(array, (*batch, array.shape[-1]))).reshape(-1, array.shape[-1])
        for array in given
    ]
    root, mid = kernels.two_bone_batch(*flat, poles is not None, softness)  # pyright: ignore[reportCallIssue]
    return root.reshape(*batch, 4), mid.reshape(*batch, 4)
