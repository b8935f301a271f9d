"""Files onto a character: many in parallel, each with its reports. A file that fails does not stop the others."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from kinema.errors import SkeletonError
from kinema.formats import FORMATS, Asset, Source, accepted, load
from kinema.formats.batch import ConvertOptions, Job, Outcome, convert, work_on
from kinema.mocap.jumps import trim_at_jumps
from kinema.motion import Motion
from kinema.retargeting.overrides import Overrides
from kinema.retargeting.report import Report
from kinema.retargeting.retargeter import Fill, Retargeter, onto
from kinema.roles.overrides import asset_with, beside
from kinema.roles.overrides import read as read_overrides


@dataclass(frozen=True)
class RetargetOptions:
    """How each file is retargeted.

    Attributes:
        target: the file of the character or skeleton.
        contacts: keep feet that stand in one place.
        overrides: matches stated by the user.
        clip: the only clip of each file to take, by name or number; None takes all.
        force: overwrite outputs that exist.
        reading: options for the readers of motion files; each takes those it knows.
        refine: solve every frame by least squares; None for robots only.
        finish: applied to the result before it is written, such as an export profile.
        writing: options for the writers, by suffix.
        roles: roles file of the target; None takes the one beside it, if any. Motion files use those beside them.
        edit: done to each motion file first, with its source: what is kept beside it is applied.
        fill: moves joints that nothing of the source moves, such as `kinema.generation.infill.Infill`.
    """

    target: str
    contacts: bool = True
    overrides: Overrides = field(default_factory=lambda: Overrides.create(None))
    clip: str | int | None = None
    force: bool = False
    reading: dict[str, Any] = field(default_factory=dict)
    refine: bool | None = None
    finish: Callable[[Asset], Asset] | None = None
    writing: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    roles: str | None = None
    edit: Callable[[Asset, Source], Asset] | None = None
    fill: Fill | None = None


@dataclass(frozen=True)
class RetargetedFile:
    """The outcome of a file, and the report of each of its clips."""

    outcome: Outcome
    reports: tuple[Report, ...] = ()


@functools.lru_cache(maxsize=2)
def load_target(path: str, roles: str | None = None) -> Asset:
    """The file of a target, with the roles of a roles file; read once per process."""
    return asset_with(load(path), read_overrides(roles) if roles is not None else beside(path))


def retarget_asset(asset: Asset, options: RetargetOptions) -> tuple[Asset, list[Report], list[tuple[Motion, Motion]]]:
    """A file's motions on the target. Calibration poses at their ends are cut.

    Returns:
        The target's file with these motions, their reports, and pairs of the motions before and after.

    Raises:
        SkeletonError: the file holds no motion, or nothing matches.
        FormatError: the file has no such clip, or the target cannot be read.
    """
    target = load_target(options.target, options.roles)
    motions = (asset.motion(options.clip),) if options.clip is not None else asset.motions
    if not motions:
        raise SkeletonError(f"{asset.path}: holds no motion to retarget")
    motions = tuple(map(trim_at_jumps, motions))
    reports: list[Report] = []
    pairs: list[tuple[Motion, Motion]] = []
    setup: Retargeter | None = None
    for motion in motions:
        if setup is None or not motion.skeleton.same_topology(setup.source):
            same = [other for other in motions if other.skeleton.same_topology(motion.skeleton)]
            setup = Retargeter(motion.skeleton, target, motions=same, mapping=options.overrides)
        result = setup(motion, contacts=options.contacts, refine=options.refine)
        result = result if options.fill is None else options.fill(setup, result)
        reports.append(result.report)
        pairs.append((motion, result.motion))
    return onto(target, [after for _, after in pairs]), reports, pairs


@dataclass
class _Change:
    """A change of `kinema.formats.batch` that keeps its reports."""

    options: RetargetOptions
    reports: list[Report] = field(default_factory=list)

    def __call__(self, asset: Asset) -> Asset:
        moved, self.reports, _ = retarget_asset(asset, self.options)
        moved = replace(moved, path=asset.path)
        if self.options.finish is None:
            return moved
        finished = self.options.finish(moved)
        new = tuple(line for line in finished.warnings if line not in moved.warnings)
        self.reports = [replace(report, warnings=(*report.warnings, *new)) for report in self.reports]
        return finished


def retarget_file(job: Job, options: RetargetOptions) -> RetargetedFile:
    """One file. Never raises for a file that cannot be read, matched or written: the outcome has the reason."""
    change = _Change(options)
    reading = {suffix: accepted(f"x{suffix}", options.reading) for suffix in FORMATS}
    converting = ConvertOptions(
        force=options.force,
        change=change,
        edit=options.edit,
        reading=reading,
        writing=options.writing,
        motions_only=True,
    )
    outcome = convert(job, converting)
    return RetargetedFile(outcome, tuple(change.reports))


def retarget_all(jobs: Iterable[Job], options: RetargetOptions, workers: int | None = None) -> Iterator[RetargetedFile]:
    """Each file, as it is finished (in any order). Existing outputs are kept unless forced.

    Args:
        workers: processes; None for one per core, or this one alone for little work.
    """
    yield from work_on(jobs, functools.partial(retarget_file, options=options), _lost, workers)


def _lost(job: Job, reason: str) -> RetargetedFile:
    return RetargetedFile(Outcome(job.source.path, "failed", reason=reason))
