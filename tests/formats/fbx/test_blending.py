"""Layers of a take, blended with each other."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import rotations
from kinema.formats.fbx.transform import euler_matrix

from .conftest import moving


def test_additive_and_overriding_layers(fbx_text):
    def found(**layer):
        file = moving(fbx_text, [[(0, 10)], [(0, 20)], [(0, 30)]])
        file.layer(12, 10, **layer)
        file.animate(12, 1, "Lcl Translation", [[(0, 1)], None, None], defaults=(0, 2, 3))
        return file.read(scale=1.0).motions[0][:].global_positions[0, 0] * 100

    np.testing.assert_allclose(found(), [11, 22, 33], atol=1e-4)
    np.testing.assert_allclose(found(Weight=50.0), [10.5, 21, 31.5], atol=1e-4)
    np.testing.assert_allclose(found(BlendMode=1), [1, 2, 3], atol=1e-4)
    np.testing.assert_allclose(found(BlendMode=2, Weight=25.0), [7.75, 15.5, 23.25], atol=1e-4)


@pytest.mark.parametrize("order", [0, 3, 5])
def test_rotations_of_layers_are_combined_as_rotations(fbx_text, order: int):
    below, above = np.array([20.0, 40, -70]), np.array([-50.0, 10, 30])

    def found(**layer):
        file = fbx_text(TimeMode=6)
        file.model(1, "root", RotationOrder=order)
        file.model(2, "child", 1, Lcl_Translation=[0, 100, 0])
        file.take(10)
        file.layer(12, 10, **layer)
        for number, angles in ((11, below), (12, above)):
            file.animate(number, 1, "Lcl Rotation", [[(0, angle), (1, angle)] for angle in angles])
        return rotations.to_matrix(file.read().motions[0].local_rotations[0, 0])

    both = euler_matrix(below, order) @ euler_matrix(above, order)
    np.testing.assert_allclose(found(), both, atol=1e-5)
    np.testing.assert_allclose(found(RotationAccumulationMode=1), euler_matrix(below + above, order), atol=1e-5)
    np.testing.assert_allclose(found(BlendMode=2), euler_matrix(above, order), atol=1e-5)
    np.testing.assert_allclose(found(Weight=0.0), euler_matrix(below, order), atol=1e-5)
