from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kinema.errors import SceneError
from kinema.worlds import GaussianScene
from kinema.worlds.cleaning import area, cleaned, cropped, islands

from .conftest import yard


def test_a_box_keeps_what_is_in_it() -> None:
    scene = yard()
    part = cropped(scene, (-1.0, -np.inf, -np.inf), (1.0, np.inf, np.inf))
    assert 0 < len(part) < len(scene)
    assert np.abs(part.means[:, 0]).max() <= 1.0
    with pytest.raises(SceneError, match="it goes from"):
        cropped(scene, (50.0, 0.0, 0.0), (51.0, 1.0, 1.0))
    with pytest.raises(SceneError, match="two corners"):
        cropped(scene, (1.0, 0.0, 0.0), (0.0, 1.0, 1.0))


def test_floaters_fog_and_what_is_faint_go_and_the_rest_stays() -> None:
    scene = yard()
    rng = np.random.default_rng(5)
    count = 60
    floaters = scene.taken(np.arange(count))
    high = rng.uniform((-4, 3.0, -4), (4, 6.0, 4), (count, 3)).astype(np.float32)
    dirty = scene.joined(replace(floaters, means=high))
    dirty = dirty.joined(replace(floaters, log_scales=np.full((count, 3), 2.0, np.float32)))
    dirty = dirty.joined(replace(floaters, logits=np.full(count, -5.0, np.float32)))
    found = cleaned(dirty)
    assert len(found) == pytest.approx(len(scene), rel=0.005)
    assert found.means[:, 1].max() < 2.5
    assert "60 faint" in found.notes[0] and "60 as large as fog" in found.notes[0]
    assert "alone in the air" in found.notes[0]
    assert cleaned(scene).notes == ()


def test_what_stands_on_the_ground_is_no_island() -> None:
    assert not islands(yard()).any()


def test_area_is_that_of_the_disc_times_opacity(scene: GaussianScene) -> None:
    one = scene.taken(np.arange(1))
    one = replace(one, log_scales=np.log(np.asarray([[0.1, 3.0, 2.0]], np.float32)), logits=np.zeros(1, np.float32))
    assert float(area(one)[0]) == pytest.approx(3.0)
