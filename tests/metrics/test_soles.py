from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kinema import Motion, Skeleton, rotations
from kinema.metrics import soles
from kinema.terrain import Placed, Plane, Union, block

LEFT = np.array([1, 0], np.float32)


def test_feet_that_stand_are_near_the_ground(make_rollout):
    contacts = np.tile(LEFT, (60, 1))
    contacts[40:] = 0
    positions = make_rollout().positions.copy()
    positions[10:20, 1, 1] += 0.02  # the foot in contact floats
    positions[20:30, 1, 1] -= 0.02  # and sinks
    positions[:, 2, 1] += 0.5
    run = make_rollout(positions=positions, contacts=contacts)
    assert soles.near(run) == pytest.approx(50.0)
    positions[:, 2, 1] -= 0.5  # the other foot stands on the ground but is not in contact
    assert soles.near(make_rollout(positions=positions, contacts=contacts)) == pytest.approx(50.0)
    both = np.ones((60, 2), np.float32)
    assert soles.near(make_rollout(positions=positions, contacts=both)) == pytest.approx(100.0)
    assert soles.near(make_rollout()) is None


def test_heights_are_above_the_ground_below(make_rollout):
    positions = make_rollout().positions.copy()
    positions[..., 1] += 0.4
    contacts = np.ones((60, 2), np.float32)
    high = make_rollout(positions=positions, contacts=contacts, ground=Plane(0.4))
    assert soles.near(high) == 100.0 and soles.near(make_rollout(positions=positions, contacts=contacts)) == 0.0
    assert soles.inside(high, ()) == 0.0
    assert soles.inside(make_rollout(contacts=contacts, ground=Plane(0.02)), ()) == 100.0
    assert soles.inside(make_rollout(contacts=contacts, ground=Plane(0.01)), ()) == 0.0


def test_thresholds_scale_with_the_body(make_rollout):
    contacts = np.ones((60, 2), np.float32)
    twice = make_rollout(scale=2.0, contacts=contacts, ground=Plane(0.02))
    assert soles.near(twice) == 100.0 and soles.inside(twice, ()) == 0.0


def test_soles_lie_on_the_ground_while_feet_stand_flat(posed, biped):
    standing = posed(contacts=np.ones((60, 2), np.float32), Spine=([0, 1, 0], np.zeros(60)))
    found = soles.soles_of([standing])
    assert [sole.column for sole in found] == [0, 1]
    for sole, side in zip(found, ("Left", "Right"), strict=True):
        points = sole.points(standing)
        np.testing.assert_allclose(points[..., 1], 0.0, atol=1e-4)
        ankle, toe = (standing.positions[0, biped.index(f"{side}{part}")] for part in ("Foot", "ToeBase"))
        length = np.hypot(*(toe - ankle)[[0, 2]])
        np.testing.assert_allclose(points[0, :, 2] - ankle[2], length * np.array([-0.25, 0.4, 1.4]), atol=0.02)


def test_a_sole_through_an_edge_is_inside(posed, biped):
    """Only the heel of the left foot is over a step."""
    standing = posed(contacts=np.ones((60, 2), np.float32), Spine=([0, 1, 0], np.zeros(60)))
    found = soles.soles_of([standing])
    heel = found[0].points(standing)[0, 0]
    for height, percent in ((0.03, 100.0), (0.01, 0.0)):
        edge = Union((Plane(), Placed(block(0.04, 0.1, height), tuple(heel * [1, 0, 1]))))
        stepped = posed(contacts=np.ones((60, 2), np.float32), Spine=([0, 1, 0], np.zeros(60)))
        object.__setattr__(stepped, "ground", edge)
        assert soles.inside(stepped, found) == percent
        assert soles.inside(stepped, ()) == 0.0, "toes alone do not see it"


def test_soles_turn_with_the_foot(posed):
    standing = posed(contacts=np.ones((60, 2), np.float32), Spine=([0, 1, 0], np.zeros(60)))
    sole = soles.soles_of([standing])[0]
    raised = posed(LeftFoot=([1, 0, 0], np.full(60, 40.0)))
    heel, flat = sole.points(raised)[0, 0], sole.points(standing)[0, 0]
    ankle = raised.positions[0, sole.joints[0]]
    turned = rotations.rotate(
        rotations.from_axis_angle(np.array([1, 0, 0], np.float32), np.float32(np.radians(40))), flat - ankle
    )
    np.testing.assert_allclose(heel, ankle + turned, atol=1e-4)


def test_without_legs_or_contacts_there_are_no_soles(make_rollout, posed):
    assert soles.soles_of([make_rollout()]) == ()
    never = posed(contacts=np.zeros((60, 2), np.float32), Spine=([0, 1, 0], np.zeros(60)))
    assert soles.soles_of([never]) == ()


def test_soles_do_not_depend_on_the_frames_of_joints(posed, biped):
    """The same feet with frames of ankles and toes that are turned differently."""
    standing = posed(contacts=np.ones((60, 2), np.float32), Spine=([0, 1, 0], np.zeros(60)))
    turns = rotations.identity((biped.joint_count,), biped.rest_rotations)
    for name, vector in (("LeftFoot", [0.5, 0.9, -0.3]), ("LeftToeBase", [-1.0, 0.2, 0.7])):
        turns[biped.index(name)] = rotations.exp(np.float32(vector))
    above = np.where((biped.parents < 0)[:, None], np.float32([1, 0, 0, 0]), turns[np.maximum(biped.parents, 0)])
    motion = standing.motion
    offsets = rotations.inverse_rotate(above, biped.rest_translations)
    local = rotations.multiply(rotations.inverse(above), rotations.multiply(motion.local_rotations, turns))
    other = Skeleton.create(biped.names, biped.parents, offsets)
    moved = Motion.create(other, local, motion.local_translations[:, :1], [0], motion.fps)
    turned = replace(standing, motion=moved)
    np.testing.assert_allclose(turned.positions, standing.positions, atol=1e-5)
    plain, found = (soles.soles_of([rollout])[0].points(rollout) for rollout in (standing, turned))
    np.testing.assert_allclose(found, plain, atol=1e-4)
