"""Skins: clusters, weights, and where things were bound."""

from __future__ import annotations

import numpy as np
import pytest

from kinema.errors import FormatError
from kinema.formats.fbx import skins as module
from kinema.formats.fbx.nodes import read_nodes
from kinema.formats.fbx.skins import influences, read_skin


def numbers(matrix: np.ndarray) -> str:
    return ",".join(f"{value:.17g}" for value in matrix.T.ravel())


def moved(x: float, y: float, z: float) -> np.ndarray:
    result = np.eye(4)
    result[:3, 3] = x, y, z
    return result


class Skinned:
    """A mesh of four points on a node at (0, 0, 5), with two bones at y = 1 and 3."""

    def __init__(self, fbx_text, skin: str = "") -> None:
        self.file = fbx_text()
        self.file.model(1, "body", kind="Mesh", Lcl_Translation=[0, 0, 5])
        self.file.object("Geometry", 2, "Geometry::body", "Mesh", "Vertices: 0,0,0,1,0,0,0,1,0,0,0,1\n")
        self.file.link(2, 1)
        self.file.model(3, "low", Lcl_Translation=[0, 1, 0])
        self.file.model(4, "high", parent=3, Lcl_Translation=[0, 2, 0])
        self.file.object("Deformer", 5, "Deformer::", "Skin", skin)
        self.file.link(5, 2)

    def cluster(self, id: int, bone: int | None, points: str, weights: str, more: str = "") -> None:
        body = (f"Indexes: {points}\n" if points else "") + (f"Weights: {weights}\n" if weights else "") + more
        self.file.object("Deformer", id, f"SubDeformer::c{id}", "Cluster", body)
        self.file.link(id, 5)
        if bone is not None:
            self.file.link(bone, id)

    def read(self):
        document = self.file.document()
        nodes = read_nodes(document)
        geometry = next(document.all("Geometry"))
        skin = read_skin(nodes, nodes.index[1], geometry, 4)
        rows = None if skin is None else influences(geometry, skin, 4)
        return document, nodes, skin, rows


def test_clusters_become_influences(fbx_text) -> None:
    made = Skinned(fbx_text)
    made.cluster(6, 3, "0,1,2", "1,0.25,2", f"Transform: {numbers(moved(0, -1, 5))}\n")
    made.cluster(7, 4, "1,2,3", "0.75,2,0", f"TransformLink: {numbers(moved(0, 3, 0))}\n")
    document, nodes, skin, (bones, weights, bare) = made.read()
    assert skin.bones == (nodes.index[3], nodes.index[4])
    # The heaviest comes first; weights sum to one; a weight of zero is none.
    assert bones.tolist() == [[0, 0], [1, 0], [0, 1], [0, 0]]
    np.testing.assert_allclose(weights, [[1, 0], [0.75, 0.25], [0.5, 0.5], [0, 0]])
    assert bare.tolist() == [False, False, False, True]
    np.testing.assert_allclose(skin.binds[0], moved(0, -1, 5))
    # What a cluster does not say follows from where mesh and bones stand.
    np.testing.assert_allclose(skin.binds[1], moved(0, -3, 5))
    np.testing.assert_allclose(skin.links, [moved(0, 1, 0), moved(0, 3, 0)])
    assert ["where its mesh was bound" in line for line in document.warnings] == [True]


def test_several_clusters_of_one_bone_are_added(fbx_text) -> None:
    made = Skinned(fbx_text)
    bind = f"Transform: {numbers(np.eye(4))}\n"
    made.cluster(6, 3, "0", "0.2", bind)
    made.cluster(7, 3, "0,1", "0.2,1", bind)
    made.cluster(8, 4, "0", "0.1", bind)
    document, _, skin, (_, weights, _) = made.read()
    assert len(skin.bones) == 2 and not document.warnings
    np.testing.assert_allclose(weights[0], [0.8, 0.2], rtol=1e-6)
    made.cluster(9, 3, "2", "1", f"Transform: {numbers(moved(0, 0, 9))}\n")
    assert "bound to 'low' twice" in made.read()[0].warnings[0]


@pytest.mark.parametrize(
    "points, weights, message",
    [
        ("0,9", "1,1", "do not exist"),
        ("-1,0", "1,1", "do not exist"),
        ("1,0", "nan,1", "do not exist"),
    ],
)
def test_broken_weights_are_left_out(fbx_text, points: str, weights: str, message: str) -> None:
    made = Skinned(fbx_text)
    made.cluster(6, 3, points, weights, f"Transform: {numbers(np.eye(4))}\n")
    document, _, _, (_, found, bare) = made.read()
    assert found[0, 0] == 1 and bare.tolist() == [False, True, True, True]
    assert message in document.warnings[0]


def test_what_moves_nothing_is_no_skin(fbx_text) -> None:
    made = Skinned(fbx_text)
    made.cluster(6, 3, "", "")
    assert made.read()[2] is None
    made = Skinned(fbx_text)
    made.cluster(6, None, "0", "1")
    document, _, skin, _ = made.read()
    assert skin is None and "has no joint" in document.warnings[0]


def test_other_ways_of_blending_are_told(fbx_text) -> None:
    made = Skinned(fbx_text, 'SkinningType: "DualQuaternion"\n')
    made.cluster(6, 3, "0", "1", f'Mode: "TotalOne"\nTransform: {numbers(np.eye(4))}\n')
    lines = made.read()[0].warnings
    assert "DualQuaternion" in lines[0] and "TotalOne" in lines[1]


def test_no_more_influences_than_make_sense(fbx_text, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_INFLUENCES", 1)
    made = Skinned(fbx_text)
    bind = f"Transform: {numbers(np.eye(4))}\n"
    made.cluster(6, 3, "0", "0.4", bind)
    made.cluster(7, 4, "0", "0.6", bind)
    document, _, _, (bones, weights, _) = made.read()
    assert bones[0].tolist() == [1] and weights[0].tolist() == [1.0] and "largest weights" in document.warnings[0]


@pytest.mark.slow
def test_clusters_that_too_many_meshes_share_are_refused(fbx_text) -> None:
    made = Skinned(fbx_text)
    for cluster in range(6, 136):
        made.cluster(cluster, 3, "0", "1", f"Transform: {numbers(np.eye(4))}\n")
    document = made.file.document()
    geometry, nodes = next(document.all("Geometry")), read_nodes(document)
    with pytest.raises(FormatError, match="bytes of memory, more than the"):
        for _ in range(200):  # nodes that show the mesh
            read_skin(nodes, 0, geometry, 4)
