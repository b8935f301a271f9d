"""The suite `core`."""

from __future__ import annotations

import math

import pytest

from kinema.benchmarks import core, measure


@pytest.mark.parametrize(
    "make_row",
    [*core.ROWS[:3], *(pytest.param(each, marks=pytest.mark.slow) for each in core.ROWS[3:])],
    ids=lambda make_row: make_row.__name__,
)
def test_every_row_measures_ours_and_the_baseline(make_row, monkeypatch) -> None:
    monkeypatch.setattr(core, "FRAMES", 400)
    monkeypatch.setattr(core, "best_seconds", lambda run, **_: measure.best_seconds(run, seconds=0, repeats=1) or 1e-6)
    row = make_row()
    assert math.isfinite(row.value) and row.value > 0
    assert math.isfinite(row.baseline) and row.baseline > 0
    assert row.goal > 0 and row.baseline_is


def test_plain_importer_reads_the_same_rotations(monkeypatch) -> None:
    source = core._bvh_file(20)
    from kinema.formats import bvh

    ours = bvh.read(source).motion().local_rotations
    _, theirs = core._plain_bvh(source.read().decode())
    dots = abs((ours * theirs[..., [3, 0, 1, 2]]).sum(-1))
    assert dots.min() > 1 - 1e-6


@pytest.mark.bench
def test_goals_are_met() -> None:
    missed = [f"{row.name}: {row.value:.4g} {row.unit}, goal {row.goal:g}" for row in core.run() if not row.met]
    assert missed == []
