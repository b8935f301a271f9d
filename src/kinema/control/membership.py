"""Arrays with one row per character, updated when characters join or leave a running batch."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

T = TypeVar("T", bound=np.generic)


def carried(array: NDArray[T], keep: NDArray[np.integer], added: int, fill: ArrayLike = 0) -> NDArray[T]:
    """A new array with the rows `keep` of `array` `[n, ...]`, then `added` rows of `fill` (broadcast)."""
    new: NDArray[Any] = np.empty((len(keep) + added, *array.shape[1:]), array.dtype)
    new[: len(keep)] = array[keep]
    new[len(keep) :] = fill
    return new


class PerCharacter:
    """Base of classes whose state is one row per character. Subclasses say in `fresh` how a new one begins."""

    def fresh(self, count: int) -> dict[str, NDArray[Any]]:
        """The attributes with the state of `count` new characters, `[count, ...]` each."""
        raise NotImplementedError

    def reset(self, count: int) -> None:
        """Restart with `count` characters."""
        vars(self).update(self.fresh(count))

    def select(self, keep: NDArray[np.integer], added: int) -> None:
        """Keep the characters `keep`, in that order, and add `added` new ones."""
        for name, rows in self.fresh(added).items():
            setattr(self, name, np.concatenate([getattr(self, name)[keep], rows]))
