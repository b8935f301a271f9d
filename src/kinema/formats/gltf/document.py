"""The outer layers of a glTF file: container, JSON, and typed access to it.

Nothing here looks at what the file means. Everything read from the JSON goes through `Document`, whose getters
name the place (`nodes[3]`) when a value is missing, of the wrong type or out of range.
"""

from __future__ import annotations

import json
import math
import re
import struct
from dataclasses import dataclass, field
from typing import Any

from kinema.errors import FormatError
from kinema.formats.sources import Source

MAX_JSON = 256 * 1024**2  # bytes; larger scene descriptions than this do not exist, larger data is not JSON

# Extensions that a file may require of us: they change how things look, or how accessors are typed, which we follow.
SUPPORTED = {
    "KHR_draco_mesh_compression", "EXT_meshopt_compression", "KHR_meshopt_compression", "KHR_mesh_quantization",
    "KHR_texture_basisu", "KHR_materials_pbrSpecularGlossiness", "EXT_mesh_gpu_instancing",
    "KHR_materials_unlit", "KHR_materials_emissive_strength", "KHR_materials_ior",
    "KHR_materials_specular", "KHR_materials_clearcoat", "KHR_materials_sheen", "KHR_materials_transmission",
    "KHR_materials_volume", "KHR_materials_iridescence", "KHR_materials_anisotropy", "KHR_materials_variants",
    "KHR_lights_punctual", "KHR_texture_transform", "KHR_xmp_json_ld", "EXT_texture_webp", "VRM", "VRMC_vrm",
    "VRMC_vrm_animation", "VRMC_springBone", "VRMC_node_constraint", "VRMC_materials_mtoon",
}  # fmt: skip
# Of those, the ones that change how a surface looks and are left without effect.
WITHOUT_EFFECT = {name for name in SUPPORTED if name.startswith(("KHR_materials_", "VRMC_materials_"))} - {
    "KHR_materials_emissive_strength",
    "KHR_materials_pbrSpecularGlossiness",
}

_COLLECTIONS = (
    "accessors",
    "animations",
    "buffers",
    "bufferViews",
    "cameras",
    "images",
    "materials",
    "meshes",
    "nodes",
    "samplers",
    "scenes",
    "skins",
    "textures",
)
_REQUIRED = {
    "accessors": ("componentType", "count", "type"),
    "animations": ("channels", "samplers"),
    "buffers": ("byteLength",),
    "bufferViews": ("buffer", "byteLength"),
    "meshes": ("primitives",),
    "skins": ("joints",),
}
_REFERENCES = {
    "accessors": (("bufferView", "bufferViews"),),
    "bufferViews": (("buffer", "buffers"),),
    "images": (("bufferView", "bufferViews"),),
    "nodes": (("mesh", "meshes"), ("skin", "skins"), ("camera", "cameras")),
    "skins": (("inverseBindMatrices", "accessors"), ("skeleton", "nodes")),
    "textures": (("source", "images"), ("sampler", "samplers")),
}

_HALVES = re.compile(rb"\\u[dD][89a-fA-F]")  # JSON can escape halves of characters, which no file can hold


@dataclass(eq=False)
class Document:
    """The JSON of a file with its binary chunk.

    Attributes:
        files: bytes of files beside this one that were read, by the parts of their path; each is read once.
        warnings: what was repaired while reading.
    """

    source: Source
    root: dict[str, Any]
    binary: memoryview | None
    size: int
    is_glb: bool
    warnings: list[str] = field(default_factory=list)
    files: dict[tuple[str, ...], bytes] = field(default_factory=dict)
    _collections: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    _noted: set[str] = field(default_factory=set)

    def error(self, message: str, where: str | None = None) -> FormatError:
        """The error to raise for something wrong at `where`, such as `nodes[3]`."""
        return FormatError(message, path=self.source.path, node=where)

    def warn(self, message: str) -> None:
        """Notes a repair or an omission, once."""
        if message not in self._noted:
            self._noted.add(message)
            self.warnings.append(message)

    def all(self, collection: str) -> list[dict[str, Any]]:
        """A top-level array of objects; absent means empty."""
        if collection not in self._collections:
            self._collections[collection] = self.objects(self.root, collection, None)
        return self._collections[collection]

    def objects(self, owner: dict[str, Any], key: str, where: str | None) -> list[dict[str, Any]]:
        """An array of objects inside `owner`; absent means empty."""
        place = f"{where}.{key}" if where else key
        value = owner.get(key, [])
        if not isinstance(value, list):
            raise self.error("must be an array", place)
        for index, item in enumerate(value):
            if not isinstance(item, dict):
                raise self.error("must be an object", f"{place}[{index}]")
        return value

    def object(self, owner: dict[str, Any], key: str, where: str) -> dict[str, Any]:
        """An object inside `owner`; absent means empty."""
        value = owner.get(key, {})
        if not isinstance(value, dict):
            raise self.error(f"{key} must be an object", where)
        return value

    def integer(
        self, owner: dict[str, Any], key: str, where: str, default: int | None = None, low: int = 0, high: int = 2**53
    ) -> int:
        """A whole number within bounds (also when written as 3.0); required if there is no default."""
        value = owner.get(key, default)
        if value is None:
            raise self.error(f"{key} is missing", where)
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if not isinstance(value, int) or isinstance(value, bool):
            raise self.error(f"{key} must be a whole number, not {_shown(value)}", where)
        if not low <= value <= high:
            raise self.error(f"{key} is {_shown(value)}, must be from {low} to {high}", where)
        return value

    def index(self, owner: dict[str, Any], key: str, collection: str, where: str) -> int | None:
        """An index into a top-level array, or None if absent."""
        if key not in owner:
            return None
        index = self.integer(owner, key, where, low=-(2**53))
        count = len(self.all(collection))
        if not 0 <= index < count:
            raise self.error(f"{key} refers to {collection}[{index}], there are {count}", where)
        return index

    def indices(self, owner: dict[str, Any], key: str, collection: str, where: str) -> list[int]:
        """A list of indices into a top-level array, without repeats; absent means empty."""
        values = owner.get(key, [])
        if not isinstance(values, list):
            raise self.error(f"{key} must be an array", where)
        found = [self.index({key: value}, key, collection, where) for value in values]
        if len(set(found)) != len(found):
            raise self.error(f"{key} names the same {collection} twice", where)
        return [index for index in found if index is not None]

    def numbers(self, owner: dict[str, Any], key: str, where: str, default: list[float], count: int) -> list[float]:
        """Finite numbers of a given count."""
        value = owner.get(key, default)
        if not isinstance(value, list) or len(value) != count:
            raise self.error(f"{key} must be an array of {count} numbers", where)
        return [self.number({key: item}, key, where, 0.0) for item in value]

    def number(self, owner: dict[str, Any], key: str, where: str, default: float) -> float:
        """A finite number that float32 can hold."""
        value = owner.get(key, default)
        if not isinstance(value, int | float) or isinstance(value, bool):
            raise self.error(f"{key} must be a number, not {_shown(value)}", where)
        if not (math.isfinite(value) and abs(value) < 3e38):
            raise self.error(f"{key} holds a number that is out of range", where)
        return float(value)

    def text(self, owner: dict[str, Any], key: str, where: str, default: str = "") -> str:
        """A string."""
        value = owner.get(key, default)
        if not isinstance(value, str):
            raise self.error(f"{key} must be a string, not {_shown(value)}", where)
        return value


def open_document(source: Source) -> Document:
    """Reads container and JSON and checks everything that can be checked without knowing the content.

    Raises:
        FormatError: not glTF 2, damaged, or it requires an extension that is not supported.
    """
    data = source.read()
    warnings: list[str] = []
    if data[:4] == b"glTF":
        text, binary = _split_glb(source, data, warnings)
    elif source.suffix == ".gltf":
        text, binary = data, None
    else:
        raise FormatError("is not a GLB file: it does not begin with 'glTF'", path=source.path)
    document = Document(source, _parse_json(source, text), binary, len(data), data[:4] == b"glTF", warnings)
    _check(document)
    return document


def _split_glb(source: Source, data: bytes, warnings: list[str]) -> tuple[bytes, memoryview | None]:
    def error(message: str) -> FormatError:
        return FormatError(message, path=source.path)

    if len(data) < 12:
        raise error("ends inside the GLB header")
    version, length = struct.unpack_from("<II", data, 4)
    if version != 2:
        raise error(f"is GLB version {version}; only version 2 is supported")
    if length > len(data):
        raise error(f"is cut short: the GLB header declares {length} bytes, the file has {len(data)}")
    if length < len(data):
        warnings.append(f"{len(data) - length} bytes after the end of the GLB content were ignored")
    offset, chunks = 12, []
    while offset < length:
        if offset + 8 > length:
            raise error("ends inside a GLB chunk header")
        size, kind = struct.unpack_from("<I4s", data, offset)
        offset += 8
        if offset + size > length:
            raise error(f"GLB chunk {len(chunks)} of {size} bytes runs past the end of the file")
        if size % 4:
            warnings.append(f"GLB chunk {len(chunks)} has {size} bytes, which is not a multiple of 4")
        chunks.append((kind, offset, size))
        offset += size
    kinds = [kind for kind, _, _ in chunks]
    if not chunks or kinds[0] != b"JSON":
        raise error("the first GLB chunk must be JSON")
    if kinds.count(b"JSON") > 1 or kinds.count(b"BIN\0") > 1:
        raise error("has more than one JSON or binary GLB chunk")
    if b"BIN\0" in kinds[2:]:
        raise error("the binary GLB chunk must be the second one")
    _, start, size = chunks[0]
    binary = None
    if len(chunks) > 1 and kinds[1] == b"BIN\0":
        binary = memoryview(data)[chunks[1][1] : chunks[1][1] + chunks[1][2]]
    return data[start : start + size], binary


def _parse_json(source: Source, text: bytes) -> dict[str, Any]:
    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) != len(pairs):
            seen: set[str] = set()
            twice = next(name for name, _ in pairs if name in seen or seen.add(name))
            raise ValueError(f"the key {twice[:60]!r} stands twice in one object")
        return found

    def constant(name: str) -> float:
        raise ValueError(f"{name} is not a JSON number")

    if len(text) > MAX_JSON:
        raise FormatError(f"has {len(text)} bytes of JSON, more than the limit of {MAX_JSON}", path=source.path)
    if text.startswith(b"\xef\xbb\xbf"):
        raise FormatError("begins with a byte order mark, which glTF forbids; save it as plain UTF-8", path=source.path)
    try:
        root = json.loads(text.decode("utf-8"), object_pairs_hook=unique, parse_constant=constant)
        if _HALVES.search(text):
            root = json.loads(json.dumps(root, ensure_ascii=False).encode("utf-8", "replace"))
    except UnicodeDecodeError as error:
        raise FormatError(f"the JSON is not UTF-8 at byte {error.start}", path=source.path) from None
    except json.JSONDecodeError as error:
        raise FormatError(f"the JSON is broken: {error.msg}", path=source.path, line=error.lineno) from None
    except RecursionError:
        raise FormatError("the JSON is nested too deeply", path=source.path) from None
    except ValueError as error:
        raise FormatError(f"the JSON is broken: {' '.join(str(error).split())}", path=source.path) from None
    if not isinstance(root, dict):
        raise FormatError("the JSON must be an object", path=source.path)
    return root


def _check(document: Document) -> None:
    """Version, extensions, required properties and references of all top-level objects."""
    root = document.root
    if "asset" not in root:
        raise document.error("has no asset property, so it is not glTF 2")
    asset = document.object(root, "asset", "asset")
    for key in ("version", "minVersion") if "minVersion" in asset else ("version",):
        version = document.text(asset, key, "asset")
        if version.split(".")[0] != "2" or (key == "minVersion" and version != "2.0"):
            raise document.error(f"{key} is {_shown(version)}; only glTF 2.0 is supported", "asset")
    for key in ("extensionsRequired", "extensionsUsed"):
        names = root.get(key, [])
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise document.error("must be an array of strings", key)
    missing = [name for name in root.get("extensionsRequired", []) if name not in SUPPORTED]
    if missing:
        raise document.error(
            f"requires {', '.join(missing)[:200]}, which is not supported; export it again without",
            "extensionsRequired",
        )
    plain = [name for name in root.get("extensionsRequired", []) if name in WITHOUT_EFFECT]
    if plain:
        document.warn(f"requires {', '.join(dict.fromkeys(plain))}, which have no effect here; surfaces look plainer")
    for collection in _COLLECTIONS:
        for index, item in enumerate(document.all(collection)):
            where = f"{collection}[{index}]"
            for key in _REQUIRED.get(collection, ()):
                if key not in item:
                    raise document.error(f"{key} is missing", where)
            for key, target in _REFERENCES.get(collection, ()):
                document.index(item, key, target, where)
            if not isinstance(item.get("name", ""), str):
                raise document.error("name must be a string", where)


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."
