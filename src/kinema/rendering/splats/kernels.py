"""Kernels that draw Gaussians: projection, order, lists of tiles, blending from front to back.

After M. Zwicker et al., "EWA Splatting", 2002, and B. Kerbl et al., "3D Gaussian Splatting", 2023, with the constants
that scenes are trained with: a low pass of 0.3 square pixels, shares of at least 1/255 and at most 0.99. The depth of a
Gaussian in a pixel is where it is densest along the ray (B. Zhang et al., "RaDe-GS", 2024): that of a flat one is the
depth of its plane, whose inverse is linear in a perspective picture.
"""

from __future__ import annotations

import math

import numpy as np

from kinema.compiled import njit

TILE = 16
"""Pixels of a side of a tile."""

X, Y, DEPTH, SLOPE_X, SLOPE_Y, INVERSE, OPACITY, REACH, FADES = 0, 1, 2, 3, 4, 5, 8, 9, 11
"""Columns of what is seen of a Gaussian, `COLUMNS` in all: pixel; depth there, metres, and its change a pixel; three of
the inverse covariance; opacity; pixels that it reaches to the sides and up and down; at which power it has faded."""

COLUMNS = 12

LOW_PASS = 0.3
LEAST, MOST = 1.0 / 255.0, 0.99
ENOUGH = 1e-4
"""Light that still comes through where blending ends."""

NEAREST = 0.1
"""Depth of the centre of a Gaussian over that in a pixel, at least."""

_HALF, _ONE, _MOST, _ENOUGH, _NEAR = (np.float32(value) for value in (0.5, 1.0, MOST, ENOUGH, NEAREST))
_WIDEST = 1.3  # times the field of view: beyond it the slope of the projection is no longer followed


@njit(nogil=True, fastmath=True)
def shapes(quaternions, log_scales, logits, first, stop, covariances, opacities, widths):
    """What does not depend on the camera, of Gaussians from `first` to `stop`.

    Args:
        covariances: `[N, 6]`, is filled: xx, xy, xz, yy, yz, zz, square metres.
        opacities: `[N]`, is filled.
        widths: `[N]`, is filled: standard deviations from the centre at which a Gaussian fades; 0: it is never seen.
    """
    for n in range(first, stop):
        opacity = 1.0 / (1.0 + math.exp(-logits[n]))
        opacities[n] = opacity
        widths[n] = 0.0 if opacity < LEAST else math.sqrt(2.0 * math.log(opacity / LEAST))
        w, i, j, k = quaternions[n, 0], quaternions[n, 1], quaternions[n, 2], quaternions[n, 3]
        short = 1.0 / math.sqrt(w * w + i * i + j * j + k * k)
        w, i, j, k = w * short, i * short, j * short, k * short
        for part in range(6):
            covariances[n, part] = 0.0
        for axis in range(3):
            if axis == 0:
                a, b, c = 1.0 - 2.0 * (j * j + k * k), 2.0 * (i * j + w * k), 2.0 * (i * k - w * j)
            elif axis == 1:
                a, b, c = 2.0 * (i * j - w * k), 1.0 - 2.0 * (i * i + k * k), 2.0 * (j * k + w * i)
            else:
                a, b, c = 2.0 * (i * k + w * j), 2.0 * (j * k - w * i), 1.0 - 2.0 * (i * i + j * j)
            size = math.exp(2.0 * log_scales[n, axis])
            covariances[n, 0] += size * a * a
            covariances[n, 1] += size * a * b
            covariances[n, 2] += size * a * c
            covariances[n, 3] += size * b * b
            covariances[n, 4] += size * b * c
            covariances[n, 5] += size * c * c


@njit(nogil=True, fastmath=True)
def project(
    means, covariances, opacities, widths, axes, position, scale, half, near, flat, smooth, first, stop, seen, who
):
    """Write those Gaussians from `first` to `stop` that can be seen to `seen` `[N, COLUMNS]` and their numbers to `who`
    `[N]`, from row `first` on; return how many they are.

    Args:
        axes: `[3, 3]`, rows: right, down and ahead, in the world. scale: pixels a metre, of a perspective picture one
            metre ahead. half: `[2]`, pixels from the middle to the edges. flat: whether the camera is orthographic.
        smooth: whether what the low pass spreads is made fainter.
    """
    limit_x, limit_y = _WIDEST * half[0] / scale, _WIDEST * half[1] / scale
    r0, r1, r2 = axes[0, 0], axes[0, 1], axes[0, 2]
    d0, d1, d2 = axes[1, 0], axes[1, 1], axes[1, 2]
    a0, a1, a2 = axes[2, 0], axes[2, 1], axes[2, 2]
    at = first
    for n in range(first, stop):
        wide = widths[n]
        mx, my, mz = means[n, 0] - position[0], means[n, 1] - position[1], means[n, 2] - position[2]
        z = a0 * mx + a1 * my + a2 * mz
        if z < near or wide == 0.0:
            continue
        x = r0 * mx + r1 * my + r2 * mz
        y = d0 * mx + d1 * my + d2 * mz
        xx, xy, xz, yy, yz, zz = (
            covariances[n, 0], covariances[n, 1], covariances[n, 2],
            covariances[n, 3], covariances[n, 4], covariances[n, 5],
        )  # fmt: skip
        if flat:
            slope, tx, ty = scale, 0.0, 0.0
            px, py = slope * x, slope * y
        else:
            slope = scale / z
            px, py = slope * x, slope * y
            most = slope * wide * math.sqrt(xx + yy + zz) * (1.0 + limit_x + limit_y) + wide
            if abs(px) - most > half[0] or abs(py) - most > half[1]:
                continue
            tx, ty = min(max(x / z, -limit_x), limit_x), min(max(y / z, -limit_y), limit_y)
        # The covariance of the pixel and the depth: those of the axes right, down and ahead, projected.
        ux, uy, uz = r0 - tx * a0, r1 - tx * a1, r2 - tx * a2
        vx, vy, vz = d0 - ty * a0, d1 - ty * a1, d2 - ty * a2
        cx, cy, cz = xx * ux + xy * uy + xz * uz, xy * ux + yy * uy + yz * uz, xz * ux + yz * uy + zz * uz
        across = slope * slope * (ux * cx + uy * cy + uz * cz)
        both = slope * slope * (vx * cx + vy * cy + vz * cz)
        leaning = slope * (a0 * cx + a1 * cy + a2 * cz)
        cx, cy, cz = xx * vx + xy * vy + xz * vz, xy * vx + yy * vy + yz * vz, xz * vx + yz * vy + zz * vz
        down = slope * slope * (vx * cx + vy * cy + vz * cz)
        falling = slope * (a0 * cx + a1 * cy + a2 * cz)
        sharp = across * down - both * both
        across, down = across + LOW_PASS, down + LOW_PASS
        area = across * down - both * both
        if not area > 0.0 or not area < 1e18:
            continue
        opacity = opacities[n]
        if smooth:
            opacity *= math.sqrt(max(sharp, 0.0) / area)
            if opacity < LEAST:
                continue
            wide = math.sqrt(2.0 * math.log(opacity / LEAST))
        rx, ry = wide * math.sqrt(across), wide * math.sqrt(down)
        if abs(px) - rx > half[0] or abs(py) - ry > half[1]:
            continue
        a, b, c = down / area, -both / area, across / area
        seen[at, 0], seen[at, 1], seen[at, 2] = half[0] + px, half[1] + py, z
        seen[at, 3], seen[at, 4] = a * leaning + b * falling, b * leaning + c * falling
        seen[at, 5], seen[at, 6], seen[at, 7] = a, b, c
        seen[at, 8], seen[at, 9], seen[at, 10], seen[at, 11] = opacity, rx, ry, 0.5 * wide * wide
        who[at] = n
        at += 1
    return at - first


_BITS = 11


@njit(nogil=True)
def nearest_first(depths):
    """The order `[N]` of depths above 0, nearest first; equal ones stay as they are.

    A sort by digits of the numbers' bits, which rise with positive numbers (H. Seward, 1954).
    """
    count, base = len(depths), 1 << _BITS
    keys, order = depths.view(np.uint32).copy(), np.arange(count).astype(np.int32)
    other_keys, other = np.empty_like(keys), np.empty_like(order)
    for shift in range(0, 32, _BITS):
        begins = np.zeros(base + 1, np.int64)
        for n in range(count):
            begins[((keys[n] >> shift) & (base - 1)) + 1] += 1
        if begins.max() == count:
            continue
        for digit in range(base):
            begins[digit + 1] += begins[digit]
        for n in range(count):
            digit = (keys[n] >> shift) & (base - 1)
            other_keys[begins[digit]], other[begins[digit]] = keys[n], order[n]
            begins[digit] += 1
        keys, other_keys, order, other = other_keys, keys, other, order
    return order


@njit(nogil=True)
def arrange(order, seen, who, first, stop, ordered, named):
    """Write rows of `seen` and `who` to `ordered` and `named` from `first` to `stop`, in order."""
    for at in range(first, stop):
        row = order[at]
        for column in range(COLUMNS):
            ordered[at, column] = seen[row, column]
        named[at] = who[row]


@njit(nogil=True)
def count_tiles(seen, first, stop, counts):
    """Add to `counts` `[tiles down, tiles across]` how many rows of `seen`, from `first` to `stop`, reach each tile."""
    down, across = counts.shape
    for n in range(first, stop):
        left, right, top, bottom = _box(seen[n, 0], seen[n, 1], seen[n, 9], seen[n, 10], across, down)
        for row in range(top, bottom):
            for column in range(left, right):
                counts[row, column] += 1


@njit(nogil=True)
def fill_tiles(seen, first, stop, begins, lists):
    """Write those of the rows from `first` to `stop` that reach each tile, in order, into `lists`; `begins`
    `[tiles down, tiles across]`, where each list goes on, are moved."""
    down, across = begins.shape
    for n in range(first, stop):
        left, right, top, bottom = _box(seen[n, 0], seen[n, 1], seen[n, 9], seen[n, 10], across, down)
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
def blend(ends, counts, lists, seen, named, colours, first, stop, flat, limit, light, depth, clear, owner):
    """Blend tiles from `first` to `stop`, row by row, front to back.

    Args:
        ends: `[tiles down, tiles across]`, where the list of each tile ends. named: `[N]`, numbers of Gaussians.
        colours: `[N, 3]`. flat: whether the camera is orthographic. limit: `[H, W]`: depth of what hides all behind it.
        light: `[H, W, 3]`, depth, clear: `[H, W]`: sums of colours and depths, and what still comes through.
        owner: int32 `[H, W]`: the Gaussian with the largest share, -1 for none.
    """
    height, width = depth.shape
    across = ends.shape[1]
    most = np.empty((TILE, TILE), np.float32)
    for tile in range(first, stop):
        top, left = tile // across * TILE, tile % across * TILE
        bottom, right = min(top + TILE, height), min(left + TILE, width)
        for y in range(top, bottom):
            for x in range(left, right):
                light[y, x, 0], light[y, x, 1], light[y, x, 2] = 0.0, 0.0, 0.0
                depth[y, x], clear[y, x], owner[y, x], most[y - top, x - left] = 0.0, 1.0, -1, 0.0
        open_pixels = (bottom - top) * (right - left)
        end = ends[tile // across, tile % across]
        for at in range(end - counts[tile // across, tile % across], end):
            n = lists[at]
            cx, cy, z, rx, ry = seen[n, 0] - _HALF, seen[n, 1] - _HALF, seen[n, 2], seen[n, 9], seen[n, 10]
            a, b, c, opacity, fades = _HALF * seen[n, 5], seen[n, 6], _HALF * seen[n, 7], seen[n, 8], seen[n, 11]
            sx, sy, tilted = seen[n, 3], seen[n, 4], _ONE / z
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
                    ahead = sx * dx + sy * dy
                    far = z + ahead if flat else z / max(_ONE - ahead * tilted, _NEAR)
                    if far > limit[y, x]:
                        continue
                    weight = through * share
                    light[y, x, 0] += weight * colours[n, 0]
                    light[y, x, 1] += weight * colours[n, 1]
                    light[y, x, 2] += weight * colours[n, 2]
                    depth[y, x] += weight * far
                    if weight > most[y - top, x - left]:
                        most[y - top, x - left], owner[y, x] = weight, named[n]
                    through *= _ONE - share
                    clear[y, x] = through
                    if through < _ENOUGH:
                        open_pixels -= 1
            if open_pixels == 0:
                break
