"""Which models become joints, the rest pose, and how meshes are bound."""

from __future__ import annotations

import numpy as np

from kinema.formats.fbx.nodes import read_nodes
from kinema.formats.fbx.scene import FbxRig, build_rig
from kinema.formats.fbx.settings import read_settings


def rig_of(file, moved: tuple[int, ...] = ()) -> tuple[FbxRig, list[str]]:
    document = file.document()
    nodes = read_nodes(document)
    rig = build_rig(read_settings(document), nodes, {nodes.index[id] for id in moved})
    assert rig is not None
    return rig, document.warnings


def skeleton_file(fbx_text):
    """An armature scaled by 100, a bone with a child, a mesh, a camera and an empty model below the bone."""
    file = fbx_text()
    file.model(1, "Armature", kind="Null", Lcl_Scaling=[100, 100, 100], Lcl_Rotation=[-90, 0, 0], InheritType=1)
    file.model(2, "Hips", 1, Lcl_Translation=[0, 0, 1], InheritType=1)
    file.model(3, "Spine", 2, Lcl_Translation=[0, 0, 0.5], InheritType=1)
    file.model(4, "Body", 1, "Mesh")
    file.model(5, "Camera", 0, "Camera")
    file.model(6, "Socket", 3, "Null", Lcl_Translation=[0, 0, 1], InheritType=1)
    return file


def test_bones_are_joints_and_what_is_above_them_is_folded_in(fbx_text):
    rig, _ = rig_of(skeleton_file(fbx_text))
    assert rig.skeleton.names == ("Hips", "Spine") and rig.skeleton.parents.tolist() == [-1, 0]
    np.testing.assert_allclose(rig.skeleton.rest_pose.global_positions, [[0, 1, 0], [0, 1.5, 0]], atol=1e-6)
    assert rig.nearest == {1: 0, 2: 1, 5: 1}  # what no joint carries stands still
    # The models are a hundred times as large, in centimetres: as large as our joints.
    np.testing.assert_allclose(rig.attach, np.tile(np.eye(4), (2, 1, 1)), atol=1e-9)


def test_what_moves_is_a_joint_but_cameras_are_not(fbx_text):
    rig, warnings = rig_of(skeleton_file(fbx_text), (4, 5, 6))
    assert rig.skeleton.names == ("Hips", "Spine", "Socket", "Body")
    assert "('Camera' first)" in warnings[0]
    rig, _ = rig_of(skeleton_file(fbx_text), (1,))
    assert rig.skeleton.names == ("Armature", "Hips", "Spine")


def test_a_camera_that_carries_bones_is_a_joint_when_it_moves(fbx_text):
    file = skeleton_file(fbx_text)
    file.model(7, "Hand", 5)
    assert rig_of(file, (5,))[0].skeleton.names == ("Hips", "Spine", "Camera", "Hand")


def test_skins_make_joints_of_any_model(fbx_text):
    file = fbx_text()
    file.model(1, "a", kind="Null")
    file.model(2, "b", 1, "Mesh")
    file.object("Deformer", 8, "SubDeformer::", "Cluster")
    file.link(2, 8)
    assert rig_of(file)[0].skeleton.names == ("b",)


def test_without_bones_all_models_of_a_tree_but_leaves_with_a_mesh(fbx_text):
    file = fbx_text()
    file.model(1, "Root", kind="Null")
    file.model(2, "Arm", 1, "Null")
    file.model(3, "Shape", 2, "Mesh")
    file.model(4, "Lamp", 1, "Light")
    file.model(5, "Alone", 0, "Light")
    assert rig_of(file)[0].skeleton.names == ("Root", "Arm")
    assert rig_of(file, (4,))[0].skeleton.names == ("Root", "Arm", "Lamp")


def test_a_mesh_alone_has_one_joint_and_a_lamp_none(fbx_text):
    file = fbx_text()
    file.model(1, "Box", kind="Mesh")
    file.object("Geometry", 2, "Geometry::", "Mesh")
    file.link(2, 1)
    assert rig_of(file)[0].skeleton.names == ("Box",)
    file = fbx_text()
    file.model(1, "Lamp", kind="Light")
    document = file.document()
    assert build_rig(read_settings(document), read_nodes(document), set()) is None


def test_names_are_unique_and_keep_their_namespace(fbx_text):
    file = fbx_text()
    file.model(1, "mixamorig:Hips")
    file.model(2, "x", 1)
    file.model(3, "x", 2)
    assert rig_of(file)[0].skeleton.names == ("mixamorig:Hips", "x", "x.1")


def test_a_joint_keeps_its_name_beside_a_mesh_of_that_name(fbx_text):
    file = fbx_text()
    file.model(1, "Body", kind="Mesh")
    file.model(2, "Body")
    file.model(3, "Head", 2)
    assert rig_of(file)[0].skeleton.names == ("Body", "Head")


def bent(fbx_text, length: float = 10.0):
    """Two bones that stand bent, bound when they were straight: along Y, `length` apart."""
    file = fbx_text()
    file.model(1, "a", Lcl_Rotation=[0, 0, 90])
    file.model(2, "b", 1, Lcl_Translation=[0, 10, 0], Lcl_Rotation=[0, 0, 45])
    for number, id in enumerate((1, 2)):
        body = f"TransformLink: *16 {{ a: 1,0,0,0,0,1,0,0,0,0,1,0,0,{number * length},0,1 }}\n"
        file.object("Deformer", 20 + id, "SubDeformer::", "Cluster", body)
        file.link(id, 20 + id)
    return file


def test_the_bind_pose_is_the_rest_pose(fbx_text):
    rig, warnings = rig_of(bent(fbx_text))
    np.testing.assert_allclose(rig.skeleton.rest_pose.global_positions, [[0, 0, 0], [0, 0.1, 0]], atol=1e-7)
    np.testing.assert_allclose(rig.skeleton.rest_rotations, [[1, 0, 0, 0]] * 2, atol=1e-6)
    assert not warnings


def test_a_bind_pose_that_does_not_fit_the_bones_is_not(fbx_text):
    rig, warnings = rig_of(bent(fbx_text, 30.0))
    np.testing.assert_allclose(rig.skeleton.rest_pose.global_positions, [[0, 0, 0], [-0.1, 0, 0]], atol=1e-7)
    assert "does not fit its bones" in warnings[0]


def test_bind_poses_without_skins(fbx_text):
    file = fbx_text()
    file.model(1, "a", Lcl_Rotation=[0, 0, 90])
    file.model(2, "b", 1, Lcl_Translation=[0, 10, 0])
    straight = "Matrix: *16 { a: 1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1 }"
    file.object("Pose", 9, "Pose::", "BindPose", f"PoseNode: {{ Node: 1\n{straight} }}\n")
    rig, _ = rig_of(file)
    np.testing.assert_allclose(rig.skeleton.rest_pose.global_positions[1], [0, 0.1, 0], atol=1e-7)
