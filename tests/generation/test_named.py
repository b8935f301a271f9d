from __future__ import annotations

import numpy as np

from kinema.generation.named import named_evidence, without_names
from kinema.generation.rig import AnyRig
from kinema.mocap.creatures import make_creature


def test_names_and_roles_are_evidence(dog: AnyRig) -> None:
    horse = AnyRig.of(make_creature("horse").skeleton)
    unlike = named_evidence(dog, horse)
    names = [[rig.skeleton.names[joint] for joint in rig.joints.tolist()] for rig in (dog, horse)]
    head, other = names[0].index("head"), names[1].index("head")
    assert unlike.shape == (dog.count, horse.count)
    assert unlike[head].argmin() == other and unlike[head, other] < 1e-6
    assert unlike[head, names[1].index("leg_left_thigh_1")] > 1.0


def test_a_rig_without_names_is_of_the_same_skeleton(dog: AnyRig) -> None:
    rig = without_names(dog.skeleton)
    assert rig.skeleton is dog.skeleton
    np.testing.assert_allclose(rig.rest_positions, dog.rest_positions, atol=1e-5)
