"""Compiled chains and trees of `kinema.ik.fabrik`. Numba's cache checks this file only; see `kinema.kernels`."""

# pyright: reportArgumentType=false, reportIndexIssue=false

from __future__ import annotations

import math

import numpy as np
from numba import njit
from numpy.typing import NDArray

from kinema.ik.kernels import across, between, load3, perpendicular
from kinema.kernels import cross, dot, rotate, scaled_sum, unit, write_vector

Array = NDArray[np.floating]

EXACT = 1e-9  # share of the chain's length: a distance nearer than this is not corrected
ROOTS = 60  # most steps of the search for the share of a blend; bisection alone needs 50


@njit(cache=True)
def _difference(a, b):
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


@njit(cache=True)
def _length(v):
    return math.sqrt(dot(v, v))


@njit(cache=True)
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


@njit(cache=True)
def _place(points: Array, directions: Array, lengths: Array) -> None:
    """Lay the bones out from the first point."""
    for i in range(len(lengths)):
        write_vector(points[i + 1], scaled_sum(points[i], 1.0, directions[i], lengths[i]))


@njit(cache=True)
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


@njit(cache=True)
def _end(directions: Array, lengths: Array):
    """From the root to the end."""
    x, y, z = 0.0, 0.0, 0.0
    for i in range(len(lengths)):
        x += lengths[i] * directions[i, 0]
        y += lengths[i] * directions[i, 1]
        z += lengths[i] * directions[i, 2]
    return (x, y, z)


@njit(cache=True)
def _bend(directions: Array, lengths: Array, line):
    """Mean offset of the inner joints from the line along the unit vector `line`, times their number."""
    at, total = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for i in range(len(lengths) - 1):
        at = scaled_sum(at, 1.0, directions[i], lengths[i])
        total = scaled_sum(total, 1.0, at, 1.0)
    return scaled_sum(total, 1.0, line, -dot(total, line))


@njit(cache=True)
def _angle(a, b, c):
    """The angle between sides `a` and `b` of a triangle, opposite to side `c`."""
    return math.acos(min(max((a * a + b * b - c * c) / max(2.0 * a * b, 1e-30), -1.0), 1.0))


@njit(cache=True)
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


@njit(cache=True)
def _blend(directions: Array, goals: Array, share: float, out: Array) -> None:
    """Turn each direction by a share of the way to its goal."""
    for i in range(len(directions)):
        turn = cross(directions[i], goals[i])
        angle = math.atan2(_length(turn), dot(directions[i], goals[i]))
        axis = unit(turn, perpendicular(load3(directions[i])))
        beside = cross(axis, load3(directions[i]))
        write_vector(out[i], scaled_sum(directions[i], math.cos(share * angle), beside, math.sin(share * angle)))


@njit(cache=True)
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
    directions[:] = blended


@njit(cache=True)
def _turn_all(directions: Array, q) -> None:
    for i in range(len(directions)):
        write_vector(directions[i], rotate(q, directions[i]))


@njit(cache=True)
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
            sine = math.sin(0.5 * angle)
            _turn_all(
                directions, (math.cos(0.5 * angle), sine * direction[0], sine * direction[1], sine * direction[2])
            )
    _place(points, directions, lengths)


@njit(cache=True, nogil=True)
def solve_chains(
    points: Array, targets: Array, poles: Array, has_pole: bool, iterations: int, tolerance: float
) -> Array:
    """`C` chains: points `[C, N + 1, 3]`, targets and poles `[C, 3]`; returns the new points in the same precision."""
    out = np.empty_like(points)
    now, work = np.empty((points.shape[1], 3)), np.empty((points.shape[1] - 1, 4))
    for c in range(len(points)):
        now[:] = points[c]
        solve_chain(now, load3(targets[c]), load3(poles[c]), has_pole, iterations, tolerance, work)
        out[c] = now
    return out
