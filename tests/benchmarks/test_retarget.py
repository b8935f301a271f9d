"""The suite `retarget`."""

from __future__ import annotations

import math

import pytest

from kinema.benchmarks import measure, retarget


@pytest.mark.parametrize("make_row", retarget.ROWS, ids=lambda make_row: make_row.__name__)
def test_every_row_measures_ours_and_the_baseline(make_row, monkeypatch) -> None:
    retarget._pair.cache_clear()
    monkeypatch.setattr(retarget, "FRAMES", 300)
    monkeypatch.setattr(retarget, "FEW", 5)
    monkeypatch.setattr(
        retarget, "best_seconds", lambda run, **_: measure.best_seconds(run, seconds=0, repeats=1) or 1e-6
    )
    row = make_row()
    retarget._pair.cache_clear()
    assert math.isfinite(row.value) and row.value > 0
    assert math.isfinite(row.baseline) and row.baseline > 0
    assert row.goal > 0 and row.baseline_is
    assert "to 65 joints" in row.name
