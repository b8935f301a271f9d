"""Draws features in the world, as points, arrows and a path at the character."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kinema import rotations
from kinema.features.feature import Feature
from kinema.features.spec import FeatureSpec
from kinema.rendering.draw import Draw

MATCHED = (0.52, 0.26, 0.84)
"""Joints and trajectory of the features."""

VELOCITY = (0.84, 0.20, 0.43)

VELOCITY_SECONDS = 0.2
"""Length of velocity arrows, in seconds of movement."""


@dataclass(frozen=True, eq=False)
class FeatureFrame:
    """Features of one character at one moment.

    Attributes:
        spec: the feature spec. parts: vectors `[dim of feature]` by name, not normalised.
        root_position, root_rotation: the root frame in the world, `[3]` metres and `[4]`.
    """

    spec: FeatureSpec
    parts: Mapping[str, NDArray[np.floating]]
    root_position: NDArray[np.floating]
    root_rotation: NDArray[np.floating]


@dataclass(frozen=True, eq=False)
class FeatureShapes:
    """Positions and directions that features describe, in the root frame. The counts depend on the spec only.

    Attributes:
        joints: `[P, 3]` joint positions, m.
        velocities: `[V, 2, 3]` position of a joint, m, and its velocity, m/s.
        path: `[S, 3]` the trajectory on the ground, in order of time and with the present, m; empty without one.
        facings: `[D, 2, 3]` points of the path and unit facing directions.
    """

    joints: NDArray[np.float32]
    velocities: NDArray[np.float32]
    path: NDArray[np.float32]
    facings: NDArray[np.float32]


def shapes(frame: FeatureFrame, positions: NDArray[np.floating]) -> FeatureShapes:
    """Decode features by kind; kinds that cannot be drawn, or are not in the root frame, are left out.

    Args:
        positions: `[J, 3]` joints in the root frame, metres: start of the arrows of joints without a position
            feature.
    """
    joints = _per_joint("position", frame)
    starts: dict[tuple[int, float], NDArray[np.floating]] = {(j, 0.0): position for j, position in enumerate(positions)}
    starts |= joints
    velocities = [(starts[key], velocity) for key, velocity in _per_joint("velocity", frame).items() if key in starts]
    path = _per_time("trajectory.position", frame)
    if path:
        path.setdefault(0.0, np.zeros(3, np.float32))
    facings = [(path[time], way) for time, way in _per_time("trajectory.direction", frame).items() if time in path]
    return FeatureShapes(
        np.asarray(list(joints.values()), np.float32).reshape(-1, 3),
        np.asarray(velocities, np.float32).reshape(-1, 2, 3),
        np.asarray([path[time] for time in sorted(path)], np.float32).reshape(-1, 3),
        np.asarray(facings, np.float32).reshape(-1, 2, 3),
    )


def draw_features(draw: Draw, frame: FeatureFrame, positions: NDArray[np.floating], size: float) -> None:
    """Draw features at their root frame.

    Args:
        positions: `[J, 3]` joints in the world, metres; see `shapes`. size: size of the character, metres.
    """
    facing = np.asarray(frame.root_rotation, np.float32)
    root = np.asarray(frame.root_position, np.float32)
    found = shapes(frame, rotations.inverse_rotate(facing, np.asarray(positions - root, np.float32)))

    def to_world(points: NDArray[np.float32]) -> NDArray[np.float32]:
        return root + rotations.rotate(facing, points)

    # Higher than the other marks on the ground, so that none hides another where they agree.
    lift = np.array([0, 0.012 * size, 0], np.float32)
    draw.spheres(to_world(found.joints), 0.03 * size, MATCHED, on_top=True)
    arrows = VELOCITY_SECONDS * rotations.rotate(facing, found.velocities[:, 1])
    draw.arrows(to_world(found.velocities[:, 0]), arrows, VELOCITY, 0.008 * size, on_top=True)
    draw.line(to_world(found.path + lift), MATCHED, 0.008 * size)
    draw.spheres(to_world(found.path + lift), 0.012 * size, MATCHED)
    arrows = 0.13 * size * rotations.rotate(facing, found.facings[:, 1])
    draw.arrows(to_world(found.facings[:, 0] + lift), arrows, MATCHED, 0.007 * size)


def _per_joint(kind: str, frame: FeatureFrame) -> dict[tuple[int, float], NDArray[np.floating]]:
    """Vectors `[3]` of all features of a kind, by joint and time."""
    skeleton = frame.spec.skeleton
    found: dict[tuple[int, float], NDArray[np.floating]] = {}
    for feature in frame.spec.features:
        if feature.kind != kind:
            continue
        values = feature.decode(np.asarray(frame.parts[feature.name]), skeleton)
        joints = feature.joint_indices(skeleton).tolist()
        for row, time in enumerate(feature.times):
            if _in_root(feature, time):
                found |= {(joint, time): values[row, column] for column, joint in enumerate(joints)}
    return found


def _per_time(kind: str, frame: FeatureFrame) -> dict[float, NDArray[np.floating]]:
    """Vectors `[3]` on the ground of all features of a kind, by time."""
    return {
        time: np.asarray([x, 0.0, z], np.float32)
        for feature in frame.spec.features
        if feature.kind == kind
        for time, (x, z) in zip(
            feature.times, feature.decode(np.asarray(frame.parts[feature.name]), frame.spec.skeleton), strict=True
        )
        if _in_root(feature, time)
    }


def _in_root(feature: Feature, time: float) -> bool:
    return feature.frame == "root" or (feature.frame == "root@t" and time == 0.0)
