"""Analytic two-bone inverse kinematics for legs and arms, batched over any leading dimensions.

One array implementation serves NumPy and torch (differentiable). Float32 NumPy arrays use a compiled kernel with the
same results (`kinema.ik.kernels`).
"""

from __future__ import annotations

from math import cos, pi

import numpy as np
from array_api_compat import array_namespace
from numpy.typing import NDArray

from kinema import rotations
from kinema.rotations import Array, cross, dot, perpendicular

STRAIGHT = 1e-4
"""Sine of the bend below which a chain without a pole counts as straight and bends about its own X axis."""
LEAST_BEND = 0.35
"""Sine of the bend below which the pole outweighs the chain's own plane."""

ANY_BEND = (0.0, pi)
"""Bends of a mid joint without limits: from straight to folded."""

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


def reach(
    distance: Array, upper: Array, lower: Array, softness: float = 0.0, bends: tuple[float, float] = ANY_BEND
) -> Array:
    """The distance from root to end for a target at `distance`; same shape.

    Without softness this clamps to what the chain can reach. With it, the last `softness` (a fraction of the chain's
    length) before the limit is approached exponentially, so that the knee never snaps straight (A. Nicholas,
    "Soft IK", 2012).

    Args:
        distance: metres.
        upper, lower: lengths of the two bones, metres.
        softness: 0 to 1.
        bends: smallest and largest angle between the bones, radians; 0 is a straight chain.
    """
    xp = array_namespace(distance)
    longest = upper + lower if bends[0] <= 0 else _across_bend(upper, lower, bends[0])
    shortest = xp.abs(upper - lower) if bends[1] >= pi else _across_bend(upper, lower, bends[1])
    if softness > 0:
        zone = xp.clip(softness * longest, _TINY, None)
        over = xp.clip(distance - (longest - zone), 0, None)
        distance = xp.where(over > 0, longest - zone * xp.exp(-over / zone), distance)
    return xp.minimum(xp.maximum(distance, shortest), longest)


def _across_bend(upper: Array, lower: Array, bend: float) -> Array:
    """The distance from root to end of a chain with a bend, radians."""
    xp = array_namespace(upper, lower)
    return xp.sqrt(xp.clip(upper * upper + lower * lower + 2 * cos(bend) * upper * lower, _TINY, None))


def _bend(direction: Array, bend: Array, upper: Array, lower: Array, distance: Array) -> Array:
    """Offset of the mid joint from the root. `direction` and `bend` are orthogonal unit vectors."""
    xp = array_namespace(direction)
    along = (upper * upper + distance * distance - lower * lower) / (2 * xp.clip(distance, 1e-9, None))
    along = xp.where(distance < 1e-6, xp.zeros_like(along), along)
    along = xp.minimum(xp.maximum(along, -upper), upper)
    out = xp.sqrt(xp.clip(upper * upper - along * along, _TINY, None))
    return along * direction + out * bend


def two_bone_positions(
    roots: Array,
    targets: Array,
    upper: Array,
    lower: Array,
    poles: Array,
    softness: float = 0.0,
    bends: tuple[float, float] = ANY_BEND,
) -> tuple[Array, Array]:
    """Positions `[..., 3]` of the mid joint and of the end, for known bone lengths.

    Args:
        roots, targets: `[..., 3]`, metres, in one frame of reference.
        upper, lower: bone lengths, metres, `[..., 1]` or numbers as arrays that broadcast.
        poles: directions `[..., 3]` towards which the mid joint bends; any length but zero.
        softness, bends: see `reach`.
    """
    line = targets - roots
    direction = _unit(line, -perpendicular(_unit(poles, line * 0 + 1)))
    distance = reach(_length(line), upper, lower, softness, bends)
    bend = _unit(poles - dot(poles, direction) * direction, perpendicular(direction))
    return roots + _bend(direction, bend, upper, lower, distance), roots + direction * distance


def bend_forward(bend: Array, front: Array, least: Array | float) -> Array:
    """Turn a bend `[..., 3]` to the side of the unit vector `front` `[..., 3]`, without a jump.

    A bend far forward stays as it is, and one far backward is mirrored to the front. No result is shorter than `least`.
    A knee that passes through its straight pose thus keeps one bend direction.
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
    bends: tuple[float, float] = ANY_BEND,
) -> tuple[Array, Array]:
    """Array version of `two_bone`; differentiable under torch."""
    xp = array_namespace(root_positions, targets)
    first, second = mid_positions - root_positions, end_positions - mid_positions
    upper, lower = _length(first), _length(second)
    down = first * 0 + xp.asarray([0.0, -1.0, 0.0], dtype=first.dtype, device=first.device)
    first = _unit(first, _unit(second, down))
    second = _unit(second, first)
    old_direction = _unit(end_positions - root_positions, first)
    line = targets - root_positions
    direction = _unit(line, old_direction)
    distance = reach(_length(line), upper, lower, softness, bends)

    swing = rotations.between(old_direction, direction)
    plane = cross(first, second)
    # A straight chain bends about its root joint's own X axis, so that the bend moves with the character.
    along_x = xp.asarray([1.0, 0.0, 0.0], dtype=first.dtype, device=first.device)
    axis = rotations.rotate(root_rotations, down * 0 + along_x)
    axis = _across(axis, first, perpendicular(first))
    old_normal = xp.where(_length(plane) < STRAIGHT, axis, _unit(plane, axis))
    normal = rotations.rotate(swing, old_normal)
    if poles is not None:
        across = cross(poles, direction)
        aligned = _length(across) < STRAIGHT * _length(poles)
        normal = xp.where(aligned, normal, _unit(across, normal))
        # Near zero the sign of the bend means nothing. The chain's plane counts only as far as the pole agrees with it.
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
    """The unit component of `v` orthogonal to the unit vector `axis`."""
    return _unit(v - dot(v, axis) * axis, fallback)


def _frame_to_frame(old_forward: Array, old_up: Array, forward: Array, up: Array) -> Array:
    """Rotations from one pair of orthogonal unit vectors to another."""
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
    bends: tuple[float, float] = ANY_BEND,
) -> tuple[Array, Array]:
    """New global rotations `[..., 4]` of the root and the mid joint that bring the end joint to the target.

    The result is finite for any input. If the target is out of reach, a straight chain points at it (or comes as near
    as the bones allow). A target on the root keeps the chain's direction. A straight chain bends about its root
    joint's X axis. Bones of zero length stay as they are. Bone lengths never change.

    Args:
        root_rotations, mid_rotations: global rotations `[..., 4]` of hip and knee (shoulder and elbow).
        root_positions, mid_positions, end_positions: global `[..., 3]`, metres.
        targets: global positions `[..., 3]` for the end joint, metres.
        poles: directions `[..., 3]` towards which the mid joint bends; None keeps the plane of the chain.
            A pole along the line to the target keeps the plane too. A bent chain twists with its pole so that the
            hinge follows. A chain that is nearly straight, or bent away from the pole, does not twist: it may pass
            through its straight pose without a jump. If a pole is far behind the bend, rotate the chain first.
        softness: fraction of the chain's length over which the reach limit is eased into; 0 is a hard limit.
        bends: smallest and largest angle between the bones, radians, where 0 is straight. Knees and elbows that stop
            before they are straight or folded keep their limits; the end then stays short of the target, or beyond it.

    Returns:
        Global rotations of root and mid. The end joint's own rotation is left to the caller.

    Raises:
        ValueError: float32 NumPy arrays do not end in dimensions of 4 and 3.
    """
    arrays = (root_rotations, mid_rotations, root_positions, mid_positions, end_positions, targets)
    fast = all(isinstance(array, np.ndarray) and array.dtype == np.float32 for array in arrays)
    if fast and (poles is None or isinstance(poles, np.ndarray)):
        return _compiled(arrays, poles, softness, bends)
    return two_bone_reference(*arrays, poles, softness, bends)


def _compiled(
    arrays: tuple[NDArray[np.float32], ...],
    poles: NDArray[np.floating] | None,
    softness: float,
    bends: tuple[float, float],
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    from kinema.ik import kernels  # imported here because numba is slow to import

    sides = arrays[2] if poles is None else poles.astype(np.float32, copy=False)
    given = (*arrays, sides)
    # Compiled code does not check bounds.
    if any(array.shape[-1:] != (size,) for array, size in zip(given, (4, 4, 3, 3, 3, 3, 3), strict=True)):
        shapes = ", ".join(str(list(array.shape)) for array in given)
        raise ValueError(f"two_bone needs two rotations [..., 4] followed by positions [..., 3], not {shapes}")
    limits = (float(bends[0]), float(bends[1]))
    if all(array.ndim == 1 for array in given):
        return kernels.two_bone_single(*given, poles is not None, softness, limits)  # pyright: ignore[reportCallIssue]
    batch = np.broadcast_shapes(*(array.shape[:-1] for array in given))
    flat = [
        np.ascontiguousarray(np.broadcast_to(array, (*batch, array.shape[-1]))).reshape(-1, array.shape[-1])
        for array in given
    ]
    root, mid = kernels.two_bone_batch(*flat, poles is not None, softness, limits)  # pyright: ignore[reportCallIssue]
    return root.reshape(*batch, 4), mid.reshape(*batch, 4)
