"""Meshes compressed with Draco (KHR_draco_mesh_compression), decoded by DracoPy, a binding to the C++ library.

Draco's own header is read first: it must agree with the accessors, so that the decoder never allocates more than the
file may ask for.
"""

from __future__ import annotations

import numpy as np

from kinema.errors import MissingError
from kinema.formats.gltf.buffers import Buffers
from kinema.formats.gltf.document import Item

EXTENSION = "KHR_draco_mesh_compression"
_MESH, _SEQUENTIAL = 1, 0
_LARGEST = 10  # bytes of a 64-bit number in groups of seven bits


def decode_primitive(buffers: Buffers, item: Item) -> None:
    """Decodes the accessors of a compressed primitive into `buffers`; does nothing for other primitives.

    Raises:
        FormatError: the data is damaged, or is not what the accessors declare.
        MissingError: DracoPy is not installed.
    """
    packed = item.extension(EXTENSION)
    if not packed.values:
        return
    attributes, ids = item.object("attributes"), packed.object("attributes")
    view, indices = packed.index("bufferView", "bufferViews"), item.index("indices", "accessors")
    if view is None or indices is None or "POSITION" not in ids:
        raise packed.error("lacks a bufferView, indices or POSITION, which Draco data has")
    declared = {name: attributes.required_index(name, "accessors") for name in attributes.values}
    item.require("POSITION" in declared, "has compressed positions but no accessor for them")
    plain = all(buffers.accessors[index].view is not None for index in (*declared.values(), indices))
    if plain and EXTENSION not in item.document.values.get("extensionsRequired", []):
        return  # the file holds the same data uncompressed
    vertices, corners = buffers.accessors[declared["POSITION"]].count, buffers.accessors[indices].count
    faces, found, count = _decode(packed, bytes(buffers.bytes_of(view)), corners)
    if count != vertices:
        item.warn(f"declares {vertices} vertices, its Draco data has {count}, which were used")
    buffers.supply(indices, faces.reshape(-1, 1))
    for name in [name for name in ids.values if name in declared]:
        number = ids.integer(name)
        item.require(number in found, f"Draco data has no attribute {number}, which is {name}")
        buffers.supply(declared[name], found[number].reshape(count, -1), recount=True)


def _decode(packed: Item, data: bytes, corners: int) -> tuple[np.ndarray, dict[int, np.ndarray], int]:
    """Triangles, attributes by their number, and how many vertices there are."""
    problem = _promise(data, corners)
    packed.require(not problem, problem)
    try:
        import DracoPy
    except ImportError as error:
        raise MissingError(
            f"{packed.document.source.path}: is compressed with Draco; reading that needs DracoPy: "
            "pip install 'kinema[formats]'"
        ) from error
    try:
        mesh = DracoPy.decode(data)
    except (DracoPy.FileTypeException, ValueError, RuntimeError, MemoryError, OverflowError) as error:
        said = " ".join(str(error).split())[:80]
        raise packed.error(f"Draco data is damaged: {said}") from None
    packed.require(hasattr(mesh, "faces"), "Draco data is a cloud of points without triangles")
    found = {int(entry["unique_id"]): np.asarray(entry["data"]) for entry in mesh.attributes}
    faces, count = np.asarray(mesh.faces), len(np.asarray(mesh.points))
    if faces.size != corners or int(faces.max()) >= count or any(len(values) != count for values in found.values()):
        raise packed.error(f"Draco data holds {faces.size} corners of {count} vertices, which do not fit")
    return faces, found, count


def _promise(data: bytes, corners: int) -> str:
    """What is wrong with the header of Draco data for a mesh with this number of corners; empty if nothing."""
    if len(data) < 13 or data[:5] != b"DRACO":
        return "is not Draco data"
    kind, method, flags = data[7], data[8], int.from_bytes(data[9:11], "little")
    if kind != _MESH or data[5] != 2:
        return f"holds Draco data of kind {kind}, version {data[5]}.{data[6]}; only meshes of version 2 are read"
    if flags & 0x8000:
        return "holds Draco metadata, which glTF has no use for"
    at = 11 + (method != _SEQUENTIAL)  # the other method names its traversal first
    first, at = _number(data, at)
    second, at = _number(data, at)
    faces, points = (first, second) if method == _SEQUENTIAL else (second, first)
    if 3 * faces > corners or points > corners:
        return f"Draco data promises {faces} triangles of {points} vertices, {corners // 3} triangles are declared"
    return ""


def _number(data: bytes, at: int) -> tuple[int, int]:
    """A number in groups of seven bits, lowest first, and where it ends."""
    value = 0
    for place, byte in enumerate(data[at : at + _LARGEST]):
        value |= (byte & 0x7F) << (7 * place)
        if byte < 0x80:
            return value, at + place + 1
    return 1 << 62, at
