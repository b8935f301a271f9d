"""Brings feet to where they are to be, on any rig.

A limb of any number of joints is turned at two of them, its top and the one that divides it best, as if it were two
bones: the angle between them gives the distance, the top the direction. The rest of the limb keeps its shape. So does
the foot, all that hangs on the ankle, and it keeps its orientation unless it is told to turn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from kinema import rotations
from kinema.arrays import Floats, Singles
from kinema.generation.channels import PLACE, TURN, UPRIGHT_6D, Start, ground_path, hips_positions
from kinema.generation.rig import AnyRig
from kinema.generation.soles import PlantedLimb, RigidFoot

_RIGID = 0.01  # weight of keeping the orientation of a foot, against that of bringing its ends to their goals
_UNASKED = 0.01  # weight of ends that need not be anywhere
_REACH = 0.999  # share of the length of a limb to which it is stretched


Aim = Callable[[RigidFoot, Floats], tuple[Floats, Floats | None]]
"""Where the ankle of a foot is to be, `[F, 3]` units, and rotations of the foot `[F, 4]` in the world, None for none,
from where all joints are, `[F, K, 3]`."""


def reach(rig: AnyRig, channels: Singles, feet: Sequence[RigidFoot], aim: Aim, start: Start | None = None) -> Singles:
    """Channels `[F, K, CHANNELS]` with feet where they are to be.

    Args:
        start: where the first frame is; aims are in the same world.
    """
    if not feet:
        return channels
    local, hips = posed(rig, channels, start)
    for foot in feet:
        turns, positions = rig.forward(local, hips)
        goal, tilt = aim(foot, positions.astype(np.float64))
        if tilt is not None:
            turns[:, foot.limb.end] = rotations.multiply(tilt, turns[:, foot.limb.end])
        _reach(rig, foot.limb, local, turns, positions, goal)
    out = channels.copy()
    _, positions = rig.forward(local, hips)
    _, heading = ground_path(channels, rig, start)
    local[:, 0] = rotations.multiply(rotations.from_yaw(-heading), local[:, 0])
    out[..., TURN] = rotations.to_6d(local) - UPRIGHT_6D
    around = rotations.rotate_yaw(-heading[:, None], positions - positions[:, :1])
    out[..., PLACE] = around + rig.rest_positions[0] - rig.rest_positions
    return out


def meeting(way: Callable[[PlantedLimb, Floats], tuple[Floats, Floats]]) -> Aim:
    """The aim of feet each end of which has a way `[F, 3]`, with weights `[F]`, from where all joints are."""

    def aim(foot: RigidFoot, positions: Floats) -> tuple[Floats, Floats | None]:
        ways, weights = zip(*(way(limb, positions) for limb in foot.limbs), strict=True)
        return fitted(foot, positions, np.stack(ways, axis=1), np.stack(weights, axis=1))

    return aim


def fitted(foot: RigidFoot, positions: Floats, goals: Floats, weights: Floats) -> tuple[Floats, Floats | None]:
    """The aim with which what can be planted is as near as it can be to goals; the foot is rigid.

    Args:
        positions: `[F, K, 3]` of all joints. goals: `[F, N, 3]` and weights `[F, N]` of the ends of the foot.
    """
    ankle, ends = positions[:, foot.limb.end], positions[:, foot.ends]
    if len(foot.ends) == 1:
        return ankle + goals[:, 0] - ends[:, 0], None
    share = (weights + _UNASKED) / (weights + _UNASKED).sum(axis=1, keepdims=True)
    middle, goal = ((share[..., None] * each).sum(axis=1) for each in (ends, goals))
    arms, wanted = ends - middle[:, None], goals - goal[:, None]
    size = np.maximum(np.square(arms).sum(axis=(1, 2)), 1e-12)
    spread = (weights[..., None] * wanted).swapaxes(1, 2) @ arms + (_RIGID * size)[:, None, None] * np.eye(3)
    tilt = rotations.nearest(spread)
    return goal + rotations.rotate(tilt, ankle - middle), tilt


def posed(rig: AnyRig, channels: Singles, start: Start | None = None) -> tuple[Singles, Singles]:
    """Rotations `[F, K, 4]` from the parents' and places `[F, 3]` of the hips in the world, units."""
    path, heading = ground_path(channels, rig, start)
    local = rotations.from_6d(channels[..., TURN] + UPRIGHT_6D).astype(np.float32)
    local[:, 0] = rotations.multiply(rotations.from_yaw(heading), local[:, 0])
    return local, hips_positions(rig, channels, path)


def _reach(rig: AnyRig, limb: PlantedLimb, local: Singles, turns: Singles, positions: Singles, goal: Floats) -> None:
    """Turns a limb, in `local`, so that its end is at `goal` `[F, 3]`, oriented as in `turns`."""
    top, middle, end = (positions[:, joint].astype(np.float64) for joint in (limb.top, limb.middle, limb.end))
    line = goal - top
    bend = np.tile([1.0, 0.0, 0.0, 0.0], (len(top), 1))
    if limb.middle != limb.top:
        bend = _bend(top, middle, end, np.linalg.norm(line, axis=-1))
        end = middle + rotations.rotate(bend, end - middle)
        _turn(rig, local, turns, limb.middle, bend)
    swing = rotations.between(end - top, line)
    _turn(rig, local, turns, limb.top, swing)
    moved = rotations.multiply(swing, bend) if limb.middle != limb.top else swing
    upper = rotations.multiply(moved, turns[:, rig.parents[limb.end]])
    local[:, limb.end] = rotations.relative(upper, turns[:, limb.end])


def _bend(top: Floats, middle: Floats, end: Floats, distance: Floats) -> Floats:
    """Rotations `[F, 4]` of the lower part of a limb, in the world, after which its end is so far from the top."""
    upper, lower = top - middle, end - middle
    a, b = (np.maximum(np.linalg.norm(each, axis=-1), 1e-9) for each in (upper, lower))
    distance = np.clip(distance, np.abs(a - b) / _REACH + 1e-6, _REACH * (a + b))
    wanted = np.arccos(np.clip((a * a + b * b - distance * distance) / (2 * a * b), -1, 1))
    now = np.arccos(np.clip((upper * lower).sum(-1) / (a * b), -1, 1))
    axis = np.cross(upper, lower)
    return rotations.from_axis_angle(rotations.normalize_vector(axis, (1.0, 0.0, 0.0)), wanted - now)


def _turn(rig: AnyRig, local: Singles, turns: Singles, joint: int, rotation: Floats) -> None:
    """Turns a joint by rotations `[F, 4]` in the world."""
    parent = int(rig.parents[joint])
    local[:, joint] = rotations.relative(turns[:, parent], rotations.multiply(rotation, turns[:, joint]))
