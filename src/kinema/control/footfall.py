"""Parts of the foot lock: how high feet travel, and how far the hips sink for feet that stand.

Lengths and speeds of the settings are those of an adult. They are multiplied by the size of the body.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinema import springs
from kinema.arrays import Bools, Reals, Singles
from kinema.control import footfall_kernels
from kinema.control.membership import PerCharacter


@dataclass
class Clearance(PerCharacter):
    """How high feet are kept above the ground while they travel along it.

    A blend of two plans, or a root that is pulled, drags feet along at the height of feet that stand. They are lifted
    by their speed. A foot that stands is not lifted.

    Attributes:
        feet: number of feet.
        height: lift of a fast foot, metres.
        extra: additional lift of a foot that leaves its plan while another foot stands, metres.
        slow, fast: speeds at which the lift begins and is complete, m/s.
        near, far: speeds relative to the plan at which the additional lift begins and is complete, m/s.
        halflife: half-life of the lift, seconds.
        memory: half-life over which speeds are averaged, seconds.
    """

    feet: int
    height: float = 0.03
    extra: float = 0.03
    slow: float = 0.2
    fast: float = 0.8
    near: float = 0.08
    far: float = 0.38
    halflife: float = 0.035
    memory: float = 0.02
    _speed: Singles = field(init=False, repr=False)
    _apart: Singles = field(init=False, repr=False)
    _lift: Singles = field(init=False, repr=False)
    _rate: Singles = field(init=False, repr=False)

    def fresh(self, count: int) -> dict[str, NDArray[Any]]:
        """See `PerCharacter`."""
        names = ("_speed", "_apart", "_lift", "_rate")
        return {name: np.zeros((count, self.feet), np.float32) for name in names}

    def step(self, drawn: Singles, planned: Singles, standing: Bools, size: float, dt: float) -> Singles:
        """The lift of each foot `[n, C]`, metres.

        Args:
            drawn, planned: velocities `[n, C, 3]` of the feet and of the feet of the plan, m/s.
            standing: feet `[n, C]` that stand.
            size: of the body, relative to an adult.
        """
        settings = footfall_kernels.Lift(
            self.height,
            self.extra,
            self.slow,
            self.fast,
            self.near,
            self.far,
            springs.kept(self.memory, dt),
            springs.damping(self.halflife),
        )
        states = (self._speed, self._apart, self._lift, self._rate)
        return footfall_kernels.lift(states, drawn, planned, standing, settings, size, dt)


@dataclass
class HipDrop(PerCharacter):
    """How far the hips sink so that legs reach feet that stand.

    Attributes:
        most: largest drop, metres.
        halflife: half-life of changes, seconds.
        depth: how far the hips have sunk `[n]`, metres.
    """

    most: float = 0.2
    halflife: float = 0.1
    depth: Singles = field(init=False, repr=False)
    _rate: Singles = field(init=False, repr=False)

    def fresh(self, count: int) -> dict[str, NDArray[Any]]:
        """See `PerCharacter`."""
        return {name: np.zeros(count, np.float32) for name in ("depth", "_rate")}

    def step(self, legs: Sequence[tuple[Singles, Singles, Bools]], reach: Singles, size: float, dt: float) -> None:
        """Move `depth` towards what the feet need.

        Args:
            legs: now and soon: positions `[n, C, 3]` of hip joints, without the drop, and of feet, metres, and which
                feet `[n, C]` stand.
            reach: largest distances `[C]` between them, metres.
            size: of the body, relative to an adult.
        """
        wanted = np.zeros_like(self.depth)
        for hips, feet, standing in legs:
            footfall_kernels.drop(wanted, hips, feet, reach, standing, size * self.most)
        footfall_kernels.sink(self.depth, self._rate, wanted, springs.damping(self.halflife), dt)


def level(vectors: Reals) -> NDArray[Any]:
    """Lengths `[...]` of vectors `[..., 3]` along the ground."""
    return np.hypot(vectors[..., 0], vectors[..., 2])
