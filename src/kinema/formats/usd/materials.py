"""Materials of a USD file as ours, and their images. A picture that cannot be read costs a warning, never the file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from kinema.character import Material, Texture
from kinema.errors import FormatError
from kinema.formats.images import mime_type
from kinema.formats.usd.files import Files

MAX_BYTES = 512 * 1024**2  # of all images


def read_materials(scene: dict[str, Any], files: Files, warnings: list[str]) -> tuple[list[Material], list[Texture]]:
    """Materials in the scene's order, and the images that could be read."""
    textures: list[Texture] = []
    places: list[int | None] = []
    size = 0
    for asset in scene["textures"]:
        places.append(None)
        try:
            data = files.read(files.locate(asset, files.root))
        except FormatError as error:
            warnings.append(f"image {asset!r} cannot be read: {error.message}")
            continue
        size += len(data)
        mime = mime_type(data)
        if mime not in ("image/png", "image/jpeg", "image/webp") or size > MAX_BYTES:
            warnings.append(f"image {asset!r} is not a PNG, JPEG or WebP, or too large; it was left out")
            continue
        places[-1] = len(textures)
        textures.append(Texture(asset.rsplit("/", 1)[-1].rsplit(".", 1)[0], mime, data))
    return [_material(item, places, warnings) for item in scene["materials"]], textures


class _Inputs:
    """The inputs of one material: a value, or a texture with a scale."""

    def __init__(self, found: dict[str, dict[str, Any]], textures: list[int | None]) -> None:
        self.found, self._textures = found, textures

    def color(self, name: str, default: tuple[float, ...]) -> list[float]:
        """As many numbers as the default has; with a texture, what it is multiplied by."""
        given = self._numbers(name, default)
        given = [given[0]] * len(default) if len(given) == 1 else given
        return [float(value) for value in np.clip(given[: len(default)], 0, 1e4)]

    def number(self, name: str, default: float) -> float:
        """One number from 0 to 1; with a texture, what the channel is multiplied by that is read."""
        given, channel = self._numbers(name, (default,)), "rgba".find(self.found.get(name, {}).get("channel", "r"))
        return float(np.clip(given[channel if 0 <= channel < len(given) else 0], 0, 1))

    def _numbers(self, name: str, default: Sequence[float]) -> Sequence[float]:
        """The value of an input, or the scale of its texture.

        Where a picture cannot be read, USD shows the texture's fallback. If it states none, the colour keeps its scale,
        and the others their default: an emission that is lost must not glow.
        """
        found = self.found.get(name, {})
        if "texture" not in found:
            return found.get("value", default)
        if self.texture(name) is None and ("fallback" in found or name != "diffuseColor"):
            return found.get("fallback", default)
        return found.get("scale", [1.0] * 4)

    def texture(self, name: str) -> int | None:
        """The texture of an input, if it could be read."""
        place = self.found.get(name, {}).get("texture")
        return None if place is None else self._textures[place]


def _material(item: dict[str, Any], textures: list[int | None], warnings: list[str]) -> Material:
    inputs, name = _Inputs(item["inputs"], textures), item["name"]
    shifted = [key for key, found in inputs.found.items() if any(found.get("bias", []))]
    for key in [key for key in shifted if key not in ("normal", "opacity")]:
        warnings.append(f"material {name!r} shifts the values of its {key} image, which was ignored")
    opacity, threshold = inputs.number("opacity", 1.0), inputs.number("opacityThreshold", 0.0)
    transparent = threshold == 0 and (opacity < 1 or inputs.texture("opacity") is not None)
    red, green, blue = inputs.color("diffuseColor", (0.18, 0.18, 0.18))
    glow = inputs.color("emissiveColor", (0.0, 0.0, 0.0))
    return Material(
        name=name,
        base_color=(red, green, blue, opacity),
        metallic=inputs.number("metallic", 0.0),
        roughness=inputs.number("roughness", 0.5),
        emissive=(glow[0], glow[1], glow[2]),
        alpha_mode="BLEND" if transparent else "MASK" if threshold > 0 else "OPAQUE",
        alpha_cutoff=threshold or 0.5,
        base_color_texture=inputs.texture("diffuseColor"),
        metallic_roughness_texture=_packed_texture(inputs, name, warnings),
        normal_texture=inputs.texture("normal"),
        occlusion_texture=inputs.texture("occlusion"),
        emissive_texture=inputs.texture("emissiveColor"),
    )


def _packed_texture(inputs: _Inputs, name: str, warnings: list[str]) -> int | None:
    """The image with metallic in blue and roughness in green, as our materials need it."""
    metallic, rough = inputs.texture("metallic"), inputs.texture("roughness")
    packed = metallic if rough is None else rough
    for texture, key, channel in ((metallic, "metallic", "b"), (rough, "roughness", "g")):
        if texture is not None and (texture != packed or inputs.found[key]["channel"] != channel):
            warnings.append(
                f"material {name!r} has metallic and roughness images that are not the blue and green of one; "
                "they were left out"
            )
            return None
    return packed
