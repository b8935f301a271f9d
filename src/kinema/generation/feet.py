"""Which joints of a rig are feet, and where the ground is for them, as the ground truth shows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from kinema.arrays import Bools, Indices, Singles
from kinema.generation.rig import AnyRig
from kinema.generation.takes import Takes

LOW = 0.03
"""Share of the length of its leg below which a foot is as good as on the ground."""

_LEGS = frozenset(("leg", "front_leg", "arm"))
_LEAST = 0.02  # share of frames in which the ground truth plants a foot, or it is none


@dataclass(frozen=True, eq=False)
class RigFeet:
    """Joints on legs that the ground truth plants.

    Attributes:
        joints: int32 `[C]`, from 0 to `K`.
        heights: float32 `[C]`, units: median height of each while the ground truth plants it.
        legs: float32 `[C]`, units: length of the bones from the top of the leg to the joint.
    """

    joints: Indices
    heights: Singles
    legs: Singles

    @staticmethod
    def of(rig: AnyRig, truth: Sequence[Takes]) -> RigFeet | None:
        """The feet of a rig; None if the ground truth plants no joint of a leg, as that of snakes, fish and flight."""
        contacts = np.concatenate([takes.contacts.reshape(-1, rig.count) for takes in truth])
        heights = np.concatenate([takes.global_positions[..., 1].reshape(-1, rig.count) for takes in truth])
        lengths = dict(_leg_joints(rig))
        chosen = [joint for joint in sorted(lengths) if contacts[:, joint].mean() > _LEAST]
        if not chosen:
            return None
        standing = [float(np.median(heights[contacts[:, joint], joint])) for joint in chosen]
        return RigFeet(
            np.asarray(chosen, np.int32),
            np.asarray(standing, np.float32),
            np.asarray([lengths[joint] for joint in chosen], np.float32),
        )

    def heights_of(self, takes: Takes) -> Singles:
        """Heights `[N, F, C]` above where each foot stands, units."""
        return takes.global_positions[..., self.joints, 1] - self.heights

    def low(self, takes: Takes) -> Bools:
        """Which feet `[N, F, C]` are as good as on the ground, whatever the motion says of contact."""
        return self.heights_of(takes) < LOW * self.legs

    def planted(self, takes: Takes) -> Bools:
        """Which feet `[N, F, C]` the motion itself calls planted."""
        return takes.contacts[..., self.joints]

    def ground_speeds(self, takes: Takes) -> Singles:
        """Speeds `[N, F - 1, C]` along the ground, units a second."""
        velocities = takes.global_velocities[..., self.joints, :]
        return np.hypot(velocities[..., 0], velocities[..., 2])


def _leg_joints(rig: AnyRig) -> Iterator[tuple[int, float]]:
    """Joints of legs and what hangs on them, with the length of bones from the top of the leg."""
    place = {joint: number for number, joint in enumerate(rig.joints.tolist())}
    tops = {
        place[chain.joints[0]]
        for chain in rig.skeleton.roles.chains
        if chain.kind in _LEGS and chain.joints[0] in place
    }
    reached: dict[int, float] = {}
    for joint, (parent, bone) in enumerate(zip(rig.parents.tolist(), rig.offsets, strict=True)):
        if joint in tops:
            reached[joint] = 0.0
        elif parent in reached:
            reached[joint] = reached[parent] + float(np.linalg.norm(bone))
            yield joint, reached[joint]
