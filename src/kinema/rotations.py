"""Rotations as flat array functions.

Every function takes NumPy arrays or torch tensors with any leading dimensions and returns the same kind; under torch
all of them are differentiable. Quaternions are unit, `wxyz`, Hamilton convention: `multiply(a, b)` rotates by `b`
first and then by `a`. Angles are radians. Zero angles, half turns and opposite vectors are defined everywhere.
"""

from __future__ import annotations

import math
from typing import Any

import array_api_compat.numpy as numpy_namespace
import numpy as np
from array_api_compat import array_namespace
from numpy.typing import ArrayLike

Array = Any
"""A NumPy array or a torch tensor."""

_AXES = {"X": (1.0, 0.0, 0.0), "Y": (0.0, 1.0, 0.0), "Z": (0.0, 0.0, 1.0)}
_TINY = 1e-12


def _namespace(*arrays: Array) -> Any:
    """The array namespace of `arrays`. NumPy has a fast path, because a lookup costs as much as the arithmetic."""
    if all(type(array) is np.ndarray for array in arrays):
        return numpy_namespace
    return array_namespace(*arrays)


def _joined(xp: Any, parts: list[Array]) -> Array:
    """Arrays of one shape `[...]` side by side, `[..., K]`: `stack`, which NumPy has too slow for small arrays."""
    if xp is not numpy_namespace:
        return xp.stack(parts, axis=-1)
    joined = np.empty((*parts[0].shape, len(parts)), parts[0].dtype)
    for k, part in enumerate(parts):
        joined[..., k] = part
    return joined


def alike(values: ArrayLike, like: Array, dtype: type | None = None) -> Array:
    """Convert values to the kind of array, the dtype and the device of `like`.

    Args:
        dtype: a NumPy dtype that overrides that of `like`.
    """
    if type(like) is np.ndarray:
        return np.asarray(values, like.dtype if dtype is None else dtype)
    if dtype is not None:
        return _namespace(like).asarray(np.asarray(values, dtype), device=like.device)
    if isinstance(values, type(like)):  # `asarray` of older torch loses the gradient
        return _namespace(like).astype(values, like.dtype)
    return _namespace(like).asarray(values, dtype=like.dtype, device=like.device)


def dot(a: Array, b: Array) -> Array:
    """Dot product `[..., 1]` of vectors `[..., D]`."""
    return _namespace(a, b).sum(a * b, axis=-1, keepdims=True)


def cross(a: Array, b: Array) -> Array:
    """Cross product of vectors `[..., 3]`."""
    xp = _namespace(a, b)
    ax, ay, az = a[..., 0], a[..., 1], a[..., 2]
    bx, by, bz = b[..., 0], b[..., 1], b[..., 2]
    return _joined(xp, [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx])


def _safe_norm(x: Array) -> tuple[Array, Array]:
    """Norm `[..., 1]` with a finite gradient at zero, and the mask of vectors that are (nearly) zero."""
    xp = _namespace(x)
    squared = dot(x, x)
    zero = squared < _TINY * _TINY
    return xp.sqrt(xp.where(zero, xp.ones_like(squared), squared)), zero


def normalize_vector(x: Array, fallback: tuple[float, ...] | None = None) -> Array:
    """Unit vectors `[..., D]`. A zero vector becomes `fallback` (default: stays zero)."""
    xp = _namespace(x)
    norm, zero = _safe_norm(x)
    replacement = xp.zeros_like(x) if fallback is None else alike(fallback, x) + xp.zeros_like(x)
    return xp.where(zero, replacement, x / norm)


def identity(shape: tuple[int, ...], like: Array) -> Array:
    """Identity quaternions `[*shape, 4]` with the kind of array, the dtype and the device of `like`."""
    xp = _namespace(like)
    return xp.zeros((*shape, 4), dtype=like.dtype, device=like.device) + alike((1.0, 0.0, 0.0, 0.0), like)


def normalize(q: Array) -> Array:
    """Unit quaternions `[..., 4]`. A zero quaternion becomes the identity."""
    return normalize_vector(q, (1.0, 0.0, 0.0, 0.0))


def canonical(q: Array) -> Array:
    """Whichever of `q` and `-q` has a non-negative scalar part, `[..., 4]`."""
    xp = _namespace(q)
    return xp.where(q[..., :1] < 0, -q, q)


def inverse(q: Array) -> Array:
    """Inverse (conjugate) of unit quaternions `[..., 4]`."""
    return q * alike((1.0, -1.0, -1.0, -1.0), q)


def multiply(a: Array, b: Array) -> Array:
    """Hamilton product `a * b` of `[..., 4]` and `[..., 4]`: rotate by `b`, then by `a`."""
    xp = _namespace(a, b)
    aw, ax, ay, az = a[..., 0], a[..., 1], a[..., 2], a[..., 3]
    bw, bx, by, bz = b[..., 0], b[..., 1], b[..., 2], b[..., 3]
    return _joined(
        xp,
        [
            aw * bw - ax * bx - ay * by - az * bz,
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
        ],
    )


def relative(a: Array, b: Array) -> Array:
    """The rotation from `a` to `b` in the frame of `a`: `inverse(a) * b`."""
    return multiply(inverse(a), b)


def rotate(q: Array, v: Array) -> Array:
    """Rotate vectors `[..., 3]` by quaternions `[..., 4]`."""
    xyz = q[..., 1:]
    t = 2.0 * cross(xyz, v)
    return v + q[..., :1] * t + cross(xyz, t)


def inverse_rotate(q: Array, v: Array) -> Array:
    """Rotate vectors `[..., 3]` by the inverse of quaternions `[..., 4]`, from the outer frame to the inner frame."""
    return rotate(inverse(q), v)


def angle(q: Array) -> Array:
    """Rotation angle `[...]` in `[0, pi]` of unit quaternions `[..., 4]`."""
    xp = _namespace(q)
    norm, zero = _safe_norm(q[..., 1:])
    sine = xp.where(zero, xp.zeros_like(norm), norm)[..., 0]
    return 2.0 * xp.atan2(sine, xp.abs(q[..., 0]))


def from_axis_angle(axis: Array, angle: Array) -> Array:
    """Quaternions `[..., 4]` from unit axes `[..., 3]` and angles `[...]`."""
    xp = _namespace(axis, angle)
    half = 0.5 * angle[..., None]
    return xp.concat([xp.cos(half) + xp.zeros_like(axis[..., :1]), xp.sin(half) * axis], axis=-1)


def exp(rotation_vector: Array) -> Array:
    """Quaternions `[..., 4]` from rotation vectors `[..., 3]` (axis times angle)."""
    xp = _namespace(rotation_vector)
    squared = dot(rotation_vector, rotation_vector)
    small = squared < 1e-8
    norm = xp.sqrt(xp.where(small, xp.ones_like(squared), squared))
    w = xp.where(small, 1.0 - squared / 8.0, xp.cos(0.5 * norm))
    scale = xp.where(small, 0.5 - squared / 48.0, xp.sin(0.5 * norm) / norm)
    return xp.concat([w, scale * rotation_vector], axis=-1)


def log(q: Array) -> Array:
    """Rotation vectors `[..., 3]` of the shortest rotations that unit quaternions `[..., 4]` represent."""
    xp = _namespace(q)
    q = canonical(q)
    w, xyz = q[..., :1], q[..., 1:]
    squared = dot(xyz, xyz)
    small = squared < 1e-10
    norm = xp.sqrt(xp.where(small, xp.ones_like(squared), squared))
    safe_w = xp.where(small, w, xp.ones_like(w))
    scale = xp.where(small, 2.0 / safe_w * (1.0 - squared / (3.0 * safe_w * safe_w)), 2.0 * xp.atan2(norm, w) / norm)
    return scale * xyz


def to_matrix(q: Array) -> Array:
    """Rotation matrices `[..., 3, 3]` (column vectors: `p' = M p`) of unit quaternions `[..., 4]`."""
    xp = _namespace(q)
    w, x, y, z = q[..., 0], q[..., 1], q[..., 2], q[..., 3]
    rows = [
        xp.stack([1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)], axis=-1),
        xp.stack([2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)], axis=-1),
        xp.stack([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)], axis=-1),
    ]
    return xp.stack(rows, axis=-2)


def from_matrix(m: Array) -> Array:
    """Unit quaternions `[..., 4]` of rotation matrices `[..., 3, 3]` (Shepperd's four branches, vectorised)."""
    xp = _namespace(m)
    xx, yy, zz = m[..., 0, 0], m[..., 1, 1], m[..., 2, 2]
    zy, xz, yx = m[..., 2, 1] - m[..., 1, 2], m[..., 0, 2] - m[..., 2, 0], m[..., 1, 0] - m[..., 0, 1]
    xy, zx, yz = m[..., 1, 0] + m[..., 0, 1], m[..., 0, 2] + m[..., 2, 0], m[..., 2, 1] + m[..., 1, 2]
    tw, tx, ty, tz = 1 + xx + yy + zz, 1 + xx - yy - zz, 1 - xx + yy - zz, 1 - xx - yy + zz
    q = xp.stack([tw, zy, xz, yx], axis=-1)
    best = tw
    for pivot, branch in ((tx, [zy, tx, xy, zx]), (ty, [xz, xy, ty, yz]), (tz, [yx, zx, yz, tz])):
        larger = pivot > best
        q = xp.where(larger[..., None], xp.stack(branch, axis=-1), q)
        best = xp.where(larger, pivot, best)
    return canonical(normalize(q))


def nearest(m: Array) -> Array:
    """Unit quaternions `[..., 4]` of the rotations nearest to matrices `[..., 3, 3]`.

    For the covariance of vectors with those that they are to come to, it is the rotation that aligns them best
    (W. Kabsch, "A solution for the best rotation to relate two sets of vectors", 1976).
    """
    xp = _namespace(m)
    u, _, vt = xp.linalg.svd(m)
    sign = xp.sign(xp.linalg.det(u @ vt))[..., None, None]
    return from_matrix(xp.concat([u[..., :2], sign * u[..., 2:]], axis=-1) @ vt)


def to_6d(q: Array) -> Array:
    """The first two columns (X axis, then Y axis) of the rotation matrices, `[..., 6]`.

    Zhou et al., "On the Continuity of Rotation Representations in Neural Networks", CVPR 2019.
    """
    xp = _namespace(q)
    m = to_matrix(q)
    return xp.concat([m[..., :, 0], m[..., :, 1]], axis=-1)


def from_6d(x: Array) -> Array:
    """Unit quaternions `[..., 4]` from any six numbers `[..., 6]` by Gram-Schmidt. Defined for degenerate input."""
    return from_matrix(matrix_from_6d(x))


def matrix_from_6d(x: Array) -> Array:
    """Rotation matrices `[..., 3, 3]`, orthonormal with determinant one, from `[..., 6]` by Gram-Schmidt."""
    xp = _namespace(x)
    first = normalize_vector(x[..., :3], (1.0, 0.0, 0.0))
    second = x[..., 3:] - dot(first, x[..., 3:]) * first
    parallel = dot(second, second) < 1e-10 * (dot(x[..., 3:], x[..., 3:]) + _TINY)
    second = normalize_vector(xp.where(parallel, perpendicular(first), second), (0.0, 1.0, 0.0))
    # Orthogonalise twice: for nearly parallel input the first pass leaves a rounding error as large as the result.
    second = normalize_vector(second - dot(first, second) * first, (0.0, 1.0, 0.0))
    return xp.stack([first, second, cross(first, second)], axis=-1)


def perpendicular(v: Array) -> Array:
    """A unit vector orthogonal to each unit vector `[..., 3]`."""
    xp = _namespace(v)
    helper = xp.where(xp.abs(v[..., :1]) < 0.6, alike(_AXES["X"], v), alike(_AXES["Z"], v))
    return normalize_vector(cross(helper, v), _AXES["Z"])


def between(a: Array, b: Array) -> Array:
    """The shortest rotation `[..., 4]` from directions `a` to `b` (`[..., 3]`, any length).

    Opposite directions give a half turn about an orthogonal axis. A zero vector gives the identity.
    """
    xp = _namespace(a, b)
    a, b = normalize_vector(a), normalize_vector(b)
    a, b = a + xp.zeros_like(b), b + xp.zeros_like(a)
    # Rotate twice to the direction halfway between, whose cosine does not cancel near opposite vectors. There the
    # halfway vector is made exactly orthogonal to the difference, as it is for true unit vectors.
    middle, apart = a + b, normalize_vector(a - b)
    middle = xp.where(dot(a, b) < 0, middle - dot(middle, apart) * apart, middle)
    opposite = dot(middle, middle) < 1e-12
    middle = normalize_vector(xp.where(opposite, perpendicular(apart), middle))
    return normalize(xp.concat([dot(a, middle), cross(a, middle)], axis=-1))


def slerp(a: Array, b: Array, t: Array | float) -> Array:
    """Spherical interpolation along the shortest arc from `a` to `b` (`[..., 4]`) at `t` (`[...]`)."""
    xp = _namespace(a, b)
    if not isinstance(t, float | int):
        t = t[..., None]
    b = xp.where(dot(a, b) < 0, -b, b)
    apart = dot(a - b, a - b)
    near = apart < 1e-10
    theta = 2.0 * xp.atan2(xp.sqrt(xp.where(near, xp.ones_like(apart), apart)), xp.sqrt(dot(a + b, a + b)))
    sine = xp.sin(theta)
    from_a = xp.where(near, (1.0 - t) + xp.zeros_like(theta), xp.sin((1.0 - t) * theta) / sine)
    from_b = xp.where(near, t + xp.zeros_like(theta), xp.sin(t * theta) / sine)
    return normalize(from_a * a + from_b * b)


def unroll(q: Array, axis: int = 0) -> Array:
    """Flip signs so that neighbours along `axis` are at most 90 degrees apart in 4D. The rotations stay the same."""
    xp = _namespace(q)
    q = xp.moveaxis(q, axis, 0)
    if q.shape[0] < 2:
        return xp.moveaxis(q, 0, axis)
    flips = xp.sum(q[1:] * q[:-1], axis=-1) < 0
    odd = xp.cumulative_sum(xp.astype(flips, xp.int64), axis=0) % 2 == 1
    signed = xp.concat([q[:1], xp.where(odd[..., None], -q[1:], q[1:])], axis=0)
    return xp.moveaxis(signed, 0, axis)


def swing_twist(q: Array, axis: Array) -> tuple[Array, Array]:
    """Split `q = swing * twist`: `twist` about the unit `axis` `[..., 3]`, `swing` about an axis orthogonal to it.

    If the swing is a half turn, the twist is undefined, and the identity is returned for it.
    """
    xp = _namespace(q, axis)
    along = dot(q[..., 1:], axis)
    twist = xp.concat([q[..., :1] + xp.zeros_like(along), along * axis], axis=-1)
    vanishing = dot(twist, twist) < 1e-10
    twist = normalize(xp.where(vanishing, alike((1.0, 0.0, 0.0, 0.0), q), twist))
    return multiply(q, inverse(twist)), twist


def from_euler(angles: Array, order: str) -> Array:
    """Quaternions from intrinsic Euler angles `[..., len(order)]` in radians: `"ZYX"` means `Rz * Ry * Rx`."""
    result = None
    for column, name in enumerate(order.upper()):
        if name not in _AXES:
            raise ValueError(f"Euler order {order!r} contains {name!r}; it may contain X, Y and Z only")
        value = angles[..., column]
        q = from_axis_angle(alike(_AXES[name], angles) + 0 * value[..., None], value)
        result = q if result is None else multiply(result, q)
    if result is None:
        raise ValueError("Euler order is empty; it must contain X, Y or Z")
    return result


def to_euler(q: Array, order: str) -> Array:
    """Intrinsic Euler angles `[..., 3]` in radians for an order of three different axes, such as `"ZYX"`.

    At gimbal lock the last angle is zero. Near it the angles still recompose to `q` (Bernardes and Viollet,
    "Quaternion to Euler angles conversion: a direct, general and computationally efficient method", PLOS ONE 2022).
    """
    order = order.upper()
    if sorted(order) != ["X", "Y", "Z"]:
        raise ValueError(f"Euler order {order!r} is not supported; it must name X, Y and Z once each, such as 'ZYX'")
    xp = _namespace(q)
    i, j, k = ("XYZ".index(name) for name in order)
    sign = -1.0 if (j - i) % 3 == 1 else 1.0
    w, first_part, middle_part, last_part = q[..., 0], q[..., 1 + i], q[..., 1 + j], q[..., 1 + k]
    a, b = w - middle_part, last_part + sign * first_part
    c, d = w + middle_part, sign * first_part - last_part
    one = xp.ones_like(w)
    flat, upright = a * a + b * b, c * c + d * d
    no_sum, no_difference = flat < 1e-12, upright < 1e-12
    half_sum = xp.atan2(xp.where(no_sum, 0 * one, b), xp.where(no_sum, one, a))
    half_difference = xp.atan2(xp.where(no_difference, 0 * one, d), xp.where(no_difference, one, c))
    half_sum = xp.where(no_sum, half_difference, half_sum)
    half_difference = xp.where(no_difference, half_sum, half_difference)
    middle = 2.0 * xp.atan2(
        xp.where(no_difference, 0 * one, xp.sqrt(xp.where(no_difference, one, upright))),
        xp.where(no_sum, 0 * one, xp.sqrt(xp.where(no_sum, one, flat))),
    )
    first, last = wrap(sign * (half_sum + half_difference)), wrap(half_sum - half_difference)
    return xp.stack([first, middle - 0.5 * math.pi, last], axis=-1)


def from_yaw(yaw: Array) -> Array:
    """Rotations `[..., 4]` about +Y by angles `[...]`; positive angles rotate +Z towards +X."""
    xp = _namespace(yaw)
    zero = xp.zeros_like(yaw)
    return _joined(xp, [xp.cos(0.5 * yaw), zero, xp.sin(0.5 * yaw), zero])


def rotate_yaw(yaw: Array, v: Array) -> Array:
    """Rotate vectors `[..., 3]` about +Y by angles `[...]`: `rotate(from_yaw(yaw), v)` at a fraction of its cost."""
    xp = _namespace(yaw, v)
    sine, cosine = xp.sin(yaw), xp.cos(yaw)
    x, y, z = v[..., 0], v[..., 1], v[..., 2]
    side = cosine * x + sine * z
    return _joined(xp, [side, y + xp.zeros_like(side), cosine * z - sine * x])


def yaw(q: Array) -> Array:
    """Heading `[...]` in `(-pi, pi]`: the angle from +Z, towards +X, of the rotated +Z axis on the ground."""
    xp = _namespace(q)
    w, x, y, z = q[..., 0], q[..., 1], q[..., 2], q[..., 3]
    return xp.atan2(2 * (x * z + w * y), 1 - 2 * (x * x + y * y))


def wrap(angle: Array) -> Array:
    """Wrap angles `[...]` to `[-pi, pi)`."""
    return (angle + math.pi) % (2 * math.pi) - math.pi


def look_rotation(forward: Array, up: Array) -> Array:
    """Rotations `[..., 4]` from +Z to `forward`, and from +Y as close to `up` as possible (both `[..., 3]`)."""
    xp = _namespace(forward, up)
    z = normalize_vector(forward, _AXES["Z"])
    up = normalize_vector(up) + xp.zeros_like(z)
    z = z + xp.zeros_like(up)
    side = cross(up, z)
    side = xp.where(dot(side, side) < 1e-10, perpendicular(z), side)
    x = normalize_vector(side, _AXES["X"])
    return from_matrix(xp.stack([x, cross(z, x), z], axis=-1))
