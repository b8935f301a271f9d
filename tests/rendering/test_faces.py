"""Faces of a motion at any time."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Character, Motion, Skeleton
from kinema.character import Mesh, Morph
from kinema.rendering.faces import weights_at


@pytest.fixture
def face() -> Character:
    flat = np.zeros((3, 3), np.float32)
    morphs = (Morph("a", flat, None, 0.5), Morph("b", flat))
    mesh = Mesh("m", flat, flat, np.uint32([[0, 1, 2]]), joint=0, morphs=morphs)
    return Character("face", Skeleton.create(["x"], [-1], [[0, 0, 0]]), (mesh,))


def moving(face: Character, frames: int = 3, **labels: np.ndarray) -> Motion:
    turned = np.tile(face.skeleton.rest_rotations, (frames, 1, 1))
    return Motion.create(face.skeleton, turned, fps=10, labels=labels)


def test_weights_between_frames_and_beyond_the_ends(face):
    motion = moving(face, **{"morph.b": np.float32([0, 1, 3]), "speed": np.ones(3)})
    for time, value in ((-1, 0), (0.05, 0.5), (0.1, 1), (0.15, 2), (9, 3)):
        weights = weights_at(face, motion, time)
        np.testing.assert_allclose([0.5, 0] if weights is None else weights, [0.5, value], atol=1e-6)
    many = weights_at(face, motion, [0.05, 0.15])
    np.testing.assert_allclose(many, [[0.5, 0.5], [0.5, 2]], atol=1e-6)


def test_nothing_to_move(face):
    assert weights_at(face, moving(face), 0.0) is None
    assert weights_at(face, moving(face, **{"morph.a": np.full(3, 0.5, np.float32)}), 0.1) is None
    one = moving(face, 1, **{"morph.b": np.float32([1])})
    np.testing.assert_allclose(weights_at(face, one, 5.0), [0.5, 1])
