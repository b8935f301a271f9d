"""Rows that kernels ask for ahead of time."""

from __future__ import annotations

import numpy as np
import pytest
from numba.core.caching import NullCache

from kinema.compiled import njit
from kinema.prefetch import prefetch


@njit
def gathered(rows, order):
    total = np.float32(0.0)
    for n in range(len(order)):
        prefetch(rows, order[(n + 4) % len(order)])
        prefetch(rows, (1 << 40) * n)  # nowhere
        total += rows[order[n], 1]
    return total


def test_it_changes_nothing_and_is_compiled_to_one_instruction(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gathered, "_cache", NullCache())  # code from the disk could not be looked at
    rng = np.random.default_rng(2)
    rows, order = rng.uniform(0, 1, (500, 16)).astype(np.float32), rng.permutation(500).astype(np.int32)
    assert np.isclose(gathered(rows, order), rows[:, 1].sum(), rtol=1e-5)
    code = next(iter(gathered.inspect_llvm().values()))
    assert "call void @llvm.prefetch" in code


def test_in_python_it_does_nothing() -> None:
    assert prefetch(np.zeros((2, 2), np.float32), 7) is None
