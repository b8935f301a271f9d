"""How high feet travel, and how far hips sink."""

from __future__ import annotations

import numpy as np
import pytest

from kinema.control import footfall_kernels
from kinema.control.footfall import Clearance, HipDrop

DT = 1 / 60


def lifts(speed: float, planned: float | None = None, standing: tuple[bool, bool] = (False, True), size: float = 1.0):
    """The lift of both feet after a second at this speed of the first foot, metres."""
    clearance = Clearance(2)
    clearance.reset(1)
    drawn, plan = np.zeros((2, 1, 2, 3), np.float32)
    drawn[0, 0, 0], plan[0, 0, 0] = speed, speed if planned is None else planned
    for _ in range(60):
        lift = clearance.step(drawn, plan, np.array([standing]), size, DT)
    return lift[0]


def test_settings_are_shown_and_states_are_not():
    assert repr(Clearance(2, height=0.05)).startswith("Clearance(feet=2, height=0.05, extra=")
    assert "_" not in repr(Clearance(2))


def test_feet_are_lifted_by_their_speed():
    assert lifts(0.1).tolist() == [0, 0]
    assert lifts(1.0) == pytest.approx([0.03, 0], abs=1e-4)
    assert 0.01 < lifts(0.5)[0] < 0.02


def test_feet_are_lifted_before_they_catch_up_with_their_plan():
    assert lifts(0.0, planned=1.0)[0] == pytest.approx(0.06, abs=1e-4)


def test_a_foot_that_leaves_its_plan_is_lifted_higher_if_another_one_stands():
    assert lifts(1.0, planned=0.0)[0] == pytest.approx(0.06, abs=1e-4)
    assert lifts(1.0, planned=0.0, standing=(False, False))[0] == pytest.approx(0.03, abs=1e-4)


def test_a_foot_that_stands_is_not_lifted():
    assert lifts(1.0, standing=(True, True)).tolist() == [0, 0]


def test_small_bodies_lift_their_feet_less():
    assert lifts(0.5, size=0.5)[0] == pytest.approx(0.5 * lifts(1.0)[0], abs=1e-5)


def above(heights, ground, lift):
    """Heights of feet that are kept above the ground."""
    feet = np.zeros((1, np.size(heights), 3), np.float32)
    feet[0, :, 1] = heights
    floors, lifts = (np.broadcast_to(np.float32(part), (1, np.size(heights))).copy() for part in (ground, lift))
    footfall_kernels.keep_above(feet, floors, lifts)
    assert (feet[..., [0, 2]] == 0).all()
    return feet[0, :, 1] if np.ndim(heights) else feet[0, 0, 1]


def test_a_lifted_foot_is_above_the_ground_and_a_high_one_stays_where_it_is():
    heights, zero = np.array([-0.1, 0.0, 0.03, 0.5]), np.zeros(4)
    raised = above(heights, zero, np.full(4, 0.03))
    assert (raised >= np.maximum(heights, 0.03)).all() and (np.diff(raised) > 0).all()
    assert raised[-1] == pytest.approx(0.5, abs=2e-3)
    np.testing.assert_allclose(above(heights, zero, zero), np.maximum(heights, 0), atol=1e-7)


def depth(distance: float, standing: bool = True, seconds: float = 2.0, most: float = 0.12, way: float = 0.0) -> float:
    """How far hips sink that are 0.8 m above a foot, in some direction, which a leg of 0.82 m must reach."""
    hips = HipDrop(most)
    hips.reset(1)
    foot, reach = distance * np.array([[[np.cos(way), 0, np.sin(way)]]], np.float32), np.array([0.82], np.float32)
    for _ in range(round(seconds / DT)):
        hips.step([(np.array([[[0, 0.8, 0]]], np.float32), foot, np.array([[standing]]))], reach, 1.0, DT)
    return float(hips.depth[0])


def test_hips_sink_until_the_leg_reaches():
    assert depth(0.1) == 0
    assert 0.8 - depth(0.3) == pytest.approx(np.sqrt(0.82**2 - 0.3**2), abs=1e-4)


@pytest.mark.parametrize("way", [0.9, np.pi / 2, np.pi, -2.5])
def test_hips_sink_as_far_for_a_foot_in_any_direction(way):
    assert depth(0.3, way=way) == pytest.approx(depth(0.3), abs=1e-5)


def test_hips_sink_slowly_so_far_and_for_feet_that_stand_only():
    assert depth(0.3, seconds=0.05) < 0.5 * depth(0.3)
    assert depth(0.6) == pytest.approx(0.12, abs=1e-4)
    assert depth(0.3, standing=False) == 0


def test_hips_sink_for_the_leg_that_needs_most_now_or_soon():
    """Two legs of two characters now, and one of the first soon."""
    hips = HipDrop(0.5)
    hips.reset(2)
    joints = np.zeros((2, 2, 3), np.float32) + np.float32([0, 0.8, 0])
    feet = np.float32([[[0.1, 0, 0], [0.2, 0, 0]], [[0.3, 0, 0], [0.4, 0, 0]]])
    now = (joints, feet, np.array([[True, True], [True, False]]))
    soon = (joints, feet + np.float32([0.3, 0, 0]), np.array([[False, True], [False, False]]))
    for _ in range(300):
        hips.step([now, soon], np.float32([0.82, 0.85]), 1.0, DT)
    needed = 0.8 - np.sqrt([0.85**2 - 0.5**2, 0.82**2 - 0.3**2])
    np.testing.assert_allclose(hips.depth, needed, atol=1e-4)


def test_state_goes_along_with_characters():
    hips = HipDrop()
    hips.reset(3)
    hips.depth[:] = [0.1, 0.2, 0.3]
    hips.select(np.array([2, 0]), 1)
    np.testing.assert_allclose(hips.depth, [0.3, 0.1, 0])


@pytest.mark.parametrize(("speed", "share"), [(0.19, 0), (0.26, 0.028), (0.5, 0.5), (0.74, 0.972), (0.81, 1)])
def test_lifts_begin_and_end_at_stated_speeds_without_a_kink(speed, share):
    """From 0.2 to 0.8 m/s; and the additional lift from 0.08 to 0.38 m/s off the plan."""
    assert lifts(speed)[0] == pytest.approx(0.03 * share, abs=1e-4)
    apart = 0.08 + (speed - 0.2) * 0.5
    assert lifts(1.0, planned=1.0 - apart)[0] == pytest.approx(0.03 + 0.03 * share, abs=1e-4)


def test_a_lifted_foot_is_above_its_ground_wherever_that_is():
    heights, lift = np.array([-0.1, 0.0, 0.03, 0.5]), np.array([0.03, 0.0, 0.02, 0.03])
    for ground in (2.0, -3.0):
        np.testing.assert_allclose(
            above(heights + ground, np.full(4, ground), lift), above(heights, np.zeros(4), lift) + ground, atol=1e-6
        )


def test_what_a_lift_adds_is_eased_over_half_of_it():
    """On the ground plus lift exactly, a quarter of half the lift more; far above or below nothing."""
    assert above(np.array(0.04), np.array(0.0), np.array(0.04)) == pytest.approx(0.04 + 0.25 * 0.04)
    assert above(np.array(-9.0), np.array(0.0), np.array(0.04)) == pytest.approx(0.04, abs=1e-4)


def test_hips_sink_as_far_as_they_may_for_the_size_of_the_body():
    hips = HipDrop()
    hips.reset(1)
    foot, down = np.float32([[[0, -0.5, 0]]]), np.array([[True]])
    for _ in range(300):
        hips.step([(np.float32([[[0, 0.8, 0]]]), foot, down)], np.float32([0.82]), 0.5, DT)
    assert hips.depth[0] == pytest.approx(0.5 * hips.most, abs=1e-4)
