"""Materials and textures on the GPU."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image, UnidentifiedImageError

from kinema.character import Material, Texture

if TYPE_CHECKING:
    import moderngl

    from kinema.rendering.shading import Shader

SRGB8_ALPHA8 = 0x8C43
LARGEST = 2048
"""Texels of an edge; larger images are scaled down."""
SOLID = 0.92
"""Alpha from which on a blended material is drawn as an opaque one."""
_SLOTS = ("base", "metal", "normal", "occlusion", "glow")
_DEFINES = ("BASE_MAP", "METAL_MAP", "NORMAL_MAP", "OCCLUSION_MAP", "GLOW_MAP")


@dataclass(frozen=True, eq=False)
class GpuMaterial:
    """A material with its textures loaded.

    Attributes:
        material: material of the character.
        maps: a texture or None for each slot (base colour, metallic and roughness, normal, occlusion, emission).
    """

    material: Material
    maps: tuple[moderngl.Texture | None, ...]

    @property
    def textured(self) -> bool:
        return any(self.maps)

    @property
    def glows(self) -> bool:
        return max(self.material.emissive) > 0

    @property
    def blended(self) -> bool:
        return self.material.alpha_mode == "BLEND"

    @property
    def cut(self) -> bool:
        """Whether the texture cuts out parts of the surface."""
        return self.material.alpha_mode in ("MASK", "BLEND") and self.maps[0] is not None

    def cutting(self) -> dict[str, int]:
        """Defines of a shader that draws its depth."""
        return {"TEXTURED": 1} if self.cut else {}

    def bind_cut(self, shader: Shader) -> None:
        """Set what a shader that draws its depth needs."""
        if self.cut:
            self.bind(shader)

    def defines(self) -> dict[str, int]:
        """Defines of its shader."""
        found = {name: 1 for name, texture in zip(_DEFINES, self.maps, strict=True) if texture is not None}
        if found:
            found["TEXTURED"] = 1
        if self.material.double_sided:
            found["DOUBLE_SIDED"] = 1
        return found

    def least_alpha(self, solid: bool) -> float:
        """The smallest alpha that is drawn; `solid` as in `bind`."""
        blend = SOLID if solid else 0.004
        return {"MASK": self.material.alpha_cutoff, "BLEND": blend}.get(self.material.alpha_mode, -1.0)

    def bind(self, shader: Shader, solid: bool = True) -> None:
        """Set uniforms and textures. `solid`: draw the opaque parts; otherwise the transparent ones."""
        material = self.material
        shader.set(
            base_color=material.base_color,
            metal_rough=(material.metallic, material.roughness),
            glow=material.emissive,
            alpha_rule=(self.least_alpha(solid), 2.0 if solid else SOLID),
        )
        if self.textured:
            shader.bind(**{f"{slot}_map": texture for slot, texture in zip(_SLOTS, self.maps, strict=True)})


def load_surfaces(
    context: moderngl.Context, materials: tuple[Material, ...], textures: tuple[Texture, ...]
) -> tuple[list[GpuMaterial], list[moderngl.Texture]]:
    """All materials with their textures, a plain one at the end, and the list of textures.

    An image that cannot be decoded counts as missing: the material then shows its plain colour.
    """
    made: dict[tuple[int, bool], moderngl.Texture | None] = {}

    def find(index: int | None, color: bool) -> moderngl.Texture | None:
        if index is None or not 0 <= index < len(textures):
            return None
        if (index, color) not in made:
            made[index, color] = _upload(context, textures[index], color)
        return made[index, color]

    surfaces = [
        GpuMaterial(
            material,
            (
                find(material.base_color_texture, True),
                find(material.metallic_roughness_texture, False),
                find(material.normal_texture, False),
                find(material.occlusion_texture, False),
                find(material.emissive_texture, True),
            ),
        )
        for material in materials
    ]
    surfaces.append(GpuMaterial(Material(metallic=0.0, roughness=0.7, base_color=(0.7, 0.7, 0.7, 1.0)), (None,) * 5))
    return surfaces, [texture for texture in made.values() if texture is not None]


def _upload(context: moderngl.Context, texture: Texture, color: bool) -> moderngl.Texture | None:
    try:
        with Image.open(io.BytesIO(texture.data)) as picture:
            picture.draft("RGB", (LARGEST, LARGEST))
            image = picture.convert("RGBA")
    except (UnidentifiedImageError, OSError, ValueError, Image.DecompressionBombError):
        return None
    if max(image.size) > LARGEST:
        image.thumbnail((LARGEST, LARGEST))
    pixels = np.asarray(image)
    made = context.texture(image.size, 4, pixels.tobytes(), internal_format=SRGB8_ALPHA8 if color else None)
    made.build_mipmaps()
    made.anisotropy = 4.0
    return made
