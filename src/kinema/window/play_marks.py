"""What explains a steered character: where it wants to be, the command, the way it came, its feet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kinema import rotations
from kinema.control.family import ShowsFeatures
from kinema.control.trajectory import Trajectory
from kinema.engine.groups import Group
from kinema.mocap.contacts import contact_joints
from kinema.rendering.draw import Draw
from kinema.viewer.feature_marks import Seen, marks
from kinema.window.marks import BONE, FUTURE, PAST, SPEED, sides

if TYPE_CHECKING:
    from kinema.window.playing import PlayMode

PLAY_MARKS: Mapping[str, bool] = {
    "Body": True,
    "Trajectory": True,
    "Command": True,
    "Trail": True,
    "Contacts": True,
    "Skeleton": False,
    "Names": False,
    "Features": False,
    "Root": False,
}
"""What can be shown of a steered character, and whether it is at first."""

AHEAD = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
"""Seconds ahead at which the wanted trajectory is shown."""

COMMANDED = (0.20, 0.72, 0.48, 1.0)
HELD = (0.30, 0.80, 0.56)
MATCHED = (0.60, 0.36, 0.90)


def play_marks(
    mode: PlayMode, group: Group, turned: NDArray[np.float32], placed: NDArray[np.float32], root: NDArray[np.float32]
) -> Draw:
    """Marks of the character that obeys, whose joints are drawn at `placed` `[J, 3]` and whose root at `root`."""
    draw, show, row = Draw(), mode.show, mode.row
    size = mode.cast.size if mode.cast is not None else 1.7
    skeleton = group.controller.skeleton
    lift = np.array([0, 0.004 * size, 0], np.float32)
    place, turn = group.origin_positions[row], group.origin_rotations[row]
    if show["Skeleton"]:
        draw.skeleton(skeleton.parents, placed, BONE, 0.0055 * size, on_top=True)
    if show["Names"]:
        draw.text(placed, skeleton.names, 13.0, BONE, pixels=True, on_top=True, anchor=(0.0, 0.5))
    if show["Trail"] and len(mode.trail) > 1:
        points = np.stack([*mode.trail, root]) + lift
        fade = np.linspace(0.0, 0.9, len(points))[:, None]
        draw.line(points, np.concatenate([np.tile(PAST[:3], (len(points), 1)), fade], axis=1), 0.006 * size)
    trajectory = getattr(group.controller, "trajectory", None)
    if group.control is not None and isinstance(trajectory, Trajectory):
        if show["Trajectory"]:
            points, headings = trajectory.predict(group.control, AHEAD)
            ways = np.stack([np.sin(headings[row]), np.zeros(len(AHEAD)), np.cos(headings[row])], axis=-1)
            points = place + rotations.rotate(turn, points[row]) + lift
            ways = rotations.rotate(turn, ways.astype(np.float32))
            draw.trajectory(points, ways, FUTURE, 0.008 * size, ticks=0.11 * size)
        if show["Command"]:
            wish = rotations.rotate(turn, group.control.velocity[row])
            draw.arrows(root + 2 * lift, 0.4 * wish, COMMANDED, 0.012 * size)
    if show["Contacts"] and group.pose is not None:
        _feet(draw, group, placed, row, size)
    if show["Root"]:
        draw.axes(
            root + lift, rotations.multiply(turn, group.pose.root_rotations[row]) if group.pose else turn, 0.2 * size
        )
    if show["Features"]:
        _features(draw, group, placed, row, size)
    return draw


def _feet(draw: Draw, group: Group, placed: NDArray[np.float32], row: int, size: float) -> None:
    """Discs under the feet, with a ring around those that the foot lock holds."""
    pose, skeleton = group.pose, group.controller.skeleton
    joints = getattr(getattr(group.controller, "family", None), "contact_joints", None)
    joints = contact_joints(skeleton) if joints is None else joints
    if pose is None or not len(joints):
        return
    count = min(len(joints), pose.contacts.shape[1])
    feet = placed[joints[:count]]
    draw.contacts(feet, pose.contacts[row, :count], sides(("left", "right") * count)[:count], 0.065 * size)
    locked = getattr(group.controller, "locked", None)
    if locked is not None and row < len(locked):
        held = feet[np.asarray(locked[row, :count], bool)] * np.array([1, 0, 1], np.float32)
        if len(held):
            draw.discs(held + np.array([0, 0.003 * size, 0], np.float32), (0, 1, 0), 0.085 * size, HELD, hole=0.9)


def _features(draw: Draw, group: Group, placed: NDArray[np.float32], row: int, size: float) -> None:
    """What the search compares, at the character."""
    owners = (group.controller, getattr(group.controller, "family", None))
    seer = next((owner for owner in owners if isinstance(owner, ShowsFeatures)), None)
    if seer is None or group.pose is None:
        return
    turn, place = group.origin_rotations[row], group.origin_positions[row]
    root = place + rotations.rotate(turn, group.pose.root_positions[row])
    facing = rotations.multiply(turn, group.pose.root_rotations[row])
    parts = {name: part[row] for name, part in seer.features_now().items()}
    local = rotations.inverse_rotate(facing, placed - root)
    seen = marks(Seen(seer.spec, parts, root, facing), local)

    def out(points: NDArray[np.float32]) -> NDArray[np.float32]:
        return root + rotations.rotate(facing, points)

    if len(seen.joints):
        draw.spheres(out(seen.joints), 0.022 * size, MATCHED, on_top=True)
    if len(seen.velocities):
        ways = 0.2 * rotations.rotate(facing, seen.velocities[:, 1])
        draw.arrows(out(seen.velocities[:, 0]), ways, SPEED, 0.007 * size, on_top=True)
    if len(seen.path) > 1:
        path = out(seen.path) + np.array([0, 0.006 * size, 0], np.float32)
        draw.line(path, MATCHED, 0.007 * size)
    if len(seen.facings):
        draw.arrows(
            out(seen.facings[:, 0]), 0.1 * size * rotations.rotate(facing, seen.facings[:, 1]), MATCHED, 0.006 * size
        )
