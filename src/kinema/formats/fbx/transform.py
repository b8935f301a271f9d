"""The transform of an FBX node: offsets, pivots, pre- and post-rotation, and how scale is inherited.

A node's matrix is `T Roff Rp Rpre R Rpost^-1 Rp^-1 Soff Sp S Sp^-1` (FBX SDK documentation, "Computing
transformation matrices"). Everything takes any leading dimensions, so a whole clip is one call for each node.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

ORDERS = ("XYZ", "XZY", "YZX", "YXZ", "ZXY", "ZYX", "XYZ")  # the axis that turns first is named first; 6 is spheric
SPHERIC = 6
COMPONENTWISE, PLAIN, COMPENSATED = 0, 1, 2  # InheritType: RrSs, RSrs, Rrs
PARTS = {
    "Lcl Translation": 0.0,
    "Lcl Rotation": 0.0,
    "Lcl Scaling": 1.0,
    "RotationOffset": 0.0,
    "RotationPivot": 0.0,
    "ScalingOffset": 0.0,
    "ScalingPivot": 0.0,
    "PreRotation": 0.0,
    "PostRotation": 0.0,
}
"""The properties that make the matrix, and what each of their three numbers is where a file does not say."""


def euler_matrix(degrees: Array, order: int = 0) -> Array:
    """Rotation matrices `[..., 3, 3]` of Euler angles `[..., 3]` in degrees about X, Y, Z; see `ORDERS`."""
    angles = np.radians(degrees)
    cosine, sine = np.cos(angles), np.sin(angles)
    result = None
    for name in ORDERS[order]:
        axis = "XYZ".index(name)
        turn = np.zeros((*angles.shape[:-1], 3, 3))
        i, j = (axis + 1) % 3, (axis + 2) % 3
        turn[..., axis, axis] = 1.0
        turn[..., i, i] = turn[..., j, j] = cosine[..., axis]
        turn[..., j, i], turn[..., i, j] = sine[..., axis], -sine[..., axis]
        result = turn if result is None else turn @ result
    assert result is not None
    return result


@dataclass(eq=False)
class Local:
    """A node relative to its parent: `rotation` `[..., 3, 3]`, `scale` `[..., 3]`, `translation` `[..., 3]`."""

    rotation: Array
    scale: Array
    translation: Array

    def matrix(self) -> Array:
        """As one matrix `[..., 4, 4]`."""
        shape = np.broadcast_shapes(self.rotation.shape[:-2], self.scale.shape[:-1], self.translation.shape[:-1])
        result = np.zeros((*shape, 4, 4))
        result[..., :3, :3] = self.rotation * self.scale[..., None, :]
        result[..., :3, 3] = self.translation
        result[..., 3, 3] = 1.0
        return result


def local(parts: Mapping[str, Array], order: int = 0) -> Local:
    """A node's transform from its properties, each `[..., 3]`; those left out have no effect."""

    def part(name: str) -> Array | None:
        value = parts.get(name)
        return None if value is None or (value == PARTS[name]).all() else value

    turned, before, after = part("Lcl Rotation"), part("PreRotation"), part("PostRotation")
    rotation = np.eye(3) if turned is None else euler_matrix(turned, order)
    if before is not None:
        rotation = euler_matrix(before) @ rotation
    if after is not None:
        rotation = rotation @ np.swapaxes(euler_matrix(after), -1, -2)
    scale = np.ones(3) if part("Lcl Scaling") is None else parts["Lcl Scaling"]
    # The place of the node's origin, from the right of the formula to its left.
    inner = np.zeros(3)
    pivot = part("ScalingPivot")
    if pivot is not None:
        inner = pivot - pivot * scale
    if part("ScalingOffset") is not None:
        inner = inner + parts["ScalingOffset"]
    pivot = part("RotationPivot")
    if pivot is not None:
        inner = inner - pivot
    place = (rotation @ inner[..., None])[..., 0] if inner.any() else np.zeros(3)
    for name in ("RotationPivot", "RotationOffset", "Lcl Translation"):
        if part(name) is not None:
            place = place + parts[name]
    return Local(rotation, scale, place)


@dataclass(eq=False)
class Global:
    """A node in the file's space.

    Attributes:
        linear: `[..., 3, 3]`, with scale and shear.
        position: `[..., 3]`.
        rotation: `[..., 3, 3]`: the product of the rotations alone.
        stretch: `[..., 3, 3]`: what `linear` has beside `rotation` and the node's own scale.
        scale: `[..., 3]`, the node's own.
    """

    linear: Array
    position: Array
    rotation: Array
    stretch: Array
    scale: Array

    def matrix(self) -> Array:
        """As one matrix `[..., 4, 4]`."""
        shape = np.broadcast_shapes(self.linear.shape[:-2], self.position.shape[:-1])
        result = np.zeros((*shape, 4, 4))
        result[..., :3, :3], result[..., :3, 3], result[..., 3, 3] = self.linear, self.position, 1.0
        return result


def globally(own: Local, parent: Global | None, inherit: int) -> Global:
    """A node's transform under its parent's, scale inherited as `inherit` says.

    `PLAIN` multiplies matrices. `COMPONENTWISE` lets the parent's scale act along the child's axes, and
    `COMPENSATED` does the same without the parent's own scale (Maya's segment scale compensation). The child's
    origin moves with the whole parent in all three.
    """
    if parent is None:
        return Global(own.rotation * own.scale[..., None, :], own.translation, own.rotation, np.eye(3), own.scale)
    rotation = parent.rotation @ own.rotation
    position = (parent.linear @ own.translation[..., None])[..., 0] + parent.position
    if inherit == COMPONENTWISE:
        stretch = parent.stretch * parent.scale[..., None, :]
        unscaled = rotation @ stretch
    elif inherit == COMPENSATED:
        stretch = parent.stretch
        unscaled = rotation @ stretch
    else:
        unscaled = parent.linear @ own.rotation
        stretch = np.swapaxes(rotation, -1, -2) @ unscaled
    return Global(unscaled * own.scale[..., None, :], position, rotation, stretch, own.scale)
