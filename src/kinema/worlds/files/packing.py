"""Numbers of Gaussians as formats with few bits write them."""

from __future__ import annotations

import numpy as np

from kinema.arrays import Indices, Reals, Singles
from kinema.errors import FormatError
from kinema.formats.sources import SUSPICIOUS_RATIO
from kinema.worlds.harmonics import MEAN

_HARMLESS = 16 * 1024**2  # bytes of packed data that are unpacked whatever their ratio
_LEAST = 1e-6  # share by which opacities stay away from 0 and 1


def check_unpacked(size: int, packed: int) -> None:
    """Refuse data that would unpack to far more than Gaussians ever do, before anything is unpacked.

    Args:
        size: bytes that a header states. packed: bytes that are there.

    Raises:
        FormatError: it would.
    """
    if size > _HARMLESS and size > SUSPICIOUS_RATIO * packed:
        raise FormatError(
            f"states {size} bytes of Gaussians in {packed} packed bytes, more than {SUSPICIOUS_RATIO} times as many: "
            "it was cut, or is damaged"
        )


def logit(opacities: Reals) -> Singles:
    """The inverse of the logistic function; opacities of 0 and 1 become as good as that."""
    inside = np.clip(np.asarray(opacities, np.float64), _LEAST, 1.0 - _LEAST)
    return np.log(inside / (1.0 - inside)).astype(np.float32)


def colour_to_harmonic(colours: Reals) -> Singles:
    """Colours, 0 to 1, as the first coefficient."""
    return ((np.asarray(colours, np.float64) - 0.5) / MEAN).astype(np.float32)


def harmonic_to_colour(coefficients: Reals) -> Singles:
    """The inverse of `colour_to_harmonic`; not limited."""
    return (0.5 + MEAN * np.asarray(coefficients, np.float64)).astype(np.float32)


def with_largest(largest: np.ndarray, others: Singles) -> Singles:
    """Unit quaternions `[N, 4]`, wxyz, from which part is the largest, `[N]`, and the others in order, `[N, 3]`."""
    rest = np.sqrt(np.maximum(1.0 - np.sum(np.square(others, dtype=np.float64), axis=-1), 0.0))
    out = np.empty((len(others), 4), np.float32)
    for which in range(4):
        mine = largest == which
        out[mine] = np.insert(others[mine], which, rest[mine], axis=1)
    return out


def smallest_three(quaternions: Singles) -> tuple[np.ndarray, Singles]:
    """The inverse of `with_largest`, for unit quaternions `[N, 4]`; those with a negative largest part are negated."""
    largest: Indices = np.abs(quaternions).argmax(axis=-1).astype(np.int32)
    rows = np.arange(len(quaternions))
    positive = quaternions * np.where(quaternions[rows, largest] < 0, -1.0, 1.0)[:, None]
    kept = np.arange(4) != largest[:, None]
    return largest.astype(np.uint32), positive[kept].reshape(-1, 3).astype(np.float32)
