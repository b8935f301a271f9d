"""Faces: what asked-for expressions come to, and how labels of a motion move morph targets."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Character, Skeleton
from kinema.avatar import Expression, MorphBind, strengths
from kinema.character import Mesh, Morph
from kinema.pose import Pose


def test_binary_expressions_are_all_or_nothing():
    one = (Expression("smile", binary=True), Expression("frown"))
    asked = {"smile": np.float32([0.2, 0.5, 0.6]), "frown": np.float32([0.2, 1.5, -1]), "wink": np.ones(3)}
    got = strengths(one, asked)
    assert set(got) == {"smile", "frown"}
    np.testing.assert_array_equal(got["smile"], [0, 0, 1])
    np.testing.assert_allclose(got["frown"], [0.2, 1, 0])


@pytest.mark.parametrize(("how", "left"), [("none", [1, 1, 1]), ("blend", [1, 0.75, 0]), ("block", [1, 0, 0])])
def test_overrides_take_others_back(how, left):
    one = (Expression("happy", override_blink=how), Expression("blink"), Expression("aa"))
    got = strengths(one, {"happy": np.float32([0, 0.25, 1]), "blink": np.ones(3), "aa": np.ones(3)})
    np.testing.assert_allclose(got["blink"], left)
    np.testing.assert_allclose(got["aa"], [1, 1, 1])


@pytest.fixture
def face() -> Character:
    skeleton = Skeleton.create(["head"], [-1], [[0, 1, 0]])

    def mesh(name: str, *morphs: Morph) -> Mesh:
        flat = np.zeros((3, 3), np.float32)
        return Mesh(name, flat, flat + np.float32([0, 0, 1]), np.uint32([[0, 1, 2]]), joint=0, morphs=morphs)

    def to(x: float, y: float, z: float) -> np.ndarray:
        return np.tile(np.float32([x, y, z]), (3, 1))

    left = mesh("left", Morph("open", to(1, 0, 0), weight=0.5), Morph("shut", to(0, 1, 0)))
    right = mesh("right", Morph("open", to(0, 0, 1)))
    smile = Expression("happy", (MorphBind(0, 1, 0.5), MorphBind(1, 0, 1.0)))
    return Character("face", skeleton, (left, right), expressions=(smile,))


def test_weights_follow_labels_then_expressions(face):
    assert face.rest_weights.tolist() == [0.5, 0, 0]
    assert face.morph_weights({}).tolist() == [0.5, 0, 0]
    labels = {"morph.open": np.float32([0, 1]), "expression.happy": np.float32([1, 0.5]), "speed": np.ones(2)}
    np.testing.assert_allclose(face.morph_weights(labels), [[0, 0.5, 1], [1, 0.25, 1.5]])
    np.testing.assert_allclose(face.morph_weights({"expression.happy": np.float32(1)}), [0.5, 0.5, 1])


def test_skins_are_morphed_in_every_frame(face):
    pose = Pose(face.skeleton, np.tile(np.float32([1, 0, 0, 0]), (2, 1, 1)), np.tile(np.float32([0, 1, 0]), (2, 1, 1)))
    at_rest = face.skin(pose)
    np.testing.assert_allclose(at_rest[0], np.tile([0.5, 1, 0], (2, 3, 1)))
    moved = face.skin(pose, {"morph.shut": np.float32([0, 2])})
    np.testing.assert_allclose(moved[0][:, 0], [[0.5, 1, 0], [0.5, 3, 0]])
    np.testing.assert_allclose(moved[1][:, 0], [[0, 1, 0], [0, 1, 0]])
    assert moved[0].dtype == np.float32


def test_without_weights_nothing_is_copied(face):
    assert face.meshes[1].morphed() is face.meshes[1].positions
