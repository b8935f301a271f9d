"""The suite `generation`."""

from __future__ import annotations

import math

import pytest

pytest.importorskip("torch")

from kinema.benchmarks import generation


@pytest.mark.parametrize("number", range(len(generation.ROWS)))
def test_every_row_measures_ours_and_the_baseline(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    def once(function):
        calls.append(function())
        return 0.5

    monkeypatch.setattr(generation, "best_seconds", once)
    monkeypatch.setattr(generation, "STEPS", 2)
    generation._seconds_of_operation.cache_clear()
    tiny = generation._generator("XS")
    monkeypatch.setattr(generation, "_generator", lambda: tiny)
    row = generation.ROWS[number]()
    assert math.isfinite(row.value) and row.value > 0
    assert math.isfinite(row.baseline) and row.baseline > 0
    assert len(calls) == 2 and row.goal > 0 and row.baseline_is


def test_rigs_have_the_joints_that_rows_speak_of() -> None:
    assert generation._rig(32).count == 32
    assert generation._rig(40).count == 40
    assert generation._rig(160).count == 160


def test_the_published_method_takes_as_many_operations_as_were_measured() -> None:
    """64 GFLOP for a step of a clip of 120 frames, of which products of matrices are the most."""
    assert generation.published_operations(6.0) / 100 == pytest.approx(64e9, rel=0.15)
