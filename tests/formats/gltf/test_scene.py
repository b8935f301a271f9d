"""The node tree, which nodes become joints, and transforms with known results."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import rotations
from kinema.errors import FormatError
from kinema.formats import load, save
from kinema.formats.rigid import rigid_part
from kinema.formats.sources import Source

HALF = float(np.sqrt(0.5))
TURN_X = [-HALF, 0, 0, HALF]  # xyzw, -90 degrees about X


def skeleton_of(file):
    return file.load().skeleton


def test_children_before_parents(gltf_file):
    nodes = [
        {"name": "hand", "translation": [1, 0, 0]},
        {"name": "arm", "translation": [0, 1, 0], "children": [0]},
        {"name": "hips", "translation": [0, 0, 1], "children": [1]},
    ]
    skeleton = skeleton_of(gltf_file(nodes=nodes, skins=[{"joints": [0, 1, 2]}]))
    assert skeleton.names == ("hips", "arm", "hand")
    np.testing.assert_allclose(skeleton.rest_pose.global_positions, [[0, 0, 1], [0, 1, 1], [1, 1, 1]])


def test_static_ancestors_and_helpers_are_folded_into_the_joints(gltf_file):
    nodes = [
        {"name": "Armature", "scale": [100, 100, 100], "rotation": TURN_X, "children": [1]},
        {"name": "hips", "translation": [0, 0, 0.01], "children": [2]},
        {"name": "helper", "translation": [0, 0, 0.002], "children": [3]},
        {"name": "spine", "translation": [0, 0, 0.003]},
    ]
    skeleton = skeleton_of(gltf_file(nodes=nodes, skins=[{"joints": [1, 3]}]))
    assert skeleton.names == ("hips", "spine")
    # A turn by -90 degrees about X takes Z to Y, and the scale makes metres of it.
    np.testing.assert_allclose(skeleton.rest_pose.global_positions, [[0, 1, 0], [0, 1.5, 0]], atol=1e-6)
    np.testing.assert_allclose(skeleton.rest_rotations[0], [HALF, -HALF, 0, 0], atol=1e-6)


def test_matrix_nodes_equal_their_parts(gltf_file):
    q = rotations.normalize(np.array([0.8, 0.3, -0.4, 0.2]))
    matrix = np.eye(4)
    matrix[:3, :3], matrix[:3, 3] = rotations.to_matrix(q) * [2, 2, 2], [1, 2, 3]
    parts = {"translation": [1, 2, 3], "rotation": q[[1, 2, 3, 0]].tolist(), "scale": [2, 2, 2]}
    child = {"translation": [0.5, 0, 0]}
    skins = [{"joints": [0, 1]}]
    a = skeleton_of(gltf_file(nodes=[{"matrix": matrix.T.ravel().tolist(), "children": [1]}, child], skins=skins))
    b = skeleton_of(gltf_file(nodes=[{**parts, "children": [1]}, child], skins=skins))
    for skeleton in (a, b):
        expected = np.array([1, 2, 3]) + rotations.rotate(q, np.array([1.0, 0, 0]))
        np.testing.assert_allclose(skeleton.rest_pose.global_positions[1], expected, atol=1e-6)
    np.testing.assert_allclose(a.rest_rotations, b.rest_rotations, atol=1e-6)


@pytest.mark.parametrize(
    ("nodes", "message"),
    [
        ([{"children": [1]}, {"children": [0]}], r"nodes\[0\]: is part of a cycle"),
        ([{"children": [0]}], r"nodes\[0\]: is part of a cycle"),
        ([{"children": [2]}, {"children": [2]}, {}], r"nodes\[2\]: has two parents"),
        ([{"children": [1, 1]}, {}], "twice"),
        ([{"children": [7]}], r"nodes\[0\]: children refers to nodes\[7\]"),
        ([{"children": 1}], "must be an array"),
        ([{"rotation": [0, 0, 0, 2]}], r"nodes\[0\]: rotation has length 2"),
        ([{"rotation": [0, 0, 0, 0]}], "rotation has length 0"),
        ([{"rotation": [0, 0, 1]}], "array of 4 numbers"),
        ([{"translation": [1e300, 0, 0]}], "out of range"),
        ([{"scale": [1, 1, "1"]}], "must be a number"),
        ([{"matrix": [1.0] * 16}], "not affine"),
        ([{"matrix": list(np.eye(4).ravel()), "scale": [1, 1, 1]}], "both a matrix"),
        ([{"scale": [1e20] * 3, "children": [1]}, {"translation": [1e20, 0, 0]}], r"nodes\[1\]: lies outside"),
    ],
)
def test_broken_nodes_are_named(gltf_file, nodes, message):
    with pytest.raises(FormatError, match=message):
        gltf_file(nodes=nodes).load()


def test_names_are_made_unique(gltf_file):
    nodes = [{"children": [1, 2, 3, 4]}, {"name": "a"}, {"name": "a"}, {"name": "a.1"}, {}]
    skeleton = skeleton_of(gltf_file(nodes=nodes))
    assert skeleton.names == ("node_0", "a", "a.2", "a.1", "node_4")


def test_only_the_chosen_scene_is_read(gltf_file):
    nodes = [{"name": "a", "children": [1]}, {"name": "b"}, {"name": "c", "children": [3]}, {"name": "d"}]
    asset = gltf_file(nodes=nodes, scenes=[{"nodes": [0]}, {"nodes": [2]}], scene=1).load()
    assert asset.skeleton.names == ("c", "d")
    assert "2 scenes" in asset.warnings[0]
    with pytest.raises(FormatError, match="not a root"):
        gltf_file(nodes=nodes, scenes=[{"nodes": [1]}]).load()


def test_cameras_and_mesh_leaves_are_no_joints(gltf_file):
    file = gltf_file(cameras=[{"type": "perspective"}])
    file.root["meshes"] = [{"primitives": [file.triangle()]}]
    file.root["nodes"] = [
        {"name": "hips", "children": [1, 2, 3]},
        {"name": "leg"},
        {"name": "eye", "camera": 0},
        {"name": "hat", "mesh": 0, "translation": [0, 1, 0]},
        {"name": "lamp"},
    ]
    asset = file.load()
    assert asset.skeleton.names == ("hips", "leg")
    np.testing.assert_allclose(asset.character.meshes[0].positions[0], [0, 1, 0])


def test_a_file_without_content_is_empty_with_a_warning(gltf_file):
    asset = gltf_file(nodes=[{"name": "lonely"}]).load()
    assert asset.skeleton is None and asset.character is None and asset.motions == ()
    assert "holds no skeleton" in asset.warnings[0]


def test_deep_trees_do_not_recurse(gltf_file):
    count = 20_000
    nodes = [{"children": [i + 1], "translation": [0, 1e-3, 0]} for i in range(count - 1)] + [{}]
    skeleton = skeleton_of(gltf_file(nodes=nodes, skins=[{"joints": list(range(count))}]))
    assert skeleton.joint_count == count
    np.testing.assert_allclose(skeleton.rest_pose.global_positions[-1], [0, 1e-3 * (count - 1), 0], rtol=1e-3)


def test_rigid_part_of_rotations_mirrors_shears_and_nothing(rng):
    q = rotations.normalize(rng.normal(size=(50, 4)))
    m = rotations.to_matrix(q)
    scale = rng.uniform(0.1, 3, (50, 1, 3))
    np.testing.assert_allclose(rigid_part(m * scale), m, atol=1e-9)
    mirrored = rigid_part(m * scale * [-1, 1, 1])
    np.testing.assert_allclose(mirrored, m, atol=1e-9)
    sheared = rigid_part(m @ (np.eye(3) + 0.3 * np.triu(np.ones((3, 3)), 1)))
    np.testing.assert_allclose(sheared @ np.swapaxes(sheared, 1, 2), np.broadcast_to(np.eye(3), (50, 3, 3)), atol=1e-9)
    np.testing.assert_allclose(np.linalg.det(sheared), 1)
    # The polar rotation is what is left when the map is symmetric and positive.
    symmetric = np.array([[2, 0.5, 0], [0.5, 1, 0.2], [0, 0.2, 1]])
    np.testing.assert_allclose(rigid_part(m @ symmetric), m, atol=1e-9)
    for flat in (np.zeros((3, 3)), np.diag([1.0, 1, 0]), np.ones((3, 3))):
        assert np.isfinite(rigid_part(flat[None])).all()


def test_reads_and_draws_the_same_after_a_mirroring_scale(gltf_file):
    file = gltf_file(
        nodes=[
            {"scale": [-1, 1, 1], "children": [1]},
            {"translation": [1, 0, 0], "rotation": TURN_X, "children": [2]},
            {"translation": [1, 0, 0]},
        ],
        skins=[{"joints": [1, 2]}],
    )
    skeleton = file.load().skeleton
    np.testing.assert_allclose(skeleton.rest_pose.global_positions, [[-1, 0, 0], [-2, 0, 0]], atol=1e-6)


def turned_person(gltf_file, extensions):
    """A skinned triangle, a static one on a joint, one on no joint, and a clip that moves a root."""
    file = gltf_file(
        extensions={name: {} for name in extensions},
        nodes=[
            {"name": "hips", "translation": [0.1, 1, 0.2], "rotation": TURN_X, "children": [1]},
            {"name": "hand", "translation": [0.5, 0.1, 0.3], "children": [3]},
            {"mesh": 0, "skin": 0},
            {"mesh": 1, "translation": [0.2, 0.3, 0.4]},
            {"mesh": 1, "translation": [1, 2, 3]},
            {"name": "prop", "scale": [2, 2, 2], "translation": [3, 0, 1], "children": [6]},
            {"name": "lid", "translation": [0, 0.5, 0.2]},
        ],
    )
    joints = file.accessor([[0, 1, 0, 0]] * 3, "VEC4", "u1")
    weights = file.accessor([[1, 0, 0, 0], [0.5, 0.5, 0, 0], [0, 1, 0, 0]], "VEC4")
    bind = np.tile(np.eye(4), (2, 1, 1))
    bind[1, :3, 3] = [0.1, 0.2, 0.3]
    file.root["skins"] = [
        {"joints": [0, 1], "inverseBindMatrices": file.accessor(bind.transpose(0, 2, 1), "MAT4")},
        {"joints": [6]},
    ]
    file.root["meshes"] = [
        {"primitives": [file.triangle(JOINTS_0=joints, WEIGHTS_0=weights)]},
        {"primitives": [file.triangle()]},
    ]
    file.animate(0, "translation", [0, 1], [[0, 1, 0], [1, 1, 2]])
    file.animate(0, "rotation", [0, 1], [[0, 0, 0, 1], TURN_X])
    file.animate(1, "rotation", [0, 1], [[0, 0, 0, 1], [0, HALF, 0, HALF]])
    return file


def test_vrm_0_is_turned_to_face_forward(gltf_file):
    plain, turned, vrm_1, both = (
        turned_person(gltf_file, names).load() for names in ((), ("VRM",), ("VRMC_vrm",), ("VRM", "VRMC_vrm"))
    )
    assert [any("180 degrees" in line for line in asset.warnings) for asset in (plain, turned, vrm_1, both)] == [
        False,
        True,
        False,
        False,
    ]
    for asset, sign in ((turned, [-1, 1, -1]), (vrm_1, [1, 1, 1]), (both, [1, 1, 1])):
        assert asset.skeleton.names == plain.skeleton.names == ("hips", "hand", "lid")
        for frames in (None, slice(None)):
            was, now = (
                item.skeleton.rest_pose if frames is None else item.motions[0][frames] for item in (plain, asset)
            )
            np.testing.assert_allclose(now.global_positions, was.global_positions * sign, atol=1e-6)
            meshes = zip(plain.character.skin(was), asset.character.skin(now), strict=True)
            for vertices, others in meshes:
                np.testing.assert_allclose(others, vertices * sign, atol=1e-6)


def test_what_was_turned_stays_so_when_it_is_written(gltf_file, tmp_path):
    turned = turned_person(gltf_file, ("VRM",)).load()
    save(turned, tmp_path / "a.glb")
    again = load(tmp_path / "a.glb")
    assert not any("180 degrees" in line for line in again.warnings)
    np.testing.assert_allclose(
        again.skeleton.rest_pose.global_positions, turned.skeleton.rest_pose.global_positions, atol=1e-6
    )
    np.testing.assert_allclose(again.motions[0][:].global_positions, turned.motions[0][:].global_positions, atol=1e-5)


@pytest.mark.parametrize("name", ["material", "poselib_position_pose", "skinned_mesh_parent_vrm0", "minimal"])
def test_real_vrm_0_characters_face_forward(data_dir, name):
    path = data_dir / "characters" / "vrm_tests" / f"{name}.vrm"
    data = path.read_bytes()
    asset = load(path)
    raw = load(Source.from_bytes(data.replace(b'"VRM":{', b'"XYZ":{'), path.name))
    positions = asset.skeleton.rest_pose.global_positions
    sides = {leg.side: leg for leg in asset.skeleton.roles.legs}
    across = positions[sides["left"].upper] - positions[sides["right"].upper]
    assert across[0] > 0.1 and abs(across[2]) < 1e-3  # left is +X where the front is +Z
    if sides["left"].toe is not None:
        assert (positions[sides["left"].toe] - positions[sides["left"].foot])[2] > 0.1
    np.testing.assert_allclose(positions, raw.skeleton.rest_pose.global_positions * [-1, 1, -1], atol=1e-6)
    if raw.character is not None:
        pairs = zip(
            asset.character.skin(asset.skeleton.rest_pose),
            raw.character.skin(raw.skeleton.rest_pose),
            strict=True,
        )
        for vertices, others in pairs:
            np.testing.assert_allclose(vertices, others * [-1, 1, -1], atol=1e-5)
