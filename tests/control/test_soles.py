"""Soles on stairs, slopes and edges."""

from __future__ import annotations

import numpy as np
import pytest

from kinema.control.soles import Rise, Soles, unevenness
from kinema.mocap.legs import find_legs
from kinema.terrain import Plane, Union, slope, stairs

DT = 1 / 60
STAIRS = Union((Plane(), stairs(5, 0.17, 0.3, width=4.0)))
RAMP = Union((Plane(), slope(4.0, 1.0, width=4.0)))
FORWARD = np.float32([[[0, 0, 1], [0, 0, 1]]])


@pytest.fixture
def soles(biped) -> Soles:
    toes = np.asarray([leg.toe for leg in biped.roles.legs], np.int32)
    return Soles.of(biped, find_legs(biped, toes), 1.0)


def at(z: float, x: float = 0.0) -> np.ndarray:
    return np.float32([[[x, 0, z], [x, 0, z]]])


@pytest.mark.parametrize("z", np.linspace(0.3, 0.9, 13))
def test_a_sole_finds_room_on_a_step(soles, z):
    place = soles.room(at(z), FORWARD, STAIRS, 0.2)
    heights = STAIRS.height(soles.samples(place, FORWARD))
    assert unevenness(heights).max() < 0.02
    assert np.ptp(heights, axis=-1).max() < 0.02
    assert np.abs(place - at(z))[..., 2].max() <= 0.2 + 1e-6


def test_a_sole_with_room_stays(soles):
    np.testing.assert_allclose(soles.room(at(-1.0), FORWARD, STAIRS, 0.2), at(-1.0), atol=1e-6)
    np.testing.assert_allclose(soles.room(at(2.0), FORWARD, RAMP, 0.2), at(2.0), atol=1e-6)


def test_soles_tilt_as_the_ground_does_but_not_on_edges(soles):
    climb = np.float32([0, 4, -1]) / np.sqrt(17)
    np.testing.assert_allclose(soles.normals(at(2.0), FORWARD, RAMP)[0, 0], climb, atol=1e-3)
    sideways = np.float32([[[1, 0, 0], [1, 0, 0]]])
    np.testing.assert_allclose(soles.normals(at(2.0), sideways, RAMP)[0, 0], climb, atol=1e-3)
    np.testing.assert_allclose(soles.normals(at(0.6), FORWARD, STAIRS)[0, 0], [0, 1, 0], atol=1e-6)
    np.testing.assert_allclose(soles.normals(at(0.0), sideways, STAIRS)[0, 0], [0, 1, 0], atol=1e-6)


def test_unevenness_of_slopes_and_of_edges():
    assert unevenness(np.float32([0, 0.65, 1.25, 1.65])) == pytest.approx(0, abs=0.01)
    assert unevenness(np.float32([0, 0, 0.2, 0.2])) > 0.05


@pytest.mark.parametrize("speed", [0.2, 1.0, 4.0])
def test_feet_rise_before_an_edge_and_fall_behind_it(speed):
    """A foot over a block of 20 cm, from z = 0 to 0.3."""
    block = Union((Plane(), stairs(1, 0.2, 0.3, landing=0.3, width=2.0, down=False)))
    rise, heights, places = Rise(1), [], np.arange(-0.5, 0.8, speed * DT)
    rise.reset(1)
    velocity, free = np.float32([[[0, 0, speed]]]), np.zeros((1, 1), np.bool_)
    for z in places:
        ball = np.float32([[[0, 0, z]]])
        rise.step(ball, velocity, free, np.full((1, 1), -1e4, np.float32), block, DT)
        heights.append(rise.height[0, 0])
    heights = np.array(heights)
    over = (places > 0) & (places < 0.29)
    assert heights[over].min() > 0.18
    assert heights[-1] < 0.05 and heights[0] < 0.05
    assert np.abs(np.diff(heights)).max() < 0.1


def test_without_ground_feet_keep_their_height():
    rise = Rise(1)
    rise.reset(1)
    rise.height[:] = 0.4
    free, nowhere = np.zeros((1, 1), np.bool_), np.full((1, 1), -1e4, np.float32)
    for _ in range(60):
        rise.step(np.float32([[[0, 0, 50]]]), np.zeros((1, 1, 3), np.float32), free, nowhere, stairs(), DT)
    assert rise.height[0, 0] == pytest.approx(0.4)
