"""Limits of joints that rotate freely, compiled; see `kinema.ik.limits.Cone`."""

# pyright: reportArgumentType=false, reportIndexIssue=false

from __future__ import annotations

import math
from typing import NamedTuple

from kinema.compiled import njit
from kinema.ik.jacobian_kernels import Array, Ints, State, Tree, rotation_vector
from kinema.kernels import cross, dot, inverse, multiply, rotate, scaled_sum, unit, write_quaternion

WITHIN = 1e-9  # radians: a joint nearer to its limit is at it
STIFF = 1e6  # how many times stiffer a joint at its limit resists than its tasks pull


class Cones(NamedTuple):
    """Limits: joints `[C]`, rest rotations `[C, 4]`, axes `[C, 3]`, largest swing, smallest and largest twist `[C]`."""

    joints: Ints
    rests: Array
    axes: Array
    swings: Array
    lower: Array
    upper: Array


@njit
def swing_and_twist(q, axis):
    """Split `q` into a swing, whose axis is orthogonal to `axis`, and the angle of a twist about `axis` before it."""
    along = dot((q[1], q[2], q[3]), axis)
    size = math.sqrt(q[0] * q[0] + along * along)
    if size < 1e-9:
        return (q[0], q[1], q[2], q[3]), 0.0
    cosine, sine = q[0] / size, along / size
    twist = (cosine, sine * axis[0], sine * axis[1], sine * axis[2])
    angle = 2.0 * math.atan2(sine, cosine)
    if angle > math.pi:
        angle -= 2.0 * math.pi
    elif angle < -math.pi:
        angle += 2.0 * math.pi
    return multiply((q[0], q[1], q[2], q[3]), inverse(twist)), angle


@njit
def about(axis, angle):
    """The rotation about a unit axis by an angle."""
    sine = math.sin(0.5 * angle)
    return (math.cos(0.5 * angle), sine * axis[0], sine * axis[1], sine * axis[2])


@njit
def clamped(q, rest, axis, most, lower, upper):
    """The local rotation `q` with its swing and twist from `rest` within their limits."""
    swing, twist = swing_and_twist(multiply(inverse(rest), q), axis)
    vector = rotation_vector(swing)
    size = math.sqrt(dot(vector, vector))
    if size <= most and lower <= twist <= upper:
        return (q[0], q[1], q[2], q[3])
    if size > most:
        swing = about(scaled_sum(vector, 1.0 / size, vector, 0.0), most)
    return multiply(rest, multiply(swing, about(axis, min(max(twist, lower), upper))))


@njit
def clamp_cones(tree: Tree, cones: Cones, state: State) -> None:
    """Bring the joints of a pose within their limits, and its coordinates with them."""
    for c in range(len(cones.joints)):
        joint = cones.joints[c]
        q = state.local_rotations[joint]
        new = clamped(q, cones.rests[c], cones.axes[c], cones.swings[c], cones.lower[c], cones.upper[c])
        back = rotation_vector(multiply(inverse(q), new))
        write_quaternion(state.local_rotations[joint], new)
        for k in range(tree.first[joint], tree.first[joint] + tree.count[joint]):
            if not tree.slides[k]:
                state.change[k] += dot(back, tree.axes[k])


@njit
def hold_cones(tree: Tree, cones: Cones, state: State) -> None:
    """Make joints at their limits stiff in the directions in which the slope of the cost pushes them out."""
    for c in range(len(cones.joints)):
        joint, axis = cones.joints[c], cones.axes[c]
        swing, twist = swing_and_twist(multiply(inverse(cones.rests[c]), state.local_rotations[joint]), axis)
        vector = rotation_vector(swing)
        size = math.sqrt(dot(vector, vector))
        outward = rotate(about(axis, -twist), unit(vector, (0.0, 0.0, 0.0)))  # in the joint's own frame
        stiffness = STIFF * _largest(tree, joint, state.matrix)
        if size >= cones.swings[c] - WITHIN and size > 0.0:
            _stiffen(tree, joint, outward, stiffness, state)
        # A swing takes some of the rotation about the axis with it.
        turning = scaled_sum(axis, 1.0, cross(axis, outward), math.tan(0.5 * min(size, 3.14)))
        if twist >= cones.upper[c] - WITHIN:
            _stiffen(tree, joint, turning, stiffness, state)
        if twist <= cones.lower[c] + WITHIN:
            _stiffen(tree, joint, scaled_sum(turning, -1.0, turning, 0.0), stiffness, state)


@njit
def _largest(tree: Tree, joint: int, matrix: Array) -> float:
    """The largest diagonal element of the coordinates of a joint."""
    largest = 1e-6
    for k in range(tree.first[joint], tree.first[joint] + tree.count[joint]):
        largest = max(largest, matrix[k, k])
    return largest


@njit
def _stiffen(tree: Tree, joint: int, outward, stiffness: float, state: State) -> None:
    """Hold a joint back from a direction in its own frame if the slope pushes it there.

    The slope loses what pushes, so a second call changes nothing.
    """
    first, end = tree.first[joint], tree.first[joint] + tree.count[joint]
    push, square = 0.0, 0.0
    for k in range(first, end):
        if not tree.slides[k]:
            part = dot(tree.axes[k], outward)
            push -= state.slope[k] * part
            square += part * part
    if push <= 1e-9 * stiffness / STIFF or square < 1e-12:
        return
    for k in range(first, end):
        if not tree.slides[k]:
            part = dot(tree.axes[k], outward)
            state.slope[k] += push * part / square
            for other in range(first, k + 1):
                if not tree.slides[other]:
                    state.matrix[k, other] += stiffness * part * dot(tree.axes[other], outward) / square
