"""Hills of seeded noise."""

import numpy as np
import pytest

from kinema.errors import UsageError
from kinema.terrain import hills


def test_same_seed_same_hills():
    np.testing.assert_array_equal(hills(3).heights, hills(3).heights)
    assert np.abs(hills(3).heights - hills(4).heights).max() > 0.1


def test_hills_are_as_high_as_asked_for_and_have_no_seam():
    ground = hills(1, height=0.8, cell=0.1, level_start=False)
    assert np.ptp(ground.heights) == pytest.approx(0.8, rel=1e-4)
    steps = np.abs(np.diff(ground.heights, axis=0)).max()
    assert np.abs(ground.heights[0] - ground.heights[-1]).max() <= 1.5 * steps
    assert steps < 0.1 * 1.0, "walkable: below 45 degrees"


def test_wavelength_sets_how_far_hilltops_are_apart():
    def turns(ground):
        return (np.diff(np.sign(np.diff(ground.heights, axis=1)), axis=1) != 0).sum()

    assert turns(hills(0, wavelength=3.0, octaves=1)) > 1.5 * turns(hills(0, wavelength=6.0, octaves=1))


def test_the_start_is_level():
    ground, points = hills(5), np.array([[0, 0, 0], [0.05, 0, -0.05], [-0.1, 0, 0.1]])
    np.testing.assert_allclose(ground.height(points), 0, atol=0.005)


@pytest.mark.parametrize("wrong", [{"height": 0}, {"wavelength": -1}, {"octaves": 0}, {"octaves": 99}, {"cell": 1e-6}])
def test_hills_that_cannot_be_are_refused(wrong):
    with pytest.raises(UsageError):
        hills(**wrong)
