"""Checks of what files hold."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kinema.errors import FormatError


def require(ok: object, message: str, *, path: str | None = None, node: str | None = None) -> None:
    """FormatError with a message and a place, unless `ok`."""
    if not ok:
        raise FormatError(message, path=path, node=node)


def within(indices: NDArray[np.integer], count: int) -> bool:
    """Whether all indices are of `count` things."""
    return not indices.size or bool(indices.min() >= 0 and indices.max() < count)


def strings(value: object) -> list[str]:
    """The strings in a list that a file holds; none in anything else."""
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []
