"""Any character on any controller: what moves one skeleton is seen on another, pose after pose."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kinema import rotations
from kinema.character import Character
from kinema.control.command import Command, Commands
from kinema.control.controller import Controller
from kinema.control.trajectory import Trajectory
from kinema.errors import FormatError, SkeletonError
from kinema.formats import Asset
from kinema.mocap.database import MotionDatabase
from kinema.motion import Motion
from kinema.pose import Pose
from kinema.retargeting.chains import LEGS
from kinema.retargeting.files import load_target
from kinema.retargeting.live import Live, require_legs
from kinema.retargeting.retargeter import Retargeter, target_skeleton
from kinema.roles import require_biped
from kinema.skeleton import Skeleton

SHOWN_CLIPS, SHOWN_SECONDS = 8, 10.0
"""How much of a database is looked at to learn where the ground is for its feet."""


class Worn:
    """A controller whose poses are those of another skeleton; a crowd of any size, as the controller.

    Commands and places are in metres of the character: a small character runs where a large one walks.

    Attributes:
        inner: the controller. live: how its poses go over. skeleton: of the poses that come out.
    """

    def __init__(self, inner: Controller, live: Live) -> None:
        if not inner.skeleton.same_topology(live.setup.source):
            raise SkeletonError("a controller and a retargeter are of different skeletons")
        self.inner, self.live, self.skeleton = inner, live, live.target

    def reset(self, count: int) -> Pose:
        """`count` characters at rest at the origin, facing +Z."""
        return self._pose(self.inner.reset(count))

    def select(self, keep: ArrayLike, added: int = 0) -> Pose:
        """Characters leave and join while it runs; see `Controller.select`."""
        return self._pose(self.inner.select(keep, added))

    def step(self, commands: Command | Sequence[Command] | Commands, dt: float) -> Pose:
        """Obey the commands for `dt` seconds; see `Controller.step`."""
        return self._pose(self.inner.step(self.to_inner_commands(commands), dt))

    def to_inner_commands(self, commands: Command | Sequence[Command] | Commands) -> Commands:
        """The commands in the metres of the controller inside."""
        if not isinstance(commands, Commands):
            commands = Commands.of([commands] if isinstance(commands, Command) else commands)
        scale = np.float32(self.live.scale)
        return replace(commands, velocity=commands.velocity / scale, goals=commands.goals / scale)

    @property
    def trajectory(self) -> Trajectory:
        """What the characters should do, in their own metres."""
        own, scale = self.inner.trajectory, np.float32(self.live.scale)
        return replace(
            own, position=scale * own.position, velocity=scale * own.velocity, acceleration=scale * own.acceleration
        )

    @property
    def locked(self) -> NDArray[np.bool_]:
        """Feet `[n, C]` that the foot lock holds."""
        return self.inner.locked

    @property
    def diagnostics(self) -> Mapping[str, float]:
        """Figures of the last step; distances are those of the character."""
        found = dict(self.inner.diagnostics)
        found["tracking_cm"] *= self.live.scale
        return found

    def _pose(self, pose: Pose) -> Pose:
        return self.live.pose(pose)


def wear(controller: Controller, database: MotionDatabase, character: Character | Asset) -> Controller | Worn:
    """The controller itself where the character fits the data, else one whose poses are the character's.

    Args:
        database: what the controller plays.
        character: who is to be seen; a loaded file tells more about how its skeleton stands.

    Raises:
        SkeletonError: no leg of the character can follow one of the data.
    """
    if wears(target_skeleton(character), controller.skeleton):
        return controller
    setup = retargeter_of(database, character)
    return Worn(controller, Live(setup, sample(database)))


def retargeter_of(database: MotionDatabase, character: Character | Asset) -> Retargeter:
    """What brings a database's motion to a character.

    Raises:
        SkeletonError: no leg of the character can follow one of the data.
    """
    setup = Retargeter(database.skeleton, character, motions=sample(database))
    require_legs(setup)
    return setup


def sample(database: MotionDatabase) -> list[Motion]:
    """Some of a database's motion, from all over it."""
    clips = [number for number, clip in enumerate(database.clips) if not clip.mirrored] or [0]
    chosen = sorted({clips[number] for number in np.linspace(0, len(clips) - 1, SHOWN_CLIPS).astype(int)})
    return [database.clip_motion(clip).cut(0, round(SHOWN_SECONDS * database.fps)) for clip in chosen]


def wears(character: Skeleton, moved: Skeleton) -> bool:
    """Whether motion on one skeleton fits the mesh of another: same joints, lengths and rest orientations.

    The hips and what is above them may differ: a database places them anew.
    """
    if not character.same_topology(moved):
        return False
    below = np.asarray([moved.roles.hips in moved.ancestors(joint) for joint in range(moved.joint_count)])
    lengths = np.allclose(character.rest_translations[below], moved.rest_translations[below], atol=0.01)
    turned = rotations.angle(rotations.relative(character.rest_rotations[below], moved.rest_rotations[below]))
    return lengths and bool((turned < 0.02).all())


def actor(path: str | os.PathLike[str]) -> Asset:
    """The file of who is to be seen, with the user's word on its roles.

    Raises:
        FormatError: it holds no character.
    """
    asset = load_target(os.fspath(path))
    if asset.character is None:
        clips = len(asset.motions)
        raise FormatError(f"holds no character (a {asset.kind} file with {clips} clips)", path=asset.path)
    return asset


def bodily(skeleton: Skeleton) -> Skeleton | None:
    """Whom to generate motion for so that this skeleton obeys: itself, or None for a person, whose motion goes over to
    what has hinges or does not walk on two legs.

    Raises:
        SkeletonError: it has no legs at all.
    """
    if not any(chain.kind in LEGS for chain in skeleton.roles.chains):
        require_biped(skeleton)
    return skeleton if skeleton.roles.is_biped and not skeleton.hinges else None
