"""Figures on the ground."""

import numpy as np
import pytest

from kinema import Motion, Skeleton
from kinema.rendering.sheet import raster, stage

PAGE = (250, 250, 250)


@pytest.fixture
def standing(biped: Skeleton) -> Motion:
    return Motion.create(biped, biped.rest_rotations[None], biped.rest_translations[None])


def test_ground_is_paper_with_grid_figure_shadow_and_path(standing: Motion):
    cast = stage.Cast(standing)
    pose = standing[:]
    points = cast.outline(pose)[0]
    assert np.ptp(points[:, 1]) == pytest.approx(1.7, abs=0.15)
    camera = raster.Camera.fit(np.concatenate([points * 1.6, [[1.8, 0, 0]]]), 0.0, 0.4, 0.5, 1.5)
    size = (300, 200)
    empty = stage.picture(camera, *size, [], PAGE, 1.7, None)
    assert (empty == 250).all()
    assert (stage.picture(camera, *size, [], PAGE, 1.7, 1.0).min(axis=-1) < 245).any()
    alone = stage.picture(camera, *size, [cast.figure(pose[0])], PAGE, 1.7, None).astype(int)
    x, y = camera.see([0, 1.0, 0], *size)[:2].astype(int)
    assert np.ptp(alone[y, x]) < 30 and alone[y, x].max() < 245  # the trunk is grey
    shade = camera.see(-1.0 * raster.sun_of(camera.axes) * [1, 0, 1] / raster.sun_of(camera.axes)[1], *size)
    assert alone[int(shade[1]), int(shade[0])].max() < 235
    assert (alone[:4] == 250).all() and (alone[:, :4] == 250).all()
    line = np.array([[-0.9, 0, 0.5], [0.9, 0, 0.5]])
    ribbon = stage.Ribbon(line, 0.08, (255, 0, 255))
    drawn = stage.picture(camera, *size, [], PAGE, 1.7, None, [ribbon])
    middle = camera.see([0, 0, 0.5], *size)[:2].astype(int)
    assert drawn[middle[1], middle[0]].tolist() == pytest.approx([255, 0, 255], abs=4)


def test_faded_figures_are_lighter(standing: Motion):
    cast = stage.Cast(standing)
    pose = standing[:]
    camera = raster.Camera.fit(cast.outline(pose)[0] * 1.5, 0.0, 0.3, 0.5, 1.0)
    figures = [cast.figure(pose[0], fade) for fade in (0, 0.6)]
    solid, faded = (stage.picture(camera, 100, 100, [figure], PAGE, 1.7).mean() for figure in figures)
    assert solid + 1 < faded < 250


def test_dashes_have_their_lengths():
    path = np.array([[0.0, 0], [0, 0], [3, 0], [3, 1]])
    lengths = [np.linalg.norm(np.diff(line, axis=0), axis=1).sum() for line in stage.dashed(path, (1.0, 0.5))]
    assert lengths == pytest.approx([1, 1, 1])
    assert len(stage.dashed(path, None)[0]) == 3
    assert stage.dashed(path[:2], None) == [] and stage.dashed(path[:0], (1, 1)) == []
