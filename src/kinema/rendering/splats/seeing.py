"""A kernel for what a camera sees of a scene: culling, order, projection and colours of Gaussians in one go."""

from __future__ import annotations

import math

import numpy as np

from kinema.compiled import njit
from kinema.rendering.splats.kernels import (
    COLUMNS,
    LEAST,
    LOW_PASS,
    WIDEST,
    nearest_first,
    tiles_of,
)
from kinema.worlds.harmonics import MEAN

COLOUR = COLUMNS
"""First of the three columns of colours, which follow those of `kernels`."""

WIDTH = COLUMNS + 4
"""Columns of a row: a line of the cache."""

_ZERO, _HALF, _ONE, _LARGE, _TINY = (np.float32(value) for value in (0.0, 0.5, 1.0, 1e18, 1e-9))
_LEAST, _LOW_PASS, _WIDEST, _MEAN = (np.float32(value) for value in (LEAST, LOW_PASS, WIDEST, MEAN))
_FARTHEST = np.float32(math.sqrt(2.0 * math.log(1.0 / LEAST)))  # deviations from the centre at which all have faded
_GAMMA = np.float32(1.0 / 2.2)
_LINEAR = np.float32(0.4886025119029199)
_MIXED, _UPRIGHT, _LEVEL = (
    np.float32(value) for value in (1.0925484305920792, 0.31539156525252005, 0.5462742152960396)
)
_CUBE = tuple(
    np.float32(value)
    for value in (
        0.5900435899266435,
        2.890611442640554,
        0.4570457994644658,
        0.3731763325901154,
        1.445305721320277,
    )
)


@njit(nogil=True, fastmath=True)
def reached(places, axes, position, scale, half, near, flat, first, stop, which, depths):
    """Write the numbers of those Gaussians from `first` to `stop` that can be in the picture to `which` and their
    depths to `depths`, from row 0 on; return how many they are. For the arguments see `see`."""
    limit_x, limit_y = _WIDEST * half[0] / scale, _WIDEST * half[1] / scale
    steep = scale * (_ONE + limit_x + limit_y)
    a0, a1, a2 = axes[2, 0], axes[2, 1], axes[2, 2]
    at = 0
    for n in range(first, stop):
        mx, my, mz = (
            places[n, 0] - position[0],
            places[n, 1] - position[1],
            places[n, 2] - position[2],
        )
        reach, z = places[n, 3], a0 * mx + a1 * my + a2 * mz
        if z < near or reach == _ZERO:
            continue
        if flat:
            around, ahead = scale * reach + _FARTHEST, _ONE
        else:
            around, ahead = steep * reach + _FARTHEST * z, z
        if scale * abs(axes[0, 0] * mx + axes[0, 1] * my + axes[0, 2] * mz) - around > half[0] * ahead:
            continue
        if scale * abs(axes[1, 0] * mx + axes[1, 1] * my + axes[1, 2] * mz) - around > half[1] * ahead:
            continue
        which[at], depths[at] = n, z
        at += 1
    return at


@njit(nogil=True, fastmath=True)
def see(
    places,
    forms,
    harmonics,
    dimmed,
    axes,
    position,
    scale,
    half,
    near,
    flat,
    smooth,
    first,
    stop,
    seen,
    who,
    order,
    boxes,
    counts,
):
    """Write those Gaussians from `first` to `stop` that can be seen to `seen` `[N, WIDTH]` and their numbers to `who`
    `[N]`, from row `first` on; return the row after the last.

    Args:
        places, forms: see `kernels.shapes`. harmonics: `[N, K, 3]`. dimmed: `[N]`, or `[0]`; see `rasterise`.
        axes: `[3, 3]`, rows: right, down and ahead, in the world. scale: pixels a metre, of a perspective picture one
            metre ahead. half: `[2]`, pixels from the middle to the edges. flat: whether the camera is orthographic.
        smooth: whether what the low pass spreads is made fainter.
        order: `[N]`, is filled in the same range: rows of `seen`, nearest first.
        boxes: int16 `[N, 4]`, is filled in the same range: first and last tiles across, then down.
        counts: `[tiles down, tiles across]`: is filled with how many reach each tile.
    """
    which, depths = np.empty(stop - first, np.int32), np.empty(stop - first, np.float32)
    count = reached(places, axes, position, scale, half, near, flat, first, stop, which, depths)
    corners = np.zeros((counts.shape[0] + 1, counts.shape[1] + 1), np.int32)
    limit_x, limit_y = _WIDEST * half[0] / scale, _WIDEST * half[1] / scale
    r0, r1, r2 = axes[0, 0], axes[0, 1], axes[0, 2]
    d0, d1, d2 = axes[1, 0], axes[1, 1], axes[1, 2]
    a0, a1, a2 = axes[2, 0], axes[2, 1], axes[2, 2]
    at = first
    for candidate in range(count):
        n, z = which[candidate], depths[candidate]
        mx, my, mz = (
            places[n, 0] - position[0],
            places[n, 1] - position[1],
            places[n, 2] - position[2],
        )
        x, y = r0 * mx + r1 * my + r2 * mz, d0 * mx + d1 * my + d2 * mz
        if flat:
            slope, tx, ty = scale, _ZERO, _ZERO
        else:
            slope = scale / z
            tx, ty = (
                min(max(x / z, -limit_x), limit_x),
                min(max(y / z, -limit_y), limit_y),
            )
        px, py = slope * x, slope * y
        xx, xy, xz, yy, yz, zz = (
            forms[n, 0],
            forms[n, 1],
            forms[n, 2],
            forms[n, 3],
            forms[n, 4],
            forms[n, 5],
        )
        # The covariance of the pixel and the depth: those of the axes right, down and ahead, projected.
        ux, uy, uz = r0 - tx * a0, r1 - tx * a1, r2 - tx * a2
        vx, vy, vz = d0 - ty * a0, d1 - ty * a1, d2 - ty * a2
        cx, cy, cz = (
            xx * ux + xy * uy + xz * uz,
            xy * ux + yy * uy + yz * uz,
            xz * ux + yz * uy + zz * uz,
        )
        across = slope * slope * (ux * cx + uy * cy + uz * cz)
        both = slope * slope * (vx * cx + vy * cy + vz * cz)
        leaning = slope * (a0 * cx + a1 * cy + a2 * cz)
        cx, cy, cz = (
            xx * vx + xy * vy + xz * vz,
            xy * vx + yy * vy + yz * vz,
            xz * vx + yz * vy + zz * vz,
        )
        down = slope * slope * (vx * cx + vy * cy + vz * cz)
        falling = slope * (a0 * cx + a1 * cy + a2 * cz)
        sharp = across * down - both * both
        across, down = across + _LOW_PASS, down + _LOW_PASS
        area = across * down - both * both
        if not area > _ZERO or not area < _LARGE:
            continue
        opacity, wide = forms[n, 6], forms[n, 7]
        if smooth:
            opacity *= math.sqrt(max(sharp, _ZERO) / area)
            if opacity < _LEAST:
                continue
            wide = math.sqrt(np.float32(2.0) * math.log(opacity / _LEAST))
        rx, ry = wide * math.sqrt(across), wide * math.sqrt(down)
        if abs(px) - rx > half[0] or abs(py) - ry > half[1]:
            continue
        a, b, c = down / area, -both / area, across / area
        seen[at, 0], seen[at, 1], seen[at, 2] = half[0] + px, half[1] + py, z
        seen[at, 3], seen[at, 4] = a * leaning + b * falling, b * leaning + c * falling
        seen[at, 5], seen[at, 6], seen[at, 7] = a, b, c
        seen[at, 8], seen[at, 9], seen[at, 10], seen[at, 11] = (
            opacity,
            rx,
            ry,
            _HALF * wide * wide,
        )
        if flat:
            mx, my, mz = a0, a1, a2
        seen[at, 12], seen[at, 13], seen[at, 14] = _colour(harmonics, dimmed, n, mx, my, mz)
        who[at], depths[at - first] = n, z
        left, right, top, bottom = tiles_of(seen[at, 0], seen[at, 1], rx, ry, counts.shape[1], counts.shape[0])
        boxes[at, 0], boxes[at, 1], boxes[at, 2], boxes[at, 3] = (
            left,
            right,
            top,
            bottom,
        )
        corners[top, left] += 1
        corners[top, right] -= 1
        corners[bottom, left] -= 1
        corners[bottom, right] += 1
        at += 1
    nearest = nearest_first(depths[: at - first])
    for row in range(first, at):
        order[row] = first + nearest[row - first]
    _summed(corners, counts)
    return at


@njit(nogil=True)
def _summed(corners, counts):
    """Fill `counts` with the number of boxes that hold each tile, from what changes at their corners."""
    down, across = counts.shape
    for row in range(down):
        total = 0
        for column in range(across):
            total += corners[row, column]
            counts[row, column] = total + (counts[row - 1, column] if row else 0)


@njit(nogil=True)
def list_tiles(order, boxes, begins, lists):
    """Write rows, in an order, into the lists of the tiles in their boxes; `begins` `[tiles down, tiles across]`, where
    each list goes on, are moved."""
    for n in order:
        left, right = boxes[n, 0], boxes[n, 1]
        for row in range(boxes[n, 2], boxes[n, 3]):
            for column in range(left, right):
                lists[begins[row, column]] = n
                begins[row, column] += 1


@njit(nogil=True, fastmath=True)
def colours_seen(places, harmonics, dimmed, axes, position, flat, which, out):
    """Write the colours of some Gaussians to the first three columns of their rows of `out` `[N, 4]`; see `see`."""
    for n in which:
        x, y, z = (
            places[n, 0] - position[0],
            places[n, 1] - position[1],
            places[n, 2] - position[2],
        )
        if flat:
            x, y, z = axes[2, 0], axes[2, 1], axes[2, 2]
        out[n, 0], out[n, 1], out[n, 2] = _colour(harmonics, dimmed, n, x, y, z)


@njit(fastmath=True)
def _colour(harmonics, dimmed, n, x, y, z):
    """Red, green and blue, at least 0, of a Gaussian in a direction of any length; see `kinema.worlds.harmonics`."""
    count = harmonics.shape[1]
    red, green, blue = _added(_HALF, _HALF, _HALF, harmonics, n, 0, _MEAN)
    if count > 1:
        short = _ONE / max(math.sqrt(x * x + y * y + z * z), _TINY)
        x, y, z = short * x, short * y, short * z
        red, green, blue = _added(red, green, blue, harmonics, n, 1, -_LINEAR * y)
        red, green, blue = _added(red, green, blue, harmonics, n, 2, _LINEAR * z)
        red, green, blue = _added(red, green, blue, harmonics, n, 3, -_LINEAR * x)
    if count > 4:
        xx, yy, zz = x * x, y * y, z * z
        red, green, blue = _added(red, green, blue, harmonics, n, 4, _MIXED * x * y)
        red, green, blue = _added(red, green, blue, harmonics, n, 5, -_MIXED * y * z)
        red, green, blue = _added(red, green, blue, harmonics, n, 6, _UPRIGHT * (zz + zz - xx - yy))
        red, green, blue = _added(red, green, blue, harmonics, n, 7, -_MIXED * x * z)
        red, green, blue = _added(red, green, blue, harmonics, n, 8, _LEVEL * (xx - yy))
        if count > 9:
            four = np.float32(4.0) * zz - xx - yy
            three = zz + zz - np.float32(3.0) * (xx + yy)
            red, green, blue = _added(
                red,
                green,
                blue,
                harmonics,
                n,
                9,
                -_CUBE[0] * y * (np.float32(3.0) * xx - yy),
            )
            red, green, blue = _added(red, green, blue, harmonics, n, 10, _CUBE[1] * x * y * z)
            red, green, blue = _added(red, green, blue, harmonics, n, 11, -_CUBE[2] * y * four)
            red, green, blue = _added(red, green, blue, harmonics, n, 12, _CUBE[3] * z * three)
            red, green, blue = _added(red, green, blue, harmonics, n, 13, -_CUBE[2] * x * four)
            red, green, blue = _added(red, green, blue, harmonics, n, 14, _CUBE[4] * z * (xx - yy))
            red, green, blue = _added(
                red,
                green,
                blue,
                harmonics,
                n,
                15,
                -_CUBE[0] * x * (xx - np.float32(3.0) * yy),
            )
    light = dimmed[n] ** _GAMMA if len(dimmed) else _ONE
    return light * max(red, _ZERO), light * max(green, _ZERO), light * max(blue, _ZERO)


@njit(fastmath=True)
def _added(red, green, blue, harmonics, n, k, weight):
    """A colour with one function more."""
    return (
        red + weight * harmonics[n, k, 0],
        green + weight * harmonics[n, k, 1],
        blue + weight * harmonics[n, k, 2],
    )
