from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from kinema.generation.footing import SHORTEST, stands
from kinema.generation.soles import PlantedLimb

LIMB = PlantedLimb(top=0, middle=1, end=2, foot=2, length=1.0, floor=0.0)


def passing(speed: float, frames: int = 60) -> np.ndarray:
    """Positions `[F, 3, 3]` of a limb a unit long whose top, at 0.8, moves on, with the foot always below."""
    ahead = speed * (np.arange(frames) - frames // 2) / 30.0
    top = np.stack([np.zeros(frames), np.full(frames, 0.8), ahead], axis=-1)
    return np.stack([top, top - [0.0, 0.4, -0.3], top - [0.0, 0.8, 0.0]], axis=1)


def reach(positions: np.ndarray) -> float:
    bones = np.diff(positions[0], axis=0)
    return float(np.linalg.norm(bones, axis=-1).sum())


def test_reach_is_that_of_the_ankle() -> None:
    """A long toe does not let a leg reach farther to the back: the foot keeps its orientation."""
    limb = PlantedLimb(top=0, middle=1, end=2, foot=3, length=1.2, floor=0.0)
    positions = np.concatenate([passing(0.8), passing(0.8)[:, 2:] + [0.0, 0.0, 0.2]], axis=1)
    found = stands(limb, positions, np.ones(60, np.bool_))
    for stand in found:
        ankle = stand.place - [0.0, 0.0, 0.2]
        away = np.linalg.norm(ankle - positions[stand.first : stand.stop, 0], axis=-1)
        assert away.max() <= 1.02 * reach(positions[:, :3]) + 1e-9


def test_a_contact_within_reach_is_a_stand() -> None:
    positions = passing(0.2)
    (found,) = stands(LIMB, positions, np.arange(60) >= 20)
    assert (found.first, found.stop) == (20, 60)
    np.testing.assert_allclose(found.place, positions[30:50, 2].mean(axis=0), atol=1e-12)
    np.testing.assert_allclose(positions[20, 2] + found.early, found.place)
    np.testing.assert_allclose(positions[59, 2] + found.late, found.place)


def test_a_contact_beyond_reach_becomes_steps() -> None:
    positions = passing(3.0)
    found = stands(LIMB, positions, np.ones(60, np.bool_))
    assert len(found) > 2
    for stand in found:
        away = np.linalg.norm(stand.place - positions[stand.first : stand.stop, 0], axis=-1)
        assert away.max() <= 1.02 * reach(positions)
        assert stand.stop - stand.first >= 2
    gaps = [after.first - before.stop for before, after in pairwise(found)]
    assert min(gaps) >= SHORTEST


def test_a_place_is_moved_no_farther_than_it_must_be() -> None:
    positions = passing(0.2)
    positions[:, 2, 2] += 0.9  # the foot is too far ahead
    (found,) = stands(LIMB, positions, np.ones(60, np.bool_))
    away = np.linalg.norm(found.place - positions[:, 0], axis=-1)
    assert away.max() == pytest.approx(1.02 * (0.5 + np.linalg.norm(positions[0, 2] - positions[0, 1])), rel=1e-6)


def test_a_foot_stands_where_it_stood_as_long_as_it_can() -> None:
    positions = passing(3.0)
    still = positions[0, 2] + [0.1, 0.0, 0.2]
    first = stands(LIMB, positions, np.ones(60, np.bool_), still)[0]
    np.testing.assert_array_equal(first.place, still)
    assert first.first == 0
    away = np.linalg.norm(still - positions[:, 0], axis=-1) <= 1.15 * reach(positions)
    assert first.stop == int(np.argmin(away))
    lost = positions[0, 2] + [3.0, 0.0, 0.0]
    assert stands(LIMB, positions, np.ones(60, np.bool_), lost)[0].first >= SHORTEST, "it has to come back first"


def test_no_contact_no_stand() -> None:
    assert stands(LIMB, passing(1.0), np.zeros(60, np.bool_)) == []
