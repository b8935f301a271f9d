"""A cheap body, bodies of known form, a renderer that needs no graphics, and a real one."""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import numpy as np
import pytest

from kinema import Character, Skeleton
from kinema.character import Material, Mesh
from kinema.pose import Pose
from kinema.rendering.view import Instances

if TYPE_CHECKING:
    from kinema.rendering.renderer import Renderer


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
        for instances in view.instances:
            for x, y, ahead in view.camera.project(instances.pose.global_positions[0], self.width, self.height):
                if ahead > 0 and 1 <= x < self.width - 1 and 1 <= y < self.height - 1:
                    here = (slice(int(y) - 1, int(y) + 2), slice(int(x) - 1, int(x) + 2))
                    color[here], parts[here] = (200, 60, 30, 255), 3
        depth = np.where(parts > 0, np.float32(4.25), np.float32(np.inf))
        return types.SimpleNamespace(
            color=color,
            parts=parts,
            entities=np.minimum(parts, 1),
            depth=depth,
            normals=np.where(parts[..., None] > 0, np.float32([0, 0, 1]), np.float32([0, 0, 0])),
            motion=np.zeros((*shape, 2), np.float32),
        )


@pytest.fixture(scope="session")
def puppet() -> Callable[[Skeleton], Character]:
    return make_puppet


@pytest.fixture(scope="session")
def easel() -> type[Easel]:
    return Easel


def _piece(name: str, at: tuple[float, float, float], mesh: Mesh, material: Material) -> Character:
    skeleton = Skeleton.create([name], [-1], [at])
    return Character(name, skeleton, (mesh,), (material,))


def make_ball(
    radius: float = 0.5, at: tuple[float, float, float] = (0, 0, 0), material: Material | None = None, rings: int = 48
) -> Character:
    """A ball around its one joint."""
    up, round_ = np.meshgrid(np.linspace(0, np.pi, rings + 1), np.linspace(0, 2 * np.pi, 2 * rings + 1), indexing="ij")
    unit = np.stack([np.sin(up) * np.sin(round_), np.cos(up), np.sin(up) * np.cos(round_)], -1).reshape(-1, 3)
    row, column = (a.ravel() for a in np.meshgrid(np.arange(rings), np.arange(2 * rings), indexing="ij"))
    first = row * (2 * rings + 1) + column
    below = first + 2 * rings + 1
    faces = np.concatenate([np.stack([first, below, below + 1], -1), np.stack([first, below + 1, first + 1], -1)])
    uvs = np.stack([round_ / (2 * np.pi), up / np.pi], -1).reshape(-1, 2).astype(np.float32)
    mesh = Mesh("ball", np.float32(radius * unit), np.float32(unit), faces.astype(np.uint32), uvs, joint=0, material=0)
    return _piece("ball", at, mesh, material or Material(metallic=0.0, roughness=0.6, base_color=(0.6, 0.6, 0.6, 1)))


def make_box(
    size: tuple[float, float, float] = (1, 1, 1),
    at: tuple[float, float, float] = (0, 0, 0),
    material: Material | None = None,
) -> Character:
    """A box around its one joint, with edges."""
    corners, normals, faces = [], [], []
    for axis in range(3):
        for sign in (-1.0, 1.0):
            normal, across = np.zeros(3), np.zeros(3)
            normal[axis], across[(axis + 1) % 3] = sign, 1.0
            other = np.cross(normal, across)
            start = len(corners)
            corners += [normal + a * across + b * other for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
            normals += [normal] * 4
            faces += [(start, start + 1, start + 2), (start, start + 2, start + 3)]
    positions = np.float32(np.array(corners) * 0.5 * np.array(size))
    mesh = Mesh("box", positions, np.float32(normals), np.uint32(faces), joint=0, material=0)
    return _piece("box", at, mesh, material or Material(metallic=0.0, roughness=0.6, base_color=(0.6, 0.6, 0.6, 1)))


def make_arm(influences: int = 4) -> Character:
    """A tube of 1 m along +Y from the ground, with its weights spread over five joints."""
    joints = 5
    skeleton = Skeleton.create(
        [f"bone{j}" for j in range(joints)], list(range(-1, joints - 1)), [(0, 0, 0), *[(0, 0.2, 0)] * (joints - 1)]
    )
    ring, height = np.meshgrid(np.linspace(0, 2 * np.pi, 25)[:-1], np.linspace(0, 1, 41), indexing="xy")
    outward = np.stack([np.sin(ring), 0 * ring, np.cos(ring)], -1).reshape(-1, 3)
    positions = 0.08 * outward + np.stack([0 * height, height, 0 * height], -1).reshape(-1, 3)
    near = 1.0 / (0.02 + (positions[:, 1:2] - (0.1 + 0.2 * np.arange(joints))) ** 2)
    order = np.argsort(-near, axis=1, kind="stable")[:, :influences]
    weights = np.take_along_axis(near, order, 1)
    weights /= weights.sum(1, keepdims=True)
    row, column = (a.ravel() for a in np.meshgrid(np.arange(40), np.arange(24), indexing="ij"))
    a, b = row * 24 + column, row * 24 + (column + 1) % 24
    faces = np.concatenate([np.stack([a, b, b + 24], -1), np.stack([a, b + 24, a + 24], -1)])
    placed = skeleton.rest_pose.global_positions
    bind = np.tile(np.eye(4, dtype=np.float32), (joints, 1, 1))
    bind[:, :3, 3] = -placed
    mesh = Mesh(
        "arm",
        np.float32(positions),
        np.float32(outward),
        faces.astype(np.uint32),
        joints=np.int32(order),
        weights=np.float32(weights),
        inverse_bind=bind,
        material=0,
    )
    material = Material(metallic=0.0, roughness=0.5, base_color=(0.7, 0.35, 0.2, 1), double_sided=True)
    return Character("arm", skeleton, (mesh,), (material,))


def rest(character: Character, count: int = 1, **others: object) -> Instances:
    """Instances of a character in its rest pose, with positions that a test may change."""
    pose = character.skeleton.rest_pose
    rotation, position = (np.tile(array, (count, 1, 1)) for array in (pose.global_rotations, pose.global_positions))
    return Instances(character, Pose.from_model(character.skeleton, rotation, position), **others)  # type: ignore[arg-type]


@pytest.fixture(scope="session")
def shapes() -> types.SimpleNamespace:
    """Bodies of known form: `ball`, `box`, `arm`, and `rest` that makes instances of them."""
    return types.SimpleNamespace(ball=make_ball, box=make_box, arm=make_arm, rest=rest)


@pytest.fixture(scope="session")
def driver() -> str:
    """The name of the graphics driver; tests that draw are skipped where there is none."""
    from kinema.errors import MissingError
    from kinema.rendering.context import probe

    try:
        return str(probe())
    except MissingError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def renderer(driver: str) -> Iterator[Renderer]:
    """An off-screen renderer of 160 x 120 pixels that many tests share; those that resize it set it back."""
    from kinema.rendering.renderer import Renderer

    with Renderer(160, 120, quality="draft") as made:
        yield made
