"""What explains a motion: contacts, paths, arrows, bones and joint names.

Each overlay is one viser node (names: one a joint) whose arrays are replaced; hidden ones cost nothing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kinema.skeleton import Skeleton
from kinema.viewer.scene import WORLD

if TYPE_CHECKING:
    import viser

Color = tuple[int, int, int]

TOUCHING: Color = (238, 108, 52)
FREE: Color = (176, 186, 200)
TRAVELLED: Color = (120, 132, 150)
WANTED: Color = (63, 111, 216)
COMMANDED: Color = (34, 160, 107)
VELOCITY: Color = (214, 52, 110)

_LIFT = 0.004
"""Metres above the ground for what lies on it, so that it does not flicker."""


class ContactDiscs:
    """A disc on the ground under each foot: bright and full while it touches, pale and small otherwise."""

    def __init__(self, server: viser.ViserServer, name: str, count: int, radius: float) -> None:
        vertices, faces = disc(radius)
        self._handle = server.scene.add_batched_meshes_simple(
            f"{WORLD}/{name}", vertices, faces, np.tile(np.array([1, 0, 0, 0], np.float32), (count, 1)),
            np.zeros((count, 3), np.float32), batched_scales=np.ones(count, np.float32),
            batched_colors=np.tile(np.array(FREE, np.uint8), (count, 1)), lod="off", side="double", cast_shadow=False,
            receive_shadow=False, material="toon3",
        )  # fmt: skip
        self._shown: NDArray[np.bool_] | None = None

    def update(self, feet: NDArray[np.floating], contacts: NDArray[np.floating]) -> None:
        """Feet ``[C, 3]`` in the world and how much each touches ``[C]``, 0 to 1."""
        touching = np.asarray(contacts) > 0.5
        places = np.asarray(feet, np.float32) * np.array([1, 0, 1], np.float32) + np.array([0, _LIFT, 0], np.float32)
        self._handle.batched_positions = places
        if self._shown is None or (touching != self._shown).any():
            self._shown = touching
            self._handle.batched_colors = np.where(touching[:, None], TOUCHING, FREE).astype(np.uint8)
            self._handle.batched_scales = np.where(touching, 1.0, 0.45).astype(np.float32)

    @property
    def visible(self) -> bool:
        return self._handle.visible

    @visible.setter
    def visible(self, value: bool) -> None:
        self._handle.visible = value


class Path:
    """A line through ``count`` points."""

    def __init__(
        self, server: viser.ViserServer, name: str, count: int, color: Color, thickness: float = 0.012
    ) -> None:
        self._handle = server.scene.add_line_segments(
            f"{WORLD}/{name}", np.zeros((max(count - 1, 1), 2, 3), np.float32), color, thickness=thickness
        )

    def update(self, points: NDArray[np.floating]) -> None:
        """Points ``[count, 3]`` in the world, metres."""
        points = np.asarray(points, np.float32)
        if len(points) > 1:
            self._handle.points = np.stack([points[:-1], points[1:]], axis=1)

    @property
    def visible(self) -> bool:
        return self._handle.visible

    @visible.setter
    def visible(self, value: bool) -> None:
        self._handle.visible = value


class Arrows:
    """``count`` arrows of one colour; those shorter than a few millimetres vanish."""

    def __init__(self, server: viser.ViserServer, name: str, count: int, color: Color, size: float = 1.0) -> None:
        self._handle = server.scene.add_arrows(
            f"{WORLD}/{name}", np.zeros((count, 2, 3), np.float32), color,
            shaft_radius=0.008 * size, head_radius=0.024 * size, head_length=0.055 * size,
        )  # fmt: skip

    def update(self, starts: NDArray[np.floating], vectors: NDArray[np.floating]) -> None:
        """Where arrows start and what they show, both ``[count, 3]`` in the world."""
        starts = np.asarray(starts, np.float32)
        long = np.linalg.norm(vectors, axis=-1, keepdims=True) > 0.005
        # Far below the ground is the only place that viser's arrows of no length leave no speck.
        hidden = np.array([0, -1000, 0], np.float32)
        ends = np.where(long, starts + np.asarray(vectors, np.float32), hidden + np.array([0, 0.01, 0], np.float32))
        self._handle.points = np.stack([np.where(long, starts, hidden), ends], axis=1)

    @property
    def visible(self) -> bool:
        return self._handle.visible

    @visible.setter
    def visible(self, value: bool) -> None:
        self._handle.visible = value


class Bones:
    """The skeleton as lines from parents to children, drawn also where the body hides it."""

    def __init__(self, server: viser.ViserServer, name: str, skeleton: Skeleton) -> None:
        self._children = np.flatnonzero(skeleton.parents >= 0)
        self._parents = skeleton.parents[self._children]
        thickness = 0.006 * max(skeleton.height, 0.2)
        count = max(len(self._children), 1)
        self._handle = server.scene.add_line_segments(
            f"{WORLD}/{name}", np.zeros((count, 2, 3), np.float32), (30, 36, 48), thickness=thickness
        )
        self._handle.visible = False

    def update(self, positions: NDArray[np.floating]) -> None:
        """Joint positions ``[J, 3]`` in the world."""
        if self._handle.visible and len(self._children):
            points = np.stack([positions[self._parents], positions[self._children]], axis=1)
            self._handle.points = points.astype(np.float32)

    @property
    def visible(self) -> bool:
        return self._handle.visible

    @visible.setter
    def visible(self, value: bool) -> None:
        self._handle.visible = value


class JointNames:
    """The name of each joint beside it; made when first shown, for they are many."""

    def __init__(self, server: viser.ViserServer, name: str, names: Sequence[str]) -> None:
        self._server, self._name, self._names = server, name, names
        self._handles: list[viser.LabelHandle] = []

    def update(self, positions: NDArray[np.floating]) -> None:
        """Joint positions ``[J, 3]`` in the world."""
        for handle, position in zip(self._handles, positions, strict=False):
            handle.position = position

    @property
    def visible(self) -> bool:
        return bool(self._handles)

    @visible.setter
    def visible(self, value: bool) -> None:
        if value and not self._handles:
            add = self._server.scene.add_label
            self._handles = [add(f"{WORLD}/{self._name}/{i}", text) for i, text in enumerate(self._names)]
        elif not value:
            for handle in self._handles:
                handle.remove()
            self._handles = []


def disc(radius: float, corners: int = 28) -> tuple[NDArray[np.float32], NDArray[np.uint32]]:
    """A flat disc in the ground plane: vertices ``[V, 3]`` and triangles ``[K, 3]`` that face up."""
    angle = np.arange(corners) * (2 * math.pi / corners)
    rim = np.stack([np.sin(angle), np.zeros(corners), np.cos(angle)], axis=-1) * radius
    vertices = np.concatenate([np.zeros((1, 3)), rim]).astype(np.float32)
    ring = np.arange(corners)
    faces = np.stack([np.zeros(corners), ring + 1, (ring + 1) % corners + 1], axis=-1)
    return vertices, faces.astype(np.uint32)


def foot_joints(skeleton: Skeleton) -> list[int]:
    """The joint whose contact is shown for each foot: the toe where there is one; empty without legs."""
    return [leg.foot if leg.toe is None else leg.toe for leg in skeleton.roles.legs]


def smoothed(path: NDArray[np.float32], reach: int) -> NDArray[np.float32]:
    """A path ``[F, 3]`` averaged over ``reach`` frames to either side, so that what follows it does not shake."""
    padded = np.concatenate([path[:1].repeat(reach + 1, 0), path, path[-1:].repeat(reach, 0)]).astype(np.float64)
    total = padded.cumsum(axis=0)
    return ((total[2 * reach + 1 :] - total[: -2 * reach - 1]) / (2 * reach + 1)).astype(np.float32)
