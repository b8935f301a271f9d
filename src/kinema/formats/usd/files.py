"""The files that a USD file may use: itself, files that it names in its folder or below, or members of its package.

usd-core looks for references anywhere on the disk. So all references of a layer are read before anything is composed.
Each one that stays inside the folder (or archive, or package) is copied to a new folder, the only one that the sandbox
works in; a reference that leads outside refuses the file.
"""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
from collections.abc import Callable
from pathlib import Path

from kinema.errors import FormatError
from kinema.formats.checks import require
from kinema.formats.sources import ZIP_ERRORS, Source, read_member
from kinema.formats.usd.sandbox import ask

LAYERS = (".usd", ".usda", ".usdc")
MAX_LAYERS = 256
MAX_MEMBERS = 10_000
MAX_BYTES = 1024**3  # of all layers together

_OUTSIDE = re.compile(r"/|\.\./|.*[:\0]", re.DOTALL)  # names of members that are not of files in the package


class Files:
    """What one source may use, by paths relative to its folder or package.

    Attributes:
        root: path of the root layer.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        data = source.read()
        self.size = len(data)
        if source.suffix == ".usdz":
            self._members = _members(source, data)
            self.root = next((name for name in self._members if posixpath.splitext(name)[1].lower() in LAYERS), "")
            require(self.root, "is a package without a USD layer")
            data = self.read(self.root)
        else:
            self._members = None
            self.root = f"root{source.suffix}"
        self._data = data

    def locate(self, asset: str, layer: str) -> str:
        """The path that a layer means by an asset path.

        Raises:
            FormatError: it leads out of the folder, or is not a simple path.
        """
        plain = asset.replace("\\", "/")
        path = posixpath.normpath(posixpath.join(posixpath.dirname(layer), plain))
        marked = any(mark in plain for mark in (":", "`", "[", "<", "\0"))
        if marked or plain.startswith("/") or path == ".." or path.startswith("../"):
            raise FormatError(f"refers to {asset!r}; only files in the same folder or below are read")
        return path

    def read(self, path: str) -> bytes:
        """Bytes of a located file; FormatError when there is none."""
        if self._members is None:
            return self.source.sibling(path)
        require(path in self._members, f"refers to {path!r}, which is not in the package")
        return self._members[path]()

    def copy_layers(self, folder: Path) -> str:
        """Copies the root layer and all that it is composed of; returns the root layer's path in the folder.

        Raises:
            FormatError: a layer is damaged, or names a file that is missing or outside.
        """
        known, waiting, size = {self.root}, [self.root], 0
        while waiting:
            layer = waiting.pop()
            data = self._data if layer == self.root else self.read(layer)
            size += len(data)
            if size > MAX_BYTES or len(known) > MAX_LAYERS:
                raise FormatError(f"is composed of more than {MAX_LAYERS} layers or {MAX_BYTES} bytes")
            target = folder / layer
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
            request = {"do": "dependencies", "folder": str(folder), "layer": layer}
            for asset in ask(request, self.source.path, len(data))["paths"]:
                path = self.locate(asset, layer)
                if posixpath.splitext(path)[1].lower() not in LAYERS:
                    raise FormatError(f"refers to {asset!r}; only {' '.join(LAYERS)} can be referred to")
                if path not in known:
                    known.add(path)
                    waiting.append(path)
        return self.root


def _members(source: Source, data: bytes) -> dict[str, Callable[[], bytes]]:
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
        entries = [entry for entry in archive.infolist() if not entry.is_dir()]
    except ZIP_ERRORS as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        raise FormatError(f"is not a readable package ({reason})") from None
    require(len(entries) <= MAX_MEMBERS, f"holds {len(entries)} files, more than {MAX_MEMBERS}")

    def reading(entry: zipfile.ZipInfo) -> Callable[[], bytes]:
        return lambda: read_member(archive, entry, f"{source.path}[{entry.filename}]", min(source.limit, MAX_BYTES))

    found = {}
    for entry in entries:
        name = posixpath.normpath(entry.filename.replace("\\", "/"))
        if not _OUTSIDE.match(name):
            found.setdefault(name, reading(entry))
    return found
