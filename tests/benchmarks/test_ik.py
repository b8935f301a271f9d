"""The suite `ik`."""

from __future__ import annotations

import math

import numpy as np
import pytest

from kinema.benchmarks import ik, measure


@pytest.mark.slow
@pytest.mark.parametrize("make_row", ik.ROWS, ids=lambda make_row: make_row.__name__)
def test_every_row_measures_ours_and_the_baseline(make_row, monkeypatch) -> None:
    for name, size in (("BATCH", 400), ("SINGLE", 20), ("FEW", 5), ("POSES", 2)):
        monkeypatch.setattr(ik, name, size)
    monkeypatch.setattr(ik, "best_seconds", lambda run, **_: measure.best_seconds(run, seconds=0, repeats=1) or 1e-6)
    row = make_row()
    assert math.isfinite(row.value) and row.value > 0
    assert math.isfinite(row.baseline) and row.baseline >= 0
    assert row.goal > 0 and row.baseline_is


def test_the_baseline_is_fair() -> None:
    """Plain FABRIK meets nearly all targets with three bones, so it is not a straw man."""
    points, targets, poles = ik._chains(200, 3)
    ends = np.stack([ik.plain_fabrik(p, t)[-1] for p, t in zip(points, targets, strict=True)])
    assert (np.linalg.norm(ends - targets, axis=-1) < 1e-2).mean() > 0.9
    bent = np.stack([ik.plain_fabrik(*call) for call in zip(points, targets, poles, strict=True)])
    np.testing.assert_allclose(np.linalg.norm(np.diff(bent, axis=1), axis=-1), 1 / 3, atol=1e-9)
