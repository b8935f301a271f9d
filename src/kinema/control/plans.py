"""Plans of a few frames each, as networks make them: kept, sampled between frames, and faded from one to the next.

A plan that is replaced every tenth of a second would be inertialised all the time, which shakes the body. Instead the
old plan and the new one are mixed for a moment.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from kinema import kinematics, rotations
from kinema.arrays import Indices, Reals, Singles
from kinema.control import plan_kernels
from kinema.control.family import ALL, Moment, Rows
from kinema.control.membership import carried
from kinema.features.kernels import root_velocities
from kinema.pose import Pose
from kinema.skeleton import Skeleton


@dataclass(eq=False)
class PlanFrames:
    """The frames of `n` plans, all of `F` frames.

    Attributes:
        rotations: local rotations `[n, F, J, 4]`. translations: of the translated joints, `[n, F, T, 3]`, metres.
        contacts: `[n, F, C]`. root: velocity in the root frame (m/s) and turn rate (rad/s), `[n, F, 4]`.
        velocities: of all joints, relative to the world, in the root frames, `[n, F, J, 3]`, m/s.
        carried: what else is planned and asked for again, such as phases, `[n, F, E]`.
    """

    rotations: Singles
    translations: Singles
    contacts: Singles
    root: Singles
    velocities: Singles
    carried: Singles

    @staticmethod
    def of(pose: Pose, translated: Indices, fps: float, carried: Singles | None = None) -> PlanFrames:
        """Plans out of poses `[n, F]` whose root frames are those of the world at their first frames."""
        count, frames = pose.shape
        dt, joints = 1.0 / fps, pose.skeleton.joint_count
        headings = np.unwrap(rotations.yaw(pose.root_rotations), axis=1)
        velocity = kinematics.velocities(pose.root_positions.swapaxes(0, 1), dt).swapaxes(0, 1)
        root = np.empty((count, frames, 4), np.float32)
        root[..., :3] = rotations.rotate_yaw(-headings, velocity)
        root[..., 3] = np.gradient(headings, dt, axis=1)
        first = np.repeat(np.arange(count) * frames, frames)
        roots = np.concatenate(
            [pose.root_positions, np.sin(headings)[..., None], np.cos(headings)[..., None]], axis=-1
        ).reshape(-1, 5)
        moved = root_velocities(
            np.ascontiguousarray(pose.model_positions, np.float32).reshape(-1, joints, 3),
            np.ascontiguousarray(roots, np.float32),
            first,
            first + frames - 1,
            dt,
        )
        return PlanFrames(
            np.ascontiguousarray(pose.local_rotations, np.float32),
            np.ascontiguousarray(pose.local_translations[..., translated, :], np.float32),
            np.ascontiguousarray(pose.contacts, np.float32),
            root,
            moved.reshape(count, frames, joints, 3),
            np.zeros((count, frames, 0), np.float32) if carried is None else carried,
        )

    def take(self, rows: NDArray[np.integer]) -> PlanFrames:
        """A copy of some of the plans."""
        return PlanFrames(*(getattr(self, field.name)[rows] for field in fields(self)))

    def put(self, rows: NDArray[np.integer], other: PlanFrames) -> None:
        """Replace some of the plans by others."""
        for field in fields(self):
            getattr(self, field.name)[rows] = getattr(other, field.name)

    def joined(self, keep: NDArray[np.integer], new: PlanFrames) -> PlanFrames:
        """The plans `keep`, in that order, then the plans `new`."""
        parts = (np.concatenate([getattr(self, field.name)[keep], getattr(new, field.name)]) for field in fields(self))
        return PlanFrames(*parts)

    def at(self, places: Reals, rows: Rows) -> PlanMoment:
        """The plans of some characters at places in frames, by Catmull-Rom interpolation, clamped to the plans."""
        count, frames = self.root.shape[:2]
        first = np.arange(count)[rows] * frames
        around, weights = plan_kernels.stencils(places.astype(np.float64) + first, first, first + frames - 1)

        def values(array: Singles) -> Singles:
            flat = array.reshape(count * frames, math.prod(array.shape[2:]))
            return plan_kernels.sample_values(flat, around, weights).reshape(len(first), *array.shape[2:])

        turns = plan_kernels.sample_rotations(self.rotations.reshape(count * frames, -1, 4), around, weights)
        rest = (values(getattr(self, field.name)) for field in fields(self)[1:])
        return PlanMoment(turns, *rest)


@dataclass(eq=False)
class PlanMoment:
    """One moment of `n` plans; the arrays of `PlanFrames` without the second dimension."""

    rotations: Singles
    translations: Singles
    contacts: Singles
    root: Singles
    velocities: Singles
    carried: Singles

    def mixed(self, other: PlanMoment, share: Singles) -> PlanMoment:
        """This moment with a share `[n]` of another one."""

        def between(mine: Singles, others: Singles) -> Singles:
            weight = share.reshape(-1, *(1,) * (mine.ndim - 1))
            return (mine + weight * (others - mine)).astype(np.float32)

        near = np.where(rotations.dot(self.rotations, other.rotations) < 0, -other.rotations, other.rotations)
        return PlanMoment(
            rotations.normalize(between(self.rotations, near)),
            *(between(getattr(self, field.name), getattr(other, field.name)) for field in fields(self)[1:]),
        )


class Plans:
    """The present plans of `n` characters, and those before.

    Args:
        start: a plan of somebody at rest, for one character.
        fps: frames per second of the plans.
        fade: seconds for which the old plan is mixed with the new one.
    """

    def __init__(self, skeleton: Skeleton, translated: Indices, start: PlanFrames, fps: float, fade: float) -> None:
        self.skeleton, self.translated, self.fps, self.fade = skeleton, translated, fps, fade
        self._start = start
        self.reset(1)

    def reset(self, count: int) -> None:
        """Restart with `count` characters at rest."""
        self._now = self._rest(count)
        self._before = self._rest(count)
        self._age = np.full(count, self.fade)

    def select(self, keep: NDArray[np.integer], added: int) -> None:
        """Keep the characters `keep`, in that order, and add `added` new ones at rest."""
        new = self._rest(added)
        self._now, self._before = self._now.joined(keep, new), self._before.joined(keep, new)
        self._age = carried(self._age, keep, added, self.fade)

    def replace(self, rows: NDArray[np.integer], frames: PlanFrames) -> None:
        """New plans, from now on, for some characters. What they were about to do becomes their old plan."""
        count = frames.root.shape[1]
        times = np.tile(np.arange(count) / self.fps, len(rows))
        old = self.at(times, np.repeat(rows, count))
        parts = (getattr(old, field.name) for field in fields(PlanFrames))
        self._before.put(rows, PlanFrames(*(part.reshape(len(rows), count, *part.shape[1:]) for part in parts)))
        self._now.put(rows, frames)
        self._age[rows] = 0.0

    def advance(self, dt: float) -> None:
        """Go on along the plans by `dt` seconds."""
        self._age += dt

    def at(self, offset: float | Reals = 0.0, rows: Rows = ALL) -> PlanMoment:
        """The plans of some characters `offset` seconds from now: a number, or one for each of them."""
        age = self._age[rows] + offset
        sample = self._now.at(age * self.fps, rows)
        share = np.clip(1.0 - age / self.fade, 0.0, 1.0)
        if not share.any():
            return sample
        before = self._before.at(age * self.fps, rows)
        return sample.mixed(before, (share * share * (3.0 - 2.0 * share)).astype(np.float32))

    def moment(self, sample: PlanMoment) -> Moment:
        """The moment of a sample."""
        moved = self.skeleton.translations(self.translated, sample.translations)
        pose = Pose(self.skeleton, sample.rotations, moved, contacts=sample.contacts.clip(0, 1))
        return Moment(pose, sample.root[:, :3], sample.root[:, 3])

    def _rest(self, count: int) -> PlanFrames:
        return self._start.take(np.zeros(count, np.int64))
