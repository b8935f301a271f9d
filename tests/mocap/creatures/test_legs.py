import numpy as np
import pytest

from kinema import rotations
from kinema.mocap.creatures.anatomy import CreatureLimb
from kinema.mocap.creatures.legs import leg_model

STRAIGHT = np.asarray([[0.1, 1.0, 0.0], [0.1, 0.5, 0.0], [0.1, 0.05, 0.0]])
ZIGZAG = np.asarray([[0.1, 1.0, 0.0], [0.1, 0.65, 0.2], [0.1, 0.3, -0.1], [0.1, 0.03, 0.02]])
SPRAWLED = np.asarray([[0.2, 0.3, 0.0], [0.7, 0.5, 0.1], [1.0, 0.02, 0.1]])


def model(places, front=False):
    parents = np.arange(-1, len(places))
    whole = np.concatenate([[[0.0, 1.0, 0.0]], places])
    return leg_model(CreatureLimb(tuple(range(1, len(whole))), 1), whole, parents, front)


def solved(leg, targets):
    hips = np.repeat(leg.hip[None], len(targets), axis=0)
    base = np.tile([1.0, 0, 0, 0], (len(targets), 1))
    turns = leg.solve(hips, targets, base, np.zeros(len(targets)))
    points = [hips]
    for turn, bone in zip(turns, leg.bones, strict=True):
        points.append(points[-1] + rotations.rotate(turn, bone + 0 * hips))
    return turns, np.stack(points, axis=1)


@pytest.mark.parametrize("places", [STRAIGHT, ZIGZAG, SPRAWLED])
def test_the_end_reaches_its_target_exactly(places):
    leg = model(places)
    rng = np.random.default_rng(0)
    way = places[-1] - places[0]
    targets = leg.hip + way * rng.uniform(0.75, 0.95, (50, 1)) + 0.08 * rng.uniform(-1, 1, (50, 3))
    _, points = solved(leg, targets)
    np.testing.assert_allclose(points[:, -1], targets, atol=3e-4)


@pytest.mark.parametrize("places", [ZIGZAG, SPRAWLED])
def test_at_rest_nothing_turns(places):
    leg = model(places)
    turns, _ = solved(leg, places[-1:])
    assert max(float(rotations.angle(turn).max()) for turn in turns) < 2e-3


@pytest.mark.parametrize(("front", "sign"), [(False, 1.0), (True, -1.0)])
def test_straight_knees_bend_forward_and_elbows_backward(front, sign):
    leg = model(STRAIGHT, front)
    _, points = solved(leg, np.asarray([[0.1, 0.25, 0.0]]))
    assert sign * points[0, 1, 2] > 0.1


def test_knees_of_sprawled_legs_stay_above_and_turn_with_the_foot():
    leg = model(SPRAWLED)
    angles = np.linspace(-0.7, 0.7, 15)
    way = SPRAWLED[-1] - SPRAWLED[0]
    targets = leg.hip + rotations.rotate_yaw(angles, 0.9 * way + np.zeros((15, 3)))
    _, points = solved(leg, targets)
    assert points[:, 1, 1].min() > 0.35
    flat = (points - leg.hip)[:, :, [0, 2]]
    cross = flat[:, 1, 0] * flat[:, 2, 1] - flat[:, 1, 1] * flat[:, 2, 0]
    assert np.ptp(cross) < 0.05  # hip, knee and foot keep to one vertical plane


def test_out_of_reach_points_at_the_target():
    leg = model(ZIGZAG)
    _, points = solved(leg, np.asarray([[0.1, -1.0, 0.0]]))
    reached = np.linalg.norm(points[0, -1] - leg.hip)
    assert reached == pytest.approx(leg.reach, rel=1e-3)


def test_a_sprawled_leg_does_not_turn_over_when_its_foot_passes_below_the_hip():
    leg = model(SPRAWLED)
    inward = np.linspace(1.0, -1.0, 41)
    targets = leg.hip + np.asarray([0.8, -0.28, 0.1]) * np.stack([inward, np.ones(41), np.ones(41)], axis=-1)
    turns, points = solved(leg, targets)
    steps = rotations.angle(rotations.relative(turns[0][:-1], turns[0][1:]))
    assert steps.max() < 0.25
    np.testing.assert_allclose(points[10:-10, -1], targets[10:-10], atol=0.02)


def test_legs_in_the_air_straighten_ever_less():
    leg = model(ZIGZAG)
    way = (ZIGZAG[-1] - ZIGZAG[0]) / np.linalg.norm(ZIGZAG[-1] - ZIGZAG[0])
    targets = leg.hip + way * np.linspace(0.7, 1.3, 61)[:, None] * leg.reach
    hips, base = leg.hip + 0 * targets, np.tile([1.0, 0, 0, 0], (61, 1))
    firm, free = (leg.solve(hips, targets, base, np.full(61, share)) for share in (0.0, 1.0))
    bend = [np.abs(np.diff(rotations.angle(rotations.relative(turns[0], turns[1])))).max() for turns in (firm, free)]
    assert bend[1] < 0.5 * bend[0]


def test_bends_have_no_jumps():
    """Front legs of some foxes begin with a small bone that would lengthen them as they fold."""
    leg = model(np.asarray([[0.22, 1.24, 0.95], [0.33, 1.25, 0.95], [0.335, 0.91, 0.86], [0.33, 0.02, 1.05]]), True)
    assert np.diff(leg.table[0]).max() < 0.05


def test_a_bone_that_goes_aside_to_a_leg_is_none_of_it():
    """Rigs of game packs begin front legs at the spine; their knees bent sideways, and hardly at all."""
    aside = np.asarray([[0.0, 1.03, 0.0], [0.2, 1.06, 0.0], [0.2, 0.6, 0.06], [0.2, 0.05, 0.0]])
    leg = model(aside, front=True)
    np.testing.assert_allclose(leg.hip, aside[1])
    assert (leg.joints, leg.mount) == ((2, 3, 4), 1)
    assert abs(leg.axis[0]) > 0.99
    assert leg.table[1][-1] < 0.4 * leg.reach


@pytest.mark.parametrize(("ankle", "end"), [(True, 3), (False, 6)])
def test_all_joints_of_a_flat_foot_are_below_its_ankle(ankle, end):
    foot = np.asarray([[0.1, 0.09, 0.0], [0.1, 0.06, 0.04], [0.1, 0.04, 0.1], [0.1, 0.01, 0.2]])
    places = np.concatenate([[[0.1, 1.0, 0.0], [0.1, 0.5, 0.02]], foot])
    whole = np.concatenate([[[0.0, 1.0, 0.0]], places])
    leg = leg_model(CreatureLimb(tuple(range(1, 7)), 1), whole, np.arange(-1, 6), False, ankle)
    assert (leg.joints[-1], leg.contact) == (end, 6)
    np.testing.assert_allclose(leg.foot, places[end - 1] - places[-1])
    assert not ankle or leg.table[1][-1] < 0.4 * leg.reach
