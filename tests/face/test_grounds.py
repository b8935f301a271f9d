"""What functions take as a terrain."""

from __future__ import annotations

import numpy as np
import pytest

from kinema.errors import KinemaError
from kinema.face.grounds import open_terrain
from kinema.terrain import Plane


def test_a_ground_or_nothing_stays_as_it_is():
    ground = Plane(1.0)
    assert open_terrain(ground) is ground
    assert open_terrain(None) is None


def test_a_name_is_a_ground_and_a_wrong_one_is_an_error():
    stairs = open_terrain("stairs")
    assert stairs is not None
    assert np.ptp(stairs.height(np.float32([[0, 0, z] for z in np.linspace(0, 5, 50)]))) > 0.3
    with pytest.raises(KinemaError, match="no_such_terrain"):
        open_terrain("no_such_terrain")
