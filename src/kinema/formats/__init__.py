"""Motion and character files: `load` anything, `save` anywhere, one module per format.

To add a format: write a module with `read(source, **options) -> Asset` and `write(thing, path, **options) -> None`,
and add one line to the table below. Modules are imported when a file of their kind is first met.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import PurePath
from types import ModuleType
from typing import TYPE_CHECKING, Any

from kinema.errors import FormatError, MissingError
from kinema.formats.signature import LOOKED_AT, mistaken
from kinema.formats.sources import Source, iterate, open_source

if TYPE_CHECKING:
    from kinema.character import Character
    from kinema.motion import Motion
    from kinema.skeleton import Skeleton

__all__ = [
    "FORMATS",
    "Asset",
    "Format",
    "Source",
    "format_for",
    "iterate",
    "load",
    "load_character",
    "load_motion",
    "open_source",
    "register",
    "save",
    "written_suffixes",
]


@dataclass(frozen=True, eq=False)
class Asset:
    """What one file holds.

    Attributes:
        path: display path of the file.
        kind: name of its format: "bvh", "gltf", "npz".
        skeleton: the skeleton that motions and character share, if the file has one.
        motions: clips, in file order; may be empty.
        character: skeleton with meshes and materials, if there are any.
        warnings: what was repaired or assumed, one line each (those of each motion included once).
    """

    path: str
    kind: str
    skeleton: Skeleton | None = None
    motions: tuple[Motion, ...] = ()
    character: Character | None = None
    warnings: tuple[str, ...] = ()

    @classmethod
    def create(
        cls,
        path: str,
        kind: str,
        skeleton: Skeleton,
        motions: Iterable[Motion],
        character: Character | None,
        warnings: Iterable[str],
    ) -> Asset:
        """An asset whose motions and character carry the warnings of the whole file, each line once."""
        lines, motions = tuple(dict.fromkeys(warnings)), tuple(motions)
        every = tuple(dict.fromkeys((*lines, *(line for motion in motions for line in motion.warnings))))
        motions = tuple(motion.replace(warnings=tuple(dict.fromkeys((*lines, *motion.warnings)))) for motion in motions)
        character = None if character is None else replace(character, warnings=lines)
        return cls(path, kind, skeleton, motions, character, every)

    def motion(self, clip: str | int | None = None) -> Motion:
        """One clip by name or index; None takes the only one. FormatError lists the clips when there is no such."""
        names = [motion.name for motion in self.motions]
        if not names:
            raise FormatError("holds no motion", path=self.path)
        if clip is None:
            if len(names) > 1:
                raise FormatError(f"holds {len(names)} clips, choose one of {_listed(names)}", path=self.path)
            return self.motions[0]
        if isinstance(clip, int):
            if not -len(names) <= clip < len(names):
                raise FormatError(f"has no clip {clip}; there are {len(names)}: {_listed(names)}", path=self.path)
            return self.motions[clip]
        if clip not in names:
            raise FormatError(f"has no clip {clip!r}; there are {_listed(names)}", path=self.path)
        return self.motions[names.index(clip)]


EVERYTHING = frozenset({"clips", "meshes", "avatar", "labels", "arrays", "tags", "hinges"})
"""What a file may keep: several clips ("clip": one), meshes, what only avatars have, labels with a number a frame or
(`arrays`) of any shape, tags, hinges with their limits."""


@dataclass(frozen=True)
class Format:
    """A file format.

    Attributes:
        name: of the format.
        suffixes: those it answers to.
        module: the module with `read` and `write`.
        keeps: what files that `write` makes keep, out of `EVERYTHING`; empty for a format that is only read.
        options: those of `read` that commands offer: what files of this kind leave unsaid.
    """

    name: str
    suffixes: tuple[str, ...]
    module: str
    keeps: frozenset[str] = EVERYTHING
    options: tuple[str, ...] = ()

    def load_module(self) -> ModuleType:
        """The format's module. MissingError when it, or a library that it needs, is not installed."""
        try:
            return importlib.import_module(self.module)
        except ImportError as error:
            raise MissingError(f"{self.name} files need a part that is not installed: {error}") from error


FORMATS: dict[str, Format] = {}  # by suffix


def register(entry: Format) -> None:
    """Adds a format to the registry; a later one takes over suffixes of an earlier one."""
    for suffix in entry.suffixes:
        FORMATS[suffix.lower()] = entry


_SCENE = frozenset({"clips", "meshes", "labels", "tags"})
_READ_ONLY: frozenset[str] = frozenset()

register(Format("bvh", (".bvh",), "kinema.formats.bvh", frozenset({"clip"}), ("unit",)))
register(Format("fbx", (".fbx",), "kinema.formats.fbx", _SCENE))
register(Format("gltf", (".glb", ".gltf"), "kinema.formats.gltf", _SCENE))
register(Format("gltf", (".vrm",), "kinema.formats.gltf", frozenset({"meshes", "avatar"})))
register(Format("gltf", (".vrma",), "kinema.formats.gltf", frozenset({"clip", "labels", "tags"})))
register(
    Format(
        "npz",
        (".npz",),
        "kinema.formats.npz",
        EVERYTHING - {"clips", "meshes", "avatar"} | {"clip"},
        ("skeleton", "fps"),
    )
)
register(Format("usd", (".usd", ".usda", ".usdc", ".usdz"), "kinema.formats.usd", _SCENE))
register(Format("c3d", (".c3d",), "kinema.formats.c3d", _READ_ONLY, ("unit",)))
register(Format("acclaim", (".asf", ".amc"), "kinema.formats.acclaim", _READ_ONLY, ("skeleton", "fps", "unit")))
_ROBOT = ("kinema.formats.robot", frozenset({"clips", "hinges"}), ("skeleton", "fps"))
register(Format("robot", (".mjcf", ".xml"), *_ROBOT))
register(Format("robot", (".csv",), _ROBOT[0], frozenset({"clip", "hinges"}), _ROBOT[2]))
register(Format("robot", (".urdf",), _ROBOT[0], _READ_ONLY, _ROBOT[2]))


def written_suffixes() -> tuple[str, ...]:
    """The suffixes that `save` can write."""
    return tuple(suffix for suffix, entry in FORMATS.items() if entry.keeps)


def format_for(path: str | os.PathLike[str]) -> Format:
    """The format that a path's suffix stands for; FormatError lists the known suffixes."""
    suffix = PurePath(path).suffix.lower()
    if suffix not in FORMATS:
        said = f"unknown kind of file {suffix!r}" if suffix else "has no suffix that tells its kind"
        raise FormatError(f"{said}; supported are {' '.join(sorted(FORMATS))}", path=os.fspath(path))
    return FORMATS[suffix]


def accepted(path: str | os.PathLike[str], offered: Mapping[str, Any]) -> dict[str, Any]:
    """Those of the options for reading that are not None and that the format of a path knows; none for a folder."""
    entry = FORMATS.get(PurePath(path).suffix.lower())
    known = entry.options if entry else ()
    return {name: value for name, value in offered.items() if value is not None and name in known}


def load(path: str | os.PathLike[str] | Source, **options: Any) -> Asset:
    """Reads one file of any supported format.

    Args:
        path: a file, a member of a zip archive (`takes.zip/walk.bvh`), or a `Source`.
        options: passed to the format's reader, e.g. `unit="cm"` for BVH.

    Raises:
        FormatError: the file is missing, of no supported kind, or cannot be read right; says what and where.
    """
    source = path if isinstance(path, Source) else open_source(path)
    source.check()
    try:
        return format_for(source.path).load_module().read(source, **options)
    except MissingError as error:
        raise MissingError(f"{source.path}: {error}") from error
    except FormatError as error:
        known = mistaken(source.beginning(LOOKED_AT), source.suffix)
        if known is None or error.path != source.path:
            raise
        said = f"{error.message}; it is {known}"
        raise FormatError(said, path=error.path, line=error.line, node=error.node) from error


def load_motion(path: str | os.PathLike[str] | Source, clip: str | int | None = None, **options: Any) -> Motion:
    """Reads one clip of a file; `clip` is a name or an index and may be left out when the file has only one."""
    return load(path, **options).motion(clip)


def load_character(path: str | os.PathLike[str] | Source, **options: Any) -> Character:
    """Reads the character (skeleton, meshes, materials) of a file; FormatError when it holds none."""
    asset = load(path, **options)
    if asset.character is None:
        raise FormatError(f"holds no character (a {asset.kind} file with {len(asset.motions)} clips)", path=asset.path)
    return asset.character


def save(thing: Motion | Character | Asset, path: str | os.PathLike[str], **options: Any) -> tuple[str, ...]:
    """Writes a motion, character or asset in the format that the suffix of `path` names.

    An existing file is replaced in one step once the new one is complete; a failed write leaves it as it was.

    Returns:
        What the format has no place for, in at most one line.

    Raises:
        FormatError: the suffix is unknown, the format cannot hold the thing, or a value in it is not finite.
        WriteError: the file could not be written (no space, no permission).
    """
    from kinema.formats.contents import check
    from kinema.formats.losses import losses

    shown = os.fspath(path)
    module = format_for(path).load_module()
    asset = check(thing, shown)
    module.write(thing, shown, **options)
    return losses(asset, PurePath(path).suffix)


def _listed(names: Iterable[str], most: int = 20) -> str:
    listed = [repr(name) for name in names]
    return ", ".join(listed[:most]) + (f" and {len(listed) - most} more" if len(listed) > most else "")
