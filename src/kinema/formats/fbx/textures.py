"""Pictures of an FBX file: inside of it, or beside it. One that cannot be read costs a warning, never the file."""

from __future__ import annotations

import base64
import os
from pathlib import PurePosixPath

from kinema.character import Texture
from kinema.errors import FormatError
from kinema.formats.fbx.document import FbxDocument, Id, Object
from kinema.formats.images import mime_type

_MORE_SIGNATURES = (
    (b"BM", "image/bmp"),
    (b"DDS ", "image/vnd-ms.dds"),
    (b"II*\0", "image/tiff"),
    (b"MM\0*", "image/tiff"),
    (b"8BPS", "image/vnd.adobe.photoshop"),
    (b"GIF8", "image/gif"),
)


class Textures:
    """The pictures that materials ask for, each once; `found` lists them."""

    def __init__(self, document: FbxDocument) -> None:
        self.document = document
        self.found: list[Texture] = []
        self._places: dict[Id, int | None] = {}

    def index(self, texture: Object) -> int | None:
        """The place in `found` of a texture's picture; None if there is none that can be read."""
        holders = [*self.document.children(texture.id, "Video")[:1], texture]
        key = holders[0].id
        if key not in self._places:
            self._places[key] = self._read(texture, holders)
        return self._places[key]

    def _read(self, texture: Object, holders: list[Object]) -> int | None:
        keys = ("RelativeFilename", "FileName", "Filename")
        names = [name for item in holders for key in keys if (name := item.record.text(key))]
        data = next((inside for item in holders if (inside := self._content(item))), None)
        data = data or self._beside(texture, names)
        if data is None:
            return None
        mime = _mime(data, names)
        if mime is None:
            self.document.warn(f"{texture.where} is no picture of a known kind")
            return None
        self.document.budget.charge(len(data), texture.where)
        stems = [PurePosixPath(name.replace("\\", "/")).stem for name in names]
        name = next(filter(None, [*stems, texture.name]), f"image_{len(self.found)}")
        self.found.append(Texture(name, mime, data))
        return len(self.found) - 1

    def _content(self, item: Object) -> bytes | None:
        record = item.record.find("Content")
        values = record.values if record is not None else []
        if values and isinstance(values[0], bytes):
            return values[0] or None
        try:  # pieces of text, each packed by itself
            return (
                b"".join(base64.b64decode(piece, validate=True) for piece in values if isinstance(piece, str)) or None
            )
        except ValueError:
            self.document.warn(f"{item.where} holds a picture that cannot be unpacked")
            return None

    def _beside(self, texture: Object, names: list[str]) -> bytes | None:
        """The file by its relative name, or by its bare name beside this one or where other programs unpack pictures.

        Absolute names are of the machine that the file was made on, and never followed.
        """
        source = self.document.source
        wanted = dict.fromkeys(name.replace("\\", "/") for name in names)
        bare = dict.fromkeys(os.path.basename(name) for name in wanted)
        problem = "names no file"
        for name in [*wanted, *bare, *(f"{source.stem}.fbm/{name}" for name in bare if name)]:
            try:
                return source.sibling(name)
            except FormatError as error:
                problem = error.message
        self.document.warn(f"{texture.where} was left out: {problem}")
        return None


def _mime(data: bytes, names: list[str]) -> str | None:
    """Type of a picture by its first bytes; of a TGA, which has no signature, by its name."""
    found = mime_type(data) or next((kind for mark, kind in _MORE_SIGNATURES if data.startswith(mark)), None)
    return found or ("image/x-tga" if any(name.lower().endswith(".tga") for name in names) else None)
