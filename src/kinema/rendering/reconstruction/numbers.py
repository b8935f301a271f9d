"""The numbers of Gaussians that are being fitted, and how they follow their gradients."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

import numpy as np

from kinema.arrays import Bools, Ints, Singles
from kinema.compiled import njit
from kinema.worlds.gaussians import GaussianScene

_SLOW, _SLOWER, _TINY = 0.9, 0.999, 1e-15


@dataclass(eq=False)
class Numbers:
    """Of `G` Gaussians, as in `GaussianScene`: values, or something about each of them, such as gradients."""

    means: Singles
    quaternions: Singles
    log_scales: Singles
    logits: Singles
    harmonics: Singles

    def __len__(self) -> int:
        return len(self.means)

    @staticmethod
    def of(scene: GaussianScene) -> Numbers:
        """Copies of those of a scene."""
        return Numbers(*(np.ascontiguousarray(getattr(scene, name), np.float32).copy() for name in NAMES))

    def scene(self, name: str = "") -> GaussianScene:
        """A scene of them."""
        return GaussianScene(**{part: getattr(self, part).copy() for part in NAMES}, name=name)

    def zeros(self) -> Numbers:
        """As many zeros."""
        return Numbers(*(np.zeros_like(getattr(self, name)) for name in NAMES))

    def taken(self, which: Bools | Ints) -> Numbers:
        """Those of some Gaussians."""
        return Numbers(*(getattr(self, name)[which] for name in NAMES))

    def joined(self, other: Numbers) -> Numbers:
        """Both, one after the other."""
        return Numbers(*(np.concatenate([getattr(self, name), getattr(other, name)]) for name in NAMES))


NAMES = tuple(field.name for field in fields(Numbers))


class Adam:
    """Moves numbers against their gradients (D. Kingma and J. Ba, "Adam", 2015).

    Args:
        count: Gaussians.

    Attributes:
        first, second: running means of gradients and of their squares. steps: taken so far.
    """

    def __init__(self, numbers: Numbers) -> None:
        self.first, self.second = numbers.zeros(), numbers.zeros()
        self.steps = 0

    def step(self, numbers: Numbers, gradients: Numbers, rates: dict[str, float]) -> None:
        """Move the numbers by one step.

        Args:
            rates: by attribute, how far at most, about.
        """
        self.steps += 1
        fast = math.sqrt(1.0 - _SLOWER**self.steps) / (1.0 - _SLOW**self.steps)
        for name in NAMES:
            parts = (numbers, gradients, self.first, self.second)
            values, slopes, first, second = (getattr(of, name).reshape(-1) for of in parts)
            if name == "harmonics":
                _move_harmonics(values, slopes, first, second, fast * rates[name], numbers.harmonics.shape[1])
            else:
                _move(values, slopes, first, second, fast * rates[name])

    def kept(self, which: Ints, new: Bools) -> None:
        """Keep what is known of some Gaussians; of those that are new, nothing is."""
        for name in NAMES:
            for of in (self.first, self.second):
                values = getattr(of, name)[which]
                values[new] = 0.0
                setattr(of, name, values)


@njit(nogil=True, fastmath=True)
def _move(values, gradients, first, second, rate):
    slow, slower = np.float32(_SLOW), np.float32(_SLOWER)
    quick, quicker = np.float32(1.0 - _SLOW), np.float32(1.0 - _SLOWER)
    pace, tiny = np.float32(rate), np.float32(_TINY)
    for n in range(len(values)):
        g = gradients[n]
        a = slow * first[n] + quick * g
        b = slower * second[n] + quicker * g * g
        first[n], second[n] = a, b
        values[n] -= pace * a / (math.sqrt(b) + tiny)


_REST = 0.05  # rate of harmonics that depend on the direction, over that of mean colours


@njit(nogil=True, fastmath=True)
def _move_harmonics(values, gradients, first, second, rate, count):
    for n in range(len(values)):
        g = gradients[n]
        a = _SLOW * first[n] + (1.0 - _SLOW) * g
        b = _SLOWER * second[n] + (1.0 - _SLOWER) * g * g
        first[n], second[n] = a, b
        pace = rate if n // 3 % count == 0 else rate * _REST
        values[n] -= pace * a / (math.sqrt(b) + _TINY)
