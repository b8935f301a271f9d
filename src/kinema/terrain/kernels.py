"""Compiled queries of grounds at points `[N, 3]`, float32. Tests compare them with references in NumPy."""

# pyright: reportIndexIssue=false

from __future__ import annotations

import math

import numpy as np

from kinema.arrays import Floats, Reals, Singles
from kinema.compiled import njit
from kinema.terrain.ground import VOID

_MISSING = 0.5 * VOID


@njit(error_model="numpy")
def _cell(place, count, repeats):
    """The two samples around a place on an axis, the share of the second, and whether the place is on the map."""
    last = count - 2
    inside = True
    if repeats:
        times = place / count
        whole = int(times)
        place -= count * (whole - 1 if times < whole else whole)
        last = count - 1
    else:
        inside = 0.0 <= place <= count - 1.0
    first = min(max(int(place), 0), last)
    second = first + 1
    return first, second if second < count else 0, min(max(place - first, 0.0), 1.0), inside


@njit(error_model="numpy")
def bilinear(heights: Singles, grid: Floats, repeats: bool, ends: bool, points: Singles) -> Singles:
    """Heights `[N]` of a heightmap `[Z, X]` at points `[N, 3]`; see `kinema.terrain.Heightmap`.

    Args:
        grid: x and z of the first sample, and the distance between samples.
        repeats, ends: whether the map repeats beyond its border, or ends there; else its border continues.
    """
    rows, columns = heights.shape
    x0, z0, scale = grid[0], grid[1], 1.0 / grid[2]
    out = np.empty(len(points), np.float32)
    for n in range(len(points)):
        i, i1, v, in_z = _cell((points[n, 2] - z0) * scale, rows, repeats)
        j, j1, u, in_x = _cell((points[n, 0] - x0) * scale, columns, repeats)
        a, b, c, d = heights[i, j], heights[i, j1], heights[i1, j], heights[i1, j1]
        if a < _MISSING or b < _MISSING or c < _MISSING or d < _MISSING or (ends and not (in_x and in_z)):
            out[n] = VOID
            continue
        near, far = a + u * (b - a), c + u * (d - c)
        out[n] = near + v * (far - near)
    return out


@njit(error_model="numpy")
def bilinear_normals(heights: Singles, grid: Floats, repeats: bool, ends: bool, points: Singles) -> Singles:
    """Unit normals `[N, 3]` of the surface that `bilinear` interpolates."""
    rows, columns = heights.shape
    x0, z0, scale = grid[0], grid[1], 1.0 / grid[2]
    out = np.zeros((len(points), 3), np.float32)
    for n in range(len(points)):
        i, i1, v, in_z = _cell((points[n, 2] - z0) * scale, rows, repeats)
        j, j1, u, in_x = _cell((points[n, 0] - x0) * scale, columns, repeats)
        a, b, c, d = heights[i, j], heights[i, j1], heights[i1, j], heights[i1, j1]
        out[n, 1] = 1.0
        if a < _MISSING or b < _MISSING or c < _MISSING or d < _MISSING or (ends and not (in_x and in_z)):
            continue
        slope_x = ((1.0 - v) * (b - a) + v * (d - c)) * scale if in_x else 0.0
        slope_z = ((1.0 - u) * (c - a) + u * (d - b)) * scale if in_z else 0.0
        unit = 1.0 / math.sqrt(1.0 + slope_x * slope_x + slope_z * slope_z)
        out[n, 0], out[n, 1], out[n, 2] = -slope_x * unit, unit, -slope_z * unit
    return out


@njit(error_model="numpy")
def _segment(along: Floats, half: float, x: float, z: float) -> int:
    """The segment of a profile under a point; -1 where there is none. At a step it is the one after the step."""
    last = len(along) - 1
    if not (abs(x) <= half and along[0] <= z <= along[last]):
        return -1
    low, high = 0, last
    while high - low > 1:
        middle = (low + high) // 2
        if along[middle] <= z:
            low = middle
        else:
            high = middle
    return low


@njit(error_model="numpy")
def extruded(along: Floats, heights: Floats, half: float, points: Singles) -> Singles:
    """Heights `[N]` of a profile `along` and `heights` `[K]` that is `2 half` wide; see `kinema.terrain.Extrusion`."""
    out = np.empty(len(points), np.float32)
    for n in range(len(points)):
        z = float(points[n, 2])
        k = _segment(along, half, points[n, 0], z)
        if k < 0:
            out[n] = VOID
            continue
        width = along[k + 1] - along[k]
        share = (z - along[k]) / width if width > 0.0 else 1.0
        out[n] = heights[k] + share * (heights[k + 1] - heights[k])
    return out


@njit(error_model="numpy")
def extruded_normals(along: Floats, heights: Floats, half: float, points: Singles) -> Singles:
    """Unit normals `[N, 3]` of what `extruded` gives the heights of."""
    out = np.zeros((len(points), 3), np.float32)
    for n in range(len(points)):
        out[n, 1] = 1.0
        k = _segment(along, half, points[n, 0], float(points[n, 2]))
        if k < 0 or along[k + 1] <= along[k]:
            continue
        slope = (heights[k + 1] - heights[k]) / (along[k + 1] - along[k])
        scale = 1.0 / math.sqrt(1.0 + slope * slope)
        out[n, 1], out[n, 2] = scale, -slope * scale
    return out


@njit(error_model="numpy")
def rasterise(vertices: Floats, triangles, x0: float, z0: float, cell: float, heights: Singles) -> None:
    """Raise samples `[Z, X]` of a heightmap to the triangles `[K, 3]` above them; both sides of a triangle count."""
    rows, columns = heights.shape
    slack = 1e-9
    for t in range(len(triangles)):
        a, b, c = vertices[triangles[t, 0]], vertices[triangles[t, 1]], vertices[triangles[t, 2]]
        area = (b[0] - a[0]) * (c[2] - a[2]) - (c[0] - a[0]) * (b[2] - a[2])
        if abs(area) < 1e-15:  # seen from above, a line
            continue
        first_row = max(math.ceil((min(a[2], b[2], c[2]) - z0) / cell - slack), 0)
        last_row = min(math.floor((max(a[2], b[2], c[2]) - z0) / cell + slack), rows - 1)
        first_column = max(math.ceil((min(a[0], b[0], c[0]) - x0) / cell - slack), 0)
        last_column = min(math.floor((max(a[0], b[0], c[0]) - x0) / cell + slack), columns - 1)
        for i in range(first_row, last_row + 1):
            z = z0 + i * cell
            for j in range(first_column, last_column + 1):
                x = x0 + j * cell
                u = ((x - a[0]) * (c[2] - a[2]) - (c[0] - a[0]) * (z - a[2])) / area
                v = ((b[0] - a[0]) * (z - a[2]) - (x - a[0]) * (b[2] - a[2])) / area
                if u < -slack or v < -slack or u + v > 1.0 + slack:
                    continue
                height = a[1] + u * (b[1] - a[1]) + v * (c[1] - a[1])
                if height > heights[i, j]:
                    heights[i, j] = height


@njit(error_model="numpy")
def to_local(points: Singles, position: Floats, sine: float, cosine: float) -> Singles:
    """Points `[N, 3]` in a frame at a position `[3]` that is turned about the vertical."""
    out = np.empty_like(points)
    for n in range(len(points)):
        x, z = points[n, 0] - position[0], points[n, 2] - position[2]
        out[n, 0], out[n, 1], out[n, 2] = cosine * x - sine * z, points[n, 1] - position[1], sine * x + cosine * z
    return out


@njit(error_model="numpy")
def to_world(vectors: Singles, sine: float, cosine: float) -> Singles:
    """Vectors `[N, 3]` of that frame in the world."""
    out = np.empty_like(vectors)
    for n in range(len(vectors)):
        x, z = vectors[n, 0], vectors[n, 2]
        out[n, 0], out[n, 1], out[n, 2] = cosine * x + sine * z, vectors[n, 1], cosine * z - sine * x
    return out


@njit(error_model="numpy")
def overlay(highest: Singles, vectors: Singles, heights: Singles, others: Singles) -> None:
    """Replace `highest` `[N]` and `vectors` `[N, 3]` by `heights` and `others` where those are higher."""
    for n in range(len(highest)):
        if heights[n] > highest[n]:
            highest[n] = heights[n]
            for k in range(3):
                vectors[n, k] = others[n, k]


@njit(error_model="numpy")
def cones(places: Floats, weights: Reals, points: Singles) -> Singles:
    """Sums `[N]` of cones at places `[K, 2]`: weights times horizontal distances; see `kinema.terrain.Corrected`."""
    out = np.empty(len(points), np.float32)
    for n in range(len(points)):
        total = 0.0
        for k in range(len(places)):
            x, z = points[n, 0] - places[k, 0], points[n, 2] - places[k, 1]
            total += weights[k] * math.sqrt(x * x + z * z)
        out[n] = total
    return out


@njit(error_model="numpy")
def cone_slopes(places: Floats, weights: Reals, points: Singles) -> Singles:
    """Slopes `[N, 2]` of what `cones` sums, along x and z."""
    out = np.zeros((len(points), 2), np.float32)
    for n in range(len(points)):
        for k in range(len(places)):
            x, z = points[n, 0] - places[k, 0], points[n, 2] - places[k, 1]
            away = max(math.sqrt(x * x + z * z), 1e-9)
            out[n, 0] += weights[k] * x / away
            out[n, 1] += weights[k] * z / away
    return out
