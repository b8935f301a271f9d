"""A family, a stage, a ground and a body of one's own, added from outside without touching the package."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from kinema import Motion, Skeleton, rotations
from kinema.control.command import Command
from kinema.control.controller import Controller
from kinema.control.family import ALL, Moment
from kinema.control.foot_lock import FootLock
from kinema.control.motion_matching import MotionMatching
from kinema.control.presets import foot_lock, with_stages
from kinema.mocap.database import MotionDatabase
from kinema.pose import Pose
from kinema.terrain import Ground, Plane


class Walker:
    """A family that goes to its goal, with its arms out when it is proud, and knows of the ground there."""

    translated, contact_joints, diagnostics = np.int32([0]), np.int32([0]), SimpleNamespace(keys=lambda: ())

    def __init__(self, skeleton: Skeleton) -> None:
        self.skeleton = skeleton
        self.reset(1)

    def reset(self, count):
        self.velocity, self.proud, self.climb = np.zeros((count, 3), np.float32), np.zeros(count, bool), np.zeros(count)

    def select(self, keep, added):
        self.reset(len(keep) + added)

    def replan(self, query):
        away = np.nan_to_num(query.goals) * [1, 0, 1]
        self.velocity = (away / np.maximum(np.linalg.norm(away, axis=-1, keepdims=True), 1)).astype(np.float32)
        self.proud = np.array([style == "proud" for style in query.commands.styles])
        self.climb = query.ground.height(query.commands.goals)
        return query.due & False

    def advance(self, query, dt):
        pass

    def sample(self, offset=0.0, rows=ALL):
        proud, velocity = self.proud[rows], self.velocity[rows]
        count = len(proud)
        local = rotations.identity((count, self.skeleton.joint_count), velocity)
        local[:, 1] = rotations.from_yaw(np.where(proud, 1.5, 0.0).astype(np.float32))
        return Moment(Pose(self.skeleton, local, contacts=np.zeros((count, 1))), velocity, np.zeros(count))


def test_a_family_uses_style_and_goal(biped):
    controller = Controller(Walker(biped))
    controller.reset(2)
    wishes = [Command(style="proud", goal=(3, 0, 0)), Command(goal=(0, 0, -2))]
    for _ in range(600):
        pose = controller.step(wishes, 1 / 60)
    np.testing.assert_allclose(pose.root_positions, [[3, 0, 0], [0, 0, -2]], atol=0.05)
    np.testing.assert_allclose(rotations.yaw(pose.local_rotations[:, 1]), [1.5, 0], atol=1e-5)


class Stairs(Ground):
    """Steps of 20 cm, half a metre deep, that go up along +Z."""

    def height(self, points):
        return (0.2 * np.clip(np.floor(points[..., 2] / 0.5), 0, 10)).astype(np.float32)

    def normal(self, points):
        return np.broadcast_to(np.float32([0, 1, 0]), points.shape)


def test_characters_climb_a_ground_of_ones_own(database):
    controller = with_stages(MotionMatching(database), database)
    controller.ground = stairs = Stairs()
    controller.reset(1)
    held, inside = [], []
    for frame in range(240):
        pose = controller.step(Command((0, 0, 1.4)), 1 / 60)
        toes = pose.global_positions[0, database.contact_joints]
        if frame > 60:
            inside.append((toes[:, 1] < stairs.height(toes) - 0.02).any())
        held += (toes[controller.locked[0], 1] - stairs.height(toes[controller.locked[0]])).tolist()
    assert np.mean(inside) < 0.08  # a foot that swings over the edge of a step may cut its corner
    assert pose.root_positions[0, 1] > 0.8
    assert np.median(np.abs(np.array(held) - database.clearance)) < 0.01


class Tall:
    """A stage that raises whoever stands on it by a metre."""

    def reset(self, count):
        self.count = count

    def select(self, keep, added):
        self.count = len(keep) + added

    def apply(self, pose, ground, dt):
        moved = pose.local_translations.copy()
        moved[:, 0, 1] += 1.0
        return pose.replace(local_translations=moved)


def test_a_stage_is_one_more_in_the_list(biped):
    plain, tall = Controller(Walker(biped)), Controller(Walker(biped), stages=[Tall()])
    low, high = plain.step(Command(), 1 / 60), tall.step(Command(), 1 / 60)
    raised = high.global_positions - low.global_positions
    np.testing.assert_allclose(raised, np.broadcast_to([0, 1, 0], (1, 21, 3)), atol=1e-6)
    tall.select([0], added=2)
    assert tall.stages[0].count == 3


def quadruped() -> Skeleton:
    rows = [
        ("hips", -1, (0, 0.6, 0)),
        ("chest", 0, (0, 0, 0.6)),
        ("neck", 1, (0, 0.1, 0.2)),
        ("head", 2, (0, 0.1, 0.1)),
    ]
    for end, parent in (("front", 1), ("hind", 0)):
        for side, x in (("left", 0.1), ("right", -0.1)):
            first = len(rows)
            rows += [(f"{side}_{end}_upper", parent, (x, -0.05, 0)), (f"{side}_{end}_lower", first, (0, -0.27, 0.04))]
            rows += [(f"{side}_{end}_foot", first + 1, (0, -0.26, -0.04))]
    return Skeleton.create([r[0] for r in rows], [r[1] for r in rows], [r[2] for r in rows])


def test_four_feet_are_held():
    body, frames = quadruped(), 270
    local = np.tile(body.rest_rotations, (frames, 1, 1))
    local[:, 0] = rotations.from_yaw(0.05 * np.sin(np.arange(frames) / 8)).astype(np.float32)
    moved = np.tile(body.rest_translations[:1], (frames, 1, 1))
    moved[:, 0, 0] += 0.02 * np.sin(np.arange(frames) / 9)
    labels = {f"contact.{name}": np.ones(frames, bool) for name in body.names if name.endswith("foot")}
    motion = Motion.create(body, local, moved, [0], 60.0, "sway", labels)
    database = MotionDatabase.from_motions([motion], fps=60.0, mirror=False)
    lock = foot_lock(database)
    assert isinstance(lock, FootLock) and lock.legs.shape == (4, 4)
    free, kept = [], []
    for frame in range(database.frames):
        pose = database.pose([frame])
        free.append(pose.global_positions[0, database.contact_joints])
        kept.append(lock.apply(pose, Plane(), 1 / 60).global_positions[0, database.contact_joints])
    assert np.ptp(np.array(free), axis=0).max() > 0.03
    assert lock.locked.all() and np.ptp(np.array(kept)[30:], axis=0).max() < 0.005
