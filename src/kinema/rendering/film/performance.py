"""A clip with the body that performs it, its size, its floor and its path through the world."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kinema.arrays import Bools, Floats, Indices, Reals, Singles
from kinema.character import Character
from kinema.errors import SkeletonError
from kinema.mocap import contacts
from kinema.mocap.ground import detect_contacts
from kinema.motion import Motion
from kinema.pose import Pose
from kinema.rendering.bodies import body_for, hanging, outline, thinned
from kinema.rendering.draw import Draw
from kinema.rendering.film.cues import Cue
from kinema.rootframe import facing
from kinema.skeleton import Skeleton
from kinema.terrain import Ground
from kinema.worlds.gaussians import GaussianScene

_RATE = 20.0  # samples per second of the path of a body
_MOST = 12_000  # of them: a clip of ten minutes; longer ones are sampled less often
_POSES, _POINTS = 160, 800  # poses and points of the surface that are sampled for size and floor
_FEW = 80  # points that give the middle of the body
_LEVEL = 0.04  # of the size: poses whose lowest points are this close stand at one height
_LOWEST = 0.05  # share of the poses that may reach below the floor


Marks = Callable[[Draw, float, float, float], None]
"""Draws marks at a time (seconds) for a body of a size over a floor (metres)."""


@dataclass(frozen=True, eq=False)
class Shot:
    """Something to film.

    Attributes:
        title: its name.
        skeleton: its joints.
        motion: what it does; None stands still.
        character: its meshes; None, or one without meshes, gets a body.
        marks: draws explanations at a time in seconds, with the size of the body and the height of its floor, metres.
        ground: what it stands on; None is a floor at the height of its feet.
        scene: what is around it, with its own ground; None is a floor under a sky.
        cues: what the camera does, if nothing else is said.
    """

    title: str
    skeleton: Skeleton
    motion: Motion | None = None
    character: Character | None = None
    marks: Marks | None = None
    ground: Ground | None = None
    scene: GaussianScene | None = None
    cues: tuple[Cue, ...] = ()


class Performance:
    """A shot, ready to be filmed. All lengths are metres, all times seconds from the first frame.

    Attributes:
        character: whose meshes are drawn.
        seconds: length of the clip; 0 for a shot that stands still.

    Raises:
        SkeletonError: the character has different joints from the motion, or the motion has no frames.
    """

    def __init__(self, shot: Shot) -> None:
        motion, skeleton = shot.motion, shot.skeleton
        if motion is not None and motion.frames == 0:
            raise SkeletonError(f"{shot.title!r} has no frames to show")
        self.shot, self.motion, self.skeleton = shot, motion, skeleton
        self.character = body_for(skeleton, motion, shot.character)
        self.seconds = motion.seconds if motion is not None and motion.frames > 1 else 0.0
        samples = int(np.clip(np.ceil(self.seconds * _RATE), 1, _MOST)) + 1
        self.times = np.linspace(0.0, self.seconds, samples)

    def poses(self, times: Reals) -> Pose:
        """The poses `[N]` at times `[N]`, held at the clip's ends."""
        if self.motion is None:
            return self.skeleton.rest_pose[np.newaxis][np.zeros(len(times), np.int64)]
        sampled, rest = self.motion.sample(times), self.character.rest_weights
        weights = self.character.morph_weights({n: values for n, values in sampled.labels.items() if values.ndim == 1})
        return sampled[:].replace(morph_weights=None if (weights == rest).all() else weights)

    @cached_property
    def _path(self) -> tuple[Singles, Singles]:
        """Middle of the body and facing, `[N, 3]`, at `times`."""
        middles, facings, few = [], [], thinned(self.character, _FEW)
        for start in range(0, len(self.times), 512):
            pose = self.poses(self.times[start : start + 512])
            points = outline(few, pose)
            middles.append((points.min(axis=1) + points.max(axis=1)) / 2)
            facings.append(facing(pose))
        return np.concatenate(middles), np.concatenate(facings)

    @property
    def middles(self) -> Singles:
        """The middle of the body `[N, 3]` at `times`."""
        return self._path[0]

    def middles_at(self, times: Reals) -> Floats:
        """The middle of the body `[N, 3]` at times `[N]`."""
        return np.stack([np.interp(times, self.times, self.middles[:, axis]) for axis in range(3)], axis=-1)

    @cached_property
    def heading(self) -> float:
        """The mean direction it faces, radians about +Y; 0 is +Z."""
        mean = self._path[1].mean(axis=0)
        mean = self._path[1][0] if np.linalg.norm(mean) < 0.2 else mean
        return float(np.arctan2(mean[0], mean[2]))

    @cached_property
    def headings(self) -> Floats:
        """Where it faces `[N]` at `times`, radians, without jumps from one turn to the next."""
        return np.unwrap(np.arctan2(self._path[1][:, 0], self._path[1][:, 2]).astype(np.float64))

    @cached_property
    def surface(self) -> Singles:
        """Some points `[P, V, 3]` of the surface in some poses, evenly over the clip, world."""
        return outline(thinned(self.character, _POINTS), self.poses(self.surface_times))

    @cached_property
    def surface_times(self) -> Floats:
        """When the poses of `surface` are, `[P]`."""
        return self.times[np.unique(np.linspace(0, len(self.times) - 1, _POSES).astype(np.int64))]

    @cached_property
    def size(self) -> float:
        """The size of the body, mostly its height: the scale of grids, shadows and lines."""
        extents = np.median(np.ptp(self.surface, axis=1), axis=0)
        return max(float(extents[1]), 0.5 * float(extents.max()), 1e-4)

    @cached_property
    def floor(self) -> float:
        """Height of the floor: where the lowest points mostly are when they are low.

        Tails do not count on bodies with legs: captured animals that sit have theirs in the ground.
        """
        legs = any(chain.kind in ("leg", "front_leg") for chain in self.skeleton.roles.chains)
        standing = ~hanging(thinned(self.character, _POINTS)) if legs else np.ones(0, np.bool_)
        heights = self.surface[..., 1]
        lowest = (heights[:, standing] if standing.any() and len(standing) == heights.shape[1] else heights).min(axis=1)
        ordered = np.sort(lowest)  # the height at which most of them are: a body that sits does not define the floor
        within = np.searchsorted(ordered, ordered + _LEVEL * self.size, side="right") - np.arange(len(ordered))
        start = int(np.argmax(within))
        return float(np.quantile(ordered[start : start + within[start]], _LOWEST))

    @cached_property
    def contact_joints(self) -> Indices:
        """Joints `[C]` that stand on the floor."""
        return contacts.contact_joints(self.skeleton)

    @cached_property
    def standing(self) -> Bools:
        """Which of `contact_joints` stand, `[F, C]` in the clip's own frames: by its labels, or detected."""
        if self.motion is None:
            return np.ones((1, len(self.contact_joints)), np.bool_)
        points = contacts.contact_points(self.skeleton)
        sides = [self.motion.labels.get(f"contact.{point}") for point in points]
        if all(side is not None for side in sides):
            return np.stack([np.asarray(side) > 0.5 for side in sides], axis=-1)
        blocks = (self.motion[start : start + 2048] for start in range(0, self.motion.frames, 2048))
        feet = np.concatenate([block.global_positions[:, self.contact_joints] for block in blocks])
        return detect_contacts(feet, self.motion.fps, contacts.relative_size(self.skeleton))

    def standing_at(self, time: float) -> Bools:
        """Which of `contact_joints` stand at a time, `[C]`."""
        rate = 0.0 if self.motion is None else self.motion.fps
        return self.standing[int(np.clip(round(time * rate), 0, len(self.standing) - 1))]

    def path(self, times: Reals) -> tuple[Singles, Singles]:
        """Places on the floor `[N, 3]` below the hips and unit facings `[N, 3]` at times."""
        pose = self.poses(times)
        places = pose.global_positions[:, self.skeleton.roles.hips].copy()
        places[:, 1] = self.floor
        return places, facing(pose)
