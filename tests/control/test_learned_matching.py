"""Learned motion matching, with networks that know a clip by heart: they search as motion matching does."""

from __future__ import annotations

import numpy as np
import pytest

from kinema.control.command import Commands
from kinema.control.family import ShowsFeatures
from kinema.control.learned_matching import LearnedMatching, MatchingModel
from kinema.control.motion_matching import MatchSettings, MotionMatching
from kinema.control.presets import with_stages
from kinema.control.query import Query
from kinema.control.trajectory import Trajectory
from kinema.features import extract
from kinema.learn.tasks.perceptron import PerceptronTask
from kinema.mocap import MotionDatabase
from kinema.terrain import Plane

FRAMES = 16


class ByHeart:
    """Networks that know a database: a state is the features of a frame, and its number."""

    def __init__(self, database: MotionDatabase) -> None:
        self.database, self.matching = database, MotionMatching(database)
        _, self.wanted = PerceptronTask(PerceptronTask.Options()).specs(database)
        self.asked: list[np.ndarray] = []
        frame = self.matching._still_frame
        self.model = MatchingModel(
            self.search,
            self.plan,
            self.matching.spec,
            self.matching.normalizer,
            self.wanted,
            database.fps,
            database.translated,
            database.contact_joints,
            database.pose([frame])[0].replace(root_positions=None, root_rotations=None),
            self.matching.normalizer.denormalize(self.matching.features[frame]),
            database.clearance,
        )

    def states(self, frames: np.ndarray) -> np.ndarray:
        return np.concatenate([self.matching.features[frames], frames[..., None]], axis=-1).astype(np.float32)

    def search(self, query: np.ndarray) -> np.ndarray:
        self.asked.append(query)
        cost = ((self.matching.features - query[:, None]) ** 2).sum(-1)
        return self.states(np.where(self.matching.usable, cost, np.inf).argmin(1))

    def plan(self, states: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        first = np.rint(states[:, -1]).astype(np.int64)
        ahead = np.minimum(first[:, None] + np.arange(FRAMES), self.database.frames - 1)
        return self.states(ahead), extract(self.database, self.wanted, first)


@pytest.fixture
def by_heart(database) -> ByHeart:
    return ByHeart(database)


def query(velocity, due=True) -> Query:
    count = len(velocity)
    zero = np.zeros((count, 3), np.float32)
    return Query(
        Commands.create(velocity),
        Trajectory.start(count),
        Plane(),
        zero,
        np.zeros(count, np.float32),
        np.broadcast_to(due, count).copy(),
    )


def state_of(family: LearnedMatching) -> np.ndarray:
    return family._plans.at(faded=False).carried


def test_it_asks_what_motion_matching_asks_and_plays_what_it_finds(by_heart, database):
    family = LearnedMatching(by_heart.model, fade=0.1)
    asked = query([[0, 0, 1.2]])
    assert not family.replan(asked).any(), "plans fade"
    positions, directions = asked.path(by_heart.matching.times)
    still = np.array([by_heart.matching._still_frame])
    np.testing.assert_allclose(
        by_heart.asked[-1], by_heart.matching.query(still, positions, directions), rtol=1e-4, atol=1e-4
    )
    found = int(by_heart.search(by_heart.asked[-1])[0, -1])
    assert found != still[0] and state_of(family)[0, -1] == found
    family.advance(asked, 5 / database.fps)
    true = database.pose([found + 5, found + 11])
    np.testing.assert_allclose(family.sample().pose.model_positions[0], true.model_positions[0], atol=1e-3)
    ahead = family.sample(6 / database.fps)
    np.testing.assert_allclose(ahead.pose.model_positions[0], true.model_positions[1], atol=1e-3)
    assert family.diagnostics["cost"] == pytest.approx(
        ((by_heart.matching.features[found] - by_heart.asked[-2]) ** 2).sum(), rel=1e-3
    )


@pytest.mark.parametrize(("settings", "jumps"), [(MatchSettings(), True), (MatchSettings(gain=1e6), False)])
def test_it_goes_on_unless_another_state_is_better_by_the_margin(by_heart, database, settings, jumps):
    family = LearnedMatching(by_heart.model, settings)
    before = state_of(family)[0, -1]
    asked = query([[0, 0, 1.2]])
    family.advance(asked, 3 / database.fps)
    family.replan(asked)
    assert (abs(state_of(family)[0, -1] - before) > 3) == jumps
    if not jumps:
        went = state_of(family)[0, -1]
        family.advance(asked, 4 / database.fps)
        family.replan(asked)
        assert state_of(family)[0, -1] == went + 4, "it goes on along its own plan"


def test_characters_are_planned_for_together_and_apart(by_heart, database):
    family = LearnedMatching(by_heart.model)
    family.reset(3)
    asked = query([[0, 0, 1.2], [0, 0, 1.2], [0, 0, 0.0]], [True, False, True])
    family.replan(asked)
    first = state_of(family)
    assert len(by_heart.asked[-1]) == 2
    assert first[0, -1] != first[1, -1] and first[1, -1] == by_heart.matching._still_frame
    family.select(np.array([1, 0]), 1)
    np.testing.assert_array_equal(state_of(family)[:2], first[[1, 0]])
    assert state_of(family)[2, -1] == by_heart.matching._still_frame


def test_its_features_are_shown(by_heart):
    family = LearnedMatching(by_heart.model)
    assert isinstance(family, ShowsFeatures)
    asked = query([[0, 0, 1.2]])
    family.replan(asked)
    family.advance(asked, 6 / by_heart.database.fps)
    frame = int(np.rint(state_of(family)[0, -1]))
    true = extract(by_heart.database, family.spec, [frame])[0]
    for name, values in family.features_now().items():
        np.testing.assert_allclose(values[0], true[family.spec[name]], atol=1e-4)


def test_it_drives_with_all_stages(by_heart, database):
    controller = with_stages(LearnedMatching(by_heart.model), database)
    for _ in range(60):
        pose = controller.step(Commands.create([[0, 0, 1.2]]), 1 / 30)
    assert pose.root_positions[0, 2] > 1.5 and np.isfinite(pose.global_positions).all()
