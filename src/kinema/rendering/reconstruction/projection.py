"""Kernels that project Gaussians and carry gradients of what is seen of them back to their numbers.

The sums are those of `kinema.rendering.splats.kernels`, from which the constants come. Gradients follow B. Kerbl et
al., "3D Gaussian Splatting", 2023, with those of the slopes of depth, which RaDe-GS adds.
"""

from __future__ import annotations

import math

import numpy as np

from kinema.compiled import njit
from kinema.rendering.splats.kernels import LEAST, LOW_PASS

_SHARPEST = 1e-6  # of determinants of covariances, pixels^4: flatter ones count as this flat
_WIDEST = 1.3  # times the field of view, as in the rasteriser

COLUMNS = 12
"""Of what is seen of a Gaussian: pixel x, y; depth there, metres, and its change a pixel to the right and down; three
of the inverse covariance; opacity; pixels that it reaches to the sides and up and down; at which power it has faded."""

LENS = 6
"""Numbers of a lens for kernels: focal length to the right and down, middle, width, height; pixels."""

GRADIENTS = 13
"""Columns of gradients of a row: pixel x, y; depth; its slopes; three of the inverse covariance; opacity; three of the
colour; and the sum of the lengths of those of the pixel, which tells where a scene is too coarse."""


@njit(nogil=True)
def turned(quaternions, n, matrix):
    """Write the rotation `[3, 3]` of a quaternion; return one over its length."""
    w, i, j, k = quaternions[n, 0], quaternions[n, 1], quaternions[n, 2], quaternions[n, 3]
    short = 1.0 / math.sqrt(w * w + i * i + j * j + k * k)
    w, i, j, k = w * short, i * short, j * short, k * short
    matrix[0, 0], matrix[0, 1], matrix[0, 2] = 1.0 - 2.0 * (j * j + k * k), 2.0 * (i * j - w * k), 2.0 * (i * k + w * j)
    matrix[1, 0], matrix[1, 1], matrix[1, 2] = 2.0 * (i * j + w * k), 1.0 - 2.0 * (i * i + k * k), 2.0 * (j * k - w * i)
    matrix[2, 0], matrix[2, 1], matrix[2, 2] = 2.0 * (i * k - w * j), 2.0 * (j * k + w * i), 1.0 - 2.0 * (i * i + j * j)
    return short


@njit(nogil=True)
def _projected(x, y, z, axes, lens, matrix, sizes, n, basis, stretched):
    """Write the axes `[3, 3]` of picture and depth, and what a Gaussian's own axes are in them `[3, 3]`; return its
    slopes to the sides, and whether they were limited."""
    limit_x, limit_y = _WIDEST * 0.5 * lens[4] / lens[0], _WIDEST * 0.5 * lens[5] / lens[1]
    tx, ty = min(max(x / z, -limit_x), limit_x), min(max(y / z, -limit_y), limit_y)
    right, down = lens[0] / z, lens[1] / z
    for axis in range(3):
        basis[0, axis] = right * (axes[0, axis] - tx * axes[2, axis])
        basis[1, axis] = down * (axes[1, axis] - ty * axes[2, axis])
        basis[2, axis] = axes[2, axis]
    for row in range(3):
        for own in range(3):
            total = 0.0
            for axis in range(3):
                total += basis[row, axis] * matrix[axis, own]
            stretched[row, own] = total * math.exp(sizes[n, own])
    return tx, ty, tx == x / z, ty == y / z


@njit(nogil=True)
def project(means, quaternions, log_scales, logits, axes, position, lens, near, smooth, seen, who):
    """Write the Gaussians that can be seen to `seen` `[N, COLUMNS]` and their numbers to `who` `[N]`; return how many
    they are.

    Args:
        axes: `[3, 3]`, rows: right, down and ahead. lens: `[LENS]`. smooth: whether what the low pass spreads is made
            fainter.
    """
    matrix, basis, stretched = np.empty((3, 3)), np.empty((3, 3)), np.empty((3, 3))
    at = 0
    for n in range(len(means)):
        opacity = 1.0 / (1.0 + math.exp(-logits[n]))
        if not opacity >= LEAST:
            continue
        mx, my, mz = means[n, 0] - position[0], means[n, 1] - position[1], means[n, 2] - position[2]
        z = axes[2, 0] * mx + axes[2, 1] * my + axes[2, 2] * mz
        if not z >= near:
            continue
        x = axes[0, 0] * mx + axes[0, 1] * my + axes[0, 2] * mz
        y = axes[1, 0] * mx + axes[1, 1] * my + axes[1, 2] * mz
        px, py = lens[2] + lens[0] * x / z, lens[3] + lens[1] * y / z
        wide = math.sqrt(2.0 * math.log(opacity / LEAST))
        size = math.exp(max(log_scales[n, 0], log_scales[n, 1], log_scales[n, 2]))
        most = 4.0 * max(lens[0], lens[1]) / z * wide * size + wide
        if px + most < 0.0 or px - most > lens[4] or py + most < 0.0 or py - most > lens[5]:
            continue
        turned(quaternions, n, matrix)
        _projected(x, y, z, axes, lens, matrix, log_scales, n, basis, stretched)
        across = both = down = leaning = falling = 0.0
        for own in range(3):
            u, v, w = stretched[0, own], stretched[1, own], stretched[2, own]
            across += u * u
            both += u * v
            down += v * v
            leaning += u * w
            falling += v * w
        sharp = max(across * down - both * both, _SHARPEST)
        across, down = across + LOW_PASS, down + LOW_PASS
        area = across * down - both * both
        if not area > 0.0 or not area < 1e18:
            continue
        if smooth:
            opacity *= math.sqrt(sharp / area)
            if opacity < LEAST:
                continue
            wide = math.sqrt(2.0 * math.log(opacity / LEAST))
        rx, ry = wide * math.sqrt(across), wide * math.sqrt(down)
        if px + rx < 0.0 or px - rx > lens[4] or py + ry < 0.0 or py - ry > lens[5]:
            continue
        a, b, c = down / area, -both / area, across / area
        seen[at, 0], seen[at, 1], seen[at, 2] = px, py, z
        seen[at, 3], seen[at, 4] = a * leaning + b * falling, b * leaning + c * falling
        seen[at, 5], seen[at, 6], seen[at, 7] = a, b, c
        seen[at, 8], seen[at, 9], seen[at, 10], seen[at, 11] = opacity, rx, ry, 0.5 * wide * wide
        who[at] = n
        at += 1
    return at


@njit(nogil=True)
def pull(
    means, quaternions, log_scales, logits, axes, position, lens, smooth, seen, named, given,
    to_means, to_turns, to_sizes, to_logits,
):  # fmt: skip
    """Add gradients of numbers of Gaussians to those arrays, from gradients `given` `[N, GRADIENTS]` of rows of
    `seen`."""
    matrix, basis, stretched = np.empty((3, 3)), np.empty((3, 3)), np.empty((3, 3))
    inner, outer, turn = np.empty((3, 3)), np.empty((3, 3)), np.empty((3, 3))
    for row in range(len(named)):
        n = named[row]
        mx, my, mz = means[n, 0] - position[0], means[n, 1] - position[1], means[n, 2] - position[2]
        x = axes[0, 0] * mx + axes[0, 1] * my + axes[0, 2] * mz
        y = axes[1, 0] * mx + axes[1, 1] * my + axes[1, 2] * mz
        z = axes[2, 0] * mx + axes[2, 1] * my + axes[2, 2] * mz
        short = turned(quaternions, n, matrix)
        tx, ty, free_x, free_y = _projected(x, y, z, axes, lens, matrix, log_scales, n, basis, stretched)
        leaning = falling = across = both = low = 0.0
        for own in range(3):
            leaning += stretched[0, own] * stretched[2, own]
            falling += stretched[1, own] * stretched[2, own]
            across += stretched[0, own] * stretched[0, own]
            both += stretched[0, own] * stretched[1, own]
            low += stretched[1, own] * stretched[1, own]
        a, b, c = seen[row, 5], seen[row, 6], seen[row, 7]
        gsx, gsy = given[row, 3], given[row, 4]
        # of the inverse covariance, by which the slopes are multiplied, then of the covariance
        ga = given[row, 5] + gsx * leaning
        gb = 0.5 * (given[row, 6] + gsx * falling + gsy * leaning)
        gc = given[row, 7] + gsy * falling
        p, q = a * ga + b * gb, a * gb + b * gc
        r, s = b * ga + c * gb, b * gb + c * gc
        inner[0, 0], inner[1, 1] = -(p * a + q * b), -(r * b + s * c)
        inner[0, 1] = inner[1, 0] = -(p * b + q * c)
        inner[0, 2] = inner[2, 0] = 0.5 * (a * gsx + b * gsy)
        inner[1, 2] = inner[2, 1] = 0.5 * (b * gsx + c * gsy)
        inner[2, 2] = 0.0
        opacity = 1.0 / (1.0 + math.exp(-logits[n]))
        if smooth:
            sharp = across * low - both * both
            if sharp > _SHARPEST:
                pace = 0.5 * given[row, 8] * seen[row, 8]
                inner[0, 0] += pace * (low / sharp - a)
                inner[1, 1] += pace * (across / sharp - c)
                inner[0, 1] -= pace * (both / sharp + b)
                inner[1, 0] = inner[0, 1]
        # of the stretched axes, 2 inner @ stretched; then of the basis and of the Gaussian's own axes
        for i in range(3):
            for own in range(3):
                outer[i, own] = 2.0 * (
                    inner[i, 0] * stretched[0, own] + inner[i, 1] * stretched[1, own] + inner[i, 2] * stretched[2, own]
                )
        for own in range(3):
            size = math.exp(log_scales[n, own])
            total = 0.0
            for i in range(3):
                total += outer[i, own] * stretched[i, own]
            to_sizes[n, own] += total
            for axis in range(3):
                turn[axis, own] = size * (
                    basis[0, axis] * outer[0, own] + basis[1, axis] * outer[1, own] + basis[2, axis] * outer[2, own]
                )
        to_right = to_down = to_tx = to_ty = 0.0
        right, down = lens[0] / z, lens[1] / z
        for axis in range(3):
            g0 = g1 = 0.0
            for own in range(3):
                size = math.exp(log_scales[n, own])
                g0 += outer[0, own] * matrix[axis, own] * size
                g1 += outer[1, own] * matrix[axis, own] * size
            to_right += g0 * (axes[0, axis] - tx * axes[2, axis])
            to_down += g1 * (axes[1, axis] - ty * axes[2, axis])
            to_tx -= g0 * right * axes[2, axis]
            to_ty -= g1 * down * axes[2, axis]
        gx, gy = given[row, 0] * right, given[row, 1] * down
        gz = given[row, 2] - (given[row, 0] * right * x + given[row, 1] * down * y) / z
        gz -= (to_right * right + to_down * down) / z
        if free_x:
            gx += to_tx / z
            gz -= to_tx * tx / z
        if free_y:
            gy += to_ty / z
            gz -= to_ty * ty / z
        for axis in range(3):
            to_means[n, axis] += axes[0, axis] * gx + axes[1, axis] * gy + axes[2, axis] * gz
        _pull_turn(quaternions, n, short, turn, to_turns)
        to_logits[n] += given[row, 8] * seen[row, 8] * (1.0 - opacity)


@njit(nogil=True)
def _pull_turn(quaternions, n, short, turn, to_turns):
    """Add the gradient of a quaternion, of any length, from that of its matrix."""
    w, i, j, k = (
        quaternions[n, 0] * short, quaternions[n, 1] * short, quaternions[n, 2] * short, quaternions[n, 3] * short,
    )  # fmt: skip
    gw = 2.0 * (k * (turn[1, 0] - turn[0, 1]) + j * (turn[0, 2] - turn[2, 0]) + i * (turn[2, 1] - turn[1, 2]))
    gi = 2.0 * (j * (turn[0, 1] + turn[1, 0]) + k * (turn[0, 2] + turn[2, 0]) + w * (turn[2, 1] - turn[1, 2]))
    gi -= 4.0 * i * (turn[1, 1] + turn[2, 2])
    gj = 2.0 * (i * (turn[0, 1] + turn[1, 0]) + k * (turn[1, 2] + turn[2, 1]) + w * (turn[0, 2] - turn[2, 0]))
    gj -= 4.0 * j * (turn[0, 0] + turn[2, 2])
    gk = 2.0 * (i * (turn[0, 2] + turn[2, 0]) + j * (turn[1, 2] + turn[2, 1]) + w * (turn[1, 0] - turn[0, 1]))
    gk -= 4.0 * k * (turn[0, 0] + turn[1, 1])
    along = gw * w + gi * i + gj * j + gk * k
    to_turns[n, 0] += short * (gw - along * w)
    to_turns[n, 1] += short * (gi - along * i)
    to_turns[n, 2] += short * (gj - along * j)
    to_turns[n, 3] += short * (gk - along * k)
