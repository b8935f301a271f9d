"""What tests of sessions and of both screens share: a controller without data, a body that is quickly made, a clip."""

from __future__ import annotations

import contextlib
import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kinema import Motion, Skeleton, rotations, save
from kinema.character import Character, Material, Mesh
from kinema.control.command import Commands
from kinema.control.trajectory import Trajectory
from kinema.engine import Figure, Transform, World
from kinema.errors import KinemaError
from kinema.pose import Pose
from kinema.session.library import LibraryClip, LibraryFile
from kinema.session.play import PlaySession
from kinema.session.playable import playable
from kinema.session.steering import InputState


@pytest.fixture(autouse=True)
def _quick_bodies(monkeypatch: pytest.MonkeyPatch) -> None:
    """Mannequins take a second each; these tests are not about them."""
    for module in ("playable", "prepared", "rehearsal"):
        monkeypatch.setattr(f"kinema.session.{module}.build_mannequin", blocks)


def until_ready(session: PlaySession) -> PlaySession:
    """Wait until a session has read everything, or cannot."""
    with contextlib.suppress(KinemaError):
        session.wait()
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


def blocks(skeleton: Skeleton, motion: Motion | None = None) -> Character:
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


FRAMES = 100
"""Of the file of `clip_path`."""


@pytest.fixture
def clip_path(biped: Skeleton, tmp_path: Path) -> Path:
    local = np.tile(biped.rest_rotations, (FRAMES, 1, 1))
    swing = np.sin(np.linspace(0, 4 * np.pi, FRAMES)).astype(np.float32)
    for name, sign in (("LeftUpLeg", 1.0), ("RightUpLeg", -1.0)):
        local[:, biped.index(name)] = rotations.from_axis_angle(np.float32([1, 0, 0]), 0.4 * sign * swing)
    moved = np.tile(biped.rest_translations, (FRAMES, 1, 1))
    moved[:, 0, 2] += np.linspace(0, 2, FRAMES)
    labels = {"contact.left": np.arange(FRAMES) < 50, "contact.right": np.arange(FRAMES) >= 50}
    save(Motion.create(biped, local, moved, fps=50.0, name="stroll", labels=labels), tmp_path / "stroll.npz")
    return tmp_path / "stroll.npz"


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


def library_file(title: str, *motions: Motion) -> LibraryFile:
    """A file of clips in memory."""
    clips = [LibraryClip(motion.name, motion.skeleton, None, lambda motion=motion: motion) for motion in motions]
    return LibraryFile(title, f"/files/{title}", lambda: clips)


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

    def step(self, control: Commands, dt: float) -> Pose:
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
