"""Motion of many rigs on disk: their channels, and what can be said about each clip.

A collection is a folder with `index.json` and two arrays that are mapped into memory: `joints.npy`, the channels of all
joints of all frames, one clip after the other, and `hips.npy`, those of the root. Skeletons are kept once each.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from kinema.arrays import Bools, Singles
from kinema.errors import DatabaseError, SkeletonError
from kinema.generation.channels import CHANNELS, FPS, ROOT, encode
from kinema.generation.rig import AnyRig
from kinema.mocap import store
from kinema.mocap.assemble import skeleton_from_json, skeleton_to_json
from kinema.motion import Motion
from kinema.skeleton import Skeleton

FORMAT, VERSION = "kinema.collection", 1
JOINTS, HIPS = "joints", "hips"
OWN_CHANNELS = ROOT.start
"""Channels of each joint; those of the root's travel are kept apart."""

_CURE = "make the collection again"


@dataclass(frozen=True)
class Stretch:
    """A part of a clip in which one thing is done.

    Attributes:
        start, stop: first frame, and the one after the last.
        action: its name; "" where it is not known.
        texts: ways to say what is done, in English.
        whole: whether what is done begins and ends with it; not so for a piece of a longer take.
    """

    start: int
    stop: int
    action: str = ""
    texts: tuple[str, ...] = ()
    whole: bool = True


@dataclass(frozen=True)
class ClipRecord:
    """A clip of a collection.

    Attributes:
        rig: index of its skeleton. row, frame: where it begins in the two arrays. frames: its length.
        stretches: what is done, in order of time.
        held: whether it is kept for validation and measuring.
    """

    name: str
    rig: int
    row: int
    frame: int
    frames: int
    stretches: tuple[Stretch, ...]
    held: bool


@dataclass(frozen=True)
class RigRecord:
    """A skeleton of a collection.

    Attributes:
        name: of the creature or file. plan: the build of its body; "" if not known.
        held: whether all its clips are kept for measuring.
    """

    name: str
    plan: str
    held: bool
    skeleton: Skeleton


class MotionCollection:
    """A collection that is read. Use `open`.

    Attributes:
        path: its folder. rigs, clips: what it holds.
        origin: where the motion comes from, with licences, as JSON values.
    """

    def __init__(
        self, path: Path, rigs: Sequence[RigRecord], clips: Sequence[ClipRecord], origin: Mapping[str, Any], index: Any
    ) -> None:
        self.path, self.rigs, self.clips, self.origin = path, rigs, clips, origin
        self.fingerprint = json.dumps(index["arrays"], sort_keys=True)
        self._joints = store.map_array(path / f"{JOINTS}.npy", index["arrays"], "<f2", _CURE)
        self._travel = store.map_array(path / f"{HIPS}.npy", index["arrays"], "<f4", _CURE)
        self.rig = lru_cache(maxsize=None)(self._rig)

    @staticmethod
    def open(path: str | os.PathLike[str]) -> MotionCollection:
        """Read a collection.

        Raises:
            DatabaseError: there is none, or it is damaged.
        """
        folder = Path(path)
        index = _read_index(folder)
        try:
            rigs = [
                RigRecord(row["name"], row["plan"], bool(row["held"]), skeleton_from_json(row["skeleton"]))
                for row in index["rigs"]
            ]
            clips = [_clip(row) for row in index["clips"]]
        except (KeyError, TypeError, ValueError, SkeletonError) as error:
            raise DatabaseError(f"{folder / store.INDEX}: damaged ({error!r}); {_CURE}") from None
        return MotionCollection(folder, rigs, clips, index.get("origin", {}), index)

    @property
    def seconds(self) -> float:
        """Duration of all clips together."""
        return sum(clip.frames for clip in self.clips) / FPS

    def _rig(self, index: int) -> AnyRig:
        return AnyRig.of(self.rigs[index].skeleton)

    def channels(self, clip: ClipRecord, start: int = 0, stop: int | None = None) -> Singles:
        """Channels `[F, K, CHANNELS]` of some frames of a clip."""
        stop = clip.frames if stop is None else stop
        count = self.rig(clip.rig).count
        rows = self._joints[clip.row + start * count : clip.row + stop * count]
        out = np.zeros((stop - start, count, CHANNELS), np.float32)
        out[..., :OWN_CHANNELS] = rows.reshape(stop - start, count, OWN_CHANNELS)
        out[:, 0, ROOT] = self._travel[clip.frame + start : clip.frame + stop]
        return out


def is_collection(path: str | os.PathLike[str]) -> bool:
    """Whether a folder is a collection."""
    try:
        return json.loads((Path(path) / store.INDEX).read_text(encoding="utf-8"))["format"] == FORMAT
    except (OSError, ValueError, KeyError, TypeError):
        return False


class CollectionWriter:
    """A collection that is made clip by clip. Use `writing`."""

    def __init__(self, joints: BinaryIO, travel: BinaryIO) -> None:
        self._joints = _Growing(joints, "<f2", OWN_CHANNELS)
        self._travel = _Growing(travel, "<f4", CHANNELS - OWN_CHANNELS)
        self.rigs: list[RigRecord] = []
        self._made: list[AnyRig] = []
        self.clips: list[ClipRecord] = []

    def add_rig(self, skeleton: Skeleton, name: str, plan: str = "", held: bool = False) -> int:
        """Adds a skeleton; returns its index."""
        self.rigs.append(RigRecord(name, plan, held, skeleton))
        self._made.append(AnyRig.of(skeleton))
        return len(self.rigs) - 1

    def add(
        self, rig: int, motion: Motion, stretches: Iterable[Stretch], contacts: Bools | None = None, held: bool = False
    ) -> None:
        """Adds a clip of a skeleton that was added.

        Args:
            stretches: in frames of `channels.FPS`.
            contacts: see `kinema.generation.channels.encode`.

        Raises:
            SkeletonError: the motion is of another skeleton, or has no frames.
        """
        channels, _ = encode(self._made[rig], motion, contacts)
        self.add_channels(rig, motion.name, channels, stretches, held)

    def add_channels(
        self, rig: int, name: str, channels: Singles, stretches: Iterable[Stretch], held: bool = False
    ) -> None:
        """Adds a clip by its channels `[F, K, CHANNELS]`."""
        record = ClipRecord(
            name,
            rig,
            self._joints.rows,
            self._travel.rows,
            len(channels),
            tuple(stretches),
            held or self.rigs[rig].held,
        )
        self._joints.write(channels[..., :OWN_CHANNELS].reshape(-1, OWN_CHANNELS))
        self._travel.write(channels[:, 0, ROOT])
        self.clips.append(record)

    def index(self, origin: Mapping[str, Any]) -> dict[str, Any]:
        """What `index.json` says."""
        rigs = [
            {"name": rig.name, "plan": rig.plan, "held": rig.held, "skeleton": skeleton_to_json(rig.skeleton)}
            for rig in self.rigs
        ]
        arrays = {JOINTS: self._joints.entry(), HIPS: self._travel.entry()}
        clips = [asdict(clip) for clip in self.clips]
        return {
            "format": FORMAT,
            "version": VERSION,
            "origin": dict(origin),
            "rigs": rigs,
            "clips": clips,
            "arrays": arrays,
        }


@contextmanager
def writing(path: str | os.PathLike[str], origin: Mapping[str, Any], force: bool = False) -> Iterator[CollectionWriter]:
    """A writer for a new collection, which is there when the block has succeeded, and not before.

    Raises:
        DatabaseError: something is there already, or the disk is full.
    """
    out = Path(path)
    store.check_target(out, force)
    try:
        with store.replacing(out) as folder:
            with open(folder / f"{JOINTS}.npy", "wb") as joints, open(folder / f"{HIPS}.npy", "wb") as travel:
                writer = CollectionWriter(joints, travel)
                yield writer
                index = writer.index(origin)
            store.write_index(folder, index)
    except OSError as error:
        raise store.describe(error, out, kept=False) from None


class _Growing(store.ArrayFile):
    """An array whose number of rows is known when all are written; NumPy leaves room for it in the header."""

    def __init__(self, stream: BinaryIO, dtype: str, width: int) -> None:
        super().__init__(stream, dtype, (0, width))

    def entry(self) -> dict[str, Any]:
        self.shape = (self.rows, *self.shape[1:])
        self.stream.seek(0)
        header = {"descr": self.dtype.str, "fortran_order": False, "shape": self.shape}
        np.lib.format.write_array_header_1_0(self.stream, header)
        return super().entry()


def _read_index(folder: Path) -> dict[str, Any]:
    path = folder / store.INDEX
    try:
        index = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        raise DatabaseError(
            f"{folder}: no collection of motion there; make one with `kinema build --creatures`"
        ) from None
    except (OSError, ValueError, RecursionError) as error:
        raise DatabaseError(f"{path}: cannot be read ({error}); {_CURE}") from None
    if not isinstance(index, dict) or (index.get("format"), index.get("version")) != (FORMAT, VERSION):
        raise DatabaseError(f"{path}: not a {FORMAT} of version {VERSION}; {_CURE}")
    return index


def _clip(row: Mapping[str, Any]) -> ClipRecord:
    stretches = tuple(
        Stretch(
            int(part["start"]),
            int(part["stop"]),
            str(part["action"]),
            tuple(part["texts"]),
            bool(part.get("whole", True)),
        )
        for part in row["stretches"]
    )
    rig, start, frame, frames = (int(row[key]) for key in ("rig", "row", "frame", "frames"))
    return ClipRecord(str(row["name"]), rig, start, frame, frames, stretches, bool(row["held"]))
