"""Clips of one rig side by side, drawn by forward kinematics: what the figures of the benchmark are measured on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kinema import rotations
from kinema.arrays import Bools, Singles
from kinema.generation.channels import CHANNELS, CONTACT, FPS, HEIGHT, TRAVEL, TURN, stated_positions
from kinema.generation.rig import AnyRig

_UPRIGHT_6D = np.asarray([1, 0, 0, 0, 1, 0], np.float32)


@dataclass(frozen=True, eq=False)
class Takes:
    """`N` clips of `F` frames. Each begins over the origin and faces +Z. Lengths are in units of the rig.

    Attributes:
        channels: float32 `[N, F, K, CHANNELS]`.
    """

    rig: AnyRig
    channels: Singles

    @property
    def count(self) -> int:
        """Number of clips, `N`."""
        return len(self.channels)

    @property
    def frames(self) -> int:
        """Frames of each clip, `F`."""
        return self.channels.shape[1]

    @property
    def contacts(self) -> Bools:
        """Which joints `[N, F, K]` the motion itself calls planted."""
        return self.channels[..., CONTACT][..., 0] > 0.5

    @property
    def stated_positions(self) -> Singles:
        """Positions `[N, F, K, 3]` in the heading frame that the channels of positions state."""
        return stated_positions(self.rig, self.channels)

    @cached_property
    def path(self) -> tuple[Singles, Singles]:
        """Ground positions `[N, F, 2]` (x, z) and headings `[N, F]` of the root."""
        travel = self.channels[:, :, 0, TRAVEL].astype(np.float64)
        before = np.zeros((self.count, 1, 2))
        heading = np.concatenate([before[..., 0], np.cumsum(travel[:, :-1, 2], axis=1)], axis=1) / FPS
        sine, cosine = np.sin(heading), np.cos(heading)
        side, ahead = travel[..., 0], travel[..., 1]
        steps = np.stack([side * cosine + ahead * sine, ahead * cosine - side * sine], axis=-1)
        path = np.concatenate([before, np.cumsum(steps[:, :-1], axis=1)], axis=1) / FPS
        return path.astype(np.float32), heading.astype(np.float32)

    @cached_property
    def local_turns(self) -> Singles:
        """Turns `[N, F, K, 4]` from rest, relative to the parent; of the hips, to the heading frame."""
        return rotations.from_6d(self.channels[..., TURN] + _UPRIGHT_6D).astype(np.float32)

    @cached_property
    def model_positions(self) -> Singles:
        """Positions `[N, F, K, 3]` in the heading frame, on the ground under the hips."""
        hips = np.zeros((self.count, self.frames, 3), np.float32)
        hips[..., 1] = self.rig.rest_positions[0, 1] + self.channels[:, :, 0, HEIGHT][..., 0]
        return self.rig.forward(self.local_turns, hips)[1]

    @cached_property
    def global_positions(self) -> Singles:
        """Positions `[N, F, K, 3]` in the world."""
        path, heading = self.path
        positions = rotations.rotate_yaw(heading[..., None], self.model_positions)
        positions[..., [0, 2]] += path[:, :, None]
        return positions

    @cached_property
    def global_velocities(self) -> Singles:
        """Velocities `[N, F - 1, K, 3]` in the world from each frame to the next, units a second."""
        return np.diff(self.global_positions, axis=1) * np.float32(FPS)


def mean_pose(clips: Sequence[Singles], frames: int) -> Singles:
    """Channels `[frames, K, CHANNELS]` that hold the mean pose of clips `[F, K, CHANNELS]` and go nowhere."""
    channels = np.concatenate(clips).mean(axis=0, dtype=np.float64).astype(np.float32)
    channels[:, TRAVEL] = 0.0
    return np.repeat(channels[None], frames, axis=0)


def rest_pose(rig: AnyRig, frames: int) -> Singles:
    """Channels `[frames, K, CHANNELS]` that hold the rest pose."""
    return np.zeros((frames, rig.count, CHANNELS), np.float32)
