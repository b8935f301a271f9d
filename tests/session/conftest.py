"""What tests of sessions and of both screens share: a controller without data, a body that is quickly made, a clip."""

from __future__ import annotations

import dataclasses
import time
from typing import Any

import numpy as np
import pytest

from kinema import Motion, Skeleton, rotations
from kinema.character import Character, Material, Mesh
from kinema.control.command import Control
from kinema.control.trajectory import Trajectory
from kinema.engine import Figure, Transform, World
from kinema.pose import Pose
from kinema.session.library import Clip, Document
from kinema.session.play import PlaySession
from kinema.session.playable import playable
from kinema.session.steering import InputState


@pytest.fixture(autouse=True)
def _quick_bodies(monkeypatch: pytest.MonkeyPatch) -> None:
    """Mannequins take a second each; these tests are not about them."""
    monkeypatch.setattr("kinema.session.playable.build_mannequin", blocks)


def until_ready(session: PlaySession) -> PlaySession:
    """Wait until a session has read everything."""
    end = time.monotonic() + 30
    while session.waiting and session.failure is None:
        session.update(0.0)
        assert time.monotonic() < end
        time.sleep(0.002)
    return session


def go(session: PlaySession, seconds: float, *keys: str, **more: Any) -> None:
    """Hold keys for some seconds."""
    for _ in range(round(60 * seconds)):
        session.steer(InputState(frozenset(keys), **more), 0.0)
        session.world.step()
        session.update(1 / 60)


def walk(skeleton: Skeleton, frames: int = 60, name: str = "walk") -> Motion:
    """A body that glides along +Z at 1 m/s and swings its legs."""
    local = np.tile(skeleton.rest_rotations, (frames, 1, 1))
    swing = 0.5 * np.sin(np.arange(frames) / 6).astype(np.float32)
    for leg, sign in zip(skeleton.roles.legs, (1.0, -1.0), strict=True):
        local[:, leg.upper] = rotations.exp(np.stack([sign * swing, 0 * swing, 0 * swing], axis=-1))
    moved = np.tile(skeleton.rest_translations, (frames, 1, 1))
    moved[:, 0, 2] += np.arange(frames) / 30
    half = np.arange(frames) < frames // 2
    labels = {"contact.left": half, "contact.right": ~half, "style": np.where(half, "calm", "proud")}
    return Motion.create(skeleton, local, moved, fps=30.0, name=name, labels=labels)


def blocks(skeleton: Skeleton) -> Character:
    """A body of one cube at each joint: quick to make."""
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float32)
    faces = np.array(
        [
            [0, 1, 3],
            [0, 3, 2],
            [4, 6, 7],
            [4, 7, 5],
            [0, 4, 5],
            [0, 5, 1],
            [2, 3, 7],
            [2, 7, 6],
            [0, 2, 6],
            [0, 6, 4],
            [1, 5, 7],
            [1, 7, 3],
        ],
        np.uint32,
    )
    normals = corners / np.sqrt(np.float32(3))
    meshes = tuple(
        Mesh(f"block {joint}", 0.06 * corners, normals, faces, joint=joint, material=0)
        for joint in range(skeleton.joint_count)
    )
    return Character("blocks", skeleton, meshes, (Material("grey", (0.5, 0.5, 0.5, 1.0), 0.0, 0.8),))


CROWD = 50


def crowd_and_stranger(controller: Gliding) -> tuple[PlaySession, int]:
    """A session with a crowd, and a red pile on another skeleton that a script spawned; the session and the pile."""
    pile = dataclasses.replace(
        blocks(Skeleton.create(["low", "high"], [-1, 0], [[0, 0.3, 0], [0, 0.6, 0]])),
        materials=(Material("red", (0.9, 0.02, 0.02, 1.0), 0.0, 0.8),),
    )
    large = [dataclasses.replace(mesh, positions=4 * mesh.positions) for mesh in pile.meshes]
    pile = dataclasses.replace(pile, meshes=tuple(large))
    found: list[int] = []

    def setup(world: World) -> None:
        found.append(world.spawn(Transform((0.8, 0.0, 1.0)), Figure(pile)))

    session = until_ready(PlaySession(lambda say: playable(controller), setup=setup))
    session.set_crowd(CROWD)
    return session, found[0]


@pytest.fixture
def walking(biped: Skeleton) -> Motion:
    return walk(biped)


def document(title: str, *motions: Motion) -> Document:
    """A document of clips in memory."""
    clips = [Clip(motion.name, motion.skeleton, None, lambda motion=motion: motion) for motion in motions]
    return Document(title, f"/files/{title}", lambda: clips)


class Gliding:
    """A controller without data: the rest pose moved as commanded, the legs swinging; shows one thing of each kind."""

    def __init__(self, skeleton: Skeleton) -> None:
        self.skeleton = skeleton
        self.steps = 0
        self.reset(1)

    def reset(self, count: int) -> Pose:
        self.trajectory = Trajectory.start(count)
        return self._pose()

    def select(self, keep: Any, added: int = 0) -> Pose:
        self.trajectory.select(np.asarray(keep), added)
        return self._pose()

    def step(self, control: Control, dt: float) -> Pose:
        self.trajectory.step(control, dt)
        self.steps += 1
        return self._pose()

    @property
    def diagnostics(self) -> dict[str, Any]:
        return {
            "cost": 0.25,
            "tracking_cm": 1.5,
            "transitions": float(self.steps // 30),
            "note": "text",
            "gate": np.array([0.1, 0.7, 0.2]),
            "phase": np.array([[0.25, 0.5]]),
        }

    def _pose(self) -> Pose:
        count = len(self.trajectory.heading)
        swing = 0.5 * np.sin(0.2 * self.steps)
        local = np.tile(self.skeleton.rest_rotations, (count, 1, 1))
        for leg, sign in zip(self.skeleton.roles.legs, (1.0, -1.0), strict=True):
            local[:, leg.upper] = rotations.exp(np.array([sign * swing, 0, 0], np.float32))
        return Pose(
            self.skeleton,
            local,
            root_positions=self.trajectory.position.astype(np.float32),
            root_rotations=rotations.from_yaw(self.trajectory.heading.astype(np.float32)),
            contacts=np.tile(np.array([1.0, 0.0] if swing > 0 else [0.0, 1.0], np.float32), (count, 1)),
        )


@pytest.fixture
def gliding(biped: Skeleton) -> Gliding:
    return Gliding(biped)
