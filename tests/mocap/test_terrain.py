"""Terrain under the clips of a database."""

import numpy as np
import pytest

from kinema.features.extract import extract
from kinema.features.feature import Feature
from kinema.features.spec import FeatureSpec
from kinema.mocap.database import MotionDatabase
from kinema.mocap.procedural import locomotion_set
from kinema.mocap.terrain import fit_heights
from kinema.terrain import Plane, block, hills


@pytest.fixture(scope="module")
def database():
    return MotionDatabase.from_motions(locomotion_set(minutes=0.3, seed=2))


def test_level_motion_on_a_plane_is_level(database):
    heights = fit_heights(database, [Plane(3.0)], tries=5)
    assert heights.shape == (database.frames, 3)
    assert np.abs(heights).max() < 0.05, "wherever the plane is, feet stand on it"


def test_patches_are_even_where_feet_stand_and_free_elsewhere(database):
    heights = fit_heights(database, [hills(1), hills(2)], tries=300)
    assert 0.005 < heights.std() < 0.3 and np.ptp(heights[:, 0] - heights[:, 2]) > 0.01
    np.testing.assert_array_equal(heights, fit_heights(database, [hills(1), hills(2)], tries=300))


def test_where_no_patch_fits_the_ground_is_level(database):
    assert not fit_heights(database, [block(0.1, 0.1, 0.0)], tries=5).any()


def test_the_feature_reads_the_heights(database):
    spec = FeatureSpec((Feature("height", "height", times=(0.0, 0.5)),), database.skeleton)
    level = extract(database, spec)
    heights = fit_heights(database, [hills(1)], tries=100)
    database.labels["height"] = heights
    try:
        np.testing.assert_allclose(extract(database, spec)[:, :3], heights, atol=1e-6)
        assert not level.any()
    finally:
        del database.labels["height"]
