"""The Transform of one entity, as a view of the columns."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kinema.engine.components import Transform, Vector, vector
from kinema.engine.transforms import TransformColumns, positive, unit


class Placed(Transform):
    """The Transform of one entity in the columns: reading and writing it reads and writes the world."""

    def __init__(self, columns: TransformColumns, entity: int) -> None:
        self._columns, self._entity = columns, entity

    @property
    def position(self) -> NDArray[np.float32]:
        return self._columns.positions[self._columns.row(self._entity)]

    @position.setter
    def position(self, value: Vector) -> None:
        self._columns.positions[self._columns.row(self._entity)] = vector(value, 3, "a position")

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
        """``[3]``, metres, world, as it is now."""
        return self._columns.global_of(self._entity)[0]

    @property
    def global_rotation(self) -> NDArray[np.float32]:
        """``[4]``, world, as it is now."""
        return self._columns.global_of(self._entity)[1]
