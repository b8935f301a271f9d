"""The unit of a build: one source file, ingested into one shard file.

Shards are named by what they were made of, so a build that was killed finds those that it has finished, and a source
or an option that changed finds none.
"""

from __future__ import annotations

import hashlib
import json
import os
import zipfile
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

from kinema import unfinished
from kinema.errors import DatabaseError, FormatError, KinemaError, reason
from kinema.formats import Source, accepted, load_motions, open_source
from kinema.mocap.assemble import skeleton_from_json, skeleton_to_json
from kinema.mocap.edits import Edits, apply, edits_of, edits_path, mirror_pairs, read_edits
from kinema.mocap.edits.assets import CHANGED
from kinema.mocap.edits.files import LARGEST, Stamp
from kinema.mocap.ingest import ClipInfo, Fit, Gathers, IngestedClip, ingest
from kinema.motion import Motion
from kinema.pose import Pose
from kinema.skeleton import Skeleton
from kinema.subset import ALL, Joints

SHARD_VERSION = 3
_ARRAYS = ("root_positions", "root_rotations", "local_rotations", "local_translations", "contacts")


@dataclass(frozen=True)
class ShardJob:
    """A source to ingest, and how.

    Attributes:
        source: the file.
        name: its path relative to what the user gave; goes into the index.
        fps, mirror: options of the build.
        edits: whether edits are applied, see `kinema.mocap.edits`.
        edits_folder: where they are; beside the source where None.
        gathers: brings all motions to one skeleton, if any.
        joints: which to keep, see `kinema.subset`.
        reading: options of `formats.load` by name; each format takes those it knows.
    """

    source: Source
    name: str
    fps: float
    mirror: bool
    edits: bool = True
    edits_folder: str | None = None
    gathers: Gathers | None = None
    joints: Joints = ALL
    reading: Mapping[str, Any] = field(default_factory=dict)

    @property
    def edits_crc(self) -> int:
        """Checksum of the file of edits that would be applied, 0 where there is none."""
        path = edits_path(self.source, self.edits_folder) if self.edits else None
        if path is None or not path.is_file():
            return 0
        try:
            return zlib.crc32(open_source(path, LARGEST).read())
        except FormatError:
            return -1  # the ingest will say why

    @property
    def key(self) -> str:
        """Name of the shard: equal for equal content and options, by size and time of the file."""
        status = os.stat(self.source.file) if self.source.file and os.path.exists(self.source.file) else None
        stamp = [status.st_size, status.st_mtime_ns] if status else []
        parts = [
            SHARD_VERSION,
            _program(),
            self.name,
            self.source.path,
            self.source.size,
            stamp,
            self.fps,
            self.mirror,
            self.edits_crc,
            self.gathers.key if self.gathers else "",
            self.joints,
            sorted((name, str(value)) for name, value in self.reading.items() if value is not None),
        ]
        return hashlib.blake2b(json.dumps(parts).encode(), digest_size=16).hexdigest()


@cache
def _program() -> str:
    try:
        return version("kinema")
    except PackageNotFoundError:
        return "source"


def make(job: ShardJob, folder: Path) -> str | None:
    """Ingest a source into its shard. Returns why it could not be, or None.

    Raises:
        OSError: the shard could not be written.
    """
    try:
        clips = _ingest_source(job)
    except FormatError as error:
        place = [f"line {error.line}"] if error.line is not None else []
        return ": ".join([*place, *([error.node] if error.node else []), error.message])
    except Exception as error:  # no error of one file may end the build of a thousand
        return reason(error, job.name).removeprefix(f"{job.name}: ")
    _save(clips, folder / f"{job.key}.npz")
    return None


def _ingest_source(job: ShardJob) -> list[IngestedClip]:
    source = job.source.kept()
    found = read_edits(job.source, job.edits_folder) if job.edits else None
    reading = accepted(job.source.path, job.reading)
    if found is None and job.gathers is None:  # edits and retargeting see all joints
        asset, job = load_motions(source, job.joints, **reading), replace(job, joints=ALL)
    else:
        asset = load_motions(source, **reading)
    if not asset.motions:
        raise KinemaError(f"holds no motion (a {asset.kind} file)")
    pairs = [(motion, None) for motion in asset.motions] if found is None else edits_of(found, asset, job.source)
    data = source.read()
    outdated = found is not None and found.source.sha256 != Stamp.of(source, data).sha256
    fit = None if job.gathers is None else job.gathers.fit(asset.motions)
    stamp = {"source": job.name, "size": len(data), "crc32": zlib.crc32(data), "edits": job.edits_crc}
    clips: list[IngestedClip] = []
    for motion, edits in pairs:
        alone = len(asset.motions) == 1 or not motion.name
        named = motion.replace(name=job.source.stem if alone else f"{job.source.stem}.{motion.name}")
        for clip in _ingest_edited(named, edits, job, fit):
            warnings = (*clip.info.warnings, CHANGED) if outdated else clip.info.warnings
            clips.append(IngestedClip(replace(clip.info, **stamp, warnings=warnings), clip.pose))
    return clips


def _ingest_edited(motion: Motion, edits: Edits | None, job: ShardJob, fit: Fit | None) -> list[IngestedClip]:
    """The clips of a motion, or of the pieces that its edits leave; warns of pieces that are too short to use."""
    if edits is None or edits.empty:
        return ingest(motion, fps=job.fps, mirror=job.mirror, fit=fit, joints=job.joints)
    clips: list[IngestedClip] = []
    short: list[str] = []
    for piece in apply(motion, edits):
        try:
            clips += ingest(
                piece,
                fps=job.fps,
                mirror=job.mirror and edits.mirror,
                pairs=mirror_pairs(motion.skeleton, edits),
                fit=fit,
                joints=job.joints,
            )
        except DatabaseError as error:
            short.append(str(error))
    if short and not clips:
        raise DatabaseError(short[0])
    return [clip._replace(info=replace(clip.info, warnings=(*clip.info.warnings, *short))) for clip in clips]


def _save(clips: list[IngestedClip], path: Path) -> None:
    header, arrays = [], {}
    for number, (info, pose) in enumerate(clips):
        header.append(
            {
                **vars(info),
                "skeleton": skeleton_to_json(info.skeleton),
                "translated": info.translated.tolist(),
                "contact_joints": info.contact_joints.tolist(),
            }
        )
        parts = {name: getattr(pose, name) for name in _ARRAYS}
        parts["local_translations"] = pose.local_translations[:, info.translated]
        parts["contacts"] = pose.contacts.astype(np.uint8)
        arrays.update({f"{number}.{name}": part for name, part in parts.items()})
    text = np.frombuffer(json.dumps(header).encode(), np.uint8)
    partial = path.with_suffix(f".{os.getpid()}")
    unfinished.begin(partial)
    try:
        with open(partial, "wb") as stream:
            np.savez(stream, header=text, **arrays)
        os.replace(partial, path)
    finally:
        partial.unlink(missing_ok=True)
        unfinished.done(partial)


def read(path: Path, skeletons: dict[str, Skeleton]) -> list[tuple[ClipInfo, Callable[[], Pose]]] | None:
    """What a shard holds: each clip with a function that reads its frames; None when there is no whole shard.

    Args:
        skeletons: those read so far, so that clips of one skeleton share it.
    """
    try:
        with np.load(path, allow_pickle=False) as archive:
            header = json.loads(archive["header"].tobytes())
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error):
        return None
    clips = []
    for number, values in enumerate(header):
        text = json.dumps(values["skeleton"])
        if text not in skeletons:
            skeletons[text] = skeleton_from_json(values["skeleton"])
        info = ClipInfo(
            **{
                **values,
                "tags": tuple(values["tags"]),
                "warnings": tuple(values["warnings"]),
                "skeleton": skeletons[text],
                "labels": tuple((start, stop, words) for start, stop, words in values["labels"]),
                "translated": np.asarray(values["translated"], np.int32),
                "contact_joints": np.asarray(values["contact_joints"], np.int32),
            }
        )
        clips.append((info, partial(_read_pose, path, number, info)))
    return clips


def _read_pose(path: Path, number: int, info: ClipInfo) -> Pose:
    with np.load(path, allow_pickle=False) as archive:
        parts: dict[str, Any] = {name: archive[f"{number}.{name}"] for name in _ARRAYS}
    local, moved = parts.pop("local_rotations"), parts.pop("local_translations")
    return Pose(info.skeleton, local, info.skeleton.translations(info.translated, moved), **parts)
