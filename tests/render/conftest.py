"""A cheap body, and a renderer that needs no graphics."""

from __future__ import annotations

import types
from collections.abc import Callable

import numpy as np
import pytest

from kinema import Character, Skeleton
from kinema.character import Mesh


def make_puppet(skeleton: Skeleton) -> Character:
    """A body of one small triangle a joint."""
    size = 0.03 * max(skeleton.height, 1e-6)
    corner = np.float32([[size, 0, 0], [0, size, 0], [0, 0, size]])
    meshes = [
        Mesh(name, corner, corner / size, np.uint32([[0, 1, 2]]), joint=joint)
        for joint, name in enumerate(skeleton.names)
    ]
    return Character("puppet", skeleton, tuple(meshes))


class Easel:
    """Draws the joints of what it is shown as squares on grey; has all buffers."""

    info = "easel"

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.timings = {"squares": 1.5}
        self.views = []

    def render(self, view, buffers=("color",)):
        self.views.append(view)
        shape = (self.height, self.width)
        color, parts = np.full((*shape, 4), 220, np.uint8), np.zeros(shape, np.int32)
        color[..., 3] = 0 if view.sky.backdrop and view.sky.backdrop[3] == 0 else 255
        for actors in view.actors:
            for x, y, ahead in view.camera.project(actors.global_positions[0], self.width, self.height):
                if ahead > 0 and 1 <= x < self.width - 1 and 1 <= y < self.height - 1:
                    here = (slice(int(y) - 1, int(y) + 2), slice(int(x) - 1, int(x) + 2))
                    color[here], parts[here] = (200, 60, 30, 255), 3
        depth = np.where(parts > 0, np.float32(4.25), np.float32(np.inf))
        return types.SimpleNamespace(
            color=color, parts=parts, entities=np.minimum(parts, 1), depth=depth,
            normals=np.where(parts[..., None] > 0, np.float32([0, 0, 1]), np.float32([0, 0, 0])),
            motion=np.zeros((*shape, 2), np.float32),
        )  # fmt: skip


@pytest.fixture(scope="session")
def puppet() -> Callable[[Skeleton], Character]:
    return make_puppet


@pytest.fixture(scope="session")
def easel() -> type[Easel]:
    return Easel
