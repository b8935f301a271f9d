"""Images of an FBX file: inside of it, or beside it. One that cannot be read is a warning, never an error."""

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
    """The images that materials use, each once; `found` lists them."""

    def __init__(self, document: FbxDocument) -> None:
        self.document = document
        self.found: list[Texture] = []
        self._places: dict[Id, int | None] = {}

    def index(self, texture: Object) -> int | None:
        """The index in `found` of a texture's image; None if it cannot be read."""
        holders = [*texture.children("Video")[:1], texture]
        key = holders[0].id
        if key not in self._places:
            self._places[key] = self._read(texture, holders)
        return self._places[key]

    def _read(self, texture: Object, holders: list[Object]) -> int | None:
        keys = ("RelativeFilename", "FileName", "Filename")
        given = [item.record.text(key).replace("\\", "/") for item in holders for key in keys]
        names = list(dict.fromkeys(filter(None, given)))
        data = next(filter(None, map(self._content, holders)), b"") or self._beside(texture, names)
        if not data:
            return None
        mime = _mime(data, names)
        if mime is None:
            texture.warn("is not an image of a known kind")
            return None
        texture.charge(len(data))
        stems = [PurePosixPath(name).stem for name in names]
        name = next(filter(None, [*stems, texture.name]), f"image_{len(self.found)}")
        self.found.append(Texture(name, mime, data))
        return len(self.found) - 1

    def _content(self, item: Object) -> bytes:
        """The image in the file itself; empty without one."""
        record = item.record.find("Content")
        values = record.values if record is not None else []
        if values and isinstance(values[0], bytes):
            return values[0]
        try:  # pieces of text, each encoded on its own
            return b"".join(base64.b64decode(piece, validate=True) for piece in values if isinstance(piece, str))
        except ValueError:
            item.warn("holds an image that cannot be decoded")
            return b""

    def _beside(self, texture: Object, names: list[str]) -> bytes:
        """The file by its relative name, or by its bare name beside this one or where other programs unpack images.

        Absolute names are of the machine that the file was made on, and never followed.
        """
        source = self.document.source
        bare = dict.fromkeys(os.path.basename(name) for name in names)
        problem = "names no file"
        for name in [*names, *bare, *(f"{source.stem}.fbm/{name}" for name in bare if name)]:
            try:
                if data := source.sibling(name):
                    return data
                problem = f"{name!r} is empty"
            except FormatError as error:
                problem = error.message
        texture.warn(f"was left out: {problem}")
        return b""


def _mime(data: bytes, names: list[str]) -> str | None:
    """Type of an image by its first bytes; of a TGA, which has no signature, by its name."""
    found = mime_type(data) or next((kind for mark, kind in _MORE_SIGNATURES if data.startswith(mark)), None)
    return found or ("image/x-tga" if any(name.lower().endswith(".tga") for name in names) else None)
