"""Long motion, block by block: whether it gets worse while it goes on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from kinema.arrays import Floats, Singles
from kinema.errors import UsageError
from kinema.generation.channels import FPS
from kinema.generation.feet import RigFeet
from kinema.generation.measures import Skate, jerk, percent
from kinema.generation.takes import Takes

BLOCK_SECONDS = 10.0

_SLOWEST, _FASTEST = 0.3, 10.0  # Hz; slower is the path, faster is noise
_CLEAR = 2.0  # standard errors
_MATTERS = 0.05  # of the mean a minute


@dataclass(frozen=True, eq=False)
class Trend:
    """A figure over time.

    Attributes:
        blocks: `[B]`, one for each block. slope: by how much it grows a minute, by least squares.
        spread: standard error of the slope.
    """

    blocks: Floats
    slope: float
    spread: float

    @staticmethod
    def of(blocks: Floats) -> Trend:
        """The trend of figures `[B]` of blocks that follow each other; at least three."""
        minutes = np.arange(len(blocks)) * BLOCK_SECONDS / 60.0
        centred = minutes - minutes.mean()
        slope = float(centred @ blocks / (centred @ centred))
        rest = blocks - blocks.mean() - slope * centred
        spread = float(np.sqrt(rest @ rest / (len(blocks) - 2) / (centred @ centred)))
        return Trend(blocks, slope, spread)

    @property
    def drifts(self) -> bool:
        """Whether it changes beyond its spread, and by more than a twentieth of its mean a minute."""
        return abs(self.slope) > max(_CLEAR * self.spread, _MATTERS * abs(float(self.blocks.mean())))


def trends(takes: Takes, feet: RigFeet | None) -> dict[str, Trend]:
    """Jerk (units / s^3), error of limbs (% of the diameter), frequency (Hz) and, with feet, skate (units / s) of a
    clip.

    Skate is that of feet near the ground, whatever the motion says of contact; 0 in blocks in which none is.

    Args:
        takes: one clip of at least three blocks.

    Raises:
        UsageError: it is shorter.
    """
    length = round(BLOCK_SECONDS * FPS)
    count = takes.frames // length
    if count < 3:
        raise UsageError(f"a trend needs {3 * BLOCK_SECONDS:g} seconds of motion, not {takes.frames / FPS:g}")
    whole = takes.channels[:1, : count * length]
    blocks = [Takes(takes.rig, each) for each in np.split(whole, count, axis=1)]
    figures: dict[str, Callable[[Takes], float]] = {
        "jerk": jerk,
        "limbs": limb_error,
        "frequency": dominant_frequency,
    }
    if feet is not None:
        figures["skate"] = lambda block: Skate.of(block, feet).low or 0.0
    return {name: Trend.of(np.asarray([figure(block) for block in blocks])) for name, figure in figures.items()}


def limb_error(takes: Takes) -> float:
    """Mean difference of the bones' lengths between stated positions from those at rest, % of the diameter."""
    positions = takes.stated_positions
    bones = np.linalg.norm(positions[:, :, 1:] - positions[:, :, takes.rig.parents[1:]], axis=-1)
    return percent(float(np.abs(bones - np.linalg.norm(takes.rig.offsets[1:], axis=-1)).mean()))


def dominant_frequency(takes: Takes) -> float:
    """The frequency, Hz, with most of the power of the joints' positions in the heading frame, of all clips."""
    positions: Singles = takes.model_positions - takes.model_positions.mean(axis=1, keepdims=True)
    windowed = positions * np.hanning(takes.frames)[:, None, None]
    power = np.square(np.abs(np.fft.rfft(windowed, n=4 * takes.frames, axis=1))).sum(axis=(0, 2, 3))
    hertz = np.fft.rfftfreq(4 * takes.frames, 1.0 / FPS)
    power[(hertz < _SLOWEST) | (hertz > _FASTEST)] = 0.0
    return float(hertz[power.argmax()])
