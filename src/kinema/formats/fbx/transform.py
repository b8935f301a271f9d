"""The transform of an FBX node: offsets, pivots, pre- and post-rotation, and how scale is inherited.

A node's matrix is `T Roff Rp Rpre R Rpost^-1 Rp^-1 Soff Sp S Sp^-1` (FBX SDK documentation, "Computing
transformation matrices"). All functions take any leading dimensions, so one call serves a whole clip of a node.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from kinema import rotations
from kinema.arrays import Floats
from kinema.formats.rigid import affine

ORDERS = ("XYZ", "XZY", "YZX", "YXZ", "ZXY", "ZYX", "XYZ")  # the axis that rotates first is named first; 6 is spheric
SPHERIC = 6
COMPONENTWISE, PLAIN, COMPENSATED = 0, 1, 2  # InheritType: RrSs, RSrs, Rrs
PARTS = {
    "Lcl Translation": 0.0, "Lcl Rotation": 0.0, "Lcl Scaling": 1.0, "RotationOffset": 0.0, "RotationPivot": 0.0,
    "ScalingOffset": 0.0, "ScalingPivot": 0.0, "PreRotation": 0.0, "PostRotation": 0.0,
}  # fmt: skip
"""The properties that make the matrix, and the default of each of their three numbers."""
CHANNELS = {"T": "Lcl Translation", "R": "Lcl Rotation", "S": "Lcl Scaling"}
"""The properties that files before version 7 animate, by the name of their channel."""


def euler_matrix(degrees: Floats, order: int = 0) -> Floats:
    """Rotation matrices `[..., 3, 3]` of Euler angles `[..., 3]` in degrees about X, Y, Z; see `ORDERS`."""
    letters, columns = outermost_first(order)
    return rotations.to_matrix(rotations.from_euler(np.radians(degrees)[..., columns], letters))


def outermost_first(order: int) -> tuple[str, list[int]]:
    """The axes of a rotation order from the last to rotate to the first, and their columns in X, Y, Z."""
    letters = ORDERS[order][::-1]
    return letters, ["XYZ".index(axis) for axis in letters]


@dataclass(eq=False)
class Local:
    """A node relative to its parent: `rotation` `[..., 3, 3]`, `scale` `[..., 3]`, `translation` `[..., 3]`."""

    rotation: Floats
    scale: Floats
    translation: Floats

    def __getitem__(self, index: int) -> Local:
        return Local(self.rotation[index], self.scale[index], self.translation[index])

    def matrix(self) -> Floats:
        """As one matrix `[..., 4, 4]`."""
        return affine(self.rotation * self.scale[..., None, :], self.translation)


def local(parts: Mapping[str, Floats], order: int = 0) -> Local:
    """A node's transform from its properties, each `[..., 3]`; those left out have no effect."""

    def part(name: str) -> Floats | None:
        value = parts.get(name)
        return None if value is None or (value == PARTS[name]).all() else value

    spin, before, after = part("Lcl Rotation"), part("PreRotation"), part("PostRotation")
    rotation = np.eye(3) if spin is None else euler_matrix(spin, order)
    if before is not None:
        rotation = euler_matrix(before) @ rotation
    if after is not None:
        rotation = rotation @ np.swapaxes(euler_matrix(after), -1, -2)
    inner, outer = pivots(parts)
    place = outer + (rotation @ inner[..., None])[..., 0] if inner.any() else outer
    move, scale = part("Lcl Translation"), part("Lcl Scaling")
    return Local(rotation, np.ones(3) if scale is None else scale, place if move is None else place + move)


def pivots(parts: Mapping[str, Floats]) -> tuple[Floats, Floats]:
    """What pivots and offsets add to the translation: a vector `[..., 3]` that the rotation applies to, and one not."""
    zero = np.zeros(3)
    pivot, center = parts.get("ScalingPivot", zero), parts.get("RotationPivot", zero)
    inner = pivot - pivot * parts.get("Lcl Scaling", 1.0) + parts.get("ScalingOffset", 0.0) - center
    return inner, center + parts.get("RotationOffset", 0.0)


@dataclass(eq=False)
class Global:
    """A node in the file's space.

    Attributes:
        linear: `[..., 3, 3]`, with scale and shear.
        position: `[..., 3]`.
        rotation: `[..., 3, 3]`: the product of the rotations alone.
        stretch: `[..., 3, 3]`: what `linear` has apart from `rotation` and the node's own scale.
        scale: `[..., 3]`, the node's own.
    """

    linear: Floats
    position: Floats
    rotation: Floats
    stretch: Floats
    scale: Floats

    def matrix(self) -> Floats:
        """As one matrix `[..., 4, 4]`."""
        return affine(self.linear, self.position)


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
