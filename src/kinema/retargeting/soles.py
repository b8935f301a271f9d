"""The soles of a character's feet, from its meshes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from kinema import rotations
from kinema.arrays import Bools, Indices, Singles
from kinema.character import Character, Mesh
from kinema.pose import Pose
from kinema.retargeting.stance import StandingPose

_MOSTLY = 0.5  # weight of a foot from which a vertex is part of it
_AROUND = 8  # directions around the foot in which a sole has a corner


class Corner(NamedTuple):
    """A corner of a sole: a joint, and metres from it in its frame, `[3]`."""

    joint: int
    offset: Singles

    @staticmethod
    def at(standing: StandingPose, joint: int, point: Singles) -> Corner:
        """A point `[3]` of the standing body that moves with a joint."""
        offset = rotations.inverse_rotate(standing.rotations[joint], point - standing.positions[joint])
        return Corner(joint, np.asarray(offset, np.float32))

    def points(self, pose: Pose) -> Singles:
        """Its positions in the world `[..., 3]`."""
        offset = rotations.rotate(pose.global_rotations[..., self.joint, :], self.offset)
        return pose.global_positions[..., self.joint, :] + offset


class FootVertices(NamedTuple):
    """The vertices of a character's feet, `[N, 3]`, while it stands, and the joint `[N]` that moves each most."""

    points: Singles
    joints: Indices

    @staticmethod
    def of(character: Character, standing: StandingPose, feet: Iterable[int]) -> FootVertices | None:
        """The vertices that move with some joints or with what is below them; None without any."""
        chosen = character.skeleton.below(feet)
        points, joints = [], []
        for mesh in character.meshes:
            part = _of_joints(mesh.joints, mesh.weights, chosen, len(mesh.positions), mesh.joint)
            if part.any():
                points.append(mesh.skin(standing.pose)[part])
                joints.append(_owners(mesh)[part])
        return FootVertices(np.concatenate(points), np.concatenate(joints)) if points else None

    def height(self, standing: StandingPose) -> float:
        """Height of the lowest vertex along the body's up direction, metres."""
        return float((self.points @ standing.up).min())

    def corners(self, standing: StandingPose, foot: int) -> list[Corner]:
        """The vertices of a foot that are lowest when it tilts to each side; none where no vertex moves with it."""
        part = standing.pose.skeleton.below([foot])[self.joints]
        if not part.any():
            return []
        points, joints = self.points[part], self.joints[part]
        angles = 2 * np.pi * np.arange(_AROUND) / _AROUND
        ways = np.stack([np.sin(angles), np.full(_AROUND, -1.0), np.cos(angles)], axis=-1).astype(np.float32)
        lowest = np.unique(np.argmax(points @ rotations.rotate(standing.axes, ways).T, axis=0))
        return [Corner.at(standing, int(joints[index]), points[index]) for index in lowest]


def _owners(mesh: Mesh) -> Indices:
    """The joint `[V]` that moves each vertex of a mesh most."""
    if mesh.joints is None or mesh.weights is None:
        return np.full(len(mesh.positions), mesh.joint, np.int32)
    return np.take_along_axis(mesh.joints, mesh.weights.argmax(axis=1)[:, None], axis=1)[:, 0]


def _of_joints(
    joints: Indices | None, weights: Singles | None, chosen: Bools, count: int, hung_on: int | None
) -> Bools:
    if joints is None or weights is None:
        return np.full(count, hung_on is not None and bool(chosen[hung_on]))
    return (weights * chosen[joints]).sum(axis=1) > _MOSTLY
