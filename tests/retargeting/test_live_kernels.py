"""The kernel of live retargeting against plain forms."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import rotations
from kinema.retargeting import live, live_kernels
from kinema.retargeting.contacts import bend_direction


def test_heading_is_the_turn_about_the_vertical() -> None:
    rng = np.random.default_rng(4)
    rest = rotations.normalize(rng.standard_normal(4)).astype(np.float32)
    for yaw in (-2.0, 0.3, 1.4):
        turn = rotations.from_yaw(np.float32(yaw))
        tilted = rotations.multiply(turn, rotations.exp(np.float32([0.7, 0, 0])))
        found = live_kernels.heading(tuple(rotations.multiply(tilted, rest).tolist()), tuple(rest.tolist()))
        assert rotations.angle(rotations.relative(np.float32(found), turn)) == pytest.approx(0.0, abs=1e-3)
    assert live_kernels.heading((0.0, 1.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)) == (1.0, 0.0, 0.0, 0.0)


def test_knees_bend_as_in_the_contact_pass() -> None:
    rng = np.random.default_rng(5)
    for _ in range(20):
        knee, end, front = rng.standard_normal((3, 3)) * [[0.1], [1.0], [1.0]] + [[0, -0.4, 0], [0, -0.9, 0], [0, 0, 1]]
        plain = bend_direction(*(v[None].astype(np.float32) for v in (knee, end, front)), 0.9)[0]
        found = live_kernels.bend_direction(tuple(knee), tuple(end), tuple(front), 0.9)
        np.testing.assert_allclose(found, plain, atol=1e-4)


def test_detached_joints_come_after_their_leaders() -> None:
    parents = np.array([-1, 0, 1, 0], np.int32)
    leaders = np.array([-1, 3, -1, -1], np.int32)
    order = live._order(parents, leaders).tolist()
    assert order.index(3) < order.index(1) < order.index(2)
