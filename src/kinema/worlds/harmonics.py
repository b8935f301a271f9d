"""Real spherical harmonics up to degree 3, as 3D Gaussian splats use them for colours that depend on the view.

Coefficients are ordered by degree, then by order from -l to l, in the convention of B. Kerbl et al., "3D Gaussian
Splatting for Real-Time Radiance Field Rendering", 2023: the first is the mean colour.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from kinema.arrays import Floats, Reals, Singles

DEGREES = {1: 0, 4: 1, 9: 2, 16: 3}
"""The degree by the number of coefficients."""

MEAN = 0.28209479177387814
"""Value of the first function, which is the same everywhere."""

_POWERS = (
    "",
    "y",
    "z",
    "x",
    "xy",
    "yz",
    "",
    "xz",
    "",
    "y",
    "xyz",
    "y",
    "z",
    "x",
    "z",
    "x",
)
"""Odd powers of x, y and z in each function: what a mirror image changes the sign of."""


def basis(directions: Reals, count: int) -> Floats:
    """Values `[..., count]` of the first functions in unit directions `[..., 3]`.

    Args:
        count: 1, 4, 9 or 16.
    """
    x, y, z = np.moveaxis(np.asarray(directions, np.float64), -1, 0)
    xx, yy, zz = x * x, y * y, z * z
    values = [
        np.full_like(x, MEAN),
        -0.4886025119029199 * y,
        0.4886025119029199 * z,
        -0.4886025119029199 * x,
        1.0925484305920792 * x * y,
        -1.0925484305920792 * y * z,
        0.31539156525252005 * (2.0 * zz - xx - yy),
        -1.0925484305920792 * x * z,
        0.5462742152960396 * (xx - yy),
        -0.5900435899266435 * y * (3.0 * xx - yy),
        2.890611442640554 * x * y * z,
        -0.4570457994644658 * y * (4.0 * zz - xx - yy),
        0.3731763325901154 * z * (2.0 * zz - 3.0 * xx - 3.0 * yy),
        -0.4570457994644658 * x * (4.0 * zz - xx - yy),
        1.445305721320277 * z * (xx - yy),
        -0.5900435899266435 * x * (xx - 3.0 * yy),
    ]
    return np.stack(values[:count], axis=-1)


def colours(coefficients: Reals, directions: Reals) -> Singles:
    """Colours `[..., 3]`, not limited, that are seen in directions `[..., 3]`, from coefficients `[..., K, 3]`."""
    weights = basis(directions, np.shape(coefficients)[-2])
    return (0.5 + np.einsum("...k,...kc->...c", weights, coefficients)).astype(np.float32)


def flips(axes: str, count: int) -> Singles:
    """Signs `[count]` of coefficients when axes such as "xy" are negated; exact, as turning by halves is."""
    signs = [(-1.0) ** sum(axis in axes for axis in powers) for powers in _POWERS[:count]]
    return np.asarray(signs, np.float32)


def rotation(matrix: ArrayLike, count: int) -> Floats:
    """A matrix `[count, count]` for the coefficients of a scene that is turned by a matrix `[3, 3]`.

    Degrees do not mix; each block is found by comparing functions in turned directions.
    """
    directions = np.random.default_rng(0).normal(size=(64, 3))
    directions /= np.linalg.norm(directions, axis=-1, keepdims=True)
    before, after = basis(directions @ np.asarray(matrix, np.float64), count), basis(directions, count)
    out = np.zeros((count, count))
    for degree in range(DEGREES[count] + 1):
        block = slice(degree**2, (degree + 1) ** 2)
        out[block, block] = np.linalg.lstsq(after[:, block], before[:, block], rcond=None)[0]
    return out
