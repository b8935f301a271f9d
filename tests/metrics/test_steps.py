from __future__ import annotations

import numpy as np
import pytest

from kinema.metrics import steps


def going(make_rollout, toe, height, hips=None, fps=30.0, scale=1.0, **changes):
    """The left toe goes along +Z through `toe` [F] at `height` [F] above its stance; the right one stands."""
    frames = len(toe)
    positions = make_rollout(frames).positions.copy()
    positions[:, 1, 2] = scale * np.asarray(toe)
    positions[:, 1, 1] += scale * np.broadcast_to(height, frames)
    if hips is not None:
        positions[:, 0, 2] = scale * np.asarray(hips)
    return make_rollout(frames, fps, positions, scale=scale, **changes)


def ramp(distance, frames=60):
    return np.linspace(0.0, distance, frames)


def test_a_foot_that_travels_more_than_10_cm_on_the_ground_glides(make_rollout):
    assert steps.glides(going(make_rollout, ramp(0.11), 0.0)) == [(0, 60, 0)]
    assert steps.glides(going(make_rollout, ramp(0.09), 0.0)) == []
    assert steps.glides_per_minute(going(make_rollout, ramp(0.11), 0.0)) == pytest.approx(30)  # one in two seconds


def test_distance_is_net_and_along_the_ground(make_rollout):
    there_and_back = 0.3 * np.sin(np.linspace(0, np.pi, 60))
    assert steps.glides(going(make_rollout, there_and_back, 0.0)) == []
    rising = going(make_rollout, np.zeros(60), -ramp(0.2))
    assert steps.glides(rising) == []


def test_lifting_the_foot_ends_a_ground_phase(make_rollout):
    height = np.zeros(60)
    assert steps.glides(going(make_rollout, ramp(0.18), height)) == [(0, 60, 0)]
    height[30] = 0.03
    assert steps.glides(going(make_rollout, ramp(0.18), height)) == []  # two phases of less than 9 cm each
    height[30] = 0.024
    assert steps.glides(going(make_rollout, ramp(0.18), height)) == [(0, 60, 0)]


def test_each_glide_and_each_foot_counts(make_rollout):
    positions = make_rollout().positions.copy()
    for foot in (1, 2):
        positions[:, foot, 2] = ramp(0.5)
    positions[30, 1, 1] += 0.03
    assert steps.glides(make_rollout(positions=positions)) == [(0, 30, 0), (31, 60, 0), (0, 60, 1)]


def test_a_swing_close_to_the_ground_is_no_glide(make_rollout):
    """A foot that overtakes the body at 3 m/s swings; one that goes along with a running body is dragged."""
    frames = 30
    fast = ramp(3.0 * (frames - 1) / 30, frames)
    assert steps.glides(going(make_rollout, fast, 0.02)) == []
    walking = ramp(1.3 * (frames - 1) / 30, frames)
    assert steps.glides(going(make_rollout, fast, 0.02, hips=walking)) == []
    assert steps.glides(going(make_rollout, fast, 0.02, hips=fast)) == [(0, frames, 0)]
    slower = ramp(1.9 * (frames - 1) / 30, frames)  # slower than any swing
    assert steps.glides(going(make_rollout, slower, 0.02)) == [(0, frames, 0)]


@pytest.mark.parametrize("fps", [30.0, 60.0, 120.0])
def test_glides_do_not_depend_on_the_rate(fps, make_rollout):
    frames = round(2 * fps)
    run = going(make_rollout, ramp(0.5, frames), 0.0, fps=fps)
    assert steps.glides_per_minute(run) == pytest.approx(30)


@pytest.mark.parametrize("scale", [0.4, 2.5])
def test_glides_are_scaled_by_the_size_of_the_body(scale, make_rollout):
    for distance, height, found in ((0.11, 0.024, 1), (0.09, 0.024, 0), (0.11, 0.026, 0)):
        assert len(steps.glides(going(make_rollout, ramp(distance), height, scale=scale))) == found
    fast = ramp(2.1 * 59 / 30)
    assert steps.glides(going(make_rollout, fast, 0.0, scale=scale)) == []


def stepping(make_rollout, apex, distance=0.5, frames=60, **changes):
    """A step of 15 frames in the middle: half a sine high, a straight line far."""
    toe = np.interp(np.arange(frames), [20, 35], [0.0, distance])
    height = np.where((np.arange(frames) >= 20) & (np.arange(frames) <= 35), 1.0, 0.0)
    height *= apex * np.sin(np.pi * (np.arange(frames) - 20) / 15)
    return going(make_rollout, toe, height, **changes)


def test_the_apex_of_a_step(make_rollout):
    found = steps.step_heights(stepping(make_rollout, 0.1))
    assert found == pytest.approx([0.1 * np.sin(np.pi * 7 / 15)], rel=1e-4)


def test_a_foot_lifted_after_a_step_adds_nothing_to_its_apex(make_rollout):
    frames = np.arange(60)
    toe = np.interp(frames, [20, 35], [0.0, 0.5])
    found = steps.step_heights(going(make_rollout, toe, np.where(frames > 35, 0.1, 0.02)))
    assert found == pytest.approx([0.02], rel=1e-4)


def test_the_apex_may_be_where_a_step_begins_or_ends(make_rollout):
    """A foot that steps up, and one that steps down, by 10 cm."""
    frames = np.arange(60)
    toe = np.interp(frames, [20, 35], [0.0, 0.5])
    for heights in (np.where(frames >= 35, 0.1, 0.02), np.where(frames <= 20, 0.1, 0.02)):
        assert steps.step_heights(going(make_rollout, toe, heights)) == pytest.approx([0.1], rel=1e-4)


def test_steps_below_3_and_a_half_cm_are_low(make_rollout):
    low, high = stepping(make_rollout, 0.034), stepping(make_rollout, 0.037)
    assert steps.low_steps(low) == 100.0 and steps.low_steps(high) == 0.0
    assert steps.low_steps([low, high, high, high]) == pytest.approx(25.0)


def test_short_moves_are_no_steps(make_rollout):
    assert steps.low_steps(stepping(make_rollout, 0.0, distance=0.101)) == 100.0
    assert steps.low_steps(stepping(make_rollout, 0.0, distance=0.099)) is None
    assert steps.low_steps(make_rollout()) is None


@pytest.mark.parametrize("scale", [0.4, 2.5])
def test_steps_are_scaled_by_the_size_of_the_body(scale, make_rollout):
    assert steps.low_steps(stepping(make_rollout, 0.034, scale=scale)) == 100.0
    assert steps.low_steps(stepping(make_rollout, 0.037, scale=scale)) == 0.0
    assert steps.low_steps(stepping(make_rollout, 0.034, distance=0.099, scale=scale)) is None


def test_contacts_in_the_air_float(make_rollout):
    contacts = np.zeros((60, 2))
    contacts[:40, 0] = 1.0
    heights = np.where(np.arange(60) < 10, 0.03, 0.02)
    run = going(make_rollout, np.zeros(60), heights, contacts=contacts)
    foot, other = run.feet
    run.positions[:, other, 1] = run.positions[:, foot, 1]
    assert steps.floating(run) == pytest.approx(25.0)  # 10 of the 40 frames with a contact
    run.positions[:5, other, 1] -= 0.03  # another foot is down, whether the labels say so or not
    assert steps.floating(run) == pytest.approx(12.5)


def test_without_contacts_nothing_floats(make_rollout):
    assert steps.floating(make_rollout()) is None
    assert steps.floating(make_rollout(contacts=np.zeros((60, 2)))) is None
