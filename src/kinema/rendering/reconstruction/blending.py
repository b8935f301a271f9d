"""Kernels that blend Gaussians from front to back, and carry gradients of a picture back to what is seen of them.

Instead of the mean depth these sum inverse depths: the inverse depth of a plane is linear in a perspective picture.
"""

from __future__ import annotations

import math

import numpy as np

from kinema.compiled import njit
from kinema.rendering.reconstruction.tiles import TILE
from kinema.rendering.splats.kernels import ENOUGH, MOST, NEAREST

_HALF, _ONE, _MOST, _ENOUGH, _NEAR = (np.float32(value) for value in (0.5, 1.0, MOST, ENOUGH, NEAREST))

CHANNELS = 5
"""Of a picture: red, green, blue, inverse depth (one over metres), and its square."""


@njit(nogil=True, fastmath=True)
def blend(ends, counts, lists, seen, named, colours, first, stop, sums, clear):
    """Blend tiles from `first` to `stop`, row by row.

    Args:
        ends: `[tiles down, tiles across]`, where the list of each tile ends. named: `[N]`, numbers of Gaussians.
        colours: `[G, 3]`, of all Gaussians.
        sums: float32 `[H, W, CHANNELS]`, clear: `[H, W]`: sums of what is seen, and what still comes through.
    """
    height, width = clear.shape
    across = ends.shape[1]
    for tile in range(first, stop):
        top, left = tile // across * TILE, tile % across * TILE
        bottom, right = min(top + TILE, height), min(left + TILE, width)
        for y in range(top, bottom):
            for x in range(left, right):
                clear[y, x] = 1.0
                for channel in range(CHANNELS):
                    sums[y, x, channel] = 0.0
        open_pixels = (bottom - top) * (right - left)
        end = ends[tile // across, tile % across]
        for at in range(end - counts[tile // across, tile % across], end):
            n = lists[at]
            cx, cy, rx, ry = seen[n, 0] - _HALF, seen[n, 1] - _HALF, seen[n, 9], seen[n, 10]
            a, b, c, opacity, fades = _HALF * seen[n, 5], seen[n, 6], _HALF * seen[n, 7], seen[n, 8], seen[n, 11]
            tilted = _ONE / seen[n, 2]
            sx, sy = seen[n, 3] * tilted, seen[n, 4] * tilted
            red, green, blue = colours[named[n], 0], colours[named[n], 1], colours[named[n], 2]
            for y in range(max(math.ceil(cy - ry), top), min(math.floor(cy + ry) + 1, bottom)):
                dy = np.float32(y) - cy
                for x in range(max(math.ceil(cx - rx), left), min(math.floor(cx + rx) + 1, right)):
                    through = clear[y, x]
                    if through < _ENOUGH:
                        continue
                    dx = np.float32(x) - cx
                    power = a * dx * dx + (c * dy + b * dx) * dy
                    if power > fades:
                        continue
                    share = min(opacity * math.exp(-power), _MOST)
                    weight = through * share
                    inverse = max(_ONE - sx * dx - sy * dy, _NEAR) * tilted
                    sums[y, x, 0] += weight * red
                    sums[y, x, 1] += weight * green
                    sums[y, x, 2] += weight * blue
                    sums[y, x, 3] += weight * inverse
                    sums[y, x, 4] += weight * inverse * inverse
                    through *= _ONE - share
                    clear[y, x] = through
                    if through < _ENOUGH:
                        open_pixels -= 1
            if open_pixels == 0:
                break


@njit(nogil=True, fastmath=True)
def pull(ends, counts, lists, seen, named, colours, first, stop, wanted, totals, given):
    """Add gradients of rows of `seen` to `given` `[N, GRADIENTS]` (see `projection`), from those of a picture.

    Args:
        wanted: float32 `[H, W, CHANNELS]`: gradients of the sums.
        totals: float32 `[H, W]`: the sums times their gradients, and what comes through times its own.
    """
    height, width = totals.shape
    across = ends.shape[1]
    clear, done = np.empty((TILE, TILE), np.float32), np.empty((TILE, TILE), np.float32)
    for tile in range(first, stop):
        top, left = tile // across * TILE, tile % across * TILE
        bottom, right = min(top + TILE, height), min(left + TILE, width)
        clear[:] = 1.0
        done[:] = 0.0
        open_pixels = (bottom - top) * (right - left)
        end = ends[tile // across, tile % across]
        for at in range(end - counts[tile // across, tile % across], end):
            n = lists[at]
            cx, cy, rx, ry = seen[n, 0] - _HALF, seen[n, 1] - _HALF, seen[n, 9], seen[n, 10]
            a, b, c, opacity, fades = seen[n, 5], seen[n, 6], seen[n, 7], seen[n, 8], seen[n, 11]
            tilted = _ONE / seen[n, 2]
            sx, sy = seen[n, 3] * tilted, seen[n, 4] * tilted
            red, green, blue = colours[named[n], 0], colours[named[n], 1], colours[named[n], 2]
            gx = gy = gz = gsx = gsy = ga = gb = gc = gopacity = gred = ggreen = gblue = moved = np.float32(0.0)
            for y in range(max(math.ceil(cy - ry), top), min(math.floor(cy + ry) + 1, bottom)):
                dy = np.float32(y) - cy
                for x in range(max(math.ceil(cx - rx), left), min(math.floor(cx + rx) + 1, right)):
                    through = clear[y - top, x - left]
                    if through < _ENOUGH:
                        continue
                    dx = np.float32(x) - cx
                    power = _HALF * a * dx * dx + (_HALF * c * dy + b * dx) * dy
                    if power > fades:
                        continue
                    fall = math.exp(-power)
                    share = min(opacity * fall, _MOST)
                    weight = through * share
                    ahead = _ONE - sx * dx - sy * dy
                    inverse = max(ahead, _NEAR) * tilted
                    g0, g1, g2 = wanted[y, x, 0], wanted[y, x, 1], wanted[y, x, 2]
                    gd = wanted[y, x, 3] + np.float32(2.0) * inverse * wanted[y, x, 4]
                    value = g0 * red + g1 * green + g2 * blue
                    value += (wanted[y, x, 3] + inverse * wanted[y, x, 4]) * inverse
                    gred += weight * g0
                    ggreen += weight * g1
                    gblue += weight * g2
                    summed = done[y - top, x - left] + weight * value
                    done[y - top, x - left] = summed
                    gshare = through * value - (totals[y, x] - summed) / (_ONE - share)
                    clear[y - top, x - left] = through * (_ONE - share)
                    if clear[y - top, x - left] < _ENOUGH:
                        open_pixels -= 1
                    px = py = np.float32(0.0)
                    if share < _MOST:
                        gopacity += gshare * fall
                        gpower = -gshare * share
                        ga += gpower * _HALF * dx * dx
                        gb += gpower * dx * dy
                        gc += gpower * _HALF * dy * dy
                        px -= gpower * (a * dx + b * dy)
                        py -= gpower * (b * dx + c * dy)
                    gd *= weight * tilted
                    if ahead > _NEAR:
                        gsx -= gd * dx
                        gsy -= gd * dy
                        px += gd * sx
                        py += gd * sy
                        gz -= gd * (ahead - (sx * dx + sy * dy))
                    else:
                        gz -= gd * _NEAR
                    gx += px
                    gy += py
                    moved += math.sqrt(px * px + py * py)
            # the slopes of kernels are those of the depth, over the depth
            given[n, 0] += gx
            given[n, 1] += gy
            given[n, 2] += gz * tilted
            given[n, 3] += gsx * tilted
            given[n, 4] += gsy * tilted
            given[n, 5] += ga
            given[n, 6] += gb
            given[n, 7] += gc
            given[n, 8] += gopacity
            given[n, 9] += gred
            given[n, 10] += ggreen
            given[n, 11] += gblue
            given[n, 12] += moved
            if open_pixels == 0:
                break
