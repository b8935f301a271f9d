"""Rolling hills from seeded noise, without end."""

from __future__ import annotations

import numpy as np

from kinema.arrays import Floats
from kinema.errors import UsageError
from kinema.terrain.heightmap import Heightmap, check_cell, check_size

_LEVEL_RADIUS = 0.75  # of a wavelength: around the origin the hills rise from level ground


def hills(
    seed: int = 0,
    height: float = 1.0,
    wavelength: float = 6.0,
    *,
    octaves: int = 3,
    size: float = 48.0,
    cell: float = 0.2,
    level_start: bool = True,
) -> Heightmap:
    """Hills of gradient noise (Perlin, "An Image Synthesizer", 1985) that repeat after `size` metres.

    Args:
        seed: same seed, same hills.
        height: metres from the lowest to the highest point.
        wavelength: metres between two hilltops, roughly.
        octaves: layers of noise; each has half the wavelength and height of the one before.
        size: metres after which the hills repeat. It is rounded to wavelengths, of which there are at least two.
        cell: metres between two samples.
        level_start: the ground around the origin is level, at y = 0, as characters start there.

    Raises:
        UsageError: a size is not positive, or there would be too many samples.
    """
    check_cell(cell)
    if not (0 < height < np.inf and 0 < wavelength < np.inf and 0 < size < np.inf and 1 <= octaves <= 16):
        raise UsageError("hills need a height, a wavelength and a size above zero, and 1 to 16 octaves")
    waves = max(round(min(size / wavelength, 1e6)), 2)
    count = max(round(min(waves * wavelength / cell, 1e6)), 4)
    check_size(count, count)
    place = np.arange(count) * (waves / count)  # in wavelengths
    random = np.random.default_rng(seed)
    heights = sum(0.5**octave * _noise(random, waves * 2**octave, place * 2**octave) for octave in range(octaves))
    heights = np.asarray(heights) * (height / max(float(np.ptp(heights)), 1e-12))
    heights -= heights[0, 0]
    if level_start:
        away = np.minimum(place, waves - place)
        share = np.clip(np.hypot(away[:, None], away) / _LEVEL_RADIUS, 0, 1)
        heights = heights * (share * share * (3 - 2 * share))
    return Heightmap(heights.astype(np.float32), waves * wavelength / count, (0.0, 0.0), "repeat")


def _noise(random: np.random.Generator, period: int, place: Floats) -> Floats:
    """Gradient noise `[N, N]` with a lattice of `period` random directions, at places `[N]` along both axes."""
    angles = random.uniform(0, 2 * np.pi, (period, period))
    low = np.floor(place).astype(np.int64)
    offset = place - low
    weight = offset**3 * (offset * (6 * offset - 15) + 10)
    total = np.zeros((len(place), len(place)))
    for dz in (0, 1):
        for dx in (0, 1):
            angle = angles[np.ix_((low + dz) % period, (low + dx) % period)]
            value = np.cos(angle) * (offset - dx) + np.sin(angle) * (offset[:, None] - dz)
            weight_z, weight_x = (weight if there else 1 - weight for there in (dz, dx))
            total += weight_z[:, None] * weight_x * value
    return total
