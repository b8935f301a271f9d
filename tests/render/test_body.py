"""The body of a bare skeleton."""

import numpy as np
import pytest

from kinema import Skeleton
from kinema.render.body import build_body, capsule


def test_surface_is_closed_and_faces_outward():
    centre = np.array([0.1, 0.2, 0.3])
    up = np.array([0, 0.3, 0])
    positions, normals, faces = capsule(centre - up, centre + up, 0.1, 0.05, np.array([1.0, 0, 0]), 1.5)
    corners = positions[faces]
    areas = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    real = np.linalg.norm(areas, axis=-1) > 1e-9
    outward = corners.mean(axis=1) - centre
    assert (np.einsum("kc,kc->k", areas, outward)[real] > 0).all()
    assert np.einsum("kc,kc->k", areas, normals[faces].mean(axis=1))[real].min() > 0
    volume = np.einsum("kc,kc->k", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])).sum() / 6
    assert 0.5 * np.pi * 0.05**2 * 0.6 < volume < 1.5 * np.pi * 0.1**2 * 0.8
    assert np.linalg.norm(normals, axis=-1) == pytest.approx(1.0)
    assert np.ptp(positions[:, 0]) > 1.4 * np.ptp(positions[:, 2])


def test_a_person_has_coloured_sides_on_the_right_sides(biped: Skeleton):
    body = build_body(biped)
    meshes = {mesh.name: mesh for mesh in body.meshes}
    assert set(meshes) == {"left", "right", "middle", "visor"}
    assert meshes["left"].positions[:, 0].min() > -0.1 and meshes["right"].positions[:, 0].max() < 0.1
    assert meshes["visor"].positions[:, 2].mean() > meshes["middle"].positions[:, 2].mean() + 0.02  # looks along +Z
    every = np.concatenate([mesh.positions for mesh in body.meshes])
    assert 1.5 < np.ptp(every[:, 1]) < 1.9 and every[:, 1].min() > -0.06


def test_the_head_looks_where_the_chest_does_in_a_crooked_rest_pose(biped: Skeleton):
    # All that hangs on the spine turned by a quarter against the hips, as in files whose rest pose is no pose.
    turned = biped.rest_rotations.copy()
    turned[biped.index("Spine")] = [np.sqrt(0.5), 0, np.sqrt(0.5), 0]
    crooked = Skeleton.create(biped.names, biped.parents, biped.rest_translations, turned)
    meshes = {mesh.name: mesh for mesh in build_body(crooked).meshes}
    head = crooked.rest_globals()[1][crooked.index("Head")]
    offset = meshes["visor"].positions.mean(axis=0) - head
    assert offset[0] > 0.02 and abs(offset[2]) < 0.02  # +Z of the chest is +X of the world now


def test_a_body_follows_its_pose(biped: Skeleton):
    body = build_body(biped)
    turned, placed = biped.rest_globals()
    before = body.skin(turned, placed)
    for mesh, vertices in zip(body.meshes, before, strict=True):
        assert vertices == pytest.approx(mesh.positions, abs=1e-5)
    after = body.skin(turned, placed + np.float32([1, 0, 0]))
    assert after[0] - before[0] == pytest.approx(np.tile([1, 0, 0], (len(before[0]), 1)), abs=1e-5)


def test_any_skeleton_gets_a_body():
    worm = Skeleton.create(["a", "b", "c"], [-1, 0, 1], [[0, 0, 0], [0, 0, 0.2], [0, 0, 0.2]])
    assert sum(len(mesh.indices) for mesh in build_body(worm).meshes) > 0
    point = Skeleton.create(["only"], [-1], [[0, 0, 0]])
    assert build_body(point).meshes == ()
    stacked = Skeleton.create(["a", "b"], [-1, 0], [[0, 0, 0], [0, 0, 0]])
    for mesh in build_body(stacked).meshes:
        assert np.isfinite(mesh.positions).all()
