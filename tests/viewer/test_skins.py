"""Characters as viser takes them must look as they do by our own skinning."""

import io

import numpy as np
import pytest
from PIL import Image

from kinema import Skeleton, rotations
from kinema.character import Character, Material, Mesh, Texture
from kinema.pose import Pose
from kinema.viewer.skins import MOST_JOINTS, SkinPart, cluster, portions, skin_parts, strongest, weld


def viser_skinning(part: SkinPart, global_rotations: np.ndarray, global_positions: np.ndarray) -> np.ndarray:
    """What the browser computes: rigid bones relative to their bind pose, blended."""
    result = np.zeros_like(part.vertices)
    for bone, joint in enumerate(part.joints):
        local = rotations.inverse_rotate(part.bind_rotations[bone], part.vertices - part.bind_positions[bone])
        if joint >= 0:
            moved = rotations.rotate(global_rotations[joint], local) + global_positions[joint]
        else:
            moved = part.vertices
        result += part.weights[:, bone, None] * moved
    return result


def sorted_rows(points: np.ndarray) -> np.ndarray:
    rounded = np.round(points, 4) + 0.0
    return np.unique(rounded, axis=0)


def make_mesh(rng: np.random.Generator, skeleton: Skeleton, scale: float = 1.0, influences: int = 4) -> Mesh:
    count, joints = 60, skeleton.joint_count
    global_rotations, global_positions = skeleton.rest_pose.global_rotations, skeleton.rest_pose.global_positions
    bind = np.tile(np.eye(4, dtype=np.float32), (joints, 1, 1))
    matrices = np.swapaxes(rotations.to_matrix(global_rotations), -1, -2)
    bind[:, :3, :3] = scale * matrices
    bind[:, :3, 3] = -np.einsum("jab,jb->ja", matrices, global_positions)
    weights = rng.uniform(0.1, 1, (count, influences)).astype(np.float32)
    normals = rotations.normalize_vector(rng.normal(size=(count, 3)).astype(np.float32))
    return Mesh(
        "skin",
        rng.normal(size=(count, 3)).astype(np.float32) / scale,
        normals,
        np.arange(count, dtype=np.uint32).reshape(-1, 3),
        joints=np.stack([rng.permutation(joints)[:influences] for _ in range(count)]).astype(np.int32),
        weights=weights / weights.sum(1, keepdims=True),
        inverse_bind=bind,
    )


def some_pose(rng: np.random.Generator, skeleton: Skeleton) -> tuple[np.ndarray, np.ndarray]:
    from kinema import kinematics

    local = rotations.normalize(rng.normal(size=(skeleton.joint_count, 4)).astype(np.float32))
    return kinematics.forward(local, skeleton.rest_translations, skeleton.parents.tolist())


@pytest.mark.parametrize("scale", [1.0, 0.01, 100.0])
def test_same_shape_as_our_skinning_also_with_scaled_bind_matrices(biped, rng, scale):
    mesh = make_mesh(rng, biped, scale)
    parts = skin_parts(Character("c", biped, (mesh,)))
    global_rotations, global_positions = some_pose(rng, biped)
    ours = mesh.skin(Pose.from_model(biped, global_rotations, global_positions))
    theirs = np.concatenate([viser_skinning(part, global_rotations, global_positions) for part in parts])
    assert len(theirs) == len(ours)
    assert sorted_rows(theirs) == pytest.approx(sorted_rows(ours), abs=5e-4)


def test_four_influences_are_kept_and_sum_to_one(biped, rng):
    mesh = make_mesh(rng, biped, influences=9)
    joints, weights = strongest(mesh)
    assert joints.shape == weights.shape == (60, 4)
    assert weights.sum(axis=1) == pytest.approx(1.0)
    assert (
        np.sort(mesh.weights, axis=1)[:, -4:].sum(1)
        >= 0.999 * np.take_along_axis(mesh.weights, np.argsort(-mesh.weights, axis=1)[:, :4], axis=1).sum(1)
    ).all()
    for part in skin_parts(Character("c", biped, (mesh,))):
        assert (np.count_nonzero(part.weights, axis=1) <= 4).all()


def test_meshes_without_a_skin_hang_on_their_joint_or_stand_still(biped, rng):
    global_rotations, global_positions = some_pose(rng, biped)
    for joint in (5, None):
        skinned = make_mesh(rng, biped)
        mesh = Mesh("rigid", skinned.positions, skinned.normals, skinned.indices, joint=joint)
        (part,) = skin_parts(Character("c", biped, (mesh,)))
        expected = mesh.skin(Pose.from_model(biped, global_rotations, global_positions))
        assert sorted_rows(viser_skinning(part, global_rotations, global_positions)) == pytest.approx(
            sorted_rows(expected), abs=2e-4
        )


def test_weld_joins_seams_but_keeps_hard_edges():
    place = np.zeros((4, 3), np.float32)
    normals = np.float32([[0, 1, 0], [0, 1, 0], [1, 0, 0], [0, 1, 0]])
    joints = np.int32([[0], [0], [0], [1]])
    numbers = weld(place, normals, joints, np.ones((4, 1), np.float32), np.zeros((4, 3), np.float32))
    assert numbers[0] == numbers[1]
    assert len({numbers[0], numbers[2], numbers[3]}) == 3


def test_a_palette_texture_becomes_flat_colours(biped, rng):
    image = Image.new("RGB", (2, 1))
    image.putpixel((0, 0), (200, 30, 40))
    image.putpixel((1, 0), (10, 60, 220))
    stream = io.BytesIO()
    image.save(stream, "PNG")
    mesh = make_mesh(rng, biped)
    uvs = np.where(np.arange(60)[:, None] < 30, np.float32([0.25, 0.5]), np.float32([0.75, 0.5]))
    mesh = Mesh(
        mesh.name,
        mesh.positions,
        mesh.normals,
        mesh.indices,
        uvs=uvs,
        joints=mesh.joints,
        weights=mesh.weights,
        inverse_bind=mesh.inverse_bind,
        material=0,
    )
    texture = Texture("t", "image/png", stream.getvalue())
    character = Character("c", biped, (mesh,), (Material(base_color_texture=0),), (texture,))
    colors = {part.color for part in skin_parts(character)}
    assert len(colors) == 2
    assert any(abs(r - 200) <= 2 and abs(g - 30) <= 2 and abs(b - 40) <= 2 for r, g, b in colors)


def test_a_broken_texture_is_white_not_an_error(biped, rng):
    mesh = make_mesh(rng, biped)
    mesh = Mesh(
        mesh.name,
        mesh.positions,
        mesh.normals,
        mesh.indices,
        uvs=np.zeros((60, 2), np.float32),
        joints=mesh.joints,
        weights=mesh.weights,
        inverse_bind=mesh.inverse_bind,
        material=0,
    )
    character = Character("c", biped, (mesh,), (Material(base_color_texture=0),), (Texture("t", "image/png", b"no"),))
    assert skin_parts(character)[0].color == (255, 255, 255)


def test_many_colours_are_grouped(rng):
    group, colors = cluster(rng.uniform(size=(500, 3)), most=5)
    assert len(colors) == 5 and set(np.unique(group)) == set(range(5))
    group, colors = cluster(np.tile([[0.0, 0.5, 1.0]], (7, 1)))
    assert colors == [(0, 128, 255)] and (group == 0).all()


def test_skeletons_of_thousands_of_joints_are_drawn_in_portions(rng: np.random.Generator) -> None:
    joints = np.arange(4000, dtype=np.int32)[:, None]
    first = np.arange(3998, dtype=np.uint32)
    faces = np.stack([first, first + 1, first + 2], axis=1)
    parts = portions(faces, joints)
    assert max(len(np.unique(joints[part])) for part in parts) <= MOST_JOINTS + 2
    assert np.array_equal(np.concatenate(parts), faces)
    assert len(portions(faces[:200], joints)) == 1 and portions(faces[:0], joints) == []
