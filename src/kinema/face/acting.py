"""Characters that act out what they are told in a scene: `kinema.act`."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from kinema import rotations
from kinema.arrays import Floats
from kinema.errors import UsageError
from kinema.face.grounds import ground_of, roomiest
from kinema.instructions.programme import CameraMove, Programme
from kinema.motion import Motion
from kinema.pose import Pose
from kinema.worlds.enacting import ActMark, ActPlayer, timed_gestures, unable
from kinema.worlds.itinerary import SceneAct, itinerary
from kinema.worlds.placing import carried

if TYPE_CHECKING:
    from kinema.character import Character
    from kinema.control.controller import Controller
    from kinema.control.presets import FamilyMaker, SpecMaker
    from kinema.face.scenes import SceneSource
    from kinema.formats import Asset
    from kinema.skeleton import Skeleton
    from kinema.terrain import Ground

FPS = 60.0
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
    from kinema.instructions.reading import read_instructions

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
    acts: Sequence[SceneAct],
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
        player = ActPlayer([_local(act, begin, back, heading, scale) for act in acts], 1.0 / float(np.sqrt(scale)))
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


def _check(acts: Sequence[SceneAct], character: Character | Asset | None) -> None:
    """Raises UsageError for what the character has no limbs for."""
    if character is not None and (reason := unable(acts, _skeleton(character).roles)):
        raise UsageError(f"{reason}; this body can go, turn and wait")


def _local(act: SceneAct, begin: Floats, back: Floats, heading: float, scale: float) -> SceneAct:
    """An act as a body does it that starts at the origin, faces +Z and is as large as that of the data."""
    way = np.insert(act.way, 1, 0.0, axis=1) if len(act.way) else np.zeros((0, 3))
    way = rotations.rotate(back, way - begin)[:, [0, 2]] / scale if len(way) else act.way
    turned = None if act.heading is None else act.heading - heading
    return replace(act, way=way, heading=turned)


def _played(controller: Controller, player: ActPlayer, progress: Callable[[int, int], None] | None) -> Motion:
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


def _gestured(motion: Motion, acts: Sequence[SceneAct], marks: Sequence[ActMark]) -> Motion:
    """The motion with the gestures of its acts laid over it."""
    pose = motion[:]
    for act, mark in zip(acts, marks, strict=True):
        for timed in timed_gestures(act, mark):
            first = round(timed.begin * motion.fps)
            last = min(first + round(timed.seconds * motion.fps) + 1, len(pose))
            if last > first:
                made = timed.laid(pose[first:last], np.arange(first, last) / motion.fps)
                parts = [pose[:first].in_world(), made, pose[last:].in_world()]
                pose = Pose.concatenate([part for part in parts if len(part)])
    return Motion.from_pose(pose, motion.fps, motion.name, labels=motion.labels, tags=motion.tags)
