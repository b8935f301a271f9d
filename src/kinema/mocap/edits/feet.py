"""The contacts of a clip while it is edited: those of the file, or detected, and the curves they are judged by."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kinema.mocap import contacts, ground
from kinema.mocap.contacts import Thresholds
from kinema.mocap.edits.spans import Spans, from_mask
from kinema.motion import Motion


@dataclass(frozen=True, eq=False)
class Feet:
    """How the contact points of a clip move.

    Attributes:
        points: `C` names.
        joints: int32 `[C]`.
        speeds, heights: float32 `[F, C]`, m/s and metres above where they stand, for a character of reference size
            (what `kinema.mocap.contacts.Thresholds` are compared with).
        labelled: contacts the file itself gives, by point; empty where it does not give them all.
        positions, fps, stance, scale: what detection needs.
    """

    points: tuple[str, ...]
    joints: NDArray[np.int32]
    speeds: NDArray[np.float32]
    heights: NDArray[np.float32]
    labelled: dict[str, Spans]
    positions: NDArray[np.float32]
    fps: float
    stance: float
    scale: float

    @staticmethod
    def of(motion: Motion) -> Feet:
        """Measure a clip with at least one frame."""
        skeleton = motion.skeleton
        joints = contacts.contact_joints(skeleton)
        positions = np.ascontiguousarray(motion[:].global_positions[:, joints])
        scale = contacts.leg_length(skeleton) / contacts.REFERENCE_LEG
        stance = ground.stance_height(positions, motion.fps, scale)
        points = contacts.contact_points(skeleton)
        given = {point: motion.labels.get(f"contact.{point}") for point in points}
        labelled = {point: from_mask(np.asarray(values) > 0.5) for point, values in given.items() if values is not None}
        return Feet(
            points,
            joints,
            contacts.point_speeds(positions, motion.fps) / np.float32(scale),
            ((positions[..., 1] - stance) / scale).astype(np.float32),
            labelled if len(labelled) == len(points) else {},
            positions,
            motion.fps,
            stance,
            scale,
        )

    def detect(self, thresholds: Thresholds | None = None) -> dict[str, Spans]:
        """Contacts by point, as `kinema.mocap.contacts.detect` finds them."""
        standing = contacts.detect(self.positions, self.fps, self.stance, self.scale, thresholds)
        return {point: from_mask(standing[:, column]) for column, point in enumerate(self.points)}

    def current(self) -> dict[str, Spans]:
        """Contacts before any edit: those of the file, else detected."""
        return self.labelled or self.detect()
