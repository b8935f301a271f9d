from __future__ import annotations

import numpy as np
import pytest

from kinema.metrics import feet
from kinema.metrics.calibration import Calibration
from kinema.terrain import Placed, slope

NO_LEGS = Calibration((), np.zeros(0), np.zeros((0, 3), int), np.zeros((0, 3)))


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
    assert feet.skate_near(sliding(make_rollout, 0.03)) == pytest.approx(3.0, rel=1e-3)


def test_only_steps_in_contact_at_both_ends_count(make_rollout):
    positions = make_rollout().positions.copy()
    positions[30:, 1, 2] = 1.0  # a jump of 1 m between frames 29 and 30
    contacts = np.zeros((60, 2), np.uint8)
    contacts[:30, 0] = 1
    assert feet.skate_contact(make_rollout(positions=positions, contacts=contacts)) == 0.0
    contacts[30, 0] = 1
    assert feet.skate_contact(make_rollout(positions=positions, contacts=contacts)) == pytest.approx(100 * 30 / 30)


def test_each_step_counts_by_its_own_two_frames(make_rollout):
    """A foot that stands in the second half only, and slides there: the first frame says nothing about the last."""
    later = np.zeros((60, 2))
    later[30:, 0] = 1
    run = sliding(make_rollout, 0.03, contacts=later, locked=later)
    assert feet.skate_contact(run) == pytest.approx(3.0, rel=1e-3)
    assert feet.skate_locked(run) == pytest.approx(3.0, rel=1e-3)
    assert feet.skate_contact(sliding(make_rollout, 0.03, contacts=1 - later)) == pytest.approx(3.0, rel=1e-3)
    positions = sliding(make_rollout, 0.3).positions.copy()
    positions[:30, 1:, 1] += 0.5  # both feet are high in the first half
    for figure, value in ((feet.skate_near, 30.0), (feet.skate_ratio, 100.0)):
        assert figure(make_rollout(positions=positions)) == pytest.approx(value, rel=1e-3)
        assert figure(make_rollout(positions=positions[::-1])) == pytest.approx(value, rel=1e-3)


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


def hopping(make_rollout, before, after):
    """One toe, at these heights above its stance before and after frame 30, moves by 30 cm between frames 29 and 30."""
    positions = make_rollout().positions.copy()
    positions[:30, 1, 1] += before
    positions[30:, 1, 1] += after
    positions[30:, 1, 2] += 0.3
    return make_rollout(positions=positions)


def test_the_weight_is_that_of_the_frame_at_which_a_step_begins(make_rollout):
    once = 100 * 0.3 * 30 / (59 * 2)  # 9 m/s in one of 59 steps of two feet
    assert feet.skate_weighted(hopping(make_rollout, 0.0, 0.1)) == pytest.approx(once, rel=1e-4)
    assert feet.skate_weighted(hopping(make_rollout, 0.1, 0.0)) == pytest.approx(0.0, abs=1e-4)


def test_a_foot_is_near_the_ground_in_both_frames_of_a_step(make_rollout):
    once = 100 * 0.3 * 30
    assert feet.skate_near(hopping(make_rollout, 0.0, 0.0)) == pytest.approx(once / (59 * 2), rel=1e-4)
    for heights in ((0.0, 0.1), (0.1, 0.0)):
        assert feet.skate_near(hopping(make_rollout, *heights)) == pytest.approx(0.0, abs=1e-4)


def test_skate_near_the_ground_needs_no_labels(make_rollout):
    """A foot that should be planted but is not labelled or held slides all the same."""
    run = sliding(make_rollout, 0.3, 0.04 + 0.024, contacts=np.zeros((60, 2)), locked=np.zeros((60, 2)))
    assert feet.skate_contact(run) is None and feet.skate_locked(run) is None
    assert feet.skate_near(run) == pytest.approx(30.0, rel=1e-3)


def test_weighted_skate_is_horizontal(make_rollout):
    positions = make_rollout().positions.copy()
    positions[:, 1:, 1] -= (np.arange(60) / 300)[:, None]
    assert feet.skate_weighted(make_rollout(positions=positions)) == 0.0


def test_high_feet_do_not_skate(make_rollout):
    assert feet.skate_near(sliding(make_rollout, 1.0, 0.04 + 0.026)) is None
    assert feet.skate_ratio(sliding(make_rollout, 1.0, 0.04 + 0.06)) is None


def test_ratio_counts_steps_above_20_cm_per_second(make_rollout):
    assert feet.skate_ratio(sliding(make_rollout, 0.19)) == 0.0
    assert feet.skate_ratio(sliding(make_rollout, 0.21)) == 100.0


def test_penetration_is_below_the_stance_height(make_rollout):
    positions = make_rollout().positions.copy()
    positions[:6, 1, 1] -= 0.02
    positions[6:12, 2, 1] -= 0.005
    found = feet.penetration(make_rollout(positions=positions), NO_LEGS)
    assert found["max"] == pytest.approx(2.0, rel=1e-3)
    assert found["percent"] == pytest.approx(10.0)
    assert found["mean"] == pytest.approx((2.0 * 6 + 0.5 * 6) / 60, rel=1e-3)
    assert feet.penetration(make_rollout(), NO_LEGS)["max"] == 0.0


def test_an_uncalibrated_ground_shows(make_rollout):
    """The same motion reads as 4 cm of penetration, or none, by the clearance it is measured with."""
    assert feet.penetration(make_rollout(clearance=0.08), NO_LEGS)["mean"] == pytest.approx(4.0, rel=1e-3)


def test_several_rollouts_are_pooled_by_frame(make_rollout):
    on = np.ones((60, 2))
    runs = [sliding(make_rollout, 0.02, contacts=on), sliding(make_rollout, 0.06, contacts=on)]
    assert feet.skate_contact(runs) == pytest.approx(4.0, rel=1e-3)


def test_heights_are_those_above_the_ground(make_rollout):
    """A slide along a ramp, near it all the time, is what a slide on level ground is."""
    ramp = Placed(slope(length=90.0, rise=45.0, width=90.0), (0.0, 0.0, -1.0))
    positions = sliding(make_rollout, 0.3).positions.copy()
    level = make_rollout(positions=positions.copy())
    positions[..., 1] += ramp.height(positions)
    assert feet.skate_near(make_rollout(positions=positions)) is None, "high above level ground"
    run = make_rollout(positions=positions, ground=ramp)
    assert feet.skate_near(run) == pytest.approx(feet.skate_near(level), rel=1e-3)
    assert feet.penetration(run, NO_LEGS) == feet.penetration(level, NO_LEGS)
    run = make_rollout(positions=positions, ground=Placed(ramp, (0.0, 0.5, 0.0)))
    assert feet.penetration(run, NO_LEGS)["percent"] == 100.0


def test_ankles_count_as_well(posed):
    """For 15 of 60 frames the hips sink by 2 cm, the left toes point up and the right leg is lifted: no toe sinks."""
    upright = posed(Hips=((1, 0, 0), np.zeros(60)))
    body = Calibration.of(upright)
    assert feet.penetration(upright, body)["max"] == pytest.approx(0.0, abs=1e-3)
    on = np.arange(60) < 15
    run = posed(LeftFoot=((1, 0, 0), -20.0 * on), RightUpLeg=((1, 0, 0), -40.0 * on), lift=-0.02 * on)
    assert run.foot_heights()[:15].min() > 0
    found = feet.penetration(run, body)
    assert found["percent"] == pytest.approx(25.0)
    assert found["max"] == pytest.approx(2.0 / run.scale, rel=1e-3)
    assert feet.penetration(run, NO_LEGS)["percent"] == 0.0


@pytest.mark.parametrize("scale", [0.5, 2.0])
def test_thresholds_are_scaled_by_the_size_of_the_body(scale, make_rollout):
    """The same motion of a body of another size: heights by the size, figures in cm/s as they are."""

    def sized(height, speed):
        positions = make_rollout().positions.copy()
        positions[:, 1:, 2] = (scale * speed * np.arange(60) / 30)[:, None]
        positions[:, 1:, 1] = 0.04 + scale * height
        return make_rollout(positions=positions, scale=scale)

    assert feet.skate_near(sized(0.024, 0.3)) == pytest.approx(30 * scale, rel=1e-3)
    assert feet.skate_near(sized(0.026, 0.3)) is None
    assert feet.skate_weighted(sized(0.0125, 0.3)) == pytest.approx(30 * scale * (2 - 2**0.5), rel=1e-3)
    assert feet.skate_ratio(sized(0.049, 0.21)) == 100.0 and feet.skate_ratio(sized(0.049, 0.19)) == 0.0
    assert feet.skate_ratio(sized(0.051, 0.21)) is None
    assert feet.penetration(sized(-0.011, 0.0), NO_LEGS)["percent"] == 100.0
    assert feet.penetration(sized(-0.009, 0.0), NO_LEGS)["percent"] == 0.0
    assert feet.penetration(sized(-0.011, 0.0), NO_LEGS)["max"] == pytest.approx(1.1, rel=1e-3)
