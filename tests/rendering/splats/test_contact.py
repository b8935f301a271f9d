from __future__ import annotations

import numpy as np
import pytest

from kinema.rendering.splats.contact import openness
from kinema.worlds.shapes import relief
from kinema.worlds.surfels import surfels


@pytest.fixture(scope="module")
def floor():
    level = relief(lambda x, z: 0.0 * x, lambda x, z: np.full((*x.shape, 3), 0.5), (-2, -2), (2, 2), 0.5)
    return surfels(level, 0.05)


def test_a_floor_is_darkest_below_a_body_and_clear_far_away(floor) -> None:
    found = openness(floor, np.asarray([[0.5, 0.1, 0.0]], np.float32), np.asarray([0.2], np.float32))
    assert found is not None
    away = np.hypot(floor.means[:, 0] - 0.5, floor.means[:, 2])
    assert found[away < 0.05].max() < 0.4
    assert (found[away > 0.5] == 1.0).all()
    rings = [found[(away >= a) & (away < a + 0.06)].mean() for a in (0.0, 0.06, 0.12, 0.2, 0.3)]
    assert (np.diff(rings) > 0).all()


def test_a_higher_body_darkens_less(floor) -> None:
    least = []
    for height in (0.1, 0.2, 0.3):
        found = openness(floor, np.asarray([[0.0, height, 0.0]], np.float32), np.asarray([0.2], np.float32))
        assert found is not None
        least.append(found.min())
    assert (np.diff(least) > 0).all()


def test_nothing_near_changes_nothing(floor) -> None:
    assert openness(floor, np.asarray([[0.0, 5.0, 0.0]], np.float32), np.asarray([0.2], np.float32)) is None
    assert openness(floor, np.empty((0, 3), np.float32), np.empty(0, np.float32)) is None
