from __future__ import annotations

import numpy as np
import pytest

from kinema import rotations
from kinema.errors import SceneError
from kinema.worlds.levelling import ground_plane, levelled

from .conftest import drawn, yard


@pytest.mark.parametrize(("tilt", "height"), [(0.0, 0.0), (0.3, 1.5), (-0.5, -2.0)])
def test_the_ground_is_found_and_becomes_level(tilt: float, height: float) -> None:
    turn = np.asarray([np.cos(tilt / 2), np.sin(tilt / 2) * 0.6, 0.0, np.sin(tilt / 2) * 0.8])
    tilted = yard().moved(turn, (3.0, height, -1.0))
    plane = ground_plane(tilted)
    upright = rotations.to_matrix(turn) @ np.asarray([0.0, 1.0, 0.0])
    assert plane.up @ upright > np.cos(np.radians(1.0))
    assert 0.3 < plane.share <= 1.0
    level = levelled(tilted)
    np.testing.assert_array_equal(levelled(tilted, plane=plane).means, level.means)
    on = np.abs(level.means[:, 1]) < 0.03
    assert on.mean() > 0.5
    assert level.means[:, 1].max() == pytest.approx(2.0, abs=0.1)


def test_a_scene_without_a_ground_says_so() -> None:
    cloud = drawn(3, 1)
    with pytest.raises(SceneError, match="ground"):
        ground_plane(cloud.taken(np.arange(2)))
