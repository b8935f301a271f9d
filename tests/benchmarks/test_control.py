"""Rows about control."""

from __future__ import annotations

import numpy as np

from kinema.benchmarks import control
from kinema.control.index import BoxIndex


def test_drive_records_the_searches_that_the_controller_makes() -> None:
    family, times = control._drive(3_000, 2.0)
    assert len(times) == 2.0 * control.RATE
    assert 2.0 / 0.1 * 0.5 <= len(family.asked) <= len(times)
    index = BoxIndex.build(family.features)
    for query, bound in family.asked:
        assert query.shape == (family.spec.dim,) and np.isfinite(query).all()
        _, cost = index.search(query, bound=bound)
        assert cost <= bound


def test_the_yardstick_finds_what_the_index_finds() -> None:
    family, _ = control._drive(3_000, 2.0)
    scan, index = control._scan(family.features), BoxIndex.build(family.features)
    for query, _ in family.asked[:20]:
        frame, cost = index.search(query)
        other = scan(query)
        assert ((family.features[other] - query) ** 2).sum() <= cost + 1e-3
        assert frame >= 0
