"""Kernels that draw Gaussians: projection, lists of tiles, blending from front to back.

After M. Zwicker et al., "EWA Splatting", 2002, and B. Kerbl et al., "3D Gaussian Splatting", 2023, with the constants
that scenes are trained with: a low pass of 0.3 square pixels, shares of at least 1/255 and at most 0.99.
"""

from __future__ import annotations

import math

import numpy as np

from kinema.compiled import njit

TILE = 8
"""Pixels of a side of a tile."""

LOW_PASS = 0.3
LEAST, MOST = 1.0 / 255.0, 0.99
ENOUGH = 1e-4
"""Light that still comes through where blending ends."""

_FADED = -math.log(LEAST)  # beyond it even an opaque Gaussian has too little weight
_WIDEST = 1.3  # times the field of view: beyond it the slope of the projection is no longer followed


@njit(nogil=True, fastmath=True)
def project(
    means, quaternions, log_scales, logits, axes, position, scale, half, near, flat, smooth, first, stop, out, reach
):
    """Pixel, depth, inverse covariance and opacity of Gaussians from `first` to `stop`, into `out` `[N, 7]`.

    Columns of `out`: x, y, depth, three of the inverse covariance, opacity. `reach` `[N, 2]`: pixels to each side, 0 of
    those that cannot be seen.

    Args:
        axes: `[3, 3]`, rows: right, down and ahead, in the world. scale: pixels a metre, of a perspective picture one
            metre ahead. half: `[2]`, pixels from the middle to the edges. flat: whether the camera is orthographic.
        smooth: whether what the low pass spreads is made fainter.
    """
    limit_x, limit_y = _WIDEST * half[0] / scale, _WIDEST * half[1] / scale
    for n in range(first, stop):
        reach[n, 0] = 0.0
        opacity = 1.0 / (1.0 + math.exp(-logits[n]))
        if opacity < LEAST:
            continue
        mx, my, mz = means[n, 0] - position[0], means[n, 1] - position[1], means[n, 2] - position[2]
        z = axes[2, 0] * mx + axes[2, 1] * my + axes[2, 2] * mz
        if z < near:
            continue
        x = axes[0, 0] * mx + axes[0, 1] * my + axes[0, 2] * mz
        y = axes[1, 0] * mx + axes[1, 1] * my + axes[1, 2] * mz
        w, i, j, k = quaternions[n, 0], quaternions[n, 1], quaternions[n, 2], quaternions[n, 3]
        short = 1.0 / math.sqrt(w * w + i * i + j * j + k * k)
        w, i, j, k = w * short, i * short, j * short, k * short
        if flat:
            px, py = scale * x, scale * y
            slope, tx, ty = scale, 0.0, 0.0
        else:
            slope = scale / z
            px, py = slope * x, slope * y
            tx, ty = x / z, y / z
            tx, ty = min(max(tx, -limit_x), limit_x), min(max(ty, -limit_y), limit_y)
        # Columns of the rotation times scales, projected: each axis of the Gaussian as a vector in the picture.
        xx, xy, yy = 0.0, 0.0, 0.0
        for axis in range(3):
            if axis == 0:
                a, b, c = 1.0 - 2.0 * (j * j + k * k), 2.0 * (i * j + w * k), 2.0 * (i * k - w * j)
            elif axis == 1:
                a, b, c = 2.0 * (i * j - w * k), 1.0 - 2.0 * (i * i + k * k), 2.0 * (j * k + w * i)
            else:
                a, b, c = 2.0 * (i * k + w * j), 2.0 * (j * k - w * i), 1.0 - 2.0 * (i * i + j * j)
            length = math.exp(log_scales[n, axis])
            ahead = axes[2, 0] * a + axes[2, 1] * b + axes[2, 2] * c
            right = slope * length * (axes[0, 0] * a + axes[0, 1] * b + axes[0, 2] * c - tx * ahead)
            down = slope * length * (axes[1, 0] * a + axes[1, 1] * b + axes[1, 2] * c - ty * ahead)
            xx += right * right
            xy += right * down
            yy += down * down
        sharp = xx * yy - xy * xy
        xx, yy = xx + LOW_PASS, yy + LOW_PASS
        area = xx * yy - xy * xy
        if smooth:
            opacity *= math.sqrt(max(sharp, 0.0) / area)
            if opacity < LEAST:
                continue
        if not area > 0.0 or not area < 1e18:
            continue
        wide = math.sqrt(2.0 * math.log(opacity / LEAST))
        rx, ry = wide * math.sqrt(xx), wide * math.sqrt(yy)
        if abs(px) - rx > half[0] or abs(py) - ry > half[1]:
            continue
        out[n, 0], out[n, 1], out[n, 2] = half[0] + px, half[1] + py, z
        out[n, 3], out[n, 4], out[n, 5] = yy / area, -xy / area, xx / area
        out[n, 6] = opacity
        reach[n, 0], reach[n, 1] = max(rx, 1e-3), ry


@njit(nogil=True)
def count_tiles(order, seen, reach, counts):
    """Add to `counts` `[tiles down, tiles across]` how many Gaussians reach each tile."""
    down, across = counts.shape
    for at in range(len(order)):
        n = order[at]
        left, right, top, bottom = _box(seen[n, 0], seen[n, 1], reach[n, 0], reach[n, 1], across, down)
        for row in range(top, bottom):
            for column in range(left, right):
                counts[row, column] += 1


@njit(nogil=True)
def fill_tiles(order, seen, reach, begins, lists):
    """Write the Gaussians of each tile, in order, into `lists`; `begins` `[tiles down, tiles across]` are moved on."""
    down, across = begins.shape
    for at in range(len(order)):
        n = order[at]
        left, right, top, bottom = _box(seen[n, 0], seen[n, 1], reach[n, 0], reach[n, 1], across, down)
        for row in range(top, bottom):
            for column in range(left, right):
                lists[begins[row, column]] = n
                begins[row, column] += 1


@njit(inline="always")
def _box(x, y, rx, ry, across, down):
    left = max(math.floor((x - rx) / TILE), 0)
    right = min(math.floor((x + rx) / TILE) + 1, across)
    top = max(math.floor((y - ry) / TILE), 0)
    bottom = min(math.floor((y + ry) / TILE) + 1, down)
    return left, right, top, bottom


@njit(nogil=True, fastmath=True)
def blend(ends, counts, lists, seen, colours, first, stop, light, depth, clear, owner):
    """Blend tiles from `first` to `stop`, row by row, front to back.

    Args:
        ends: `[tiles down, tiles across]`, where the list of each tile ends. colours: `[N, 3]`.
        light: `[H, W, 3]`, depth, clear: `[H, W]`: sums of colours and depths, and what still comes through.
        owner: int32 `[H, W]`: the Gaussian with the largest share, -1 for none.
    """
    height, width = depth.shape
    across = ends.shape[1]
    for tile in range(first, stop):
        row, column = tile // across, tile % across
        end = ends[row, column]
        begin = end - counts[row, column]
        for y in range(row * TILE, min((row + 1) * TILE, height)):
            for x in range(column * TILE, min((column + 1) * TILE, width)):
                r, g, b, far, through, most, who = 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, -1
                for at in range(begin, end):
                    n = lists[at]
                    dx, dy = x + 0.5 - seen[n, 0], y + 0.5 - seen[n, 1]
                    power = 0.5 * (seen[n, 3] * dx * dx + seen[n, 5] * dy * dy) + seen[n, 4] * dx * dy
                    if power > _FADED or power < 0.0:
                        continue
                    share = min(seen[n, 6] * math.exp(-power), MOST)
                    if share < LEAST:
                        continue
                    weight = through * share
                    r += weight * colours[n, 0]
                    g += weight * colours[n, 1]
                    b += weight * colours[n, 2]
                    far += weight * seen[n, 2]
                    if weight > most:
                        most, who = weight, n
                    through *= 1.0 - share
                    if through < ENOUGH:
                        break
                light[y, x, 0], light[y, x, 1], light[y, x, 2] = r, g, b
                depth[y, x], clear[y, x], owner[y, x] = far, through, who


def empty(count: int) -> tuple[np.ndarray, np.ndarray]:
    """`out` and `reach` of `project`."""
    return np.empty((count, 7), np.float32), np.empty((count, 2), np.float32)
