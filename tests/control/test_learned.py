"""Plans by networks: a network that knows the future is followed exactly, and one that talks nonsense does no harm."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kinema import rotations
from kinema.control.augment import driven_database
from kinema.control.command import Commands
from kinema.control.controller import Controller
from kinema.control.learned import LIVE, Learned, LiveState, PlanModel
from kinema.control.presets import controller_maker, with_stages
from kinema.control.query import Query
from kinema.control.trail import Trail
from kinema.control.trajectory import Trajectory
from kinema.errors import ControlError
from kinema.features import Feature, FeatureSpec, extract
from kinema.learn.setting import Setting
from kinema.learn.tasks.perceptron import PerceptronTask
from kinema.mocap import MotionDatabase
from kinema.mocap.styles import mean_pose, still_frame
from kinema.pose import Pose
from kinema.skeleton import Skeleton
from kinema.terrain import COURSES, Extrusion, Plane, hills

AGAIN = 3


class Told(Query):
    """A query that is told the path it should have."""

    def path(self, times):
        positions, directions = self.trajectory
        return positions, directions


class Recorded:
    """A clip with its inputs and outputs, and a network that has learned it by heart."""

    def __init__(self, database: MotionDatabase, clip: int = 0) -> None:
        self.database, entry = database, database.clips[clip]
        given, wanted = PerceptronTask(PerceptronTask.Options()).specs(database)
        self.frames = np.arange(entry.start, entry.stop)
        self.x, self.y = extract(database, given, self.frames), extract(database, wanted, self.frames)
        self.at = 0
        start = database.pose([entry.start])[0].replace(root_positions=None, root_rotations=None)
        self.model = PlanModel(
            lambda x: self.y[[self.at]],
            given,
            wanted,
            database.fps,
            database.translated,
            database.contact_joints,
            start,
        )

    def query(self, due: bool) -> Query:
        given = self.model.given
        parts = (self.x[self.at, given[f"trajectory.{name}"]].reshape(1, 3, 2) for name in ("position", "direction"))
        path = tuple(np.stack([part[..., 0], 0 * part[..., 0], part[..., 1]], axis=-1) for part in parts)
        zero = np.zeros((1, 3), np.float32)
        return Told(Commands.create(zero), path, Plane(), zero, np.zeros(1, np.float32), np.array([due]))  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def recorded(database) -> Recorded:
    return Recorded(database)


def test_a_network_that_knows_the_future_is_followed(recorded):
    """Poses, contacts and root are those of the clip; and what it is asked is what it would have been taught with."""
    family, database = Learned(recorded.model), recorded.database
    for at in range(60):
        recorded.at = at
        query = recorded.query(at % AGAIN == 0)
        assert not family.replan(query).any() if query.due.any() else True
        moment = family.sample()
        if at > 20:
            frame = int(recorded.frames[at])
            true = database.pose([frame])
            np.testing.assert_allclose(moment.pose.model_positions, true.model_positions, atol=1e-4)
            np.testing.assert_allclose(moment.pose.contacts, true.contacts, atol=1e-4)
            step = database.root_positions[frame + 1] - database.root_positions[frame - 1]
            speed = rotations.inverse_rotate(database.root_rotations[frame], step) * 0.5 * database.fps
            np.testing.assert_allclose(moment.root_velocities[0], speed, atol=1e-3)
            now = family._plans.at()
            state = LiveState(moment.pose, now.velocities, query, np.array([0]))
            np.testing.assert_allclose(family.inputs(state)[0], recorded.x[at], atol=2e-3)
        family.advance(query, 1 / database.fps)


def test_between_frames_and_ahead(recorded):
    """A quarter of a second ahead, and half a frame later, the plan is where the clip is."""
    family, fps = Learned(recorded.model), recorded.database.fps
    for recorded.at in range(30):
        query = recorded.query(recorded.at % AGAIN == 0)
        if query.due.any():
            family.replan(query)
        family.advance(query, 1 / fps)
    later = recorded.database.pose(recorded.frames[[30 + 6, 30 + 7]]).model_positions
    found = family.sample(6.5 / fps).pose.model_positions[0]
    assert np.abs(found - later.mean(axis=0)).max() < 0.01
    assert np.abs(found - later[0]).max() > 1e-3


def test_a_network_that_talks_nonsense_does_no_harm(recorded):
    rng = np.random.default_rng(0)
    wild = replace(recorded.model, predict=lambda x: rng.normal(scale=3, size=(len(x), recorded.y.shape[1])))
    controller = with_stages(Learned(wild), recorded.database)
    lengths = np.linalg.norm(recorded.model.skeleton.rest_translations, axis=-1)
    for _ in range(30):
        pose = controller.step(Commands.create([0, 0, 1.0]), 1 / 30)
        assert np.isfinite(pose.global_positions).all()
        np.testing.assert_allclose(np.linalg.norm(pose.local_rotations, axis=-1), 1, atol=1e-5)
        fixed = np.setdiff1d(np.arange(len(lengths)), recorded.model.translated)
        np.testing.assert_allclose(
            np.linalg.norm(pose.local_translations, axis=-1)[:, fixed], np.tile(lengths[fixed], (1, 1)), atol=1e-5
        )


def test_characters_are_planned_for_together_and_apart(recorded):
    """Rows that are due get plans of their own; the others go on, and keep their place when somebody leaves."""
    answers = recorded.y[[5, 25]]
    model = replace(recorded.model, predict=lambda x: answers[: len(x)])
    family = Learned(model, fade=0.1)
    family.reset(3)
    zero = np.zeros((3, 3), np.float32)
    query = Query(
        Commands.create(zero), Trajectory.start(3), Plane(), zero, np.zeros(3, np.float32), np.array([1, 0, 1], bool)
    )
    family.replan(query)
    family.advance(query, 0.2)
    poses = family.sample().pose.model_positions
    database = recorded.database
    for row, frame in ((0, 5 + 6), (2, 25 + 6)):
        true = database.pose([recorded.frames[frame]]).model_positions[0]
        np.testing.assert_allclose(poses[row], true, atol=1e-3)
    still = model.start.model_positions
    np.testing.assert_allclose(poses[1], still, atol=1e-5)
    family.select(np.array([2, 1]), 1)
    after = family.sample().pose.model_positions
    np.testing.assert_allclose(after, [poses[2], poses[1], still], atol=1e-5)


def test_features_that_cannot_be_known_while_driving_are_refused(recorded):
    given = FeatureSpec(
        (*recorded.model.given.features, Feature("mean", "guidance", times=(0.0, 1.0))), recorded.model.skeleton
    )
    with pytest.raises(ControlError, match="'mean'"):
        Learned(replace(recorded.model, given=given))


@pytest.mark.slow
def test_the_ground_is_seen_as_in_training(database):
    """Heights behind and around a character that was driven are the features of the recorded drive."""
    driven = driven_database(database, controller_maker(), 1, seed=2, terrain=["slopes"])
    times = tuple(step / 6 for step in range(-6, 1))
    path, grid = Feature("path", "height", times=times), Feature("grid", "height_grid")
    spec, ground = FeatureSpec((path, grid), driven.skeleton), COURSES["slopes"](2)
    positions, headings = driven.root_positions[:, None], rotations.yaw(driven.root_rotations)[:, None]
    x, trail, joints = extract(driven, spec), Trail(), np.zeros(0, np.int32)
    for frame in range(240):
        trajectory = Trajectory.start(1)
        trajectory.position, trajectory.heading = positions[frame] * np.float32([1, 0, 1]), headings[frame]
        query = Query(Commands.idle(), trajectory, ground, positions[frame], headings[frame], np.ones(1, bool))
        state = LiveState(driven.pose([frame]), np.zeros((1, 1, 3)), query, np.array([0]), trail=trail)
        if frame > 30:
            seen = LIVE["height"](state, path, joints), LIVE["height_grid"](state, grid, joints)
            np.testing.assert_allclose(seen[0].reshape(-1), x[frame, spec["path"]], atol=1e-4)
            np.testing.assert_allclose(seen[1].reshape(-1), x[frame, spec["grid"]], atol=2e-3)
        trail.step(positions[frame], headings[frame], 1 / 30)
    assert np.abs(x[30:240, spec["path"]]).max() > 0.2


def test_the_ground_ahead_is_that_under_the_path_that_is_wanted(database):
    ramp = Extrusion(np.array([-50.0, 50.0]), np.array([-20.0, 20.0]), 100.0)
    trajectory = Trajectory.start(1)
    trajectory.velocity[:] = trajectory.goal[:] = [0, 0, 1.5]
    zero = np.zeros((1, 3), np.float32)
    query = Query(Commands.create([0, 0, 1.5]), trajectory, ramp, zero, np.zeros(1, np.float32), np.ones(1, bool))
    state = LiveState(database.pose([0]), zero[:, None], query, np.array([0]))
    feature = Feature("path", "height", times=(0.0, 0.5, 1.0))
    seen = LIVE["height"](state, feature, np.zeros(0, np.int32))
    np.testing.assert_allclose(seen[0], np.tile([[0], [0.3], [0.6]], (1, 3)), atol=1e-4)


def test_the_first_plan_looks_back_at_the_start(recorded):
    """Nobody has been anywhere yet: the ground behind is that under the root, though its heights rise elsewhere."""
    asked = []
    behind = Feature("path", "height", times=(-1.0, -0.5))
    given = FeatureSpec((*recorded.model.given.features, behind), recorded.model.skeleton)

    def predict(x):
        asked.append(x[:, given["path"]])
        return recorded.y[[0]]

    controller = Controller(Learned(replace(recorded.model, given=given, predict=predict)))
    controller.ground = hills(3)
    controller.reset(1)
    controller.step(Commands.idle(), 1 / 30)
    np.testing.assert_allclose(asked[0], 0, atol=0.02)


def test_who_looks_back_keeps_a_trail(recorded):
    """The family notes where it was while it advances, for each character that stays."""
    given = FeatureSpec(
        (*recorded.model.given.features, Feature("path", "height", times=(-0.5,))), recorded.model.skeleton
    )
    family = Learned(replace(recorded.model, given=given))
    query, family_of_now = recorded.query(False), Learned(recorded.model)
    assert family.follows_ground and not family_of_now.follows_ground
    assert with_stages(family, recorded.database).foot_lock.adapted
    assert not with_stages(family_of_now, recorded.database).foot_lock.adapted
    query.root_positions[0] = [3, 0, 4]
    for each in (family, family_of_now):
        each.advance(query, 0.1)
    assert family._trail.at([-0.3], np.array([0]))[0].tolist() == [[[3, 4]]]
    assert not family_of_now._trail.places.any()
    family.select(np.array([], int), 1)
    assert np.isnan(family._trail.ages).all()


def test_start_is_where_nobody_moves(database):
    pose = database.pose([still_frame(database)])
    setting = Setting.of(database, {})
    assert setting.skeleton is database.skeleton
    controller = with_stages(Learned(Recorded(database).model), database)
    assert np.isfinite(controller.reset(2).global_positions).all() and np.isfinite(pose.global_positions).all()


def test_a_style_is_approached_and_passed_on(recorded):
    """The network is asked with shares that move from those of the style before to those of the commanded one."""
    given = FeatureSpec(
        (*recorded.model.given.features, Feature("style", "style", labels=("normal", "old", "proud"))),
        recorded.model.skeleton,
    )
    asked: list[np.ndarray] = []

    def predict(x):
        asked.append(x[:, given["style"]].copy())
        return recorded.y[[recorded.at] * len(x)]

    speeds = {"normal": 4.0, "old": 1.0, "proud": 2.0}
    family = Learned(replace(recorded.model, given=given, predict=predict, fastest=speeds))
    assert family.styles == ("normal", "old", "proud")
    controller = Controller(family)
    controller.reset(3)
    velocity = np.tile(np.float32([0, 0, 1.5]), (3, 1))
    commands = Commands.create(velocity, style=["old", "old:0.5+proud:0.5", "unknown"])
    for _ in range(90):
        controller.step(commands, 1 / 60)
    shares = np.stack([x for x in asked if len(x) == 3])
    np.testing.assert_allclose(shares[0], [[1, 0, 0]] * 3)
    assert (np.diff(shares[:, 0, 1]) >= 0).all() and 0.1 < shares[1, 0, 1] < 0.9
    np.testing.assert_allclose(shares[-1], [[0, 1, 0], [0, 0.5, 0.5], [1, 0, 0]], atol=0.01)
    np.testing.assert_allclose(family.fastest, [1, 1.5, 4], atol=0.05)
    np.testing.assert_allclose(family.diagnostics["styles"], shares[-1], atol=0.01)
    # Commands faster than the style are slowed down to what it reaches.
    np.testing.assert_allclose(np.linalg.norm(controller.trajectory.velocity, axis=1), [1, 1.5, 1.5], atol=0.05)
    controller.select([1, 0], 1)
    np.testing.assert_allclose(family.fastest, [1.5, 1, 4], atol=0.05)


def test_a_pose_is_a_style(recorded):
    """A guided network is asked with the pose of the style, or of the mix; poses change a style, or add one."""
    given = FeatureSpec(
        (*recorded.model.given.features, Feature("guidance", "guidance", times=(0.0, 1.0))), recorded.model.skeleton
    )
    asked: list[np.ndarray] = []

    def predict(x):
        asked.append(x[:, given["guidance"]].copy())
        return recorded.y[[recorded.at] * len(x)]

    database = recorded.database
    plain, bent = database.pose(slice(0, 60)), database.pose(slice(60, 90))
    poses = np.stack([mean_pose(plain), mean_pose(plain) + np.float32([0, 0.1, 0])])
    speeds = {"normal": 4.0, "high": 1.0}
    family = Learned(replace(recorded.model, given=given, predict=predict, fastest=speeds, guidance=poses))
    controller = Controller(family)
    controller.reset(3)
    before = family.latents
    family.guide("bent", bent)
    assert family.styles == ("normal", "high", "bent") and before is not None and family.latents is not None
    assert before.shape == (2, poses[0].size) and family.latents.shape == (3, poses[0].size)
    commands = Commands.create(np.zeros((3, 3), np.float32), style=["bent", "normal:0.25+high:0.75", ""])
    for _ in range(90):
        controller.step(commands, 1 / 60)
    wanted = np.stack([mean_pose(bent), poses[0] + np.float32([0, 0.075, 0]), poses[0]]).reshape(3, -1)
    last = next(x for x in reversed(asked) if len(x) == 3)
    np.testing.assert_allclose(last, wanted, atol=2e-3)
    family.guide("normal", bent)
    assert family.styles == ("normal", "high", "bent")
    for _ in range(10):
        controller.step(commands, 1 / 60)
    last = next(x for x in reversed(asked) if len(x) == 3)
    np.testing.assert_allclose(last[2], wanted[0], atol=2e-3)
    other = Pose(Skeleton.create(["hips"], [-1], [[0, 1, 0]]), np.float32([[[1, 0, 0, 0]]]))
    with pytest.raises(ControlError, match="lacks"):
        family.guide("other", other)
    with pytest.raises(ControlError, match="guided=true"):
        Learned(recorded.model).guide("bent", bent)


def test_a_network_without_styles_has_the_speed_of_its_data(recorded):
    controller = Controller(Learned(replace(recorded.model, fastest={"normal": 2.5})))
    for _ in range(120):
        controller.step(Commands.create([0, 0, 9.0]), 1 / 60)
    assert np.linalg.norm(controller.trajectory.velocity[0]) == pytest.approx(2.5, abs=0.05)


def test_goals_are_seen_from_the_root_at_most_within_reach(database):
    """As in the data: zero without a goal."""
    goals = [[3, 0, 2], [1, 0, 40], [np.nan] * 3]
    commands = Commands.create(np.zeros((3, 3)), goal=goals, goal_facing=[0, 0, -1])
    places, headings = np.float32([[1, 0, 2]] * 3), np.full(3, np.pi / 2, np.float32)
    query = Query(commands, Trajectory.start(3), Plane(), places, headings, np.ones(3, bool))
    state = LiveState(database.pose([0, 0]), np.zeros((2, 1, 3), np.float32), query, np.array([0, 2]))
    none = np.zeros(0, np.int32)
    for rows, seen, faced in (([0, 2], [[0, 2], [0, 0]], [[1, 0], [0, 0]]), ([1], [[-3, 0]], [[1, 0]])):
        state = replace(state, rows=np.array(rows))
        position, direction = (
            LIVE[name](state, Feature(name, name), none) for name in ("goal.position", "goal.direction")
        )
        np.testing.assert_allclose(position, seen, atol=1e-6)
        np.testing.assert_allclose(direction, faced, atol=1e-6)
