"""Each kind against its definition, written out for one frame with plain world poses."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kinema import kinematics, rotations
from kinema.errors import DatabaseError
from kinema.features import Feature, FeatureSpec, extract
from kinema.features.kinds import KINDS, within_reach
from kinema.mocap.styles import style_of, style_shares, styles_of

FRAME, AHEAD = 20, 6  # of the first clip, which has 70 frames at 30 fps


def one(source, kind, **options) -> np.ndarray:
    """A feature of FRAME as [T, entries, components]."""
    feature = Feature("x", kind, **options)
    values = extract(source, FeatureSpec((feature,), source.skeleton), [FRAME])[0]
    return values.reshape(feature.shape(source.skeleton))


@pytest.fixture
def world(source):
    """Global rotations and positions, root positions and rotations of all frames."""
    turned, positions = kinematics.forward(source.local_rotations, source.local_translations, source.skeleton.parents)
    turn = source.root_rotations[:, None]
    globals_ = rotations.rotate(turn, positions) + source.root_positions[:, None]
    return rotations.multiply(turn, turned), globals_, source.root_positions, source.root_rotations


TIMES = (0.0, AHEAD / 30)
FRAMES = (FRAME, FRAME + AHEAD)


def test_position_in_each_frame(source, world):
    _, positions, roots, turns = world
    for t, f in enumerate(FRAMES):
        seen = rotations.inverse_rotate(turns[FRAME], positions[f] - roots[FRAME])
        own = rotations.inverse_rotate(turns[f], positions[f] - roots[f])
        np.testing.assert_allclose(one(source, "position", times=TIMES)[t], seen, atol=1e-5)
        np.testing.assert_allclose(one(source, "position", times=TIMES, frame="root@t")[t], own, atol=1e-5)
        np.testing.assert_allclose(one(source, "position", times=TIMES, frame="world")[t], positions[f], atol=1e-5)


def test_velocity_is_of_the_world(source, world):
    _, positions, _, turns = world
    speed = kinematics.velocities(positions[:70], 1 / 30)
    found = one(source, "velocity", joints=("left_foot", "Head"), times=TIMES)
    joints = [source.skeleton.index("LeftFoot"), source.skeleton.index("Head")]
    for t, f in enumerate(FRAMES):
        np.testing.assert_allclose(found[t], rotations.inverse_rotate(turns[FRAME], speed[f, joints]), atol=1e-4)


@pytest.mark.parametrize(("kind", "columns"), [("axes", (2, 1)), ("rotation6d", (0, 1))])
def test_axes_in_the_root_frame(kind, columns, source, world):
    matrices = rotations.to_matrix(rotations.multiply(rotations.inverse(world[3][FRAME]), world[0][FRAME + AHEAD]))
    expected = np.concatenate([matrices[..., c] for c in columns], axis=-1)
    np.testing.assert_allclose(one(source, kind, times=TIMES)[1], expected, atol=1e-5)


def test_trajectory(source, world):
    _, _, roots, turns = world
    speed = kinematics.velocities(roots[:70], 1 / 30)
    there, here = FRAME + AHEAD, turns[FRAME]
    expected = {
        "trajectory.position": rotations.inverse_rotate(here, roots[there] - roots[FRAME])[[0, 2]],
        "trajectory.direction": rotations.inverse_rotate(here, rotations.rotate(turns[there], np.float32([0, 0, 1])))[
            [0, 2]
        ],
        "trajectory.velocity": rotations.inverse_rotate(here, speed[there])[[0, 2]],
        "trajectory.speed": np.linalg.norm(speed[there, [0, 2]], keepdims=True),
    }
    for kind, values in expected.items():
        np.testing.assert_allclose(one(source, kind, times=TIMES)[1, 0], values, atol=1e-4, err_msg=kind)


def test_root_delta_is_measured_in_the_frame_before(source, world):
    _, _, roots, turns = world
    found = one(source, "root_delta", times=(0.0, 0.1, 0.2))[:, 0]
    np.testing.assert_allclose(found[0], 0, atol=1e-6)
    for k, (a, b) in enumerate(((FRAME, FRAME + 3), (FRAME + 3, FRAME + 6)), start=1):
        step = rotations.inverse_rotate(turns[a], roots[b] - roots[a])
        turn = rotations.yaw(rotations.relative(turns[a], turns[b]))
        np.testing.assert_allclose(found[k], [step[0], turn, step[2]], atol=1e-5)


def test_guidance_is_a_mean_of_own_root_poses(source, world):
    _, positions, roots, turns = world
    own = rotations.inverse_rotate(turns[:, None], positions - roots[:, None])
    expected = own[FRAME : FRAME + 31].mean(axis=0)
    np.testing.assert_allclose(one(source, "guidance", times=(0.0, 1.0))[0], expected, atol=1e-5)


def test_contact_of_a_joint_is_that_of_its_leg(source):
    names = ("left_foot", "left_toe", "right_foot", "right_toe")
    left, right = source.contacts[FRAME]
    np.testing.assert_array_equal(one(source, "contact", joints=names)[0, :, 0], [left, left, right, right])
    with pytest.raises(DatabaseError, match="no contacts are known for joint 'Head'"):
        one(source, "contact", joints=("Head",))


def test_phase_and_its_change(source):
    angle = 2 * np.pi * source.labels["phase"][FRAME]
    np.testing.assert_allclose(one(source, "phase")[0, 0], [np.sin(angle), np.cos(angle)], atol=1e-6)
    np.testing.assert_allclose(one(source, "phase_delta").reshape(-1), [0.03], atol=1e-6)


def test_the_change_of_phase_is_to_the_next_frame_of_the_clip(make_source, biped):
    """Of a whole clip, with uneven steps over the end of a cycle; the last frame has none to go on to."""
    source = make_source(biped)
    steps = np.linspace(0.01, 0.05, 70)
    source.labels["phase"][:70] = np.concatenate([[0.9], 0.9 + np.cumsum(steps)[:-1]]) % 1
    spec = FeatureSpec((Feature("x", "phase_delta"),), source.skeleton)
    found = extract(source, spec, np.arange(70))[:, 0]
    np.testing.assert_allclose(found[:-1], steps[:-1], atol=1e-6)
    assert found[-1] == 0


def test_local_phases_are_those_of_the_leg(source):
    left, right = source.labels["local_phases"][FRAME]
    found = one(source, "local_phase", joints=("left_foot", "right_toe", "left_toe"), times=TIMES)
    np.testing.assert_array_equal(found[0], [left, right, left])
    np.testing.assert_array_equal(found[1, 1], source.labels["local_phases"][FRAME + AHEAD][1])


def test_a_label_that_is_missing_is_named_with_the_command_that_makes_it(make_source, biped):
    source = make_source(biped)
    del source.labels["local_phases"]
    with pytest.raises(DatabaseError, match="no label 'local_phases'; its labels: goal, height, height_grid"):
        one(source, "local_phase", joints=("left_foot",))


def test_learned_phases_are_those_of_the_waves(source, biped):
    found = one(source, "learned_phase", labels=("2", "0"), times=TIMES)
    np.testing.assert_array_equal(found[1], source.labels["learned_phases"][FRAME + AHEAD][[2, 0]])
    with pytest.raises(DatabaseError, match=r"label 'learned_phases' has shape \[\d+, 3, 2\]"):
        one(source, "learned_phase", labels=("3",))
    with pytest.raises(DatabaseError, match="'x' cannot be mirrored"):
        Feature("x", "learned_phase", labels=("0",)).mirror(biped)


def test_goals_are_places_and_facings_of_the_root_later(source, world):
    _, _, roots, turns = world
    away = 12
    near = replace(source, labels=source.labels | {"goal": np.full(len(roots), away, np.int32)})
    way = rotations.inverse_rotate(turns[FRAME], roots[FRAME + away] - roots[FRAME])[[0, 2]]
    assert 0.05 < np.linalg.norm(way) < 3
    np.testing.assert_allclose(one(near, "goal.position")[0, 0], way, atol=1e-5)
    facing = rotations.rotate(rotations.relative(turns[FRAME], turns[FRAME + away]), np.float32([0, 0, 1]))[[0, 2]]
    np.testing.assert_allclose(one(near, "goal.direction")[0, 0], facing, atol=1e-5)
    none = replace(source, labels=source.labels | {"goal": np.full(len(roots), -1, np.int32)})
    assert not one(none, "goal.position").any() and not one(none, "goal.direction").any()


def test_far_goals_are_seen_in_their_direction():
    np.testing.assert_allclose(within_reach(np.float32([[6, 8], [1, -2], [0, 0]])), [[1.8, 2.4], [1, -2], [0, 0]])


def test_height_is_above_the_root_of_the_sample(source):
    expected = source.labels["height"][FRAME + AHEAD] - source.root_positions[FRAME, 1]
    np.testing.assert_allclose(one(source, "height", times=TIMES)[1, 0], expected, atol=1e-6)


def test_ground_is_flat_where_no_height_is_known(source, make_source, biped):
    plain = make_source(biped)
    plain.labels = {}
    rise = plain.root_positions[FRAME + AHEAD, 1] - plain.root_positions[FRAME, 1]
    np.testing.assert_allclose(one(plain, "height", times=TIMES)[1, 0], [rise] * 3, atol=1e-6)


def test_the_grid_is_that_of_the_frame(source, make_source, biped):
    found = one(source, "height_grid")[0, 0]
    np.testing.assert_array_equal(found, source.labels["height_grid"][FRAME].astype(np.float32))
    plain = make_source(biped)
    plain.labels = {}
    assert not one(plain, "height_grid").any()
    plain.labels = {"height_grid": np.zeros((len(plain.contacts), 9), np.float32)}
    with pytest.raises(DatabaseError, match="'height_grid' has shape"):
        one(plain, "height_grid")


def test_level_velocity_leaves_out_how_the_root_rises(source, world):
    """The world's velocity less that of the root along +Y."""
    rise = (source.root_positions[FRAME + 1, 1] - source.root_positions[FRAME - 1, 1]) * 15
    found, whole = one(source, "level_velocity")[0], one(source, "velocity")[0]
    assert abs(rise) > 0.01
    np.testing.assert_allclose(whole - found, np.tile([0, rise, 0], (len(found), 1)), atol=1e-5)


def test_labels_come_from_labels_or_tags(source):
    found = one(source, "label", labels=("walk", "old", "phase"))[0, :, 0]
    np.testing.assert_allclose(found, [1, 0, source.labels["phase"][FRAME]], atol=1e-6)
    with pytest.raises(DatabaseError, match="no label and no tag is named 'fly'; the tags: old, run, walk"):
        one(source, "label", labels=("fly",))


def test_style_is_that_of_the_frame(source):
    own = style_shares(source.clips, ("walk", "old"), FRAME, FRAME + 1)
    np.testing.assert_array_equal(one(source, "style", labels=("walk", "old"))[0, :, 0], own[0])
    first = source.clips[0]
    assert style_of(first) != style_of(source.clips[-1])
    names = tuple(styles_of(source.clips))
    spec = FeatureSpec((Feature("x", "style", labels=names),), source.skeleton)
    found = extract(source, spec, [clip.start for clip in source.clips])
    for clip, shares in zip(source.clips, found, strict=True):
        np.testing.assert_array_equal(shares, [name == (style_of(clip) or "normal") for name in names])


def test_every_kind_is_tested_here():
    tested = {
        "position",
        "velocity",
        "level_velocity",
        "axes",
        "rotation6d",
        "rotation_log",
        "trajectory.position",
        "trajectory.direction",
        "trajectory.velocity",
        "trajectory.speed",
        "root_delta",
        "guidance",
        "contact",
        "phase",
        "phase_delta",
        "local_phase",
        "learned_phase",
        "goal.position",
        "goal.direction",
        "height",
        "height_grid",
        "label",
        "style",
    }
    assert set(KINDS) == tested


def test_rotation_log(source, world):
    expected = rotations.log(rotations.multiply(rotations.inverse(world[3][FRAME]), world[0][FRAME]))
    np.testing.assert_allclose(one(source, "rotation_log")[0], expected, atol=1e-4)


def decoded(source, kind, **options):
    return KINDS[kind].decode(one(source, kind, **options))


def test_steps_decode_to_the_way_of_the_root(source, world):
    """Seen from the sample, the first step included, which starts there."""
    _, _, roots, turns = world
    frames = [FRAME, FRAME + 3, FRAME + 6, FRAME + 15]
    positions, found = decoded(source, "root_delta", times=tuple((f - FRAME) / 30 for f in frames))
    wanted = rotations.inverse_rotate(turns[FRAME], roots[frames] - roots[FRAME])
    np.testing.assert_allclose(positions[:, [0, 2]], wanted[:, [0, 2]], atol=1e-5)
    np.testing.assert_array_equal(positions[:, 1], 0)
    yaws = rotations.yaw(rotations.relative(turns[FRAME], turns[frames]))
    np.testing.assert_allclose(rotations.yaw(found), yaws, atol=1e-5)


def test_steps_are_walked_one_after_the_other():
    """A metre ahead, a quarter turn to the left, a metre ahead, a metre to the left while turning back."""
    steps = np.array([[0, np.pi / 2, 1], [0, 0, 1], [1, -np.pi / 2, 0]])[:, None]
    root_positions, root_rotations = KINDS["root_delta"].decode(steps)
    np.testing.assert_allclose(root_positions, [[0, 0, 1], [1, 0, 1], [1, 0, 0]], atol=1e-12)
    np.testing.assert_allclose(rotations.yaw(root_rotations), [np.pi / 2, np.pi / 2, 0], atol=1e-12)


@pytest.mark.parametrize("kind", ["axes", "rotation6d", "rotation_log"])
def test_rotations_decode_to_quaternions(kind, source, world):
    expected = rotations.multiply(rotations.inverse(world[3][FRAME]), world[0][FRAME])
    found = decoded(source, kind)[0]
    assert rotations.angle(rotations.relative(found, expected)).max() < 2e-3


def test_other_kinds_decode_to_what_they_hold(source):
    for kind in ("trajectory.position", "trajectory.direction", "trajectory.velocity", "trajectory.speed", "height"):
        np.testing.assert_array_equal(decoded(source, kind, times=TIMES), one(source, kind, times=TIMES)[:, 0])
    np.testing.assert_array_equal(decoded(source, "phase_delta"), one(source, "phase_delta")[:, 0])
    assert decoded(source, "phase")[0] == pytest.approx(source.labels["phase"][FRAME], abs=1e-6)
    np.testing.assert_array_equal(KINDS["contact"].decode(np.array([[[-0.2], [0.4], [1.3]]])), [[0, 0.4, 1]])
    np.testing.assert_array_equal(KINDS["label"].decode(np.array([[[-0.2], [0.4]]])), [[-0.2, 0.4]])
