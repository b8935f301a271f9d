"""A small generated database, shared by all tests of control."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import kinema
from kinema import rotations
from kinema.control.controller import Controller
from kinema.control.family import ALL, Moment
from kinema.control.membership import carried
from kinema.control.presets import motion_matching_controller
from kinema.control.subject import generated
from kinema.mocap import labels
from kinema.mocap.creatures import make_creature
from kinema.mocap.database import MotionDatabase
from kinema.mocap.procedural import locomotion_set
from kinema.pose import Pose


@pytest.fixture(scope="session")
def database() -> MotionDatabase:
    """Two minutes of generated locomotion and their mirror images."""
    return MotionDatabase.from_motions(locomotion_set(minutes=2))


@pytest.fixture(scope="session")
def menagerie() -> Callable[[str], MotionDatabase]:
    """Two minutes of generated motion of a creature, and its mirror image; each is made once."""
    return functools.cache(lambda name: generated(make_creature(name), minutes=2.0))


@pytest.fixture(scope="session")
def shared(database: MotionDatabase) -> Controller:
    return motion_matching_controller(database)


@pytest.fixture
def controller(shared: Controller) -> Controller:
    """A controller of one character at rest; built once, reset for each test."""
    shared.reset(1)
    return shared


@pytest.fixture
def fresh(database: MotionDatabase) -> Callable[..., Controller]:
    """Makes controllers that may be changed."""
    return lambda **options: motion_matching_controller(database, **options)


class Gliding:
    """The smallest family: one pose, a steady walk in a circle, new plans that turn a joint the other way."""

    times = (0.5, 1.0)

    def __init__(self, skeleton, turn: float) -> None:
        self.skeleton, self.turn, self.diagnostics = skeleton, turn, {"cost": 0.0}
        self.translated = np.int32([0])
        self.contact_joints = np.asarray([leg.toe for leg in skeleton.roles.legs], np.int32)
        self.reset(1)

    def reset(self, count: int) -> None:
        self.angle, self.jumps, self.asked = np.full(count, 0.5, np.float32), False, []

    def select(self, keep, added) -> None:
        self.angle = carried(self.angle, keep, added, 0.5)

    def replan(self, query):
        self.asked.append((*query.path(self.times), query.due.copy()))
        if self.jumps:
            self.angle = np.where(query.due, -self.angle, self.angle)
        return query.due & self.jumps

    def advance(self, query, dt) -> None:
        pass

    def sample(self, offset=0.0, rows=ALL) -> Moment:
        angle = self.angle[rows]
        count = len(angle)
        turned = rotations.identity((count, self.skeleton.joint_count), angle)
        turned[:, 5] = rotations.from_yaw(angle)
        ahead = np.tile(np.float32([0, 0, 1]), (count, 1))
        pose = Pose(self.skeleton, turned, contacts=np.zeros((count, 2), np.float32))
        return Moment(pose, ahead, np.full(count, self.turn, np.float32))


@pytest.fixture
def gliding(biped) -> Controller:
    """A controller of one character that glides at 1 m/s and turns by 2 rad/s, without stages."""
    return Controller(Gliding(biped, 2.0))


NETWORKS = {
    "perceptron": {"chain": 2},
    "codebook": {"chain": 2, "channels": 4},
    "learned-matching": {"latent": 8},
}
"""Options of the small networks of some tasks."""


@pytest.fixture(scope="session")
def network(database: MotionDatabase, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Trains a small network with a task for a few steps, once; returns its folder."""
    pytest.importorskip("torch", reason="torch is not installed: pip install 'kinema[learn]'")
    pytest.importorskip("accelerate", reason="accelerate is not installed: pip install 'kinema[learn]'")
    folder = tmp_path_factory.mktemp("networks")
    short = MotionDatabase.from_motions(locomotion_set(minutes=1))
    for each in (database, short):
        each.labels.update(labels.goals(each) | {"learned_phases": each.labels["local_phases"]})

    def trained(task: str) -> Path:
        if not (folder / task / "model.safetensors").exists():
            options = {"hidden": 32, **NETWORKS.get(task, {"chain": 2, "readout": 24})}
            kinema.train(task, short, folder / task, options=options, steps=30, batch=64, seed=1)
        return folder / task

    return trained
