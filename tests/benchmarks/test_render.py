"""The suite `render`."""

import math

import pytest

from kinema.benchmarks import render
from kinema.errors import MissingError
from kinema.rendering.context import probe


@pytest.fixture
def driver_name():
    try:
        return str(probe())
    except MissingError as error:
        pytest.skip(str(error))


@pytest.mark.slow
def test_every_row_measures_ours_and_the_baseline(driver_name, monkeypatch):
    monkeypatch.setattr(render, "FRAMES", 1)
    monkeypatch.setattr(render, "CROWD", 4)
    monkeypatch.setattr(render, "WIDTH", 64)
    monkeypatch.setattr(render, "HEIGHT", 36)
    rows = list(render.run())
    assert len(rows) == len(render.ROWS)
    for row in rows:
        assert math.isfinite(row.value) and row.value > 0 and math.isfinite(row.baseline) and row.baseline > 0
        assert row.goal > 0 and row.baseline_is
    assert {"pass lighting", "pass shadow"} <= {row.name for row in rows}
