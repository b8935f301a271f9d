"""Gaps between what is known, filled with the swings of strides."""

from __future__ import annotations

import numpy as np
import pytest

from kinema.arrays import Singles
from kinema.generation.carrying import carried, gaps
from kinema.generation.channels import CHANNELS, CONTACT, HEIGHT, PLACE, TRAVEL, TURN

FRAMES = 120
GAP = slice(40, 80)
KNOWN = np.ones(FRAMES, np.bool_)
KNOWN[GAP] = False
TIME = np.arange(FRAMES)
STRIDES = TIME / 17.0 + 0.2


def walking(*harmonics: float) -> Singles:
    """Two joints that swing with strides, about a mean of 1 before the gap and 3 behind it; the first one slides."""
    share = np.clip((TIME - 39) / 41, 0.0, 1.0)
    swing = sum(0.5 / n * np.sin(2 * np.pi * n * STRIDES + n) for n in harmonics)
    return np.broadcast_to((1.0 + 2.0 * share + swing)[:, None, None], (FRAMES, 2, CHANNELS)).astype(np.float32)


def test_swings_of_known_strides_go_on_about_a_mean_that_passes_over() -> None:
    true = walking(1, 2, 3)
    ahead = carried(np.where(KNOWN[:, None, None], true, 0.0).astype(np.float32), KNOWN, KNOWN, STRIDES, 8)
    np.testing.assert_allclose(ahead.made[GAP], true[GAP], atol=0.02)
    np.testing.assert_allclose(ahead.trust[GAP], 1.0, atol=0.01)
    np.testing.assert_allclose(ahead.trust[KNOWN], 0.0)
    straight = np.interp(TIME[GAP], [39, 80], [1.0, 3.0])
    assert np.abs(ahead.mean[GAP] - straight[:, None, None]).max() < 0.1  # of sides that are no whole strides


def test_what_strides_do_not_explain_of_places_passes_from_one_side_to_the_other() -> None:
    true = walking(1)
    off = np.interp(TIME, [0, 39, 80, 119], [0.0, 1.0, -1.0, 0.0]).astype(np.float32)[:, None, None]
    ahead = carried(true + off, KNOWN, KNOWN, STRIDES, 8)
    np.testing.assert_allclose(ahead.made[GAP][..., PLACE], (true + off)[GAP][..., PLACE], atol=0.35)
    beside = np.asarray([GAP.start, GAP.stop - 1])
    np.testing.assert_allclose(ahead.made[beside][..., PLACE], (true + off)[beside][..., PLACE], atol=0.08)


@pytest.mark.parametrize("strides", [None, np.where(TIME < 60, np.nan, STRIDES)])
def test_where_nobody_knows_the_strides_there_is_the_straight_way(strides: np.ndarray | None) -> None:
    """It counts less and less with the distance from what is known; of paces there is the mean, and it does not."""
    true = walking(1)
    ahead = carried(true, KNOWN, KNOWN, strides, 8)
    ends = true[[39, 80]]
    straight = ends[0] + ((TIME[GAP] - 39) / 41)[:, None, None] * (ends[1] - ends[0])
    np.testing.assert_allclose(ahead.made[GAP][..., TURN], straight[..., TURN], atol=1e-4)
    trust = ahead.trust[GAP][:, 0, 0]
    assert trust[0] == trust[-1] == pytest.approx(np.exp(-1 / 15)) and (np.diff(trust[:20]) < 0).all()
    np.testing.assert_array_equal(ahead.made[..., TRAVEL], ahead.mean[..., TRAVEL])
    assert not ahead.trust[..., TRAVEL].any()


def test_what_strides_do_not_explain_is_not_trusted() -> None:
    rng = np.random.default_rng(0)
    noise = walking() + rng.normal(0.0, 0.3, (FRAMES, 2, CHANNELS)).astype(np.float32)
    trust = carried(noise, KNOWN, KNOWN, STRIDES, 8).trust[GAP]
    assert trust[..., TRAVEL].mean() < 0.15  # eight free numbers explain some of any noise
    assert trust[20, :, TURN].mean() < np.exp(-20 / 15) + 0.15
    half = walking(1) + rng.normal(0.0, 0.35, (FRAMES, 2, CHANNELS)).astype(np.float32)
    assert 0.3 < carried(half, KNOWN, KNOWN, STRIDES, 8).trust[GAP][..., TRAVEL].mean() < 0.7


def test_a_joint_that_swings_otherwise_does_not_take_the_trust_of_others() -> None:
    two = walking(1)
    two[:, 1] = 1.0 + 0.5 * np.sin(2 * np.pi * TIME / 5.0)[:, None]
    trust = carried(two, KNOWN, KNOWN, STRIDES, 8).trust[GAP]
    assert trust[:, 0, TURN].min() > 0.95 and trust[20, 1, TURN].max() < 0.4


def test_swings_that_frames_cannot_show_are_left_out() -> None:
    """At 2.5 frames a stride, two swings a stride would be the same numbers as one half as fast."""
    strides = TIME / 2.5
    fast = np.broadcast_to(np.sin(2 * np.pi * strides)[:, None, None], (FRAMES, 1, CHANNELS)).astype(np.float32)
    ahead = carried(fast, KNOWN, KNOWN, strides, 8)
    np.testing.assert_allclose(ahead.made[GAP], fast[GAP], atol=0.02)


def test_travel_has_gaps_of_its_own() -> None:
    longer = KNOWN.copy()
    longer[GAP.start - 1] = False
    ahead = carried(walking(1), KNOWN, longer, STRIDES, 8)
    assert ahead.trust[GAP.start - 1, 0, TRAVEL].min() > 0.9
    for part in (TURN, PLACE, CONTACT, HEIGHT):
        assert not ahead.trust[GAP.start - 1, :, part].any()


def test_only_gaps_between_motion_that_is_known_count() -> None:
    known = np.zeros(60, np.bool_)
    known[[3, 4, 5, 20, 40]] = True
    assert gaps(known, 8) == []
    known[:12] = known[30:] = True
    known[20] = False
    assert gaps(known, 8) == [(0, 12, 30, 60)]
    assert gaps(known, 8)[0].sides == [*range(12), *range(30, 60)]
