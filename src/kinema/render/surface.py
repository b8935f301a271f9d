"""What a mesh looks like at its vertices: colour from material, vertex colours and texture; normals of a pose."""

from __future__ import annotations

import dataclasses
import io

import numpy as np
from numpy.typing import NDArray

from kinema.character import Character, Material, Mesh
from kinema.render.raster import to_linear


def vertex_colors(character: Character, mesh: Mesh) -> NDArray[np.floating]:
    """Linear base colour ``[V, 3]`` of each vertex."""
    material = Material() if mesh.material is None else character.materials[mesh.material]
    colors = np.tile(np.array(material.base_color[:3], np.float32), (len(mesh.positions), 1))
    if mesh.colors is not None:
        colors = colors * mesh.colors[:, :3]
    if material.base_color_texture is not None and mesh.uvs is not None:
        colors = colors * texture_colors(character.textures[material.base_color_texture].data, mesh.uvs)
    return np.clip(colors, 0, 1).astype(np.float32)


def texture_colors(data: bytes, uvs: NDArray[np.floating]) -> NDArray[np.floating]:
    """Linear colours ``[N, 3]`` of an encoded image at ``uvs`` ``[N, 2]``; white where the image cannot be read."""
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(io.BytesIO(data)) as image:
            pixels = np.asarray(image.convert("RGB"))
    except (UnidentifiedImageError, OSError, ValueError, Image.DecompressionBombError):
        return np.ones((len(uvs), 3), np.float32)
    height, width = pixels.shape[:2]
    inside = np.nan_to_num(uvs) % 1.0
    column = np.minimum((inside[:, 0] * width).astype(np.int64), width - 1)
    row = np.minimum((inside[:, 1] * height).astype(np.int64), height - 1)
    return to_linear(pixels[row, column])


def posed(
    mesh: Mesh, global_rotations: NDArray[np.floating], global_positions: NDArray[np.floating]
) -> tuple[NDArray[np.floating], NDArray[np.floating]]:
    """Vertices and unit normals ``[V, 3]`` in the world for one pose ``[J, 4]``, ``[J, 3]``."""
    vertices = mesh.skin(global_rotations, global_positions)
    # Skinning is affine in the vertex, so the difference to the vertex moved by its normal is the turned normal.
    raised = dataclasses.replace(mesh, positions=mesh.positions + mesh.normals)
    normals = raised.skin(global_rotations, global_positions) - vertices
    return vertices, normals / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
