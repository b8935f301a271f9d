"""Surfaces of a terrain as viser nodes.

viser's meshes have one colour, so a surface is three meshes: the light and the dark squares of a checkerboard, and what
is steep. Surfaces that stay are not sent again; of one that moves only the place is.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from kinema.arrays import Bools
from kinema.rendering.view import Floor
from kinema.terrain import PlacedSurface, SurfaceMesh

if TYPE_CHECKING:
    import viser

_LIGHT, _DARK, _STEEP = (232, 235, 240), (218, 222, 229), (190, 195, 204)


@dataclass
class _Node:
    """The meshes of one placed surface, under one frame."""

    surface: SurfaceMesh
    frame: Any
    meshes: list[Any]


class TerrainNodes:
    """Shows the surfaces of a floor.

    Args:
        name: prefix of the nodes.
    """

    def __init__(self, server: viser.ViserServer, name: str) -> None:
        self._server, self._name, self._made = server, name, 0
        self._nodes: list[_Node] = []

    def show(self, floor: Floor | None) -> None:
        """Show the surfaces of this floor and no others."""
        surfaces = () if floor is None else floor.surfaces
        free: dict[int, list[_Node]] = {}
        for node in self._nodes:
            free.setdefault(id(node.surface), []).append(node)
        shown = []
        for one in surfaces:
            waiting = free.get(id(one.surface))
            node = waiting.pop() if waiting else self._make(one.surface, floor.cell if floor is not None else 0.0)
            _place(node, one)
            shown.append(node)
        for waiting in free.values():
            for node in waiting:
                for handle in (*node.meshes, node.frame):
                    handle.remove()
        self._nodes = shown

    def _make(self, surface: SurfaceMesh, cell: float) -> _Node:
        self._made += 1
        name = f"{self._name}/{self._made}"
        frame = self._server.scene.add_frame(name, show_axes=False)
        colors = zip((_LIGHT, _DARK, _STEEP), squares(surface, cell), strict=True)
        meshes = []
        for index, (color, chosen) in enumerate(colors):
            used, triangles = np.unique(surface.triangles[chosen], return_inverse=True)
            if len(used):
                triangles = triangles.reshape(-1, 3).astype(np.uint32)
                meshes.append(
                    self._server.scene.add_mesh_simple(
                        f"{name}/{index}",
                        surface.vertices[used],
                        triangles,
                        color=color,
                        flat_shading=_hard(surface),
                        side="double",
                        cast_shadow=False,  # as in the renderer; and its own shadow would be speckled
                        receive_shadow=0.32,
                    )
                )
        return _Node(surface, frame, meshes)


def squares(surface: SurfaceMesh, cell: float) -> tuple[Bools, Bools, Bools]:
    """Which triangles `[K]` of a surface are light squares of a checkerboard, dark squares, and steep."""
    corners = surface.vertices[surface.triangles].astype(np.float64)
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    steep = np.abs(across[:, 1]) < 0.65 * np.linalg.norm(across, axis=-1)
    middle = 0.5 * (corners.min(1) + corners.max(1))  # the same for both halves of a quad
    dark = np.floor(middle[:, [0, 2]] / max(cell, 1e-6)).sum(-1) % 2 == 1 if cell > 0 else np.zeros(len(corners), bool)
    return ~steep & ~dark, ~steep & dark, steep


def _hard(surface: SurfaceMesh) -> bool:
    """Whether the faces of a surface have edges between them, as stairs do."""
    normals = surface.normals[surface.triangles]
    return bool(np.allclose(normals, normals[:, :1], atol=1e-4))


def _place(node: _Node, one: PlacedSurface) -> None:
    node.frame.position = one.position
    node.frame.wxyz = (math.cos(0.5 * one.heading), 0.0, math.sin(0.5 * one.heading), 0.0)
