"""A kernel that blends Gaussians from front to back, tile by tile and eight pixels at once."""

from __future__ import annotations

import math

import numpy as np

from kinema.compiled import njit
from kinema.prefetch import prefetch
from kinema.rendering.splats.kernels import DEPTH, ENOUGH, MOST, NEAREST, TILE

_ZERO, _HALF, _ONE = np.float32(0.0), np.float32(0.5), np.float32(1.0)
_MOST, _ENOUGH, _NEAR = np.float32(MOST), np.float32(ENOUGH), np.float32(NEAREST)

_SIZE, _SIDE = TILE * TILE, np.float32(TILE)
_RED, _GREEN, _BLUE, _DEPTH, _CLEAR, _SHARE, _OWNER, _LIMIT, _ACROSS, _DOWN = (
    np.uint64(plane * _SIZE) for plane in range(10)
)
_PLANES = 10
_ROW = np.uint64(2**TILE - 1)
_AHEAD = 4  # Gaussians of a list between one that is drawn and one that is asked for
_OFTEN = 8  # Gaussians drawn between two looks at what is still open
_SQUARINGS = 3
_SERIES = tuple(np.float32((-0.5) ** (_SQUARINGS * k) / math.factorial(k)) for k in range(7))


@njit(nogil=True, fastmath=True)
def blend(
    begins,
    ends,
    lists,
    seen,
    who,
    first,
    stop,
    flat,
    limit,
    background,
    light,
    depth,
    owner,
):
    """Blend tiles from `first` to `stop`, row by row, front to back.

    Args:
        begins, ends: `[tiles down, tiles across, parts]`: between which entries of `lists` each part of the scene has
            its list of a tile, which is sorted; equal depths of several parts come in their order.
        seen, who: see `seeing.see`. flat: whether the camera is orthographic.
        limit: `[H, W]`, or `[1, 1]` for all pixels: depth of what hides all behind it. background: `[H, W, 3]`, or
            `[1, 1, 3]`.
        light: `[H, W, 4]`, depth: `[H, W]`, owner: int32 `[H, W]`: are filled; see `SplatPicture`.
    """
    across = begins.shape[1]
    planes = np.zeros(_PLANES * _SIZE, np.float32)
    for tile in range(first, stop):
        row, column = tile // across, tile % across
        top, left = row * TILE, column * TILE
        _start(planes, limit, top, left, depth.shape)
        drawn = _blend_tile(planes, begins[row, column], ends[row, column], lists, seen, top, left, flat)
        _finish(planes, drawn, who, background, top, left, light, depth, owner)


@njit(fastmath=True)
def _blend_tile(planes, begins, ends, lists, seen, top, left, flat):
    """Blend the lists of a tile into its planes; returns the rows of `seen` that were drawn, in order."""
    heads, parts, at_x, at_y = (
        begins.copy(),
        len(begins),
        np.float32(left),
        np.float32(top),
    )
    total = (ends - begins).sum()
    drawn, count, open_pixels = np.empty(total, np.int32), 0, _open(planes)
    for _ in range(total):
        best = 0
        if parts > 1:
            nearest = np.float32(np.inf)
            for part in range(parts - 1, -1, -1):
                if heads[part] < ends[part]:
                    z = seen[lists[heads[part]], DEPTH]
                    if z <= nearest:
                        best, nearest = part, z
        n = lists[heads[best]]
        heads[best] += 1
        if heads[best] + _AHEAD < ends[best]:
            prefetch(seen, lists[heads[best] + _AHEAD])
        cx, cy, rx, ry = seen[n, 0] - at_x, seen[n, 1] - at_y, seen[n, 9], seen[n, 10]
        first, last = TILE - _whole(_SIDE + _HALF + rx - cx), _whole(cx + rx + _HALF)
        above, below = TILE - _whole(_SIDE + _HALF + ry - cy), _whole(cy + ry + _HALF)
        if first >= last:
            continue
        columns = (_ROW >> np.uint64(TILE - last + first)) << np.uint64(first)
        while above < below and not (open_pixels >> np.uint64(above * TILE)) & columns:
            above += 1
        while above < below and not (open_pixels >> np.uint64(below * TILE - TILE)) & columns:
            below -= 1
        if above >= below:
            continue
        z, sx, sy = seen[n, 2], seen[n, 3], seen[n, 4]
        a, b, c, opacity, fades = (
            _HALF * seen[n, 5],
            seen[n, 6],
            _HALF * seen[n, 7],
            seen[n, 8],
            seen[n, 11],
        )
        red, green, blue, tilted, mine = (
            seen[n, 12],
            seen[n, 13],
            seen[n, 14],
            _ONE / z,
            np.float32(count),
        )
        for at in range(np.uint64(above * TILE), np.uint64(below * TILE)):
            dx, dy, through = (
                planes[_ACROSS + at] - cx,
                planes[_DOWN + at] - cy,
                planes[_CLEAR + at],
            )
            power = a * dx * dx + (c * dy + b * dx) * dy
            share = min(opacity * _faded(min(power, fades)), _MOST)
            ahead = sx * dx + sy * dy
            far = z + ahead if flat else z / max(_ONE - ahead * tilted, _NEAR)
            shown = (power <= fades) & (through >= _ENOUGH) & (far <= planes[_LIMIT + at])
            weight = through * share if shown else _ZERO
            planes[_RED + at] += weight * red
            planes[_GREEN + at] += weight * green
            planes[_BLUE + at] += weight * blue
            planes[_DEPTH + at] += weight * far
            planes[_CLEAR + at] = through - weight
            most = planes[_SHARE + at]
            planes[_OWNER + at] = mine if weight > most else planes[_OWNER + at]
            planes[_SHARE + at] = max(most, weight)
        drawn[count] = n
        count += 1
        if count % _OFTEN == 0:
            open_pixels = _open(planes)
            if not open_pixels:
                break
    return drawn


@njit(fastmath=True)
def _start(planes, limit, top, left, shape):
    """Fill the planes of a tile that begins at a pixel."""
    height, width = shape
    for y in range(TILE):
        for x in range(TILE):
            inside = top + y < height and left + x < width
            at = np.uint64(y * TILE + x)
            for plane in (_RED, _GREEN, _BLUE, _DEPTH, _SHARE, _OWNER):
                planes[plane + at] = _ZERO
            planes[_CLEAR + at] = _ONE if inside else _ZERO
            planes[_ACROSS + at], planes[_DOWN + at] = (
                np.float32(x) + _HALF,
                np.float32(y) + _HALF,
            )
            down, right = (top + y, left + x) if limit.size > 1 else (0, 0)
            planes[_LIMIT + at] = limit[down, right] if inside else _ZERO


@njit(fastmath=True)
def _open(planes):
    """Bits of the pixels of a tile that light still comes through."""
    found = np.uint64(0)
    for at in range(np.uint64(_SIZE)):
        found |= np.uint64(planes[_CLEAR + at] >= _ENOUGH) << at
    return found


@njit(fastmath=True)
def _whole(value):
    """A number rounded down, and at least 0 and at most the side of a tile."""
    return min(max(int(value), 0), TILE)


@njit(fastmath=True)
def _faded(power):
    """exp(-power) to 1e-6, from 0 to ln(255): a series for an eighth of it."""
    a0, a1, a2, a3, a4, a5, a6 = _SERIES
    part = a0 + power * (a1 + power * (a2 + power * (a3 + power * (a4 + power * (a5 + power * a6)))))
    part *= part
    part *= part
    return part * part


@njit(fastmath=True)
def _finish(planes, drawn, who, background, top, left, light, depth, owner):
    """Write a tile that begins at a pixel."""
    height, width = depth.shape
    for y in range(top, min(top + TILE, height)):
        for x in range(left, min(left + TILE, width)):
            at = np.uint64((y - top) * TILE + x - left)
            clear = planes[_CLEAR + at]
            covered = planes[_SHARE + at] > _ZERO
            down, right = (y, x) if background.size > 3 else (0, 0)
            light[y, x, 0] = planes[_RED + at] + clear * background[down, right, 0]
            light[y, x, 1] = planes[_GREEN + at] + clear * background[down, right, 1]
            light[y, x, 2] = planes[_BLUE + at] + clear * background[down, right, 2]
            light[y, x, 3] = _ONE - clear
            depth[y, x] = planes[_DEPTH + at] / (_ONE - clear) if covered else np.float32(np.inf)
            owner[y, x] = who[drawn[int(planes[_OWNER + at])]] if covered else -1
