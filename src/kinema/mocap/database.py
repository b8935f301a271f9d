"""The motion database: hours of clips on one skeleton, as flat memory-mapped arrays."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any, get_type_hints

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kinema.arrays import Bools, Bytes, Indices, Ints, Singles
from kinema.errors import DatabaseError, SkeletonError
from kinema.mocap import assemble, labels, store
from kinema.mocap.assemble import DatabaseLayout, skeleton_from_json, skeleton_to_json
from kinema.mocap.contacts import contact_points, leg_length
from kinema.mocap.ingest import ClipInfo, IngestedClip, InPlace, ingest
from kinema.motion import Motion
from kinema.pose import Pose
from kinema.skeleton import Skeleton

SAMPLED = 256  # frames looked at when a database is opened
CHUNK = 16_384  # frames copied at a time


@dataclass(frozen=True)
class Clip:
    """One clip of a database: the frames `start` to `stop` (not included).

    Attributes:
        name: name of the clip.
        source: file it came from, relative to what was given to the build; empty for motions made in memory.
        start, stop: frames in the database.
        mirrored: whether it is the mirror image of the take.
        tags: lower-case words.
        ground: height of the ground in the source, metres; the clip was lowered by it.
        size, crc32: of the source file, to recognise it; 0 without one.
        warnings: what was cut or assumed.
        labels: what happens in frames `start` to `stop` (not included) of the clip, in words.
        edits: checksum of the edits that were applied, 0 without any.
    """

    name: str
    source: str
    start: int
    stop: int
    mirrored: bool = False
    tags: tuple[str, ...] = ()
    ground: float = 0.0
    size: int = 0
    crc32: int = 0
    warnings: tuple[str, ...] = ()
    labels: tuple[tuple[int, int, str], ...] = ()
    edits: int = 0

    @property
    def frames(self) -> int:
        return self.stop - self.start

    @property
    def take(self) -> str:
        """What the clip was recorded in: its file, or its name; a take and its mirror image have the same."""
        return self.source or self.name


class MotionDatabase:
    """Clips one after the other in flat arrays, opened with `open` or made with `from_motions`.

    Attributes:
        skeleton: the skeleton in root layout: ancestors of the hips coincide with the root frame (`kinema.mocap.root`).
        fps: frames per second.
        clips: in the order of their frames.
        translated: int32 `[T]`: joints with animated translations; all others stay at rest.
        contact_joints: int32 `[C]`: left and right toe (or foot); lowest leaves of a skeleton without legs.
        clearance: metres from the ground to the contact joints while they stand.
        root_positions: float32 `[N, 3]`, y = 0, world, metres.
        root_rotations: float32 `[N, 4]`, about +Y, world.
        local_rotations: float32 `[N, J, 4]`; joints that hang on the root frame are relative to it.
        local_translations: float32 `[N, T, 3]`, metres.
        contacts: uint8 `[N, C]`.
        labels: arrays `[N, ...]` by name that features read besides, such as phases; see `kinema.mocap.labels`.
        options: how it was built.
        layout: what its clips share; new clips are fitted to it when the database is added to.
    """

    def __init__(
        self,
        layout: DatabaseLayout,
        fps: float,
        clips: Sequence[Clip],
        arrays: Mapping[str, NDArray[Any]],
        options: Mapping[str, Any] | None = None,
        path: Path | None = None,
        labels: Mapping[str, NDArray[Any]] | None = None,
    ) -> None:
        self.skeleton: Skeleton = layout.skeleton
        self.translated, self.contact_joints = layout.translated, layout.contact_joints
        self.clearance = layout.clearance
        self.fps = float(fps)
        self.clips = tuple(clips)
        self.options = dict(options or {})
        self.labels: dict[str, NDArray[Any]] = dict(labels or {})
        self.path = path
        self.root_positions: Singles = arrays["root_positions"]
        self.root_rotations: Singles = arrays["root_rotations"]
        self.local_rotations: Singles = arrays["local_rotations"]
        self.local_translations: Singles = arrays["local_translations"]
        self.contacts: Bytes = arrays["contacts"]
        self.layout = layout
        self._starts = np.asarray([clip.start for clip in self.clips], np.int64)
        self._stops = np.asarray([clip.stop for clip in self.clips], np.int64)
        self._check()

    @staticmethod
    def open(path: str | os.PathLike[str], labelled: bool = True) -> MotionDatabase:
        """Open a database; its arrays stay on disk and are read as they are used.

        Args:
            path: its folder.
            labelled: whether to open its labels, too.

        Raises:
            DatabaseError: it is not there, damaged, or of another version.
        """
        folder = Path(path)
        index = store.read_index(folder)
        try:
            skeleton = skeleton_from_json(index["skeleton"])
            layout = DatabaseLayout(
                skeleton,
                _joints_from_json(index["translated"]),
                _joints_from_json(index["contact_joints"]),
                float(index["clearance"]),
                leg_length(skeleton),
            )
            clips = [_clip_from_json(clip) for clip in index["clips"]]
            fps, options = float(index["fps"]), dict(index["options"])
        except (LookupError, TypeError, ValueError, AttributeError, OverflowError, SkeletonError) as error:
            raise DatabaseError(f"{folder / store.INDEX}: damaged ({error!r}); build the database again") from None
        arrays = store.map_arrays(folder, index)
        kept = labels.read(folder, len(arrays["root_positions"])) if labelled else {}
        return MotionDatabase(layout, fps, clips, arrays, options, folder, kept)

    @staticmethod
    def from_motions(
        motions: Iterable[Motion], fps: float = 30.0, mirror: bool = True, in_place: InPlace = "move"
    ) -> MotionDatabase:
        """A database in memory. All motions must have the same joints; see `kinema.mocap.ingest.ingest`.

        Raises:
            DatabaseError: there is no motion, one is too short, or they are of different skeletons.
        """
        ingested: list[IngestedClip] = [
            clip for motion in motions for clip in ingest(motion, fps=fps, mirror=mirror, in_place=in_place)
        ]
        layout = assemble.make_layout([clip.info for clip in ingested])
        for clip in ingested:
            reason = layout.refuses(clip.info)
            if reason is not None:
                raise DatabaseError(f"{clip.info.name or 'a motion'}: {reason}")
        pieces = [layout.fit(clip.info, clip.pose) for clip in ingested]
        arrays = {name: np.concatenate([piece[name] for piece in pieces]) for name in store.ARRAYS}
        clips = clip_table([(clip.info, layout.ground(clip.info)) for clip in ingested])
        database = MotionDatabase(layout, fps, clips, arrays, {"mirror": mirror})
        database.labels.update(labels.gait(database))
        return database

    def save(self, path: str | os.PathLike[str], force: bool = False) -> None:
        """Write the database and its labels to a folder atomically.

        Raises:
            DatabaseError: something is there already and `force` is not set, a label does not fit, or the disk is full.
        """
        labels.check(self.labels, self.frames)
        out = Path(path)
        store.recover(out)
        store.check_target(out, force)
        try:
            with store.replacing(out) as folder:
                store.write(folder, self.document(), assemble.shapes(self.layout, self.frames), self.blocks())
                labels.write(folder, self.labels)
        except OSError as error:
            raise store.describe(error, out, kept=False) from None

    def document(self) -> dict[str, Any]:
        """What the index says besides the arrays, as plain JSON values."""
        return document(self.layout, self.fps, self.clips, self.options)

    def blocks(self) -> Iterator[dict[str, NDArray[Any]]]:
        """All arrays in pieces of at most `CHUNK` frames."""
        for start in range(0, self.frames, CHUNK):
            yield {name: getattr(self, name)[start : start + CHUNK] for name in store.ARRAYS}

    @property
    def frames(self) -> int:
        return len(self.root_positions)

    @property
    def seconds(self) -> float:
        return self.frames / self.fps

    def pose(self, frames: ArrayLike | slice) -> Pose:
        """Poses of the frames `[...]` with their contacts, copied into memory."""
        index = _index(frames)
        return Pose(
            self.skeleton,
            np.array(self.local_rotations[index]),
            self.skeleton.translations(self.translated, self.local_translations[index]),
            root_positions=np.array(self.root_positions[index]),
            root_rotations=np.array(self.root_rotations[index]),
            contacts=np.asarray(self.contacts[index], np.float32),
        )

    def clip_of(self, frames: ArrayLike) -> Ints:
        """Indices `[...]` of the clips that hold the frames `[...]`."""
        return np.searchsorted(self._stops, np.asarray(frames), side="right").astype(np.int64)

    def next(self, frames: ArrayLike, k: ArrayLike = 1) -> Ints:
        """The frames `k` later (earlier if negative), held at the first or last frame of their clip."""
        frames = np.asarray(frames, np.int64)
        clip = self.clip_of(frames)
        return np.clip(frames + np.asarray(k, np.int64), self._starts[clip], self._stops[clip] - 1)

    def labelled(self, words: str) -> Bools:
        """Which frames `[N]` carry a label (a tag or text, see `kinema.mocap.edits`)."""
        mask = np.zeros(self.frames, bool)
        for clip in self.clips:
            for start, stop, label in clip.labels:
                if label == words:
                    mask[clip.start + start : clip.start + stop] = True
        return mask

    def clip_motion(self, clip: int) -> Motion:
        """A clip as a motion in the world, with its contacts as labels.

        Raises:
            DatabaseError: there is no such clip.
        """
        if not 0 <= clip < len(self.clips):
            raise DatabaseError(f"there is no clip {clip}; there are {len(self.clips)}")
        entry = self.clips[clip]
        pose = self.pose(slice(entry.start, entry.stop)).in_world()
        joints = np.union1d(self.translated, np.flatnonzero(self.skeleton.parents < 0)).astype(np.int32)
        points = contact_points(self.skeleton)
        labels = {f"contact.{point}": pose.contacts[:, column] > 0.5 for column, point in enumerate(points)}
        return Motion.create(
            self.skeleton,
            pose.local_rotations,
            pose.local_translations[:, joints],
            joints,
            self.fps,
            entry.name + ("_mirrored" if entry.mirrored else ""),
            labels,
            entry.tags,
            entry.warnings,
        )

    def only(self, clips: ArrayLike) -> MotionDatabase:
        """A database in memory of some of the clips, bool `[len(clips)]` or their numbers, with their labels.

        Raises:
            DatabaseError: there would be none.
        """
        chosen = np.arange(len(self.clips))[np.asarray(clips)]
        if not len(chosen):
            raise DatabaseError("a database needs at least one clip")
        kept = [self.clips[at] for at in chosen]
        frames = np.concatenate([np.arange(clip.start, clip.stop) for clip in kept])
        stops = np.cumsum([clip.frames for clip in kept]).tolist()
        moved = [replace(clip, start=stop - clip.frames, stop=stop) for clip, stop in zip(kept, stops, strict=True)]
        arrays = {name: np.asarray(getattr(self, name)[frames]) for name in store.ARRAYS}
        labels_of = {name: np.asarray(array[frames]) for name, array in self.labels.items()}
        return MotionDatabase(self.layout, self.fps, moved, arrays, self.options, labels=labels_of)

    def verify(self) -> None:
        """Read all arrays once and compare them with the hashes in the index.

        Raises:
            DatabaseError: an array is not what was written. Databases in memory have nothing to compare.
        """
        if self.path is not None:
            store.verify(self.path)
            labels.verify(self.path)

    def __len__(self) -> int:
        return self.frames

    def __repr__(self) -> str:
        return (
            f"MotionDatabase({len(self.clips)} clips, {self.frames} frames at {self.fps:g} per second, "
            f"{self.skeleton.joint_count} joints)"
        )

    def _check(self) -> None:
        """Check quickly that index and arrays fit together and hold poses."""
        where = f"{self.path}: " if self.path else ""
        wanted = assemble.shapes(self.layout, self.frames)
        for name, shape in wanted.items():
            has = getattr(self, name).shape
            if has != shape:
                raise DatabaseError(f"{where}{name} has shape {list(has)}, expected {list(shape)}")
        if not self._is_covered():
            raise DatabaseError(f"{where}its clips do not cover its {self.frames} frames one after the other")
        for label, joints in (("translated", self.translated), ("contact_joints", self.contact_joints)):
            if joints.size and (joints.min() < 0 or joints.max() >= self.skeleton.joint_count):
                raise DatabaseError(f"{where}{label} names a joint that the skeleton does not have")
        if not (np.isfinite(self.fps) and self.fps > 0):
            raise DatabaseError(f"{where}{self.fps} frames per second; the rate must be positive")
        if not self._holds_poses():
            raise DatabaseError(f"{where}holds frames that are not poses; build the database again")

    def _is_covered(self) -> bool:
        """Whether the clips follow each other from the first frame to the last, none of them empty."""
        if not self.clips or self._stops[-1] != self.frames or (self._starts >= self._stops).any():
            return False
        return self._starts[0] == 0 and bool((self._starts[1:] == self._stops[:-1]).all())

    def _holds_poses(self) -> bool:
        """Whether rotations are of unit length and places finite, in a sample of frames."""
        some = np.unique(np.linspace(0, self.frames - 1, SAMPLED).astype(np.int64))
        quaternions = np.concatenate([self.local_rotations[some].reshape(-1, 4), self.root_rotations[some]])
        places = np.isfinite(self.local_translations[some]).all() and np.isfinite(self.root_positions[some]).all()
        return bool(places and np.abs(np.linalg.norm(quaternions, axis=-1) - 1.0).max() < 1e-2)


def document(layout: DatabaseLayout, fps: float, clips: Sequence[Clip], options: Mapping[str, Any]) -> dict[str, Any]:
    """The index of a database without its arrays, as plain JSON values."""
    return {
        "fps": float(fps),
        "skeleton": skeleton_to_json(layout.skeleton),
        "translated": layout.translated.tolist(),
        "contact_joints": layout.contact_joints.tolist(),
        "clearance": float(layout.clearance),
        "options": dict(options),
        "clips": [asdict(clip) for clip in clips],
    }


def _joints_from_json(entry: Any) -> Indices:
    if not (isinstance(entry, list) and all(isinstance(joint, int) for joint in entry)):
        raise TypeError(f"{entry!r} is not a list of joints")
    return np.asarray(entry, np.int32)


def _clip_from_json(entry: Mapping[str, Any]) -> Clip:
    """A clip of the index; TypeError or KeyError when it is damaged."""
    texts = {name: tuple(map(str, entry[name])) for name in ("tags", "warnings")}
    labels = tuple((int(start), int(stop), str(words)) for start, stop, words in entry.get("labels", ()))
    clip = Clip(**{**entry, **texts, "labels": labels})
    for name, kind in get_type_hints(Clip).items():
        wanted = (int, float) if kind is float else kind
        if kind in (str, int, bool, float) and not isinstance(getattr(clip, name), wanted):
            raise TypeError(f"{name} of a clip is {getattr(clip, name)!r}")
    if not 0 <= clip.start < clip.stop < 2**62:
        raise ValueError(f"a clip has frames {clip.start} to {clip.stop}")
    for start, stop, words in labels:
        if not 0 <= start < stop <= clip.frames:
            raise ValueError(f"label {words!r} has frames {start} to {stop}")
    return clip


def clip_table(entries: Iterable[tuple[ClipInfo, float]]) -> list[Clip]:
    """Clips one after the other; each entry is a clip and its ground height."""
    clips: list[Clip] = []
    start = 0
    for info, ground in entries:
        stop = start + info.frames
        known = {field.name: getattr(info, field.name) for field in fields(Clip) if hasattr(info, field.name)}
        clips.append(Clip(start=start, stop=stop, ground=float(ground), **known))
        start = stop
    return clips


def _index(frames: ArrayLike | slice) -> Ints | slice:
    return frames if isinstance(frames, slice) else np.asarray(frames, np.int64)
