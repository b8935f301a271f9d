"""Convert many files at once, in parallel, keeping their folders; one that fails does not stop the others."""

from __future__ import annotations

import functools
import os
import re
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import Any, Literal, Protocol, TypeVar

from kinema.errors import FormatError, reason
from kinema.formats import FORMATS, Asset, Source, format_for, gathered_suffixes, iterate, load, save
from kinema.formats.checks import naming
from kinema.formats.losses import holds_clips, losses, refuse_without_clips
from kinema.roles.overrides import asset_with, beside
from kinema.workers import open_pool, worth_using


class _Task(Protocol):
    """Anything to do with a source."""

    @property
    def source(self) -> Source: ...


T = TypeVar("T")
J = TypeVar("J", bound=_Task)


@dataclass(frozen=True)
class Job:
    """One file to convert: where it comes from and where it goes."""

    source: Source
    output: Path


@dataclass(frozen=True)
class Outcome:
    """What became of a job.

    Attributes:
        path: the file that was read.
        status: "written", "skipped" (the output was there already) or "failed".
        outputs: the files written or found; several when a file of several clips went to a one-clip format.
        reason: why it failed, one line.
        warnings: what was repaired on the way, and the losses.
        losses: what the format has no place for.
        clips: motions that were read.
        frames: number of frames in all of them together.
        seconds: time of the work.
        trace: where in the program it failed, for those who work on it.
    """

    path: str
    status: Literal["written", "skipped", "failed"]
    outputs: tuple[str, ...] = ()
    reason: str | None = None
    warnings: tuple[str, ...] = ()
    losses: tuple[str, ...] = ()
    clips: int = 0
    frames: int = 0
    seconds: float = 0.0
    trace: str | None = None


@dataclass(frozen=True)
class ConvertOptions:
    """How to convert.

    Attributes:
        fps: resample to this rate, or None to keep each clip's own.
        unit: length unit of the files read, for formats that do not say it themselves; see `formats.units`.
        force: overwrite outputs that exist.
        change: what is done to each file between reading and writing; a module's own function, so that it can be sent
            to other processes.
        edit: the same before anything else, with the source: what is kept beside it is applied.
        writing: options for the writers, by suffix of the output.
        reading: options for the readers, by suffix of the input.
        motions_only: the motions are all that is asked for: formats that hold none are refused.
    """

    fps: float | None = None
    unit: str | float | None = None
    force: bool = False
    change: Callable[[Asset], Asset] | None = None
    edit: Callable[[Asset, Source], Asset] | None = None
    writing: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    reading: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    motions_only: bool = False


def plan(inputs: Iterable[str | os.PathLike[str]], folder: str | os.PathLike[str], suffix: str) -> list[Job]:
    """One job for every supported file under `inputs` (files, folders, zip archives).

    Args:
        inputs: where to look; paths below a folder or archive are kept below `folder`.
        folder: where the outputs go.
        suffix: kind of output, e.g. ".glb".

    Raises:
        FormatError: the suffix is unknown, there is nothing to convert, or two inputs would write one output.
    """
    format_for(f"x{suffix}")
    jobs: dict[Path, Job] = {}
    for given in [os.fspath(path) for path in inputs]:
        found = list(iterate(given, gathered_suffixes()))
        if not found:
            raise FormatError(f"holds no supported files ({' '.join(sorted(gathered_suffixes()))})", path=given)
        for source in found:
            output = Path(folder, _relative(source, given)).with_suffix(suffix)
            if output in jobs and jobs[output].source.suffix != source.suffix:  # walk.bvh and walk.fbx
                output = output.with_name(f"{output.stem}{source.suffix}{suffix}")
            if output in jobs:
                other = jobs[output].source.path
                raise FormatError(f"would be written to {output}, as would {other}", path=source.path)
            jobs[output] = Job(source, output)
    return list(jobs.values())


def convert_all(
    jobs: Iterable[Job], options: ConvertOptions | None = None, workers: int | None = None
) -> Iterator[Outcome]:
    """Convert each job, yielding outcomes as they come (in any order).

    Args:
        workers: processes; None for one each core, or this one alone for little work.
    """
    yield from work_on(jobs, functools.partial(convert, options=options or ConvertOptions()), _lost, workers)


def work_on(
    jobs: Iterable[J], work: Callable[[J], T], lost: Callable[[J, str], T], workers: int | None = None
) -> Iterator[T]:
    """What `work` makes of each job, in any order, in as many processes as pay off.

    Args:
        work: a module's own function, so that it can be sent to other processes.
        lost: the outcome of a job whose process was killed, by the reason.
        workers: processes; None for one each core, or this one alone for little work.
    """
    jobs = list(jobs)
    workers = min(worth_using(workers, sum(job.source.size for job in jobs)), len(jobs))
    if workers <= 1:
        yield from map(work, jobs)
        return
    with open_pool(workers) as pool:
        futures: dict[Future[T], J] = {pool.submit(work, job): job for job in jobs}
        for future in as_completed(futures):
            try:
                yield future.result()
            except BrokenProcessPool:
                why = "the process that worked on it was killed (out of memory?); try fewer workers"
                yield lost(futures[future], why)


def _lost(job: Job, why: str) -> Outcome:
    return Outcome(job.source.path, "failed", reason=why)


def convert(job: Job, options: ConvertOptions | None = None) -> Outcome:
    """Convert one file. Never raises for a file that cannot be read or written: the outcome says why."""
    options = options or ConvertOptions()
    start = time.perf_counter()
    try:
        if job.output.exists() and not options.force:
            return Outcome(job.source.path, "skipped", (str(job.output),))
        outcome = _convert(job, options)
    except Exception as error:  # no error of one file may end the batch
        return Outcome(job.source.path, "failed", reason=reason(error, job.source.path), trace=traceback.format_exc())
    return replace(outcome, seconds=time.perf_counter() - start)


def _convert(job: Job, options: ConvertOptions) -> Outcome:
    suffix = job.output.suffix
    if options.motions_only:
        with naming(str(job.output)):
            refuse_without_clips(suffix)
    asset = _read(job.source, options)
    job.output.parent.mkdir(parents=True, exist_ok=True)
    parts = _parts(asset, job.output)
    wanted = [output for output in parts if options.force or not output.exists()]
    lost = losses(asset, suffix)
    for output in wanted:
        save(parts[output], output, **options.writing.get(suffix.lower(), {}))
    return Outcome(
        job.source.path,
        "written" if wanted else "skipped",
        tuple(map(str, parts)),
        warnings=(*asset.warnings, *lost),
        losses=lost,
        clips=len(asset.motions),
        frames=sum(motion.frames for motion in asset.motions),
    )


def _read(source: Source, options: ConvertOptions) -> Asset:
    reader_options = dict(options.reading.get(source.suffix, {}))
    if options.unit is not None and source.suffix == ".bvh":  # the other formats carry their unit
        reader_options["unit"] = options.unit
    asset = asset_with(load(source, **reader_options), beside(source))
    if options.edit is not None:
        asset = options.edit(asset, source)
    if options.fps is not None:
        asset = replace(asset, motions=tuple(motion.resample(options.fps) for motion in asset.motions))
    return asset if options.change is None else options.change(asset)


def _parts(asset: Asset, output: Path) -> dict[Path, Asset]:
    """The asset by output file: one, or one a clip for a format that holds a single clip."""
    suffix = output.suffix.lower()
    if not holds_clips(suffix):
        return {output: replace(asset, motions=())} if asset.character is not None else {output: asset}
    if "clip" not in FORMATS[suffix].keeps:
        return {output: asset}
    if not asset.motions:
        return {output: asset}  # `save` refuses it
    parts: dict[Path, Asset] = {}
    for index, motion in enumerate(asset.motions):
        clip = re.sub(r"[^\w-]+", "_", motion.name).strip("_") or str(index)
        target = output.with_name(f"{output.stem}.{clip}{output.suffix}") if len(asset.motions) > 1 else output
        if target in parts:
            target = output.with_name(f"{output.stem}.{clip}.{index}{output.suffix}")
        parts[target] = replace(asset, motions=(motion,))
    return parts


def _relative(source: Source, given: str) -> PurePosixPath:
    """The path of a source below the folder or archive it was found in; an archive counts as a folder."""
    inside = os.path.relpath(source.path, given) if source.path != given else source.name
    parts = [part for part in PurePosixPath(inside.replace(os.sep, "/")).parts if part not in ("..", "/")]
    return PurePosixPath(*(part[:-4] if part.lower().endswith(".zip") else part for part in parts))
