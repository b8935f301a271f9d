"""What is measured: a controller's run, and the ground truth beside it, in one form."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kinema import rotations
from kinema.arrays import Bools, Floats, Reals, Singles
from kinema.errors import KinemaError
from kinema.mocap.contacts import relative_size
from kinema.motion import Motion
from kinema.terrain import Ground, Plane

if TYPE_CHECKING:
    from kinema.mocap.database import MotionDatabase


@dataclass(frozen=True, eq=False)
class Rollout:
    """A stretch of motion in the world, without cuts.

    Attributes:
        motion: the joints in the world; its rate is part of every result, since jerk depends on it.
        root_positions: `[F, 3]`, m, on the ground. root_rotations: `[F, 4]`, yaw only.
        feet: joint indices `[C]` of the toes (or feet) that touch the ground; columns of `contacts`.
        clearance: height of these joints above the ground in stance, m (calibrated, see the database's).
        contacts: the controller's own contact labels `[F, C]`, contact where > 0.5; None if it has none.
        locked: where the foot lock held a foot `[F, C]`; None without a foot lock.
        commanded_velocities: wanted planar velocity `[F, 3]` (or [F, 2]: x, z), m/s; None if none was commanded, or if
            there are goals: then it says no more than how fast to go there.
        commanded_styles: number `[F]` of the style that was commanded; None if none was.
        target_positions, target_rotations: the simulated object that obeys the command, `[F, 3]` and `[F, 4]`.
        path_distances: metres `[F]` by which the root is beside the path that it follows; None if there is no path.
        goals, goal_facings: places `[F, 3]`, m, and unit facings `[F, 3]` to reach, NaN for none; None if all are NaN.
        transitions: frames `[F]` at which the controller jumped elsewhere in its data; None if it does not jump.
        takes: number `[F]` of the take that each frame plays, the same for a take and its mirror image; None if frames
            do not come from takes.
        styles: number `[F]` of the style of that take; None as for `takes`.
        mirrored: where `[F]` the frame plays the mirror image of its take.
        ms_per_frame: CPU time of the controller, milliseconds.
        ground: the ground under the motion.
    """

    motion: Motion
    root_positions: Singles
    root_rotations: Singles
    feet: Sequence[int]
    clearance: float = 0.0
    contacts: NDArray[np.generic] | None = None
    locked: NDArray[np.generic] | None = None
    commanded_velocities: Singles | None = None
    commanded_styles: NDArray[np.integer] | None = None
    target_positions: Singles | None = None
    target_rotations: Singles | None = None
    path_distances: Singles | None = None
    transitions: Bools | None = None
    goals: Singles | None = None
    goal_facings: Singles | None = None
    takes: NDArray[np.integer] | None = None
    styles: NDArray[np.integer] | None = None
    mirrored: Bools | None = None
    ms_per_frame: float | None = None
    ground: Ground = field(default_factory=Plane)

    def __post_init__(self) -> None:
        if self.goals is not None and np.isfinite(self.goals).any():
            object.__setattr__(self, "commanded_velocities", None)
        else:
            object.__setattr__(self, "goals", None)
            object.__setattr__(self, "goal_facings", None)
        for name, values in vars(self).items():
            if isinstance(values, np.ndarray) and len(values) != self.frames:
                raise KinemaError(f"a rollout has {self.frames} frames, but its {name} have {len(values)}")
        for name in ("contacts", "locked"):
            values = getattr(self, name)
            if values is not None and values.shape[1:] != (len(self.feet),):
                wanted = [self.frames, len(self.feet)]
                raise KinemaError(f"{name} must be {wanted}, a column for each foot, not {list(values.shape)}")
        if len({values is None for values in (self.takes, self.styles, self.mirrored)}) > 1:
            raise KinemaError("a rollout has takes, styles and mirrored, or none of them")

    @property
    def frames(self) -> int:
        """Number of frames F."""
        return self.motion.frames

    @property
    def fps(self) -> float:
        """Frames per second."""
        return self.motion.fps

    @property
    def minutes(self) -> float:
        """Length, F / fps / 60."""
        return self.motion.seconds / 60.0

    @cached_property
    def positions(self) -> Singles:
        """Positions of all joints in the world `[F, J, 3]`, m."""
        return self.motion[:].global_positions

    @cached_property
    def scale(self) -> float:
        """Size of the body: its leg length over that of the adult for whom all thresholds in metres are given."""
        return relative_size(self.motion.skeleton)

    def foot_positions(self) -> Singles:
        """[F, C, 3], m."""
        return self.positions[:, list(self.feet)]

    def foot_heights(self) -> Singles:
        """Heights `[F, C]` of the feet above where they are in stance, m; negative inside the ground."""
        return self.above_ground(self.feet) - self.clearance

    def above_ground(self, joints: Sequence[int] | NDArray[np.integer]) -> Singles:
        """Heights `[F, C]` of joints above the ground under them, m."""
        places = self.positions[:, list(joints)]
        return places[..., 1] - self.ground.height(places)


Rollouts = Rollout | Sequence[Rollout]


def each(rollouts: Rollouts) -> Sequence[Rollout]:
    """One or several rollouts as a sequence."""
    return (rollouts,) if isinstance(rollouts, Rollout) else rollouts


@dataclass(frozen=True, eq=False)
class Reference:
    """Ground truth: the clips of a database at a stated rate, in two halves which share no take.

    Attributes:
        clips: all of them. halves: the same clips, split by take: a mirrored copy is on the side of its original.
    """

    clips: tuple[Rollout, ...]
    halves: tuple[tuple[Rollout, ...], tuple[Rollout, ...]]

    @property
    def fps(self) -> float:
        """Frames per second of all clips."""
        return self.clips[0].fps

    @staticmethod
    def create(clips: Sequence[Rollout], takes: Sequence[str]) -> Reference:
        """From clips and the names of their takes: clips of one take stay together.

        Raises:
            KinemaError: no clips, different rates, or one take only, which is too short to cut.
        """
        if not clips or len({clip.fps for clip in clips}) != 1:
            raise KinemaError("a reference needs clips, all of one rate")
        sides = split_takes(list(takes), [clip.frames for clip in clips])
        first = tuple(clip for clip, side in zip(clips, sides, strict=True) if side)
        second = tuple(clip for clip, side in zip(clips, sides, strict=True) if not side)
        if not first or not second:
            # A single take: its halves in time are the best there is, though they are more alike than two takes.
            first, second = _cut(clips)
        return Reference(tuple(clips), (first, second))

    @staticmethod
    def from_database(database: MotionDatabase, fps: float | None = None, seconds: float = 3600.0) -> Reference:
        """World poses of a database, resampled (cubic) to `fps` (its own rate if None).

        Args:
            seconds: take at most this much, whole takes in an order that depends on their names only.
        """
        takes = [clip.take for clip in database.clips]
        chosen: list[int] = []
        budget = seconds * database.fps
        for take in sorted(set(takes), key=_shuffle):
            members = [i for i, name in enumerate(takes) if name == take]
            if budget > 0:
                chosen += members
            budget -= sum(database.clips[i].stop - database.clips[i].start for i in members)
        clips = [clip_rollout(database, i, fps or database.fps) for i in sorted(chosen)]
        return Reference.create(clips, [takes[i] for i in sorted(chosen)])


def clip_rollout(database: MotionDatabase, clip: int, fps: float) -> Rollout:
    """One clip of a database as a rollout, at `fps`."""
    entry = database.clips[clip]
    motion = database.clip_motion(clip)
    if fps != database.fps:
        motion = motion.resample(fps, method="cubic")
    frames = np.linspace(entry.start, entry.start + (motion.frames - 1) * database.fps / fps, motion.frames)
    nearest = np.clip(np.rint(frames).astype(np.int64), entry.start, entry.stop - 1)
    low = np.clip(frames.astype(np.int64), entry.start, max(entry.start, entry.stop - 2))
    high = np.minimum(low + 1, entry.stop - 1)
    blend = (frames - low)[:, None].astype(np.float32)
    roots, turns = np.asarray(database.root_positions), np.asarray(database.root_rotations)
    return Rollout(
        motion=motion,
        root_positions=((1 - blend) * roots[low] + blend * roots[high]).astype(np.float32),
        root_rotations=rotations.slerp(turns[low], turns[high], blend[:, 0]),
        feet=[int(joint) for joint in database.contact_joints],
        clearance=float(database.clearance),
        contacts=np.asarray(database.contacts)[nearest],
        takes=np.full(motion.frames, clip),
        styles=np.zeros(motion.frames, np.int64),
        mirrored=np.full(motion.frames, entry.mirrored),
    )


def split_takes(takes: Sequence[str], frames: Sequence[int]) -> list[bool]:
    """A side for each clip: takes, in an order that depends on their names only, go to the side with fewer frames."""
    totals = [0, 0]
    sides: dict[str, bool] = {}
    for take in sorted(set(takes), key=_shuffle):
        sides[take] = totals[1] <= totals[0]
        totals[sides[take]] += sum(count for name, count in zip(takes, frames, strict=True) if name == take)
    return [sides[take] for take in takes]


def _shuffle(take: str) -> bytes:
    return hashlib.sha256(take.encode("utf-8", "surrogatepass")).digest()


def _cut(clips: Sequence[Rollout]) -> tuple[tuple[Rollout, ...], tuple[Rollout, ...]]:
    return tuple(_part(c, slice(0, c.frames // 2)) for c in clips), tuple(
        _part(c, slice(c.frames // 2, None)) for c in clips
    )


def _part(clip: Rollout, span: slice) -> Rollout:
    return Rollout(
        clip.motion.cut(span.start, span.stop),
        clip.root_positions[span],
        clip.root_rotations[span],
        clip.feet,
        clip.clearance,
        None if clip.contacts is None else clip.contacts[span],
    )


def pooled(values: Iterator[NDArray[np.generic]]) -> Floats:
    """All samples of several rollouts in one flat array."""
    arrays = [np.asarray(value, np.float64).reshape(-1) for value in values]
    return np.concatenate(arrays) if arrays else np.zeros(0)


def mean_or_none(values: Reals | Bools, scale: float = 1.0) -> float | None:
    """The mean times `scale`, or None of nothing: what was never measured is not zero."""
    return scale * float(np.mean(values)) if len(values) else None


def above_half(labels: NDArray[np.generic]) -> Bools:
    """Where labels (0 to 1, or bool) are above one half."""
    return np.asarray(np.asarray(labels, np.float32) > 0.5)


def per_minute(events: int, rollouts: Rollouts) -> float | None:
    """A count of events in all frames of `rollouts` as a rate; None of nothing."""
    minutes = sum(rollout.minutes for rollout in each(rollouts))
    return events / minutes if minutes else None
