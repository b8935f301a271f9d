"""Any character on any controller: poses are retargeted to another skeleton as they are generated."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kinema import rotations
from kinema.arrays import Singles
from kinema.character import Character
from kinema.control.command import Command, Commands
from kinema.control.controller import Controller
from kinema.control.trajectory import Trajectory
from kinema.errors import FormatError, SkeletonError
from kinema.formats import Asset
from kinema.mocap.creatures import allowed_actions
from kinema.mocap.database import MotionDatabase
from kinema.mocap.loose_feet import attach_feet, with_attached_feet
from kinema.motion import Motion
from kinema.pose import Pose
from kinema.retargeting.chains import LEGS
from kinema.retargeting.files import load_target
from kinema.retargeting.live import Live, require_legs
from kinema.retargeting.retargeter import Retargeter, target_skeleton
from kinema.roles import carrier, require_biped
from kinema.skeleton import Skeleton
from kinema.terrain import Ground, Plane, Scaled

SHOWN_CLIPS, SHOWN_SECONDS = 8, 10.0
"""Amount of a database that is read to find the height of the ground under the feet."""


class RetargetedController:
    """A controller whose poses are retargeted to another skeleton, for crowds of any size.

    Commands and positions are in the character's own scale: a small character runs where a large one walks.

    Attributes:
        inner: the controller for the data's skeleton.
        live: the retargeter.
        skeleton: the skeleton of the resulting poses.
    """

    def __init__(self, inner: Controller, live: Live) -> None:
        if not inner.skeleton.same_topology(live.setup.source):
            raise SkeletonError("the controller and the retargeter have different skeletons")
        self.inner, self.live, self.skeleton = inner, live, live.target

    def reset(self, count: int) -> Pose:
        """Restart with `count` characters at rest at the origin, facing +Z. Returns their poses."""
        return self._pose(self.inner.reset(count))

    def select(self, keep: ArrayLike, added: int = 0) -> Pose:
        """Let characters leave and join while the controller runs; see `Controller.select`."""
        return self._pose(self.inner.select(keep, added))

    def step(self, commands: Command | Sequence[Command] | Commands, dt: float) -> Pose:
        """Step by `dt` seconds under the commands; see `Controller.step`."""
        return self._pose(self.inner.step(self.to_inner_commands(commands), dt))

    def to_inner_commands(self, commands: Command | Sequence[Command] | Commands) -> Commands:
        """The commands in the scale of the inner controller."""
        if not isinstance(commands, Commands):
            commands = Commands.of([commands] if isinstance(commands, Command) else commands)
        scale = np.float32(self.live.scale)
        return replace(commands, velocity=commands.velocity / scale, goals=commands.goals / scale)

    @property
    def ground(self) -> Ground:
        """The ground under the characters, in their scale."""
        ground = self.inner.ground
        if isinstance(ground, Scaled):
            return ground.ground
        return ground if ground == Plane() else Scaled(ground, self.live.scale)

    @ground.setter
    def ground(self, ground: Ground) -> None:
        self.inner.ground = Scaled(ground, 1 / self.live.scale)

    @property
    def trajectory(self) -> Trajectory:
        """The trajectories that the characters follow, in the characters' scale."""
        own, scale = self.inner.trajectory, np.float32(self.live.scale)
        return replace(
            own, position=scale * own.position, velocity=scale * own.velocity, acceleration=scale * own.acceleration
        )

    @property
    def locked(self) -> NDArray[np.bool_]:
        """Which feet `[n, C]` the foot lock holds."""
        return self.inner.locked

    @property
    def diagnostics(self) -> Mapping[str, float | Singles]:
        """Values of the last step for display. Distances are in the character's scale."""
        found = dict(self.inner.diagnostics)
        found["tracking_cm"] *= self.live.scale
        return found

    def _pose(self, pose: Pose) -> Pose:
        return self.live.pose(pose)


def retarget_controller(
    controller: Controller, database: MotionDatabase, character: Character | Asset
) -> Controller | RetargetedController:
    """The controller itself if the character fits the data, otherwise one that retargets its poses to the character.

    Args:
        database: the motion that the controller plays.
        character: the character to show. The motions of a loaded file help to find its rest stance.

    Raises:
        SkeletonError: no leg of the character matches one of the data.
    """
    if fits(target_skeleton(character), controller.skeleton):
        return controller
    setup = retargeter_for(database, character)
    return RetargetedController(controller, Live(setup, sample(database)))


def retargeter_for(database: MotionDatabase, character: Character | Asset) -> Retargeter:
    """The retargeter from a database's skeleton to a character.

    Raises:
        SkeletonError: no leg of the character matches one of the data.
    """
    setup = Retargeter(database.skeleton, character, motions=sample(database))
    require_legs(setup)
    return setup


def sample(database: MotionDatabase) -> list[Motion]:
    """Clips spread evenly over a database."""
    clips = [number for number, clip in enumerate(database.clips) if not clip.mirrored] or [0]
    chosen = sorted({clips[number] for number in np.linspace(0, len(clips) - 1, SHOWN_CLIPS).astype(int)})
    return [database.clip_motion(clip).cut(0, round(SHOWN_SECONDS * database.fps)) for clip in chosen]


def fits(character: Skeleton, moved: Skeleton) -> bool:
    """Whether motion of one skeleton fits the mesh of another: same joints, lengths and rest orientations.

    The hips and the joints above them may differ, because a database replaces them.
    """
    if not character.same_topology(moved):
        return False
    top = carrier(moved)
    below = np.asarray([top in moved.ancestors(joint) for joint in range(moved.joint_count)])
    lengths = np.allclose(character.rest_translations[below], moved.rest_translations[below], atol=0.01)
    angles = rotations.angle(rotations.relative(character.rest_rotations[below], moved.rest_rotations[below]))
    return lengths and bool((angles < 0.02).all())


def read_character(path: str | os.PathLike[str]) -> Asset:
    """Load the file of a character, with the roles from the user's roles file beside it.

    A rig without a mesh or motion is a character without meshes. Feet that do not hang on the legs of a body with more
    than two are attached, as they are in databases.

    Raises:
        FormatError: it holds no character.
    """
    asset = load_target(os.fspath(path))
    if asset.character is None and asset.skeleton is not None and not asset.motions:
        asset = replace(asset, character=Character(Path(path).stem, asset.skeleton))
    if asset.character is None:
        clips = len(asset.motions)
        raise FormatError(f"holds no character (a {asset.kind} file with {clips} clips)", path=asset.path)
    skeleton = with_attached_feet(asset.character.skeleton)
    if skeleton is asset.character.skeleton:
        return asset
    motions = tuple(attach_feet(motion) for motion in asset.motions)
    return replace(asset, skeleton=skeleton, character=replace(asset.character, skeleton=skeleton), motions=motions)


def source_skeleton(skeleton: Skeleton) -> Skeleton | None:
    """The skeleton for which motion must be generated to control this one.

    A body without hinges that walks on its legs, on two or more, gets motion of its own. For all others the result is
    None: motion of the default person is retargeted to them.

    Raises:
        SkeletonError: it has no legs.
    """
    if not any(chain.kind in LEGS for chain in skeleton.roles.chains):
        require_biped(skeleton)
    return None if skeleton.hinges or (skeleton.roles.legs and not skeleton.roles.is_biped) else skeleton


def stance_of(file: Asset | None) -> Pose | None:
    """A pose in which the character of a file stands: the first frame of its first motion; None is the rest pose.

    Rest poses of many animals do not stand. A motion begins on the ground more often than not.
    """
    if file is None or not file.motions or _stands(target_skeleton(file)):
        return None
    return file.motions[0][0]


def _stands(skeleton: Skeleton) -> bool:
    try:
        allowed_actions(skeleton)
    except SkeletonError:
        return False
    return True
