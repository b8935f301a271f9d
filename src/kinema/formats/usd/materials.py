"""Materials of a USD file as ours, and their images. A picture that cannot be read costs a warning, never the file."""

from __future__ import annotations

from typing import Any

import numpy as np

from kinema.character import Material, Texture
from kinema.errors import FormatError
from kinema.formats.usd.files import Files

_SIGNATURES = ((b"\x89PNG", "image/png"), (b"\xff\xd8\xff", "image/jpeg"), (b"RIFF", "image/webp"))
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
        mime = next((kind for mark, kind in _SIGNATURES if data.startswith(mark)), None)
        if mime is None or size > MAX_BYTES:
            warnings.append(f"image {asset!r} is no PNG, JPEG or WebP, or too large; it was left out")
            continue
        places[-1] = len(textures)
        textures.append(Texture(asset.rsplit("/", 1)[-1].rsplit(".", 1)[0], mime, data))
    return [_material(item, places, warnings) for item in scene["materials"]], textures


def _material(item: dict[str, Any], places: list[int | None], warnings: list[str]) -> Material:
    inputs = item["inputs"]

    def color(name: str, fallback: tuple[float, ...]) -> list[float]:
        found = inputs.get(name, {})
        given = found.get("scale", [1.0] * 4) if "texture" in found else found.get("value", fallback)
        given = given * len(fallback) if len(given) == 1 else given
        return [float(value) for value in np.clip(given[: len(fallback)], 0, 1e4)]

    def number(name: str, fallback: float) -> float:
        found = inputs.get(name, {})
        channel = "rgba".find(found.get("channel", "r"))
        scale = found.get("scale", [])
        value = scale[channel] if 0 <= channel < len(scale) else color(name, (fallback,))[0]
        return float(np.clip(value, 0, 1))

    def texture(name: str) -> int | None:
        place = inputs.get(name, {}).get("texture")
        return None if place is None else places[place]

    for name, found in inputs.items():
        if name not in ("normal", "opacity") and any(found.get("bias", [])):
            warnings.append(f"material {item['name']!r} shifts the values of its {name} image, which was ignored")
    opacity, threshold = number("opacity", 1.0), number("opacityThreshold", 0.0)
    metallic, rough = texture("metallic"), texture("roughness")
    packed = rough if rough is not None else metallic
    if packed is not None and (
        (metallic is not None and (metallic != packed or inputs["metallic"]["channel"] != "b"))
        or (rough is not None and inputs["roughness"]["channel"] != "g")
    ):
        warnings.append(
            f"material {item['name']!r} has metallic and roughness images that are not the blue and green "
            "of one; they were left out"
        )
        packed = None
    red, green, blue = color("diffuseColor", (0.18, 0.18, 0.18))
    seen_through = threshold == 0 and (opacity < 1 or texture("opacity") is not None)
    glow = color("emissiveColor", (0.0, 0.0, 0.0))
    return Material(
        name=item["name"],
        base_color=(red, green, blue, opacity),
        metallic=number("metallic", 0.0),
        roughness=number("roughness", 0.5),
        emissive=(glow[0], glow[1], glow[2]),
        alpha_mode="BLEND" if seen_through else "MASK" if threshold > 0 else "OPAQUE",
        alpha_cutoff=threshold or 0.5,
        base_color_texture=texture("diffuseColor"),
        metallic_roughness_texture=packed,
        normal_texture=texture("normal"),
        occlusion_texture=texture("occlusion"),
        emissive_texture=texture("emissiveColor"),
    )
