from __future__ import annotations

import numpy as np
import pytest

from kinema.errors import SceneError
from kinema.rendering.reconstruction.photos import Lens
from kinema.rendering.reconstruction.surfaces import seen_surfaces
from kinema.worlds.grounding import recover_ground

from .conftest import cameras, place


def test_discs_lie_on_what_is_seen() -> None:
    lenses = [Lens.of(camera, 64, 64) for camera in cameras(6)]
    discs = seen_surfaces(place(), lenses, 0.05)
    inside = (np.abs(discs.means[:, [0, 2]]) < 1.7).all(axis=1) & (discs.means[:, 1] < 0.1)
    assert inside.sum() > 2000 and np.quantile(np.abs(discs.means[inside, 1]), 0.9) < 0.03
    ground = recover_ground(discs)
    assert abs(float(ground.height(np.asarray([-1.0, 0.0, -1.0])))) < 0.03


def test_nothing_is_refused() -> None:
    away = place().moved(translation=(0.0, 900.0, 0.0))
    with pytest.raises(SceneError, match="nothing"):
        seen_surfaces(away, [Lens.of(cameras(2)[0], 32, 32)], 0.05)
