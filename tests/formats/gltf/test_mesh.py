"""Primitives, skins and morph targets."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from kinema import rotations
from kinema.errors import FormatError
from kinema.pose import Pose

SQUARE = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]


def only_mesh(file):
    asset = file.load()
    assert len(asset.character.meshes) == 1
    return asset.character.meshes[0]


@pytest.mark.parametrize("dtype", [None, "u1", "u2", "u4"])
def test_indices_of_all_types_or_none(gltf_file, dtype):
    file = gltf_file(nodes=[{"mesh": 0}])
    primitive = file.triangle()
    if dtype:
        primitive["indices"] = file.accessor([2, 0, 1], "SCALAR", dtype)
    file.root["meshes"] = [{"name": "tri", "primitives": [primitive]}]
    mesh = only_mesh(file)
    assert mesh.indices.dtype == np.uint32 and mesh.name == "tri" and mesh.joint == 0
    np.testing.assert_array_equal(mesh.indices, [[2, 0, 1]] if dtype else [[0, 1, 2]])
    np.testing.assert_allclose(mesh.normals, [[0, 0, 1]] * 3)  # computed


@pytest.mark.parametrize(
    ("mode", "expected"),
    [(5, [[0, 1, 2], [1, 3, 2], [2, 3, 4]]), (6, [[1, 2, 0], [2, 3, 0], [3, 4, 0]]), (4, [[0, 1, 2]])],
)
def test_strips_and_fans(gltf_file, mode, expected):
    file = gltf_file(nodes=[{"mesh": 0}])
    position = file.accessor(np.arange(15), "VEC3")
    file.root["meshes"] = [{"primitives": [{"attributes": {"POSITION": position}, "mode": mode}]}]
    np.testing.assert_array_equal(only_mesh(file).indices, expected)


def test_points_and_lines_are_left_out_with_a_warning(gltf_file):
    file = gltf_file(nodes=[{"mesh": 0}])
    file.root["meshes"] = [{"primitives": [{**file.triangle(), "mode": mode} for mode in (0, 1, 2, 3, 7)]}]
    asset = file.load()
    assert asset.character is None
    assert sum("draws points, lines or something unknown" in line for line in asset.warnings) == 5


def skinned(gltf_file, joints, weights, dtype="u1", weight_dtype="f4"):
    file = gltf_file(nodes=[{"children": [1]}, {"translation": [0, 1, 0]}, {"mesh": 0, "skin": 0}])
    bind = np.tile(np.eye(4), (2, 1, 1))
    bind[1, :3, 3] = [0, -1, 0]
    primitive = file.triangle()
    for number, (joint, weight) in enumerate(zip(joints, weights, strict=True)):
        primitive["attributes"][f"JOINTS_{number}"] = file.accessor(joint, "VEC4", dtype)
        primitive["attributes"][f"WEIGHTS_{number}"] = file.accessor(
            weight, "VEC4", weight_dtype, **({} if weight_dtype == "f4" else {"normalized": True})
        )
    file.root["meshes"] = [{"primitives": [primitive]}]
    file.root["skins"] = [{"joints": [0, 1], "inverseBindMatrices": file.accessor(bind.transpose(0, 2, 1), "MAT4")}]
    return file


def test_skinning_moves_vertices_as_the_definition_says(gltf_file):
    file = skinned(gltf_file, [[[0, 1, 0, 0]] * 3], [[[1, 0, 0, 0], [0, 1, 0, 0], [0.5, 0.5, 0, 0]]])
    asset = file.load()
    mesh = asset.character.meshes[0]
    turn = rotations.from_axis_angle(np.float32([0, 0, 1]), np.float32(np.pi / 2))
    q = np.stack([np.float32([1, 0, 0, 0]), turn])
    moved = asset.character.skin(Pose.from_model(asset.character.skeleton, q, np.float32([[0, 0, 0], [0, 1, 0]])))[0]
    # Vertex 0 stays; vertex 1 at (1,0,0) turns about (0,1,0) to (1,2,0); vertex 2 at (0,1,0) is the pivot.
    np.testing.assert_allclose(moved, [[0, 0, 0], [1, 2, 0], [0, 1, 0]], atol=1e-6)
    assert mesh.joints.dtype == np.int32


def test_all_sets_of_influences_and_integer_weights(gltf_file):
    file = skinned(
        gltf_file, [[[0, 0, 0, 0]] * 3, [[1, 0, 0, 0]] * 3], [[[127, 0, 0, 0]] * 3, [[128, 0, 0, 0]] * 3], "u2", "u1"
    )
    mesh = only_mesh(file)
    assert mesh.weights.shape == (3, 8)
    np.testing.assert_allclose(mesh.weights.sum(axis=1), 1, atol=1e-6)
    np.testing.assert_allclose(mesh.weights[0, 4], 128 / 255, atol=1e-6)
    assert mesh.joints[0, 4] == 1


def test_weights_that_do_not_sum_to_one_are_normalised_and_missing_ones_follow_the_first_joint(gltf_file):
    nothing = [0, 0, 0, 0]
    broken = [np.nan] * 4
    file = skinned(gltf_file, [[[1, 0, 0, 0]] * 3], [[[2, 2, 0, 0], nothing, broken]])
    asset = file.load()
    np.testing.assert_allclose(asset.character.meshes[0].weights[:, :2], [[0.5, 0.5], [1, 0], [1, 0]])
    assert "2 vertices without a joint" in asset.warnings[0]


@pytest.mark.parametrize(
    ("joints", "weights", "message"),
    [
        ([7, 0, 0, 0], [1, 0, 0, 0], r"skins\[0\]: mesh 'mesh_0' names a joint beyond the 2"),
        ([0, 0, 0, 0], [1, -1, 0, 0], "negative joint weight"),
        ([0, 0, 0, 0], [np.inf, 0, 0, 0], "infinite"),
    ],
)
def test_wrong_influences_are_refused(gltf_file, joints, weights, message):
    with pytest.raises(FormatError, match=message):
        skinned(gltf_file, [[joints] * 3], [[weights] * 3]).load()


def test_a_joint_beyond_the_skin_without_weight_does_not_matter(gltf_file):
    mesh = only_mesh(skinned(gltf_file, [[[0, 200, 0, 0]] * 3], [[[1, 0, 0, 0]] * 3]))
    assert mesh.joints.max() < 2


def test_inverse_bind_takes_up_the_scale_of_the_joints(gltf_file):
    file = skinned(gltf_file, [[[0, 1, 0, 0]] * 3], [[[0.25, 0.75, 0, 0]] * 3])
    file.root["nodes"][0].update(scale=[2, 3, 4], rotation=[0.5, 0.5, 0.5, 0.5])
    asset = file.load()
    m = np.eye(4)
    m[:3, :3] = rotations.to_matrix(np.array([0.5, 0.5, 0.5, 0.5])) * [2, 3, 4]
    child = m @ np.array([[1, 0, 0, 0], [0, 1, 0, 1], [0, 0, 1, 0], [0, 0, 0, 1]])
    bind = np.eye(4)
    bind[1, 3] = -1
    blend = 0.25 * m + 0.75 * child @ bind
    expected = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]]) @ blend[:3, :3].T + blend[:3, 3]
    np.testing.assert_allclose(
        asset.character.skin(asset.skeleton.rest_pose)[0],
        expected,
        atol=1e-5,
    )


def test_meshes_on_static_nodes_are_brought_into_their_joint(gltf_file):
    file = gltf_file(
        nodes=[
            {"rotation": [0.5, 0.5, 0.5, 0.5], "scale": [2, 2, 2], "translation": [0, 1, 0], "children": [1]},
            {"mesh": 0, "translation": [1, 2, 3], "scale": [1, 1, -1]},
        ],
        skins=[{"joints": [0]}],
    )
    file.root["meshes"] = [{"primitives": [file.triangle()]}]
    asset = file.load()
    mesh = asset.character.meshes[0]
    assert mesh.joint == 0
    q = np.array([0.5, 0.5, 0.5, 0.5])
    local = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]]) * [1, 1, -1] + [1, 2, 3]
    expected = rotations.rotate(q, 2 * local) + np.array([0, 1, 0])
    np.testing.assert_allclose(
        asset.character.skin(asset.skeleton.rest_pose)[0],
        expected,
        atol=1e-5,
    )
    # The scale mirrors: the triangle is turned round so that its outside stays outside, facing away from +Z.
    a, b, c = mesh.positions[mesh.indices[0]]
    assert np.dot(np.cross(b - a, c - a), mesh.normals[0]) > 0


def test_morph_targets_and_their_names(gltf_file):
    file = gltf_file(nodes=[{"mesh": 0}])
    primitive = file.triangle()
    primitive["targets"] = [{"POSITION": file.accessor(np.full((3, 3), 2.0), "VEC3")}, {}]
    file.root["meshes"] = [{"primitives": [primitive], "extras": {"targetNames": ["open", "shut"]}}]
    morphs = only_mesh(file).morphs
    assert [morph.name for morph in morphs] == ["open", "shut"]
    np.testing.assert_array_equal(morphs[0].positions, np.full((3, 3), 2))
    np.testing.assert_array_equal(morphs[1].positions, np.zeros((3, 3)))


@pytest.mark.parametrize(
    ("of_mesh", "of_node", "expected"),
    [
        (None, None, [0, 0]),
        ([0, 0.5], None, [0, 0.5]),
        ([0, 0.5], [1, 0], [1, 0]),
        (None, [0.25, 0], [0.25, 0]),
    ],
)
def test_resting_morph_weights_are_those_of_the_node_before_those_of_the_mesh(gltf_file, of_mesh, of_node, expected):
    file = gltf_file(nodes=[{"mesh": 0}, {}])
    primitive = file.triangle()
    primitive["targets"] = [{"POSITION": file.accessor(np.full((3, 3), 2.0), "VEC3")}, {}]
    file.root["meshes"] = [{"primitives": [primitive]}]
    for owner, weights in ((file.root["meshes"][0], of_mesh), (file.root["nodes"][0], of_node)):
        if weights is not None:
            owner["weights"] = weights
    mesh = only_mesh(file)
    assert mesh.rest_weights.tolist() == expected
    assert file.load().warnings == ()
    np.testing.assert_allclose(mesh.morphed() - mesh.positions, np.full((3, 3), 2 * expected[0]))
    file.root["meshes"][0]["weights"] = [1]
    with pytest.raises(FormatError, match=r"meshes\[0\]: weights must be an array of 2 numbers"):
        file.load()


def test_morph_normals_turn_with_the_mesh(gltf_file):
    file = gltf_file(nodes=[{"children": [1]}, {"mesh": 0, "rotation": [0, 1, 0, 0], "scale": [2, 2, 2]}])
    primitive = file.triangle(NORMAL=file.accessor([[0, 0, 1]] * 3, "VEC3"))
    offsets = file.accessor([[1, 0, 0]] * 3, "VEC3")
    primitive["targets"] = [{"POSITION": offsets, "NORMAL": offsets}, {"POSITION": offsets}]
    file.root["meshes"] = [{"primitives": [primitive]}]
    mesh = file.load().character.meshes[0]
    np.testing.assert_allclose(mesh.morphs[0].positions, [[-2, 0, 0]] * 3, atol=1e-6)
    np.testing.assert_allclose(mesh.morphs[0].normals, [[-1, 0, 0]] * 3, atol=1e-6)
    assert mesh.morphs[1].normals is None


def test_texture_coordinates_are_moved_as_the_material_says(gltf_file):
    uv = [[0, 0], [1, 0], [0, 1]]
    file = gltf_file(nodes=[{"mesh": 0}], textures=[{"source": 0}], images=[{"uri": "data:,"}])
    file.root["meshes"] = [{"primitives": [{**file.triangle(TEXCOORD_0=file.accessor(uv, "VEC2")), "material": 0}]}]
    move = {"offset": [0, 1], "rotation": np.pi / 2, "scale": [0.5, 0.5]}  # the lower left quarter, turned
    info = {"index": 0, "extensions": {"KHR_texture_transform": move}}
    file.root["materials"] = [{"pbrMetallicRoughness": {"baseColorTexture": info}}]
    np.testing.assert_allclose(only_mesh(file).uvs, [[0, 1], [0, 0.5], [0.5, 1]], atol=1e-6)
    file.root["materials"][0]["normalTexture"] = {"index": 0}
    assert any("normalTexture has other texture coordinates" in line for line in file.load().warnings)


def test_attributes_of_other_types(gltf_file):
    file = gltf_file(nodes=[{"mesh": 0}])
    uv = file.accessor([0, 0, 65535, 0, 0, 65535], "VEC2", "u2", normalized=True)
    color = file.accessor([[255, 0, 0, 0]] * 3, "VEC4", "u1", normalized=True)
    normal = file.accessor([[0, 0, 3]] * 3, "VEC3")
    file.root["meshes"] = [{"primitives": [file.triangle(TEXCOORD_0=uv, COLOR_0=color, NORMAL=normal)]}]
    mesh = only_mesh(file)
    np.testing.assert_allclose(mesh.uvs, [[0, 0], [1, 0], [0, 1]])
    np.testing.assert_allclose(mesh.colors, [[1, 0, 0, 0]] * 3)
    np.testing.assert_allclose(mesh.normals, [[0, 0, 1]] * 3)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda f, p: p.update(indices=f.accessor([0, 1, 3], "SCALAR", "u2")), r"names vertex 3 of 3"),
        (lambda f, p: p.update(indices=f.accessor([0, 1, 2], "SCALAR")), "must hold unsigned SCALAR"),
        (lambda f, p: p["attributes"].update(POSITION=f.accessor(np.zeros(6), "VEC2")), "must hold 3 VEC3"),
        (lambda f, p: p["attributes"].update(NORMAL=f.accessor(np.zeros(6), "VEC3")), "must hold 3 VEC3 to be NORMAL"),
        (lambda f, p: p["attributes"].update(POSITION=f.accessor(np.zeros(9), "VEC3", "i2")), "number type"),
        (lambda f, p: p["attributes"].update(JOINTS_0=f.accessor(np.zeros(12), "VEC4", "u1")), "JOINTS_0 without"),
        (lambda f, p: p.update(targets=[{"POSITION": f.accessor(np.zeros(6), "VEC3")}]), "must hold 3 VEC3"),
        (lambda f, p: p.update(material=0), r"materials\[0\]"),
        (lambda f, p: p.update(attributes=3), "attributes must be an object"),
    ],
)
def test_wrong_primitives_are_refused(gltf_file, change, message):
    file = gltf_file(nodes=[{"mesh": 0}])
    primitive = file.triangle()
    change(file, primitive)
    file.root["meshes"] = [{"primitives": [primitive]}]
    with pytest.raises(FormatError, match=message):
        file.load()


@pytest.mark.parametrize(
    ("skin", "message"),
    [({"joints": []}, "must not be empty"), ({"joints": [0, 0]}, "twice"), ({"joints": [5]}, r"nodes\[5\]")],
)
def test_wrong_skins_are_refused(gltf_file, skin, message):
    with pytest.raises(FormatError, match=message):
        gltf_file(nodes=[{}], skins=[skin]).load()


def test_inverse_bind_matrices_are_checked(gltf_file):
    file = gltf_file(nodes=[{}, {}])
    file.root["skins"] = [{"joints": [0, 1], "inverseBindMatrices": file.accessor(np.eye(4), "MAT4")}]
    with pytest.raises(FormatError, match="at least 2 float MAT4"):
        file.load()
    file.root["skins"][0]["joints"] = [0]
    file.root["skins"][0]["inverseBindMatrices"] = file.accessor(np.ones(16), "MAT4")
    with pytest.raises(FormatError, match="not affine"):
        file.load()


def test_empty_morph_targets_are_counted_before_they_are_made(gltf_file):
    file = gltf_file(nodes=[{"mesh": 0}])
    file.root["accessors"] = [{"componentType": 5126, "type": "VEC3", "count": 100_000}]
    file.root["meshes"] = [{"primitives": [{"attributes": {"POSITION": 0}, "targets": [{}] * 300}]}]
    tracemalloc.start()
    with pytest.raises(FormatError, match="bytes of memory"):
        file.load()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 60 * 2**20


def test_copies_of_interleaved_numbers_are_counted(gltf_file):
    file = gltf_file(nodes=[{"mesh": 0}])
    view = file.view(bytes(16 * 50_000), byteStride=16)
    entry = {"bufferView": view, "componentType": 5126, "type": "VEC3", "count": 50_000}
    file.root["accessors"] = [entry] * 300
    targets = [{"POSITION": number} for number in range(300)]
    file.root["meshes"] = [{"primitives": [{"attributes": {"POSITION": 0}, "targets": targets}]}]
    with pytest.raises(FormatError, match="bytes of memory"):
        file.load()


def test_a_skin_may_bind_to_an_end_site(gltf_file):
    file = gltf_file()
    primitive = file.triangle()
    primitive["attributes"]["JOINTS_0"] = file.accessor([[1, 0, 0, 0]] * 3, "VEC4", "u1")
    primitive["attributes"]["WEIGHTS_0"] = file.accessor([[1, 0, 0, 0]] * 3, "VEC4")
    end = {"translation": [0, 1, 0], "extras": {"kinema": {"tip": True}}}
    file.root["nodes"] = [{"children": [1]}, end, {"mesh": 0, "skin": 0}]
    file.root["meshes"], file.root["skins"] = [{"primitives": [primitive]}], [{"joints": [0, 1]}]
    mesh = only_mesh(file)
    np.testing.assert_array_equal(mesh.joints[:, 0], [1, 1, 1])
