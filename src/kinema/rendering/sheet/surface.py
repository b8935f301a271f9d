"""What a mesh looks like: colours of material and vertices, its texture, and its normals in a pose."""

from __future__ import annotations

import dataclasses
import io

import numpy as np
from numpy.typing import NDArray

from kinema.character import Character, Material, Mesh
from kinema.pose import Pose
from kinema.rendering.sheet.raster import to_linear

_LARGEST = 1024  # pixels a side of a texture: figures on a sheet are smaller than that


def vertex_colors(character: Character, mesh: Mesh) -> NDArray[np.floating]:
    """Linear base colour `[V, 3]` of each vertex, without the texture."""
    material = Material() if mesh.material is None else character.materials[mesh.material]
    colors = np.tile(np.array(material.base_color[:3], np.float32), (len(mesh.positions), 1))
    return colors if mesh.colors is None else np.clip(colors * mesh.colors[:, :3], 0, 1).astype(np.float32)


def base_texture(character: Character, mesh: Mesh) -> NDArray[np.floating] | None:
    """Linear pixels `[h, w, 3]` of the texture that gives a mesh its colour; None without one that can be read."""
    from PIL import Image, UnidentifiedImageError

    index = None if mesh.material is None else character.materials[mesh.material].base_color_texture
    if index is None or mesh.uvs is None:
        return None
    try:
        with Image.open(io.BytesIO(character.textures[index].data)) as image:
            image.thumbnail((_LARGEST, _LARGEST))
            return to_linear(np.asarray(image.convert("RGB")))
    except (UnidentifiedImageError, OSError, ValueError, Image.DecompressionBombError):
        return None


def posed(mesh: Mesh, pose: Pose) -> tuple[NDArray[np.floating], NDArray[np.floating]]:
    """Vertices and unit normals `[V, 3]` in the world for one pose."""
    vertices = mesh.skin(pose)
    # Skinning is affine in the vertex, so the difference to the vertex moved by its normal is the turned normal.
    raised = dataclasses.replace(mesh, positions=mesh.positions + mesh.normals)
    normals = raised.skin(pose) - vertices
    return vertices, normals / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
