"""The suite `control`."""

from __future__ import annotations

import math

import numpy as np
import pytest

from kinema.benchmarks import control
from kinema.benchmarks.plain_search import PlainBoxes
from kinema.errors import UsageError
from kinema.face.checks import bench
from kinema.features.index import BoxIndex


@pytest.fixture(autouse=True)
def small(monkeypatch):
    for name, value in {"FRAMES": 3_000, "SECONDS": 2.0, "CROWD": 3, "LARGE_CROWD": 5}.items():
        monkeypatch.setattr(control, name, value)


@pytest.mark.slow
@pytest.mark.parametrize("make_row", control.ROWS, ids=lambda make_row: make_row.__name__)
def test_every_row_measures_ours_and_the_baseline(make_row) -> None:
    row = make_row()
    assert math.isfinite(row.value) and row.value > 0
    assert math.isfinite(row.baseline) and row.baseline > 0
    assert row.goal > 0 and row.baseline_is


def test_a_drive_records_the_searches_that_the_controller_makes() -> None:
    drive = control._drive(None, 1, 2.0)
    family, steps = drive.family, 2.0 * control.RATE - control.WARM_UP
    assert len(drive.steps) == len(drive.plans) == steps
    assert (drive.steps > drive.plans).all() and drive.plans.any()
    assert 2.0 / 0.1 * 0.5 <= len(family.asked) <= 2.0 * control.RATE
    index = BoxIndex.build(family.features)
    for query, bound in family.asked:
        assert query.shape == (family.spec.dim,) and np.isfinite(query).all()
        _, cost = index.search(query, bound=bound)
        assert cost <= bound


def test_the_baseline_finds_what_the_index_finds(rng) -> None:
    family = control._drive(None, 1, 2.0).family
    plain, index = PlainBoxes.build(family.features), BoxIndex.build(family.features)
    for query, bound in family.asked:
        for limit in (bound, np.inf):
            frame, cost = plain.search(query, limit)
            assert cost == pytest.approx(index.search(query, bound=limit)[1], rel=1e-4, abs=1e-5)
            assert (frame < 0) == (cost == np.float32(limit))


def test_only_control_takes_a_database() -> None:
    with pytest.raises(UsageError, match="only control takes a database"):
        bench("core", data="walks.db")
