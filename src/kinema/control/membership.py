"""Rows of arrays when characters join or leave a running batch."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

T = TypeVar("T", bound=np.generic)


def carried(array: NDArray[T], keep: NDArray[np.integer], added: int, fill: ArrayLike = 0) -> NDArray[T]:
    """`array` `[n, ...]` with the rows `keep` and then `added` rows of `fill` (broadcast), a new array."""
    new: NDArray[Any] = np.empty((len(keep) + added, *array.shape[1:]), array.dtype)
    new[: len(keep)] = array[keep]
    new[len(keep) :] = fill
    return new
