"""The contact pass: feet that stand in the source stand in the target, at one place, and legs reach them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from kinema import rotations
from kinema.ik.two_bone import bend_forward, two_bone
from kinema.retargeting.limbs import Limb
from kinema.skeleton import Skeleton

Floats = NDArray[np.float32]

EASE = 0.35  # seconds into and out of a contact
STRETCH = 0.97  # of a leg's length, to which it is stretched by a contact
FOLDED = 1.1  # times as far as the bones of a leg allow, it is folded at most
SETTLE = 0.25  # seconds over which the hips sink for a leg that is too short, each side
LIFT = 0.12  # seconds over which a foot is lifted out of the ground, each side
_ON_GROUND = 0.02  # of the leg: a foot that is lower above where it stands is on the ground
_MOST_BIAS = 0.4  # of the leg
_LEAST = 0.05  # of the leg: knees that are nearer to the line turn to where they bend


@dataclass(frozen=True, eq=False)
class Standing:
    """What one leg of the source does, in the size of the target.

    Attributes:
        stands: bool `[F]`.
        heights: `[F]`, metres: of the touching joint above where it stands; negative in the ground.
    """

    stands: NDArray[np.bool_]
    heights: Floats


def runs(state: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """First and one past the last frame of each run of true."""
    change = np.flatnonzero(np.diff(np.concatenate([[False], state, [False]]).astype(np.int8)))
    return list(zip(change[::2].tolist(), change[1::2].tolist(), strict=True))


def _hermite(start: Floats, end: Floats, leaving: Floats, arriving: Floats, frames: int) -> Floats:
    """The frames strictly between two: a cubic with given values and slopes (a frame) at its ends, `[N, 3]`."""
    t = (np.arange(1, frames, dtype=np.float32) / frames)[:, None]
    t2, t3 = t * t, t * t * t
    curve = (2 * t3 - 3 * t2 + 1) * start + (3 * t2 - 2 * t3) * end
    return (curve + ((t3 - 2 * t2 + t) * leaving + (t3 - t2) * arriving) * frames).astype(np.float32)


def corrections(points: Floats, standing: Standing, clearance: float, fps: float) -> Floats:
    """What to add `[F, 3]` to the path of a touching joint so that it stands still while it stands.

    Inside a contact the sum is one place: the middle of where the joint was, at the height of the source's foot above
    its ground. Between contacts the correction passes over smoothly, with the slope that a standing foot needs.

    Args:
        points: `[F, 3]`, metres, of the touching joint after the closed-form pass.
        clearance: height of that joint above the ground while it stands.
    """
    frames = len(points)
    out = np.zeros((frames, 3), np.float32)
    spans = runs(standing.stands)
    if not spans:
        return out
    slope = -np.gradient(points, axis=0) if frames > 1 else np.zeros_like(points)
    for begin, end in spans:
        place = np.median(points[begin:end], axis=0)
        place[1] = clearance + max(float(np.median(standing.heights[begin:end])), 0.0)
        out[begin:end] = place - points[begin:end]
    ease, zero = max(round(EASE * fps), 1), np.zeros(3, np.float32)
    after = [(span[1] - 1, following[0]) for span, following in pairwise(spans)]
    for last, first in after:
        if first - last <= 3 * ease:
            out[last + 1 : first] = _hermite(out[last], out[first], slope[last], slope[first], first - last)
    leaving = [last for last, first in after if first - last > 3 * ease] + [spans[-1][1] - 1]
    arriving = [first for last, first in after if first - last > 3 * ease] + [spans[0][0]]
    for last in leaving:
        curve = _hermite(out[last], zero, slope[last], zero, ease)
        stop = min(last + 1 + len(curve), frames)
        out[last + 1 : stop] = curve[: stop - last - 1]
    for first in arriving:
        curve = _hermite(zero, out[first], zero, slope[first], ease)
        begin = max(first - len(curve), 0)
        out[begin:first] = curve[len(curve) - (first - begin) :]
    return out


def lift(depths: Floats, stands: NDArray[np.bool_], fps: float) -> Floats:
    """How far to lift a foot `[F]` that is `depths` `[F]` in the ground: smoothly, and not while it stands."""
    from scipy.ndimage import distance_transform_edt

    if not (depths > 0).any():
        return np.zeros_like(depths)
    near = distance_transform_edt(~stands) if stands.any() else np.full(len(stands), np.inf)
    share = np.clip(np.asarray(near) / max(LIFT * fps, 1.0), 0.0, 1.0)
    return (settle(np.where(stands, 0.0, np.maximum(depths, 0.0)), fps, LIFT) * share * share * (3 - 2 * share)).astype(
        np.float32
    )


def settle(needed: Floats, fps: float, seconds: float = SETTLE) -> Floats:
    """A smooth curve `[F]` that is nowhere below `needed` `[F]`: its maximum around each frame, smoothed."""
    from scipy.ndimage import convolve1d, maximum_filter1d

    width = max(round(seconds * fps), 1)
    window = np.hanning(2 * width + 3)[1:-1]
    highest = maximum_filter1d(needed, 2 * width + 1, mode="nearest")
    return convolve1d(highest, window / window.sum(), mode="nearest").astype(np.float32)


def plant(
    skeleton: Skeleton,
    local_rotations: Floats,
    global_rotations: Floats,
    global_positions: Floats,
    legs: Sequence[Limb],
    standing: Sequence[Standing],
    clearances: Sequence[float],
    soft: Sequence[float],
    fps: float,
) -> tuple[Floats, Floats]:
    """Put the feet of a motion where they stand.

    Args:
        skeleton: the target.
        local_rotations: `[F, J, 4]`; not changed.
        global_rotations, global_positions: of the same poses, `[F, J, 4]` and `[F, J, 3]`, metres.
        legs, standing, clearances, soft: of each leg, what it is, what it does, how high it touches, and over which
            share of its length its reach ends softly.
        fps: frames per second.

    Returns:
        New local rotations `[F, J, 4]` and how far the hips sink `[F]`, metres.
    """
    frames = len(local_rotations)
    paths = [leg.path(global_rotations, global_positions) for leg in legs]
    biases = [_bias(*each) for each in zip(legs, paths, standing, clearances, strict=True)]
    lowered = float(np.mean(biases))
    wanted: list[Floats] = []
    needed, raised = np.zeros((2, frames), np.float32)
    for leg, points, bias, state, clearance, zone in zip(legs, paths, biases, standing, clearances, soft, strict=True):
        ends, tops = leg.ends(global_rotations, global_positions), global_positions[:, leg.upper].copy()
        tops[:, 1] -= lowered
        moved = points.copy()
        moved[:, 1] -= bias
        moved += corrections(moved, state, clearance, fps)
        lowest = (clearance + np.minimum(state.heights, 0.0)).astype(np.float32)
        moved[:, 1] += lift(lowest - moved[:, 1], state.stands, fps)
        goal = (moved - (points - ends)).astype(np.float32)
        wanted.append(goal)
        reach = np.maximum(STRETCH * leg.length, np.linalg.norm(ends - global_positions[:, leg.upper], axis=-1))
        if zone > 0:  # what stands keeps its place before the reach ends softly
            reach = np.where(state.stands, (1.0 - zone) * leg.length, reach)
        level = np.sum((goal - tops)[:, [0, 2]] ** 2, axis=-1)
        folded = np.sqrt(np.maximum(_least_reach(leg, global_positions) ** 2 - level, 0.0))
        raised = np.maximum(raised, np.where(folded > 0, np.clip(folded - (tops - goal)[:, 1], 0.0, folded), 0.0))
        sink = (tops - goal)[:, 1] - np.sqrt(np.maximum(reach**2 - level, 0.0))
        far = np.linalg.norm(goal - tops, axis=-1) > reach
        sink = np.where(far & (level < reach**2), np.clip(sink, 0.0, 0.25 * leg.length), 0.0)
        needed = np.maximum(needed, sink)
    sinks = lowered + (settle(needed, fps) if needed.any() else needed)
    sinks = sinks - (settle(raised, fps) if raised.any() else raised)
    down = np.zeros((frames, 3), np.float32)
    down[:, 1] = sinks
    out = local_rotations.copy()
    for leg, goal, zone in zip(legs, wanted, soft, strict=True):
        _solve(skeleton, out, global_rotations, global_positions, leg, goal + down, zone)
    return out, sinks


def _least_reach(leg: Limb, placed: Floats) -> float:
    """From the top of a leg to its end when it is folded as far as it goes, metres."""
    thigh = float(np.linalg.norm(placed[0, leg.lower] - placed[0, leg.upper]))
    return FOLDED * abs(2.0 * thigh - leg.length)


def _bias(leg: Limb, points: Floats, state: Standing, clearance: float) -> float:
    """How much too high a leg touches when the source's foot is on the ground, metres: of bodies of other build."""
    near = state.stands | (state.heights < _ON_GROUND * leg.top)
    if not near.any():
        return 0.0
    off = float(np.median((points[:, 1] - clearance - np.maximum(state.heights, 0.0))[near]))
    return float(np.clip(off, -_MOST_BIAS * leg.top, _MOST_BIAS * leg.top))


def bend_direction(knee: Floats, end: Floats, front: Floats, length: float) -> Floats:
    """Direction `[F, 3]`, any length, in which the middle joint of a leg bends: its own, but never against its hinge.

    A leg that is straight for a moment would otherwise bend to any side, and jump from one to the other.
    """
    line = rotations.normalize_vector(end)
    bend = knee - np.sum(knee * line, axis=-1, keepdims=True) * line
    front = rotations.normalize_vector(front - np.sum(front * line, axis=-1, keepdims=True) * line)
    return bend_forward(bend, front, np.float32(_LEAST * length))


def _solve(
    skeleton: Skeleton, local: Floats, turned: Floats, placed: Floats, leg: Limb, goal: Floats, soft: float
) -> None:
    """Write the local rotations of a leg whose end reaches `goal` `[F, 3]` (hips at their old height)."""
    top, knee, end = placed[:, leg.upper], placed[:, leg.lower], leg.ends(turned, placed)
    bend = bend_direction(knee - top, end - top, rotations.rotate(turned[:, leg.upper], leg.front), leg.length)
    upper, lower = two_bone(turned[:, leg.upper], turned[:, leg.lower], top, knee, end, goal, bend, soft)
    new = {leg.upper: upper, leg.lower: lower}
    posed(skeleton, local, turned, new if leg.end is None else new | {leg.end: turned[:, leg.end]})


def posed(skeleton: Skeleton, local: Floats, turned: Floats, new: Mapping[int, Floats]) -> None:
    """Write local rotations `[F, J, 4]` of joints of one limb whose global ones are to be `new`.

    Args:
        turned: global rotations `[F, J, 4]` before; what lies between two joints of the limb turns with the first.
    """
    for joint in sorted(new):
        parent = int(skeleton.parents[joint])
        carrier = turned[:, parent] if parent >= 0 else rotations.identity((len(turned),), turned)
        above = next((a for a in skeleton.ancestors(joint) if a in new), None)
        if above is not None:
            carrier = rotations.multiply(new[above], rotations.relative(turned[:, above], carrier))
        local[:, joint] = rotations.relative(carrier, new[joint])
