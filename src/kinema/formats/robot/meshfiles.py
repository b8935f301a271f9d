"""Mesh files of a robot: STL and OBJ as bare triangles. A file that cannot be read costs a warning."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np

from kinema.arrays import Ints, Singles
from kinema.errors import FormatError, listed
from kinema.formats.checks import naming, require
from kinema.formats.sources import Source

MOST_BYTES = 64 * 1024**2  # of all mesh files of a robot
MOST_TEXT_BYTES = 16 * 1024**2
MOST_TRIANGLES = 2_000_000  # drawn; many shapes may be of one file
LARGEST = 1e6

_ENTRY = 50  # bytes of a triangle in a binary STL: normal, three corners, two spare bytes
# Numbers are short: every word of an array takes the memory of the longest.
_VERTEX = re.compile(rb"\bvertex\s+(\S{1,40})\s+(\S{1,40})\s+(\S{1,40})(?!\S)")


@dataclass
class MeshFiles:
    """Triangles by file name, read once each and only from the model's own folder."""

    source: Source
    missing: list[str] = field(default_factory=list)
    left: int = MOST_BYTES
    drawn: int = 0
    crowded: list[str] = field(default_factory=list)
    _known: dict[str, Singles | None] = field(default_factory=dict)

    def triangles(self, name: str, folders: tuple[str, ...] = ("",)) -> Singles | None:
        """Corners `[K, 3, 3]` in the file's own unit; None (and its name in `missing`) when it cannot be read.

        None, too (and its name in `crowded`), where there would be more triangles than are drawn of a robot.

        Args:
            name: as the model writes it; `package://robot/meshes/a.stl` is looked for with and without its package.
            folders: below the model's own, tried in order.
        """
        key = "\n".join((name, *folders))
        if key not in self._known:
            self._known[key] = self._read(name, folders)
            if self._known[key] is None:
                self.missing.append(name)
        found = self._known[key]
        if found is not None and self.drawn + len(found) > MOST_TRIANGLES:
            self.crowded.append(name)
            return None
        self.drawn += 0 if found is None else len(found)
        return found

    def warn(self, warnings: list[str]) -> None:
        """Lines about what is not drawn, if anything."""
        if self.crowded:
            warnings.append(
                f"{len(self.crowded)} meshes are not drawn, more than {MOST_TRIANGLES} triangles with the "
                f"others: {listed(self.crowded)}"
            )
        if self.missing:
            warnings.append(
                f"{len(self.missing)} mesh files could not be read and are not drawn (STL and OBJ in the "
                f"model's folder can): {listed(self.missing)}"
            )

    def _read(self, name: str, folders: tuple[str, ...]) -> Singles | None:
        plain = re.sub(r"^(package|model|file)://", "", name)
        choices = [plain]
        if plain != name and "/" in plain:
            choices.append(plain.partition("/")[2])
        for folder in folders:
            for choice in choices:
                bounded = replace(self.source, limit=min(self.source.limit, self.left))
                try:
                    data = bounded.sibling(f"{folder.rstrip('/')}/{choice}" if folder else choice)
                    self.left -= len(data)
                    return parse_mesh(data, choice)
                except FormatError:
                    continue
        return None


def parse_mesh(data: bytes, name: str) -> Singles:
    """Corners `[K, 3, 3]` of an STL or OBJ file.

    Raises:
        FormatError: of another kind, or broken.
    """
    with naming(name):
        read = {"stl": _stl, "obj": _obj}.get(name.rpartition(".")[2].lower())
        if read is None:
            raise FormatError("is not an STL or OBJ file, the kinds of meshes that are read")
        corners = read(data)
        require((np.abs(corners) < LARGEST).all(), "holds a corner that is not finite, or absurdly far away")
        return corners


def _stl(data: bytes) -> Singles:
    count = int.from_bytes(data[80:84], "little")
    if len(data) >= 84 and len(data) == 84 + _ENTRY * count:
        rows = np.frombuffer(data, np.uint8, offset=84).reshape(count, _ENTRY)[:, 12:48]
        return np.ascontiguousarray(rows).view("<f4").reshape(count, 3, 3).astype(np.float32)
    text = data[:200].lstrip().startswith(b"solid") and len(data) <= MOST_TEXT_BYTES
    found = _VERTEX.findall(data) if text else []
    if not found or len(found) % 3:
        raise FormatError("is not an STL file: its size does not fit its number of triangles, and it is not text")
    try:
        return np.array(found).astype(np.float32).reshape(-1, 3, 3)
    except ValueError:
        raise FormatError("has a corner that is not a number") from None


def _obj(data: bytes) -> Singles:
    """Faces of any number of corners, as fans; textures, normals and materials are left aside."""
    require(len(data) <= MOST_TEXT_BYTES, f"has more than {MOST_TEXT_BYTES} bytes of text")
    try:
        table, faces = _obj_faces(data)
    except (ValueError, OverflowError):
        raise FormatError("has a line of OBJ that cannot be read") from None
    if faces.size and not (faces.min() >= 0 and faces.max() < len(table)):
        raise FormatError("has a face with a corner that does not exist")
    return table[faces]


def _obj_faces(data: bytes) -> tuple[Singles, Ints]:
    """Points `[P, 3]` and triangles `[K, 3]`; ValueError for a word that is not a number."""
    points: list[list[float]] = []
    faces: list[tuple[int, int, int]] = []
    for line in data.splitlines():
        words = line.split()
        if words[:1] == [b"v"]:
            points.append([float(word) for word in words[1:4]])
        elif words[:1] == [b"f"]:
            faces += _fan([int(word.split(b"/", 1)[0]) for word in words[1:]], len(points))
    return np.array(points, np.float32).reshape(-1, 3), np.array(faces, np.int64).reshape(-1, 3)


def _fan(ring: list[int], points: int) -> list[tuple[int, int, int]]:
    """Triangles of a face, whose corners count from one, or negative from the last point."""
    ring = [corner - 1 if corner > 0 else points + corner for corner in ring]
    return [(ring[0], b, c) for b, c in pairwise(ring[1:])]
