"""The container of a glTF file: GLB chunks and JSON, and what can be checked without knowing what the file means."""

from __future__ import annotations

import json
import re
import struct
from typing import Any

from kinema.errors import FormatError
from kinema.formats.checks import require
from kinema.formats.gltf.document import GltfDocument
from kinema.formats.sources import Source

MAX_JSON = 256 * 1024**2  # bytes; no scene description is larger

# Extensions that a file may require: they change how things look or how accessors are typed.
SUPPORTED = {
    "KHR_draco_mesh_compression", "EXT_meshopt_compression", "KHR_meshopt_compression", "KHR_mesh_quantization",
    "KHR_texture_basisu", "KHR_materials_pbrSpecularGlossiness", "EXT_mesh_gpu_instancing",
    "KHR_materials_unlit", "KHR_materials_emissive_strength", "KHR_materials_ior",
    "KHR_materials_specular", "KHR_materials_clearcoat", "KHR_materials_sheen", "KHR_materials_transmission",
    "KHR_materials_volume", "KHR_materials_iridescence", "KHR_materials_anisotropy", "KHR_materials_variants",
    "KHR_lights_punctual", "KHR_texture_transform", "KHR_xmp_json_ld", "EXT_texture_webp", "VRM", "VRMC_vrm",
    "VRMC_vrm_animation", "VRMC_springBone", "VRMC_node_constraint", "VRMC_materials_mtoon",
}  # fmt: skip
# Of those, the ones that change how a surface looks and have no effect here.
WITHOUT_EFFECT = {name for name in SUPPORTED if name.startswith(("KHR_materials_", "VRMC_materials_"))} - {
    "KHR_materials_emissive_strength",
    "KHR_materials_pbrSpecularGlossiness",
}

# Of each top-level array: the properties that its objects must have, and what their references refer to.
_COLLECTIONS: dict[str, tuple[tuple[str, ...], dict[str, str]]] = {
    "accessors": (("componentType", "count", "type"), {"bufferView": "bufferViews"}),
    "animations": (("channels", "samplers"), {}),
    "buffers": (("byteLength",), {}),
    "bufferViews": (("buffer", "byteLength"), {"buffer": "buffers"}),
    "cameras": ((), {}),
    "images": ((), {"bufferView": "bufferViews"}),
    "materials": ((), {}),
    "meshes": (("primitives",), {}),
    "nodes": ((), {"mesh": "meshes", "skin": "skins", "camera": "cameras"}),
    "samplers": ((), {}),
    "scenes": ((), {}),
    "skins": (("joints",), {"inverseBindMatrices": "accessors", "skeleton": "nodes"}),
    "textures": ((), {"source": "images", "sampler": "samplers"}),
}

_HALVES = re.compile(rb"\\u[dD][89a-fA-F]")  # JSON can escape lone surrogates, which cannot be encoded


def open_document(source: Source) -> GltfDocument:
    """Reads container and JSON and checks everything that can be checked without knowing the content.

    Raises:
        FormatError: not glTF 2, damaged, or it requires an extension that is not supported.
    """
    data = source.read()
    warnings: list[str] = []
    if data[:4] == b"glTF":
        text, binary = _split_glb(data, warnings)
        cut = struct.unpack_from("<I", data, 8)[0] > len(data)
    elif source.suffix == ".gltf":
        text, binary, cut = data, None, False
    else:
        raise FormatError("is not a GLB file: it does not begin with 'glTF'")
    document = GltfDocument(source, _parse_json(text), binary, len(data), data[:4] == b"glTF", cut, warnings)
    _check_version(document)
    _check_extensions(document)
    _check_objects(document)
    return document


def _split_glb(data: bytes, warnings: list[str]) -> tuple[bytes, memoryview | None]:
    """The JSON chunk, and the binary chunk if there is one."""
    chunks = _chunks(data, warnings)
    kinds = [kind for kind, _ in chunks]
    require(kinds[:1] == [b"JSON"], "the first GLB chunk must be JSON")
    once = kinds.count(b"JSON") <= 1 and kinds.count(b"BIN\0") <= 1
    require(once, "has more than one JSON or binary GLB chunk")
    require(b"BIN\0" not in kinds[2:], "the binary GLB chunk must be the second one")
    return bytes(chunks[0][1]), chunks[1][1] if b"BIN\0" in kinds else None


def _chunks(data: bytes, warnings: list[str]) -> list[tuple[bytes, memoryview]]:
    """Kind and content of every chunk of a GLB file; FormatError where they do not fit into each other.

    Of a file that is cut short the last chunk is what is there of it.
    """
    require(len(data) >= 12, "ends inside the GLB header")
    version, length = struct.unpack_from("<II", data, 4)
    require(version == 2, f"is GLB version {version}; only version 2 is supported")
    cut = length > len(data)
    if cut:
        warnings.append(f"is cut short: the GLB header declares {length} bytes, the file has {len(data)}")
    if length < len(data):
        warnings.append(f"{len(data) - length} bytes after the end of the GLB content were ignored")
    offset, end, chunks = 12, min(length, len(data)), []
    while offset + (8 if cut else 0) < end:
        require(offset + 8 <= end, "ends inside a GLB chunk header")
        size, kind = struct.unpack_from("<I4s", data, offset)
        offset += 8
        past = f"GLB chunk {len(chunks)} of {size} bytes runs past the end of the file"
        require(offset + size <= length, past)
        require(offset + size <= end or kind != b"JSON", "is cut short inside of its JSON")
        if size % 4:
            warnings.append(f"GLB chunk {len(chunks)} has {size} bytes, which is not a multiple of 4")
        chunks.append((kind, memoryview(data)[offset : offset + size]))
        offset += size
    return chunks


def _parse_json(text: bytes) -> dict[str, Any]:
    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) != len(pairs):
            seen: set[str] = set()
            twice = next(name for name, _ in pairs if name in seen or seen.add(name))
            raise ValueError(f"the key {twice[:60]!r} occurs twice in one object")
        return found

    def constant(name: str) -> float:
        raise ValueError(f"{name} is not a JSON number")

    require(len(text) <= MAX_JSON, f"has {len(text)} bytes of JSON, more than the limit of {MAX_JSON}")
    if text.startswith(b"\xef\xbb\xbf"):
        raise FormatError("begins with a byte order mark, which glTF forbids; save it as plain UTF-8")
    try:
        root = json.loads(text.decode("utf-8"), object_pairs_hook=unique, parse_constant=constant)
        if _HALVES.search(text):
            root = json.loads(json.dumps(root, ensure_ascii=False).encode("utf-8", "replace"))
    except UnicodeDecodeError as error:
        raise FormatError(f"the JSON is not UTF-8 at byte {error.start}") from None
    except json.JSONDecodeError as error:
        raise FormatError(f"the JSON is broken: {error.msg}", line=error.lineno) from None
    except RecursionError:
        raise FormatError("the JSON is nested too deeply") from None
    except ValueError as error:
        raise FormatError(f"the JSON is broken: {' '.join(str(error).split())}") from None
    require(isinstance(root, dict), "the JSON must be an object")
    return root


def _check_version(document: GltfDocument) -> None:
    document.root.require("asset" in document.root, "has no asset property, so it is not glTF 2")
    asset = document.root.object("asset")
    version = asset.text("version")
    asset.require(version.split(".")[0] == "2", f"version is {version[:20]!r}; only glTF 2.0 is supported")
    least = asset.text("minVersion", "2.0")
    asset.require(least == "2.0", f"minVersion is {least[:20]!r}; only glTF 2.0 is supported")


def _check_extensions(document: GltfDocument) -> None:
    _words(document, "extensionsUsed")
    required = _words(document, "extensionsRequired")
    missing = ", ".join(name for name in required if name not in SUPPORTED)[:200]
    if missing:
        message = f"requires {missing}, which is not supported; export it again without"
        raise document.error(message, "extensionsRequired")
    plain = [name for name in required if name in WITHOUT_EFFECT]
    if plain:
        document.warn(f"requires {', '.join(dict.fromkeys(plain))}, which have no effect here; surfaces look simpler")


def _words(document: GltfDocument, key: str) -> list[str]:
    words = document.values.get(key, [])
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise document.error("must be an array of strings", key)
    return words


def _check_objects(document: GltfDocument) -> None:
    """Required properties, references and names of all top-level objects."""
    for collection, (required, references) in _COLLECTIONS.items():
        for item in document.all(collection):
            for key in required:
                item.require(key in item, f"{key} is missing")
            for key, target in references.items():
                item.index(key, target)
            item.require(isinstance(item.values.get("name", ""), str), "name must be a string")
