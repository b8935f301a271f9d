"""Mean and standard deviation of streams of vectors, in one pass, at memory speed, without cancellation."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from kinema.arrays import Floats, Reals, Singles
from kinema.errors import DatabaseError
from kinema.features import kernels


@dataclass
class Statistics:
    """Count, mean and variance of each column of the vectors seen so far.

    Chunks are summed about a nearby value in float64 and merged by the rule of Chan, Golub and LeVeque (1979), so
    neither a large offset nor many rows lose digits.
    """

    dim: int
    count: int = 0
    mean: Floats = field(default_factory=lambda: np.zeros(0))
    squares: Floats = field(default_factory=lambda: np.zeros(0))
    """Sums of squared deviations from the mean `[dim]`."""

    def __post_init__(self) -> None:
        if not self.count:
            self.mean, self.squares = np.zeros(self.dim), np.zeros(self.dim)

    @staticmethod
    def of(x: Singles) -> Statistics:
        """Statistics of vectors `[N, D]`."""
        return Statistics(x.shape[1]).update(x)

    @staticmethod
    def known(count: int, mean: Reals, std: Reals) -> Statistics:
        """Statistics of `count` vectors with this mean and standard deviation `[dim]`."""
        return Statistics(len(mean), count, mean.astype(np.float64), count * std.astype(np.float64) ** 2)

    def update(self, x: Singles) -> Statistics:
        """Add vectors `[N, dim]`.

        Raises:
            DatabaseError: another width, or a value that is not finite (the message names row and column).
        """
        if x.ndim != 2 or x.shape[1] != self.dim:
            raise DatabaseError(f"statistics are of vectors with {self.dim} numbers, not of {list(x.shape)}")
        rows = np.ascontiguousarray(x, np.float32)
        count = kernels.accumulate(rows, self.count, self.mean, self.squares)
        if not (np.isfinite(self.mean).all() and np.isfinite(self.squares).all()):
            bad = np.argwhere(~np.isfinite(rows))
            place = f"row {bad[0][0]}, column {bad[0][1]}" if len(bad) else "an earlier row"
            raise DatabaseError(f"a value is not finite: {place}")
        self.count = int(count)
        return self

    @property
    def std(self) -> Floats:
        """Standard deviation of each column `[dim]` (of the population: over N)."""
        return np.sqrt(np.maximum(self.squares, 0.0) / max(self.count, 1))
