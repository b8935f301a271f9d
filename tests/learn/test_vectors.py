"""Batches of vectors."""

from __future__ import annotations

import numpy as np
import torch

from kinema.learn import vectors
from kinema.learn.vectors import VectorData


def test_batches_are_the_samples_of_the_data_set(new_run):
    data = new_run().data
    train, taken = data.train, np.arange(len(data.train))
    once = np.concatenate([data.batch(range(at, at + 1)).x.numpy() for at in taken[:5]])
    assert np.array_equal(data.batch(range(5)).x.numpy(), once)
    whole = data.batch(range(len(train)))
    found = data.dataset[np.sort(train)]
    assert np.allclose(whole.y.numpy().mean(0), found.y.mean(0), atol=1e-5) and whole.y.dtype == torch.float32
    held = data.held_batch(range(3, 9)).x.numpy()
    assert np.array_equal(held, data.dataset[data.dataset.samples("validation")[3:9]].x)


def test_only_some_of_many_held_out_samples_are_validated(new_run, monkeypatch):
    run = new_run()
    monkeypatch.setattr(vectors, "VALIDATION_SAMPLES", 7)
    data = VectorData(run.data.dataset, run.source, run.recipe)
    assert data.held == 7 and len(data.held_batch(range(0, 7)).x) == 7
