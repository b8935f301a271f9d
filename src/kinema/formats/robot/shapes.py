"""The geometry of robots: boxes, spheres, cylinders, capsules and meshes, as triangles on joints."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from itertools import product

import numpy as np

from kinema import rotations
from kinema.arrays import Floats, Ints, Singles
from kinema.character import Material, Mesh
from kinema.formats.images import linear
from kinema.formats.robot.frame import RobotFrame, vectors_from_robot
from kinema.formats.robot.tree import Color

ROUND = 20  # corners of a circle
MOST_GEOMS = 3000
MOST_COLORS = 200


@dataclass(frozen=True, eq=False)
class Geom:
    """One geometry in its body's frame.

    Attributes:
        kind: "box" (half sizes), "ellipsoid" (radii), "cylinder" or "capsule" (radius, half length of the straight
            part, along z), or "mesh".
        size: as its kind says, metres.
        triangles: corners of a mesh's triangles, `[K, 3, 3]`, metres.
    """

    kind: str
    size: tuple[float, ...] = ()
    frame: RobotFrame = field(default_factory=RobotFrame)
    color: Color = (0.6, 0.6, 0.62, 1.0)
    triangles: Singles | None = None


@dataclass(frozen=True, eq=False)
class PlacedGeom:
    """A geometry carried by a joint; the frame is that of its body in the joint's, in the robot's axes."""

    joint: int
    frame: RobotFrame
    geom: Geom

    def corners(self) -> Floats:
        """Corners of the box around it `[8, 3]` in the joint's frame, in our axes."""
        triangles = self.geom.triangles
        if triangles is not None and len(triangles):
            points = triangles.reshape(-1, 3)
            low, high = points.min(axis=0), points.max(axis=0)
        else:
            high = np.array(_half_sizes(self.geom))
            low = -high
        return self._carried(np.array(list(product(*zip(low, high, strict=True))), np.float64))

    def surface(self) -> tuple[Floats, Floats, Ints]:
        """Points and normals `[V, 3]` in the joint's frame, in our axes, and triangles `[K, 3]`."""
        geom = self.geom
        points, normals, faces = _solid(geom.kind, geom.size) if geom.triangles is None else _bare(geom.triangles)
        turn = rotations.multiply(self.frame.rotation, geom.frame.rotation)
        return self._carried(points), vectors_from_robot(rotations.rotate(turn, normals)), faces

    def _carried(self, points: Floats) -> Floats:
        return vectors_from_robot(self.frame.points(self.geom.frame.points(points)))


def build_meshes(geoms: list[PlacedGeom]) -> tuple[tuple[Mesh, ...], tuple[Material, ...]]:
    """One rigid mesh for each joint and color."""
    colors: dict[Color, int] = {}
    groups: dict[tuple[int, int], list[PlacedGeom]] = {}
    for shape in geoms[:MOST_GEOMS]:
        color = colors.setdefault(shape.geom.color, min(len(colors), MOST_COLORS))
        groups.setdefault((shape.joint, color), []).append(shape)
    meshes = (_mesh(joint, color, groups[joint, color]) for joint, color in sorted(groups))
    materials = tuple(_material(rgba, index) for rgba, index in list(colors.items())[: MOST_COLORS + 1])
    return tuple(mesh for mesh in meshes if len(mesh.indices)), materials


def _mesh(joint: int, color: int, geoms: list[PlacedGeom]) -> Mesh:
    points, normals, faces = zip(*(shape.surface() for shape in geoms), strict=True)
    starts = np.cumsum([0, *(len(piece) for piece in points)])
    indices = np.concatenate([piece + start for piece, start in zip(faces, starts, strict=False)])
    return Mesh(
        name=f"joint_{joint}",
        positions=np.concatenate(points).astype(np.float32),
        normals=np.concatenate(normals).astype(np.float32),
        indices=indices.astype(np.uint32),
        joint=joint,
        material=color,
    )


def _material(rgba: Color, index: int) -> Material:
    red, green, blue = linear(rgba[:3]).tolist()
    alpha_mode = "OPAQUE" if rgba[3] > 0.99 else "BLEND"
    return Material(f"color_{index}", (red, green, blue, rgba[3]), 0.1, 0.6, alpha_mode=alpha_mode)


def _half_sizes(geom: Geom) -> tuple[float, float, float]:
    if geom.kind in ("box", "ellipsoid"):
        return geom.size[0], geom.size[1], geom.size[2]
    if geom.kind in ("cylinder", "capsule"):
        radius, half = geom.size
        return radius, radius, half + (radius if geom.kind == "capsule" else 0.0)
    return 0.0, 0.0, 0.0


def _bare(triangles: Singles) -> tuple[Floats, Floats, Ints]:
    """Points, normals and triangles of a mesh file, flat shaded."""
    corners = triangles.astype(np.float64)
    return corners.reshape(-1, 3), _flat(corners).reshape(-1, 3), np.arange(3 * len(corners)).reshape(-1, 3)


@lru_cache(maxsize=64)
def _solid(kind: str, size: tuple[float, ...]) -> tuple[Floats, Floats, Ints]:
    """Points, normals and triangles of a solid in its own frame; those of the same size are built once."""
    corners, normals = _triangles(kind, size)
    rows = np.concatenate([corners.reshape(-1, 3), normals.reshape(-1, 3)], axis=1)
    unique, inverse = np.unique(rows, axis=0, return_inverse=True)
    return unique[:, :3], unique[:, 3:], inverse.reshape(-1, 3)


def _triangles(kind: str, size: tuple[float, ...]) -> tuple[Floats, Floats]:
    """Corners and normals `[K, 3, 3]` in the solid's own frame, counter-clockwise from outside."""
    if kind == "box":
        corners = np.array([_side(axis, sign) for axis in range(3) for sign in (-1, 1)]).reshape(-1, 3, 3) * size
        return corners, _flat(corners)
    if kind == "cylinder":
        radius, half = size
        outline = np.array([(0, 0, -half), (radius, 0, -half), (radius, 0, half), (0, 0, half)], np.float64)
        slopes = np.array([(0, 0, -1), (1, 0, 0), (0, 0, 1)], np.float64)
        return _lathe(outline, np.repeat(slopes, 2, axis=0).reshape(3, 2, 3))
    arc = np.linspace(-np.pi / 2, np.pi / 2, ROUND // 2 + 1)
    circle = np.stack([np.cos(arc), 0 * arc, np.sin(arc)], axis=-1)
    circle[[0, -1], 0] = 0
    if kind == "capsule":
        radius, half = size
        middle = len(arc) // 2
        circle = np.concatenate([circle[: middle + 1], circle[middle:]])
        lift = np.repeat([-half, half], [middle + 1, len(circle) - middle - 1])
        outline = radius * circle + lift[:, None] * (0, 0, 1)
        return _lathe(outline, np.stack([circle[:-1], circle[1:]], axis=1))
    corners, normals = _lathe(circle, np.stack([circle[:-1], circle[1:]], axis=1))
    sizes = np.maximum(np.array(size), 1e-9)
    normals = normals / sizes
    return corners * sizes, normals / np.linalg.norm(normals, axis=-1, keepdims=True)


def _side(axis: int, sign: int) -> list[tuple[float, ...]]:
    """Two triangles of one side of the cube from -1 to 1."""
    u, v = np.eye(3)[(axis + 1) % 3], np.eye(3)[(axis + 2) % 3]
    out = sign * np.eye(3)[axis]
    ring = [out - u - v, out + u - v, out + u + v, out - u + v][::sign]
    return [tuple(ring[corner]) for corner in (0, 1, 2, 0, 2, 3)]


def _lathe(outline: Floats, slopes: Floats) -> tuple[Floats, Floats]:
    """Revolves an outline `[N, 3]` in the xz-plane, bottom to top, about z; slopes `[N - 1, 2, 3]` are its normals."""
    angles = np.linspace(0, 2 * np.pi, ROUND + 1)
    turns = rotations.from_axis_angle(np.array([0.0, 0.0, 1.0]), angles)[:, None]
    rings = rotations.rotate(turns, outline[None])  # [R + 1, N, 3]
    facing = rotations.rotate(turns[:, :, None], slopes[None])  # [R + 1, N - 1, 2, 3]
    a, b, c, d = rings[:-1, :-1], rings[1:, :-1], rings[1:, 1:], rings[:-1, 1:]
    na, nb, nc, nd = facing[:-1, :, 0], facing[1:, :, 0], facing[1:, :, 1], facing[:-1, :, 1]
    corners = np.concatenate([np.stack([a, b, c], axis=-2), np.stack([a, c, d], axis=-2)]).reshape(-1, 3, 3)
    normals = np.concatenate([np.stack([na, nb, nc], axis=-2), np.stack([na, nc, nd], axis=-2)]).reshape(-1, 3, 3)
    sides = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    kept = np.linalg.norm(sides, axis=-1) > 1e-12
    return corners[kept], normals[kept]


def _flat(corners: Floats) -> Floats:
    sides = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    lengths = np.linalg.norm(sides, axis=-1, keepdims=True)
    normals = np.where(lengths > 0, sides / np.where(lengths > 0, lengths, 1), [0.0, 0.0, 1.0])
    return np.repeat(normals[:, None], 3, axis=1)
