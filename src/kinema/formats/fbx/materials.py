"""Materials of an FBX file: Phong's and Lambert's, and what Arnold, Stingray and 3ds Max add to them."""

from __future__ import annotations

from kinema.character import Material
from kinema.formats.fbx.document import FbxDocument, Id, Object
from kinema.formats.fbx.notes import ALPHA_CUTOFF, ALPHA_MODE, OCCLUSION, PACKED, is_ours
from kinema.formats.fbx.textures import Textures

_BASE = (
    "Maya|TEX_color_map",
    "Maya|base_color",
    "Maya|baseColor",
    "3dsMax|Parameters|base_color_map",
    "3dsMax|main|base_color_map",
    "DiffuseColor",
    "Diffuse",
)
_NORMAL = ("Maya|TEX_normal_map", "Maya|normalCamera", "3dsMax|Parameters|bump_map", "NormalMap", "Bump")
_GLOW = ("Maya|TEX_emissive_map", "Maya|emissionColor", "3dsMax|Parameters|emit_color_map", "EmissiveColor")
_OCCLUSION = (OCCLUSION, "Maya|TEX_ao_map")
_COLOR = ("Maya|base_color", "Maya|baseColor", "3dsMax|Parameters|base_color", "3dsMax|main|basecolor")
_METAL = ("Maya|metallic", "Maya|metalness", "3dsMax|Parameters|metalness", "3dsMax|main|metalness")
_ROUGH = ("Maya|roughness", "Maya|specularRoughness", "3dsMax|Parameters|roughness", "3dsMax|main|roughness")
_DEEP = 4  # levels of layered textures that are searched
_UNSEEN = 1e-3  # opacity below which it is taken to be stored the other way round


class Materials:
    """Reads materials when a mesh first uses them; `found` lists them, `textures` their images.

    Args:
        culled: ids of materials of meshes that are invisible from behind.
    """

    def __init__(self, document: FbxDocument, culled: set[Id]) -> None:
        self.document, self.culled = document, culled
        self.textures = Textures(document)
        self.found: list[Material] = []
        self._places: dict[Id, int] = {}
        creator = document.root.value("Creator", "")
        self._tints = is_ours(document)  # in files of other programs a texture replaces the colour
        # In files of these two, reflection means metal; in others gloss.
        self._reflects_metal = isinstance(creator, str) and ("Blender" in creator or "Kinema" in creator)

    def index(self, item: Object, loose: Object | None = None) -> int:
        """The index in `found` of a material; `loose` is a texture of the mesh itself, as version 6 has them."""
        if item.id not in self._places:
            self._places[item.id] = len(self.found)
            self.found.append(self._read(item, loose))
        return self._places[item.id]

    def uv_set(self, item: Object) -> str:
        """Name of the texture coordinates that the base colour needs; empty if it names none."""
        texture = self._texture(item, _BASE)
        name = texture.text("UVSet") if texture is not None else ""
        return "" if name == "default" else name

    def _read(self, item: Object, loose: Object | None) -> Material:
        base, glow = self._picture(self._texture(item, _BASE) or loose), self._picture(self._texture(item, _GLOW))
        cut = self._texture(item, ("TransparentColor", "TransparencyFactor", "Maya|opacity", "Opacity")) is not None
        alpha = self._alpha(item) if self._tints or not cut else 1.0
        return Material(
            name=item.name,
            base_color=(*self._color(item, base is not None), alpha),
            metallic=self._metallic(item),
            roughness=self._roughness(item),
            emissive=self._emissive(item, glow is not None),
            alpha_mode=_alpha_mode(item.text(ALPHA_MODE), alpha, cut and base is not None),
            alpha_cutoff=_clamped(item.number(ALPHA_CUTOFF, 0.5)),
            double_sided=item.id not in self.culled,
            base_color_texture=base,
            metallic_roughness_texture=self._picture(self._texture(item, (PACKED,))),
            normal_texture=self._picture(self._texture(item, _NORMAL)),
            occlusion_texture=self._picture(self._texture(item, _OCCLUSION)),
            emissive_texture=glow,
        )

    def _texture(self, item: Object, props: tuple[str, ...]) -> Object | None:
        """The first texture on one of the properties; of layered ones the lowest layer."""
        for prop in props:
            found = item.children(None, prop)
            for _ in range(_DEEP):
                if not found or found[0].class_ != "LayeredTexture":
                    break
                item.warn("has layered textures; the lowest layer was taken")
                found = self.document.children(found[0].id)
            if found and found[0].class_ == "Texture":
                return found[0]
        return None

    def _picture(self, texture: Object | None) -> int | None:
        return None if texture is None else self.textures.index(texture)

    def _color(self, item: Object, textured: bool) -> tuple[float, float, float]:
        if textured and not self._tints:
            return (1.0, 1.0, 1.0)
        name = next((name for name in (*_COLOR, "DiffuseColor") if item.get(name) is not None), "Diffuse")
        factor = 1.0 if name in _COLOR else item.number("DiffuseFactor", 1.0)
        red, green, blue = item.vector(name, (0.8, 0.8, 0.8))
        return (_clamped(red * factor), _clamped(green * factor), _clamped(blue * factor))

    def _alpha(self, item: Object) -> float:
        if "Opacity" in item.values:
            alpha = item.number("Opacity", 1.0)
        else:
            color = item.vector("TransparentColor", (0, 0, 0) if "TransparencyFactor" not in item.values else (1, 1, 1))
            alpha = 1 - item.number("TransparencyFactor", 1.0) * sum(color) / 3
        # A fully transparent material makes no sense; programs differ in whether 0 is opaque or clear.
        return 1.0 if alpha < _UNSEEN else min(alpha, 1.0)

    def _emissive(self, item: Object, textured: bool) -> tuple[float, float, float]:
        if textured and not self._tints:
            return (1.0, 1.0, 1.0)
        factor = max(item.number("EmissiveFactor", 1.0), 0.0)
        red, green, blue = item.vector("EmissiveColor", (0, 0, 0))
        return (max(red * factor, 0.0), max(green * factor, 0.0), max(blue * factor, 0.0))

    def _metallic(self, item: Object) -> float:
        names = (*_METAL, "ReflectionFactor") if self._reflects_metal else _METAL
        name = next((name for name in names if item.get(name) is not None), "")
        return _clamped(item.number(name, 0.0))

    def _roughness(self, item: Object) -> float:
        for name in _ROUGH:
            if item.get(name) is not None:
                return _clamped(item.number(name, 1.0))
        if (item.text("ShadingModel") or item.record.text("ShadingModel")).lower() == "lambert":
            return 1.0
        gloss = max(item.number("ShininessExponent", item.number("Shininess", 20.0)), 0.0)
        return _clamped(1.0 - gloss**0.5 / 10.0)


def _alpha_mode(stated: str, alpha: float, cut_out: bool) -> str:
    mode = stated or ("BLEND" if alpha < 1 else "MASK" if cut_out else "OPAQUE")
    return mode if mode in ("MASK", "BLEND") else "OPAQUE"


def _clamped(value: float) -> float:
    return min(max(value, 0.0), 1.0)
