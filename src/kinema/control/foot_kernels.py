"""Compiled leg pass of the foot lock; `kinema.control.leg_reach.reach_toes_reference` is the reference version."""

# pyright: reportIndexIssue=false

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from kinema.compiled import njit
from kinema.control.leg_limits import EASE, HINGE_SHARE, IN_LINE, MOST_LIFT, STEEP, Limits
from kinema.ik.kernels import bend_forward, load3, load4, solve
from kinema.kernels import cross, dot, inverse, multiply, rotate, scaled_sum, unit, write_quaternion

F32 = NDArray[np.float32]
_NOWHERE = (0.0, 0.0, 0.0)


@njit
def _minus(a, b):
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


@njit
def _length(v):
    return math.sqrt(dot(v, v))


@njit
def _heel_lift(heel, line, longest):
    """Rotation about the toe. `heel` and `line` point from the toe to the ankle and to the hip."""
    arm, span = _length(heel), _length(line)
    if arm <= 1e-3:
        return (1.0, 0.0, 0.0, 0.0)
    axis = cross(heel, line)
    product = max(arm * span, 1e-9)
    sine, cosine = _length(axis) / product, dot(heel, line) / product
    needed = (arm * arm + span * span - longest * longest) / (2.0 * product)
    over = math.atan2(sine, cosine) - math.acos(min(max(needed, -1.0), IN_LINE))
    ease = EASE / arm
    over = 0.5 * (over + math.sqrt(over * over + ease * ease))
    angle = MOST_LIFT * math.tanh(over / MOST_LIFT) * min(max(sine, cosine) / 0.4, 1.0)
    axis = unit(axis, _NOWHERE)
    s = math.sin(0.5 * angle)
    return (math.cos(0.5 * angle), s * axis[0], s * axis[1], s * axis[2])


@njit
def _swing(before, after):
    """The shortest rotation from one direction to another."""
    before, after = unit(before, _NOWHERE), unit(after, _NOWHERE)
    axis, w = cross(before, after), 1.0 + dot(before, after)
    length = math.sqrt(w * w + dot(axis, axis))
    if length < 1e-6:
        return (1.0, 0.0, 0.0, 0.0)
    return (w / length, axis[0] / length, axis[1] / length, axis[2] / length)


@njit
def _bend(arm, axis, least):
    """Angle about an axis across an arm that lifts its end to a height, if it is lower."""
    across = cross(axis, arm)[1]
    size = math.sqrt(arm[1] * arm[1] + across * across)
    if arm[1] >= least or size < 1e-3 or dot(axis, axis) < 0.5:
        return 0.0
    return math.asin(min(max(least / size, -1.0), STEEP)) - math.atan2(arm[1], across)


@njit
def _turn(axis, angle):
    s = math.sin(0.5 * angle)
    return (math.cos(0.5 * angle), s * axis[0], s * axis[1], s * axis[2])


@njit(error_model="numpy")
def reach_toes(
    local: F32,
    rotations: F32,
    positions: F32,
    targets: F32,
    legs: NDArray[np.int64],
    parents: NDArray[np.int32],
    hinges: F32,
    limits: Limits,
    tilts: F32,
    ends: F32,
    floors: F32,
    bends: F32,
) -> F32:
    """Move toes to their targets. Returns by how much legs are too short `[n, C]`, metres; negative within reach.

    Args:
        local: local rotations `[n, J, 4]`, changed in place.
        rotations, positions: global, `[n, J, 4]` and `[n, J, 3]`.
        targets, legs, hinges, limits, tilts, ends, floors, bends: see `kinema.control.leg_reach.reach_toes`.
        parents: `[J]`.
    """
    count, feet = targets.shape[0], targets.shape[1]
    longest, softness, bending = limits
    short = np.empty((count, feet), np.float32)
    for n in range(count):
        for c in range(feet):
            upper, lower, foot, toe = legs[c, 0], legs[c, 1], legs[c, 2], legs[c, 3]
            hip, knee = load3(positions[n, upper]), load3(positions[n, lower])
            ankle, target = load3(positions[n, foot]), load3(targets[n, c])
            thigh, shin = _minus(knee, hip), _minus(ankle, knee)
            full = _length(thigh) + _length(shin)
            tilt = load4(tilts[n, c])
            heel = rotate(tilt, _minus(ankle, load3(positions[n, toe])))
            turned = multiply(tilt, load4(rotations[n, foot]))
            behind, axis = rotate(turned, load3(ends[c, 0, 0])), rotate(turned, load3(ends[c, 0, 1]))
            arm = scaled_sum(heel, 1.0, behind, 1.0)
            needed = _bend(arm, axis, floors[n, c, 0] - target[1])
            bends[n, c, 0] = max(bends[n, c, 0], min(needed, bends[n, c, 0] + bending))
            turn = _turn(axis, bends[n, c, 0])
            heel = rotate(turn, heel)
            lift = _heel_lift(heel, _minus(hip, target), longest * full)
            goal = scaled_sum(target, 1.0, rotate(lift, heel), 1.0)
            lift = multiply(multiply(lift, turn), tilt)
            line = _minus(goal, hip)
            short[n, c] = _length(line) - full

            old_upper, old_lower = load4(rotations[n, upper]), load4(rotations[n, lower])
            plane = cross(unit(thigh, _NOWHERE), unit(shin, _NOWHERE))
            bend = bend_forward(plane, rotate(old_upper, load3(hinges[c])), HINGE_SHARE)
            pole = cross(line, rotate(_swing(_minus(ankle, hip), line), bend))
            new_upper, new_lower = solve(old_upper, old_lower, hip, knee, ankle, goal, pole, True, softness)

            above = load4(rotations[n, parents[upper]])
            write_quaternion(local[n, upper], multiply(inverse(above), new_upper))
            # Joints between those of the leg rotate rigidly with their parent.
            above = load4(rotations[n, parents[lower]])
            above = multiply(new_upper, multiply(inverse(old_upper), above))
            write_quaternion(local[n, lower], multiply(inverse(above), new_lower))
            above = load4(rotations[n, parents[foot]])
            above = multiply(new_lower, multiply(inverse(old_lower), above))
            write_quaternion(local[n, foot], multiply(inverse(above), multiply(lift, load4(rotations[n, foot]))))
            if toe != foot:
                above = multiply(lift, load4(rotations[n, parents[toe]]))
                toes = multiply(tilt, load4(rotations[n, toe]))
                tip, axis = rotate(toes, load3(ends[c, 1, 0])), rotate(toes, load3(ends[c, 1, 1]))
                needed = _bend(tip, axis, floors[n, c, 1] - target[1])
                bends[n, c, 1] = max(bends[n, c, 1], min(needed, bends[n, c, 1] + bending))
                turn = _turn(axis, bends[n, c, 1])
                write_quaternion(local[n, toe], multiply(inverse(above), multiply(turn, toes)))
    return short
