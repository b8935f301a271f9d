"""Plants feet where a generated motion says that they stand, on any rig.

A limb of any number of joints is turned at two of them, its top and the one that divides it best, as if it were two
bones: the angle between them gives the distance, the top the direction. The rest of the limb keeps its shape, and the
foot its orientation. For when and where a foot stands see `kinema.generation.footing`, for how it goes from one place
to the next `kinema.generation.strides`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from kinema import rotations
from kinema.arrays import Bools, Floats, Singles
from kinema.generation.channels import CONTACT, PLACE, TURN, UPRIGHT_6D, Start, ground_path, hips_positions
from kinema.generation.footing import SHORTEST, PlantedLimb, find_limb, stands
from kinema.generation.rig import AnyRig
from kinema.generation.strides import Stand, stride
from kinema.mocap.contacts import drop_short

_REACH = 0.999  # share of the length of a limb to which it is stretched


def plant(rig: AnyRig, channels: Singles) -> Singles:
    """Channels `[F, K, CHANNELS]` whose planted joints stand still on the ground where the contact channel says so.

    Contacts that are too short, or for which a foot would be out of reach, are none, and are no longer called so.
    """
    planted = drop_short(channels[..., CONTACT][..., 0] > 0.5, SHORTEST)
    limbs = found_limbs(rig, np.flatnonzero(planted.any(axis=0)))

    def goal(limb: PlantedLimb, positions: Floats) -> Floats:
        found = stands(limb, positions, planted[:, limb.end])
        planted[:, limb.end] = standing(found, len(planted))
        return stride(positions[:, limb.end], found, limb.length)

    return with_contacts(put_feet(rig, channels, limbs, goal), planted, limbs)


def found_limbs(rig: AnyRig, feet: Iterable[int]) -> list[PlantedLimb]:
    """The limbs of those feet that have one."""
    return [limb for foot in feet if (limb := find_limb(rig, int(foot)))]


def standing(found: Sequence[Stand], frames: int) -> Bools:
    """In which of so many frames a foot stands, `[F]`."""
    planted = np.zeros(frames, np.bool_)
    for stand in found:
        planted[max(stand.first, 0) : max(stand.stop, 0)] = True
    return planted


def with_contacts(channels: Singles, planted: Bools, limbs: Sequence[PlantedLimb]) -> Singles:
    """Channels `[F, K, CHANNELS]` that call feet planted when they are, `[F, K]`."""
    if not limbs:
        return channels
    feet = [limb.end for limb in limbs]
    out = channels.copy()
    out[:, feet, CONTACT] = planted[:, feet, None]
    return out


def put_feet(
    rig: AnyRig,
    channels: Singles,
    limbs: Sequence[PlantedLimb],
    goal: Callable[[PlantedLimb, Floats], Floats],
    start: Start | None = None,
) -> Singles:
    """Channels `[F, K, CHANNELS]` with feet at goals.

    Args:
        limbs: those that end in the feet.
        goal: where the foot of each is to be, `[F, 3]`, units, from where all joints are, `[F, K, 3]`.
        start: where the first frame is; goals are in the same world.
    """
    if not limbs:
        return channels
    path, heading = ground_path(channels, rig, start)
    local = rotations.from_6d(channels[..., TURN] + UPRIGHT_6D).astype(np.float32)
    local[:, 0] = rotations.multiply(rotations.from_yaw(heading), local[:, 0])
    hips = hips_positions(rig, channels, path)
    for limb in limbs:
        turns, positions = rig.forward(local, hips)
        _reach(rig, limb, local, turns, positions, goal(limb, positions.astype(np.float64)))
    out = channels.copy()
    _, positions = rig.forward(local, hips)
    local[:, 0] = rotations.multiply(rotations.from_yaw(-heading), local[:, 0])
    out[..., TURN] = rotations.to_6d(local) - UPRIGHT_6D
    around = rotations.rotate_yaw(-heading[:, None], positions - positions[:, :1])
    out[..., PLACE] = around + rig.rest_positions[0] - rig.rest_positions
    return out


def _reach(rig: AnyRig, limb: PlantedLimb, local: Singles, turns: Singles, positions: Singles, goal: Floats) -> None:
    """Turns a limb, in `local`, so that its end is at `goal` `[F, 3]`, with the foot oriented as before."""
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
