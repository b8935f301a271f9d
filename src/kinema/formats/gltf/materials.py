"""Materials, textures and images of a glTF file. A picture that cannot be read costs a warning, never the file."""

from __future__ import annotations

import numpy as np

from kinema.arrays import Singles
from kinema.character import Material, Texture
from kinema.errors import FormatError
from kinema.formats.gltf.buffers import Buffers
from kinema.formats.gltf.document import GltfDocument, Item
from kinema.formats.gltf.uris import resolve_uri
from kinema.formats.images import linear, mime_type

GLOSSY = "KHR_materials_pbrSpecularGlossiness"


def read_materials(
    document: GltfDocument, buffers: Buffers, thumbnail: int | None = None
) -> tuple[tuple[Material, ...], tuple[Texture, ...], int | None]:
    """All materials and the images that they use, as encoded bytes with their MIME type.

    Args:
        thumbnail: another image to read; its place among the textures is the third result.
    """
    textures = _Textures(document, buffers)
    materials = tuple(_material(item, textures, index) for index, item in enumerate(document.all("materials")))
    place = None if thumbnail is None else textures.image(thumbnail)
    return materials, tuple(textures.read), place


class _Textures:
    """Textures in the order in which materials ask for them, one for each image.

    Attributes:
        read: those that could be read.
    """

    def __init__(self, document: GltfDocument, buffers: Buffers) -> None:
        self.read: list[Texture] = []
        self._document, self._buffers = document, buffers
        self._places: dict[int, int | None] = {}

    def find(self, owner: Item, key: str) -> int | None:
        """Index of the texture that a material property refers to, or None."""
        if key not in owner:
            return None
        item = self._document.all("textures")[owner.object(key).required_index("index", "textures")]
        image = item.index("source", "images")
        extensions = item.object("extensions")
        for name, extension in extensions.values.items():
            if image is None and isinstance(extension, dict):
                image = extensions.object(name).index("source", "images")
        return None if image is None else self.image(image)

    def image(self, image: int) -> int | None:
        """Index of the texture made of an image, or None if it cannot be read."""
        if image not in self._places:
            self._places[image] = self._load(self._document.all("images")[image], image)
        return self._places[image]

    def _load(self, item: Item, image: int) -> int | None:
        try:
            data = self._bytes(item)
        except FormatError as error:
            self._document.warn(f"{item.where} cannot be read: {error.message}")
            return None
        mime = mime_type(data) or item.get("mimeType")
        if not isinstance(mime, str) or not data:
            item.warn("is not a picture of a known kind")
            return None
        if mime == "image/ktx2":
            item.warn("is a KTX2 picture, which is kept but cannot be drawn")
        self.read.append(Texture(item.get("name") or f"image_{image}", mime, data))
        return len(self.read) - 1

    def _bytes(self, item: Item) -> bytes:
        view = item.index("bufferView", "bufferViews")
        if view is None:
            return resolve_uri(item)
        self._buffers.budget.charge(self._buffers.views[view][2], item.where)
        return bytes(self._buffers.bytes_of(view))


def base_texture(material: Item) -> Item:
    """The texture info of a material's base colour, in whichever way the material states it; empty if it has none."""
    surface, glossy = material.object("pbrMetallicRoughness"), material.extension(GLOSSY)
    if "baseColorTexture" not in surface and "diffuseTexture" in glossy:
        return glossy.object("diffuseTexture")
    return surface.object("baseColorTexture")


def placement(info: Item) -> tuple[int, Singles]:
    """Which set of texture coordinates a texture uses, and the affine map `[2, 3]` applied to them first."""
    moved = info.extension("KHR_texture_transform")
    uv_set = moved.integer("texCoord", info.integer("texCoord", 0))
    x, y = moved.numbers("offset", 2, (0, 0))
    width, height = moved.numbers("scale", 2, (1, 1))
    angle = moved.number("rotation", 0.0)
    c, s = np.cos(angle), np.sin(angle)
    return uv_set, np.array([[c * width, s * height, x], [-s * width, c * height, y]], np.float32)


def _material(item: Item, textures: _Textures, index: int) -> Material:
    extensions, surface = item.object("extensions"), item.object("pbrMetallicRoughness")
    # Unlit and toon surfaces have no reflections: their metallic and roughness values mean nothing.
    flat = "VRMC_materials_mtoon" in extensions or "KHR_materials_unlit" in extensions
    glossy = GLOSSY in extensions and not surface.values
    if glossy:
        owner, color_key, texture_key = extensions.object(GLOSSY), "diffuseFactor", "diffuseTexture"
        metallic, roughness = 0.0, 1.0 - owner.number("glossinessFactor", 1.0)
        item.warn("uses specular and glossiness; its specular colour was left out")
    else:
        owner, color_key, texture_key = surface, "baseColorFactor", "baseColorTexture"
        metallic = 0.0 if flat else surface.number("metallicFactor", 1.0)
        roughness = 1.0 if flat else surface.number("roughnessFactor", 1.0)
    red, green, blue, alpha = owner.numbers(color_key, 4, (1, 1, 1, 1))
    _check_placements(item)
    return Material(
        name=item.values.get("name", f"material_{index}"),
        base_color=(red, green, blue, alpha),
        metallic=metallic,
        roughness=roughness,
        emissive=_emissive(item),
        alpha_mode=_alpha_mode(item),
        alpha_cutoff=item.number("alphaCutoff", 0.5),
        double_sided=item.get("doubleSided") is True,
        shade=_shade(item, index),
        base_color_texture=textures.find(owner, texture_key),
        metallic_roughness_texture=None if flat else textures.find(surface, "metallicRoughnessTexture"),
        normal_texture=textures.find(item, "normalTexture"),
        occlusion_texture=textures.find(item, "occlusionTexture"),
        emissive_texture=textures.find(item, "emissiveTexture"),
    )


def _emissive(item: Item) -> tuple[float, float, float]:
    red, green, blue = item.numbers("emissiveFactor", 3, (0, 0, 0))
    strength = item.extension("KHR_materials_emissive_strength").number("emissiveStrength", 1.0)
    return red * strength, green * strength, blue * strength


def _alpha_mode(item: Item) -> str:
    mode = item.text("alphaMode", "OPAQUE")
    if mode in ("OPAQUE", "MASK", "BLEND"):
        return mode
    item.warn(f"has the unknown alphaMode {mode[:20]!r}; read as opaque")
    return "OPAQUE"


def _shade(item: Item, index: int) -> tuple[float, float, float] | None:
    """The shade colour of a toon material, linear."""
    toon = item.extension("VRMC_materials_mtoon")
    if toon.values:
        red, green, blue = toon.numbers("shadeColorFactor", 3, (1, 1, 1))
        return red, green, blue
    vrm = item.document.extension("VRM")
    listed = [] if vrm is None else vrm.objects("materialProperties")
    if index >= len(listed) or listed[index].get("shader") != "VRM/MToon":
        return None
    colors = listed[index].object("vectorProperties")
    if "_ShadeColor" not in colors:
        return None
    red, green, blue = linear(np.clip(colors.numbers("_ShadeColor", 4)[:3], 0.0, 1.0)).tolist()
    return red, green, blue


def _check_placements(item: Item) -> None:
    """Warns about textures whose coordinates differ from those of the base colour, which our meshes cannot hold."""
    owners = {key: item for key in ("normalTexture", "occlusionTexture", "emissiveTexture")}
    owners = {"metallicRoughnessTexture": item.object("pbrMetallicRoughness"), **owners}
    others = {key: owner.object(key) for key, owner in owners.items() if key in owner}
    base = base_texture(item)
    home, move = placement(base if base.values else next(iter(others.values()), base))
    for info in others.values():
        uv_set, other = placement(info)
        if uv_set != home or not np.allclose(other, move, atol=1e-6):
            info.warn("has other texture coordinates than the base colour; those of the base colour are used")
