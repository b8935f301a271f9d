"""Scenes from bodies and meshes: a character, or a room in a mesh file, covered with flat discs in its own colours."""

from __future__ import annotations

import io

import numpy as np
from numpy.typing import NDArray

from kinema.arrays import Floats, Ints, Singles
from kinema.character import Character, Material, Mesh
from kinema.errors import SceneError
from kinema.formats.images import linear
from kinema.pose import Pose
from kinema.worlds.gaussians import GaussianScene
from kinema.worlds.made import daylight
from kinema.worlds.surfels import ColouredSurface, surfels

USUAL = 150_000
"""Discs that a mesh is covered with where no spacing is given."""

_WHITE = np.ones((1, 1, 4))


def covered(
    character: Character, spacing: float | None = None, seed: int = 0, pose: Pose | None = None
) -> GaussianScene:
    """A scene of discs on the meshes of a character, in the light of a sun and a sky.

    Colours are those of vertices, materials and textures. What a texture or material cuts out is left out.

    Args:
        spacing: of neighbouring discs, metres; None takes what gives about `USUAL` discs.
        seed: of their places.
        pose: of its skeleton; None is the rest pose.

    Raises:
        SceneError: there is no surface, or far too many discs would be needed.
    """
    worn = [mesh for mesh in character.meshes if len(mesh.indices)]
    shown = character.skeleton.rest_pose if pose is None else pose
    places = [
        vertices.astype(np.float64)
        for mesh, vertices in zip(character.meshes, character.skin(shown), strict=True)
        if len(mesh.indices)
    ]
    area = sum(_surface(mesh, vertices).areas.sum() for mesh, vertices in zip(worn, places, strict=True))
    if not 0 < area < np.inf:
        raise SceneError(f"{character.name or 'this'} has no surface that discs could cover: it needs a mesh")
    apart = float(np.sqrt(area / USUAL)) if spacing is None else spacing
    parts = [
        _covered(character, mesh, vertices, apart, seed + number)
        for number, (mesh, vertices) in enumerate(zip(worn, places, strict=True))
    ]
    parts = [part for part in parts if len(part)]
    if not parts:
        raise SceneError(f"discs {apart:g} m apart are too large for {character.name or 'this'}; space them closer")
    names = ("means", "quaternions", "log_scales", "logits", "harmonics")
    return GaussianScene(
        *(np.concatenate([getattr(part, name) for part in parts]) for name in names), name=character.name
    )


def _covered(character: Character, mesh: Mesh, vertices: Floats, spacing: float, seed: int) -> GaussianScene:
    material = Material() if mesh.material is None else character.materials[mesh.material]
    number = material.base_color_texture
    pixels = _WHITE if number is None or mesh.uvs is None else _pixels(character.textures[number].data)
    light = daylight(_normals(mesh, vertices))

    def paint(of: Ints, shares: Floats) -> Floats:
        def blended(values: NDArray) -> Floats:
            return np.einsum("nk,nkc->nc", shares, values[mesh.indices[of]].astype(np.float64))

        colours = np.tile(np.asarray(material.base_color, np.float64), (len(of), 1))
        if mesh.colors is not None:
            colours = colours * blended(mesh.colors)
        if mesh.uvs is not None and pixels is not _WHITE:
            colours = colours * _sampled(pixels, blended(mesh.uvs))
        lit = np.clip(colours[:, :3] * blended(light), 0.0, 1.0) ** (1.0 / 2.2)
        return np.concatenate([lit, _opacity(material, colours[:, 3])[:, None]], axis=1)

    return surfels(_surface(mesh, vertices), spacing, seed, paint)


def _surface(mesh: Mesh, vertices: Floats) -> ColouredSurface:
    return ColouredSurface.of(vertices, mesh.indices.astype(np.int64), (1.0, 1.0, 1.0))


def _opacity(material: Material, alpha: Floats) -> Floats:
    """Opacities `[N]`: all or nothing for cut-outs."""
    if material.alpha_mode == "OPAQUE":
        return np.ones_like(alpha)
    return (
        (alpha >= material.alpha_cutoff).astype(np.float64) if material.alpha_mode == "MASK" else np.clip(alpha, 0, 1)
    )


def _normals(mesh: Mesh, vertices: Floats) -> Floats:
    """Unit normals `[V, 3]` of vertices where they are now, smooth where triangles share them."""
    a, b, c = vertices[mesh.indices].transpose(1, 0, 2)
    across = np.cross(b - a, c - a)
    corners = mesh.indices.ravel()
    total = np.stack(
        [np.bincount(corners, np.repeat(across[:, axis], 3), minlength=len(vertices)) for axis in range(3)], axis=-1
    )
    return total / np.maximum(np.linalg.norm(total, axis=-1, keepdims=True), 1e-30)


def _pixels(data: bytes) -> Singles | Floats:
    """An image `[H, W, 4]` in linear light; one white pixel if it cannot be read."""
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(io.BytesIO(data)) as image:
            pixels = np.asarray(image.convert("RGBA"), np.float64) / 255.0
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return _WHITE
    pixels[..., :3] = linear(pixels[..., :3])
    return pixels


def _sampled(pixels: Singles | Floats, uvs: Floats) -> Floats:
    """The pixels `[N, 4]` at texture coordinates `[N, 2]`, which repeat."""
    height, width = pixels.shape[:2]
    column = np.minimum(((uvs[:, 0] % 1.0) * width).astype(np.int64), width - 1)
    row = np.minimum(((uvs[:, 1] % 1.0) * height).astype(np.int64), height - 1)
    return np.asarray(pixels[row, column], np.float64)
