"""The contact pass: feet that stand in the source stand in the target, in one place, and legs reach them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from kinema import rotations
from kinema.arrays import Bools, Singles
from kinema.ik.two_bone import bend_forward, two_bone
from kinema.mocap.contacts import runs
from kinema.pose import Pose
from kinema.retargeting.foot_paths import SOFT, LegPair
from kinema.retargeting.limbs import Limb, set_global_rotations

EASE = 0.35  # seconds into and out of a contact
STRETCH = 0.97  # of a leg's length, to which a contact stretches it
FOLDED = 1.1  # times the least distance that the bones of a leg allow between its ends
SETTLE = 0.25  # seconds over which the hips sink for a leg that is too short, each side
LIFT = 0.12  # seconds over which a foot is lifted out of the ground, each side
MOST_SUNK = 0.25  # of the leg
_PROJECTIONS = 8  # of the hips, for each leg
_ROUNDS = 3  # of smoothing what is still needed
_ON_GROUND = 0.02  # of the leg: a foot that is lower above where it stands is on the ground
_MOST_BIAS = 0.4  # of the leg
_LEAST = 0.05  # of the leg: a knee nearer to the line of its leg is led by its hinge


@dataclass(frozen=True, eq=False)
class LegContacts:
    """Contacts of one leg of the source.

    Attributes:
        ground: metres, height of its touching point while it stands.
        stands: bool `[F]`.
        heights: `[F]`, metres, scaled to the size of the target: of the touching point above where it stands.
    """

    ground: float
    stands: Bools
    heights: Singles


def _hermite(start: Singles, end: Singles, leaving: Singles, arriving: Singles, frames: int) -> Singles:
    """The frames strictly between two: a cubic with given values and slopes (per frame) at its ends, `[N, 3]`."""
    t = (np.arange(1, frames, dtype=np.float32) / frames)[:, None]
    t2, t3 = t * t, t * t * t
    curve = (2 * t3 - 3 * t2 + 1) * start + (3 * t2 - 2 * t3) * end
    return (curve + ((t3 - 2 * t2 + t) * leaving + (t3 - t2) * arriving) * frames).astype(np.float32)


def corrections(points: Singles, contacts: LegContacts, clearance: float, fps: float) -> Singles:
    """Offsets `[F, 3]` to add to the path of a touching point so that it stands still while it stands.

    Inside a contact the sum is one place: the median of where the point was, at the height of the source's foot above
    its ground. Between contacts the correction blends smoothly, with the slope that a standing foot needs.

    Args:
        points: `[F, 3]`, metres, of the touching point after the closed-form pass.
        clearance: height of that point above the ground while it stands.
    """
    frames = len(points)
    out = np.zeros((frames, 3), np.float32)
    spans = runs(contacts.stands)
    if not spans:
        return out
    slope = -np.gradient(points, axis=0) if frames > 1 else np.zeros_like(points)
    for begin, end in spans:
        place = np.median(points[begin:end], axis=0)
        place[1] = clearance + max(float(np.median(contacts.heights[begin:end])), 0.0)
        out[begin:end] = place - points[begin:end]
    ease = max(round(EASE * fps), 1)
    _leave(out, slope, spans[-1][1] - 1, ease)
    _arrive(out, slope, spans[0][0], ease)
    for (_, stop), (first, _) in pairwise(spans):
        last = stop - 1
        if first - last <= 3 * ease:
            out[last + 1 : first] = _hermite(out[last], out[first], slope[last], slope[first], first - last)
        else:
            _leave(out, slope, last, ease)
            _arrive(out, slope, first, ease)
    return out


def _leave(out: Singles, slope: Singles, last: int, ease: int) -> None:
    """Ease the correction out after the last frame of a contact."""
    zero = np.zeros(3, np.float32)
    curve = _hermite(out[last], zero, slope[last], zero, ease)
    stop = min(last + 1 + len(curve), len(out))
    out[last + 1 : stop] = curve[: stop - last - 1]


def _arrive(out: Singles, slope: Singles, first: int, ease: int) -> None:
    """Ease the correction in before the first frame of a contact."""
    zero = np.zeros(3, np.float32)
    curve = _hermite(zero, out[first], zero, slope[first], ease)
    begin = max(first - len(curve), 0)
    out[begin:first] = curve[len(curve) - (first - begin) :]


def lift(depths: Singles, stands: Bools, fps: float) -> Singles:
    """How far to lift a foot `[F]` that is `depths` `[F]` below the ground: smoothly, and not while it stands."""
    from scipy.ndimage import distance_transform_edt

    if not (depths > 0).any():
        return np.zeros_like(depths)
    near = distance_transform_edt(~stands) if stands.any() else np.full(len(stands), np.inf)
    share = np.clip(np.asarray(near) / max(LIFT * fps, 1.0), 0.0, 1.0)
    raised = settle(np.where(stands, 0.0, np.maximum(depths, 0.0)), fps, LIFT)
    return (raised * share * share * (3 - 2 * share)).astype(np.float32)


def settle(needed: Singles, fps: float, seconds: float = SETTLE) -> Singles:
    """A smooth curve `[F]` that is nowhere below `needed` `[F]`: its maximum around each frame, smoothed."""
    from scipy.ndimage import maximum_filter1d

    if not needed.any():
        return needed
    width = max(round(seconds * fps), 1)
    return _windowed(np.asarray(maximum_filter1d(needed, 2 * width + 1, mode="nearest"), np.float32), width)


def _settled_moves(needed: Singles, fps: float) -> Singles:
    """`settle` for moves `[F, 3]`: the longest one around each frame, smoothed."""
    width = max(round(SETTLE * fps), 1)
    padded = np.pad(needed, ((width, width), (0, 0)), mode="edge")
    around = np.lib.stride_tricks.sliding_window_view(np.linalg.norm(padded, axis=-1), 2 * width + 1)
    return _windowed(padded[np.arange(len(needed)) + around.argmax(axis=-1)], width)


def _windowed(values: Singles, width: int) -> Singles:
    """Weighted means of values `[F, ...]` over `width` frames to each side."""
    from scipy.ndimage import convolve1d

    window = np.hanning(2 * width + 3)[1:-1]
    return convolve1d(values, window / window.sum(), axis=0, mode="nearest").astype(np.float32)


def plant(pose: Pose, legs: Sequence[LegPair], contacts: Sequence[LegContacts], fps: float) -> tuple[Singles, Singles]:
    """Put the feet of a motion where they stand.

    Args:
        pose: poses `[F]` of the target.
        legs, contacts: pairs of legs, and the contacts of the source's.
        fps: frames per second.

    Returns:
        New local rotations `[F, J, 4]` and how far the hips move `[F, 3]`, metres.
    """
    pairs = list(zip(legs, contacts, strict=True))
    biases = [_bias(leg, leg.target.path(pose), state) for leg, state in pairs]
    lowered = float(np.mean(biases))
    goals = [_goal(pose, leg, state, bias, fps) for (leg, state), bias in zip(pairs, biases, strict=True)]
    reaches = [_reach(pose, leg, state) for leg, state in pairs]
    lines = [goal - pose.global_positions[:, leg.target.upper] for leg, goal in zip(legs, goals, strict=True)]
    moves = np.zeros((len(pose), 3), np.float32)
    moves[:, 1] = -lowered
    sunk, raised = np.zeros((2, len(pose)), np.float32)
    for leg, line, reach in zip(legs, lines, reaches, strict=True):
        sunk = np.maximum(sunk, _sink(leg.target, line - moves, reach))
        raised = np.maximum(raised, _raise(pose, leg.target, line - moves))
    moves[:, 1] += settle(raised, fps) - settle(sunk, fps)
    stands = np.stack([state.stands for state in contacts])
    moves += pull(np.stack(lines) - moves, np.where(stands, np.stack(reaches), np.inf), fps)
    out = np.array(pose.local_rotations)
    for leg, goal in zip(legs, goals, strict=True):
        _solve(out, pose, leg, goal - moves)  # the hips of `pose` are still at their old place
    return out, moves


def pull(lines: Singles, reaches: Singles, fps: float) -> Singles:
    """How far the hips have to move `[F, 3]`, metres, so that standing feet can be reached: smoothly over time.

    A body whose legs reach less far than those of the source cannot travel as far over its standing feet.

    Args:
        lines: `[L, F, 3]`, from the tops of the legs to where their feet should be.
        reaches: `[L, F]`, how long these lines may be.
    """
    moves = np.zeros_like(lines[0])
    for _ in range(_ROUNDS):
        needed = _nearest(lines - moves, reaches)
        if not needed.any():
            break
        moves += _settled_moves(needed, fps)
    return moves + _nearest(lines - moves, reaches)


def _nearest(lines: Singles, reaches: Singles) -> Singles:
    """The move `[F, 3]` of the tops after which no line is too long: projected onto what each leg allows in turn."""
    move = np.zeros_like(lines[0])
    for _ in range(_PROJECTIONS):
        for line, reach in zip(lines, reaches, strict=True):
            rest = line - move
            far = np.linalg.norm(rest, axis=-1, keepdims=True)
            move += rest * np.maximum(1.0 - reach[:, None] / np.maximum(far, 1e-9), 0.0)
    return move


def _bias(leg: LegPair, points: Singles, contacts: LegContacts) -> float:
    """How much too high a leg touches when the source's foot is on the ground, metres: of bodies of different build."""
    top = leg.target.top
    near = contacts.stands | (contacts.heights < _ON_GROUND * top)
    if not near.any():
        return 0.0
    off = float(np.median((points[:, 1] - leg.clearance - np.maximum(contacts.heights, 0.0))[near]))
    return float(np.clip(off, -_MOST_BIAS * top, _MOST_BIAS * top))


def _goal(pose: Pose, leg: LegPair, contacts: LegContacts, bias: float, fps: float) -> Singles:
    """Positions `[F, 3]` for the end of a leg whose foot stands where it stands and keeps out of the ground."""
    points = leg.target.path(pose)
    moved = points.copy()
    moved[:, 1] -= bias
    moved += corrections(moved, contacts, leg.clearance, fps)
    lowest = (leg.clearance + np.minimum(contacts.heights, 0.0)).astype(np.float32)
    moved[:, 1] += lift(lowest - moved[:, 1], contacts.stands, fps)
    return (moved - (points - leg.target.ends(pose))).astype(np.float32)


def _reach(pose: Pose, leg: LegPair, contacts: LegContacts) -> Singles:
    """How long the line of a leg `[F]` may be, metres."""
    limb = leg.target
    now = np.linalg.norm(limb.ends(pose) - pose.global_positions[:, limb.upper], axis=-1)
    reach = np.maximum(STRETCH * limb.length, now)
    if leg.path is not None:  # a standing foot keeps its place before the reach ends softly
        reach = np.where(contacts.stands, (1.0 - SOFT) * limb.length, reach)
    return reach.astype(np.float32)


def _sink(leg: Limb, line: Singles, reach: Singles) -> Singles:
    """How far the hips have to sink `[F]`, metres, for a leg that is too short for its line `[F, 3]`."""
    level = np.sum(line[:, [0, 2]] ** 2, axis=-1)
    needed = -line[:, 1] - np.sqrt(np.maximum(reach**2 - level, 0.0))
    far = np.linalg.norm(line, axis=-1) > reach
    return np.where(far & (level < reach**2), np.clip(needed, 0.0, MOST_SUNK * leg.length), 0.0)


def _raise(pose: Pose, leg: Limb, line: Singles) -> Singles:
    """How far the hips have to rise `[F]`, metres, for a leg that cannot fold so far."""
    positions = pose.global_positions
    thigh = float(np.linalg.norm(positions[0, leg.lower] - positions[0, leg.upper]))
    least = FOLDED * abs(2.0 * thigh - leg.length)
    level = np.sum(line[:, [0, 2]] ** 2, axis=-1)
    folded = np.sqrt(np.maximum(least**2 - level, 0.0))
    return np.where(folded > 0, np.clip(folded + line[:, 1], 0.0, folded), 0.0)


def bend_direction(knee: Singles, end: Singles, front: Singles, length: float) -> Singles:
    """Direction `[F, 3]`, any length, in which the middle joint of a leg bends: its own, but never against its hinge.

    A leg that is straight for a moment would otherwise bend to any side, and jump from one to the other.

    Args:
        knee, end: `[F, 3]`, metres, relative to the top of the leg.
        front: `[F, 3]`, unit: where the hinge bends it. length: length of the leg, metres.
    """
    line = rotations.normalize_vector(end)
    bend = knee - np.sum(knee * line, axis=-1, keepdims=True) * line
    # The front of the upper bone turns with the hinge: in a folded leg it lies along the line.
    hinge = np.cross(knee, front)
    front = rotations.normalize_vector(np.cross(hinge, line).astype(np.float32))
    return bend_forward(bend, front, np.float32(_LEAST * length))


def _solve(local_rotations: Singles, pose: Pose, leg: LegPair, goal: Singles) -> None:
    """Write the local rotations of a leg whose end reaches `goal` `[F, 3]`; its foot keeps its global rotation."""
    limb, turns, positions = leg.target, pose.global_rotations, pose.global_positions
    top, knee, end = positions[:, limb.upper], positions[:, limb.lower], limb.ends(pose)
    bend = bend_direction(knee - top, end - top, rotations.rotate(turns[:, limb.upper], limb.front), limb.length)
    soft = 0.0 if leg.path is None else SOFT
    upper, lower = two_bone(turns[:, limb.upper], turns[:, limb.lower], top, knee, end, goal, bend, soft)
    new = {limb.upper: upper, limb.lower: lower}
    set_global_rotations(local_rotations, pose, new if limb.end is None else new | {limb.end: turns[:, limb.end]})
