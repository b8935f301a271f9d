"""Characters that act out what they are told in a scene: `kinema.act`."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from kinema import rotations
from kinema.arrays import Floats, Singles
from kinema.errors import UsageError
from kinema.face.grounds import ground_of, roomiest
from kinema.motion import Motion
from kinema.pose import Pose
from kinema.worlds.itinerary import Act, Doing, itinerary
from kinema.worlds.placing import carried
from kinema.worlds.programme import CameraMove, Programme

if TYPE_CHECKING:
    from kinema.character import Character
    from kinema.control.command import Commands
    from kinema.control.controller import Controller
    from kinema.control.path import PathFollower
    from kinema.control.presets import FamilyMaker, SpecMaker
    from kinema.face.scenes import SceneSource
    from kinema.formats import Asset
    from kinema.skeleton import Skeleton
    from kinema.terrain import Ground

FPS = 60.0
_ARRIVED = 0.12  # metres from the end of a way, for an adult
_SLOWER, _PATIENCE = 1.6, 4.0  # times as long as at full speed that a way may take, and seconds more
_SETTLE = 0.5  # seconds after a way in which a body comes to stand
_TURNING = 1.1  # seconds in which it turns
_LITTLE = 0.35  # radians that are no turn
_END = 1.0  # seconds of standing at the end


@dataclass(frozen=True, eq=False)
class CameraCue:
    """What the camera does from a time on, seconds, with what it looks at, `[3]` or None for the body."""

    time: float
    move: CameraMove
    aim: Floats | None = None


@dataclass(frozen=True, eq=False)
class Acted:
    """A motion in a scene, and what the camera is to do."""

    motion: Motion
    cues: tuple[CameraCue, ...] = ()


def act(
    programme: Programme | str,
    scene: SceneSource,
    *,
    at: ArrayLike | None = None,
    heading: float = 0.0,
    character: Character | Asset | None = None,
    data: str | os.PathLike[str] | Sequence[str | os.PathLike[str]] = (),
    family: str | FamilyMaker = "motion-matching",
    features: str | SpecMaker | None = None,
    style: str | None = None,
    note: Callable[[str], None] = lambda line: None,
    progress: Callable[[int, int], None] | None = None,
) -> Acted:
    """What a character does in a scene when it is told something.

    Args:
        programme: a sentence, such as "walk to the tree, wave, then run back", or what was read of one.
        scene: see `kinema.scene`; its things can be named.
        at: x and z where it begins, metres; None is where there is most room. heading: where it faces then, radians
            about +Y from +Z.
        character: who acts; None is a person. data, family, features, style: as for `kinema.walk`.
        note: called with a line about slow steps. progress: called with acts done and in all.

    Raises:
        UsageError: the sentence is not understood, or nobody can act it out yet.
        SceneError: the scene has no such thing, or no way to it.
        KinemaError: the data cannot move the character.
    """
    from kinema.face.scenes import scene as opened
    from kinema.worlds.instructions import read_instructions

    read = read_instructions(programme) if isinstance(programme, str) else programme
    around = opened(scene)
    ground = ground_of(around)
    begin = roomiest(ground) if at is None else np.asarray(at, np.float64)
    radius = 0.3 if character is None else float(np.clip(0.2 * _skeleton(character).height, 0.3, 1.0))
    acts = itinerary(read, ground, around.things, begin, heading, radius=radius)
    _check(acts, character)
    return act_out(
        acts,
        ground,
        at=begin,
        heading=heading,
        character=character,
        data=data,
        family=family,
        features=features,
        style=style,
        note=note,
        progress=progress,
    )


def act_out(
    acts: Sequence[Act],
    ground: Ground | None = None,
    *,
    at: ArrayLike = (0.0, 0.0),
    heading: float = 0.0,
    character: Character | Asset | None = None,
    data: str | os.PathLike[str] | Sequence[str | os.PathLike[str]] = (),
    family: str | FamilyMaker = "motion-matching",
    features: str | SpecMaker | None = None,
    style: str | None = None,
    note: Callable[[str], None] = lambda line: None,
    progress: Callable[[int, int], None] | None = None,
) -> Acted:
    """Acts one after the other, from standing to standing; arguments as for `act`."""
    from kinema.control.presets import controller_maker
    from kinema.control.retargeted import fits, retargeter_for, source_skeleton
    from kinema.control.subject import open_subject
    from kinema.retargeting.retargeter import target_skeleton
    from kinema.terrain import Placed, Plane, Scaled

    begin = np.insert(np.asarray(at, np.float64), 1, 0.0)
    back = rotations.from_yaw(np.asarray(-heading))
    moved = tuple((-rotations.rotate(back, begin)).tolist())
    local: Ground = Placed(Plane() if ground is None else ground, moved, -heading)
    target = None if character is None else target_skeleton(character)
    files = [data] if isinstance(data, str | os.PathLike) else list(data)
    make = controller_maker(family, features, style)
    with open_subject(files, None if target is None else source_skeleton(target), note, None, make.subject) as database:
        stage = None
        if character is not None and target is not None and not fits(target, database.skeleton):
            stage = retargeter_for(database, character)
        scale = 1.0 if stage is None else float(stage.scale)
        controller = make(database)
        controller.ground = local if scale == 1.0 else Scaled(local, 1.0 / scale)
        player = _Player([_local(act, begin, back, heading, scale) for act in acts], scale)
        motion = _played(controller, player, progress)
    if stage is not None:
        motion = stage(motion, measured=False).motion
    motion = carried(motion.replace(name="act"), begin, heading)
    dressed = _gestured(motion, acts, player.marks)
    cues = [
        CameraCue(mark.begin, move, aim)
        for act, mark in zip(acts, player.marks, strict=False)
        for move, aim in act.cameras
    ]
    return Acted(dressed, tuple(cues))


def _skeleton(character: Character | Asset) -> Skeleton:
    from kinema.retargeting.retargeter import target_skeleton

    return target_skeleton(character)


def _check(acts: Sequence[Act], character: Character | Asset | None) -> None:
    """Raises UsageError where a body without two legs is to gesture."""
    doing = [each.action for act in acts for each in (*act.going, *act.staying) if each.action not in _PLAIN]
    if character is not None and doing and not _skeleton(character).roles.is_biped:
        raise UsageError(f"only bodies with two legs can {doing[0]} yet; this one can go, turn and wait")


_PLAIN = ("wait", "stand", "stand up", "turn")


def _local(act: Act, begin: Floats, back: Floats, heading: float, scale: float) -> Act:
    """An act as a body does it that starts at the origin, faces +Z and is as large as that of the data."""
    way = np.insert(act.way, 1, 0.0, axis=1) if len(act.way) else np.zeros((0, 3))
    way = rotations.rotate(back, way - begin)[:, [0, 2]] / scale if len(way) else act.way
    turned = None if act.heading is None else act.heading - heading
    return replace(act, way=way, speed=act.speed, heading=turned)


@dataclass
class _Mark:
    """When an act began, when its way ended, when its gestures began, and when it ended, seconds."""

    begin: float
    arrived: float = 0.0
    ready: float = 0.0
    end: float = 0.0


@dataclass
class _Player:
    """Commands a controller through acts, and notes when they happen."""

    acts: Sequence[Act]
    scale: float
    marks: list[_Mark] = field(default_factory=list)
    _follower: PathFollower | None = None
    _facing: float = 0.0

    @property
    def done(self) -> bool:
        """Whether the last act has ended."""
        return len(self.marks) == len(self.acts) and self.marks[-1].end > 0.0

    def command(self, time: float, position: Singles, faced: float) -> Commands:
        """The command at a time, for a body at `[1, 3]` that faces `faced` radians."""
        if self.done:
            return self._standing()
        if not self.marks or self.marks[-1].end > 0.0:
            self._next(time, faced)
        act, mark = self.acts[len(self.marks) - 1], self.marks[-1]
        if self._follower is not None:
            commands = self._on_the_way(act, mark, time, position)
            if commands is not None:
                return commands
            self._arrive(act, mark, time)
        if time >= mark.ready + act.seconds:
            mark.end = max(time, 1e-9)
            if len(self.marks) < len(self.acts):
                return self.command(time, position, faced)
        return self._standing()

    def _next(self, time: float, faced: float) -> None:
        from kinema.control.path import Path, PathFollower

        act = self.acts[len(self.marks)]
        self.marks.append(_Mark(time, time, time))
        self._follower = None
        if len(act.way) > 1:
            path = Path.through(np.insert(act.way, 1, 0.0, axis=1))
            self._follower = PathFollower(path, act.speed / np.sqrt(self.scale))
            self._follower.reset(1)
        else:
            self._turn(act, self.marks[-1], time, faced)

    def _on_the_way(self, act: Act, mark: _Mark, time: float, position: Singles) -> Commands | None:
        """The command to go on; None who has arrived."""
        from kinema.control.command import Commands

        follower = self._follower
        assert follower is not None
        commands = follower.step(position)
        patience = _SLOWER * follower.path.length / float(follower.speed) + _PATIENCE
        if follower.path.length - float(follower.progress[0]) < _ARRIVED or time - mark.begin > patience:
            return None
        if act.facing:
            ahead = follower.path.directions(follower.progress)[0]
            yaw = np.arctan2(ahead[0], ahead[1]) + act.facing
            commands = Commands.create(commands.velocity, [[np.sin(yaw), 0.0, np.cos(yaw)]])
        return commands

    def _arrive(self, act: Act, mark: _Mark, time: float) -> None:
        follower = self._follower
        assert follower is not None
        ahead = follower.path.directions(np.asarray([follower.path.length]))[0]
        self._facing = float(np.arctan2(ahead[0], ahead[1])) + act.facing
        self._follower, mark.arrived = None, time
        mark.ready = time + _SETTLE
        self._turn(act, mark, mark.ready, self._facing)

    def _turn(self, act: Act, mark: _Mark, time: float, faced: float) -> None:
        mark.ready = time
        if act.heading is None:
            self._facing = faced
            return
        angle = abs(float(rotations.wrap(np.asarray(act.heading - faced))))
        self._facing = act.heading
        mark.ready = time + _TURNING * max(angle, _LITTLE) / np.pi * 1.6 if angle > _LITTLE else time

    def _standing(self) -> Commands:
        from kinema.control.command import Commands

        return Commands.create(np.zeros((1, 3)), [[np.sin(self._facing), 0.0, np.cos(self._facing)]])


def _played(controller: Controller, player: _Player, progress: Callable[[int, int], None] | None) -> Motion:
    """The motion of a controller that is commanded until all acts have ended."""
    from kinema.mocap.contacts import contact_points
    from kinema.rootframe import facing

    pose = controller.reset(1)
    poses: list[Pose] = []
    frame, ended = 0, 0
    while not player.done or frame < ended + round(_END * FPS):
        ahead = facing(pose)[0]
        pose = controller.step(
            player.command(frame / FPS, pose.root_positions, float(np.arctan2(ahead[0], ahead[2]))), 1.0 / FPS
        )
        poses.append(pose)
        frame += 1
        ended = ended if player.done else frame
        if progress is not None and frame % 60 == 0:
            progress(sum(mark.end > 0 for mark in player.marks), len(player.acts))
    whole = Pose.concatenate(poses)
    points = contact_points(controller.family.skeleton)
    labels = {f"contact.{point}": whole.contacts[:, column] > 0.5 for column, point in enumerate(points)}
    return Motion.from_pose(whole, FPS, "act", labels=labels, tags=("generated",))


def _gestured(motion: Motion, acts: Sequence[Act], marks: Sequence[_Mark]) -> Motion:
    """The motion with the gestures of its acts laid over it."""
    pose = motion[:]
    for act, mark in zip(acts, marks, strict=True):
        for doing in act.going:
            pose = _laid(pose, motion.fps, doing, mark.begin, max(mark.arrived - mark.begin, 0.5))
        for doing in act.staying:
            pose = _laid(pose, motion.fps, doing, mark.ready, doing.seconds)
    return Motion.from_pose(pose, motion.fps, motion.name, labels=motion.labels, tags=motion.tags)


def _laid(pose: Pose, fps: float, doing: Doing, begin: float, seconds: float | None) -> Pose:
    from kinema.mocap.gestures.performing import gestured
    from kinema.mocap.gestures.posture import curves
    from kinema.mocap.gestures.repertoire import gesture_of

    gesture = gesture_of(doing.action)
    if gesture is None:
        return pose
    keys = gesture.lasting(seconds, doing.times)
    first = round(begin * fps)
    last = min(first + round(keys[-1][0] * fps) + 1, len(pose))
    if last <= first:
        return pose
    moments = np.arange(last - first) / fps
    made = gestured(pose[first:last], curves(keys, moments), doing.side, doing.aim)
    parts = [pose[:first].in_world(), made, pose[last:].in_world()]
    return Pose.concatenate([part for part in parts if len(part)])
