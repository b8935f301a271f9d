"""Materials and textures, with the images inside the file.

FBX has Phong materials. Roughness and metalness go where Blender looks for them; what the model has no
place for (cut-outs, packed maps of roughness and occlusion) goes into properties of our own.
"""

from __future__ import annotations

from kinema.character import Character, Material, Texture
from kinema.formats.fbx.encode import Node
from kinema.formats.fbx.notes import ALPHA_CUTOFF, ALPHA_MODE, OCCLUSION, PACKED
from kinema.formats.fbx.out_scene import FbxBuilder, number, string, vector

SUFFIXES = {
    "image/png": ".png",
    "image/jpeg": ".jpg",
    "image/webp": ".webp",
    "image/ktx2": ".ktx2",
    "image/bmp": ".bmp",
    "image/vnd-ms.dds": ".dds",
    "image/x-tga": ".tga",
    "image/tiff": ".tif",
}


def shininess(roughness: float) -> float:
    """Phong's exponent for a roughness of 0 to 1, as Blender takes it."""
    return (10.0 * (1.0 - min(max(roughness, 0.0), 1.0))) ** 2


def write_materials(builder: FbxBuilder, character: Character) -> list[int]:
    """All materials with their textures; ids of the materials."""
    videos: dict[int, int] = {}
    names = _file_names(character.textures)
    result = []
    for material in character.materials:
        fields = {"Version": 102, "ShadingModel": "phong", "MultiLayer": 0}
        node, _ = builder.add("Material", material.name, "Material", "", _rows(material), **fields)
        for prop, index in _textures(material).items():
            if index is None or not 0 <= index < len(character.textures):
                continue
            texture = character.textures[index]
            if index not in videos:
                videos[index] = _video(builder, texture, names[index])
            builder.connect(_texture(builder, texture, names[index], videos[index]), node, prop)
        result.append(node)
    return result


def _textures(material: Material) -> dict[str, int | None]:
    """Textures by the property that they are connected to."""
    return {
        "DiffuseColor": material.base_color_texture,
        "TransparentColor": material.base_color_texture if material.alpha_mode != "OPAQUE" else None,
        "EmissiveColor": material.emissive_texture,
        "NormalMap": material.normal_texture,
        PACKED: material.metallic_roughness_texture,
        OCCLUSION: material.occlusion_texture,
    }


def _rows(material: Material) -> list[Node]:
    red, green, blue, alpha = material.base_color
    gloss = shininess(material.roughness)
    rows = [
        string("ShadingModel", "phong"),
        vector("EmissiveColor", material.emissive, "Color", "", "A"),
        _factor("EmissiveFactor", 1.0),
        vector("AmbientColor", (0, 0, 0), "Color", "", "A"),
        vector("DiffuseColor", (red, green, blue), "Color", "", "A"),
        _factor("DiffuseFactor", 1.0),
        vector("TransparentColor", (1, 1, 1), "Color", "", "A"),
        _factor("TransparencyFactor", 1.0 - alpha),
        number("Opacity", alpha),
        vector("SpecularColor", (1, 1, 1), "Color", "", "A"),
        _factor("SpecularFactor", 0.25),
        _factor("Shininess", gloss),
        _factor("ShininessExponent", gloss),
        vector("ReflectionColor", (1, 1, 1), "Color", "", "A"),
        _factor("ReflectionFactor", material.metallic),
    ]
    if material.alpha_mode != "OPAQUE" or alpha < 1:
        rows.append(string(ALPHA_MODE, material.alpha_mode, "U"))
    if material.alpha_mode == "MASK":
        rows.append(number(ALPHA_CUTOFF, material.alpha_cutoff, flags="U"))
    for name, index in ((PACKED, material.metallic_roughness_texture), (OCCLUSION, material.occlusion_texture)):
        if index is not None:
            rows.append(vector(name, (1, 1, 1), "Color", "", "AU"))
    return rows


def _factor(name: str, value: float) -> Node:
    return number(name, value, "Number", "", "A")


def _video(builder: FbxBuilder, texture: Texture, file: str) -> int:
    id, record = builder.add("Video", texture.name, "Video", "Clip", Type="Clip")
    record.add("Properties70", children=[Node("P", "Path", "KString", "XRefUrl", "", file)])
    record.extend(UseMipMap=0, Filename=file, RelativeFilename=file, Content=texture.data)
    return id


def _texture(builder: FbxBuilder, texture: Texture, file: str, video: int) -> int:
    id, _ = builder.add(
        "Texture",
        texture.name,
        "Texture",
        "",
        Type="TextureVideoClip",
        Version=202,
        TextureName=texture.name,
        Media=texture.name,
        FileName=file,
        RelativeFilename=file,
        ModelUVTranslation=(0.0, 0.0),
        ModelUVScaling=(1.0, 1.0),
        Texture_Alpha_Source="None",
        Cropping=(0, 0, 0, 0),
    )
    builder.connect(video, id)
    return id


def _file_names(textures: tuple[Texture, ...]) -> list[str]:
    """Unique file names, for programs that unpack the images."""
    names: list[str] = []
    for place, texture in enumerate(textures):
        suffix = SUFFIXES.get(texture.mime, ".bin")
        stem = "".join(c if c.isalnum() or c in "-_." else "_" for c in texture.name).strip(".") or "texture"
        stem = stem[: -len(suffix)] if stem.lower().endswith(suffix) and len(stem) > len(suffix) else stem
        name = stem + suffix
        names.append(f"{stem}_{place}{suffix}" if name in names else name)
    return names
