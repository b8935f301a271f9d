"""Minutes of streaming: whether the motion gets worse, whether limbs keep their length, and what it costs."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from kinema.arrays import Singles
from kinema.generation.ahead import Make
from kinema.generation.channels import FPS, decode
from kinema.generation.feet import RigFeet
from kinema.generation.rig import AnyRig
from kinema.generation.takes import Takes
from kinema.generation.trends import Trend, trends
from kinema.generation.wishes import Wish

_CHUNK = 900  # frames that are decoded at once


@dataclass(frozen=True, eq=False)
class Endurance:
    """A long stream, measured.

    Attributes:
        trends: see `kinema.generation.trends.trends`.
        limb_error: largest difference of a bone's length from that at rest, in any frame, over its length at rest.
        frames: number of frames.
        frames_per_second: frames made in a second of processor time, of all threads.
    """

    trends: dict[str, Trend]
    limb_error: float
    frames: int
    frames_per_second: float


def endure(
    make: Make,
    rig: AnyRig,
    wishes: Sequence[Wish],
    seconds: float,
    feet: RigFeet | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Endurance:
    """Stream for a while, with wishes that follow each other and begin again.

    Args:
        make: the next patch for a wish, such as `PlantedStream.next`.
        wishes: each with its `seconds`.
        seconds: at least three blocks of `trends.BLOCK_SECONDS`.
        feet: see `trends`.
        progress: called with frames made and frames in all.

    Raises:
        UsageError: it is too short.
    """
    wanted, frames = round(seconds * FPS), 0
    ends = np.cumsum([each.seconds or 0.0 for each in wishes])
    pieces: list[Singles] = []
    began = time.process_time()
    while frames < wanted:
        now = frames / FPS % max(float(ends[-1]), 1.0 / FPS)
        pieces.append(make(wishes[min(int(np.searchsorted(ends, now, "right")), len(wishes) - 1)]))
        frames += len(pieces[-1])
        if progress is not None:
            progress(min(frames, wanted), wanted)
    spent = time.process_time() - began
    channels = np.concatenate(pieces)[:wanted]
    return Endurance(
        trends(Takes(rig, channels[None]), feet), limb_error(rig, channels), wanted, frames / max(spent, 1e-9)
    )


def limb_error(rig: AnyRig, channels: Singles) -> float:
    """Largest difference of a bone's length from that at rest, in channels `[F, K, CHANNELS]`, over its length at
    rest. Bones of less than a thousandth of a unit are left out."""
    rest = np.linalg.norm(rig.offsets[1:], axis=-1)
    bones = rest > 1e-3
    if not bones.any():
        return 0.0
    worst = 0.0
    for begin in range(0, len(channels), _CHUNK):
        places = decode(rig, channels[begin : begin + _CHUNK])[:].model_positions[:, rig.joints] / rig.unit
        lengths = np.linalg.norm(places[:, 1:] - places[:, rig.parents[1:]], axis=-1)
        worst = max(worst, float((np.abs(lengths - rest)[:, bones] / rest[bones]).max()))
    return worst
