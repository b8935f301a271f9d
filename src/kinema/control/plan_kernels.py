"""Compiled sampling of clips and plans between frames."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinema.compiled import njit
from kinema.kernels import quaternion_of, scaled_sum, vector_of, write_vector


@njit
def _catmull_rom(t):
    """Weights of the four frames around a place, `t` after the second of them; see `kinema.motion.catmull_rom`."""
    half, one, two = np.float32(0.5), np.float32(1.0), np.float32(2.0)
    t2, t3 = t * t, t * t * t
    before, first = t2 - half * t3 - half * t, (one + half) * t3 - (two + half) * t2 + one
    return before, first, two * t2 - (one + half) * t3 + half * t, half * t3 - half * t2


@njit(error_model="numpy")
def stencils(
    places: NDArray[np.float64], first: NDArray[np.int64], last: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """The four frames around places in clips, and their Catmull-Rom weights; see `kinema.motion.catmull_rom`.

    Args:
        places: `[n]`, in frames of the database; they are clamped to the clips.
        first, last: `[n]`: first and last frame of each clip.

    Returns:
        Frames and weights `[n, 4]`.
    """
    frames, weights = np.empty((len(places), 4), np.int64), np.empty((len(places), 4), np.float32)
    for n in range(len(places)):
        place = min(max(places[n], first[n]), last[n])
        base = min(int(place), max(last[n] - 1, first[n]))
        for k in range(4):
            frames[n, k] = min(max(base - 1 + k, first[n]), last[n])
        weights[n, 0], weights[n, 1], weights[n, 2], weights[n, 3] = _catmull_rom(np.float32(place - base))
    return frames, weights


@njit(error_model="numpy")
def sample_rotations(
    rotations: NDArray[np.float32], frames: NDArray[np.int64], weights: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Weighted sums of unit quaternions, with signs aligned to the second of the four frames, normalised.

    Args:
        rotations: `[N, J, 4]`.
        frames: `[n, 4]` row indices.
        weights: `[n, 4]`, Catmull-Rom weights.

    Returns:
        `[n, J, 4]`.
    """
    count, joints = frames.shape[0], rotations.shape[1]
    result = np.empty((count, joints, 4), np.float32)
    for n in range(count):
        base = frames[n, 1]
        for j in range(joints):
            w = x = y = z = np.float32(0)
            for k in range(4):
                row = frames[n, k]
                dot = (
                    rotations[row, j, 0] * rotations[base, j, 0]
                    + rotations[row, j, 1] * rotations[base, j, 1]
                    + rotations[row, j, 2] * rotations[base, j, 2]
                    + rotations[row, j, 3] * rotations[base, j, 3]
                )
                weight = -weights[n, k] if dot < 0 else weights[n, k]
                w += weight * rotations[row, j, 0]
                x += weight * rotations[row, j, 1]
                y += weight * rotations[row, j, 2]
                z += weight * rotations[row, j, 3]
            length = np.sqrt(w * w + x * x + y * y + z * z)
            result[n, j, 0], result[n, j, 1] = w / length, x / length
            result[n, j, 2], result[n, j, 3] = y / length, z / length
    return result


@njit(error_model="numpy")
def sample_values(values: NDArray[Any], frames: NDArray[np.int64], weights: NDArray[np.float32]) -> NDArray[np.float32]:
    """Weighted sums `[n, D]` of rows of `values` `[N, D]`; `frames` and `weights` are `[n, 4]`."""
    count, dim = frames.shape[0], values.shape[1]
    result = np.zeros((count, dim), np.float32)
    for n in range(count):
        for k in range(4):
            for d in range(dim):
                result[n, d] += weights[n, k] * np.float32(values[frames[n, k], d])
    return result


@njit(error_model="numpy")
def continue_signs(turns: NDArray[np.float32]) -> None:
    """Turn the signs of quaternions `[n, F, J, 4]`, in place, so that none is opposite to that of the frame before."""
    plans, count, joints = turns.shape[0], turns.shape[1], turns.shape[2]
    for n in range(plans):
        for f in range(1, count):
            for j in range(joints):
                dot = np.float32(0)
                for k in range(4):
                    dot += turns[n, f, j, k] * turns[n, f - 1, j, k]
                if dot < 0:
                    for k in range(4):
                        turns[n, f, j, k] = -turns[n, f, j, k]


@njit(error_model="numpy")
def _between(frames: NDArray[np.float32], place: float, result: NDArray[np.float32]) -> None:
    """Catmull-Rom interpolation of frames `[F, D]` at a place, which is clamped to them, into `[D]`."""
    last = frames.shape[0] - 1
    place = min(max(place, 0.0), float(last))
    base = min(int(place), max(last - 1, 0))
    a, b, c, d = _catmull_rom(np.float32(place - base))
    f0, f1 = frames[max(base - 1, 0)], frames[base]
    f2, f3 = frames[min(base + 1, last)], frames[min(base + 2, last)]
    for k in range(len(result)):
        result[k] = a * f0[k] + b * f1[k] + c * f2[k] + d * f3[k]


@njit(error_model="numpy")
def _make_unit(turns: NDArray[np.float32]) -> None:
    """Quaternions, one after the other in `[4 J]`, to length one."""
    for j in range(0, len(turns), 4):
        w, x, y, z = turns[j], turns[j + 1], turns[j + 2], turns[j + 3]
        length = np.sqrt(w * w + x * x + y * y + z * z)
        turns[j], turns[j + 1], turns[j + 2], turns[j + 3] = w / length, x / length, y / length, z / length


@njit(error_model="numpy")
def sample_faded(
    turns: NDArray[np.float32],
    values: NDArray[np.float32],
    old_turns: NDArray[np.float32],
    old_values: NDArray[np.float32],
    rows: NDArray[np.int64],
    ages: NDArray[np.float64],
    fps: float,
    fade: float,
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Plans at places between their frames, mixed with the plans before for as long as these fade.

    Args:
        turns, old_turns: unit quaternions `[n, F, J, 4]` and `[n, G, J, 4]`; see `continue_signs`.
        values, old_values: `[n, F, E]` and `[n, G, E]`.
        rows: `[k]`: plans that are sampled. ages: `[k]`, seconds since they began; they are clamped to the plans.
        fps: frames per second of the plans. fade: seconds until a new plan counts alone; at once if 0.

    Returns:
        Unit quaternions `[k, J, 4]` and values `[k, E]`.
    """
    plans, count, past, joints = turns.shape[0], turns.shape[1], old_turns.shape[1], turns.shape[2]
    flat, old_flat = turns.reshape(plans, count, 4 * joints), old_turns.reshape(plans, past, 4 * joints)
    made, before = np.empty((len(rows), 4 * joints), np.float32), np.empty(4 * joints, np.float32)
    numbers, others = np.empty((len(rows), values.shape[2]), np.float32), np.empty(values.shape[2], np.float32)
    for n in range(len(rows)):
        row, place = rows[n], ages[n] * fps
        share = min(max(1.0 - ages[n] / fade, 0.0), 1.0) if fade > 0 else 0.0
        theirs = np.float32(share * share * (3.0 - 2.0 * share))
        mine = np.float32(1) - theirs
        _between(flat[row], place, made[n])
        _make_unit(made[n])
        _between(values[row], place, numbers[n])
        if theirs == 0:
            continue
        _between(old_flat[row], place, before)
        _make_unit(before)
        _between(old_values[row], place, others)
        for d in range(len(others)):
            numbers[n, d] = mine * numbers[n, d] + theirs * others[d]
        for j in range(0, 4 * joints, 4):
            dot = np.float32(0)
            for k in range(j, j + 4):
                dot += made[n, k] * before[k]
            weight = -theirs if dot < 0 else theirs
            for k in range(j, j + 4):
                made[n, k] = mine * made[n, k] + weight * before[k]
        _make_unit(made[n])
    return made.reshape(len(rows), joints, 4), numbers


@njit(error_model="numpy")
def local_poses(
    six: NDArray[np.float32],
    parents: NDArray[np.int32],
    places: NDArray[np.float32],
    columns: NDArray[np.int64],
    translated: NDArray[np.int32],
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Local poses out of rotations in 6D and positions in the root frame, as `Pose.from_model` makes them, in one pass.

    Args:
        six: `[n, J, 6]`, the first two columns of rotation matrices, of any length and angle.
        parents: `[J]`, each before its children; -1 for none.
        places: positions `[n, K, 3]` of some joints, metres.
        columns: `[J]`: where in `places` a joint is; -1 for those that are not.
        translated: joints `[T]` whose translations are wanted; they and their parents are in `places`.

    Returns:
        Unit quaternions `[n, J, 4]` and translations `[n, T, 3]`.
    """
    count, joints = six.shape[0], six.shape[1]
    result, model = np.empty((count, joints, 4), np.float32), np.empty((joints, 4), np.float64)
    moved = np.empty((count, len(translated), 3), np.float32)
    for n in range(count):
        for j in range(joints):
            a0, a1, a2 = np.float64(six[n, j, 0]), np.float64(six[n, j, 1]), np.float64(six[n, j, 2])
            b0, b1, b2 = np.float64(six[n, j, 3]), np.float64(six[n, j, 4]), np.float64(six[n, j, 5])
            size, other = np.sqrt(a0 * a0 + a1 * a1 + a2 * a2), b0 * b0 + b1 * b1 + b2 * b2
            if size > 0:
                share = 1 / size
                a0, a1, a2 = a0 * share, a1 * share, a2 * share
            else:
                a0, a1, a2 = 1.0, 0.0, 0.0
            along = a0 * b0 + a1 * b1 + a2 * b2
            slant = other - along * along
            if slant < 1e-10 * (other + 1e-30):  # parallel: any column at a right angle
                b0, b1, b2 = (0.0, 1.0, 0.0) if abs(a0) > 0.6 else (1.0, 0.0, 0.0)
            # One pass leaves a rounding error where the columns are nearly parallel.
            for _ in range(1 if slant > 0.01 * other else 2):
                along = a0 * b0 + a1 * b1 + a2 * b2
                b0, b1, b2 = b0 - along * a0, b1 - along * a1, b2 - along * a2
                share = 1 / np.sqrt(b0 * b0 + b1 * b1 + b2 * b2)
                b0, b1, b2 = b0 * share, b1 * share, b2 * share
            c0, c1, c2 = a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0
            # The largest of the four numbers of the quaternion first, so that no root is of nearly nothing.
            if a0 + b1 + c2 > 0:
                w = 1 + a0 + b1 + c2
                x, y, z = b2 - c1, c0 - a2, a1 - b0
            elif a0 >= b1 and a0 >= c2:
                x = 1 + a0 - b1 - c2
                w, y, z = b2 - c1, a1 + b0, c0 + a2
            elif b1 >= c2:
                y = 1 - a0 + b1 - c2
                w, x, z = c0 - a2, a1 + b0, b2 + c1
            else:
                z = 1 - a0 - b1 + c2
                w, x, y = a1 - b0, c0 + a2, b2 + c1
            share = 1 / np.sqrt(w * w + x * x + y * y + z * z)
            w, x, y, z = w * share, x * share, y * share, z * share
            model[j, 0], model[j, 1], model[j, 2], model[j, 3] = w, x, y, z
            if parents[j] >= 0:
                p0, p1, p2, p3 = quaternion_of(model[parents[j]])
                w, x, y, z = (
                    p0 * w + p1 * x + p2 * y + p3 * z,
                    p0 * x - p1 * w - p2 * z + p3 * y,
                    p0 * y + p1 * z - p2 * w - p3 * x,
                    p0 * z - p1 * y + p2 * x - p3 * w,
                )
            result[n, j, 0], result[n, j, 1], result[n, j, 2], result[n, j, 3] = w, x, y, z
        for t in range(len(translated)):
            j = translated[t]
            own = vector_of(places[n, columns[j]])
            above = parents[j]
            if above < 0:
                write_vector(moved[n, t], own)
                continue
            v0, v1, v2 = scaled_sum(own, np.float32(1), places[n, columns[above]], np.float32(-1))
            # Rotated by the conjugate of the parent's quaternion: v + 2 q x (q x v + w v), with the sign of q turned.
            w, x, y, z = model[above, 0], -model[above, 1], -model[above, 2], -model[above, 3]
            u0, u1, u2 = y * v2 - z * v1 + w * v0, z * v0 - x * v2 + w * v1, x * v1 - y * v0 + w * v2
            moved[n, t, 0] = v0 + 2 * (y * u2 - z * u1)
            moved[n, t, 1] = v1 + 2 * (z * u0 - x * u2)
            moved[n, t, 2] = v2 + 2 * (x * u1 - y * u0)
    return result, moved
