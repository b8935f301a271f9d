"""Meshes stand where they should, on joints of any scale, and move with them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kinema import load, rotations
from kinema.formats.fbx import meshes as module
from kinema.formats.fbx.meshes import read_character
from kinema.formats.fbx.nodes import read_nodes
from kinema.formats.fbx.objects import open_document
from kinema.formats.fbx.scene import build_rig
from kinema.formats.fbx.settings import read_settings
from kinema.formats.fbx.surface import read_surface
from kinema.formats.rigid import rigid_frames
from kinema.formats.sources import open_source
from kinema.pose import Pose

TRIANGLE = "Vertices: 0,0,0,100,0,0,0,100,0\nPolygonVertexIndex: 0,1,-3\n"

# Smallest and largest coordinates of all vertices as ufbx 0.0.5 has them, skinned, in metres with Y up.
AS_STORED = [
    ("characters/geno_nc/Geno.fbx", (-0.82885, -0.00721, -0.1693, 0.83727, 1.70413, 0.14424), 18660),
    ("characters/threejs/OculusHand_L_low.fbx", (-0.02359, -0.02032, -0.08854, 0.19117, 0.05925, 0.05975), 762),
    ("importers/fbx_ufbx/max_transformed_skin_7500_binary.fbx",
     (-0.28815, -0.06786, 0.09231, 0.31709, 0.48518, 0.29384), 176),
    ("importers/fbx_ufbx/maya_transformed_skin_6100_ascii.fbx",
     (0.0224, 3e-05, -0.005, 0.04557, 0.03769, 0.005), 36),
    ("importers/fbx_ufbx/maya_instanced_skin_7700_binary.fbx",
     (0.0224, 3e-05, -0.005, 0.04557, 0.03769, 0.005), 72),
    ("importers/fbx_ufbx/maya_advanced_skinned_pivot_7700_binary.fbx",
     (-0.01178, -0.00336, -0.005, 0.02345, 0.01768, 0.005), 36),
    ("importers/fbx_ufbx/max7_skin_5000_binary.fbx", (-0.28457, 0.01215, -0.09375, 0.09638, 0.72833, 0.09375), 576),
    ("importers/fbx_ufbx/max_geometry_transform_7700_binary.fbx", (-0.508, 0.0, -0.254, 0.508, 1.016, 0.762), 24),
    ("importers/fbx_ufbx/synthetic_sausage_wiggle_no_bind_7500_ascii.fbx",
     (-0.005, 0.00018, -0.005, 0.005, 0.0335, 0.005), 44),
    ("importers/fbx_assimp/cubes_with_mirroring_and_pivot.fbx",
     (-0.06067, -0.14515, -0.06044, 0.14866, 0.15981, 0.26727), 420),
    ("importers/fbx_ufbx/blender_279_shape_weights_7400_binary.fbx", (-1.0, -1.0, -1.0, 1.0, 3.0, 1.0), 12),
]  # fmt: skip
MOVING = [
    ("characters/mesh2motion_tests/mixamo-original-rig.fbx", 2.0,
     (-0.3599, 0.00016, -0.97424, 0.39581, 0.72661, 0.60959)),
    ("human_mocap/misc_fbx/template.fbx", 1.5, (-0.2794, 0.05117, 1.3052, 0.41363, 1.84598, 2.24223)),
    ("any_topology/assimp/huesitos.fbx", 0.8, (-1.03499, 0.00349, -4.2537, 3.54659, 4.38653, -2.0733)),
    ("importers/fbx_assimp/animation_with_skeleton.fbx", 0.5,
     (-36.42014, -2.00077, -0.91666, 34.79132, 4.38502, 0.91671)),
    ("characters/ozz/robot.fbx", 5.0, (-0.01, 0.0, -0.01014, 0.4, 0.2, 0.35)),
]  # fmt: skip


def extent(vertices: list[np.ndarray]) -> np.ndarray:
    every = np.concatenate(vertices)
    return np.concatenate([every.min(axis=0), every.max(axis=0)])


@pytest.mark.parametrize("name, expected, triangles", AS_STORED)
def test_real_files_as_they_are_stored(data_dir: Path, name: str, expected: tuple[float, ...], triangles: int) -> None:
    document = open_document(open_source(data_dir / name))
    settings, nodes = read_settings(document), read_nodes(document)
    rig = build_rig(settings, nodes, set())
    assert rig is not None
    character = read_character(rig)
    assert character is not None
    frames = rigid_frames(settings.conversion @ nodes.rest[rig.nodes])
    turned = rotations.from_matrix(frames[:, :3, :3]).astype(np.float32)
    vertices = character.skin(Pose.from_model(character.skeleton, turned, frames[:, :3, 3].astype(np.float32)))
    size = max(1.0, np.abs(expected).max())
    np.testing.assert_allclose(extent(vertices), expected, atol=2e-5 * size)
    assert sum(len(mesh.indices) for mesh in character.meshes) == triangles


@pytest.mark.parametrize("name, seconds, expected", MOVING)
def test_real_files_in_motion(data_dir: Path, name: str, seconds: float, expected: tuple[float, ...]) -> None:
    asset = load(data_dir / name)
    motion = asset.motions[0].sample([seconds])
    assert asset.character is not None
    vertices = [rows[0] for rows in asset.character.skin(motion[:], motion.labels)]
    np.testing.assert_allclose(extent(vertices), expected, atol=5e-4 * max(1.0, np.abs(expected).max() / 2))


def test_normals_of_real_characters_point_outwards(data_dir: Path) -> None:
    for name, *_ in AS_STORED[:2] + MOVING:
        for mesh in load(data_dir / name).character.meshes:
            a, b, c = (mesh.positions[mesh.indices[:, corner]].astype(np.float64) for corner in range(3))
            faces = np.cross(b - a, c - a)
            along = np.einsum("tc,tc->t", faces, mesh.normals[mesh.indices].sum(axis=1))
            size = np.linalg.norm(faces, axis=1)
            assert size[along > 0].sum() > 0.98 * size.sum(), (name, mesh.name)


def hand(fbx_text, **properties):
    """A triangle on a node below a bone that is turned and scaled."""
    made = fbx_text()
    made.model(1, "root", Lcl_Translation=[0, 100, 0], Lcl_Rotation=[0, 90, 0], Lcl_Scaling=[2, 2, 2], InheritType=1)
    made.model(2, "tip", parent=1, Lcl_Translation=[0, 10, 0], InheritType=1)
    made.model(3, "blade", parent=1, kind="Mesh", InheritType=1, **properties)
    made.object("Geometry", 4, "Geometry::blade", "Mesh", TRIANGLE)
    made.link(4, 3)
    return made


def test_a_mesh_below_a_bone_hangs_on_it(fbx_text) -> None:
    asset = hand(fbx_text, Lcl_Translation=[0, 0, 10]).read(scale=1)
    (mesh,) = asset.character.meshes
    assert (mesh.name, asset.skeleton.names[mesh.joint]) == ("blade", "root")
    (world,) = asset.character.skin(asset.skeleton.rest_pose)
    np.testing.assert_allclose(world, [[0.2, 1, 0], [0.2, 1, -2], [0.2, 3, 0]], atol=1e-6)
    np.testing.assert_allclose(mesh.normals, np.tile([0, 0, 1], (3, 1)), atol=1e-6)


def test_geometric_transforms_move_meshes_only(fbx_text) -> None:
    asset = hand(fbx_text, GeometricTranslation=[0, 0, 10], GeometricScaling=[0.5, 0.5, 0.5]).read(scale=1)
    (world,) = asset.character.skin(asset.skeleton.rest_pose)
    np.testing.assert_allclose(world, [[0.2, 1, 0], [0.2, 1, -1], [0.2, 2, 0]], atol=1e-6)


def test_mirrored_meshes_keep_their_outside(fbx_text) -> None:
    asset = hand(fbx_text, Lcl_Scaling=[-1, 1, 1]).read(scale=1)
    (mesh,) = asset.character.meshes
    (world,) = asset.character.skin(asset.skeleton.rest_pose)
    a, b, c = world[mesh.indices[0]]
    # The mirror is seen from the same side as before: the normal stays, the winding turns.
    np.testing.assert_allclose(np.cross(b - a, c - a) / 4, [1, 0, 0], atol=1e-6)
    np.testing.assert_allclose(mesh.normals, np.tile([0, 0, 1], (3, 1)), atol=1e-6)


def test_one_geometry_on_several_nodes_and_invisible_ones(fbx_text) -> None:
    made = hand(fbx_text)
    made.model(5, "again", kind="Mesh", Lcl_Translation=[0, 0, 100])
    made.link(4, 5)
    made.model(6, "ghost", kind="Mesh", Visibility=0.0)
    made.link(4, 6)
    asset = made.read(scale=1)
    assert [(mesh.name, mesh.joint) for mesh in asset.character.meshes] == [("blade", 0), ("again", None)]
    np.testing.assert_allclose(asset.character.meshes[1].positions[0], [0, 0, 1])
    assert any("'ghost' is hidden" in line for line in asset.warnings)


def test_points_without_a_joint_follow_what_their_mesh_hangs_on(fbx_text) -> None:
    made = hand(fbx_text)
    made.object("Deformer", 7, "Deformer::", "Skin")
    made.link(7, 4)
    bind = ",".join(map(str, np.linalg.inv([[1, 0, 0, 0], [0, 1, 0, 20], [0, 0, 1, 0], [0, 0, 0, 1]]).T.ravel()))
    made.object("Deformer", 8, "SubDeformer::c", "Cluster", f"Indexes: 2\nWeights: 1\nTransform: {bind}\n")
    made.link(8, 7)
    made.link(2, 8)
    asset = made.read(scale=1)
    (mesh,) = asset.character.meshes
    assert [asset.skeleton.names[joint] for joint in mesh.joints[:, 0]] == ["root", "root", "tip"]
    assert any("2 points without a joint; they follow 'root'" in line for line in asset.warnings)
    (world,) = asset.character.skin(asset.skeleton.rest_pose)
    np.testing.assert_allclose(world[:2], [[0, 1, 0], [0, 1, -2]], atol=1e-6)
    np.testing.assert_allclose(world[2], [0, 1.2 + 2 * 0.8, 0], atol=1e-6)


def test_parts_take_the_materials_of_their_node(fbx_text) -> None:
    made = hand(fbx_text)
    made.objects[-1] = made.objects[-1].replace(
        TRIANGLE,
        "Vertices: 0,0,0,100,0,0,0,100,0\nPolygonVertexIndex: 0,1,-3,0,1,-3,0,1,-3\n"
        'LayerElementMaterial: 0 {\nMappingInformationType: "ByPolygon"\nMaterials: 1,0,9\n}\n',
    )
    for id, name in ((10, "red"), (11, "blue")):
        made.object("Material", id, f"Material::{name}")
        made.link(id, 3)
    character = made.read(scale=1).character
    names = [character.materials[mesh.material].name for mesh in character.meshes]
    assert [mesh.name for mesh in character.meshes] == ["blade.0", "blade.1", "blade.2"]
    assert names == ["red", "blue", "red"]


def test_morphs_are_turned_and_scaled_with_their_mesh(fbx_text) -> None:
    made = hand(fbx_text, Lcl_Rotation=[0, 90, 0])
    made.object("Deformer", 20, "Deformer::", "BlendShape")
    made.link(20, 4)
    made.object("Deformer", 21, "SubDeformer::long", "BlendShapeChannel")
    made.link(21, 20)
    made.object("Geometry", 22, "Geometry::long", "Shape", "Indexes: 1\nVertices: 10,0,0\nNormals: 0,0,1\n")
    made.link(22, 21)
    (mesh,) = made.read(scale=1).character.meshes
    (morph,) = mesh.morphs
    np.testing.assert_allclose(morph.positions, [[0, 0, 0], [0, 0, -0.2], [0, 0, 0]], atol=1e-7)
    np.testing.assert_allclose(morph.normals, [[0, 0, 0], [1, 0, 0], [0, 0, 0]], atol=1e-7)


def test_a_surface_on_many_nodes_is_read_once(fbx_text, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    monkeypatch.setattr(module, "read_surface", lambda *values: calls.append(1) or read_surface(*values))
    made = hand(fbx_text)
    for id in range(100, 150):
        made.model(id, f"leaf{id}", parent=1, kind="Mesh", Lcl_Translation=[id, 0, 0])
        made.link(4, id)
    asset = made.read(scale=1)
    assert asset.character is not None and len(asset.character.meshes) == 51 and len(calls) == 1
    assert len({tuple(mesh.positions[0]) for mesh in asset.character.meshes}) == 51
