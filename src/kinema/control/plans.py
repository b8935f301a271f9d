"""Plans of a few frames each, as networks make them: kept, sampled between frames, and faded from one to the next.

A plan that is replaced every tenth of a second would be inertialised all the time, which shakes the body. Instead the
old plan and the new one are mixed for a moment.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass

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

PARTS = ("translations", "contacts", "root", "velocities", "carried")


@functools.cache
def _place(shapes: tuple[tuple[int, ...], ...], name: str) -> tuple[slice, tuple[int, ...]]:
    """Where a part is in `PlanFrames.values`, and its shape."""
    ends = np.cumsum([math.prod(shape) for shape in shapes]).tolist()
    at = PARTS.index(name)
    return slice(ends[at] - math.prod(shapes[at]), ends[at]), shapes[at]


@dataclass(frozen=True)
class PlanFrames:
    """Frames of plans `[n, F]`, or one moment of each `[n]`.

    Attributes:
        rotations: local rotations `[..., J, 4]`, whose signs do not change along the frames.
        values: all other numbers `[..., E]`, so that they are sampled at once; see the properties.
        shapes: of each of `PARTS`, without the leading dimensions.
    """

    rotations: Singles
    values: Singles
    shapes: tuple[tuple[int, ...], ...]

    @staticmethod
    def of(pose: Pose, translated: Indices, fps: float, carried: Singles | None = None) -> PlanFrames:
        """Plans out of poses `[n, F]` whose root frames are those of the world at their first frames.

        Args:
            carried: what else is planned and asked for again, such as phases, `[n, F, D]`.
        """
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
        more = np.zeros((count, frames, 0), np.float32) if carried is None else carried
        moved = moved.reshape(count, frames, joints, 3)
        numbers = pose.local_translations[..., translated, :], pose.contacts, root, moved, more
        shapes = tuple(part.shape[2:] for part in numbers)
        flat = [part.reshape(count, frames, math.prod(part.shape[2:])) for part in numbers]
        values = np.concatenate(flat, axis=-1, dtype=np.float32)
        turns = np.array(pose.local_rotations, np.float32, order="C")
        plan_kernels.continue_signs(turns)
        return PlanFrames(turns, values, shapes)

    def _part(self, name: str) -> Singles:
        place, shape = _place(self.shapes, name)
        return self.values[..., place].reshape(*self.values.shape[:-1], *shape)

    @property
    def translations(self) -> Singles:
        """Of the translated joints, `[..., T, 3]`, metres."""
        return self._part("translations")

    @property
    def contacts(self) -> Singles:
        """`[..., C]`."""
        return self._part("contacts")

    @property
    def root(self) -> Singles:
        """Velocity in the root frame (m/s) and turn rate (rad/s), `[..., 4]`."""
        return self._part("root")

    @property
    def velocities(self) -> Singles:
        """Of all joints, relative to the world, in the root frames, `[..., J, 3]`, m/s."""
        return self._part("velocities")

    @property
    def carried(self) -> Singles:
        """What else is planned and asked for again, such as phases, `[..., D]`."""
        return self._part("carried")

    def take(self, rows: NDArray[np.integer]) -> PlanFrames:
        """A copy of some of the plans."""
        return PlanFrames(self.rotations[rows], self.values[rows], self.shapes)

    def until(self, frames: int) -> PlanFrames:
        """A copy of the first frames of the plans."""
        return PlanFrames(self.rotations[:, :frames].copy(), self.values[:, :frames].copy(), self.shapes)

    def put(self, rows: NDArray[np.integer], other: PlanFrames) -> None:
        """Replace some of the plans by others."""
        self.rotations[rows], self.values[rows] = other.rotations, other.values

    def joined(self, keep: NDArray[np.integer], new: PlanFrames) -> PlanFrames:
        """The plans `keep`, in that order, then the plans `new`."""
        turns = np.concatenate([self.rotations[keep], new.rotations])
        return PlanFrames(turns, np.concatenate([self.values[keep], new.values]), self.shapes)


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
        self._fading = min(math.ceil(fade * fps) + 2, start.rotations.shape[1])  # frames of a plan that is left
        self.reset(1)

    def reset(self, count: int) -> None:
        """Restart with `count` characters at rest."""
        self._now = self._rest(count)
        self._before = self._rest(count).until(self._fading)
        self._age = np.full(count, self.fade)

    def select(self, keep: NDArray[np.integer], added: int) -> None:
        """Keep the characters `keep`, in that order, and add `added` new ones at rest."""
        new = self._rest(added)
        self._now = self._now.joined(keep, new)
        self._before = self._before.joined(keep, new.until(self._fading))
        self._age = carried(self._age, keep, added, self.fade)

    def replace(self, rows: NDArray[np.integer], frames: PlanFrames) -> None:
        """New plans, from now on, for some characters. What they were about to do becomes their old plan."""
        shape = len(rows), self._fading
        times = np.tile(np.arange(shape[1]) / self.fps, len(rows))
        old = self.at(times, np.repeat(rows, shape[1]))
        turns, values = (part.reshape(*shape, *part.shape[1:]) for part in (old.rotations, old.values))
        plan_kernels.continue_signs(turns)
        self._before.put(rows, PlanFrames(turns, values, self._start.shapes))
        self._now.put(rows, frames)
        self._age[rows] = 0.0

    def advance(self, dt: float) -> None:
        """Go on along the plans by `dt` seconds."""
        self._age += dt

    def at(self, offset: float | Reals = 0.0, rows: Rows = ALL, faded: bool = True) -> PlanFrames:
        """The moments of some characters `offset` seconds from now: a number, or one for each of them.

        Between frames by Catmull-Rom interpolation; a plan that is over stays at its end.

        Args:
            faded: mixed with the old plans, for as long as they fade; otherwise those of the present plans alone.
        """
        now, before = self._now, self._before
        chosen = np.arange(len(self._age))[rows]
        sample = plan_kernels.sample_faded(
            now.rotations,
            now.values,
            before.rotations,
            before.values,
            chosen,
            np.asarray(self._age[chosen] + offset, np.float64),
            self.fps,
            self.fade if faded else 0.0,
        )
        return PlanFrames(*sample, self._start.shapes)

    def moment(self, sample: PlanFrames) -> Moment:
        """The moment of a sample."""
        moved = self.skeleton.translations(self.translated, sample.translations)
        pose = Pose(self.skeleton, sample.rotations, moved, contacts=sample.contacts.clip(0, 1))
        root = sample.root
        return Moment(pose, root[:, :3], root[:, 3])

    def _rest(self, count: int) -> PlanFrames:
        return self._start.take(np.zeros(count, np.int64))
