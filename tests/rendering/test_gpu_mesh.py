"""Buffers of a character: compact matrices, bounds that hold, normals that are whole."""

import dataclasses

import numpy as np
import pytest

from kinema import KinemaError
from kinema.rendering.gpu_mesh import GpuCharacter, complete_normals


def test_matrices_are_shared_and_balls_hold_every_vertex(renderer, shapes):
    arm = shapes.arm(5)
    both = dataclasses.replace(arm, meshes=(arm.meshes[0], arm.meshes[0]))
    with renderer.context:
        gpu = GpuCharacter(renderer.context, both)
        gpu.release()
    assert sorted(gpu.joints.tolist()) == [0, 1, 2, 3, 4]
    mesh = arm.meshes[0]
    assert mesh.joints is not None and mesh.weights is not None
    for slot, joint in enumerate(gpu.joints):
        moved = mesh.positions[((mesh.joints == joint) & (mesh.weights > 0)).any(1)]
        away = np.linalg.norm(moved - gpu.centers[slot], axis=1)
        assert away.max() <= gpu.radii[slot] + 1e-5


def test_missing_normals_come_from_triangles(shapes):
    ball = shapes.ball(0.5, rings=24).meshes[0]
    for bad in (np.zeros_like(ball.normals), np.full_like(ball.normals, np.nan)):
        made = complete_normals(dataclasses.replace(ball, normals=bad))
        inner = np.abs(ball.normals[:, 1]) < 0.95
        # At the seam only the triangles of one side are known.
        assert np.quantile((made * ball.normals).sum(1)[inner], 0.05) > 0.98
    long = complete_normals(dataclasses.replace(ball, normals=3 * ball.normals))
    np.testing.assert_allclose(long, ball.normals, atol=1e-6)


def test_triangles_without_vertices_are_said(renderer, shapes):
    box = shapes.box()
    broken = dataclasses.replace(box.meshes[0], indices=np.uint32([[0, 1, 99]]))
    with renderer.context, pytest.raises(KinemaError, match="has 24 vertices, but a triangle uses vertex 99"):
        GpuCharacter(renderer.context, dataclasses.replace(box, meshes=(broken,)))
