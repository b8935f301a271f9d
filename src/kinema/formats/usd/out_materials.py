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

Input = tuple[str, Any, str, Any]
"""An input of a surface: name, type, the output of a texture that feeds it, and the value where there is no texture."""

_SUFFIXES = {"image/png": ".png", "image/jpeg": ".jpg"}


def image_files(textures: tuple[Texture, ...]) -> dict[str, bytes]:
    """Names and bytes of the images, in the order of the textures; what is neither PNG nor JPEG becomes PNG.

    Raises:
        FormatError: an image cannot be converted to PNG.
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
                    f"be made PNG: {error}"
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
    surface = _Surface(stage, prim, images)
    color: list[Input] = [("diffuseColor", kinds.Color3f, "rgb", material.base_color[:3])]
    if material.alpha_mode != "OPAQUE":
        color.append(("opacity", kinds.Float, "a", material.base_color[3]))
    surface.add("BaseColor", material.base_color_texture, color, material.base_color, srgb=True)
    if material.alpha_mode == "MASK":
        surface.add("", None, [("opacityThreshold", kinds.Float, "", material.alpha_cutoff)])
    metal: list[Input] = [
        ("roughness", kinds.Float, "g", material.roughness),
        ("metallic", kinds.Float, "b", material.metallic),
    ]
    scale = (1.0, material.roughness, material.metallic, 1.0)
    surface.add("MetallicRoughness", material.metallic_roughness_texture, metal, scale)
    glow: Input = ("emissiveColor", kinds.Color3f, "rgb", material.emissive if any(material.emissive) else None)
    surface.add("Emissive", material.emissive_texture, [glow], (*material.emissive, 1.0), srgb=True)
    scale = (2.0, 2.0, 2.0, 1.0)
    surface.add("Normal", material.normal_texture, [("normal", kinds.Normal3f, "rgb", None)], scale, bias=-1.0)
    surface.add("Occlusion", material.occlusion_texture, [("occlusion", kinds.Float, "r", None)])
    return prim


class _Surface:
    """The shaders of one material in the making."""

    def __init__(self, stage: Any, prim: Any, images: list[str]) -> None:
        self._stage, self._path, self._images = stage, prim.GetPath(), images
        self._surface = self._shader("Surface", "UsdPreviewSurface")
        prim.CreateSurfaceOutput().ConnectToSource(self._surface.ConnectableAPI(), "surface")
        self._coordinates: Any = None

    def add(
        self,
        name: str,
        texture: int | None,
        inputs: list[Input],
        scale: tuple[float, ...] = (1.0, 1.0, 1.0, 1.0),
        srgb: bool = False,
        bias: float = 0.0,
    ) -> None:
        """Inputs of the surface that a texture feeds; without a texture, those that have a value get it."""
        shader = None if texture is None else self._texture(name, self._images[texture], scale, srgb, bias)
        for key, kind, output, value in inputs:
            if shader is not None:
                shader.CreateOutput(output, Sdf.ValueTypeNames.Float3 if output == "rgb" else Sdf.ValueTypeNames.Float)
                self._surface.CreateInput(key, kind).ConnectToSource(shader.ConnectableAPI(), output)
            elif value is not None:
                self._surface.CreateInput(key, kind).Set(value)

    def _shader(self, name: str, kind: str) -> Any:
        shader = UsdShade.Shader.Define(self._stage, self._path.AppendChild(name))
        shader.CreateIdAttr(kind)
        return shader

    def _texture(self, name: str, image: str, scale: tuple[float, ...], srgb: bool, bias: float) -> Any:
        kinds = Sdf.ValueTypeNames
        if self._coordinates is None:
            self._coordinates = self._shader("Coordinates", "UsdPrimvarReader_float2")
            self._coordinates.CreateInput("varname", kinds.String).Set("st")
            self._coordinates.CreateOutput("result", kinds.Float2)
        shader = self._shader(name, "UsdUVTexture")
        shader.CreateInput("file", kinds.Asset).Set(Sdf.AssetPath(image))
        shader.CreateInput("st", kinds.Float2).ConnectToSource(self._coordinates.ConnectableAPI(), "result")
        shader.CreateInput("wrapS", kinds.Token).Set("repeat")
        shader.CreateInput("wrapT", kinds.Token).Set("repeat")
        shader.CreateInput("sourceColorSpace", kinds.Token).Set("sRGB" if srgb else "raw")
        if scale != (1.0, 1.0, 1.0, 1.0):
            shader.CreateInput("scale", kinds.Float4).Set(scale)
        if bias:
            shader.CreateInput("bias", kinds.Float4).Set((bias, bias, bias, 0.0))
        return shader
