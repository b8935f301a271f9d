"""Plants feet where a generated motion says that they stand, on any rig.

A limb of any number of joints is turned at two of them, its top and the one that divides it best, as if it were two
bones: the angle between them gives the distance, the top the direction. The rest of the limb keeps its shape, and the
foot its orientation. Where a foot would be out of reach, it comes as near as the limb can. For how it goes from one
place to the next see `kinema.generation.strides`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from kinema import rotations
from kinema.arrays import Bools, Floats, Singles
from kinema.generation.channels import CONTACT, PLACE, TURN, UPRIGHT_6D, Start, ground_path, hips_positions
from kinema.generation.rig import AnyRig
from kinema.generation.strides import Stand, stride
from kinema.mocap.contacts import drop_short, runs

SHORTEST = 3  # frames
_REACH = 0.999
_LEVEL = 0.01  # units by which the height of a standing foot may differ from that at rest


@dataclass(frozen=True)
class PlantedLimb:
    """A limb that ends in a foot: animated joints, from the body outwards.

    Attributes:
        top, middle: joints that are turned. end: the joint that is planted.
    """

    top: int
    middle: int
    end: int


def find_limb(rig: AnyRig, end: int) -> PlantedLimb | None:
    """The limb above a joint: up to where the body branches. None where there is nothing to turn."""
    children = np.bincount(rig.parents[1:], minlength=rig.count)
    line = [end]
    while (parent := int(rig.parents[line[-1]])) > 0 and (children[parent] == 1 or len(line) == 1):
        line.append(parent)
    line.reverse()
    if len(line) < 2:
        return None
    places = rig.rest_positions
    middles = line[1:-1]
    if not middles:
        return PlantedLimb(line[0], line[0], end)
    shorter = [
        min(np.linalg.norm(places[joint] - places[line[0]]), np.linalg.norm(places[end] - places[joint]))
        for joint in middles
    ]
    return PlantedLimb(line[0], middles[int(np.argmax(shorter))], end)


def plant(rig: AnyRig, channels: Singles) -> Singles:
    """Channels `[F, K, CHANNELS]` whose planted joints stand still on the ground where the contact channel says so.

    Contacts that are too short are none, and are no longer called so.
    """
    planted = drop_short(channels[..., CONTACT][..., 0] > 0.5, SHORTEST)
    feet = [foot for foot in np.flatnonzero(planted.any(axis=0)).tolist() if find_limb(rig, foot)]
    made = put_feet(rig, channels, feet, lambda foot, positions: _goals(rig, positions, planted[:, foot], foot))
    return with_contacts(made, planted, feet)


def with_contacts(channels: Singles, planted: Bools, feet: Sequence[int]) -> Singles:
    """Channels `[F, K, CHANNELS]` that call feet planted when they are, `[F, K]`."""
    if not feet:
        return channels
    out = channels.copy()
    out[:, feet, CONTACT] = planted[:, feet, None]
    return out


def put_feet(
    rig: AnyRig,
    channels: Singles,
    feet: Sequence[int],
    goal: Callable[[int, Floats], Floats],
    start: Start | None = None,
) -> Singles:
    """Channels `[F, K, CHANNELS]` with feet at goals.

    Args:
        feet: joints with limbs, see `find_limb`.
        goal: where each foot is to be, `[F, 3]`, units, from where it is.
        start: where the first frame is; goals are in the same world.
    """
    if not feet:
        return channels
    path, heading = ground_path(channels, rig, start)
    local = rotations.from_6d(channels[..., TURN] + UPRIGHT_6D).astype(np.float32)
    local[:, 0] = rotations.multiply(rotations.from_yaw(heading), local[:, 0])
    hips = hips_positions(rig, channels, path)
    for foot in feet:
        limb = find_limb(rig, foot)
        assert limb is not None
        turns, positions = rig.forward(local, hips)
        _reach(rig, limb, local, turns, positions, goal(foot, positions[:, foot].astype(np.float64)))
    out = channels.copy()
    _, positions = rig.forward(local, hips)
    local[:, 0] = rotations.multiply(rotations.from_yaw(-heading), local[:, 0])
    out[..., TURN] = rotations.to_6d(local) - UPRIGHT_6D
    around = rotations.rotate_yaw(-heading[:, None], positions - positions[:, :1])
    out[..., PLACE] = around + rig.rest_positions[0] - rig.rest_positions
    return out


def _goals(rig: AnyRig, positions: Floats, planted: Bools, foot: int) -> Floats:
    """Where a foot `[F, 3]` is to be: still during each contact, and on its way in between."""
    stands = [
        Stand.at(standing_place(rig, foot, positions[start:stop]), positions, start, stop)
        for start, stop in runs(planted)
    ]
    return stride(positions, stands, limb_length(rig, foot))


def limb_length(rig: AnyRig, foot: int) -> float:
    """Length of the bones of the limb that ends in a foot, in units."""
    limb = find_limb(rig, foot)
    assert limb is not None
    length, joint = 0.0, foot
    while joint != limb.top:
        length += float(np.linalg.norm(rig.offsets[joint]))
        joint = int(rig.parents[joint])
    return length


def standing_place(rig: AnyRig, foot: int, positions: Floats) -> Floats:
    """Where a foot stands `[3]` during a contact in which it is at positions `[N, 3]`: the mean of the middle half."""
    still = positions[len(positions) // 4 : len(positions) - len(positions) // 4].mean(axis=0)
    floor = rig.rest_positions[foot, 1]
    still[1] = np.clip(still[1], floor - _LEVEL, floor + _LEVEL)
    return still


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
