"""The files a person wants to look at; each is read when it is first shown."""

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
from kinema.mocap.edits import clip_keys
from kinema.motion import Motion
from kinema.pose import Pose
from kinema.skeleton import Skeleton


@dataclass(frozen=True, eq=False)
class LibraryClip:
    """Something to show.

    Attributes:
        title: unique within its file.
        skeleton: its joints.
        character: its meshes, or None for a bare skeleton.
        load: the motion, or None for what stands still.
    """

    title: str
    skeleton: Skeleton
    character: Character | None
    load: Callable[[], Motion | None]

    def size(self, motion: Motion | None) -> float:
        """How large the subject is in metres, for camera and ground: what it takes up in typical poses; never zero.

        The rest pose of many files is not a pose to stand in, so poses of the motion count where there is one.
        """
        if motion is None or motion.frames == 0:
            return extent(self.character, self.skeleton.rest_pose[None])
        return extent(self.character, motion[np.linspace(0, motion.frames - 1, 9).astype(np.int64)])


def extent(character: Character | None, pose: Pose) -> float:
    """Size in metres of what poses `[F]` take up, with meshes: mostly the height."""
    points = [pose.global_positions]
    if character is not None and character.meshes:
        points += [vertices[:, ::17] for vertices in character.skin(pose)]
    extents = np.median(np.ptp(np.concatenate(points, axis=1), axis=1), axis=0)
    return max(float(extents[1]), 0.75 * float(extents.max()), 1e-3)


@dataclass(frozen=True)
class LibraryFile:
    """A file (or database) and how to read its clips.

    Attributes:
        title: unique among the files.
        path: what the user calls it.
        read: its clips, at least one; KinemaError when it cannot be read right.
        source: the file, beside which edits are kept; None for a database.
    """

    title: str
    path: str
    read: Callable[[], list[LibraryClip]]
    source: formats.Source | None = None


def find_files(paths: Sequence[str | os.PathLike[str]], reading: Mapping[str, Any] | None = None) -> list[LibraryFile]:
    """All files in files, folders, archives and databases, without reading them.

    Args:
        reading: options for reading, handed to the formats that know them: the skeleton of a motion file without one.

    Raises:
        FormatError: there is none.
    """
    known = reading or {}
    found: list[tuple[str, Callable[[], list[LibraryClip]], formats.Source | None]] = []
    for path in paths:
        if os.path.isfile(Path(path) / "index.json"):
            found.append((os.fspath(path), lambda path=path: _database_clips(path), None))
        else:
            sources = formats.iterate([path], formats.FORMATS)
            found += [(source.path, lambda source=source: _asset_clips(source, known), source) for source in sources]
    if not found:
        listed = ", ".join(os.fspath(path) for path in paths)
        raise FormatError(f"{listed}: no motion or character file here; known are {' '.join(sorted(formats.FORMATS))}")
    titles = _unique([one_line(Path(path).name or path) for path, _, _ in found])
    return [LibraryFile(title, *entry) for title, entry in zip(titles, found, strict=True)]


def _asset_clips(source: formats.Source, reading: Mapping[str, Any]) -> list[LibraryClip]:
    asset = formats.load(source, **formats.accepted(source.path, reading))
    if asset.motions:
        return [
            LibraryClip(title, motion.skeleton, asset.character, lambda motion=motion: motion)
            for title, motion in zip(clip_keys(asset.motions), asset.motions, strict=True)
        ]
    skeleton = asset.character.skeleton if asset.character is not None else asset.skeleton
    if skeleton is None:
        raise FormatError("holds nothing to look at: no skeleton, no mesh, no motion", path=asset.path)
    return [LibraryClip("rest pose", skeleton, asset.character, lambda: None)]


def _database_clips(path: str | os.PathLike[str]) -> list[LibraryClip]:
    from kinema.mocap.database import MotionDatabase

    database = MotionDatabase.open(path)
    titles = _unique([clip.name for clip in database.clips])
    return [
        LibraryClip(title, database.skeleton, None, lambda index=index: database.clip_motion(index))
        for index, title in enumerate(titles)
    ]


def _unique(titles: Sequence[str]) -> list[str]:
    seen: dict[str, int] = {}
    unique: list[str] = []
    for title in titles:
        seen[title] = seen.get(title, 0) + 1
        unique.append(title if seen[title] == 1 else f"{title} ({seen[title]})")
    return unique


def matching(titles: Sequence[str], search: str) -> list[str]:
    """Titles that hold all words of a search, in any order and case."""
    words = search.lower().split()
    return [title for title in titles if all(word in title.lower() for word in words)]
