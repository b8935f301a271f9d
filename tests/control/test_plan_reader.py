"""Plans out of vectors of features: recorded ones come back, and nonsense is still a body."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import rotations
from kinema.control.plan_reader import PlanReader
from kinema.features import extract
from kinema.learn.tasks.perceptron import PerceptronTask

FRAMES = 16


@pytest.fixture(scope="module")
def reader(database) -> PlanReader:
    _, wanted = PerceptronTask(PerceptronTask.Options()).specs(database)
    return PlanReader(wanted, database.translated, database.fps)


def test_recorded_plans_come_back(reader, database):
    anchors = np.array([10, 40])
    none = np.zeros((2, FRAMES, 0), np.float32)
    plans = reader(extract(database, reader.wanted, anchors), none)
    for plan, anchor in enumerate(anchors):
        frames = np.arange(anchor, anchor + FRAMES)
        true = database.pose(frames)
        np.testing.assert_allclose(np.abs((plans.rotations[plan] * true.local_rotations).sum(-1)), 1, atol=1e-5)
        moved = true.local_translations[:, database.translated]
        np.testing.assert_allclose(plans.translations[plan], moved, atol=1e-4)
        np.testing.assert_allclose(plans.contacts[plan], true.contacts, atol=1e-6)
        steps = database.root_positions[frames[2:]] - database.root_positions[frames[:-2]]
        speeds = rotations.inverse_rotate(database.root_rotations[frames[1:-1]], steps) * 0.5 * database.fps
        np.testing.assert_allclose(plans.root[plan, 1:-1, :3], speeds, atol=1e-3)


def test_what_is_carried_stays_with_its_frames(reader, database):
    y = extract(database, reader.wanted, np.array([10]))
    more = np.arange(FRAMES * 3, dtype=np.float32).reshape(1, FRAMES, 3)
    np.testing.assert_array_equal(reader(y, more).carried, more)
    np.testing.assert_array_equal(reader.part(y, "contacts")[0], reader(y, more).contacts[0])


def test_nonsense_is_still_a_body(reader, database):
    rng = np.random.default_rng(0)
    y = rng.normal(scale=3, size=(2, reader.wanted.dim)).astype(np.float32)
    y[0, reader.wanted["rotations"]] = 0
    plans = reader(y, np.zeros((2, FRAMES, 0), np.float32))
    np.testing.assert_allclose(np.linalg.norm(plans.rotations, axis=-1), 1, atol=1e-5)
    assert plans.contacts.min() >= 0 and plans.contacts.max() <= 1
    assert plans.shapes[0] == (len(database.translated), 3), "other bones cannot change"


def test_at_rest(reader, database):
    pose = database.pose([0])[0].replace(root_positions=None, root_rotations=None)
    plan = reader.at_rest(pose, np.array([1.0, 2.0]))
    assert plan.rotations.shape[:2] == (1, FRAMES)
    np.testing.assert_allclose(plan.rotations[0], np.tile(pose.local_rotations, (FRAMES, 1, 1)), atol=1e-6)
    np.testing.assert_allclose(plan.root, 0, atol=1e-6)
    np.testing.assert_array_equal(plan.carried[0], np.tile([1.0, 2.0], (FRAMES, 1)))
