"""The compiled conversion against its plain reference."""

from __future__ import annotations

import itertools

import numpy as np
from numpy.typing import NDArray

from kinema import rotations
from kinema.formats.euler_kernels import euler_to_quaternions


def reference(
    values: NDArray[np.float64], starts: NDArray[np.int64], axes: NDArray[np.int64], columns: NDArray[np.int64]
) -> NDArray[np.float64]:
    """What the kernel computes, written plainly with `kinema.rotations`."""
    out = np.zeros((values.shape[0], starts.size - 1, 4))
    out[..., 0] = 1.0
    for joint in range(starts.size - 1):
        for turn in range(starts[joint], starts[joint + 1]):
            angle = np.radians(values[:, columns[turn]])
            step = rotations.from_axis_angle(np.eye(3)[axes[turn]], angle)
            out[:, joint] = rotations.multiply(out[:, joint], step)
    return out


def test_kernel_agrees_with_the_plain_reference(rng: np.random.Generator) -> None:
    orders = ["", "X", "ZX", *map("".join, itertools.permutations("XYZ"))]
    axes = np.asarray(["XYZ".index(axis) for order in orders for axis in order], np.int64)
    starts = np.cumsum([0, *map(len, orders)])
    columns = rng.permutation(axes.size + 3)[: axes.size].astype(np.int64)
    values = rng.normal(size=(500, axes.size + 3)) * 200
    values[0], values[1], values[2] = 0, 180, 720.0 + values[3]
    values[4:9] = np.float64([90, -90, 45, 135, 1e8])[:, None]
    found = euler_to_quaternions(values, starts, axes, columns)
    np.testing.assert_allclose(found, reference(values, starts, axes, columns), atol=1e-6)
    assert found.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(found.astype(float), axis=-1), 1.0, atol=1e-6)
