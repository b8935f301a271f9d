"""Measures processor time of one thread: the best of several repeats, compared with a baseline."""

from __future__ import annotations

import gc
import os
import statistics
import time
import tracemalloc
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from typing import Any, Literal

SECONDS = 1.0  # minimum time for repeats of one function
REPEATS = 3  # minimum number
THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")


@dataclass(frozen=True)
class Row:
    """One row of the table.

    Attributes:
        name: what was measured.
        value: our value.
        unit: unit of `value`, `goal` and `baseline`.
        goal: the value to reach.
        baseline: the same measurement of something comparable, in the same run.
        baseline_is: description of the baseline.
        better: which direction is better.
    """

    name: str
    value: float
    unit: str
    goal: float
    baseline: float
    baseline_is: str
    better: Literal["higher", "lower"] = "higher"

    @property
    def ratio(self) -> float:
        """Our value divided by the baseline."""
        return self.value / self.baseline

    @property
    def met(self) -> bool:
        """Whether the goal is reached."""
        return self.value >= self.goal if self.better == "higher" else self.value <= self.goal

    def to_dict(self) -> dict[str, Any]:
        """The row as `kinema bench --json` prints it."""
        return {**asdict(self), "ratio": self.ratio, "met": self.met}


def best_seconds(function: Callable[[], object], seconds: float = SECONDS, repeats: int = REPEATS) -> float:
    """Processor seconds of the fastest of several calls, after one warm-up call (compilation, caches)."""
    function()
    times: list[float] = []
    while len(times) < repeats or sum(times) < seconds:
        began = time.process_time()
        function()
        times.append(time.process_time() - began)
    return min(times)


def median_seconds(function: Callable[[Any], object], inputs: Iterable[Any]) -> float:
    """Median processor seconds of a call over all inputs. Warm up with a few calls first (compilation, caches)."""
    times: list[int] = []
    for value in inputs:
        began = time.process_time_ns()
        function(value)
        times.append(time.process_time_ns() - began)
    return statistics.median(times) * 1e-9


def kept_bytes(function: Callable[[], object]) -> int:
    """Bytes of memory that the result of a call keeps, including NumPy arrays."""
    function()  # warm up, so that caches are not counted
    gc.collect()
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        result = function()
        gc.collect()
        kept = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    del result
    return kept


def is_single_threaded() -> bool:
    """Whether the numerical libraries of this process were limited to one thread before they loaded."""
    return all(os.environ.get(name) == "1" for name in THREAD_VARIABLES)


def single_threaded_environment() -> dict[str, str]:
    """The environment for a process whose numerical libraries use one thread."""
    return {**os.environ, **dict.fromkeys(THREAD_VARIABLES, "1")}
