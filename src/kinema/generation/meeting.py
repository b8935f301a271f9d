"""Lets generated travel meet what is known around it, so that what follows a gap is where it was in the world."""

from __future__ import annotations

import numpy as np

from kinema import rotations
from kinema.arrays import Bools, Singles
from kinema.generation.channels import FPS, TRAVEL, Start, ground_path
from kinema.generation.rig import AnyRig
from kinema.mocap.contacts import runs


def met(
    rig: AnyRig, made: Singles, rooted: Bools, places: tuple[Singles, Singles], start: Start
) -> tuple[Singles, Start]:
    """Channels whose travel meets the places of the root after every gap, and where they start.

    Args:
        made: `[F, K, CHANNELS]`.
        rooted: `[F]`: frames at which the root has a place. start: where it begins if it has none.
        places: ground positions `[F, 2]`, units, and headings `[F]` at these frames; others do not matter.
    """
    out = made.copy()
    for begin, end in runs(~rooted):
        if begin > 0 and end < len(rooted):
            _meet(rig, out, places, begin - 1, end)
    known = np.flatnonzero(rooted)
    return out, _beginning(rig, out, places, int(known[0])) if len(known) else start


def _beginning(rig: AnyRig, channels: Singles, truth: tuple[Singles, Singles], frame: int) -> Start:
    """Where channels have to begin, so that their root is in its true place at a frame."""
    path, heading = ground_path(channels[: frame + 1], rig)
    turn = float(truth[1][frame] - heading[frame])
    sine, cosine = np.sin(turn), np.cos(turn)
    x, z = path[frame].tolist()
    way = np.asarray([x * cosine + z * sine, z * cosine - x * sine])
    x, z = ((truth[0][frame] - way) * rig.unit).tolist()
    return Start(x, z, turn)


def _meet(rig: AnyRig, channels: Singles, truth: tuple[Singles, Singles], first: int, last: int) -> None:
    """Changes the travel of frames `first` to `last` evenly, so that it leads from one true place to the other."""
    steps = last - first
    part = np.ascontiguousarray(channels[first : last + 1, :1])
    x, z = (truth[0][first] * rig.unit).tolist()
    begin = Start(x, z, float(truth[1][first]))
    _, heading = ground_path(part, rig, begin)
    part[:-1, 0, TRAVEL.stop - 1] += FPS / steps * float(rotations.wrap(truth[1][last] - heading[-1]))
    path, heading = ground_path(part, rig, begin)
    missing = np.tile(FPS / steps * (truth[0][last] - path[-1]), (steps, 1))
    sine, cosine = np.sin(heading[:-1]), np.cos(heading[:-1])
    part[:-1, 0, TRAVEL.start] += missing[:, 0] * cosine - missing[:, 1] * sine
    part[:-1, 0, TRAVEL.start + 1] += missing[:, 0] * sine + missing[:, 1] * cosine
    channels[first:last, 0, TRAVEL] = part[:-1, 0, TRAVEL]
