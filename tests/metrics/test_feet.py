from __future__ import annotations

import numpy as np
import pytest

from kinema.metrics import feet


def sliding(make_rollout, speed, height=0.04, **changes):
    """Both toes slide along +Z at a speed, m/s."""
    positions = make_rollout().positions.copy()
    positions[:, 1:, 2] = (speed * np.arange(60) / 30)[:, None]
    positions[:, 1:, 1] = height
    return make_rollout(positions=positions, **changes)


def test_a_slide_of_3_cm_per_second_gives_3(make_rollout):
    on = np.ones((60, 2))
    assert feet.skate_contact(sliding(make_rollout, 0.03, contacts=on)) == pytest.approx(3.0, rel=1e-3)
    assert feet.skate_locked(sliding(make_rollout, 0.03, locked=on)) == pytest.approx(3.0, rel=1e-3)
    assert feet.skate_weighted(sliding(make_rollout, 0.03)) == pytest.approx(3.0, rel=1e-3)
    assert feet.skate_height(sliding(make_rollout, 0.03)) == pytest.approx(3.0, rel=1e-3)


def test_only_steps_in_contact_at_both_ends_count(make_rollout):
    positions = make_rollout().positions.copy()
    positions[30:, 1, 2] = 1.0  # a jump of 1 m between frames 29 and 30
    contacts = np.zeros((60, 2), np.uint8)
    contacts[:30, 0] = 1
    assert feet.skate_contact(make_rollout(positions=positions, contacts=contacts)) == 0.0
    contacts[30, 0] = 1
    assert feet.skate_contact(make_rollout(positions=positions, contacts=contacts)) == pytest.approx(100 * 30 / 30)


def test_without_labels_there_is_no_figure(make_rollout):
    run = make_rollout(contacts=np.zeros((60, 2)))
    assert feet.skate_contact(run) is None
    assert feet.skate_locked(run) is None


@pytest.mark.parametrize(
    ("height", "weight"), [(0.0, 1.0), (-0.01, 1.0), (0.0125, 2 - 2**0.5), (0.025, 0.0), (0.3, 0.0)]
)
def test_the_weight_fades_with_height_above_the_stance(height, weight, make_rollout):
    run = sliding(make_rollout, 0.5, 0.04 + height)
    assert feet.skate_weighted(run) == pytest.approx(50 * weight, rel=1e-3, abs=1e-4)


def test_weighted_skate_is_horizontal(make_rollout):
    positions = make_rollout().positions.copy()
    positions[:, 1:, 1] -= (np.arange(60) / 300)[:, None]
    assert feet.skate_weighted(make_rollout(positions=positions)) == 0.0


def test_high_feet_do_not_skate(make_rollout):
    assert feet.skate_height(sliding(make_rollout, 1.0, 0.04 + 0.06)) is None
    assert feet.skate_ratio(sliding(make_rollout, 1.0, 0.04 + 0.06)) is None


def test_ratio_counts_steps_above_20_cm_per_second(make_rollout):
    assert feet.skate_ratio(sliding(make_rollout, 0.19)) == 0.0
    assert feet.skate_ratio(sliding(make_rollout, 0.21)) == 100.0


def test_penetration_is_below_the_stance_height(make_rollout):
    positions = make_rollout().positions.copy()
    positions[:6, 1, 1] -= 0.02
    positions[6:12, 2, 1] -= 0.005
    found = feet.penetration(make_rollout(positions=positions))
    assert found["max"] == pytest.approx(2.0, rel=1e-3)
    assert found["percent"] == pytest.approx(10.0)
    assert found["mean"] == pytest.approx((2.0 * 6 + 0.5 * 6) / 60, rel=1e-3)
    assert feet.penetration(make_rollout())["max"] == 0.0


def test_an_uncalibrated_ground_shows(make_rollout):
    """The same motion reads as 4 cm of penetration, or none, by the clearance it is measured with."""
    assert feet.penetration(make_rollout(clearance=0.08))["mean"] == pytest.approx(4.0, rel=1e-3)


def test_several_rollouts_are_pooled_by_frame(make_rollout):
    on = np.ones((60, 2))
    runs = [sliding(make_rollout, 0.02, contacts=on), sliding(make_rollout, 0.06, contacts=on)]
    assert feet.skate_contact(runs) == pytest.approx(4.0, rel=1e-3)
