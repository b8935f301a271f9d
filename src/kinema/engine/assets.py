"""Characters and motions of a scene, in files beside it that are named by what is in them."""

from __future__ import annotations

import dataclasses
import hashlib
import os
import re
import tempfile
from pathlib import Path

from kinema import formats
from kinema.character import Character
from kinema.errors import FormatError, KinemaError, WorldError
from kinema.formats.atomic import WriteError, atomic_write
from kinema.formats.sources import open_source
from kinema.motion import Motion

_NAME = re.compile(r"[0-9a-f]{32}\.(glb|npz)\Z")


def assets_folder(path: str | os.PathLike[str]) -> Path:
    """Where the assets of a scene are: `hall.assets` for `hall.json`."""
    return Path(path).with_suffix(".assets")


@dataclasses.dataclass(frozen=True, eq=False)
class Origin:
    """A thing that was read from a scene, the name of its file and what was in it."""

    thing: Character | Motion
    file: str
    data: bytes


class Origins:
    """What a scene was loaded from; a resource of worlds that were loaded.

    Saving them again writes the same bytes: a GLB that is read and written once more would differ in rounding.
    """

    def __init__(self) -> None:
        self._origins: dict[int, Origin] = {}

    def add(self, origin: Origin) -> None:
        """Remember where a thing came from."""
        self._origins[id(origin.thing)] = origin

    def find(self, thing: Character | Motion) -> Origin | None:
        """Where a thing came from, if it came from the scene."""
        return self._origins.get(id(thing))

    def by_file(self) -> dict[str, Character | Motion]:
        """All things by the names of their files."""
        return {origin.file: origin.thing for origin in self._origins.values()}


def read_assets(names: object, scene: str) -> Origins:
    """The assets of a scene.

    Args:
        names: what the scene says of them: names of things by names of files.
        scene: path of the scene.

    Raises:
        FormatError: a file is not there, not what was saved, or cannot be read.
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
            raise FormatError("is not what was saved: its content was changed", path=source.path)
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
    """Of what is in a file and what the thing is called: of two that differ in their names alone, each has a file."""
    return hashlib.blake2b(name.encode(errors="surrogatepass") + b"\0" + data, digest_size=16).hexdigest()


class Keeper:
    """Writes the assets of one scene, each once.

    Attributes:
        names, things: what was kept, by the names of the files.
    """

    def __init__(self, scene: str | os.PathLike[str], origins: Origins | None = None) -> None:
        self.folder = assets_folder(scene)
        self._origins = origins or Origins()
        self.names: dict[str, str] = {}
        self.things: dict[str, Character | Motion] = {}
        self._files: dict[int, tuple[Character | Motion, str]] = {}  # by identity

    def keep(self, thing: Character | Motion) -> str:
        """The name of the file that holds a thing."""
        known = self._files.get(id(thing))
        if known is not None:
            return known[1]
        origin = self._origins.find(thing)
        data, suffix = (origin.data, origin.file[32:]) if origin is not None else _packed(thing)
        file = _digest(data, thing.name) + suffix
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise WriteError(f"{self.folder}: cannot be made: {error.strerror or error}") from None
        if not (self.folder / file).is_file() or (self.folder / file).read_bytes() != data:
            atomic_write(self.folder / file, data)
        self._files[id(thing)] = thing, file
        self.names[file], self.things[file] = thing.name, thing
        return file

    def prune(self) -> None:
        """Remove files that only older scenes of this name have used."""
        if self.folder.is_dir():
            for path in self.folder.iterdir():
                if _NAME.match(path.name) and path.name not in self.names:
                    path.unlink(missing_ok=True)


def _packed(thing: Character | Motion) -> tuple[bytes, str]:
    """What the file of a thing holds, and its suffix."""
    suffix = ".npz" if isinstance(thing, Motion) else ".glb"
    with tempfile.TemporaryDirectory(prefix="kinema-") as folder:
        path = Path(folder) / f"asset{suffix}"
        try:
            formats.save(thing, path)
        except WriteError:
            raise
        except KinemaError as error:
            raise WorldError(f"{thing.name!r} cannot be saved: {error}") from None
        return path.read_bytes(), suffix
