"""Trends: what gets worse over minutes is found, and what does not is left in peace."""

import numpy as np
import pytest

from kinema.errors import UsageError
from kinema.generation.channels import HEIGHT, PLACE, TRAVEL
from kinema.generation.takes import Takes
from kinema.generation.trends import Trend, dominant_frequency, trends


@pytest.fixture(scope="module")
def long(walks):
    """A minute of walking: one clip again and again."""
    walk = next(piece.channels for piece in walks.pieces if piece.actions[-1] == 1)[30:]
    return np.concatenate([walk] * 20)[None]


def growing(frames):
    return np.linspace(0, 1, frames, dtype=np.float32)


def test_what_repeats_does_not_drift(walks, long):
    found = trends(Takes(walks.rig, long), walks.feet)
    assert set(found) == {"jerk", "limbs", "frequency", "skate"}
    assert not any(trend.drifts for trend in found.values())
    assert all(len(trend.blocks) == 6 for trend in found.values())


def test_growing_noise_shows_in_the_jerk(walks, long, rng):
    made = long.copy()
    noise = rng.standard_normal(made.shape[:2]).astype(np.float32)
    made[..., 0, HEIGHT.start] += 0.02 * growing(made.shape[1]) * noise
    found = trends(Takes(walks.rig, made), walks.feet)
    assert found["jerk"].drifts and found["jerk"].slope > 0


def test_growing_slides_show_in_the_skate(walks, long):
    made = long.copy()
    made[:, :, 0, TRAVEL.start] += 0.5 * growing(made.shape[1])
    assert trends(Takes(walks.rig, made), walks.feet)["skate"].drifts


def test_growing_bones_show_in_the_limbs(walks, long):
    made = long.copy()
    swollen = (0.2 * growing(made.shape[1]))[:, None, None] * walks.rig.rest_positions
    made[..., PLACE] += swollen
    found = trends(Takes(walks.rig, made), walks.feet)["limbs"]
    assert found.drifts and found.blocks[-1] > 3 * found.blocks[0]


def test_a_slower_gait_has_a_lower_frequency(walks, long):
    half = np.repeat(long[:, :300], 2, axis=1)
    usual, slow = (dominant_frequency(Takes(walks.rig, each)) for each in (long[:, :600], half))
    assert usual > 0.5
    assert slow == pytest.approx(usual / 2, rel=0.15)


def test_slope_and_spread_are_those_of_least_squares():
    trend = Trend.of(np.asarray([1.0, 2.0, 3.0, 4.0]))
    assert trend.slope == pytest.approx(6.0) and trend.spread == pytest.approx(0.0, abs=1e-9)
    assert not Trend.of(np.asarray([1.0, 1.4, 0.8, 1.1])).drifts


def test_short_motion_has_no_trend(walks, long):
    with pytest.raises(UsageError, match="30 seconds"):
        trends(Takes(walks.rig, long[:, :600]), None)
    assert "skate" not in trends(Takes(walks.rig, long[:, :900]), None)
