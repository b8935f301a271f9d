"""Bodies that follow their head along a curve: snakes, centipedes.

The curve is the course of the head with a sine wave to both sides that stays where it is, so that every part of the
body passes through the same points and nothing slips sideways (Hirose, "Biologically inspired robots: snake-like
locomotors and manipulators", Oxford 1993).
"""

from __future__ import annotations

import numpy as np

from kinema import rotations
from kinema.arrays import Floats
from kinema.mocap.creatures.channels import Channels
from kinema.mocap.creatures.course import Course
from kinema.mocap.creatures.posing import turned
from kinema.mocap.creatures.puppet import Puppet
from kinema.mocap.creatures.standing import Standing

_RAISED = 0.35  # share of a snake's joints that lift its head


def body_line(body: Standing) -> list[int]:
    """The joints of the body from the end of the tail to the head."""
    anatomy = body.anatomy
    tail = anatomy.tails[0] if anatomy.tails else ()
    return [*tail[::-1], anatomy.root, *anatomy.front]


def follow(
    body: Standing, course: Course, channels: Channels, wavelength: float, amplitude: float, flat: bool = True
) -> Puppet:
    """The body along its curve, with the root placed and all joints of its line turned.

    Args:
        body: what crawls.
        course: the way of the head.
        channels: what else the body does.
        wavelength: of the wave on the ground, metres.
        amplitude: its height to each side, metres.
        flat: whether all bones lie level, whatever the rest pose.
    """
    line = body_line(body)
    places = body.positions[line]
    lengths = np.linalg.norm(np.diff(places, axis=0), axis=-1)
    behind = np.concatenate([np.cumsum(lengths[::-1])[::-1], [0.0]])
    points = _along(course, behind, wavelength, amplitude, channels.surge)  # [N, K, 2]
    ways = np.diff(points, axis=1)
    yaw = np.unwrap(np.arctan2(ways[..., 0], ways[..., 1]), axis=0)
    yaw = np.concatenate([yaw, yaw[:, -1:]], axis=1)
    at = line.index(body.anatomy.root)
    low = float(places[:, 1].min()) if flat else body.positions[body.anatomy.root, 1]
    height = low + channels.lift + course.altitude
    level = _levels(places, flat)
    spin = rotations.multiply(_spun(yaw[:, at], channels, 0.0), level[at])
    figure = Puppet(body, spin, np.stack([points[:, at, 0], height, points[:, at, 1]], axis=-1))
    for place in range(at - 1, -1, -1):  # a joint of the tail turns with the bone before it
        spin = _spun(yaw[:, max(place - 1, 0)], channels, 0.0)
        figure.aim(line[place], rotations.multiply(spin, level[max(place - 1, 0)]))
    raised = _raise(len(line), at)
    for place in range(at + 1, len(line)):
        last = place == len(line) - 1
        spin = _spun(yaw[:, place] + raised[place, 1] * channels.neck_yaw, channels, raised[place, 0])
        figure.aim(line[place], rotations.multiply(spin, level[place]))
        if last:
            figure.turn_more(line[place], turned(channels.head_yaw, channels.head_pitch, channels.head_roll))
    for joint in body.anatomy.jaws:
        side = np.sign(body.positions[joint, 0]) if abs(body.positions[joint, 0]) > 0.01 * body.length else 0.0
        zero = np.zeros_like(channels.jaw)
        figure.turn(joint, turned(side * channels.jaw, zero if side else channels.jaw, zero))
    return figure


def _levels(places: Floats, flat: bool) -> Floats:
    """Rotations `[K, 4]` that lay the bones of the line along +Z."""
    if not flat:
        return rotations.identity((len(places),), places)
    ways = np.diff(places, axis=0)
    return rotations.between(np.concatenate([ways, ways[-1:]]), np.asarray([0.0, 0.0, 1.0]) + 0 * places)


def _spun(yaw: Floats, channels: Channels, raised: float) -> Floats:
    return turned(yaw, raised * np.minimum(channels.neck_pitch, 0.3), channels.roll)


def _raise(count: int, root: int) -> Floats:
    """Share `[K, 2]` of the neck's pitch and of its turn that each joint of the line has reached."""
    first = max(root + 1, round(count * (1 - _RAISED)))
    x = np.clip((np.arange(count) - first + 1) / max(count - first, 1), 0.0, 1.0)
    return np.stack([np.sin(np.pi * np.clip(1.15 * x, 0, 1)) * (x > 0), x], axis=-1)


def _along(course: Course, behind: Floats, wavelength: float, amplitude: float, surge: Floats) -> Floats:
    """Points `[N, K, 2]` of the curve at distances `[K]` behind the head, which is `surge` `[N]` further along."""
    body = float(behind.max())
    step = body / 90.0
    gone = np.concatenate([[0.0], np.cumsum(0.5 * (course.speed[1:] + course.speed[:-1]) / course.fps)])
    gone += 1e-9 * np.arange(gone.size)
    grid = np.arange(-1.6 * body - step, gone[-1] + 0.5 * body, step)
    back = np.minimum(grid, 0.0)
    start = np.asarray([np.sin(course.facing[0]), np.cos(course.facing[0])])
    base = np.stack([np.interp(grid, gone, column) for column in course.position.T], axis=-1) + back[:, None] * start
    base[grid > gone[-1]] += (grid[grid > gone[-1], None] - gone[-1]) * np.asarray(
        [np.sin(course.facing[-1]), np.cos(course.facing[-1])]
    )
    way = np.gradient(base, axis=0)
    way /= np.maximum(np.linalg.norm(way, axis=-1, keepdims=True), 1e-9)
    side = np.stack([way[:, 1], -way[:, 0]], axis=-1)
    curve = base + amplitude * np.sin(2 * np.pi * grid / wavelength)[:, None] * side
    arc = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(curve, axis=0), axis=-1))])
    wanted = (np.interp(gone, grid, arc) + surge)[:, None] - behind
    return np.stack([np.interp(wanted, arc, column) for column in curve.T], axis=-1)
