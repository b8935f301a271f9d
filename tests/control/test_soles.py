"""Soles on stairs, slopes and edges."""

from __future__ import annotations

from dataclasses import replace

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


def test_soles_are_as_long_as_feet_are_on_the_level(biped):
    """From ankle to ball, whichever way the foot points; feet without toes are those of an adult."""
    offsets, (left, right) = biped.rest_translations.copy(), biped.roles.legs
    offsets[left.toe], offsets[right.toe] = [0.05, -0.07, 0.12], [0.0, -0.07, 0.01]
    legs = find_legs(biped, np.asarray([left.toe, right.toe], np.int32))
    found = Soles.of(replace(biped, rest_translations=offsets), legs, 0.6)
    np.testing.assert_allclose(found.lengths, [0.13, 0.6 * 0.14], atol=1e-6)


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


class Profile(Plane):
    """Ground whose height is a function of x and z."""

    def __init__(self, function) -> None:
        super().__init__()
        object.__setattr__(self, "function", function)

    def height(self, points: np.ndarray) -> np.ndarray:
        return self.function(points[..., 0], points[..., 2]).astype(np.float32)


@pytest.mark.parametrize(("bump", "even"), [(0.012, True), (0.018, False)])
def test_a_sole_stands_on_small_bumps_as_on_a_slope_and_level_on_large_ones(soles, bump, even):
    """A ridge under its middle, along it or across it, on a slope of 1 in 5; beyond 15 mm it stands on an edge."""
    length = float(soles.lengths[0])
    climb = np.float32([0, 5, -1]) / np.sqrt(26)
    ridges = (lambda x, z: np.abs(x) < 0.02, lambda x, z: np.abs(z + 0.6 * length) < 0.02)
    for ridge in ridges:
        ground = Profile(lambda x, z, ridge=ridge: 0.2 * z + bump * ridge(x, z))
        # A ridge along the sole lifts all of it, but not its sides.
        np.testing.assert_allclose(
            soles.normals(at(0.0), FORWARD, ground)[0, 0], climb if even else [0, 1, 0], atol=1e-5
        )


@pytest.mark.parametrize(("steep", "tilts"), [(0.9, True), (1.1, False)])
def test_soles_tilt_up_to_45_degrees(soles, steep, tilts):
    for way in ((0.0, 1.0), (1.0, 0.0), (0.6, 0.8)):
        ground = Profile(lambda x, z, way=way: steep * (way[0] * x + way[1] * z))
        normal = np.array([-steep * way[0], 1, -steep * way[1]])
        straight = [way] in ([(0.0, 1.0)], [(1.0, 0.0)])
        if straight or tilts:
            wanted = normal / np.linalg.norm(normal) if tilts else [0, 1, 0]
            np.testing.assert_allclose(soles.normals(at(0.3), FORWARD, ground)[0, 0], wanted, atol=1e-5)


def test_feet_look_ahead_by_an_eighth_of_a_second_and_their_tip():
    """At 1 m/s that is 12 cm and 5.5 cm: ground further ahead does not raise them yet."""
    wall = Profile(lambda x, z: 0.3 * (z > 0))
    free, nowhere = np.zeros((1, 1), np.bool_), np.full((1, 1), -1e4, np.float32)
    for place, raised in ((-0.5, False), (-0.2, False), (-0.18, False), (-0.165, True), (-0.02, True)):
        rise = Rise(1)
        rise.reset(1)
        for _ in range(30):
            rise.step(np.float32([[[0, 0, place]]]), np.float32([[[0, 0, 1.0]]]), free, nowhere, wall, DT)
        assert rise.height[0, 0] == pytest.approx(0.3 * raised, abs=1e-3)


def test_each_foot_of_each_character_rises_for_itself():
    wall = Profile(lambda x, z: 0.3 * (z > 0) + 0.1 * (z > 0.4))
    balls = np.float32([[[0, 0, -0.3], [0, 0, -0.1]], [[0, 0, 0.1], [0, 0, 0.35]], [[0, 0, 0.5], [0, 0, -2.0]]])
    speeds = np.float32([[3.0, 0.0], [0.5, 1.0], [-0.5, 9.0]])
    velocity = np.zeros((3, 2, 3), np.float32)
    velocity[..., 2] = speeds
    anchors, standing = np.full((3, 2), -1e4, np.float32), np.zeros((3, 2), np.bool_)
    anchors[2, 0], standing[2, 0] = 0.17, True
    together = Rise(2)
    together.reset(3)
    for _ in range(20):
        together.step(balls, velocity, standing, anchors, wall, DT)
    for n in range(3):
        for c in range(2):
            alone, one = Rise(1), (slice(n, n + 1), slice(c, c + 1))
            alone.reset(1)
            for _ in range(20):
                alone.step(balls[one], velocity[one], standing[one], anchors[one], wall, DT)
            assert together.height[n, c] == pytest.approx(float(alone.height[0, 0]), abs=1e-6)
    assert together.height[2, 0] == pytest.approx(0.17, abs=0.01), "a foot that stands is as high as what it stands on"
