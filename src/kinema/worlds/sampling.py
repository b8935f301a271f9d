"""Places that stand for Gaussians, and the voxels they fall into: a kernel for `kinema.worlds.grounding`."""

from __future__ import annotations

import math

import numpy as np
from scipy.special import ndtri

from kinema.compiled import njit

STEPS = 1.0 / 1.22074408460575947536 ** np.arange(1, 4)
"""Steps of an even sequence in three dimensions (M. Roberts, "The Unreasonable Effectiveness of Quasirandom Sequences",
2018)."""

_ENTRIES = 8192
QUANTILES = ndtri(np.linspace(0.01, 0.99, _ENTRIES + 1))
"""Standard deviations of evenly spaced quantiles, the outermost left out; between two, samples are on a line."""

_SPREAD = 0x9E3779B97F4A7C1  # odd, so that numbers in a row are spread over a table (D. Knuth, 1973)


@njit
def sample(means, axes, counts, shift, above, own, low, bottom, cell, layer, shape, stride):
    """What samples of Gaussians fill.

    Args:
        means: `[N, 3]`, metres. axes: `[N, 3, 3]`: columns as long as the standard deviations along them.
        counts: `[N]`: samples of each. shift: `[N, 3]`: where each begins in the even sequence, 0 to 1.
        above, own: `[N]`: areas of one sample of each, seen from above and its own, square metres.
        low: x and z of the first column. bottom: height of the first layer. cell, layer: sizes of a voxel, metres.
        shape: rows, columns and layers. stride: from the number of a voxel to that of the one in the next column.

    Returns:
        Numbers of voxels `[V]` in any order, and sums `[V, 3]` of both areas and of the first times the height.
    """
    rows, columns, layers = shape
    table, numbers, sums, held = np.full(1 << 16, -1), np.empty(1 << 15, np.int64), np.zeros((1 << 15, 3)), 0
    for n in range(len(counts)):
        for k in range(counts[n]):
            x, y, z = means[n, 0], means[n, 1], means[n, 2]
            for part in range(3):
                place = _ENTRIES * ((k * STEPS[part] + shift[n, part]) % 1.0)
                entry = int(place)
                away = QUANTILES[entry] + (place - entry) * (QUANTILES[entry + 1] - QUANTILES[entry])
                x, y, z = x + away * axes[n, 0, part], y + away * axes[n, 1, part], z + away * axes[n, 2, part]
            column, row = round((x - low[0]) / cell), round((z - low[1]) / cell)
            up = math.floor((y - bottom) / layer)
            if not (0 <= column < columns and 0 <= row < rows and 0 <= up < layers):
                continue
            number = (row * columns + column) * stride + up + 1
            at = _place_of(number, table, numbers)
            if table[at] < 0:
                if held == len(numbers):
                    table, numbers, sums = _doubled(table, numbers, sums)
                    at = _place_of(number, table, numbers)
                table[at], numbers[held], held = held, number, held + 1
            sums[table[at], 0] += above[n]
            sums[table[at], 1] += own[n]
            sums[table[at], 2] += above[n] * y
    return numbers[:held], sums[:held]


@njit
def _place_of(number, table, numbers):
    """Where a number is in a table of places in `numbers`, or where it can be put; places are tried in turn."""
    at = (number * _SPREAD >> 20) & (len(table) - 1)
    while table[at] >= 0 and numbers[table[at]] != number:
        at = (at + 1) & (len(table) - 1)
    return at


@njit
def _doubled(table, numbers, sums):
    """The same with room for twice as many."""
    count = len(numbers)
    more, larger, longer = np.full(2 * len(table), -1), np.empty(2 * count, np.int64), np.zeros((2 * count, 3))
    for place in range(count):
        larger[place] = numbers[place]
        for column in range(3):
            longer[place, column] = sums[place, column]
        more[_place_of(numbers[place], more, larger)] = place
    return more, larger, longer
