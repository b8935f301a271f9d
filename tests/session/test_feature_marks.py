"""Features read from vectors and drawn in the world."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import rotations
from kinema.control.command import Commands
from kinema.control.family import ShowsFeatures
from kinema.control.presets import motion_matching_controller
from kinema.features import Feature, FeatureSpec
from kinema.mocap.database import MotionDatabase
from kinema.mocap.procedural import locomotion_set
from kinema.rendering.draw import Draw
from kinema.session.feature_marks import FeatureFrame, draw_features, shapes
from kinema.session.play import PlaySession
from kinema.session.playable import playable

from .conftest import until_ready

STILL = np.array([1, 0, 0, 0], np.float32)


@pytest.fixture(scope="module")
def database() -> MotionDatabase:
    return MotionDatabase.from_motions(locomotion_set(minutes=0.5), mirror=False)


def seen_of(spec: FeatureSpec, vector: np.ndarray) -> FeatureFrame:
    return FeatureFrame(spec, spec.split(vector.astype(np.float32)), np.zeros(3, np.float32), STILL)


def test_kinds_decide_what_is_drawn(biped):
    features = (
        Feature("toe", "position", ("left_toe",)),
        Feature("moving", "velocity", ("left_toe", "hips")),
        Feature("way", "trajectory.position", times=(-0.5, 1.0)),
        Feature("facing", "trajectory.direction", times=(1.0, 2.0)),
        Feature("touching", "contact", ("left_toe",)),
        Feature("before", "position", ("hips",), times=(-0.5,), frame="root@t"),
        Feature("elsewhere", "velocity", ("hips",), frame="world"),
    )
    spec = FeatureSpec(features, biped)
    positions = np.arange(3.0 * biped.joint_count).reshape(-1, 3)
    shown = shapes(seen_of(spec, np.arange(1, spec.dim + 1)), positions)
    assert shown.joints.tolist() == [[1, 2, 3]]
    hips = positions[biped.roles.hips].tolist()
    assert shown.velocities.tolist() == [[[1, 2, 3], [4, 5, 6]], [hips, [7, 8, 9]]]
    assert shown.path.tolist() == [[10, 0, 11], [0, 0, 0], [12, 0, 13]], "in order of time, with the present"
    assert shown.facings.tolist() == [[[12, 0, 13], [14, 0, 15]]], "a facing without a place is not drawn"


def test_a_spec_without_any_of_these_draws_nothing(biped):
    spec = FeatureSpec((Feature("touching", "contact", ("left_toe", "right_toe")),), biped)
    draw = Draw()
    draw_features(draw, seen_of(spec, np.ones(2)), np.zeros((biped.joint_count, 3)), 1.7)
    assert draw.empty


def test_what_is_compared_is_drawn_at_the_character_that_plays_it(database):
    controller = motion_matching_controller(database)
    family = controller.family
    assert isinstance(family, ShowsFeatures)
    command = Commands.create(np.array([0, 0, 1.2], np.float32))
    pose = controller.reset(1)
    for _ in range(150):
        pose = controller.step(command, 1 / 60)

    # On a whole frame, what is drawn is what the frames of the database hold, at the root of the character.
    frame = int(family.frames[0])
    family._cursor[:] = frame
    root, global_rotations = pose.root_positions[0], pose.root_rotations[0]
    parts = {name: part[0] for name, part in family.features_now().items()}
    global_positions = pose.global_positions[0]
    seen = FeatureFrame(family.spec, parts, root, global_rotations)
    shown = shapes(seen, rotations.inverse_rotate(global_rotations, global_positions - root))
    ends = [frame, *database.next(frame, [10, 20, 30])]
    spots = database.root_positions[ends]
    feet = [leg.foot for leg in (database.skeleton.roles.leg("left"), database.skeleton.roles.leg("right"))]
    around = database.pose([frame - 1, frame, frame + 1]).global_positions
    unturned = database.root_rotations[frame]

    def local(vectors: np.ndarray) -> np.ndarray:
        return rotations.inverse_rotate(unturned, np.asarray(vectors, np.float32))

    assert shown.joints == pytest.approx(local(around[1, feet] - spots[0]), abs=1e-3)
    speeds = 0.5 * database.fps * (around[2] - around[0])
    assert shown.velocities[:, 1] == pytest.approx(local(speeds[[*feet, database.skeleton.roles.hips]]), abs=1e-2)
    hips = rotations.inverse_rotate(global_rotations, global_positions[database.skeleton.roles.hips] - root)
    assert shown.velocities[2, 0] == pytest.approx(hips, abs=1e-4)
    assert shown.path == pytest.approx(local(spots - spots[0]) * [1, 0, 1], abs=1e-3)
    ahead = local(rotations.rotate(database.root_rotations[ends[1:]], np.array([0, 0, 1], np.float32)))
    assert shown.facings[:, 1] == pytest.approx(ahead, abs=1e-3)

    # And it is drawn in the world, near the feet of the body, which is blended and locked.
    draw = Draw()
    draw_features(draw, seen, global_positions, 1.7)
    drawn = draw.rows("sphere", on_top=True)["center"][:2]
    assert np.linalg.norm(drawn - global_positions[feet], axis=-1).max() < 0.5  # a step apart at most


def test_between_frames_features_move_on_without_steps(database):
    family = motion_matching_controller(database).family
    assert isinstance(family, ShowsFeatures)
    values = []
    for share in (0.0, 0.5, 1.0):
        family._cursor[:] = 40 + share
        values.append(np.concatenate([part[0] for part in family.features_now().values()]))
    assert values[1] == pytest.approx(0.5 * (values[0] + values[2]), abs=1e-4)
    last = database.clips[0].stop - 1
    family._cursor[:], family._clip[:] = last, 0
    assert all(np.isfinite(part).all() for part in family.features_now().values())


def test_controllers_without_features_have_no_such_switch(gliding):
    assert "Features" not in until_ready(PlaySession(lambda say: playable(gliding))).show
