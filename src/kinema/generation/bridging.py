"""In-betweening measured: the error in a gap, against the truth and beside that of plain interpolation."""

from __future__ import annotations

import numpy as np

from kinema import rotations
from kinema.arrays import Singles
from kinema.errors import UsageError
from kinema.generation.channels import HEIGHT
from kinema.generation.generator import Known
from kinema.generation.request import Request
from kinema.generation.rig import AnyRig
from kinema.generation.takes import Takes
from kinema.generation.wishes import Wish

GAPS = (15, 30, 60)
"""Frames that are left out."""

CONTEXT = 16
"""Frames that are given on each side, at least."""


def middle_gap(frames: int, gap: int) -> slice:
    """The gap in the middle of a clip.

    Raises:
        UsageError: it leaves less than `CONTEXT` frames on a side.
    """
    begin = (frames - gap) // 2
    if begin < CONTEXT:
        raise UsageError(f"a gap of {gap} frames in a clip of {frames} leaves less than {CONTEXT} frames on each side")
    return slice(begin, begin + gap)


def bridge(rig: AnyRig, channels: Singles, action: str, gap: int, seed: int) -> tuple[Request, Takes, slice]:
    """A request to fill a gap in the middle of channels `[F, K, CHANNELS]`, with the truth and where the gap is.

    Raises:
        UsageError: it leaves less than `CONTEXT` frames on a side.
    """
    truth, missing = Takes(rig, channels[None]), middle_gap(len(channels), gap)
    root = np.ones(len(channels), np.bool_)
    root[missing] = False
    path, heading = truth.path
    way = np.concatenate([path[0], heading[0][:, None]], axis=-1)
    way[missing] = np.nan
    travel = root & np.append(root[1:], True)  # that of the last frame before the gap leads into it
    known = Known(np.where(root[:, None, None], channels, 0.0), np.repeat(root[:, None], rig.count, axis=1), travel)
    return Request(rig, len(channels), (Wish(action=action),), seed, known=known, path=way), truth, missing


def interpolated(takes: Takes, gap: slice) -> Singles:
    """Global positions `[N, gap, K, 3]`, units: over the gap, the hips move linearly and all joints turn by slerp."""
    ends = [gap.start - 1, gap.stop]
    share = (np.arange(1, gap.stop - gap.start + 1) / (gap.stop - gap.start + 1)).astype(np.float32)
    path, heading = takes.path
    turns = takes.local_turns[:, ends]
    turns[:, :, 0] = rotations.multiply(rotations.from_yaw(heading[:, ends]), turns[:, :, 0])
    height = takes.rig.rest_positions[0, 1] + takes.channels[:, ends, 0, HEIGHT][..., 0]
    hips = np.stack([path[:, ends, 0], height, path[:, ends, 1]], axis=-1)
    between = rotations.slerp(turns[:, :1], turns[:, 1:], share[None, :, None])
    way = hips[:, :1] + share[:, None] * (hips[:, 1:] - hips[:, :1])
    return takes.rig.forward(between.astype(np.float32), way.astype(np.float32))[1]


def gap_error(made: Singles, truth: Takes, gap: slice) -> float:
    """Mean distance of joints in the world from the truth, units.

    Args:
        made: global positions `[N, gap, K, 3]`, units.
    """
    return float(np.linalg.norm(made - truth.global_positions[:, gap], axis=-1).mean())
