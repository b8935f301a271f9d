"""Materials, textures and images of a glTF file. A picture that cannot be read costs a warning, never the file."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinema.character import Material, Texture
from kinema.errors import FormatError
from kinema.formats.gltf.buffers import Buffers
from kinema.formats.gltf.document import Document
from kinema.formats.gltf.uris import resolve_uri

GLOSSY = "KHR_materials_pbrSpecularGlossiness"
_SIGNATURES = (
    (b"\x89PNG", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"RIFF", "image/webp"),
    (b"\xabKTX 20", "image/ktx2"),
)


def read_materials(
    document: Document, buffers: Buffers, thumbnail: int | None = None
) -> tuple[tuple[Material, ...], tuple[Texture, ...], int | None]:
    """All materials and the images that they use, as encoded bytes with their MIME type.

    Args:
        thumbnail: another image to read; its place among the textures is the third result.
    """
    library = _Library(document, buffers)
    materials = tuple(_material(document, library, index) for index in range(len(document.all("materials"))))
    place = None if thumbnail is None else library.image(thumbnail)
    return materials, tuple(library.textures), place


class _Library:
    """Textures in the order in which materials ask for them, one for each image."""

    def __init__(self, document: Document, buffers: Buffers) -> None:
        self.document, self.buffers = document, buffers
        self.textures: list[Texture] = []
        self._places: dict[int, int | None] = {}

    def find(self, owner: dict[str, Any], key: str, where: str) -> int | None:
        """Index of the texture that a material property refers to, or None."""
        if key not in owner:
            return None
        info = self.document.object(owner, key, where)
        texture = self.document.index(info, "index", "textures", f"{where}.{key}")
        if texture is None:
            raise self.document.error("index is missing", f"{where}.{key}")
        item = self.document.all("textures")[texture]
        image = self.document.index(item, "source", "images", f"textures[{texture}]")
        for extension in self.document.object(item, "extensions", f"textures[{texture}]").values():
            if image is None and isinstance(extension, dict):
                image = self.document.index(extension, "source", "images", f"textures[{texture}]")
        if image is None:
            return None
        return self.image(image)

    def image(self, image: int) -> int | None:
        """Index of the texture made of an image, or None if it cannot be read."""
        if image not in self._places:
            self._places[image] = self._load(image)
        return self._places[image]

    def _load(self, image: int) -> int | None:
        where = f"images[{image}]"
        item = self.document.all("images")[image]
        view = self.document.index(item, "bufferView", "bufferViews", where)
        try:
            if view is not None:
                self.buffers.budget.charge(self.buffers.views[view][2], where)
                data = bytes(self.buffers.bytes_of(view))
            else:
                data = resolve_uri(self.document, self.document.text(item, "uri", where), where)
        except FormatError as error:
            self.document.warn(f"{where} cannot be read: {error.message}")
            return None
        mime = item.get("mimeType")
        for signature, kind in _SIGNATURES:
            if data.startswith(signature):
                mime = kind
        if not isinstance(mime, str) or not data:
            self.document.warn(f"{where} is no picture of a known kind")
            return None
        if mime == "image/ktx2":
            self.document.warn(f"{where} is a KTX2 picture, which is kept but cannot be drawn")
        self.textures.append(Texture(item.get("name") or f"image_{image}", mime, data))
        return len(self.textures) - 1


def base_texture(document: Document, index: int) -> dict[str, Any]:
    """The texture info of a material's base colour, in whichever way the material states it; empty if it has none."""
    where = f"materials[{index}]"
    item = document.all("materials")[index]
    surface = document.object(item, "pbrMetallicRoughness", where)
    glossy = document.object(document.object(item, "extensions", where), GLOSSY, where)
    if "baseColorTexture" not in surface and "diffuseTexture" in glossy:
        return document.object(glossy, "diffuseTexture", where)
    return document.object(surface, "baseColorTexture", where)


def placement(document: Document, info: dict[str, Any], where: str) -> tuple[int, NDArray[np.float32]]:
    """Which set of texture coordinates a texture takes, and the affine map `[2, 3]` that moves them first."""
    moved = document.object(document.object(info, "extensions", where), "KHR_texture_transform", where)
    uv_set = document.integer(moved, "texCoord", where, document.integer(info, "texCoord", where, 0))
    x, y = document.numbers(moved, "offset", where, [0, 0], 2)
    width, height = document.numbers(moved, "scale", where, [1, 1], 2)
    angle = document.number(moved, "rotation", where, 0.0)
    c, s = np.cos(angle), np.sin(angle)
    return uv_set, np.array([[c * width, s * height, x], [-s * width, c * height, y]], np.float32)


def _material(document: Document, library: _Library, index: int) -> Material:
    where = f"materials[{index}]"
    item = document.all("materials")[index]
    surface = document.object(item, "pbrMetallicRoughness", where)
    extensions = document.object(item, "extensions", where)
    glow = document.numbers(item, "emissiveFactor", where, [0, 0, 0], 3)
    strength = document.object(extensions, "KHR_materials_emissive_strength", where)
    glow = [value * document.number(strength, "emissiveStrength", where, 1.0) for value in glow]
    # Flat and toon surfaces do not mirror; what they say of metal is not meant for anyone.
    toon = document.object(extensions, "VRMC_materials_mtoon", where)
    flat = "VRMC_materials_mtoon" in extensions or "KHR_materials_unlit" in extensions
    metallic = 0.0 if flat else document.number(surface, "metallicFactor", where, 1.0)
    roughness = 1.0 if flat else document.number(surface, "roughnessFactor", where, 1.0)
    color_key, color_owner = "baseColorFactor", surface
    if GLOSSY in extensions and not surface:
        color_key, color_owner = "diffuseFactor", document.object(extensions, GLOSSY, where)
        metallic, roughness = 0.0, 1.0 - document.number(color_owner, "glossinessFactor", where, 1.0)
        document.warn(f"{where} is of specular and glossiness; its mirror colour was left out")
    color = document.numbers(color_owner, color_key, where, [1, 1, 1, 1], 4)
    shade = document.numbers(toon, "shadeColorFactor", where, [1, 1, 1], 3) if toon else _old_shade(document, index)
    _check_placements(document, item, index)
    alpha_mode = document.text(item, "alphaMode", where, "OPAQUE")
    if alpha_mode not in ("OPAQUE", "MASK", "BLEND"):
        document.warn(f"{where} has the unknown alphaMode {alpha_mode[:20]!r}; it was taken as opaque")
        alpha_mode = "OPAQUE"
    return Material(
        name=item.get("name", f"material_{index}"),
        base_color=(color[0], color[1], color[2], color[3]),
        metallic=metallic,
        roughness=roughness,
        emissive=(glow[0], glow[1], glow[2]),
        alpha_mode=alpha_mode,
        alpha_cutoff=document.number(item, "alphaCutoff", where, 0.5),
        double_sided=item.get("doubleSided") is True,
        shade=None if shade is None else (shade[0], shade[1], shade[2]),
        base_color_texture=library.find(
            color_owner, "diffuseTexture" if GLOSSY in extensions and not surface else "baseColorTexture", where
        ),
        metallic_roughness_texture=None if flat else library.find(surface, "metallicRoughnessTexture", where),
        normal_texture=library.find(item, "normalTexture", where),
        occlusion_texture=library.find(item, "occlusionTexture", where),
        emissive_texture=library.find(item, "emissiveTexture", where),
    )


def _old_shade(document: Document, index: int) -> list[float] | None:
    """The colour in shade of a toon material of VRM 0, linear."""
    vrm = document.object(document.object(document.root, "extensions", "extensions"), "VRM", "extensions.VRM")
    listed = document.objects(vrm, "materialProperties", "extensions.VRM")
    if index >= len(listed) or listed[index].get("shader") != "VRM/MToon":
        return None
    where = f"extensions.VRM.materialProperties[{index}]"
    colors = document.object(listed[index], "vectorProperties", where)
    if "_ShadeColor" not in colors:
        return None
    encoded = np.clip(document.numbers(colors, "_ShadeColor", where, [], 4)[:3], 0.0, 1.0)
    return np.where(encoded <= 0.04045, encoded / 12.92, ((encoded + 0.055) / 1.055) ** 2.4).tolist()


def _check_placements(document: Document, item: dict[str, Any], index: int) -> None:
    """Warns where a texture lies otherwise on the surface than the base colour does, which our meshes cannot keep."""
    where = f"materials[{index}]"
    surface = document.object(item, "pbrMetallicRoughness", where)
    base = base_texture(document, index)
    owners = (
        (surface, "metallicRoughnessTexture"),
        (item, "normalTexture"),
        (item, "occlusionTexture"),
        (item, "emissiveTexture"),
    )
    others = [(key, document.object(owner, key, where)) for owner, key in owners if key in owner]
    home = placement(document, base or (others[0][1] if others else {}), where)
    for key, info in others:
        place = placement(document, info, where)
        if place[0] != home[0] or not np.allclose(place[1], home[1], atol=1e-6):
            document.warn(f"{where}.{key} has other texture coordinates than the base colour; it was given the same")
