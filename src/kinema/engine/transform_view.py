"""The Transform of one entity as a view of the columns, and the validation of its values."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kinema.engine.components import Transform, Vector, vector
from kinema.errors import WorldError

if TYPE_CHECKING:
    from kinema.engine.transforms import TransformColumns

_LARGEST = 1e38  # about the largest float32; comparisons with NaN are false as well
_UNIT_TOLERANCE = 1e-5  # quaternions this close to unit length are kept bit for bit


class TransformView(Transform):
    """The Transform of one entity in the columns: reading and writing it reads and writes the world."""

    def __init__(self, columns: TransformColumns, entity: int) -> None:
        self._columns, self._entity = columns, entity

    @property
    def position(self) -> NDArray[np.float32]:
        return self._columns.positions[self._columns.row(self._entity)]

    @position.setter
    def position(self, value: Vector) -> None:
        # Three scalar assignments are several times faster than one array.
        try:
            x, y, z = map(float, value)
        except (TypeError, ValueError):
            x = y = z = math.nan
        if not abs(x) + abs(y) + abs(z) < _LARGEST:
            x, y, z = vector(value, 3, "a position").tolist()
        row = self._columns.positions[self._columns.row(self._entity)]
        row[0], row[1], row[2] = x, y, z

    @property
    def rotation(self) -> NDArray[np.float32]:
        return self._columns.rotations[self._columns.row(self._entity)]

    @rotation.setter
    def rotation(self, value: Vector) -> None:
        self._columns.rotations[self._columns.row(self._entity)] = unit(value)

    @property
    def scale(self) -> float:
        return float(self._columns.scales[self._columns.row(self._entity)])

    @scale.setter
    def scale(self, value: float) -> None:
        self._columns.scales[self._columns.row(self._entity)] = positive(value)

    @property
    def parent(self) -> int | None:
        return int(self._columns.parents[self._columns.row(self._entity)]) or None

    @property
    def global_position(self) -> NDArray[np.float32]:
        """`[3]`, metres, in the world, up to date."""
        return self._columns.global_of(self._entity)[0]

    @property
    def global_rotation(self) -> NDArray[np.float32]:
        """`[4]`, in the world, up to date."""
        return self._columns.global_of(self._entity)[1]


def unit(value: object) -> NDArray[np.float32]:
    """A unit quaternion `[4]`. One that is already normalised is kept bit for bit. WorldError for zero."""
    rotation = vector(value, 4, "a rotation (w, x, y, z)")
    length = float(np.linalg.norm(rotation.astype(np.float64)))
    if length < 1e-6:
        raise WorldError("a rotation must be a quaternion (w, x, y, z) that is not zero")
    return rotation if abs(length - 1.0) < _UNIT_TOLERANCE else (rotation / length).astype(np.float32)


def positive(value: object) -> np.float32:
    """A scale: one number greater than zero. WorldError for anything else."""
    scale = vector([value], 1, "a scale")[0]
    if scale <= 0:
        raise WorldError(f"a scale must be greater than zero, not {value!r}")
    return scale
