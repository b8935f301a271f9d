import numpy as np
import pytest

from kinema import rotations
from kinema.mocap.creatures import make_creature
from kinema.mocap.creatures.perform import kind_of_creature
from kinema.mocap.creatures.posing import turned
from kinema.mocap.creatures.puppet import Puppet


@pytest.fixture
def figure():
    """A dog with rolled bones that walks off to the left of its rest pose."""
    body = kind_of_creature(make_creature("dog", 8)).body
    yaw = np.linspace(0.0, 1.0, 7)
    root = body.anatomy.root
    return Puppet(body, turned(yaw, 0.2 * yaw, -0.1 * yaw), body.positions[root] + yaw[:, None] * [2.0, 0.1, 0.5])


def test_what_is_not_driven_follows_rigidly(figure):
    head, root = figure.body.anatomy.head, figure.body.anatomy.root
    away = np.linalg.norm(figure.place(head) - figure.place(root), axis=-1)
    np.testing.assert_allclose(away, np.linalg.norm(figure.body.positions[head] - figure.body.positions[root]))
    np.testing.assert_array_equal(figure.rotation(head), figure.rotation(root))


def test_heights_are_those_of_points(figure):
    for joint in (figure.body.anatomy.root, figure.body.anatomy.head):
        for rest in (figure.body.positions[joint], np.asarray([0.3, 0.2, -0.5])):
            np.testing.assert_allclose(figure.height(joint, rest), figure.point(joint, rest)[:, 1], atol=1e-12)


def test_turns_are_relative_to_the_parent_and_move_what_is_below(figure):
    neck = figure.body.anatomy.neck[0]
    before, base = figure.place(figure.body.anatomy.head), figure.rotation(neck)
    turn = turned(np.full(7, 0.4), np.zeros(7), np.zeros(7))
    figure.turn(neck, turn)
    np.testing.assert_allclose(figure.rotation(neck), rotations.multiply(base, turn), atol=1e-12)
    assert np.linalg.norm(figure.place(figure.body.anatomy.head) - before, axis=-1).min() > 0.01
    figure.turn_more(neck, turn)
    assert rotations.angle(rotations.relative(base, figure.rotation(neck))) == pytest.approx(np.full(7, 0.8))


def test_motions_reproduce_the_figure_on_rolled_bones(figure):
    head, neck = figure.body.anatomy.head, figure.body.anatomy.neck[0]
    figure.turn(neck, turned(np.full(7, 0.4), np.full(7, -0.3), np.zeros(7)))
    motion = figure.motion(slice(1, 6), 30.0, "test")
    assert motion.frames == 5 and motion.name == "test"
    for joint in (figure.body.anatomy.root, neck, head):
        np.testing.assert_allclose(motion[:].global_positions[:, joint], figure.place(joint)[1:6], atol=1e-5)
    wanted = rotations.multiply(figure.rotation(head), figure.body.rotations[head])[1:6]
    assert rotations.angle(rotations.relative(wanted, motion[:].global_rotations[:, head].astype(float))).max() < 1e-3


def test_shifts_move_all_of_it(figure):
    before = figure.place(figure.body.anatomy.head)
    figure.shift(np.asarray([1.0, 2.0, 3.0]))
    np.testing.assert_allclose(figure.place(figure.body.anatomy.head) - before, np.tile([1.0, 2.0, 3.0], (7, 1)))


def test_a_joint_that_is_aimed_again_hangs_where_its_parent_is_by_then(figure):
    upper, lower, *_ = figure.body.legs[0].joints
    for pitch in (0.2, 0.9):
        for joint in (upper, lower):
            figure.aim(joint, turned(np.zeros(7), np.full(7, pitch), np.zeros(7)))
        figure.shift(np.asarray([0.0, 0.3, 0.0]))
    motion = figure.motion(slice(0, 7), 30.0, "test")
    np.testing.assert_allclose(motion[:].global_positions[:, lower], figure.place(lower), atol=1e-5)
