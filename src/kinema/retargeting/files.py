"""Files onto a character: many in parallel, each with its reports; one that fails does not stop the others."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from kinema.errors import SkeletonError
from kinema.formats import FORMATS, Asset, accepted, load
from kinema.formats.batch import ConvertOptions, Job, Outcome, convert, work_on
from kinema.motion import Motion
from kinema.retargeting.overrides import Overrides
from kinema.retargeting.report import Report
from kinema.retargeting.retargeter import Retargeter, onto
from kinema.roles.overrides import asset_with, beside
from kinema.roles.overrides import read as read_overrides


@dataclass(frozen=True)
class Order:
    """What is done to each file.

    Attributes:
        target: the file of the character or skeleton that takes the motions.
        contacts: keep feet that stand where they stand.
        overrides: the user's word on the matching.
        clip: the only clip of each file to take, by name or number; None takes all.
        force: overwrite outputs that exist.
        reading: options for the readers of motion files; each takes those it knows.
        refine: solve every frame by least squares; None for robots only.
        finish: what is done to the result before it is written, such as an export profile.
        writing: options for the writers, by suffix.
        roles: file of roles that are stated of the target; None takes the one beside it, if there is any. Files of
            motion take those beside them.
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


@dataclass(frozen=True)
class Done:
    """What became of a file, and the report of each of its clips."""

    outcome: Outcome
    reports: tuple[Report, ...] = ()


@functools.lru_cache(maxsize=2)
def load_target(path: str, roles: str | None = None) -> Asset:
    """The file of a target, with the roles that a file states of it; read once a process."""
    return asset_with(load(path), read_overrides(roles) if roles is not None else beside(path))


def move(asset: Asset, order: Order) -> tuple[Asset, list[Report], list[tuple[Motion, Motion]]]:
    """A file's motions on the target.

    Returns:
        The target's file with these motions, their reports, and pairs of each motion before and after.

    Raises:
        SkeletonError: the file holds no motion, or nothing matches.
        FormatError: the file has no such clip, or the target cannot be read.
    """
    target = load_target(order.target, order.roles)
    motions = (asset.motion(order.clip),) if order.clip is not None else asset.motions
    if not motions:
        raise SkeletonError(f"{asset.path}: holds no motion to retarget")
    reports: list[Report] = []
    pairs: list[tuple[Motion, Motion]] = []
    setup: Retargeter | None = None
    for motion in motions:
        if setup is None or not motion.skeleton.same_topology(setup.source):
            same = [other for other in motions if other.skeleton.same_topology(motion.skeleton)]
            setup = Retargeter(motion.skeleton, target, motions=same, mapping=order.overrides)
        result = setup(motion, contacts=order.contacts, refine=order.refine)
        reports.append(result.report)
        pairs.append((motion, result.motion))
    return onto(target, [after for _, after in pairs]), reports, pairs


@dataclass
class _Mover:
    """A change of `kinema.formats.batch` that keeps what it measured."""

    order: Order
    reports: list[Report] = field(default_factory=list)

    def __call__(self, asset: Asset) -> Asset:
        moved, self.reports, _ = move(asset, self.order)
        moved = replace(moved, path=asset.path)
        if self.order.finish is None:
            return moved
        finished = self.order.finish(moved)
        told = tuple(line for line in finished.warnings if line not in moved.warnings)
        self.reports = [replace(report, warnings=(*report.warnings, *told)) for report in self.reports]
        return finished


def retarget_file(job: Job, order: Order) -> Done:
    """One file. Never raises for a file that cannot be read, matched or written: the outcome says why."""
    mover = _Mover(order)
    reading = {suffix: accepted(f"x{suffix}", order.reading) for suffix in FORMATS}
    options = ConvertOptions(force=order.force, change=mover, reading=reading, writing=order.writing, motions_only=True)
    outcome = convert(job, options)
    return Done(outcome, tuple(mover.reports))


def retarget_all(jobs: Iterable[Job], order: Order, workers: int | None = None) -> Iterator[Done]:
    """Each file, as it gets done (in any order). Outputs that are there already are left alone unless forced.

    Args:
        workers: processes; None for one a core, or this one alone for little work.
    """
    yield from work_on(jobs, functools.partial(retarget_file, order=order), _lost, workers)


def _lost(job: Job, reason: str) -> Done:
    return Done(Outcome(job.source.path, "failed", reason=reason))
