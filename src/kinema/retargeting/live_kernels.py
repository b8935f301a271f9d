"""The compiled pass over single poses: hips, feet and detached joints; see `live.Live`."""

# pyright: reportIndexIssue=false, reportArgumentType=false

from __future__ import annotations

import math
from typing import NamedTuple

from kinema.arrays import Indices, Reals, Singles
from kinema.compiled import njit
from kinema.ik.kernels import across, bend_forward, load3, load4, solve
from kinema.kernels import cross, dot, inverse, multiply, rotate, scaled_sum, unit

NORMAL, BODY, DETACHED, CARRIED = 0, 1, 2, 3
"""What places a joint: its parent; the goal of the hips; a limb, with the rotation of its parent or of that limb."""

SOFT = 0.01  # of a leg: how far before it is straight a stretching knee begins to slow down
LEAST = 0.05  # of a leg, as in the contact pass: a knee nearer to the line of its leg is led by its hinge
STRETCH = 0.985  # of a leg, beyond which the hips sink instead
LOW = 0.06  # of a leg: a foot that is higher above its ground does not pull the hips down
MOST_SUNK = 0.25  # of a leg

IDENTITY = (1.0, 0.0, 0.0, 0.0)
DOWN = (0.0, -1.0, 0.0)
AHEAD = (0.0, 0.0, 1.0)


class TargetPoses(NamedTuple):
    """Poses of the target, filled in: rotations `[N, J, 4]`, and translations and positions `[N, J, 3]`, metres."""

    local_rotations: Singles
    local_translations: Singles
    global_rotations: Singles
    global_positions: Singles


class SourcePoses(NamedTuple):
    """Poses of the source: global rotations `[N, S, 4]` and positions `[N, S, 3]`, metres."""

    rotations: Singles
    positions: Singles


class Joints(NamedTuple):
    """The joints of the target.

    Attributes:
        order: joints `[J]`, each after its parent and its leader.
        kinds, parents, leaders: `[J]`; a leader is the joint that places a detached joint, -1 for others.
        translations: `[J, 3]`, of the rest pose.
        offsets, turns: `[J, 3]` and `[J, 4]`, of detached joints on their leaders.
    """

    order: Indices
    kinds: Indices
    parents: Indices
    leaders: Indices
    translations: Singles
    offsets: Singles
    turns: Singles


class Hips(NamedTuple):
    """How the hips follow.

    Attributes:
        tops: source joints `[T]` whose mean position the hips follow.
        driver: source joint that turns the hips, or -1; `turn` `[4]` is the hips' rotation in its frame.
        offset: `[3]`, metres: from the hips to what follows `tops`, in the hips' frame.
        scale: size of the target over that of the source.
        lift: metres to add to scaled heights.
    """

    tops: Indices
    driver: int
    turn: Singles
    offset: Singles
    scale: float
    lift: float


class Legs(NamedTuple):
    """The legs of the target, and the feet of the source that they follow.

    Attributes:
        joints: `[L, 3]`: upper and lower joint and foot, -1 without one. parents: `[L, 3]`, of these.
        ends: `[L, 3]`, metres: the end of the leg in the lower joint's frame.
        touch, points: joints `[L]` that touch the ground and where, `[L, 3]`, in their frames.
        fronts: `[L, 3]`: direction in which the knee bends, in the upper joint's frame.
        lengths, heights: `[L]`, metres: of the leg, and of its touching point above the ground in a contact.
        source_touch, source_points, source_rest: the same of the source, and the rotations `[L, 4]` of its touching
            joints while it stands.
        grounds: `[L]`, metres: height of the source's touching points in a contact.
        offsets: `[L, 3]`, metres: from the scaled touching point of the source to that of the target.
    """

    joints: Indices
    parents: Indices
    ends: Singles
    touch: Indices
    points: Singles
    fronts: Singles
    lengths: Reals
    heights: Reals
    source_touch: Indices
    source_points: Singles
    source_rest: Singles
    grounds: Singles
    offsets: Singles


@njit
def _store(array, n, j, value):
    for k in range(len(value)):
        array[n, j, k] = value[k]


@njit
def _rotation(rotations, n, joint):
    return load4(rotations[n, joint]) if joint >= 0 else IDENTITY


@njit
def _point(rotations, positions, n, joint, offset):
    return scaled_sum(load3(positions[n, joint]), 1.0, rotate(load4(rotations[n, joint]), load3(offset)), 1.0)


@njit
def _forward(n, joints, poses, hips):
    """Global pose of one character, and the local one of joints that do not follow their parents."""
    rotations, positions = poses.global_rotations, poses.global_positions
    for j in joints.order:
        p, kind = joints.parents[j], joints.kinds[j]
        above = _rotation(rotations, n, p)
        base = load3(positions[n, p]) if p >= 0 else (0.0, 0.0, 0.0)
        own, offset = multiply(above, load4(poses.local_rotations[n, j])), load3(joints.translations[j])
        place = scaled_sum(base, 1.0, rotate(above, offset), 1.0)
        if kind != NORMAL:
            place = hips if kind == BODY else _point(rotations, positions, n, joints.leaders[j], joints.offsets[j])
            offset = rotate(inverse(above), scaled_sum(place, 1.0, base, -1.0))
        if kind == CARRIED:
            own = multiply(load4(rotations[n, joints.leaders[j]]), load4(joints.turns[j]))
            _store(poses.local_rotations, n, j, multiply(inverse(above), own))
        _store(rotations, n, j, own)
        _store(positions, n, j, place)
        _store(poses.local_translations, n, j, offset)


@njit
def heading(q, rest):
    """The rotation about +Y from `rest` to `q`."""
    r = multiply(q, inverse(rest))
    size = math.sqrt(r[0] * r[0] + r[2] * r[2])
    if size < 1e-6:
        return IDENTITY
    return (r[0] / size, 0.0, r[2] / size, 0.0)


@njit
def bend_direction(knee, end, front, length):
    """As `kinema.retargeting.contacts.bend_direction`, for one leg; all relative to its top."""
    line = unit(end, DOWN)
    bend = scaled_sum(knee, 1.0, line, -dot(knee, line))
    ahead = across(cross(cross(knee, front), line), line, AHEAD)
    return bend_forward(bend, ahead, LEAST * length)


@njit
def _hips(n, source, hips):
    """Position of the hips: what the source's legs hang on, scaled, and the target's own offset from there."""
    total = (0.0, 0.0, 0.0)
    for top in hips.tops:
        total = scaled_sum(total, 1.0, load3(source.positions[n, top]), hips.scale / len(hips.tops))
    turn = IDENTITY
    if hips.driver >= 0:
        turn = multiply(load4(source.rotations[n, hips.driver]), load4(hips.turn))
    place = scaled_sum(total, 1.0, rotate(turn, load3(hips.offset)), -1.0)
    return (place[0], place[1] + hips.lift, place[2])


@njit
def _goal(n, leg, source, poses, legs, scale):
    """Position for the end of a leg, and the height of the source's foot above its ground, scaled to the target."""
    joint = legs.source_touch[leg]
    point = _point(source.rotations, source.positions, n, joint, legs.source_points[leg])
    turn = heading(load4(source.rotations[n, joint]), load4(legs.source_rest[leg]))
    aside = rotate(turn, load3(legs.offsets[leg]))
    height = scale * (point[1] - legs.grounds[leg])
    goal = (scale * point[0] + aside[0], legs.heights[leg] + height, scale * point[2] + aside[2])
    rotations, positions = poses.global_rotations, poses.global_positions
    foot = _point(rotations, positions, n, legs.touch[leg], legs.points[leg])
    end = _point(rotations, positions, n, legs.joints[leg, 1], legs.ends[leg])
    return scaled_sum(goal, 1.0, scaled_sum(end, 1.0, foot, -1.0), 1.0), height


@njit
def _sink(n, leg, source, poses, legs, scale):
    """Metres by which the hips sink so that a leg near the ground reaches its goal."""
    goal, height = _goal(n, leg, source, poses, legs, scale)
    top, length = load3(poses.global_positions[n, legs.joints[leg, 0]]), legs.lengths[leg]
    end = _point(poses.global_rotations, poses.global_positions, n, legs.joints[leg, 1], legs.ends[leg])
    now, line = scaled_sum(end, 1.0, top, -1.0), scaled_sum(top, 1.0, goal, -1.0)
    reach = max(STRETCH * length, math.sqrt(dot(now, now)))
    level = line[0] * line[0] + line[2] * line[2]
    if level >= reach * reach or dot(line, line) <= reach * reach:
        return 0.0
    needed = line[1] - math.sqrt(reach * reach - level)
    nearness = min(max(1.0 - height / (LOW * length), 0.0), 1.0)
    return min(needed, MOST_SUNK * length) * nearness


@njit
def _reach(n, leg, poses, legs, goal):
    """Local rotations of a leg whose end reaches the goal; its foot keeps its global rotation."""
    rotations, positions = poses.global_rotations, poses.global_positions
    upper, lower, foot = legs.joints[leg, 0], legs.joints[leg, 1], legs.joints[leg, 2]
    top, knee = load3(positions[n, upper]), load3(positions[n, lower])
    end = _point(rotations, positions, n, lower, legs.ends[leg])
    q0, q1 = load4(rotations[n, upper]), load4(rotations[n, lower])
    front = rotate(q0, load3(legs.fronts[leg]))
    pole = bend_direction(scaled_sum(knee, 1.0, top, -1.0), scaled_sum(end, 1.0, top, -1.0), front, legs.lengths[leg])
    new0, new1 = solve(q0, q1, top, knee, end, goal, pole, True, SOFT)
    local = poses.local_rotations
    _store(local, n, upper, multiply(inverse(_rotation(rotations, n, legs.parents[leg, 0])), new0))
    # Joints between those of the leg turn rigidly with the upper one.
    above = multiply(new0, multiply(inverse(q0), load4(rotations[n, legs.parents[leg, 1]])))
    _store(local, n, lower, multiply(inverse(above), new1))
    if foot >= 0:
        above = multiply(new1, multiply(inverse(q1), load4(rotations[n, legs.parents[leg, 2]])))
        _store(local, n, foot, multiply(inverse(above), load4(rotations[n, foot])))


@njit(error_model="numpy")
def follow(source: SourcePoses, poses: TargetPoses, joints: Joints, hips: Hips, legs: Legs) -> None:
    """Fill in the poses of `N` characters, whose local rotations are those of the transfer; see `live.Live`."""
    for n in range(len(poses.local_rotations)):
        place = _hips(n, source, hips)
        _forward(n, joints, poses, place)
        sink = 0.0
        for leg in range(len(legs.lengths)):
            sink = max(sink, _sink(n, leg, source, poses, legs, hips.scale))
        for leg in range(len(legs.lengths)):
            goal, _ = _goal(n, leg, source, poses, legs, hips.scale)
            _reach(n, leg, poses, legs, (goal[0], goal[1] + sink, goal[2]))
        _forward(n, joints, poses, (place[0], place[1] - sink, place[2]))
