"""Features drawn in the world: what a controller compares, as points, arrows and a path at the character."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kinema import rotations
from kinema.features.feature import Feature
from kinema.features.spec import FeatureSpec
from kinema.rendering.draw import Draw
from kinema.viewer import overlays
from kinema.viewer.draw import Canvas

if TYPE_CHECKING:
    import viser

MATCHED: overlays.Color = (112, 44, 190)
"""Joints and trajectory of the frame that is played."""

VELOCITY_SECONDS = 0.2
"""An arrow is the way that a joint goes in this time."""


@dataclass(frozen=True, eq=False)
class Seen:
    """The features of one character at one moment.

    Attributes:
        spec: what they mean. parts: vectors `[dim of feature]` by name, not normalised.
        root_position, root_rotation: `[3]` metres and `[4]`: the root frame in the world.
    """

    spec: FeatureSpec
    parts: Mapping[str, NDArray[np.floating]]
    root_position: NDArray[np.floating]
    root_rotation: NDArray[np.floating]


@dataclass(frozen=True, eq=False)
class Marks:
    """What features say, in the root frame. How many there are of each depends on the spec alone.

    Attributes:
        joints: `[P, 3]` joint positions, m.
        velocities: `[V, 2, 3]` where a joint is, m, and its velocity, m/s.
        path: `[S, 3]` the trajectory on the ground in order of time, with the present, m; empty without one.
        facings: `[D, 2, 3]` points of the path and the unit direction faced there.
    """

    joints: NDArray[np.float32]
    velocities: NDArray[np.float32]
    path: NDArray[np.float32]
    facings: NDArray[np.float32]


def marks(seen: Seen, positions: NDArray[np.floating]) -> Marks:
    """Read features by their kinds; kinds that cannot be drawn, and those not in the root frame, are passed over.

    Args:
        positions: `[J, 3]` joints in the root frame, metres: where velocities start of joints that have no position
            among the features.
    """
    spec = seen.spec
    joints: dict[tuple[int, float], NDArray[np.floating]] = {}
    for feature in spec.features:
        if feature.kind == "position":
            joints.update(_per_joint(feature, seen))
    here: dict[tuple[int, float], NDArray[np.floating]] = {(j, 0.0): place for j, place in enumerate(positions)}
    starts = here | joints
    velocities = [
        (starts[key], velocity)
        for feature in spec.features
        if feature.kind == "velocity"
        for key, velocity in _per_joint(feature, seen).items()
        if key in starts
    ]
    path = _per_time("trajectory.position", seen)
    if path:
        path.setdefault(0.0, np.zeros(3, np.float32))
    facings = [(path[time], way) for time, way in _per_time("trajectory.direction", seen).items() if time in path]
    return Marks(
        np.asarray(list(joints.values()), np.float32).reshape(-1, 3),
        np.asarray(velocities, np.float32).reshape(-1, 2, 3),
        np.asarray([path[time] for time in sorted(path)], np.float32).reshape(-1, 3),
        np.asarray(facings, np.float32).reshape(-1, 2, 3),
    )


def _per_joint(feature: Feature, seen: Seen) -> dict[tuple[int, float], NDArray[np.floating]]:
    """Vectors `[3]` by joint and time."""
    skeleton = seen.spec.skeleton
    values = feature.decode(np.asarray(seen.parts[feature.name]), skeleton)
    indices = feature.joint_indices(skeleton).tolist()
    return {
        (joint, time): values[row, column]
        for row, time in enumerate(feature.times)
        if _in_root(feature, time)
        for column, joint in enumerate(indices)
    }


def _per_time(kind: str, seen: Seen) -> dict[float, NDArray[np.floating]]:
    """Vectors `[3]` on the ground by time, of all features of a kind."""
    return {
        time: np.asarray([x, 0.0, z], np.float32)
        for feature in seen.spec.features
        if feature.kind == kind
        for time, (x, z) in zip(
            feature.times, feature.decode(np.asarray(seen.parts[feature.name]), seen.spec.skeleton), strict=True
        )
        if _in_root(feature, time)
    }


def _in_root(feature: Feature, time: float) -> bool:
    return feature.frame == "root" or (feature.frame == "root@t" and time == 0.0)


class FeatureMarks:
    """Draws `Marks`. Hidden at first; what specs do not have is not drawn."""

    def __init__(self, server: viser.ViserServer, name: str, size: float) -> None:
        self.draw = Draw()
        self._canvas = Canvas(server, name, visible=False)
        self._size, self._visible = size, False

    def update(self, seen: Seen | None, positions: NDArray[np.floating]) -> Marks | None:
        """Draw features at their root frame, or nothing where there are none; returns what is drawn.

        Args:
            positions: `[J, 3]` joints in the world, metres; see `marks`.
        """
        self._canvas.visible = self._visible and seen is not None
        if seen is None:
            return None
        local = rotations.inverse_rotate(
            np.asarray(seen.root_rotation, np.float32), np.asarray(positions - seen.root_position, np.float32)
        )
        shown = marks(seen, local)
        self._canvas.frame.position, self._canvas.frame.wxyz = seen.root_position, seen.root_rotation
        # Above what else lies on the ground, so that neither hides the other where they agree.
        lift = np.array([0, 0.022 * self._size, 0], np.float32)
        draw, size, color = self.draw, self._size, overlays.srgb(MATCHED)
        draw.clear()
        draw.spheres(shown.joints, 0.042 * size, (*color, 0.75))
        draw.spheres(shown.path + lift, 0.013 * size, (*color, 0.75))
        draw.line(shown.path + lift, color, 0.011 * size)
        ways = VELOCITY_SECONDS * shown.velocities[:, 1]
        draw.arrows(shown.velocities[:, 0], ways, overlays.srgb(overlays.VELOCITY), 0.016 * size / 1.7)
        draw.arrows(shown.facings[:, 0] + lift, 0.14 * size * shown.facings[:, 1], color, 0.0096 * size)
        self._canvas.show(draw)
        return shown

    def retire(self) -> None:
        """Take it off the stage for good."""
        self._visible = False
        self._canvas.remove()

    @property
    def visible(self) -> bool:
        return self._visible

    @visible.setter
    def visible(self, value: bool) -> None:
        self._visible = self._canvas.visible = value
