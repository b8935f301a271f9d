"""An endless stream of samples in random order, as a function of the position."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from kinema.arrays import Ints


class Shuffled:
    """Samples in passes, each in an order of its own: position 0 is the first of the first pass.

    Args:
        samples: indices `[N]` of the samples, at least one.
        seed: seed of the orders.
    """

    def __init__(self, samples: Ints, seed: int) -> None:
        self.samples = samples
        # A batch may begin in one pass and end in the next.
        self._order = lru_cache(maxsize=2)(lambda epoch: np.random.default_rng([seed, epoch]).permutation(samples))

    def __call__(self, positions: range) -> Ints:
        """The samples at some positions."""
        epochs, places = np.divmod(np.asarray(positions), len(self.samples))
        chosen = np.empty(len(positions), self.samples.dtype)
        for epoch in np.unique(epochs).tolist():
            now = epochs == epoch
            chosen[now] = self._order(epoch)[places[now]]
        return chosen
