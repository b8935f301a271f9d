"""Linear baselines that a network has to beat."""

from __future__ import annotations

import numpy as np
from scipy import linalg

from kinema.arrays import Ints, Singles
from kinema.features import Dataset

CHUNK = 1024


def principal_components(dataset: Dataset, rank: int) -> Singles:
    """Directions `[D_y, rank]` in which the normalised outputs of the training samples vary most, orthonormal."""
    scaling = dataset.normalizers()[1]
    moments = np.zeros((dataset.y_spec.dim, dataset.y_spec.dim))
    for chosen in _chunks(dataset):
        y = scaling.normalize(dataset[chosen].y)
        moments += (y.T @ y).astype(np.float64)
    rank = min(rank, len(moments))
    _, vectors = linalg.eigh(moments, subset_by_index=[len(moments) - rank, len(moments) - 1])
    return np.ascontiguousarray(vectors[:, ::-1], np.float32)


def regression(dataset: Dataset, ridge: float = 1e-3) -> Singles:
    """Weights `[D_x, D_y]` of the best linear map from normalised inputs to normalised outputs.

    Args:
        ridge: share of the inputs' mean variance that is added to each, so that the map stays defined.
    """
    x_scaling, y_scaling = dataset.normalizers()
    size = dataset.x_spec.dim
    squares, products = np.zeros((size, size)), np.zeros((size, dataset.y_spec.dim))
    for chosen in _chunks(dataset):
        batch = dataset[chosen]
        x, y = x_scaling.normalize(batch.x), y_scaling.normalize(batch.y)
        squares += (x.T @ x).astype(np.float64)
        products += (x.T @ y).astype(np.float64)
    squares[np.diag_indices(size)] += ridge * np.trace(squares) / size
    return linalg.solve(squares, products, assume_a="pos").astype(np.float32)


def _chunks(dataset: Dataset) -> list[Ints]:
    samples = dataset.samples("train")
    return [samples[begin : begin + CHUNK] for begin in range(0, len(samples), CHUNK)]
