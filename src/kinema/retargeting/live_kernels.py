"""The compiled pass over single poses: hips, feet on their places, joints beside the body; see `live.Live`."""

# pyright: reportIndexIssue=false, reportArgumentType=false

from __future__ import annotations

import math

from numba import njit

from kinema.ik.kernels import (
    across,
    bend_forward,
    dot,
    inverse,
    load3,
    load4,
    multiply,
    rotate,
    scaled_sum,
    solve,
    unit,
)

NORMAL, BODY, BESIDE, CARRIED = 0, 1, 2, 3
"""What places a joint: its parent; the hips' goal; the limb it stands beside, turned by its parent or by that limb."""

SOFT = 0.01  # of a leg: how far before it is straight a stretching knee begins to slow down


@njit(cache=True, inline="always")
def _store(array, n, j, q):
    for k in range(len(q)):
        array[n, j, k] = q[k]


@njit(cache=True)
def _forward(n, local, moved, rest, turned, placed, order, kinds, parents, beside, seats, turns, hips):
    """World poses of one character, and the local ones of joints that do not follow their parents."""
    for j in order:
        p, kind = parents[j], kinds[j]
        q, offset = load4(local[n, j]), load3(rest[j])
        above = load4(turned[n, p]) if p >= 0 else (1.0, 0.0, 0.0, 0.0)
        base = load3(placed[n, p]) if p >= 0 else (0.0, 0.0, 0.0)
        own = multiply(above, q)
        place = scaled_sum(base, 1.0, rotate(above, offset), 1.0)
        if kind != NORMAL:
            if kind == BODY:
                place = hips
            else:
                carrier = load4(turned[n, beside[j]])
                place = scaled_sum(load3(placed[n, beside[j]]), 1.0, rotate(carrier, load3(seats[j])), 1.0)
                if kind == CARRIED:
                    own = multiply(carrier, load4(turns[j]))
                    _store(local, n, j, multiply(inverse(above), own))
            offset = rotate(inverse(above), scaled_sum(place, 1.0, base, -1.0))
        _store(turned, n, j, own)
        _store(placed, n, j, place)
        _store(moved, n, j, offset)


@njit(cache=True)
def heading(q, rest):
    """Quaternion about +Y by which `q` is turned from `rest`."""
    r = multiply(q, inverse(rest))
    size = math.sqrt(r[0] * r[0] + r[2] * r[2])
    if size < 1e-6:
        return (1.0, 0.0, 0.0, 0.0)
    return (r[0] / size, 0.0, r[2] / size, 0.0)


@njit(cache=True)
def _end(turned, placed, n, joint, offset):
    return scaled_sum(load3(placed[n, joint]), 1.0, rotate(load4(turned[n, joint]), load3(offset)), 1.0)


@njit(cache=True)
def _bend(knee, end, front, length, least):
    """As `kinema.retargeting.contacts._bend`, for one leg; all relative to its top."""
    line = unit(end, (0.0, -1.0, 0.0))
    bend = scaled_sum(knee, 1.0, line, -dot(knee, line))
    return bend_forward(bend, across(front, line, (0.0, 0.0, 1.0)), least * length)


@njit(cache=True)
def _hips(n, source_turned, source_placed, tops, driver, first, seat, scale, lift):
    """Where the hips are: the tops of the legs in the target's size, the seat of the body below or above them."""
    x = y = z = 0.0
    for top in tops:
        x += source_placed[n, top, 0]
        y += source_placed[n, top, 1]
        z += source_placed[n, top, 2]
    share = scale / len(tops)
    turn = (1.0, 0.0, 0.0, 0.0)
    if driver >= 0:
        turn = multiply(load4(source_turned[n, driver]), load4(first))
    back = rotate(turn, load3(seat))
    return (x * share - back[0], y * share - back[1] + lift, z * share - back[2])


@njit(cache=True, error_model="numpy")
def follow(
    source_turned,
    source_placed,
    local,
    moved,
    turned,
    placed,
    rest,
    order,
    kinds,
    parents,
    beside,
    seats,
    turns,
    tops,
    driver,
    first,
    seat,
    scale,
    lift,
    joints,
    above,
    feet,
    to_end,
    touch,
    to_touch,
    theirs,
    to_theirs,
    theirs_rest,
    fronts,
    lengths,
    grounds,
    heights,
    asides,
    least,
    stretch,
    low,
):
    """Fill `local`, `moved`, `turned` and `placed` of `N` characters; see `kinema.retargeting.live.Live`."""
    legs = len(lengths)
    for n in range(len(local)):
        hips = _hips(n, source_turned, source_placed, tops, driver, first, seat, scale, lift)
        _forward(n, local, moved, rest, turned, placed, order, kinds, parents, beside, seats, turns, hips)
        sink = 0.0
        for leg in range(legs):
            goal = _goal(
                n,
                leg,
                source_turned,
                source_placed,
                turned,
                placed,
                scale,
                joints,
                to_end,
                touch,
                to_touch,
                theirs,
                to_theirs,
                theirs_rest,
                grounds,
                heights,
                asides,
            )
            top = load3(placed[n, joints[leg, 0]])
            now = scaled_sum(_end(turned, placed, n, joints[leg, 1], to_end[leg]), 1.0, top, -1.0)
            reach = max(stretch * lengths[leg], math.sqrt(dot(now, now)))
            way = scaled_sum(top, 1.0, goal[0], -1.0)
            level = way[0] * way[0] + way[2] * way[2]
            if level < reach * reach and dot(way, way) > reach * reach:
                need = way[1] - math.sqrt(reach * reach - level)
                nearness = 1.0 - goal[1] / (low * lengths[leg])
                sink = max(sink, min(need, 0.25 * lengths[leg]) * min(max(nearness, 0.0), 1.0))
        for leg in range(legs):
            goal = _goal(
                n,
                leg,
                source_turned,
                source_placed,
                turned,
                placed,
                scale,
                joints,
                to_end,
                touch,
                to_touch,
                theirs,
                to_theirs,
                theirs_rest,
                grounds,
                heights,
                asides,
            )
            aim = (goal[0][0], goal[0][1] + sink, goal[0][2])
            _bent(n, leg, local, turned, placed, joints, above, feet, to_end, fronts, lengths, aim, least)
        hips = (hips[0], hips[1] - sink, hips[2])
        _forward(n, local, moved, rest, turned, placed, order, kinds, parents, beside, seats, turns, hips)


@njit(cache=True)
def _goal(
    n,
    leg,
    source_turned,
    source_placed,
    turned,
    placed,
    scale,
    joints,
    to_end,
    touch,
    to_touch,
    theirs,
    to_theirs,
    theirs_rest,
    grounds,
    heights,
    asides,
):
    """Where the end of a leg shall be, and how high above its ground the source's foot is in the target's size."""
    theirs_turned = load4(source_turned[n, theirs[leg]])
    point = _end(source_turned, source_placed, n, theirs[leg], to_theirs[leg])
    aside = rotate(heading(theirs_turned, load4(theirs_rest[leg])), load3(asides[leg]))
    high = scale * (point[1] - grounds[leg])
    wanted = (scale * point[0] + aside[0], heights[leg] + high, scale * point[2] + aside[2])
    foot = _end(turned, placed, n, touch[leg], to_touch[leg])
    end = _end(turned, placed, n, joints[leg, 1], to_end[leg])
    return (wanted[0] - foot[0] + end[0], wanted[1] - foot[1] + end[1], wanted[2] - foot[2] + end[2]), high


@njit(cache=True)
def _bent(n, leg, local, turned, placed, joints, above, feet, to_end, fronts, lengths, aim, least):
    """Local rotations of a leg whose end reaches `aim`; its foot keeps its rotation in the world."""
    upper, lower, foot = joints[leg, 0], joints[leg, 1], feet[leg]
    top, knee = load3(placed[n, upper]), load3(placed[n, lower])
    end = _end(turned, placed, n, lower, to_end[leg])
    q0, q1 = load4(turned[n, upper]), load4(turned[n, lower])
    pole = _bend(
        scaled_sum(knee, 1.0, top, -1.0),
        scaled_sum(end, 1.0, top, -1.0),
        rotate(q0, load3(fronts[leg])),
        lengths[leg],
        least,
    )
    new0, new1 = solve(q0, q1, top, knee, end, aim, pole, True, SOFT)
    carrier = load4(turned[n, above[leg, 0]]) if above[leg, 0] >= 0 else (1.0, 0.0, 0.0, 0.0)
    _store(local, n, upper, multiply(inverse(carrier), new0))
    carrier = multiply(new0, multiply(inverse(q0), load4(turned[n, above[leg, 1]])))
    _store(local, n, lower, multiply(inverse(carrier), new1))
    if foot >= 0:
        carrier = multiply(new1, multiply(inverse(q1), load4(turned[n, above[leg, 2]])))
        _store(local, n, foot, multiply(inverse(carrier), load4(turned[n, foot])))
