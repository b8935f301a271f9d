"""Legs and the points that touch the ground."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Skeleton
from kinema.retargeting.anatomy import Anatomy
from kinema.retargeting.limbs import clearances, common_ground, legs_of


def test_legs_have_their_lengths_and_stand_on_their_toes(biped: Skeleton) -> None:
    body = Anatomy.of(biped)
    stance, found = body.standing, legs_of(body)
    assert set(found) == {"left_leg", "right_leg"} and not body.detached and not body.ends
    leg = found["left_leg"]
    assert biped.names[leg.touch] == "LeftToeBase" and leg.end is not None and biped.names[leg.end] == "LeftFoot"
    assert leg.length == pytest.approx(float(biped.bone_lengths[[leg.lower, leg.end]].sum()), abs=1e-5)
    assert leg.top == pytest.approx(leg.length + leg.rise) and leg.straight
    assert leg.at_foot().touch == leg.end and leg.at_foot().rise == 0.0
    heights = clearances(stance, found)
    assert heights["left_leg"] == pytest.approx(float(stance.positions[leg.touch, 1]), abs=1e-5)
    assert clearances(stance, found, soles=-0.02)["left_leg"] == pytest.approx(heights["left_leg"] + 0.02, abs=1e-5)


def test_a_foot_that_never_stands_takes_the_ground_of_the_others() -> None:
    t = np.arange(120, dtype=np.float32) / 60
    stands = np.stack([0 * t, 0.02 + 0 * t, 0 * t], axis=-1)[:, None]
    hops = np.stack([3 * t, 1.5 + 0.3 * np.sin(6 * t), 0 * t], axis=-1)[:, None]
    near = stands + np.array([0, 0.03, 0], np.float32)
    assert common_ground([stands, hops], 60.0, [1.0, 1.0]) == pytest.approx([0.02, 0.02], abs=1e-3)
    assert common_ground([stands, near], 60.0, [1.0, 1.0]) == pytest.approx([0.02, 0.05], abs=1e-3)
    assert common_ground([], 60.0, []) == []
