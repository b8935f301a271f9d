"""Morph targets on the graphics side: pictures of moved vertices are those of vertices that stood there all along."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from kinema import Character, KinemaError
from kinema.character import Morph
from kinema.rendering.camera import Camera
from kinema.rendering.gpu_mesh import GpuCharacter
from kinema.rendering.morphs import MOST, capacity, choice, columns
from kinema.rendering.view import Floor, Instances, Sun, View


def posed(character: Character, morphs: np.ndarray | None = None, tints: np.ndarray | None = None) -> Instances:
    return Instances(character, character.skeleton.rest_pose[None].replace(morph_weights=morphs), tints=tints)


def faced(character: Character, count: int = 5, weight: float = 0.0) -> Character:
    """Every mesh with targets that move and turn it; the second one is half a unit of the fourth."""
    rng = np.random.default_rng(3)
    meshes = []
    for mesh in character.meshes:
        morphs = [
            Morph(
                f"m{i}",
                rng.normal(0, 0.1, mesh.positions.shape).astype(np.float32),
                rng.normal(0, 0.2, mesh.positions.shape).astype(np.float32) if i % 2 else None,
            )
            for i in range(count)
        ]
        morphs[-1] = dataclasses.replace(morphs[-1], weight=weight)
        meshes.append(dataclasses.replace(mesh, morphs=tuple(morphs)))
    return dataclasses.replace(character, meshes=tuple(meshes))


def baked(character: Character, weights: np.ndarray) -> Character:
    """The same shape without targets."""
    meshes, at = [], 0
    for mesh in character.meshes:
        part = weights[at : at + len(mesh.morphs)]
        at += len(mesh.morphs)
        normals = mesh.normals + sum(
            w * m.normals for w, m in zip(part, mesh.morphs, strict=True) if m.normals is not None
        )
        meshes.append(
            dataclasses.replace(mesh, positions=mesh.morphed(part), normals=np.asarray(normals, np.float32), morphs=())
        )
    return dataclasses.replace(character, meshes=tuple(meshes))


def picture(renderer, *instances: Instances, shadows: bool = True) -> np.ndarray:
    camera = Camera(np.array([0.0, 0.5, 4.0]), np.array([0.0, 0.0, 1.0, 0.0]), 0.8)
    return renderer.render(
        View(camera, instances, Sun((0.3, 1.0, 0.6), shadows=shadows), floor=Floor(y=-1.0))
    ).color.astype(np.int16)


@pytest.mark.parametrize("shape", ["box", "arm"])
def test_weights_move_what_is_seen_and_its_shadow(renderer, shapes, shape):
    character = faced(shapes.box() if shape == "box" else shapes.arm(5))
    weights = np.zeros(len(character.rest_weights), np.float32)
    weights[[1, 3]] = 1.0, -0.7
    moved = picture(renderer, posed(character, morphs=weights[None]))
    wanted = picture(renderer, posed(baked(character, weights)))
    plain = picture(renderer, posed(character))
    assert np.abs(moved - wanted).mean() < 0.1
    assert np.abs(plain - wanted).mean() > 0.5
    assert np.abs(plain - picture(renderer, posed(baked(character, 0 * weights)))).mean() < 0.1


def test_weights_at_rest_are_drawn(renderer, shapes):
    character = faced(shapes.box(), weight=0.8)
    wanted = picture(renderer, posed(baked(character, character.rest_weights)))
    assert np.abs(picture(renderer, posed(character)) - wanted).mean() < 0.1


def test_each_instance_has_its_own_face(renderer, shapes):
    character = faced(shapes.box())
    rest = character.skeleton.rest_pose[None]
    places = np.float32([[-0.8, 0, 0], [0.8, 0, 0]])
    weights = np.zeros((2, len(character.rest_weights)), np.float32)
    weights[1, 2] = 1.0
    two = rest[[0, 0]].replace(root_positions=places, morph_weights=weights)
    both = picture(renderer, Instances(character, two))
    apart = picture(
        renderer,
        Instances(baked(character, weights[0]), rest.replace(root_positions=places[:1])),
        Instances(baked(character, weights[1]), rest.replace(root_positions=places[1:])),
    )
    assert np.abs(both - apart).mean() < 0.1


def test_faded_ones_are_morphed_too(renderer, shapes):
    character = faced(shapes.box())
    weights = np.zeros(len(character.rest_weights), np.float32)
    weights[0] = 1.5
    tint = np.float32([[1, 1, 1, 0.5]])
    moved = picture(renderer, posed(character, morphs=weights[None], tints=tint), shadows=False)
    wanted = picture(renderer, posed(baked(character, weights), tints=tint), shadows=False)
    assert np.abs(moved - wanted).mean() < 0.1


def test_bodies_without_targets_carry_nothing(renderer, shapes):
    with renderer.context:
        gpu = GpuCharacter(renderer.context, shapes.box())
        gpu.release()
    assert gpu.weights_at.size == 0 and all(mesh.morphs is None for mesh in gpu.meshes)
    assert "MORPHS" not in gpu.meshes[0].defines()


def test_wrong_numbers_of_weights_are_said(renderer, shapes):
    with pytest.raises(KinemaError, match=r"morph weights of a pose to draw must be \[1, 5\], not \[1, 3\]"):
        picture(renderer, posed(faced(shapes.box()), morphs=np.zeros((1, 3), np.float32)))


def test_only_what_shows_is_gone_through(renderer, shapes):
    character = faced(shapes.box(), count=600)
    weights = np.zeros((2, 600), np.float32)
    weights[0, 7], weights[1, 9] = 1.0, -0.5
    with renderer.context:
        gpu = GpuCharacter(renderer.context, character)
        found, many = gpu.meshes[0].morphs.active(weights), gpu.meshes[0].morphs.active(weights + 0.1)
        gpu.release()
    assert found == (7, 9) and capacity(found) == 4 and capacity(()) == 0
    assert len(many) == MOST and 7 in many and capacity(many) == MOST


def test_where_weights_stand():
    assert columns([(2, 3), (3, 5)]).tolist() == [8, 9, 10, 12, 13, 14, 15, 16]
    assert choice([(3, 3), (9, 2)]).tolist() == [0, 1, 2, 7, 8]
    assert columns([]).dtype == choice([]).dtype == np.int64
