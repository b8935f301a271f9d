"""Motion and character files: `load` anything, `save` anywhere, one module per format.

To add a format: write a module with `read(source, **options) -> Asset` and, unless it is only read,
`write(thing, path, **options) -> None`, and add one line to the table below. If motions alone take less work than the
whole file, add `read_motions(source, joints) -> Asset`. A format of your own needs no change here:
call `register`, with the path of its file if it is in no package, or let your package declare its module in the
entry-point group `kinema.formats`, under the suffix without the dot. Modules are imported when a file of their kind is
first met. A `FormatError` needs no path of the file that is read or written: `load` and `save` add it.
"""

from __future__ import annotations

import gc
import importlib
import inspect
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import PurePath
from types import ModuleType
from typing import TYPE_CHECKING, Any

from kinema.errors import FormatError, MissingError, listed
from kinema.formats.checks import naming
from kinema.formats.signature import LOOKED_AT, mistaken
from kinema.formats.sources import Source, iterate, open_source
from kinema.plugins import installed, load_module
from kinema.subset import ALL, Joints

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
    "gathered_suffixes",
    "iterate",
    "load",
    "load_character",
    "load_motion",
    "load_motions",
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

    def __repr__(self) -> str:
        body = "" if self.character is None else f", {self.character!r}"
        joints = self.skeleton.joint_count if self.skeleton is not None else 0
        return f"<Asset {self.path!r}: {self.kind}, {joints} joints, {len(self.motions)} motions{body}>"

    def _repr_html_(self) -> str:
        import kinema

        return kinema.as_html(self)

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
        known = listed(map(repr, names), 20)
        if not names:
            raise FormatError("holds no motion", path=self.path)
        if clip is None:
            if len(names) > 1:
                raise FormatError(f"holds {len(names)} clips, choose one of {known}", path=self.path)
            return self.motions[0]
        if isinstance(clip, int):
            if not -len(names) <= clip < len(names):
                raise FormatError(f"has no clip {clip}; there are {len(names)}: {known}", path=self.path)
            return self.motions[clip]
        if clip not in names:
            raise FormatError(f"has no clip {clip!r}; there are {known}", path=self.path)
        return self.motions[names.index(clip)]


AXES = ("up", "forward")
"""Options of `load` for files of every format."""

EVERYTHING = frozenset({"clips", "empty", "meshes", "avatar", "labels", "arrays", "tags", "hinges"})
"""What a file may keep: several clips ("clip": one), clips without frames ("empty"), meshes, what only avatars have,
labels with a number a frame or (`arrays`) of any shape, tags, hinges with their limits."""


@dataclass(frozen=True)
class Format:
    """A file format.

    Attributes:
        name: name of the format.
        suffixes: suffixes of its files.
        module: the module with `read` and, if the format is written, `write`; or the path of its file.
        keeps: what files that `write` makes keep, out of `EVERYTHING`; empty for a format that is only read.
        options: those of `read` that commands offer, for what files of this kind do not state.
        gathered: whether such files are looked for in folders and archives, and not only read when they are named.
    """

    name: str
    suffixes: tuple[str, ...]
    module: str
    keeps: frozenset[str] = EVERYTHING
    options: tuple[str, ...] = ()
    gathered: bool = True

    def load_module(self) -> ModuleType:
        """The format's module. MissingError when it, or a library that it needs, is not installed."""
        try:
            return load_module(self.module) if self.module.endswith(".py") else importlib.import_module(self.module)
        except ImportError as error:
            raise MissingError(f"{self.name} files need a part that is not installed: {error}") from error


FORMATS: dict[str, Format] = {}  # by suffix


def register(entry: Format) -> None:
    """Add a format, such as `Format("toy", (".toy",), "toy.py")`; it takes over suffixes of earlier ones."""
    for suffix in entry.suffixes:
        FORMATS[suffix.lower()] = entry


_SCENE = frozenset({"clips", "meshes", "labels", "tags"})
_READ_ONLY: frozenset[str] = frozenset()

register(Format("bvh", (".bvh",), "kinema.formats.bvh", frozenset({"clip", "empty"}), ("unit",)))
register(Format("fbx", (".fbx",), "kinema.formats.fbx", _SCENE))
register(Format("gltf", (".glb", ".gltf"), "kinema.formats.gltf", _SCENE))
register(Format("gltf", (".vrm",), "kinema.formats.gltf", frozenset({"meshes", "avatar"})))
register(Format("gltf", (".vrma",), "kinema.formats.gltf", frozenset({"clip", "labels", "tags"})))
_CLIP = EVERYTHING - {"clips", "meshes", "avatar"} | {"clip"}
register(Format("npz", (".npz",), "kinema.formats.npz", _CLIP, ("skeleton", "fps")))
register(Format("usd", (".usd", ".usda", ".usdc", ".usdz"), "kinema.formats.usd", _SCENE))
register(Format("c3d", (".c3d",), "kinema.formats.c3d", _READ_ONLY, ("unit",)))
register(Format("acclaim", (".asf", ".amc"), "kinema.formats.acclaim", _READ_ONLY, ("skeleton", "fps", "unit")))
_ROBOT = ("kinema.formats.robot", frozenset({"clips", "hinges"}), ("skeleton", "fps"))
register(Format("robot", (".mjcf", ".xml"), *_ROBOT))
register(Format("robot", (".csv",), _ROBOT[0], frozenset({"clip", "hinges"}), _ROBOT[2]))
register(Format("robot", (".urdf",), _ROBOT[0], _READ_ONLY, _ROBOT[2]))
register(Format("points", (".json",), "kinema.keypoints.reader", _READ_ONLY, ("fps",), gathered=False))
for _entry in installed("kinema.formats").values():
    if f".{_entry.name}" not in FORMATS:
        register(Format(_entry.name, (f".{_entry.name}",), _entry.value))


def gathered_suffixes() -> tuple[str, ...]:
    """The suffixes of files that are looked for in folders and archives."""
    return tuple(suffix for suffix, entry in FORMATS.items() if entry.gathered)


def written_suffixes() -> tuple[str, ...]:
    """The suffixes that `save` can write."""
    return tuple(suffix for suffix, entry in FORMATS.items() if entry.keeps)


def format_for(path: str | os.PathLike[str]) -> Format:
    """The format of a path's suffix; FormatError lists the known suffixes."""
    suffix = PurePath(path).suffix.lower()
    if suffix not in FORMATS:
        problem = f"unknown kind of file {suffix!r}" if suffix else "has no suffix"
        raise FormatError(f"{problem}; supported are {' '.join(sorted(FORMATS))}", path=os.fspath(path))
    return FORMATS[suffix]


def accepted(path: str | os.PathLike[str], offered: Mapping[str, Any]) -> dict[str, Any]:
    """Those of the options for reading that are not None and that the format of a path knows; none for a folder."""
    entry = FORMATS.get(PurePath(path).suffix.lower())
    known = (*entry.options, *AXES) if entry else ()
    return {name: value for name, value in offered.items() if value is not None and name in known}


def load(
    path: str | os.PathLike[str] | Source, *, up: str | None = None, forward: str | None = None, **options: Any
) -> Asset:
    """Reads one file of any supported format.

    Args:
        path: a file, a member of a zip archive (`takes.zip/walk.bvh`), or a `Source`.
        up: the axis that is up in the file, if it is read wrongly without it: `x`, `y`, `z`, or `-x`, `-y`, `-z`.
        forward: likewise the axis that is ahead; without `up`, of the file as it is read.
        options: passed to the format's reader, e.g. `unit="cm"` for BVH.

    Raises:
        FormatError: the file is missing, of no supported kind, or cannot be read right; says what and where.
        UnitError: no such axis.
    """
    source = path if isinstance(path, Source) else open_source(path)
    return _read(source, lambda module: _with_axes(module, source, up, forward, options), _stated(up, options))


def _stated(up: str | None, options: Mapping[str, Any]) -> set[str]:
    """The names of the options that say something of a file."""
    return {name for name, value in {**options, "up": up}.items() if value not in (None, "auto")}


def _with_axes(
    module: ModuleType, source: Source, up: str | None, forward: str | None, options: Mapping[str, Any]
) -> Asset:
    """What a format's reader reads, turned if its axes are stated."""
    if up in (None, "auto") and forward is None:
        return module.read(source, **options)
    from kinema.formats.axes import turn_of, turned

    stated = None if up == "auto" else up
    turn = turn_of(stated, forward)
    guesses = "up" in inspect.signature(module.read).parameters
    return turned(module.read(source, **options, **({"up": "y"} if guesses and stated else {})), turn)


def load_motions(
    path: str | os.PathLike[str] | Source,
    joints: Joints = ALL,
    *,
    up: str | None = None,
    forward: str | None = None,
    **options: Any,
) -> Asset:
    """Reads the motions of a file alone, on some of its joints. A reader with `read_motions` does no more than that.

    Args:
        path: as for `load`.
        joints: which to keep, see `kinema.subset`.
        up, forward, options: as for `load`.

    Raises:
        FormatError: as for `load`.
        SkeletonError: a skeleton does not have the joints to keep.
    """
    source = path if isinstance(path, Source) else open_source(path)

    def read(module: ModuleType) -> Asset:
        if hasattr(module, "read_motions") and not (options or up or forward):
            return module.read_motions(source, joints)
        asset = _with_axes(module, source, up, forward, options)
        motions = tuple(motion.reduced(joints) for motion in asset.motions)
        return replace(asset, skeleton=motions[0].skeleton if motions else None, motions=motions, character=None)

    return _read(source, read, _stated(up, options))


def _read(source: Source, read: Callable[[ModuleType], Asset], stated: Collection[str] = ()) -> Asset:
    from kinema.formats.contents import check_range

    source.check()
    try:
        with naming(source.path), _without_collection():
            asset = read(format_for(source.path).load_module())
            check_range(asset)
    except MissingError as error:
        raise MissingError(f"{source.path}: {error}") from error
    except FormatError as error:
        known = mistaken(source.beginning(LOOKED_AT), source.suffix)
        if known is None or error.path != source.path:
            raise
        raise FormatError(
            f"{error.message}; it is {known}", path=error.path, line=error.line, node=error.node
        ) from error
    from kinema.formats.doubts import with_doubts  # imported here because it is slow to import

    return with_doubts(asset, stated)


@contextmanager
def _without_collection() -> Iterator[None]:
    """Keeps the garbage collector from searching again and again through what a reader is making."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


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

    shown, entry = os.fspath(path), format_for(path)
    if not entry.keeps:
        raise FormatError(f"is of a kind that is only read; write {' '.join(sorted(written_suffixes()))}", path=shown)
    module = entry.load_module()
    if not hasattr(module, "write"):
        raise FormatError("is of a kind that is only read", path=shown)
    with naming(shown):
        asset = check(thing, shown)
        module.write(thing, shown, **options)
    return losses(asset, PurePath(path).suffix)
