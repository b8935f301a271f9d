"""The linear baselines are what numpy computes in one piece."""

from __future__ import annotations

import numpy as np

from kinema.learn import linear


def test_principal_components(new_run, monkeypatch):
    monkeypatch.setattr(linear, "CHUNK", 50)
    dataset = new_run().data.dataset
    found = linear.principal_components(dataset, 5)
    y = dataset.normalizers()[1].normalize(dataset[dataset.samples("train")].y)
    wanted = np.linalg.svd(y, full_matrices=False)[2][:5].T
    assert np.allclose(found.T @ found, np.eye(5), atol=1e-4)
    assert np.allclose(np.abs((found * wanted).sum(axis=0)), 1.0, atol=1e-3)


def test_regression(new_run, monkeypatch):
    monkeypatch.setattr(linear, "CHUNK", 50)
    dataset = new_run("sequence").data.dataset
    weights = linear.regression(dataset, ridge=1e-3)
    batch = dataset[dataset.samples("train")]
    x, y = (scaling.normalize(part) for scaling, part in zip(dataset.normalizers(), (batch.x, batch.y), strict=True))
    squares = x.T.astype(np.float64) @ x
    squares += 1e-3 * np.trace(squares) / len(squares) * np.eye(len(squares))
    exact = np.linalg.solve(squares, x.T.astype(np.float64) @ y)
    assert np.allclose(x @ weights, x @ exact, atol=1e-3)  # weights of features that hardly vary may differ by more
    left = np.square(x @ weights - y).mean() / np.square(y).mean()
    assert left < 0.5
