"""Files to show; each is read when it is first opened."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from kinema import formats
from kinema.character import Character
from kinema.errors import FormatError, one_line
from kinema.mocap.edits import clip_keys, unique_names
from kinema.motion import Motion
from kinema.pose import Pose
from kinema.skeleton import Skeleton


@dataclass(frozen=True, eq=False)
class LibraryClip:
    """A clip, or a rest pose.

    Attributes:
        title: unique in its file. skeleton: its joints.
        character: a character with meshes; None for a bare skeleton.
        load: reads the motion; None for a rest pose.
    """

    title: str
    skeleton: Skeleton
    character: Character | None
    load: Callable[[], Motion | None]

    def size(self, motion: Motion | None) -> float:
        """Size of the subject in metres, for cameras and the ground; never zero.

        Rest poses are often not natural poses, so poses of the motion are measured if there is one.
        """
        if motion is None or motion.frames == 0:
            return extent(self.character, self.skeleton.rest_pose[None])
        return extent(self.character, motion[np.linspace(0, motion.frames - 1, 9).astype(np.int64)])


def extent(character: Character | None, pose: Pose) -> float:
    """Size in metres of poses `[F]` with meshes, usually the height."""
    points = [pose.global_positions]
    if character is not None and character.meshes:
        points += [vertices[:, ::17] for vertices in character.skin(pose)]
    extents = np.median(np.ptp(np.concatenate(points, axis=1), axis=1), axis=0)
    return max(float(extents[1]), 0.75 * float(extents.max()), 1e-3)


@dataclass(frozen=True)
class LibraryFile:
    """A file or database.

    Attributes:
        title: unique among the files.
        path: as the user gave it.
        read: reads its clips, at least one; raises KinemaError.
        source: the file, for edits; None for a database.
    """

    title: str
    path: str
    read: Callable[[], list[LibraryClip]]
    source: formats.Source | None = None


def find_files(paths: Sequence[str | os.PathLike[str]], reading: Mapping[str, Any] | None = None) -> list[LibraryFile]:
    """All files in folders, archives and databases, without reading them.

    Args:
        reading: options of the formats, such as the skeleton for motion files without one.

    Raises:
        FormatError: there are none.
    """
    known = reading or {}
    found: list[tuple[str, Callable[[], list[LibraryClip]], formats.Source | None]] = []
    for path in paths:
        if os.path.isfile(Path(path) / "index.json"):
            found.append((os.fspath(path), lambda path=path: _database_clips(path), None))
        else:
            sources = formats.iterate([path], formats.gathered_suffixes())
            found += [(source.path, lambda source=source: _source_clips(source, known), source) for source in sources]
    if not found:
        listed = ", ".join(os.fspath(path) for path in paths)
        raise FormatError(
            f"{listed}: no motion or character file here; known are {' '.join(sorted(formats.gathered_suffixes()))}"
        )
    titles = unique_names([one_line(Path(path).name or path) for path, _, _ in found])
    return [LibraryFile(title, *entry) for title, entry in zip(titles, found, strict=True)]


def library_file(thing: Motion | Character | formats.Asset | LibraryFile) -> LibraryFile:
    """What was loaded or made, as a file to show.

    Raises:
        FormatError: an asset contains no skeleton, mesh or motion.
    """
    if isinstance(thing, LibraryFile):
        return thing
    if isinstance(thing, Motion):
        clips = [LibraryClip(thing.name or "motion", thing.skeleton, None, lambda: thing)]
    elif isinstance(thing, Character):
        clips = [LibraryClip(thing.name or "character", thing.skeleton, thing, lambda: None)]
    else:
        clips = _asset_clips(thing)
    return LibraryFile(clips[0].title, clips[0].title, lambda: clips)


def _source_clips(source: formats.Source, reading: Mapping[str, Any]) -> list[LibraryClip]:
    return _asset_clips(formats.load(source, **formats.accepted(source.path, reading)))


def _asset_clips(asset: formats.Asset) -> list[LibraryClip]:
    if asset.motions:
        return [
            LibraryClip(title, motion.skeleton, asset.character, lambda motion=motion: motion)
            for title, motion in zip(clip_keys(asset.motions), asset.motions, strict=True)
        ]
    skeleton = asset.character.skeleton if asset.character is not None else asset.skeleton
    if skeleton is None:
        raise FormatError("contains no skeleton, mesh or motion", path=asset.path)
    return [LibraryClip("rest pose", skeleton, asset.character, lambda: None)]


def _database_clips(path: str | os.PathLike[str]) -> list[LibraryClip]:
    from kinema.mocap.database import MotionDatabase

    database = MotionDatabase.open(path)
    titles = unique_names([clip.name for clip in database.clips])
    return [
        LibraryClip(title, database.skeleton, None, lambda index=index: database.clip_motion(index))
        for index, title in enumerate(titles)
    ]


def matching(titles: Sequence[str], search: str) -> list[str]:
    """Titles that contain all words of a search, in any order and case."""
    words = search.lower().split()
    return [title for title in titles if all(word in title.lower() for word in words)]
