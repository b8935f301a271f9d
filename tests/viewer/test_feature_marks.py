"""Features read from vectors and drawn in the world."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

pytest.importorskip("viser", reason="viser is not installed: pip install '.[view]'")

from kinema import rotations
from kinema.control.command import Control
from kinema.control.family import ShowsFeatures
from kinema.control.presets import motion_matching_controller
from kinema.features import Feature, FeatureSpec
from kinema.mocap.database import MotionDatabase
from kinema.mocap.procedural import locomotion_set
from kinema.viewer.feature_marks import FeatureMarks, Seen, marks
from kinema.viewer.page import Viewer, open_viewer
from kinema.viewer.player import LiveSession

STILL = np.array([1, 0, 0, 0], np.float32)


@pytest.fixture
def viewer() -> Iterator[Viewer]:
    with open_viewer(port=0, mode="play") as opened:
        yield opened


@pytest.fixture(scope="module")
def database() -> MotionDatabase:
    return MotionDatabase.from_motions(locomotion_set(minutes=0.5), mirror=False)


def seen_of(spec: FeatureSpec, vector: np.ndarray) -> Seen:
    return Seen(spec, spec.split(vector.astype(np.float32)), np.zeros(3, np.float32), STILL)


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
    shown = marks(seen_of(spec, np.arange(1, spec.dim + 1)), positions)
    assert shown.joints.tolist() == [[1, 2, 3]]
    hips = positions[biped.roles.hips].tolist()
    assert shown.velocities.tolist() == [[[1, 2, 3], [4, 5, 6]], [hips, [7, 8, 9]]]
    assert shown.path.tolist() == [[10, 0, 11], [0, 0, 0], [12, 0, 13]], "in order of time, with the present"
    assert shown.facings.tolist() == [[[12, 0, 13], [14, 0, 15]]], "a facing without a place is not drawn"


def test_a_spec_without_any_of_these_draws_nothing(viewer, biped):
    spec = FeatureSpec((Feature("touching", "contact", ("left_toe", "right_toe")),), biped)
    overlay = FeatureMarks(viewer.server, "features", 1.7)
    shown = overlay.update(seen_of(spec, np.ones(2)), np.zeros((biped.joint_count, 3)))
    assert [len(part) for part in (shown.joints, shown.velocities, shown.path, shown.facings)] == [0, 0, 0, 0]


def test_it_is_hidden_until_it_is_asked_for_and_may_be_replaced(viewer, biped):
    spec = FeatureSpec((Feature("toe", "position", ("left_toe",)),), biped)
    overlay = FeatureMarks(viewer.server, "features", 1.7)
    overlay.update(seen_of(spec, np.ones(3)), np.zeros((biped.joint_count, 3)))
    assert not overlay.visible and not overlay._canvas.visible
    overlay.visible = True
    assert overlay._canvas.visible
    assert overlay.update(None, np.zeros((biped.joint_count, 3))) is None and not overlay._canvas.visible
    overlay.update(seen_of(spec, np.ones(3)), np.zeros((biped.joint_count, 3)))
    assert overlay._canvas.visible, "where there are features again, they are drawn again"
    overlay.retire()
    assert not overlay.visible


def test_what_is_compared_is_drawn_at_the_character_that_plays_it(viewer, database):
    controller = motion_matching_controller(database)
    family = controller.family
    assert isinstance(family, ShowsFeatures)
    session = LiveSession(controller, viewer)
    session.command = Control.create(np.array([0, 0, 1.2], np.float32))
    session.pose = controller.reset(1)
    for _ in range(150):
        session.pose = controller.step(session.command, 1 / 60)

    # On a whole frame, what is drawn is what the frames of the database hold, at the root of the character.
    frame = int(family.frames[0])
    family._cursor[:] = frame
    root, turned = session.pose.root_positions[0], session.pose.root_rotations[0]
    parts = {name: part[0] for name, part in family.features_now().items()}
    overlay = FeatureMarks(viewer.server, "other", 1.7)
    placed = session.pose.global_positions[0]
    shown = overlay.update(Seen(family.spec, parts, root, turned), placed)
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
    hips = rotations.inverse_rotate(turned, placed[database.skeleton.roles.hips] - root)
    assert shown.velocities[2, 0] == pytest.approx(hips, abs=1e-4)
    assert shown.path == pytest.approx(local(spots - spots[0]) * [1, 0, 1], abs=1e-3)
    ahead = local(rotations.rotate(database.root_rotations[ends[1:]], np.array([0, 0, 1], np.float32)))
    assert shown.facings[:, 1] == pytest.approx(ahead, abs=1e-3)
    frame = overlay._canvas.frame
    assert frame.position == pytest.approx(root) and frame.wxyz == pytest.approx(turned)

    # And the session itself draws it when it is switched on: feet near those of the body, which is blended and locked.
    session._marks.visible = True
    session._draw(0.0)
    drawn = session._marks.draw.rows("sphere")["center"][:2]
    world = rotations.rotate(turned, np.asarray(drawn, np.float32)) + root
    assert np.linalg.norm(world - placed[feet], axis=-1).max() < 0.12


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


def test_controllers_without_features_have_no_such_switch(viewer, gliding):
    session = LiveSession(gliding, viewer)
    session._marks.visible = True
    session._draw(0.0)
    assert session._seer is None and session._marks.draw.empty
