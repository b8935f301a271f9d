"""How the benchmarks measure."""

from __future__ import annotations

import numpy as np
import pytest

from kinema.benchmarks import measure
from kinema.benchmarks.measure import Row


def row(value: float, better) -> Row:
    return Row("x", value, "s", goal=2.0, baseline=4.0, baseline_is="y", better=better)


@pytest.mark.parametrize(
    ("value", "better", "met"),
    [(3, "higher", True), (1, "higher", False), (2, "lower", True), (3, "lower", False)],
)
def test_goal(value, better, met) -> None:
    assert row(value, better).met is met


def test_dictionary_has_the_stable_keys() -> None:
    said = row(3.0, "higher").to_dict()
    assert set(said) >= {"name", "value", "unit", "goal", "baseline", "ratio"}
    assert said["ratio"] == 0.75


def test_best_counts_work_and_not_the_first_call() -> None:
    calls = []

    def work() -> None:
        calls.append(None)
        sum(range(2_000_000 if len(calls) == 1 else 200_000))

    assert 0 < measure.best_seconds(work, seconds=0, repeats=4) < 0.1
    assert len(calls) == 5


def test_median_ignores_one_slow_call() -> None:
    inputs = [10, 10, 3_000_000, 10, 10]
    assert measure.median_seconds(lambda count: sum(range(count)), inputs) < 0.01


def test_kept_bytes_counts_arrays_that_stay_and_not_those_that_go() -> None:
    def make() -> np.ndarray:
        np.zeros(3_000_000, np.float32)
        return np.zeros(1_000_000, np.float32)

    assert measure.kept_bytes(make) == pytest.approx(4_000_000, rel=0.01)


def test_threads(monkeypatch) -> None:
    for name in measure.THREAD_VARIABLES:
        monkeypatch.setenv(name, "1")
    assert measure.is_single_threaded()
    monkeypatch.setenv("OMP_NUM_THREADS", "2")
    assert not measure.is_single_threaded()
    assert measure.single_threaded_environment()["OMP_NUM_THREADS"] == "1"
