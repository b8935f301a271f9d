from __future__ import annotations

import numpy as np
import pytest

from kinema.generation.rig import AnyRig
from kinema.generation.symmetry import mirror_image
from kinema.mocap.creatures import make_creature


@pytest.mark.parametrize("name", ["person", "horse", "spider", "eagle", "centipede", "fish"])
def test_every_joint_has_its_image_where_the_mirror_shows_it(name: str) -> None:
    rig = AnyRig.of(make_creature(name).skeleton)
    image = mirror_image(rig)
    assert (image >= 0).all() and (image[image] == np.arange(rig.count)).all()
    mirrored = rig.rest_positions[image] * np.asarray([-1, 1, 1])
    np.testing.assert_allclose(rig.rest_positions, mirrored, atol=0.03)
    middle = np.abs(rig.rest_positions[:, 0]) < 0.01
    np.testing.assert_array_equal(image[middle], np.flatnonzero(middle))


def test_limbs_that_are_no_mirror_images_have_none(striding_horse: AnyRig) -> None:
    image = mirror_image(striding_horse)
    names = [striding_horse.skeleton.names[joint] for joint in striding_horse.joints.tolist()]
    assert {name for name, other in zip(names, image, strict=True) if other < 0} == {
        f"leg_{side}_{part}_1" for side in ("left", "right") for part in ("shin", "cannon", "foot", "toe")
    }
