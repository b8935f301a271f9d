"""Figures on a ground with a grid, soft shadows and paths drawn on it, seen by a camera."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from kinema.character import Character
from kinema.motion import Motion
from kinema.pose import Pose
from kinema.rendering.bodies import body_for, outline, thinned
from kinema.rendering.sheet import raster, surface

Color = tuple[int, int, int]
Floats = NDArray[np.floating]

_SHADOW, _SHADE_BELOW = 0.50, 0.34  # darkest share of the sun's shadow, and of the sky's right under the body
_LINE = (0.011, 0.26)  # a grid line: metres wide (for a person), darkness
_ROUGH = 800  # points that tell how much room a body takes
_THINNEST = 0.003  # width of a path, share of the picture's height


@dataclass(frozen=True, eq=False)
class Skin:
    """What stays the same of a mesh in all poses; colours are linear."""

    faces: NDArray[np.uint32]
    colors: Floats
    uvs: Floats | None
    texture: Floats | None


@dataclass(frozen=True, eq=False)
class Figure:
    """A posed character: `surfaces` are (vertices, normals) of each skin's mesh; `fade` is 0 solid, 1 gone."""

    skins: tuple[Skin, ...]
    surfaces: tuple[tuple[Floats, Floats], ...]
    fade: float = 0.0


@dataclass(frozen=True, eq=False)
class Ribbon:
    """A path on the ground: `[N, 3]` metres, its width in metres, sRGB colour, and (dash, gap) in metres or None."""

    points: Floats
    width: float
    color: Color
    dashes: tuple[float, float] | None = None


class Cast:
    """Poses of a motion as figures, with the character's own meshes or a body made for its skeleton.

    Raises:
        SkeletonError: the character has other joints than the motion.
    """

    def __init__(self, motion: Motion, character: Character | None = None) -> None:
        self.character = character = body_for(motion.skeleton, motion, character)
        self._rough = thinned(character, _ROUGH)
        self._skins = tuple(
            Skin(
                mesh.indices,
                surface.vertex_colors(character, mesh),
                mesh.uvs,
                surface.base_texture(character, mesh),
            )
            for mesh in character.meshes
        )

    def figure(self, pose: Pose, fade: float = 0.0) -> Figure:
        """The figure of one pose in the world."""
        surfaces = (surface.posed(mesh, pose) for mesh in self.character.meshes)
        return Figure(self._skins, tuple(surfaces), fade)

    def outline(self, pose: Pose) -> Floats:
        """Some points `[N, P, 3]` of the surface in poses `[N]`, to know what room they take.

        The joints themselves would not do: rigs keep joints at the world's origin, and heads reach beyond theirs.
        """
        return outline(self._rough, pose)


def picture(
    camera: raster.Camera,
    width: int,
    height: int,
    figures: Sequence[Figure],
    page: Color,
    size: float,
    cell: float | None = 1.0,
    ribbons: Sequence[Ribbon] = (),
    margin: float = 0.08,
) -> NDArray[np.uint8]:
    """What the camera sees, sRGB `[height, width, 3]`.

    Args:
        page: sRGB colour of the ground, which is the paper around the picture too.
        size: height of the character, metres; shadows and grid lines scale with it.
        cell: metres between grid lines, or None for a bare ground.
        margin: share of the picture's height over which grid and shadows fade out toward the borders.
    """
    canvas = raster.Picture(camera, width, height)
    paper = raster.to_linear(page)
    where, pixel = camera.ground(canvas.width, canvas.height)
    ground = np.broadcast_to(paper, (canvas.height, canvas.width, 3)).copy()
    inside = _border(canvas.width, canvas.height, margin * canvas.height)[..., None]
    if cell is not None:
        ground *= 1 - _LINE[1] * inside * _grid(where, cell, _LINE[0] * size / 1.7)[..., None]
    for ribbon in ribbons:
        ground += _ribbon(camera, canvas.width, canvas.height, ribbon)[..., None] * (
            raster.to_linear(ribbon.color) - ground
        )
    thrown = [
        (vertices, skin.faces, 1 - figure.fade)
        for figure in figures
        for skin, (vertices, _) in zip(figure.skins, figure.surfaces, strict=True)
    ]
    texel = max(0.006 * size, float(np.nanmin(pixel)))
    sun = raster.sun_of(camera.axes)
    cast = np.nan_to_num(raster.shadow(thrown, where, texel, 0.014 * size, sun))
    below = np.nan_to_num(raster.shadow(thrown, where, 2 * texel, 0.07 * size, np.array([0, 1, 0], np.float32)))
    lit = ((1 - _SHADOW * cast) * (1 - _SHADE_BELOW * below))[..., None]
    ground *= 1 - np.sqrt(inside) * (1 - lit)
    for figure in figures:
        for skin, (vertices, normals) in zip(figure.skins, figure.surfaces, strict=True):
            colors = raster.lit(skin.colors, normals, vertices, camera.eye, sun)
            canvas.draw(vertices, colors, skin.faces, skin.uvs, skin.texture, paper, figure.fade)
    return canvas.over(ground)


def _grid(where: Floats, cell: float, width: float) -> Floats:
    """Coverage `[H, W]` of the lines at multiples of `cell`, thinned where a pixel is wider than a line."""
    covered = np.zeros(where.shape[:2], np.float32)
    for axis in range(2):
        at = where[..., axis]
        down, across = np.gradient(at)
        footprint = np.maximum(np.abs(down) + np.abs(across), 1e-9)
        away = np.abs(at - np.round(at / cell) * cell)
        wide = np.maximum(width, footprint)
        line = (
            np.clip((wide / 2 - away) / footprint + 0.5, 0, 1)
            * width
            / wide
            * np.clip((cell - 2 * footprint) / cell, 0, 1)
        )
        covered = np.maximum(covered, np.nan_to_num(line))
    return covered


def _border(width: int, height: int, margin: float) -> Floats:
    """1 inside, falling smoothly to 0 at the four borders."""
    x = np.minimum(np.arange(width) + 0.5, width - np.arange(width) - 0.5)
    y = np.minimum(np.arange(height) + 0.5, height - np.arange(height) - 0.5)
    inside = np.clip(x / (2 * margin), 0, 1)[None, :] * np.clip(y / margin, 0, 1)[:, None]
    return (inside * inside * (3 - 2 * inside)).astype(np.float32)


def _ribbon(camera: raster.Camera, width: int, height: int, ribbon: Ribbon) -> Floats:
    """Coverage `[height, width]` of a path on the ground."""
    mask = Image.new("L", (width, height))
    draw, thinnest = ImageDraw.Draw(mask), max(round(_THINNEST * height), 1)
    for line in dashed(ribbon.points, ribbon.dashes):
        step = np.diff(line, axis=0)
        aside = np.stack([step[:, 2], np.zeros(len(step)), -step[:, 0]], axis=1)
        aside *= ribbon.width / 2 / np.maximum(np.linalg.norm(aside, axis=1, keepdims=True), 1e-9)
        corners = np.stack([line[:-1] + aside, line[1:] + aside, line[1:] - aside, line[:-1] - aside], axis=1)
        quads, middle = camera.see(corners, width, height), camera.see(line, width, height)
        ahead = (quads[..., 2] > 0.02 * camera.distance).all(axis=1)
        for quad, start, end in zip(quads[ahead], middle[:-1][ahead], middle[1:][ahead], strict=True):
            draw.polygon([(float(x), float(y)) for x, y, _ in quad], fill=255)
            # What lies far away or edge-on stays wide enough to be seen.
            draw.line([*start[:2].tolist(), *end[:2].tolist()], fill=255, width=thinnest)
    return np.asarray(mask, np.float32) / 255


def dashed(points: NDArray[np.floating], dashes: tuple[float, float] | None) -> list[NDArray[np.floating]]:
    """A polyline `[N, D]` cut into dashes of (length, gap); whole where None. Points that repeat are dropped."""
    step = np.linalg.norm(np.diff(points, axis=0), axis=1)
    kept = points[np.concatenate([[True], step > 1e-6])] if len(points) else points
    if len(kept) < 2:
        return []
    if dashes is None:
        return [kept]
    along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(kept, axis=0), axis=1))])
    lines: list[NDArray[np.floating]] = []
    for start in np.arange(0.0, along[-1], sum(dashes)):
        end = min(start + dashes[0], along[-1])
        at = np.concatenate([[start], along[(along > start) & (along < end)], [end]])
        lines.append(np.stack([np.interp(at, along, column) for column in kept.T], axis=1))
    return lines
