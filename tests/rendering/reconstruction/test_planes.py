from __future__ import annotations

import numpy as np

from kinema.rendering.reconstruction.planes import bend_weights, prior


def sums_of(inverse: np.ndarray, spread: np.ndarray | float = 0.0) -> np.ndarray:
    sums = np.zeros((*inverse.shape, 5), np.float32)
    sums[..., 3], sums[..., 4] = inverse, inverse**2 + spread
    return sums


def test_planes_cost_nothing_and_bends_are_pulled_straight() -> None:
    row, column = np.indices((9, 11))
    plane = 0.3 + 0.01 * row - 0.004 * column
    clear, weights = np.zeros(plane.shape, np.float32), bend_weights(np.zeros((9, 11, 3), np.float32))
    to_mean, to_square, _ = prior(sums_of(plane), clear, weights, 1.0, 0.0)
    assert np.abs(to_mean).max() < 1e-4 and not to_square.any()
    bent = plane.copy()
    bent[4, 5] += 0.05
    assert prior(sums_of(bent), clear, weights, 1.0, 0.0)[0][4, 5] > 0.01


def test_depths_that_differ_in_a_pixel_are_pulled_together() -> None:
    inverse = np.full((5, 5), 0.5)
    clear, weights = np.zeros((5, 5), np.float32), bend_weights(np.zeros((5, 5, 3), np.float32))

    def variance(sums: np.ndarray) -> float:
        return float(((sums[..., 4] - sums[..., 3] ** 2) / 0.25).mean())

    sums = sums_of(inverse, 0.1).astype(np.float64)
    to_mean, to_square, _ = prior(sums.astype(np.float32), clear, weights, 0.0, 1.0)
    for channel, slope in ((3, to_mean), (4, to_square)):
        moved = sums.copy()
        moved[2, 2, channel] += 1e-4
        assert np.isclose((variance(moved) - variance(sums)) / 1e-4, slope[2, 2], rtol=0.01)


def test_edges_of_pictures_may_be_edges_of_planes() -> None:
    target = np.zeros((6, 6, 3), np.float32)
    target[:, 3:] = 1.0
    across, down = bend_weights(target)
    assert across[0, 0] == 1.0 and across[0, 1] < 0.01 and (down == 1.0).all()
