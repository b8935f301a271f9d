"""Labels of a database: arrays `[N, ...]` that are computed from its frames, such as phases, and kept beside them.

A database on disk has them in its folder `labels`, one `.npy` each, with an index of their own. A database without that
folder has no labels; `kinema label` makes them.

To add a labeller, such as one that learns the phases of a dance, write a function that takes a database and returns
arrays by name, and add it to `LABELLERS`, or name it `FILE.py:NAME`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from kinema import plugins
from kinema.arrays import Indices, Singles
from kinema.errors import DatabaseError
from kinema.mocap import store
from kinema.mocap.contacts import relative_size
from kinema.mocap.goals import find_goals
from kinema.mocap.phases import alternating_sides, find_phases
from kinema.pose import Pose
from kinema.skeleton import Skeleton

if TYPE_CHECKING:
    from kinema.mocap.database import Clip

FOLDER, FORMAT, VERSION = "labels", "kinema.labels", 1
CHUNK = 16_384
"""Frames whose poses are in memory at a time."""

GAIT = ("phase", "phase_confidence", "local_phases")
"""Names of the arrays that `gait` makes."""

GOAL = "goal"
"""Name of the array that `goals` makes."""

_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")
_CURE = "make the labels again with `kinema label DB`"

Labels = dict[str, NDArray[Any]]
"""Arrays `[N, ...]` by name."""


class Labelled(Protocol):
    """What labels are computed from; `kinema.mocap.MotionDatabase` is one."""

    @property
    def skeleton(self) -> Skeleton: ...
    @property
    def fps(self) -> float: ...
    @property
    def clips(self) -> Sequence[Clip]: ...
    @property
    def contact_joints(self) -> Indices: ...
    def pose(self, frames: Any) -> Pose: ...


Labeller = Callable[[Labelled], Mapping[str, NDArray[Any]]]


def gait(database: Labelled) -> Labels:
    """Phases by `kinema.mocap.phases`: `phase` `[N]`, `phase_confidence` `[N]` and `local_phases` `[N, C, 2]`."""
    feet = foot_positions(database)
    sides = alternating_sides(database.skeleton, database.contact_joints)
    size = relative_size(database.skeleton)
    clips = [find_phases(feet[clip.start : clip.stop], database.fps, sides, size) for clip in database.clips]
    return {name: np.concatenate(parts) for name, parts in zip(GAIT, zip(*clips, strict=True), strict=True)}


def goals(database: Labelled) -> Labels:
    """Places where the body is about to stand, by `kinema.mocap.goals`: `goal` `[N]`."""
    feet, size = foot_positions(database), relative_size(database.skeleton)
    spans = [slice(clip.start, clip.stop) for clip in database.clips]
    return {GOAL: np.concatenate([find_goals(feet[span], database.fps, size, seed) for seed, span in enumerate(spans)])}


LABELLERS: dict[str, Labeller] = {"gait": gait, "goals": goals}
"""Labellers by name."""


def find_labeller(name: str) -> Labeller:
    """A labeller by its name in `LABELLERS`, `FILE.py:NAME`, `package.module:NAME`, or of an installed package.

    Raises:
        UsageError: there is none of that name.
    """
    return plugins.find(name, "kinema.labellers", LABELLERS)


def foot_positions(database: Labelled) -> Singles:
    """Positions `[N, C, 3]` of the contact joints in the world, metres."""
    total = database.clips[-1].stop
    found = np.empty((total, len(database.contact_joints), 3), np.float32)
    for start in range(0, total, CHUNK):
        chunk = slice(start, start + CHUNK)
        found[chunk] = database.pose(chunk).global_positions[:, database.contact_joints]
    return found


def check(labels: Mapping[str, NDArray[Any]], frames: int) -> None:
    """Refuse labels that do not fit a database of that many frames.

    Raises:
        DatabaseError: a name is no file name, or an array has another length, objects, or numbers that are not finite.
    """
    for name, values in labels.items():
        if not _NAME.fullmatch(name):
            raise DatabaseError(f"a label cannot be named {name!r}: letters, digits, '_', '-' and '.' are allowed")
        if values.shape[:1] != (frames,) or values.dtype.kind not in "biuf":
            shape = f"{values.dtype} {list(values.shape)}"
            raise DatabaseError(f"label {name!r} is {shape}, not an array of numbers for each of {frames} frames")
        if not np.isfinite(values).all():
            raise DatabaseError(f"label {name!r} has numbers that are not finite")


def read(database: Path, frames: int) -> Labels:
    """The labels of a database on disk, mapped read-only into memory; none where it has no labels.

    Args:
        database: its folder.
        frames: number of its frames.

    Raises:
        DatabaseError: they are damaged, of another version, or not of this database.
    """
    folder = database / FOLDER
    store.recover(folder)
    if not folder.is_dir():
        return {}
    entries = _entries(folder)
    found = {name: store.map_array(folder / f"{name}.npy", entries, cure=_CURE) for name in entries}
    if any(values.shape[:1] != (frames,) for values in found.values()):
        raise DatabaseError(f"{folder}: labels of another database; {_CURE}")
    return found


def write(database: Path, labels: Mapping[str, NDArray[Any]], kept: Mapping[str, NDArray[Any]] | None = None) -> None:
    """Write labels into the folder of a database atomically. Its arrays are not touched.

    Args:
        database: its folder.
        labels: all of them.
        kept: written first; `labels` replace those of the same name.

    Raises:
        OSError: such as a full disk; the labels that were there before are still there then.
    """
    entries: dict[str, Any] = {}
    with store.replacing(database / FOLDER) as folder:
        for name, values in sorted({**(kept or {}), **labels}.items()):
            with open(folder / f"{name}.npy", "wb") as stream:
                file = store.ArrayFile(stream, values.dtype.newbyteorder("<").str, values.shape)
                file.write(values)
                entries[name] = file.entry()
        store.write_index(folder, {"format": FORMAT, "version": VERSION, "arrays": entries})


def verify(database: Path) -> None:
    """Compare all bytes of the labels with the hashes in their index.

    Raises:
        DatabaseError: names the array that has changed.
    """
    folder = database / FOLDER
    if folder.is_dir():
        entries = _entries(folder)
        for name in entries:
            path = folder / f"{name}.npy"
            store.check_hash(path, store.map_array(path, entries, cure=_CURE), entries, _CURE)


def _entries(folder: Path) -> dict[str, Any]:
    """What the index of labels says about each array."""
    path = folder / store.INDEX
    try:
        index = json.loads(path.read_text(encoding="utf-8"))
        entries, told = index["arrays"], (index["format"], index["version"])
    except (OSError, ValueError, LookupError, TypeError, RecursionError) as error:
        raise DatabaseError(f"{path}: cannot be read ({error}); {_CURE}") from None
    if told != (FORMAT, VERSION) or not isinstance(entries, dict):
        raise DatabaseError(f"{path}: not labels of version {VERSION}; {_CURE}")
    if not all(_NAME.fullmatch(name) for name in entries):
        raise DatabaseError(f"{path}: has a label that is no file name; {_CURE}")
    return entries
