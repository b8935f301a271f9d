"""Compiled chains and trees of `kinema.ik.fabrik`."""

# pyright: reportArgumentType=false, reportIndexIssue=false

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from kinema.arrays import Reals
from kinema.by_reference import by_reference
from kinema.compiled import njit
from kinema.ik.cone_kernels import Cones, about, clamped
from kinema.ik.jacobian_kernels import Array, Bools, Ints
from kinema.ik.kernels import across, between, load3, load4, perpendicular
from kinema.kernels import (
    assign,
    clear,
    cross,
    dot,
    inverse,
    multiply,
    rotate,
    scaled_sum,
    unit,
    write_quaternion,
    write_vector,
)

EXACT = 1e-9  # share of the chain's length: a distance nearer than this is not corrected
BENT = 1e-3  # share of the chain's length: a bend smaller than this has no direction
ROOTS = 60  # most steps of the search for the share of a blend; bisection alone needs 50


@njit
def _difference(a, b):
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


@njit
def _length(v):
    return math.sqrt(dot(v, v))


@njit
def _bones(points: Array, directions: Array, lengths: Array) -> tuple[float, float]:
    """Write unit directions `[N, 3]` and lengths `[N]` of the bones between points `[N + 1, 3]`.

    Returns the length of the stretched chain, and the shortest distance between its ends.
    """
    total, longest = 0.0, 0.0
    for i in range(len(lengths)):
        bone = _difference(points[i + 1], points[i])
        lengths[i] = _length(bone)
        write_vector(directions[i], unit(bone, (0.0, -1.0, 0.0)))
        total += lengths[i]
        longest = max(longest, lengths[i])
    return total, max(2.0 * longest - total, 0.0)


@njit
def _place(points: Array, directions: Array, lengths: Array) -> None:
    """Lay the bones out from the first point."""
    for i in range(len(lengths)):
        write_vector(points[i + 1], scaled_sum(points[i], 1.0, directions[i], lengths[i]))


@njit
def _sweep(points: Array, directions: Array, lengths: Array, target) -> None:
    """One pass from the target to the root and back, which keeps the lengths."""
    last = len(lengths)
    ahead = target
    for i in range(last - 1, -1, -1):
        bone = unit(_difference(ahead, points[i]), load3(directions[i]))
        write_vector(directions[i], bone)
        ahead = scaled_sum(ahead, 1.0, bone, -lengths[i])
        if i > 0:
            write_vector(points[i], ahead)
    write_vector(points[last], target)
    for i in range(last):
        bone = unit(_difference(points[i + 1], points[i]), load3(directions[i]))
        write_vector(directions[i], bone)
        write_vector(points[i + 1], scaled_sum(points[i], 1.0, bone, lengths[i]))


@njit
def _end(directions: Array, lengths: Array):
    """From the root to the end."""
    x, y, z = 0.0, 0.0, 0.0
    for i in range(len(lengths)):
        x += lengths[i] * directions[i, 0]
        y += lengths[i] * directions[i, 1]
        z += lengths[i] * directions[i, 2]
    return (x, y, z)


@njit
def _bend(directions: Array, lengths: Array, line):
    """Mean offset of the inner joints from the line along the unit vector `line`, times their number."""
    at, total = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for i in range(len(lengths) - 1):
        at = scaled_sum(at, 1.0, directions[i], lengths[i])
        total = scaled_sum(total, 1.0, at, 1.0)
    return scaled_sum(total, 1.0, line, -dot(total, line))


@njit
def _angle(a, b, c):
    """The angle between sides `a` and `b` of a triangle, opposite to side `c`."""
    return math.acos(min(max((a * a + b * b - c * c) / max(2.0 * a * b, 1e-30), -1.0), 1.0))


@njit
def _fold(lengths: Array, total: float, distance: float, line, side, folded: Array) -> None:
    """Write directions of a flat chain whose end is at `distance` along `line`.

    It bends to `side`; both are unit vectors, orthogonal to each other.

    The bone over the middle of the chain's length, and those before and after it as straight pieces, close a
    quadrilateral with the distance: no side is longer than the others together.
    """
    middle, before = 0, 0.0
    while middle < len(lengths) - 1 and before + lengths[middle] < 0.5 * total:
        before += lengths[middle]
        middle += 1
    bone = lengths[middle]
    after = total - before - bone
    diagonal = 0.5 * (max(abs(before - bone), abs(after - distance)) + min(before + bone, after + distance))
    # Angles from the line: of the diagonal to the end of the middle bone, and of the pieces.
    rise = _angle(diagonal, distance, after) if distance > 1e-12 else 0.0
    first = rise + _angle(before, diagonal, bone)
    second = rise - _angle(bone, diagonal, before)
    along, up = diagonal * math.cos(rise), diagonal * math.sin(rise)
    third = math.atan2(-up, distance - along) if after > 1e-12 else 0.0
    for i in range(len(lengths)):
        angle = first if i < middle else second if i == middle else third
        write_vector(folded[i], scaled_sum(line, math.cos(angle), side, math.sin(angle)))


@njit
def _blend(directions: Array, goals: Array, share: float, out: Array) -> None:
    """Turn each direction by a share of the way to its goal."""
    for i in range(len(directions)):
        turn = cross(directions[i], goals[i])
        angle = math.atan2(_length(turn), dot(directions[i], goals[i]))
        axis = unit(turn, perpendicular(load3(directions[i])))
        beside = cross(axis, load3(directions[i]))
        write_vector(out[i], scaled_sum(directions[i], math.cos(share * angle), beside, math.sin(share * angle)))


@njit
def _close(directions: Array, lengths: Array, total: float, least: float, distance: float, side) -> None:
    """Change the directions as little as needed for the end to be at a distance that the chain can reach.

    They are blended with a straight chain to get longer, or with a folded one to get shorter (`least`). The distance is
    continuous in the share of the blend, so it has a root (found by false position with bisection).
    """
    now = _length(_end(directions, lengths))
    if abs(now - distance) <= EXACT * total:
        return
    line = unit(_end(directions, lengths), load3(directions[0]))
    goals, blended = np.empty_like(directions), np.empty_like(directions)
    side = across(_bend(directions, lengths, line), line, across(side, line, perpendicular(line)))
    if now < distance:
        for i in range(len(goals)):
            write_vector(goals[i], line)
    else:
        _fold(lengths, total, least, line, side, goals)
    low, high, below, above = 0.0, 1.0, now - distance, 0.0
    _blend(directions, goals, 1.0, blended)
    above = _length(_end(blended, lengths)) - distance
    share, kept = 1.0, 0
    for step in range(ROOTS):
        if abs(above) <= EXACT * total or below * above > 0.0:
            break
        share = high - above * (high - low) / (above - below)
        if step % 3 == 2:
            share = 0.5 * (low + high)
        _blend(directions, goals, share, blended)
        error = _length(_end(blended, lengths)) - distance
        if abs(error) <= EXACT * total:
            break
        if error * below > 0.0:
            low, below = share, error
            above *= 0.5 if kept == 1 else 1.0
            kept = 1
        else:
            high, above = share, error
            below *= 0.5 if kept == 2 else 1.0
            kept = 2
    assign(directions, blended)


@njit
def _turn_all(directions: Array, q) -> None:
    for i in range(len(directions)):
        write_vector(directions[i], rotate(q, directions[i]))


@njit
def solve_chain(points: Array, target, pole, has_pole: bool, iterations: int, tolerance: float, work: Array) -> None:
    """Move the end of a chain of points `[N + 1, 3]` to a target, in place; see `kinema.ik.fabrik.fabrik_positions`.

    Args:
        work: memory `[N, 4]`.
    """
    directions, lengths = work[:, :3], work[:, 3]
    total, least = _bones(points, directions, lengths)
    root = load3(points[0])
    line = _difference(target, root)
    direction = unit(line, unit(_end(directions, lengths), load3(directions[0])))
    distance = min(max(_length(line), least), total)
    target = scaled_sum(root, 1.0, direction, distance)
    if distance < total:
        for _ in range(iterations):
            if _length(_difference(points[len(lengths)], target)) <= tolerance:
                break
            _sweep(points, directions, lengths, target)
    side = pole if has_pole else perpendicular(direction)
    _close(directions, lengths, total, least, distance, side)
    _turn_all(directions, between(unit(_end(directions, lengths), direction), direction))
    if has_pole:
        wanted = scaled_sum(pole, 1.0, direction, -dot(pole, direction))
        has = _bend(directions, lengths, direction)
        if _length(has) > 1e-6 * total and _length(wanted) > 1e-4 * _length(pole):
            has, wanted = unit(has, wanted), unit(wanted, has)
            angle = math.atan2(dot(cross(has, wanted), direction), dot(has, wanted))
            _turn_all(directions, about(direction, angle))
    _place(points, directions, lengths)


@njit(nogil=True)
def solve_chains(
    points: Reals, targets: Reals, poles: Reals, has_pole: bool, iterations: int, tolerance: float
) -> Reals:
    """`C` chains: points `[C, N + 1, 3]`, targets and poles `[C, 3]`; returns the new points in the same precision."""
    out = np.empty_like(points)
    now, work = np.empty((points.shape[1], 3)), np.empty((points.shape[1] - 1, 4))
    for c in range(len(points)):
        assign(now, points[c])
        solve_chain(now, load3(targets[c]), load3(poles[c]), has_pole, iterations, tolerance, work)
        assign(out[c], now)
    return out


@njit
def _carry_frame(old, new, old_bend, new_bend):
    """The rotation between two unit directions that takes a bend to the other one, as far as both are bent."""
    turn = between(old, new)
    if min(_length(old_bend), _length(new_bend)) < BENT:
        return turn
    has = across(rotate(turn, old_bend), new, (0.0, 0.0, 0.0))
    wanted = unit(new_bend, has)
    angle = math.atan2(dot(cross(has, wanted), new), dot(has, wanted))
    return multiply(about(new, angle), turn)


@njit
def turn_chain(old: Array, new: Array, rotations: Array, work: Array) -> None:
    """Rotate the joints of a chain to new points `[N + 1, 3]`, in place; `rotations` `[N, 4]` are global.

    The whole chain turns with its line and its bend, so that hinges follow. Each bone adds the shortest rotation.
    """
    directions, lengths = work[:, :3], work[:, 3]
    total, _ = _bones(old, directions, lengths)
    from_line = unit(_difference(old[len(lengths)], old[0]), load3(directions[0]))
    from_bend = _bend(directions, lengths, from_line)
    _bones(new, directions, lengths)
    to_line = unit(_difference(new[len(lengths)], new[0]), load3(directions[0]))
    to_bend = _bend(directions, lengths, to_line)
    scale = 1.0 / max(total * len(lengths), 1e-12)
    none = (0.0, 0.0, 0.0)
    whole = _carry_frame(
        from_line, to_line, scaled_sum(from_bend, scale, none, 0.0), scaled_sum(to_bend, scale, none, 0.0)
    )
    for i in range(len(lengths)):
        carried = rotate(whole, unit(_difference(old[i + 1], old[i]), load3(directions[i])))
        turn = multiply(between(carried, load3(directions[i])), whole)
        if lengths[i] > 1e-9:
            write_quaternion(rotations[i], multiply(turn, rotations[i]))


@njit(nogil=True)
def turn_chains(old: Array, new: Array, rotations: Array) -> None:
    """`turn_chain` for points `[C, N + 1, 3]` and rotations `[C, N, 4]`."""
    work = np.empty((old.shape[1] - 1, 4))
    for c in range(len(old)):
        turn_chain(old[c], new[c], rotations[c], work)


class Branches(NamedTuple):
    """A tree of `K` nodes below a fixed root: joints, and points on them that have targets.

    Attributes:
        parents: `[K]`, -1 for the root only, parents before their children.
        bones: `[F, K, 3]`, each node in its parent's frame.
        is_joint: `[K]`; other nodes are points, which do not rotate.
        limited: `[K]`, rows of `cones`; -1 for a free joint.
        cones: limits; a hinge is a cone without swing.
        goals: `[K]`, rows of the targets; -1 for a node without one.
    """

    parents: Ints
    bones: Array
    is_joint: Bools
    limited: Ints
    cones: Cones
    goals: Ints


@njit
def _pull_back(tree: Branches, frame: int, places: Array, targets: Array, wanted: Array, counts: Array) -> None:
    """Where each node would have to be for the targets below it, from the ends to the root: the mean over them."""
    clear(wanted)
    clear(counts)
    for node in range(len(tree.parents) - 1, -1, -1):
        if tree.goals[node] >= 0:
            write_vector(wanted[node], scaled_sum(wanted[node], 1.0, targets[frame, tree.goals[node]], 1.0))
            counts[node] += 1.0
        if counts[node] == 0.0:
            write_vector(wanted[node], places[node])
            continue
        write_vector(wanted[node], scaled_sum(wanted[node], 1.0 / counts[node], wanted[node], 0.0))
        parent = tree.parents[node]
        if parent >= 0:
            bone = load3(tree.bones[frame, node])
            towards = unit(_difference(places[parent], wanted[node]), (0.0, 0.0, 0.0))
            pulled = scaled_sum(wanted[node], 1.0, towards, _length(bone))
            write_vector(wanted[parent], scaled_sum(wanted[parent], 1.0, pulled, 1.0))
            counts[parent] += 1.0


@njit
def _aim(tree: Branches, frame: int, node: int, q, place, above, wanted: Array, counts: Array, first: Ints, children):
    """The rotation of a joint, near `q`, that turns its bones to where its children should be.

    Several children are a compromise (Müller et al., "A robust method to extract the rotational part of deformations",
    2016).
    """
    limit = tree.limited[node]
    axis = (0.0, 0.0, 0.0)
    if limit >= 0 and tree.cones.swings[limit] == 0.0:
        axis = rotate(multiply(above, load4(tree.cones.rests[limit])), load3(tree.cones.axes[limit]))
    count = first[node + 1] - first[node]
    for _ in range(1 if count == 1 else 4):
        turn, along = (0.0, 0.0, 0.0), 0.0
        for i in range(first[node], first[node + 1]):
            child = children[i]
            if counts[child] == 0.0:
                continue
            has = rotate(q, load3(tree.bones[frame, child]))
            to = _difference(wanted[child], place)
            if limit >= 0 and tree.cones.swings[limit] == 0.0:
                has = scaled_sum(has, 1.0, axis, -dot(has, axis))
                to = scaled_sum(to, 1.0, axis, -dot(to, axis))
            elif count == 1:
                return multiply(between(unit(has, axis), unit(to, unit(has, axis))), q)
            turn = scaled_sum(turn, 1.0, cross(has, to), 1.0)
            along += dot(has, to)
        size = _length(turn)
        if size < 1e-15:
            break
        angle = math.atan2(size, along) if count == 1 else size / max(abs(along), size)
        q = multiply(about(scaled_sum(turn, 1.0 / size, turn, 0.0), angle), q)
    return q


@njit
def _push_out(
    tree: Branches, frame: int, base, rotations: Array, places: Array, wanted: Array, counts: Array, first, children
) -> None:
    """Rotate the joints towards where their children should be, from the root to the ends, within their limits."""
    for node in range(len(tree.parents)):
        parent = tree.parents[node]
        above = load4(base) if parent < 0 else load4(rotations[parent])
        if parent >= 0:
            place = scaled_sum(rotate(above, load3(tree.bones[frame, node])), 1.0, places[parent], 1.0)
            write_vector(places[node], place)
        if not tree.is_joint[node] or first[node] == first[node + 1]:
            continue
        local = multiply(inverse(above), load4(rotations[node]))
        q = multiply(above, local)
        q = _aim(tree, frame, node, q, load3(places[node]), above, wanted, counts, first, children)
        limit = tree.limited[node]
        if limit >= 0:
            cones = tree.cones
            local = clamped(
                multiply(inverse(above), q),
                load4(cones.rests[limit]),
                load3(cones.axes[limit]),
                cones.swings[limit],
                cones.lower[limit],
                cones.upper[limit],
            )
            q = multiply(above, local)
        scale = 1.0 / math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
        write_quaternion(rotations[node], (q[0] * scale, q[1] * scale, q[2] * scale, q[3] * scale))


@njit
def _worst(tree: Branches, frame: int, places: Array, targets: Array) -> float:
    """The largest distance from a target."""
    worst = 0.0
    for node in range(len(tree.parents)):
        if tree.goals[node] >= 0:
            worst = max(worst, _length(_difference(places[node], targets[frame, tree.goals[node]])))
    return worst


@njit(nogil=True)
def solve_branches(
    tree: Branches, bases: Array, places: Array, rotations: Array, targets: Array, iterations: int, tolerance: float
) -> Array:
    """Several targets at once, within limits: changes places `[F, K, 3]` and global rotations `[F, K, 4]` in place.

    Args:
        bases: global rotations `[F, 4]` of what the root node is attached to.
        targets: `[F, G, 3]`.

    Returns:
        The largest distance from a target in each frame, `[F]`.
    """
    count = len(tree.parents)
    tree = by_reference(tree)
    first, children = np.zeros(count + 1, np.int64), np.zeros(count, np.int64)
    for node in range(count):
        first[node + 1] = first[node]
        for child in range(node + 1, count):
            if tree.parents[child] == node:
                children[first[node + 1]] = child
                first[node + 1] += 1
    wanted, counts, missed = np.zeros((count, 3)), np.zeros(count), np.zeros(len(bases))
    for frame in range(len(bases)):
        clear(counts)
        assign(wanted, places[frame])
        _push_out(tree, frame, bases[frame], rotations[frame], places[frame], wanted, counts, first, children)
        missed[frame] = _worst(tree, frame, places[frame], targets)
        for _ in range(iterations):
            if missed[frame] <= tolerance:
                break
            _pull_back(tree, frame, places[frame], targets, wanted, counts)
            _push_out(tree, frame, bases[frame], rotations[frame], places[frame], wanted, counts, first, children)
            missed[frame] = _worst(tree, frame, places[frame], targets)
    return missed
