"""Kernels that draw Gaussians: their shapes, their order and the tiles they reach; constants that all of them share.

After M. Zwicker et al., "EWA Splatting", 2002, and B. Kerbl et al., "3D Gaussian Splatting", 2023, with the constants
that scenes are trained with: a low pass of 0.3 square pixels, shares of at least 1/255 and at most 0.99. The depth of a
Gaussian in a pixel is where it is densest along the ray (B. Zhang et al., "RaDe-GS", 2024): that of a flat one is the
depth of its plane, whose inverse is linear in a perspective picture.
"""

from __future__ import annotations

import math

import numpy as np

from kinema.compiled import njit

TILE = 8
"""Pixels of a side of a tile."""

X, Y, DEPTH, SLOPE_X, SLOPE_Y, INVERSE, OPACITY, REACH, FADES = (
    0,
    1,
    2,
    3,
    4,
    5,
    8,
    9,
    11,
)
"""Columns of what is seen of a Gaussian, `COLUMNS` in all: pixel; depth there, metres, and its change a pixel; three of
the inverse covariance; opacity; pixels that it reaches to the sides and up and down; at which power it has faded."""

COLUMNS = 12

LOW_PASS = 0.3
LEAST, MOST = 1.0 / 255.0, 0.99
ENOUGH = 1e-4
"""Light that still comes through where blending ends."""

NEAREST = 0.1
"""Depth of the centre of a Gaussian over that in a pixel, at least."""

WIDEST = 1.3
"""Times the field of view beyond which the slope of the projection is no longer followed."""


@njit(nogil=True, fastmath=True)
def shapes(means, quaternions, log_scales, logits, first, stop, places, forms):
    """What does not depend on the camera, of Gaussians from `first` to `stop`.

    Args:
        places: `[N, 4]`, is filled: centre, metres; and how far away, at most, a Gaussian fades, 0 if it is never seen.
        forms: `[N, 8]`, is filled: covariance xx, xy, xz, yy, yz, zz, square metres; opacity; standard deviations from
            the centre at which it fades.
    """
    for n in range(first, stop):
        opacity = 1.0 / (1.0 + math.exp(-logits[n]))
        wide = 0.0 if opacity < LEAST else math.sqrt(2.0 * math.log(opacity / LEAST))
        w, i, j, k = (
            quaternions[n, 0],
            quaternions[n, 1],
            quaternions[n, 2],
            quaternions[n, 3],
        )
        short = 1.0 / math.sqrt(w * w + i * i + j * j + k * k)
        w, i, j, k = w * short, i * short, j * short, k * short
        xx, xy, xz, yy, yz, zz = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        for axis in range(3):
            if axis == 0:
                a, b, c = (
                    1.0 - 2.0 * (j * j + k * k),
                    2.0 * (i * j + w * k),
                    2.0 * (i * k - w * j),
                )
            elif axis == 1:
                a, b, c = (
                    2.0 * (i * j - w * k),
                    1.0 - 2.0 * (i * i + k * k),
                    2.0 * (j * k + w * i),
                )
            else:
                a, b, c = (
                    2.0 * (i * k + w * j),
                    2.0 * (j * k - w * i),
                    1.0 - 2.0 * (i * i + j * j),
                )
            size = math.exp(2.0 * log_scales[n, axis])
            xx, xy, xz = xx + size * a * a, xy + size * a * b, xz + size * a * c
            yy, yz, zz = yy + size * b * b, yz + size * b * c, zz + size * c * c
        places[n, 0], places[n, 1], places[n, 2] = means[n, 0], means[n, 1], means[n, 2]
        places[n, 3] = wide * math.sqrt(xx + yy + zz)
        forms[n, 0], forms[n, 1], forms[n, 2], forms[n, 3], forms[n, 4], forms[n, 5] = (
            xx,
            xy,
            xz,
            yy,
            yz,
            zz,
        )
        forms[n, 6], forms[n, 7] = opacity, wide


_PASSES = 3


@njit(nogil=True)
def nearest_first(depths):
    """The order `[N]` of depths above 0, nearest first; equal ones stay as they are.

    A sort by digits of the numbers' bits, which rise with positive numbers (H. Seward, 1954), above those of the
    nearest.
    """
    count = len(depths)
    keys, order, given = np.empty(count, np.uint32), np.empty(count, np.int32), depths.view(np.uint32)
    least, most = np.uint32(2**32 - 1), np.uint32(0)
    for n in range(count):
        order[n] = n
        least, most = min(least, given[n]), max(most, given[n])
    if count < 2:
        return order
    for n in range(count):
        keys[n] = given[n] - least
    bits = 1
    while int(most - least) >> (_PASSES * bits):
        bits += 1
    base = 1 << bits
    begins = np.zeros((_PASSES, base + 1), np.int32)
    for n in range(count):
        for turn in range(_PASSES):
            begins[turn, ((keys[n] >> (turn * bits)) & (base - 1)) + 1] += 1
    other_keys, other = np.empty_like(keys), np.empty_like(order)
    for turn in range(_PASSES):
        for digit in range(base):
            begins[turn, digit + 1] += begins[turn, digit]
        for n in range(count):
            digit = (keys[n] >> (turn * bits)) & (base - 1)
            at = begins[turn, digit]
            other_keys[at], other[at] = keys[n], order[n]
            begins[turn, digit] = at + 1
        keys, other_keys, order, other = other_keys, keys, other, order
    return order


@njit(fastmath=True)
def tiles_of(x, y, rx, ry, across, down):
    """Tiles that reach a pixel from others: from the first across to the one after the last, then down."""
    short, one = np.float32(1.0 / TILE), np.float32(1.0)
    return (
        min(max(int((x - rx) * short), 0), across),
        min(max(int((x + rx) * short + one), 0), across),
        min(max(int((y - ry) * short), 0), down),
        min(max(int((y + ry) * short + one), 0), down),
    )
