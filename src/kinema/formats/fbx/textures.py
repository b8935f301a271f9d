"""Pictures of an FBX file: inside of it, or beside it. One that cannot be had costs a warning, never the file."""

from __future__ import annotations

import base64
import binascii
import os

from kinema.character import Texture
from kinema.errors import FormatError
from kinema.formats.fbx.document import FbxDocument, Id, Object

_SIGNATURES = (
    (b"\x89PNG", "image/png"), (b"\xff\xd8\xff", "image/jpeg"), (b"RIFF", "image/webp"), (b"\xabKTX 20", "image/ktx2"),
    (b"BM", "image/bmp"), (b"DDS ", "image/vnd-ms.dds"), (b"II*\0", "image/tiff"), (b"MM\0*", "image/tiff"),
    (b"8BPS", "image/vnd.adobe.photoshop"), (b"GIF8", "image/gif"),
)  # fmt: skip


class Textures:
    """The pictures that materials ask for, each once; `found` lists them."""

    def __init__(self, document: FbxDocument) -> None:
        self.document = document
        self.found: list[Texture] = []
        self._places: dict[Id, int | None] = {}

    def index(self, texture: Object) -> int | None:
        """The place in `found` of a texture's picture; None where there is none that can be read."""
        videos = self.document.children(texture.id, "Video")
        key = videos[0].id if videos else texture.id
        if key not in self._places:
            self._places[key] = self._read(texture, videos[0] if videos else None)
        return self._places[key]

    def _read(self, texture: Object, video: Object | None) -> int | None:
        holders = [item for item in (video, texture) if item is not None]
        data = next((inside for item in holders if (inside := self._content(item))), None)
        names = [
            name
            for item in holders
            for key in ("RelativeFilename", "FileName", "Filename")
            if (name := item.record.text(key))
        ]
        if data is None:
            data = self._beside(texture, names)
        if data is None:
            return None
        mime = next((kind for signature, kind in _SIGNATURES if data.startswith(signature)), None)
        if mime is None and any(name.lower().endswith(".tga") for name in names):
            mime = "image/x-tga"  # has no signature
        if mime is None:
            self.document.warn(f"{texture.where} is no picture of a known kind")
            return None
        self.document.budget.charge(len(data), texture.where)
        self.found.append(Texture(_stem(names) or texture.name or f"image_{len(self.found)}", mime, data))
        return len(self.found) - 1

    def _content(self, item: Object) -> bytes | None:
        record = item.record.find("Content")
        values = record.values if record is not None else []
        if values and isinstance(values[0], bytes):
            return values[0] or None
        pieces = [value for value in values if isinstance(value, str) and value]  # each packed by itself
        try:
            return b"".join(base64.b64decode(piece, validate=True) for piece in pieces) or None
        except (binascii.Error, ValueError):
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


def _stem(names: list[str]) -> str:
    for name in names:
        stem = os.path.splitext(os.path.basename(name.replace("\\", "/")))[0]
        if stem:
            return stem
    return ""
