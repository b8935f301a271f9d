"""The contacts of a clip while it is edited: those of the file, or detected, and the curves they are judged by."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kinema.arrays import Indices, Singles
from kinema.mocap import contacts, ground
from kinema.mocap.contacts import Thresholds
from kinema.mocap.edits.spans import Spans
from kinema.mocap.phases import Phases, alternating_sides, find_phases
from kinema.motion import Motion


@dataclass(frozen=True, eq=False)
class Feet:
    """How the contact points of a clip move.

    Attributes:
        points: `C` names.
        joints: int32 `[C]`.
        labelled: contacts the file itself gives, by point; empty where it does not give them all.
        positions, fps, stance, scale: what detection needs.
        sides: columns of the left and right foot whose alternation is the gait; None without a pair.
    """

    points: tuple[str, ...]
    joints: Indices
    labelled: dict[str, Spans]
    positions: Singles
    fps: float
    stance: float
    scale: float
    sides: tuple[int, int] | None

    @staticmethod
    def of(motion: Motion) -> Feet:
        """Measure a clip with at least one frame."""
        skeleton, points = motion.skeleton, contacts.contact_points(motion.skeleton)
        joints, scale = contacts.contact_joints(skeleton), contacts.relative_size(skeleton)
        positions = np.ascontiguousarray(motion[:].global_positions[:, joints])
        stance = ground.stance_height(positions, motion.fps, scale)
        given = {point: motion.labels.get(f"contact.{point}") for point in points}
        known = {point: np.asarray(values) > 0.5 for point, values in given.items() if values is not None}
        labelled = {point: tuple(contacts.runs(standing)) for point, standing in known.items()}
        complete = labelled if len(labelled) == len(points) else {}
        sides = alternating_sides(skeleton, joints)
        return Feet(points, joints, complete, positions, motion.fps, stance, scale, sides)

    @cached_property
    def speeds(self) -> Singles:
        """`[F, C]`, m/s, for a character of reference size, as `kinema.mocap.contacts.Thresholds` are."""
        return contacts.point_speeds(self.positions, self.fps) / np.float32(self.scale)

    @cached_property
    def heights(self) -> Singles:
        """`[F, C]`, metres above where the points stand, for a character of reference size."""
        return ((self.positions[..., 1] - self.stance) / self.scale).astype(np.float32)

    @cached_property
    def phases(self) -> Phases:
        """Phase of the gait and of each foot, whatever the contacts are."""
        return find_phases(self.positions, self.fps, self.sides, self.scale)

    def detect(self, thresholds: Thresholds | None = None) -> dict[str, Spans]:
        """Contacts by point, as `kinema.mocap.contacts.detect` finds them."""
        standing = contacts.detect(self.positions, self.fps, self.stance, self.scale, thresholds)
        return {point: tuple(contacts.runs(standing[:, column])) for column, point in enumerate(self.points)}

    def current(self) -> dict[str, Spans]:
        """Contacts before any edit: those of the file, else detected."""
        return self.labelled or self.detect()
