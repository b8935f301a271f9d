"""Characters and motions of a scene, stored beside it in files that are named by a hash of their content."""

from __future__ import annotations

import dataclasses
import hashlib
import os
import re
from pathlib import Path

from kinema import formats, unfinished
from kinema.character import Character
from kinema.errors import FormatError, KinemaError, WorldError
from kinema.formats.atomic import WriteError, atomic_write
from kinema.formats.sources import open_source
from kinema.motion import Motion

_NAME = re.compile(r"[0-9a-f]{32}\.(glb|npz)\Z")


def assets_folder(path: str | os.PathLike[str]) -> Path:
    """The folder with the assets of a scene: `hall.assets` for `hall.json`."""
    return Path(path).with_suffix(".assets")


@dataclasses.dataclass(frozen=True, eq=False)
class Origin:
    """A character or motion that was read from a scene, with the name and the content of its file."""

    thing: Character | Motion
    file: str
    data: bytes


class Origins:
    """What a scene was loaded from; a resource of every loaded world.

    Saving these assets again writes the same bytes. Reading and writing a GLB would change it by rounding.
    """

    def __init__(self) -> None:
        self._origins: dict[int, Origin] = {}

    def add(self, origin: Origin) -> None:
        """Remember the origin of an asset."""
        self._origins[id(origin.thing)] = origin

    def find(self, thing: Character | Motion) -> Origin | None:
        """The origin of an asset, or None if it did not come from the scene."""
        return self._origins.get(id(thing))

    def by_file(self) -> dict[str, Character | Motion]:
        """All assets by file name."""
        return {origin.file: origin.thing for origin in self._origins.values()}


def read_assets(names: object, scene: str) -> Origins:
    """Read the assets of a scene.

    Args:
        names: the `assets` entry of the scene: names of assets by file name.
        scene: path of the scene.

    Raises:
        FormatError: a file is missing, differs from what was saved, or cannot be read.
    """
    if not isinstance(names, dict):
        raise FormatError("expected a map of files", path=scene, node="assets")
    origins = Origins()
    for file, name in names.items():
        if not _NAME.match(file) or not isinstance(name, str):
            raise FormatError("expected names of 32 hexadecimal digits, .glb or .npz", path=scene, node="assets")
        source = open_source(assets_folder(scene) / file)
        data = source.read()
        if _digest(data, name) + file[32:] != file:
            raise FormatError("its content has changed since it was saved", path=source.path)
        asset = formats.load(source)
        if file.endswith(".npz"):
            thing: Character | Motion = asset.motion()
        elif asset.character is not None:
            thing = dataclasses.replace(asset.character, name=name)
        elif asset.skeleton is not None:
            thing = Character(name, asset.skeleton)
        else:
            raise FormatError("holds no character", path=source.path)
        origins.add(Origin(thing, file, data))
    return origins


def _digest(data: bytes, name: str) -> str:
    """A hash of a file's content and the asset's name. Assets that differ only in name get files of their own."""
    return hashlib.blake2b(name.encode(errors="surrogatepass") + b"\0" + data, digest_size=16).hexdigest()


class Keeper:
    """Writes the assets of one scene, each of them once.

    Attributes:
        names, things: the names of the assets and the assets, by file name.
        losses: a line for each asset of which the files do not hold everything.
    """

    def __init__(self, scene: str | os.PathLike[str], origins: Origins | None = None) -> None:
        self.folder = assets_folder(scene)
        self._origins = origins or Origins()
        self.names: dict[str, str] = {}
        self.things: dict[str, Character | Motion] = {}
        self.losses: list[str] = []
        self._files: dict[int, tuple[Character | Motion, str]] = {}  # by identity

    def keep(self, thing: Character | Motion) -> str:
        """Write an asset unless it is already written, and return the name of its file."""
        known = self._files.get(id(thing))
        if known is not None:
            return known[1]
        origin = self._origins.find(thing)
        if origin is not None:
            data, suffix = origin.data, origin.file[32:]
        else:
            data, suffix, lost = _encoded(thing)
            self.losses += [f"{thing.name!r}: {line}" for line in lost]
        file = _digest(data, thing.name) + suffix
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise WriteError(f"{self.folder}: cannot be created: {error.strerror or error}") from None
        if not (self.folder / file).is_file() or (self.folder / file).read_bytes() != data:
            atomic_write(self.folder / file, data)
        self._files[id(thing)] = thing, file
        self.names[file], self.things[file] = thing.name, thing
        return file

    def prune(self) -> None:
        """Delete files that only older versions of this scene used."""
        if self.folder.is_dir():
            for path in self.folder.iterdir():
                if _NAME.match(path.name) and path.name not in self.names:
                    path.unlink(missing_ok=True)


def _encoded(thing: Character | Motion) -> tuple[bytes, str, tuple[str, ...]]:
    """The content of the file for an asset, its suffix, and what it does not hold."""
    suffix = ".npz" if isinstance(thing, Motion) else ".glb"
    with unfinished.temporary_folder() as folder:
        path = Path(folder) / f"asset{suffix}"
        try:
            lost = formats.save(thing, path)
        except WriteError:
            raise
        except KinemaError as error:
            raise WorldError(f"{thing.name!r} cannot be saved: {error}") from None
        return path.read_bytes(), suffix, lost
