"""Materials as UsdPreviewSurface with UsdUVTexture, and the files of their images."""

from __future__ import annotations

import io
import re
from typing import Any

from PIL import Image

from kinema.character import Character, Material, Texture
from kinema.errors import FormatError
from kinema.formats.usd.openusd import Sdf, UsdShade
from kinema.formats.usd.out_rig import valid_names

_SUFFIXES = {"image/png": ".png", "image/jpeg": ".jpg"}


def image_files(textures: tuple[Texture, ...], path: str) -> dict[str, bytes]:
    """Names and bytes of the images, in the order of the textures; what is neither PNG nor JPEG becomes PNG.

    Raises:
        FormatError: an image is of a kind that cannot be turned into PNG.
    """
    files: dict[str, bytes] = {}
    for number, texture in enumerate(textures):
        data, suffix = texture.data, _SUFFIXES.get(texture.mime)
        if suffix is None:
            try:
                held = io.BytesIO()
                Image.open(io.BytesIO(data)).save(held, "PNG")
            except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
                raise FormatError(
                    f"texture {texture.name!r} is {texture.mime}, which USD cannot hold and which cannot "
                    f"be made PNG: {error}",
                    path=path,
                ) from None
            data, suffix = held.getvalue(), ".png"
        plain = re.sub(r"[^A-Za-z0-9_-]+", "_", texture.name)[:60]
        files[f"{number}_{plain}{suffix}"] = data
    return files


def write_materials(stage: Any, scope: Any, character: Character, images: list[str]) -> list[Any]:
    """One Material prim for each material.

    Args:
        images: asset paths of the character's textures.
    """
    names = valid_names([material.name or "material" for material in character.materials])
    return [
        _write(stage, scope.AppendChild(name), material, images)
        for name, material in zip(names, character.materials, strict=True)
    ]


def _write(stage: Any, path: Any, material: Material, images: list[str]) -> Any:
    kinds = Sdf.ValueTypeNames
    prim = UsdShade.Material.Define(stage, path)
    if path.name != material.name:
        prim.GetPrim().SetDisplayName(material.name)
    surface = UsdShade.Shader.Define(stage, path.AppendChild("Surface"))
    surface.CreateIdAttr("UsdPreviewSurface")
    prim.CreateSurfaceOutput().ConnectToSource(surface.ConnectableAPI(), "surface")
    reader: list[Any] = []

    def texture(name: str, index: int, scale: tuple[float, ...], color: bool, bias: float = 0.0) -> Any:
        if not reader:
            reader.append(UsdShade.Shader.Define(stage, path.AppendChild("Coordinates")))
            reader[0].CreateIdAttr("UsdPrimvarReader_float2")
            reader[0].CreateInput("varname", kinds.String).Set("st")
            reader[0].CreateOutput("result", kinds.Float2)
        shader = UsdShade.Shader.Define(stage, path.AppendChild(name))
        shader.CreateIdAttr("UsdUVTexture")
        shader.CreateInput("file", kinds.Asset).Set(Sdf.AssetPath(images[index]))
        shader.CreateInput("st", kinds.Float2).ConnectToSource(reader[0].ConnectableAPI(), "result")
        shader.CreateInput("wrapS", kinds.Token).Set("repeat")
        shader.CreateInput("wrapT", kinds.Token).Set("repeat")
        shader.CreateInput("sourceColorSpace", kinds.Token).Set("sRGB" if color else "raw")
        if scale != (1.0, 1.0, 1.0, 1.0):
            shader.CreateInput("scale", kinds.Float4).Set(scale)
        if bias:
            shader.CreateInput("bias", kinds.Float4).Set((bias, bias, bias, 0.0))
        return shader

    def connect(name: str, kind: Any, shader: Any, output: str) -> None:
        shader.CreateOutput(output, kinds.Float3 if output == "rgb" else kinds.Float)
        surface.CreateInput(name, kind).ConnectToSource(shader.ConnectableAPI(), output)

    seen_through = material.alpha_mode != "OPAQUE"
    if material.base_color_texture is not None:
        shader = texture("BaseColor", material.base_color_texture, material.base_color, True)
        connect("diffuseColor", kinds.Color3f, shader, "rgb")
        if seen_through:
            connect("opacity", kinds.Float, shader, "a")
    else:
        surface.CreateInput("diffuseColor", kinds.Color3f).Set(material.base_color[:3])
        if seen_through:
            surface.CreateInput("opacity", kinds.Float).Set(material.base_color[3])
    if material.alpha_mode == "MASK":
        surface.CreateInput("opacityThreshold", kinds.Float).Set(material.alpha_cutoff)
    if material.metallic_roughness_texture is not None:
        scale = (1.0, material.roughness, material.metallic, 1.0)
        shader = texture("MetallicRoughness", material.metallic_roughness_texture, scale, False)
        connect("roughness", kinds.Float, shader, "g")
        connect("metallic", kinds.Float, shader, "b")
    else:
        surface.CreateInput("roughness", kinds.Float).Set(material.roughness)
        surface.CreateInput("metallic", kinds.Float).Set(material.metallic)
    if material.emissive_texture is not None:
        shader = texture("Emissive", material.emissive_texture, (*material.emissive, 1.0), True)
        connect("emissiveColor", kinds.Color3f, shader, "rgb")
    elif any(material.emissive):
        surface.CreateInput("emissiveColor", kinds.Color3f).Set(material.emissive)
    if material.normal_texture is not None:
        shader = texture("Normal", material.normal_texture, (2.0, 2.0, 2.0, 1.0), False, -1.0)
        connect("normal", kinds.Normal3f, shader, "rgb")
    if material.occlusion_texture is not None:
        connect(
            "occlusion", kinds.Float, texture("Occlusion", material.occlusion_texture, (1.0, 1.0, 1.0, 1.0), False), "r"
        )
    return prim
