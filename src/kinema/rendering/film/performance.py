"""Who is filmed doing what: a clip with its body, its size, its floor and its way through the world."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from kinema.character import Character
from kinema.errors import SkeletonError
from kinema.mocap import contacts
from kinema.mocap.ground import stance_height
from kinema.motion import Motion
from kinema.pose import Pose
from kinema.rendering.bodies import body_for, hanging, outline, thinned
from kinema.rendering.draw import Draw
from kinema.rendering.faces import weights_at
from kinema.rootframe import facing
from kinema.skeleton import Skeleton

Floats = NDArray[np.floating]

_RATE = 20.0  # looks a second at the way a body takes
_MOST = 12_000  # of them: a clip of ten minutes; longer ones are looked at less often
_POSES, _POINTS = 160, 800  # poses and points of the surface that are looked at for size and floor
_FEW = 80  # points that tell where the body is
_LEVEL = 0.04  # of the size: poses whose lowest points are so near stand at one height
_LOWEST = 0.05  # share of the poses that may reach below the floor


Marks = Callable[[Draw, float, float, float], None]
"""Draws marks at a time (seconds) for a body of a size over a floor (metres)."""


@dataclass(frozen=True, eq=False)
class Shot:
    """Something to film.

    Attributes:
        title: what to call it.
        skeleton: its joints.
        motion: what it does; None stands still.
        character: its meshes; None, or one without meshes, is given a body.
        marks: draws what explains it at a time in seconds, with the size of the body in metres and its floor's height.
    """

    title: str
    skeleton: Skeleton
    motion: Motion | None = None
    character: Character | None = None
    marks: Marks | None = None


class Performance:
    """A shot, ready to be filmed. All lengths are metres, all times seconds from the first frame.

    Attributes:
        character: who is drawn.
        seconds: length of the clip; 0 for what stands still.

    Raises:
        SkeletonError: the character has other joints than the motion, or the motion has no frames.
    """

    def __init__(self, shot: Shot) -> None:
        motion, skeleton = shot.motion, shot.skeleton
        if motion is not None and motion.frames == 0:
            raise SkeletonError(f"{shot.title!r} has no frames to show")
        self.shot, self.motion, self.skeleton = shot, motion, skeleton
        self.character = body_for(skeleton, motion, shot.character)
        self.seconds = motion.seconds if motion is not None and motion.frames > 1 else 0.0
        looks = int(np.clip(np.ceil(self.seconds * _RATE), 1, _MOST)) + 1
        self.times = np.linspace(0.0, self.seconds, looks)

    def poses(self, times: Floats) -> Pose:
        """The poses `[N]` at times `[N]`, held at the clip's ends."""
        if self.motion is None:
            return self.skeleton.rest_pose[np.newaxis][np.zeros(len(times), np.int64)]
        return self.motion.sample(times)[:].replace(morph_weights=weights_at(self.character, self.motion, times))

    @cached_property
    def _way(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Middle of the body and facing, `[N, 3]`, at `times`."""
        middles, ways, few = [], [], thinned(self.character, _FEW)
        for start in range(0, len(self.times), 512):
            pose = self.poses(self.times[start : start + 512])
            seen = outline(few, pose)
            middles.append((seen.min(axis=1) + seen.max(axis=1)) / 2)
            ways.append(facing(pose))
        return np.concatenate(middles), np.concatenate(ways)

    @property
    def middles(self) -> NDArray[np.float32]:
        """The middle of the body `[N, 3]` at `times`."""
        return self._way[0]

    @cached_property
    def heading(self) -> float:
        """Where it mostly faces, radians about +Y, 0 is +Z."""
        mean = self._way[1].mean(axis=0)
        mean = self._way[1][0] if np.linalg.norm(mean) < 0.2 else mean
        return float(np.arctan2(mean[0], mean[2]))

    @cached_property
    def headings(self) -> NDArray[np.float64]:
        """Where it faces `[N]` at `times`, radians, without jumps from one turn to the next."""
        return np.unwrap(np.arctan2(self._way[1][:, 0], self._way[1][:, 2]).astype(np.float64))

    @cached_property
    def surface(self) -> NDArray[np.float32]:
        """Some points `[P, V, 3]` of the surface in some poses, evenly over the clip, world."""
        return outline(thinned(self.character, _POINTS), self.poses(self.surface_times))

    @cached_property
    def surface_times(self) -> NDArray[np.float64]:
        """When the poses of `surface` are, `[P]`."""
        return self.times[np.unique(np.linspace(0, len(self.times) - 1, _POSES).astype(np.int64))]

    @cached_property
    def size(self) -> float:
        """How large it is: mostly its height; what grids, shadows and lines are scaled by."""
        extents = np.median(np.ptp(self.surface, axis=1), axis=0)
        return max(float(extents[1]), 0.5 * float(extents.max()), 1e-4)

    @cached_property
    def floor(self) -> float:
        """Height of what it stands on: where its lowest points mostly are when they are low.

        Tails do not count where there are legs: captured animals that sit have theirs in the ground.
        """
        legs = any(chain.kind in ("leg", "front_leg") for chain in self.skeleton.roles.chains)
        standing = ~hanging(thinned(self.character, _POINTS)) if legs else np.ones(0, np.bool_)
        heights = self.surface[..., 1]
        lowest = (heights[:, standing] if standing.any() and len(standing) == heights.shape[1] else heights).min(axis=1)
        ordered = np.sort(lowest)  # the height at which most of them are: who sits in the ground stands elsewhere
        within = np.searchsorted(ordered, ordered + _LEVEL * self.size, side="right") - np.arange(len(ordered))
        start = int(np.argmax(within))
        return float(np.quantile(ordered[start : start + within[start]], _LOWEST))

    @cached_property
    def contact_joints(self) -> NDArray[np.int32]:
        """Joints `[C]` that stand on the floor."""
        return contacts.contact_joints(self.skeleton)

    @cached_property
    def standing(self) -> NDArray[np.bool_]:
        """Which of `contact_joints` stand, `[F, C]` in the clip's own frames: its labels, or found anew."""
        if self.motion is None:
            return np.ones((1, len(self.contact_joints)), np.bool_)
        sides = [self.motion.labels.get(f"contact.{side}") for side in ("left", "right")]
        if len(self.contact_joints) == 2 and all(side is not None for side in sides):
            return np.stack([np.asarray(side) > 0.5 for side in sides], axis=-1)
        feet = np.concatenate(
            [
                self.motion[slice(start, start + 2048)].global_positions[:, self.contact_joints]
                for start in range(0, self.motion.frames, 2048)
            ]
        )
        scale = contacts.leg_length(self.skeleton) / contacts.REFERENCE_LEG
        return contacts.detect(feet, self.motion.fps, stance_height(feet, self.motion.fps, scale), scale)

    def standing_at(self, time: float) -> NDArray[np.bool_]:
        """Which of `contact_joints` stand at a time, `[C]`."""
        rate = 0.0 if self.motion is None else self.motion.fps
        return self.standing[int(np.clip(round(time * rate), 0, len(self.standing) - 1))]

    def path(self, times: Floats) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Places on the floor `[N, 3]` under the hips and unit facings `[N, 3]` at times."""
        pose = self.poses(times)
        here = pose.global_positions[:, self.skeleton.roles.hips].copy()
        here[:, 1] = self.floor
        return here, facing(pose)
