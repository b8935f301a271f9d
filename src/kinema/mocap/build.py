"""Builds a database from files, in parallel. A build that was killed resumes where it stopped."""

from __future__ import annotations

import itertools
import os
import shutil
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinema import unfinished
from kinema.errors import DatabaseError, FormatError
from kinema.formats import Source, gathered_suffixes, iterate
from kinema.formats.batch import work_on
from kinema.mocap import assemble, labels, shards, store
from kinema.mocap.assemble import DatabaseLayout
from kinema.mocap.database import MotionDatabase, clip_table, document
from kinema.mocap.ingest import ClipInfo, Gathers
from kinema.mocap.shards import ShardJob
from kinema.pose import Pose
from kinema.rates import RATES, is_rate
from kinema.skeleton import Skeleton
from kinema.subset import ALL, Joints, chosen, subset

DEFAULT_FPS = 30.0

Progress = Callable[[int, int, str], None]
"""Called as (sources done, sources in all, name of the one just done)."""

_Entry = tuple[ClipInfo, Callable[[], Pose]]


@dataclass(frozen=True)
class Skipped:
    """A source, or one clip of it, that is not in the database, and why."""

    path: str
    reason: str


@dataclass(frozen=True)
class Fitted:
    """A take that was brought to the skeleton of the database, and how well, by figure."""

    path: str
    clip: str
    figures: Mapping[str, float | None]


@dataclass(frozen=True)
class BuildReport:
    """What a build did.

    Attributes:
        clips, frames, seconds: number of clips, frames and seconds of the whole database, mirror images included.
        skipped: what is missing.
        known: sources left out because the database has their content already.
        excluded: sources of which their edits leave nothing, by choice.
        edited: clips that edits made, mirror images included.
        warnings: what was cut or assumed, each beginning with its source.
        wall_seconds: how long it took.
        frames_per_second: frames added over that time.
        fitted: takes that came from other skeletons.
    """

    clips: int
    frames: int
    seconds: float
    skipped: tuple[Skipped, ...]
    known: int
    warnings: tuple[str, ...]
    wall_seconds: float
    frames_per_second: float
    excluded: int = 0
    edited: int = 0
    fitted: tuple[Fitted, ...] = ()


def build(
    sources: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    out: str | os.PathLike[str],
    *,
    fps: float | None = None,
    mirror: bool | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
    append: bool = False,
    force: bool = False,
    edits: bool = True,
    edits_folder: str | os.PathLike[str] | None = None,
    gathers: Gathers | None = None,
    joints: str | os.PathLike[str] | Iterable[str] | None = None,
    reading: Mapping[str, Any] | None = None,
) -> BuildReport:
    """Make a database of motion files.

    The result depends on the files and options alone, byte for byte, not on the workers. Files that cannot be read are
    reported and left out. `out` is replaced at the very end, in one step; the work before that is kept beside it in
    `OUT.partial`, from where the same call resumes after it was killed.

    Args:
        sources: files, folders and zip archives of any supported format.
        out: folder of the database.
        fps: frames per second, by default 30, or those of the database that is added to.
        mirror: whether to add the mirror image of each clip; by default yes, or as the database has it.
        workers: processes; by default one for each core, or none besides this for little work.
        append: add to the database `out` what it does not have yet.
        force: replace the database `out`.
        edits: apply the edits that were made of the files, see `kinema.mocap.edits`.
        edits_folder: where they are; beside the files where None.
        gathers: brings files of any skeleton to one, such as `kinema.retargeting.gather.Gather`; without it,
            files with a skeleton that differs from that of most files are left out.
        joints: which to keep: `"all"`, `"body"`, names, or a file of names, see `Motion.reduced`; by default all, or
            as the database has it. Those that are kept move as before.
        reading: options of `kinema.load`, such as `{"up": "z"}`; each format takes those it knows.

    Raises:
        DatabaseError: no source, nothing usable in them, `out` is in the way, or the disk is full.
        SkeletonError: the joints to keep cannot be read.
    """
    started = time.perf_counter()
    target = Path(out)
    try:
        base, index = _open_base(target, append, force)
    except OSError as error:
        raise store.describe(error, target, kept=False) from None
    fps, mirror = _options(base, fps, mirror)
    kept = _kept(base, joints)
    _check_skeleton(base, gathers, kept)
    folder = None if edits_folder is None else os.fspath(edits_folder)
    like = ShardJob(Source(""), "", fps, mirror, edits, folder, gathers, kept, dict(reading or {}))
    jobs = _jobs(sources, like)
    known, outdated = _known(jobs, base)
    todo = [job for job, have in zip(jobs, known, strict=True) if not have]
    folder = store.partial_folder(target)
    try:
        with _locked(folder):
            # Another build may have ended between the look above and the lock; its clips must not be lost.
            if base is None:
                store.check_target(target, force)
            elif store.read_index(target) != index:
                raise DatabaseError(f"{target}: was changed by another build meanwhile; run this one again")
            failed = _ingest(todo, folder / "shards", workers, progress)
            options = {"mirror": mirror, "joints": kept}
            report = _assemble(target, todo, failed, base, fps, options, sum(known) - len(outdated), outdated)
    except OSError as error:
        raise store.describe(error, target, kept=True) from None
    wall = time.perf_counter() - started
    added = report.frames - (base.frames if base else 0)
    return replace(report, wall_seconds=wall, frames_per_second=added / wall)


def _open_base(target: Path, append: bool, force: bool) -> tuple[MotionDatabase | None, dict[str, Any]]:
    """The database to add to, with its index; None where a new one is made."""
    store.recover(target)
    if append and target.exists():
        index = store.read_index(target)
        return MotionDatabase.open(target), index
    store.check_target(target, force)
    return None, {}


def _options(base: MotionDatabase | None, fps: float | None, mirror: bool | None) -> tuple[float, bool]:
    """Rate and mirroring of the build; those of the database that is added to cannot change."""
    if fps is not None and not is_rate(fps):
        raise DatabaseError(f"cannot build a database of {fps} frames per second; the rate must be {RATES}")
    had = True if base is None else bool(base.options.get("mirror", True))
    if base is None:
        return float(fps or DEFAULT_FPS), had if mirror is None else mirror
    if fps not in (None, base.fps):
        raise DatabaseError(f"{base.path}: has {base.fps:g} frames per second, cannot append {fps:g}")
    if mirror not in (None, had):
        raise DatabaseError(f"{base.path}: was built {'with' if had else 'without'} mirroring, cannot append otherwise")
    return base.fps, had


def _kept(base: MotionDatabase | None, joints: str | os.PathLike[str] | Iterable[str] | None) -> Joints:
    """Which joints to keep; those of the database that is added to cannot change."""
    had = chosen(base.options.get("joints", ALL)) if base is not None else ALL
    kept = had if joints is None else chosen(joints)
    if base is not None and kept != had:
        shown, other = (one if isinstance(one, str) else f"{len(one)} named" for one in (had, kept))
        raise DatabaseError(f"{base.path}: was built with {shown} joints, cannot append with {other}")
    return kept


def _check_skeleton(base: MotionDatabase | None, gathers: Gathers | None, joints: Joints) -> None:
    if base is None or gathers is None:
        return
    part = subset(gathers.skeleton, joints)
    own, other = base.skeleton, gathers.skeleton if part is None else part.skeleton
    if not own.same_topology(other):
        raise DatabaseError(
            f"{base.path}: has another skeleton ({own.joint_count} joints) than the one to retarget to "
            f"({other.joint_count} joints); give the file that it was built on"
        )


def _jobs(sources: str | os.PathLike[str] | Iterable[str | os.PathLike[str]], like: ShardJob) -> list[ShardJob]:
    """One job a source, sorted by name, each file once, with the options of `like`."""
    paths = [os.fspath(p) for p in ([sources] if isinstance(sources, (str, os.PathLike)) else sources)]
    found: dict[str, ShardJob] = {}
    for path in paths:
        top = os.path.basename(os.path.abspath(path))
        for source in iterate(path, gathered_suffixes()):
            name = Path(top, os.path.relpath(source.path, path)).as_posix() if source.path != path else top
            found.setdefault(os.path.realpath(source.path), replace(like, source=source, name=name))
    if not found:
        looked = ", ".join(paths) or "an empty list"
        raise DatabaseError(
            f"no motion file in {looked}; looked for {' '.join(sorted(gathered_suffixes()))}, in archives too"
        )
    return sorted(found.values(), key=lambda job: (job.name, job.source.path))


def _known(jobs: Sequence[ShardJob], base: MotionDatabase | None) -> tuple[list[bool], list[Skipped]]:
    """For each job whether the database has that file already, and those it has with other edits."""
    have = {(clip.source, clip.size): (clip.crc32, clip.edits) for clip in base.clips} if base else {}
    known, outdated = [], []
    for job in jobs:
        crc, edits = have.get((job.name, job.source.size), (-1, 0))
        known.append(crc == _crc(job) if have else False)
        if known[-1] and edits != job.edits_crc:
            outdated.append(Skipped(job.name, "is in the database with other edits; build it again with --force"))
    return known, outdated


def _crc(job: ShardJob) -> int | None:
    try:
        return zlib.crc32(job.source.read())
    except FormatError:
        return None  # the ingest will say why


def _ingest(jobs: Sequence[ShardJob], folder: Path, workers: int | None, progress: Progress | None) -> dict[str, str]:
    """Make the shards that are not there yet; returns reasons by job name for sources that failed."""
    folder.mkdir(parents=True, exist_ok=True)
    pending = [job for job in jobs if not (folder / f"{job.key}.npz").is_file()]
    done = itertools.count(len(jobs) - len(pending) + 1)
    failed: dict[str, str] = {}
    for job, reason in work_on(pending, partial(_attempt, folder=folder), _lost, workers):
        if reason is not None:
            failed[job.key] = reason
        if progress is not None:
            progress(next(done), len(jobs), job.name)
    return failed


def _attempt(job: ShardJob, folder: Path) -> tuple[ShardJob, str | None]:
    """Make the shard of a job; returns it with why it failed, or None."""
    return job, shards.make(job, folder)


def _lost(job: ShardJob, reason: str) -> tuple[ShardJob, str | None]:
    raise DatabaseError(
        "a worker process died (out of memory, or killed; a script also needs `if __name__ == '__main__':` around "
        "its build); what is done is kept, the same call goes on from there, with workers=1 in this process alone"
    )


def _assemble(
    out: Path,
    jobs: Sequence[ShardJob],
    failed: Mapping[str, str],
    base: MotionDatabase | None,
    fps: float,
    options: Mapping[str, Any],
    known: int,
    outdated: Sequence[Skipped],
) -> BuildReport:
    """Write the database from the shards, in the order of the jobs."""
    partial_folder = store.partial_folder(out)
    found = _collect(jobs, failed, partial_folder / "shards", base)
    known += found.repeated
    if not found.entries and base is None:
        shutil.rmtree(partial_folder, ignore_errors=True)
        first = found.skipped[0] if found.skipped else Skipped(jobs[0].name, "its edits leave nothing of it")
        raise DatabaseError(f"none of {len(jobs)} files could be used; {first.path}: {first.reason}")
    layout, fitting, refused = _fitting(found.entries, base)
    skipped = sorted([*found.skipped, *outdated, *refused], key=lambda item: item.path)
    infos = [info for info, _ in fitting]
    clips = clip_table([(info, layout.ground(info)) for info in infos])
    blocks: Iterator[Mapping[str, NDArray[Any]]] = (layout.fit(info, read()) for info, read in fitting)
    if base is not None:
        after = [replace(clip, start=clip.start + base.frames, stop=clip.stop + base.frames) for clip in clips]
        clips = [*base.clips, *after]
        blocks = itertools.chain(_refitted(base, layout), blocks)
    if fitting:
        with store.replacing(out) as folder:
            index = document(layout, fps, clips, options)
            store.write(folder, index, assemble.shapes(layout, clips[-1].stop), blocks)
            labels.write(folder, labels.gait(MotionDatabase.open(folder)))
    shutil.rmtree(partial_folder, ignore_errors=True)
    edited = sum(info.edits != 0 for info in infos)
    frames, seconds = clips[-1].stop, clips[-1].stop / fps
    warnings, converted = _noted(infos)
    lost = sorted(base.labels.keys() - set(labels.GAIT)) if base is not None and fitting else []
    if lost:
        warnings += (f"{out}: left out the labels {', '.join(lost)}, which the new clips do not have",)
    return BuildReport(
        len(clips), frames, seconds, tuple(skipped), known, warnings, 0, 0, found.excluded, edited, converted
    )


def _noted(infos: Sequence[ClipInfo]) -> tuple[tuple[str, ...], tuple[Fitted, ...]]:
    """The warnings about the clips of a build, each once, and the takes that came from other skeletons."""
    lines = dict.fromkeys(f"{info.source}: {line}" for info in infos for line in info.warnings)
    fitted = (Fitted(info.source, info.name, info.fitted) for info in infos if info.fitted and not info.mirrored)
    return tuple(lines), tuple(fitted)


def _fitting(
    entries: Sequence[_Entry], base: MotionDatabase | None
) -> tuple[DatabaseLayout, list[_Entry], list[Skipped]]:
    """What all clips share, the clips that fit it, and why others do not."""
    if base is not None and not entries:
        return base.layout, [], []
    layout = assemble.make_layout([info for info, _ in entries], base.layout if base else None)
    reasons = [layout.refuses(info) for info, _ in entries]
    judged = list(zip(entries, reasons, strict=True))
    fitting = [entry for entry, reason in judged if reason is None]
    refused = [Skipped(info.source, reason) for (info, _), reason in judged if reason is not None and not info.mirrored]
    return layout, fitting, refused


@dataclass
class _Found:
    """What the shards hold: clips in order, sources that gave none, and how many sources repeat another file or were
    left out by their edits."""

    entries: list[_Entry] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    repeated: int = 0
    excluded: int = 0


def _collect(jobs: Sequence[ShardJob], failed: Mapping[str, str], folder: Path, base: MotionDatabase | None) -> _Found:
    """Read the headers of all shards."""
    found = _Found()
    skeletons: dict[str, Skeleton] = {}
    seen = {(clip.size, clip.crc32) for clip in base.clips} if base else set()
    for job in jobs:
        clips = _read_shard(job, failed.get(job.key), folder, skeletons)
        if isinstance(clips, str):
            found.skipped.append(Skipped(job.name, clips))
        elif not clips:
            found.excluded += 1
        # Files may share their content, except that the frames of a .gltf are in another file.
        elif (content := (clips[0][0].size, clips[0][0].crc32)) in seen and job.source.suffix != ".gltf":
            found.repeated += 1
        else:
            seen.add(content)
            found.entries += clips
    return found


def _read_shard(job: ShardJob, reason: str | None, folder: Path, skeletons: dict[str, Skeleton]) -> list[_Entry] | str:
    """The clips of a job, or why there are none; a shard that a power failure cut short is made again."""
    if reason is not None:
        return reason
    path = folder / f"{job.key}.npz"
    clips = shards.read(path, skeletons)
    if clips is None:
        reason = shards.make(job, folder)
        clips = shards.read(path, skeletons) if reason is None else None
    return clips if clips is not None else reason or "its intermediate file vanished"


def _refitted(base: MotionDatabase, layout: DatabaseLayout) -> Iterator[Mapping[str, NDArray[Any]]]:
    """The frames of a database, with columns for joints that only the new clips translate."""
    columns = np.searchsorted(layout.translated, base.translated)
    for block in base.blocks():
        moved = np.empty((len(block["contacts"]), len(layout.translated), 3), np.float32)
        moved[:] = layout.skeleton.rest_translations[layout.translated]
        moved[:, columns] = block["local_translations"]
        yield {**block, "local_translations": moved}


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Keeps a second build away from the same target; the lock ends with the process, however it ends."""
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder.with_name(f"{folder.name}.lock"), "w") as lock:
        try:
            import fcntl
        except ImportError:  # Windows: two builds of one target at a time are the user's to avoid
            yield
            return
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise DatabaseError(f"{folder}: another build is writing there") from None
        unfinished.begin(lock.name)
        try:
            yield
        finally:
            unfinished.remove(Path(lock.name))
            unfinished.done(lock.name)
