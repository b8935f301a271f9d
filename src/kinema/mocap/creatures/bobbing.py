"""The head of a walking bird: held still in the world while the body goes on, then thrust forward.

Two thrusts a stride (Dagg, "The walk of the silver gull and of other birds", Journal of Zoology 1977).
"""

from __future__ import annotations

import numpy as np

from kinema.arrays import Floats
from kinema.mocap.creatures.course import Course
from kinema.mocap.creatures.gaits import Cycle
from kinema.mocap.creatures.standing import Standing
from kinema.mocap.procedural.script import smooth_step

_HELD = 0.54  # share of a step in which the head is still
_FURTHEST = 0.5  # radians
_WALKS = 0.75, 1.0  # Froude speeds from which on, and above which, birds no longer bob


def head_bob(body: Standing, course: Course, cycle: Cycle) -> Floats:
    """Angle `[N]` by which the lower neck bends down and the upper one up, radians: the channel `reach`."""
    gain = _head_way(body)
    if gain <= 0:
        return np.zeros(course.times.size)
    steps = 2.0 * cycle.phase
    share = steps % 1.0
    ahead = smooth_step((share - _HELD) / (1 - _HELD)) - share
    step = course.ahead() / np.maximum(2.0 * cycle.rate, 1e-6)
    walking = 1.0 - smooth_step((cycle.froude - _WALKS[0]) / (_WALKS[1] - _WALKS[0]))
    reach = step * (ahead + 0.5 * _HELD) / gain
    return walking * (1.0 - course.airborne) * _FURTHEST * np.tanh(reach / _FURTHEST)


def _head_way(body: Standing) -> float:
    """How far the head goes ahead per radian of reach, metres."""
    anatomy = body.anatomy
    if anatomy.head is None or not anatomy.neck:
        return 0.0
    neck = [*anatomy.neck, anatomy.head]
    forth = np.cumsum(1.0 - 2.0 * np.arange(len(neck)) / (len(neck) - 1))[:-1]
    rises = np.diff(body.positions[neck, 1])
    return float(forth @ rises)
