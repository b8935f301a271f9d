"""Random proportions within a body plan: without a seed, every throw gives the preset."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np


class Dice:
    """The proportions of one creature.

    Args:
        rng: the source of variation; None gives the preset itself.
        preset: numbers of the creature, which override those of the plan.
    """

    def __init__(self, rng: np.random.Generator | None, preset: Mapping[str, float]) -> None:
        self._rng, self._preset = rng, preset

    def size(self, name: str, usual: float, spread: float = 1.25) -> float:
        """A length or ratio, varied log-uniformly by up to a factor."""
        value = float(self._preset.get(name, usual))
        return value if self._rng is None else value * float(np.exp(self._rng.uniform(-1, 1) * np.log(spread)))

    def angle(self, name: str, usual: float, spread: float = 0.2) -> float:
        """An angle, radians, varied by up to `spread`."""
        value = float(self._preset.get(name, usual))
        return value if self._rng is None else value + float(self._rng.uniform(-spread, spread))

    def count(self, name: str, usual: int, low: int, high: int) -> int:
        """A number of joints."""
        value = int(self._preset.get(name, usual))
        return value if self._rng is None else int(self._rng.integers(low, high + 1))

    def has(self, name: str, usual: bool, chance: float = 0.5) -> bool:
        """Whether the body has an extra."""
        value = bool(self._preset.get(name, usual))
        return value if self._rng is None else bool(self._rng.random() < chance)
