"""A motion: one skeleton moving over time."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kinema import kinematics, mirroring, rotations
from kinema.errors import SkeletonError
from kinema.pose import Pose
from kinema.rates import MOST_FRAMES, RATES, is_rate
from kinema.skeleton import Skeleton
from kinema.subset import BODY, chosen, subset

Interpolation = Literal["slerp", "cubic"]


@dataclass(frozen=True, eq=False, repr=False)
class Motion:
    """A clip on a skeleton. Use `create`, which validates and completes its input.

    Attributes:
        skeleton: the joints.
        local_rotations: float32 `[F, J, 4]`, wxyz, child relative to parent.
        local_translations: float32 `[F, T, 3]`, metres, only of the joints in `translated`.
        translated: int32 `[T]`, ascending: joints with animated translations. All others stay at rest.
        fps: frames per second.
        name: name of the clip.
        labels: per-frame arrays `[F, ...]` by name, such as `contact.left` (bool) or `phase` (0 to 1).
        tags: lower-case words about the whole clip, such as `("walk", "old")`.
        warnings: what was repaired or assumed when the file was read.
    """

    skeleton: Skeleton
    local_rotations: NDArray[np.float32]
    local_translations: NDArray[np.float32]
    translated: NDArray[np.int32]
    fps: float
    name: str = ""
    labels: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    tags: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    @staticmethod
    def create(
        skeleton: Skeleton,
        local_rotations: ArrayLike,
        local_translations: ArrayLike | None = None,
        translated: ArrayLike | None = None,
        fps: float = 30.0,
        name: str = "",
        labels: Mapping[str, NDArray[Any]] | None = None,
        tags: Sequence[str] = (),
        warnings: Sequence[str] = (),
    ) -> Motion:
        """Validate the input and build a motion.

        Args:
            local_translations: `[F, J, 3]` (joints that stay at rest are dropped), or `[F, T, 3]` with `translated`;
                None if only rotations are animated.

        Raises:
            SkeletonError: shapes do not fit the skeleton, a value is not finite, or the rate is not positive.
        """
        turns = np.ascontiguousarray(local_rotations, dtype=np.float32)
        if turns.ndim != 3 or turns.shape[1:] != (skeleton.joint_count, 4):
            raise SkeletonError(
                f"local_rotations must have shape [frames, {skeleton.joint_count}, 4], not {list(turns.shape)}"
            )
        frames = turns.shape[0]
        joints, moved = _moving(skeleton, frames, local_translations, translated)
        if not (np.isfinite(turns).all() and np.isfinite(moved).all()):
            raise SkeletonError(f"motion {name!r} holds a value that is not finite")
        if not is_rate(fps):
            raise SkeletonError(f"motion {name!r} has {fps} frames per second; the rate must be {RATES}")
        for label, values in (labels or {}).items():
            if len(values) != frames:
                raise SkeletonError(f"label {label!r} has {len(values)} values for {frames} frames")
        return Motion(
            skeleton, turns, moved, joints, float(fps), name, dict(labels or {}), tuple(tags), tuple(warnings)
        )

    def replace(self, **changes: Any) -> Motion:
        """A copy with some attributes changed (not validated again)."""
        return dataclasses.replace(self, **changes)

    @property
    def frames(self) -> int:
        return self.local_rotations.shape[0]

    @property
    def seconds(self) -> float:
        """The number of frames divided by the rate."""
        return self.frames / self.fps

    @property
    def nbytes(self) -> int:
        """Size of the pose arrays in memory, bytes."""
        return self.local_rotations.nbytes + self.local_translations.nbytes

    def __len__(self) -> int:
        return self.frames

    def __repr__(self) -> str:
        named = f" {self.name!r}" if self.name else ""
        return (
            f"<Motion{named}: {self.frames} frames, {self.seconds:.2f} s at {self.fps:g} fps, "
            f"{self.skeleton.joint_count} joints>"
        )

    def _repr_html_(self) -> str:
        import kinema

        return kinema.as_html(self)

    def retarget(self, to: Any, **options: Any) -> Motion:
        """This motion on another skeleton, character or file. `kinema.retarget` returns the report as well."""
        import kinema

        return kinema.retarget(self, to, **options).motion

    def show(self, **options: Any) -> None:
        """Show this motion in the browser; see `kinema.view`."""
        import kinema

        kinema.view(self, **options)

    def __getitem__(self, frames: int | slice | NDArray[np.integer]) -> Pose:
        """The poses at some frames: `motion[12]` is one pose, `motion[10:50]` and `motion[[3, 5]]` are several.

        Use `cut` to get a part of the clip as a motion.
        """
        translations = self.skeleton.translations(self.translated, self.local_translations[frames])
        return Pose(self.skeleton, self.local_rotations[frames], translations)

    @staticmethod
    def from_pose(pose: Pose, fps: float = 30.0, name: str = "", **more: Any) -> Motion:
        """A clip from poses `[F]`, one per frame. The root frame is merged into the top joints.

        Args:
            more: other arguments of `create`.

        Raises:
            SkeletonError: the poses do not have exactly one leading dimension, or a value is not finite.
        """
        if len(pose.shape) != 1:
            raise SkeletonError(f"a motion needs poses of shape [frames], not {list(pose.shape)}")
        world = pose.in_world()
        return Motion.create(
            world.skeleton, world.local_rotations, world.local_translations, fps=fps, name=name, **more
        )

    def cut(self, start: int | None = None, stop: int | None = None, step: int | None = None) -> Motion:
        """A part of the clip, sharing memory; frames as in a slice. The rate stays: a step of 2 plays twice as fast."""
        frames = slice(start, stop, step)
        return dataclasses.replace(
            self,
            local_rotations=self.local_rotations[frames],
            local_translations=self.local_translations[frames],
            labels={label: values[frames] for label, values in self.labels.items()},
        )

    def velocities(self) -> NDArray[np.float32]:
        """Global joint velocities `[F, J, 3]`, m/s, by central differences."""
        return kinematics.velocities(self[:].global_positions, 1.0 / self.fps)

    def sample(self, times: ArrayLike, method: Interpolation = "slerp") -> Motion:
        """The poses at `times` `[N]` in seconds from the first frame, clamped to the clip. The rate is kept.

        `slerp` is linear between frames; `cubic` is a Catmull-Rom spline with smooth velocity. Boolean and integer
        labels, and `phase`, take the nearest frame.
        """
        if self.frames == 0:
            raise SkeletonError(f"motion {self.name!r} has no frames to sample")
        position = np.clip(np.asarray(times, dtype=np.float64) * self.fps, 0.0, self.frames - 1)
        if position.ndim != 1 or np.isnan(position).any():
            raise SkeletonError(f"the times to sample {self.name!r} at must be a list of seconds")
        first = np.minimum(position.astype(np.int64), max(self.frames - 2, 0))
        second = np.minimum(first + 1, self.frames - 1)
        blend = (position - first).astype(np.float32)
        if method == "cubic":
            around = np.clip(first[:, None] + np.arange(-1, 3), 0, self.frames - 1)
            weights = catmull_rom(blend)
            stencil = rotations.unroll(self.local_rotations[around], axis=1)
            turns = rotations.normalize(np.einsum("nk,nkjc->njc", weights, stencil))
            moved = np.einsum("nk,nktc->ntc", weights, self.local_translations[around])
        else:
            turns = rotations.slerp(self.local_rotations[first], self.local_rotations[second], blend[:, None])
            share = blend[:, None, None]
            moved = (1 - share) * self.local_translations[first] + share * self.local_translations[second]
        nearest = np.where(blend < 0.5, first, second)
        labels = {}
        for label, values in self.labels.items():
            if np.issubdtype(values.dtype, np.floating) and label != "phase":
                share = blend.reshape(-1, *([1] * (values.ndim - 1)))
                labels[label] = ((1 - share) * values[first] + share * values[second]).astype(values.dtype)
            else:
                labels[label] = values[nearest]
        return dataclasses.replace(self, local_rotations=turns, local_translations=moved, labels=labels)

    def resample(self, fps: float, method: Interpolation = "slerp") -> Motion:
        """The same clip at another rate. The first frame stays, and the duration is kept to within one frame."""
        if not is_rate(fps):
            raise SkeletonError(f"cannot resample to {fps} frames per second; the rate must be {RATES}")
        if fps == self.fps or self.frames < 2:
            return dataclasses.replace(self, fps=float(fps))
        count = int(np.floor((self.frames - 1) * fps / self.fps + 1e-6)) + 1
        if count > max(MOST_FRAMES, self.frames):
            raise SkeletonError(
                f"motion {self.name!r} lasts {self.seconds:.6g} s: {count} frames at {fps:g} a second are more than "
                f"{MOST_FRAMES}"
            )
        return dataclasses.replace(self.sample(np.arange(count) / fps, method), fps=float(fps))

    def reduced(self, joints: str | os.PathLike[str] | Iterable[str] = BODY) -> Motion:
        """The clip on some of its joints, which move as before.

        Args:
            joints: names, a file of names (one a line, or a JSON list), `"all"`, or `"body"`: without fingers, twist
                bones, face, hair, clothes and helpers, see `kinema.subset.body_joints`.

        Raises:
            SkeletonError: there is no joint of such a name, or no body was recognised.
        """
        part = subset(self.skeleton, chosen(joints))
        return self if part is None else part.motion(self)

    def mirror(self) -> Motion:
        """The mirror image of the clip (plane x = 0), with left and right joints and labels swapped."""
        return mirroring.mirror_motion(self)

    @staticmethod
    def concatenate(motions: Sequence[Motion]) -> Motion:
        """Concatenate clips without blending. Name and tags are those of the first.

        Raises:
            SkeletonError: skeletons or rates differ, or there is nothing to concatenate.
        """
        if not motions:
            raise SkeletonError("there is nothing to concatenate")
        head = motions[0]
        for other in motions[1:]:
            same_rest = other.skeleton.same_topology(head.skeleton) and np.allclose(
                other.skeleton.rest_translations, head.skeleton.rest_translations, atol=1e-5
            )
            if other.fps != head.fps or not same_rest:
                raise SkeletonError(
                    f"{other.name!r} cannot follow {head.name!r}: skeleton and rate must be the same ({other.fps} and "
                    f"{head.fps} frames per second)"
                )
        joints = np.unique(np.concatenate([motion.translated for motion in motions]))
        shared = set(head.labels).intersection(*(motion.labels for motion in motions))
        return dataclasses.replace(
            head,
            local_rotations=np.concatenate([motion.local_rotations for motion in motions]),
            local_translations=np.concatenate([motion[:].local_translations[:, joints] for motion in motions]),
            translated=joints.astype(np.int32),
            labels={label: np.concatenate([motion.labels[label] for motion in motions]) for label in sorted(shared)},
            warnings=tuple(dict.fromkeys(line for motion in motions for line in motion.warnings)),
        )

    def root_frame(self, smooth: float = 0.25) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """The position and heading of the character; see `kinema.rootframe.root_frame`."""
        from kinema.rootframe import root_frame

        return root_frame(self[:], self.fps, smooth)


def catmull_rom(t: NDArray[np.floating]) -> NDArray[np.float32]:
    """Weights `[..., 4]` of the four samples around a position `t` (`[...]`, 0 to 1) on a Catmull-Rom spline."""
    t2, t3 = t * t, t * t * t
    weights = [-0.5 * t3 + t2 - 0.5 * t, 1.5 * t3 - 2.5 * t2 + 1, -1.5 * t3 + 2 * t2 + 0.5 * t, 0.5 * t3 - 0.5 * t2]
    return np.stack(weights, axis=-1).astype(np.float32)


def _moving(
    skeleton: Skeleton, frames: int, local_translations: ArrayLike | None, translated: ArrayLike | None
) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """The joints `[T]` that move away from rest, and their local translations `[F, T, 3]`."""
    if local_translations is None:
        return np.zeros(0, np.int32), np.zeros((frames, 0, 3), np.float32)
    if translated is None:
        every = np.asarray(local_translations, dtype=np.float32)
        if every.shape != (frames, skeleton.joint_count, 3):
            raise SkeletonError(
                f"local_translations must have shape {[frames, skeleton.joint_count, 3]}, not {list(every.shape)}"
            )
        reach = np.stack([every.max(axis=0), every.min(axis=0)]) if frames else every
        off_rest = np.abs(reach - skeleton.rest_translations).max(axis=(0, 2), initial=0.0) > 1e-6
        joints = np.flatnonzero(off_rest | (skeleton.parents < 0)).astype(np.int32)
        return joints, np.ascontiguousarray(every[:, joints])
    joints = np.asarray(translated, dtype=np.int32)
    moved = np.ascontiguousarray(local_translations, dtype=np.float32)
    ascending = joints.ndim == 1 and bool((np.diff(joints) > 0).all())
    in_range = not joints.size or (joints[0] >= 0 and joints[-1] < skeleton.joint_count)
    if moved.shape != (frames, joints.size, 3) or not ascending or not in_range:
        raise SkeletonError(
            f"local_translations {list(moved.shape)} must be [frames, translated, 3], joint indices ascending"
        )
    return joints, moved
