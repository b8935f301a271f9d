"""The suite `scenes`."""

from __future__ import annotations

import math

import pytest

from kinema.benchmarks import measure, scenes


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """Little of everything, measured once."""
    monkeypatch.setattr(scenes, "SPACING", dict.fromkeys(scenes.SPACING, 0.6))
    monkeypatch.setattr(scenes, "LARGE", 500)
    monkeypatch.setattr(
        scenes, "best_seconds", lambda run, **_: measure.best_seconds(run, seconds=0, repeats=1) or 1e-6
    )
    for made in (scenes._street, scenes._large):
        made.cache_clear()
    yield
    for made in (scenes._street, scenes._large):
        made.cache_clear()


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(scenes.ROWS)))
def test_every_row_measures_ours_and_the_baseline(number) -> None:
    row = scenes.ROWS[number]()
    assert math.isfinite(row.value) and row.value > 0
    assert math.isfinite(row.baseline) and row.baseline > 0
    assert row.goal > 0 and row.baseline_is and row.better == "lower"
    assert row.unit != "MB" or (row.baseline > 10 and row.value == pytest.approx(row.baseline, rel=0.2))


def test_large_scenes_and_streets_have_as_many_splats_as_rows_say(monkeypatch) -> None:
    assert len(scenes._large()) == 500
    monkeypatch.undo()
    scenes._street.cache_clear()
    for name in scenes.SPACING:
        assert len(scenes._street(name)) == pytest.approx(int(name.replace(",", "")), rel=0.02)
