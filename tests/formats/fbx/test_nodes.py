"""The tree of models."""

from __future__ import annotations

import numpy as np
import pytest

from kinema.errors import FormatError
from kinema.formats.fbx.nodes import geometric, read_nodes


def test_parents_first_and_children_in_the_order_of_connections(fbx_text):
    file = fbx_text()
    file.model(3, "leaf", 2)
    file.model(1, "late", 4)
    file.model(2, "early", 4)
    file.model(4, "root")
    nodes = read_nodes(file.document())
    names = [nodes.models[node].name for node in nodes.order]
    assert names == ["root", "late", "early", "leaf"]
    assert [nodes.models[p].name if p >= 0 else None for p in nodes.parents] == ["early", "root", "root", None]


def test_rest_matrices(fbx_text):
    file = fbx_text()
    file.model(1, "a", Lcl_Translation=[0, 10, 0], Lcl_Rotation=[0, 0, 90])
    file.model(2, "b", 1, Lcl_Translation=[5, 0, 0], InheritType=1)
    rest = read_nodes(file.document()).rest
    np.testing.assert_allclose(rest[1, :3, 3], [0, 15, 0], atol=1e-12)


def test_pre_rotation_and_order_count_unless_rotation_is_said_to_be_inactive(fbx_text):
    file = fbx_text()
    file.model(1, "on", PreRotation=[0, 0, 90], RotationActive=1)
    file.model(2, "off", PreRotation=[0, 0, 90], RotationActive=0, RotationOrder=5, Lcl_Rotation=[90, 90, 0])
    file.model(3, "unsaid", PreRotation=[0, 0, 90])
    nodes = read_nodes(file.document())
    np.testing.assert_allclose(nodes.rest[0, :3, 0], [0, 1, 0], atol=1e-12)
    np.testing.assert_allclose(nodes.rest[1, :3, 1], [1, 0, 0], atol=1e-12)  # about X first, then about Y
    np.testing.assert_allclose(nodes.rest[2], nodes.rest[0])


def test_a_circle_is_refused(fbx_text):
    file = fbx_text()
    file.model(1, "a", 2)
    file.model(2, "b", 1)
    with pytest.raises(FormatError, match="Model 'a': is its own ancestor"):
        read_nodes(file.document())


def test_several_parents_spheric_rotations_and_far_places_are_said(fbx_text):
    file = fbx_text()
    file.model(1, "a", RotationOrder=6)
    file.model(2, "b", 1, RotationOrder=17)
    file.model(3, "c", 1)
    file.link(3, 2)
    document = file.document()
    nodes = read_nodes(document)
    assert nodes.parents == [-1, 0, 0] and nodes.rotation_orders == [0, 0, 0]
    assert sum(word in line for line in document.warnings for word in ("spheric", "unknown", "several parents")) == 3
    file.model(4, "d", Lcl_Translation=[1e20, 0, 0])
    with pytest.raises(FormatError, match="Model 'd': lies outside"):
        read_nodes(file.document())


def test_a_deep_chain_is_no_problem(fbx_text):
    file = fbx_text()
    for id in range(1, 3000):
        file.model(id, f"n{id}", id - 1, Lcl_Translation=[1, 0, 0])
    assert read_nodes(file.document()).rest[-1, 0, 3] == 2999


def test_kinds_come_from_attributes_where_the_model_does_not_say(fbx_text):
    file = fbx_text()
    file.model(1, "a", kind="Null")
    file.object("NodeAttribute", 9, "NodeAttribute::", "LimbNode")
    file.link(9, 1)
    file.model(2, "b", kind="Mesh")
    assert read_nodes(file.document()).kinds == ["LimbNode", "Mesh"]


def test_geometric_transforms_move_meshes_alone(fbx_text):
    file = fbx_text()
    file.model(1, "a", GeometricTranslation=[1, 2, 3], GeometricRotation=[0, 0, 90], GeometricScaling=[2, 2, 2])
    file.model(2, "b", 1)
    nodes = read_nodes(file.document())
    np.testing.assert_allclose(geometric(nodes.models[0]) @ [1, 0, 0, 1], [1, 4, 3, 1], atol=1e-12)
    np.testing.assert_allclose(nodes.rest, np.tile(np.eye(4), (2, 1, 1)))
