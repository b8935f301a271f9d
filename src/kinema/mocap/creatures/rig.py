"""A rig in the making: joints by part and side at places in the world, then a skeleton in one of many conventions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from kinema import rotations
from kinema.arrays import Floats
from kinema.mocap.creatures.names import JointKey, joint_names
from kinema.skeleton import Skeleton

ROLLS = ("none", "along", "random")
"""Rest rotations of joints: all those of the world, +Y along the bone, or any roll about the bone."""


@dataclass
class RigDraft:
    """Joints that a body plan adds one by one; parents come first.

    Attributes:
        keys: what each joint is.
        parents: index of the parent of each joint; -1 for the first.
        places: position of each joint in the world, metres; the body faces +Z.
        tips: joint and position of the ends of last bones.
        groups: the joints of each limb or chain by kind ("leg", "tail", ...), with side and order.
    """

    keys: list[JointKey] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    places: list[Floats] = field(default_factory=list)
    tips: list[tuple[int, Floats]] = field(default_factory=list)
    groups: list[tuple[str, int, int, tuple[int, ...]]] = field(default_factory=list)

    def add(self, key: JointKey, parent: int, place: ArrayLike) -> int:
        """Add a joint, and return its index."""
        self.keys.append(key)
        self.parents.append(parent)
        self.places.append(np.asarray(place, np.float64))
        return len(self.keys) - 1

    def chain(
        self, kind: str, parts: Sequence[str], parent: int, places: ArrayLike, side: int = 0, order: int = 0
    ) -> list[int]:
        """Add joints `[n]` one below the other as a group; a place beyond the last joint is its tip.

        Args:
            kind: kind of the group.
            parts: the part of each joint; several joints may share one.
            parent: the joint above the first.
            places: `[n, 3]` or `[n + 1, 3]`, metres.
            side: 1 left, -1 right, 0 middle.
            order: counts groups of the same kind and side.
        """
        points = np.asarray(places, np.float64)
        joints: list[int] = []
        for part, place in zip(parts, points, strict=False):
            key = JointKey(part, side, order, sum(self.keys[j].part == part for j in joints), kind)
            joints.append(parent := self.add(key, parent, place))
        if len(points) > len(parts):
            self.tips.append((parent, points[-1]))
        self.groups.append((kind, side, order, tuple(joints)))
        return joints

    def pair(
        self, kind: str, parts: Sequence[str], parent: int, places: ArrayLike, order: int = 0
    ) -> tuple[list[int], list[int]]:
        """A chain on the left side and its mirror image on the right."""
        points = np.asarray(places, np.float64)
        left = self.chain(kind, parts, parent, points, 1, order)
        return left, self.chain(kind, parts, parent, points * [-1.0, 1.0, 1.0], -1, order)

    def skeleton(self, scale: float, scheme: str, roll: str, rng: np.random.Generator) -> Skeleton:
        """The rig as a skeleton of another size, with names of a scheme and rest rotations of a convention."""
        places = scale * np.asarray(self.places)
        parents = np.asarray(self.parents)
        tips = [(joint, scale * place) for joint, place in self.tips]
        frames = self._frames(places, tips, roll, rng)
        above = np.where(parents < 0, 0, parents)
        away = np.where(parents[:, None] < 0, places, places - places[above])
        local = rotations.multiply(rotations.inverse(frames[above]), frames)
        local[parents < 0] = frames[parents < 0]
        offsets = np.where(parents[:, None] < 0, away, rotations.inverse_rotate(frames[above], away))
        ends = [(joint, rotations.inverse_rotate(frames[joint], end - places[joint])) for joint, end in tips]
        return Skeleton.create(joint_names(self.keys, scheme), parents, offsets, local, ends)

    def _frames(
        self, places: Floats, tips: Sequence[tuple[int, Floats]], roll: str, rng: np.random.Generator
    ) -> Floats:
        """Global rest rotations `[J, 4]`."""
        if roll == "none":
            return rotations.identity((len(places),), places)
        ends = np.full(places.shape, np.nan)
        for joint, end in tips:
            ends[joint] = end
        for joint in range(len(places) - 1, 0, -1):  # the first child last, so that it decides
            ends[self.parents[joint]] = places[joint]
        along = np.where(np.isfinite(ends), ends - places, [0.0, 1.0, 0.0])
        frames = rotations.between(np.asarray([0.0, 1.0, 0.0]) + 0 * along, along)
        if roll == "random":
            about = np.asarray([0.0, 1.0, 0.0]) + 0 * along
            frames = rotations.multiply(
                frames, rotations.from_axis_angle(about, rng.uniform(-np.pi, np.pi, len(along)))
            )
        return frames
