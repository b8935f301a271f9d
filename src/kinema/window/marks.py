"""What explains a motion, drawn into the scene: skeleton, names, paths, contacts, velocities, frames."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from kinema import rotations
from kinema.rendering.draw import Draw
from kinema.window.footage import Footage, Spans

CLIP_MARKS: Mapping[str, bool] = {
    "Body": True,
    "Skeleton": False,
    "Names": False,
    "Trajectory": True,
    "Contacts": True,
    "Velocities": False,
    "Root": False,
    "Path": False,
    "Mirror image": False,
}
"""What can be shown of a clip, and whether it is at first."""

AROUND = np.linspace(-0.5, 0.5, 13)
"""Seconds around the present at which the trajectory is shown."""

VELOCITY_SECONDS = 0.15
"""An arrow is the way that a joint goes in this time."""

LEFT, RIGHT = (0.27, 0.55, 0.90), (0.93, 0.42, 0.22)
"""Sides of the body, as the mannequin wears them."""

BONE: tuple[float, float, float] = (0.95, 0.96, 0.98)
PAST, FUTURE = (0.55, 0.60, 0.68, 1.0), (0.36, 0.55, 0.96, 1.0)
SPEED = (0.90, 0.30, 0.52)


def cell(size: float) -> float:
    """Metres between the lines of the ground for a subject of some size: half a metre for a person."""
    return 0.5 * 2.0 ** round(math.log2(max(size, 1e-3) / 1.7))


def sides(points: Sequence[str]) -> NDArray[np.float64]:
    """Colours `[C, 3]` of contact points by their names; those of no side take turns."""
    right = [
        "right" in name.lower() or ("left" not in name.lower() and index % 2 == 1) for index, name in enumerate(points)
    ]
    return np.where(np.array(right)[:, None], RIGHT, LEFT)


def _up(metres: float) -> NDArray[np.float32]:
    return np.array([0.0, metres, 0.0], np.float32)


def clip_marks(
    footage: Footage, show: Mapping[str, bool], time: float, placed: NDArray[np.float32], contacts: Mapping[str, Spans]
) -> Draw:
    """Marks of a clip at a time in seconds, where the joints are `placed` `[J, 3]`."""
    draw, size = Draw(), footage.size
    frame = min(int(time * footage.fps + 0.5), footage.frames - 1)
    skeleton = footage.clip.skeleton
    if show["Skeleton"]:
        draw.skeleton(skeleton.parents, placed, BONE, 0.0055 * size, on_top=True)
    if show["Names"]:
        draw.text(placed, skeleton.names, 13.0, BONE, pixels=True, on_top=True, anchor=(0.0, 0.5))
    if footage.motion is None:
        return draw
    if show["Trajectory"]:
        trajectory(draw, footage, time)
    if show["Path"]:
        every = footage.roots[:: max(len(footage.roots) // 600, 1)] + _up(0.003 * size)
        draw.line(every, (*PAST[:3], 0.9), 0.006 * size)
    if show["Contacts"] and footage.feet:
        feet = placed[list(footage.feet_joints)]
        draw.contacts(feet, footage.touching(frame, contacts), sides(footage.feet), 0.075 * size)
    if show["Velocities"]:
        draw.arrows(placed, VELOCITY_SECONDS * footage.velocities[frame], SPEED, 0.006 * size, on_top=True)
    if show["Root"]:
        draw.axes(footage.roots[frame] + _up(0.004 * size), footage.headings[frame], 0.2 * size)
    return draw


def trajectory(draw: Draw, footage: Footage, time: float) -> None:
    """The root's way around the present, with its facings: grey behind, blue ahead."""
    frames = np.clip(np.rint((time + AROUND) * footage.fps), 0, footage.frames - 1).astype(np.int64)
    places = footage.roots[frames] + _up(0.004 * footage.size)
    ways = rotations.rotate(footage.headings[frames], np.array([0, 0, 1], np.float32))
    colors = np.where(AROUND[:, None] < 0, PAST, FUTURE)
    draw.trajectory(places, ways, colors, 0.007 * footage.size, ticks=0.085 * footage.size)
