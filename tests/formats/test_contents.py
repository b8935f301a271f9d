"""What a writer is given, taken apart."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Motion, Skeleton
from kinema.character import Character
from kinema.errors import FormatError
from kinema.formats import Asset
from kinema.formats.contents import contents


def test_motion_character_and_asset(biped: Skeleton) -> None:
    motion = Motion.create(biped, np.tile([1.0, 0, 0, 0], (2, biped.joint_count, 1)))
    character = Character("c", biped)
    assert contents(motion, "x.glb") == (biped, None, (motion,))
    assert contents(character, "x.glb") == (biped, character, ())
    assert contents(Asset("a", "bvh", None, (motion,), character), "x.glb") == (biped, character, (motion,))
    assert contents(Asset("a", "bvh", biped), "x.glb") == (biped, None, ())


def test_nothing_to_write_and_other_joints(biped: Skeleton) -> None:
    with pytest.raises(FormatError, match=r"x\.glb: there is no skeleton"):
        contents(Asset("a", "gltf"), "x.glb")
    other = Skeleton.create(["a"], [-1], [[0, 0, 0]])
    motion = Motion.create(other, np.tile([1.0, 0, 0, 0], (2, 1, 1)), name="spin")
    with pytest.raises(FormatError, match="motion 'spin' has other joints"):
        contents(Asset("a", "bvh", biped, (motion,)), "x.glb")
