"""Materials of a stage, in the sandbox: UsdPreviewSurface with UsdUVTexture. Images are only named, never opened."""

from __future__ import annotations

import posixpath
from pathlib import Path
from typing import Any

import numpy as np

from kinema.formats.usd import values
from kinema.formats.usd.openusd import Sdf, UsdShade

_COLORS, _NUMBERS = ("diffuseColor", "emissiveColor", "normal"), ("metallic", "roughness", "opacity", "occlusion")
_INPUTS = (*_COLORS, *_NUMBERS, "opacityThreshold")
MAX_STEPS = 32  # connections followed from an input to what feeds it


class Library:
    """Materials in the order in which meshes use them.

    Args:
        folder: that of the worker, a copy of the folder of the file.
        anchor: folder of the root layer in it.
    """

    def __init__(self, folder: Path, anchor: Path) -> None:
        self.materials: list[dict[str, Any]] = []
        self.textures: list[str] = []
        self.warnings: list[str] = []
        self._folder, self._anchor = folder, anchor
        self._places: dict[Any, int] = {}

    def add(self, material: Any) -> int | None:
        """Index of a material, None for none."""
        if not material:
            return None
        path = material.GetPath()
        if path not in self._places:
            self._places[path] = len(self.materials)
            self.materials.append(self._read(material))
        return self._places[path]

    def uv_name(self, material: int | None) -> str | None:
        """The primvar with the texture coordinates of a material."""
        return None if material is None else self.materials[material]["uv"]

    def _read(self, material: Any) -> dict[str, Any]:
        prim = material.GetPrim()
        entry: dict[str, Any] = {"name": prim.GetDisplayName() or prim.GetName(), "uv": None, "inputs": {}}
        shader = material.ComputeSurfaceSource()[0]
        if not shader:
            return entry
        kind = values.token(shader.GetPrim(), "info:id")
        if kind != "UsdPreviewSurface":
            self.warnings.append(
                f"{values.place(prim)} uses {kind or 'an unknown shader'}, not UsdPreviewSurface; it has default values"
            )
            return entry
        for name in _INPUTS:
            found = self._input(shader, name, entry)
            if found is not None:
                entry["inputs"][name] = found
        return entry

    def _input(self, shader: Any, name: str, entry: dict[str, Any]) -> dict[str, Any] | None:
        attribute = self._source(shader.GetInput(name))
        if attribute is None:
            return None
        prim = attribute.GetPrim()
        if values.token(prim, "info:id") == "UsdUVTexture":
            return self._texture(UsdShade.Shader(prim), attribute.GetName().split(":")[-1], entry)
        return _numbers(values.first_value(attribute))

    def _source(self, given: Any) -> Any:
        """The attribute that feeds an input: its own value, a material's, or the output of a node."""
        steps = 0
        while given:
            attribute = given.GetAttr()
            sources, _ = given.GetConnectedSources()
            if not sources or steps > MAX_STEPS:
                return attribute
            source = sources[0]
            steps += 1
            if str(source.sourceType).endswith("Output"):
                output = source.source.GetOutput(source.sourceName)
                if not output or not output.GetConnectedSources()[0]:
                    return output.GetAttr() if output else None
                given = output
            else:
                given = source.source.GetInput(source.sourceName)
        return None

    def _texture(self, shader: Any, channel: str, entry: dict[str, Any]) -> dict[str, Any] | None:
        file = self._source(shader.GetInput("file"))
        asset: Any = values.first_value(file) if file is not None else None
        if not isinstance(asset, Sdf.AssetPath) or not asset.path:
            return None
        coordinates = self._source(shader.GetInput("st"))
        if coordinates is not None:
            self._coordinates(coordinates.GetPrim(), entry, MAX_STEPS)
        found: dict[str, Any] = {"texture": self._image(asset, file), "channel": channel}
        for name in ("scale", "bias", "fallback"):
            number = _numbers(values.first_value(shader.GetInput(name).GetAttr())) if shader.GetInput(name) else None
            if number is not None:
                found[name] = number["value"]
        return found

    def _coordinates(self, prim: Any, entry: dict[str, Any], steps: int) -> None:
        kind = values.token(prim, "info:id")
        shader = UsdShade.Shader(prim)
        if kind == "UsdTransform2d" and steps:
            self.warnings.append(f"{values.place(prim)} transforms texture coordinates, which was ignored")
            inner = self._source(shader.GetInput("in"))
            if inner is not None:
                self._coordinates(inner.GetPrim(), entry, steps - 1)
        elif kind.startswith("UsdPrimvarReader"):
            name = self._source(shader.GetInput("varname"))
            value = values.first_value(name) if name is not None else None
            if isinstance(value, str) and value:
                entry["uv"] = value

    def _image(self, asset: Any, attribute: Any) -> int:
        """Index of an image by its place relative to the root layer's folder."""
        stack = [spec for spec in attribute.GetPropertyStack() if spec.HasInfo("default")]
        layer = Path(stack[0].layer.realPath).parent if stack and stack[0].layer.realPath else self._anchor
        named = asset.path.replace("\\", "/")
        if layer != self._anchor and not named.startswith("/"):
            named = posixpath.normpath(posixpath.join(layer.relative_to(self._folder).as_posix(), named))
            named = posixpath.relpath(named, self._anchor.relative_to(self._folder).as_posix())
        if named not in self.textures:
            self.textures.append(named)
        return self.textures.index(named)


def _numbers(value: Any) -> dict[str, Any] | None:
    try:
        numbers = np.array(value, dtype=np.float64).reshape(-1)
    except (TypeError, ValueError):
        return None
    return {"value": numbers.tolist()} if 0 < len(numbers) <= 4 and np.isfinite(numbers).all() else None
