"""Drives a controller along a track of commands, headless. Returns the motion and the run to measure."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinema import rotations
from kinema.control.command import Track
from kinema.control.controller import Controller
from kinema.control.family import Family, PlaysFrames
from kinema.errors import ControlError
from kinema.metrics import Rollout
from kinema.mocap.contacts import contact_points
from kinema.mocap.styles import style_numbers
from kinema.motion import Motion
from kinema.pose import Pose


@dataclass(frozen=True, eq=False)
class Drive:
    """The result of a drive: the motion in the world (contacts as labels) and the data that the metrics need."""

    motion: Motion
    rollout: Rollout
    diagnostics: dict[str, float]

    def __repr__(self) -> str:
        return f"<Drive {self.motion!r}>"


def drive(
    controller: Controller,
    track: Track,
    fps: float = 60.0,
    clearance: float = 0.0,
    progress: Callable[[int, int], None] | None = None,
) -> Drive:
    """Drive one character along `track`, from rest at the origin, over the ground of the track if it has one.

    Args:
        clearance: metres from the ground to the contact joints in stance, for the metrics.
        progress: called now and then with the number of frames done and of all frames.

    Raises:
        ControlError: the ground moves.
    """
    usual = controller.ground
    if track.ground is not None:
        controller.ground = track.ground
    try:
        return _driven(controller, track, fps, clearance, progress)
    finally:
        controller.ground = usual


def _driven(
    controller: Controller,
    track: Track,
    fps: float,
    clearance: float,
    progress: Callable[[int, int], None] | None,
) -> Drive:
    if controller.ground.at(1.0) is not controller.ground:
        raise ControlError("a drive needs ground that stands still, since its figures are those of one ground")
    position, steering = controller.reset(1).root_positions, track.steering()
    for frame in range(5):  # warm up: compiling or loading kernels must not count as the controller's time
        controller.step(steering(track.seconds * frame / 5, position), 1.0 / fps)
    position, steering = controller.reset(1).root_positions, track.steering()
    family = controller.family
    frames, dt = round(track.seconds * fps), 1.0 / fps
    poses: list[Pose] = []
    locked = np.zeros((frames, len(family.contact_joints)), np.bool_)
    targets, headings = np.empty((frames, 3), np.float32), np.empty(frames, np.float32)
    commanded, goals, goal_facings = (np.empty((frames, 3), np.float32) for _ in range(3))
    words: list[str] = []
    jumped, played = np.zeros(frames, np.bool_), np.zeros(frames, np.int64)
    shown, spent = family if isinstance(family, PlaysFrames) else None, 0.0
    for frame in range(frames):
        before, command = controller.transitions, steering(frame / fps, position)
        began = time.process_time()
        pose = controller.step(command, dt)
        spent += time.process_time() - began
        position, commanded[frame] = pose.root_positions, command.velocity[0]
        goals[frame], goal_facings[frame] = command.goals[0], command.goal_facings[0]
        words.append(command.styles[0])
        poses.append(pose)
        locked[frame] = controller.locked[0]
        targets[frame], headings[frame] = controller.trajectory.position[0], controller.trajectory.heading[0]
        jumped[frame] = controller.transitions > before
        if shown is not None:
            played[frame] = shown.frames[0]
        if progress is not None and frame % 60 == 59:
            progress(frame + 1, frames)
    whole = Pose.concatenate(poses)
    contacts = whole.contacts
    points = contact_points(family.skeleton)
    labels = {f"contact.{point}": contacts[:, column] > 0.5 for column, point in enumerate(points)}
    motion = Motion.from_pose(whole, fps, "drive", labels=labels, tags=("generated",))
    rollout = Rollout(
        motion=motion,
        root_positions=whole.root_positions,
        root_rotations=whole.root_rotations,
        feet=family.contact_joints.tolist(),
        clearance=clearance,
        contacts=contacts,
        locked=locked if controller.foot_lock else None,
        commanded_velocities=commanded,
        goals=goals,
        goal_facings=goal_facings,
        commanded_styles=np.unique(words, return_inverse=True)[1] if any(words) else None,
        path_distances=track.beside(whole.root_positions),
        target_positions=targets,
        target_rotations=rotations.from_yaw(headings),
        transitions=jumped,
        **_played(family, played),
        ground=controller.ground,
        ms_per_frame=1e3 * spent / max(frames, 1),
    )
    figures = {name: value for name, value in controller.diagnostics.items() if isinstance(value, float)}
    return Drive(motion, rollout, figures)


def _played(family: Family, frames: NDArray[np.int64]) -> dict[str, NDArray[Any]]:
    """The takes that frames `[F]` of the family's database belong to, for a `Rollout`."""
    if not isinstance(family, PlaysFrames):
        return {}
    clips, index = family.database.clips, family.database.clip_of(frames)
    numbers: dict[str, int] = {}
    takes = [numbers.setdefault(clip.take, len(numbers)) for clip in clips]
    mirrored = np.asarray([clip.mirrored for clip in clips])
    return {"takes": np.asarray(takes)[index], "styles": style_numbers(clips)[index], "mirrored": mirrored[index]}
