"""Checks of what files hold."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from numpy.typing import NDArray

from kinema.errors import FormatError, SkeletonError


@contextmanager
def naming(path: str) -> Iterator[None]:
    """Makes errors name a file: a FormatError that names none, and any SkeletonError."""
    try:
        yield
    except FormatError as error:
        if error.path is not None:
            raise
        named = FormatError(error.message, path=path, line=error.line, node=error.node)
        raise named.with_traceback(error.__traceback__) from error.__cause__
    except SkeletonError as error:
        raise FormatError(str(error), path=path).with_traceback(error.__traceback__) from None


def require(ok: object, message: str, *, line: int | None = None, node: str | None = None) -> None:
    """FormatError with a message and a place, unless `ok`."""
    if not ok:
        raise FormatError(message, line=line, node=node)


def within(indices: NDArray[np.integer], count: int) -> bool:
    """Whether all indices are of `count` things."""
    return not indices.size or bool(indices.min() >= 0 and indices.max() < count)


def strings(value: object) -> list[str]:
    """The strings in a list that a file holds; none in anything else."""
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []
