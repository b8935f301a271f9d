"""Materials, textures and images of a glTF file. A picture that cannot be read costs a warning, never the file."""

from __future__ import annotations

from typing import Any

from kinema.character import Material, Texture
from kinema.errors import FormatError
from kinema.formats.gltf.buffers import Buffers, resolve_uri
from kinema.formats.gltf.document import Document

_SIGNATURES = ((b"\x89PNG", "image/png"), (b"\xff\xd8\xff", "image/jpeg"), (b"RIFF", "image/webp"),
               (b"\xabKTX 20", "image/ktx2"))  # fmt: skip


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
        if "extensions" in info and "KHR_texture_transform" in self.document.object(info, "extensions", where):
            self.document.warn(f"{where}.{key} moves its texture coordinates, which was ignored")
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
        self.textures.append(Texture(item.get("name") or f"image_{image}", mime, data))
        return len(self.textures) - 1


def _material(document: Document, library: _Library, index: int) -> Material:
    where = f"materials[{index}]"
    item = document.all("materials")[index]
    surface = document.object(item, "pbrMetallicRoughness", where)
    color = document.numbers(surface, "baseColorFactor", where, [1, 1, 1, 1], 4)
    glow = document.numbers(item, "emissiveFactor", where, [0, 0, 0], 3)
    extensions = document.object(item, "extensions", where)
    strength = document.object(extensions, "KHR_materials_emissive_strength", where)
    glow = [value * document.number(strength, "emissiveStrength", where, 1.0) for value in glow]
    return Material(
        name=item.get("name", f"material_{index}"),
        base_color=(color[0], color[1], color[2], color[3]),
        metallic=document.number(surface, "metallicFactor", where, 1.0),
        roughness=document.number(surface, "roughnessFactor", where, 1.0),
        emissive=(glow[0], glow[1], glow[2]),
        alpha_mode=document.text(item, "alphaMode", where, "OPAQUE"),
        alpha_cutoff=document.number(item, "alphaCutoff", where, 0.5),
        double_sided=item.get("doubleSided") is True,
        base_color_texture=library.find(surface, "baseColorTexture", where),
        metallic_roughness_texture=library.find(surface, "metallicRoughnessTexture", where),
        normal_texture=library.find(item, "normalTexture", where),
        occlusion_texture=library.find(item, "occlusionTexture", where),
        emissive_texture=library.find(item, "emissiveTexture", where),
    )
