import numpy as np
import pytest

from kinema.errors import SkeletonError
from kinema.mocap.creatures import Act, anatomy_of, make_creature, perform
from kinema.mocap.creatures.anatomy import upright_rest
from kinema.skeleton import Skeleton


@pytest.mark.parametrize("name", ["person", "dog", "horse", "ant", "spider", "eagle"])
def test_roles_give_the_anatomy_that_the_builder_knows(name):
    body = make_creature(name)
    found = anatomy_of(body.skeleton)
    assert len(found.legs) == len(body.anatomy.legs)
    known = {frozenset(leg.joints[-2:]) for leg in body.anatomy.legs}
    assert {leg.side for leg in found.legs} == {1, -1}
    assert sum(bool(frozenset(leg.joints) & pair) for leg in found.legs for pair in known) >= len(known)
    if len(found.legs) <= 4:
        assert found.head == body.anatomy.head


def test_feet_that_hang_elsewhere_belong_to_their_legs():
    names = ["root", "hips", "spine", "head"]
    parents, places = [-1, 0, 1, 2], [[0, 0, 0], [0, 1, -0.5], [0, 1, 0.4], [0, 1.3, 0.9]]
    for side, x in (("left", 0.2), ("right", -0.2)):
        for limb, top, z in (("thigh", 1, -0.5), ("upper_arm", 2, 0.4)):
            low = {"thigh": "shin", "upper_arm": "forearm"}[limb]
            end = {"thigh": "foot", "upper_arm": "hand"}[limb]
            parents += [top, len(names), 0]
            names += [f"{side}_{limb}", f"{side}_{low}", f"{side}_{end}"]
            places += [[x, 0.95, z], [x, 0.5, z + 0.1], [x, 0.03, z]]
    places = np.asarray(places, float)
    above = np.asarray(parents)
    offsets = places - np.where(above[:, None] < 0, 0, places[above])
    skeleton = Skeleton.create(names, parents, offsets)
    legs = anatomy_of(skeleton).legs
    assert len(legs) == 4 and all(leg.detached for leg in legs)
    motion = perform(skeleton, [Act("walk", 2.0)])
    positions = motion[:].global_positions
    for leg in legs:
        gap = np.linalg.norm(positions[:, leg.joints[-1]] - positions[:, leg.joints[-2]], axis=-1)
        assert np.ptp(gap) < 2e-3  # the loose foot goes with its shin


def test_bodies_that_face_elsewhere_are_turned():
    body = make_creature("dog").skeleton
    turned = Skeleton.create(
        body.names, body.parents, body.rest_translations[:, [2, 1, 0]] * [1, 1, -1], tips=[], hints=body.hints
    )
    positions, _ = upright_rest(turned)
    assert positions[turned.index("head"), 2] > positions[turned.index("hips"), 2] + 0.3


def test_a_stance_replaces_a_rest_pose_that_does_not_stand():
    standing = make_creature("dog").skeleton
    lying = Skeleton.create(
        standing.names,
        standing.parents,
        np.stack([0 * standing.bone_lengths, 0 * standing.bone_lengths, standing.bone_lengths + 0.01], axis=-1),
    )
    with pytest.raises(SkeletonError):
        perform(lying, [Act("walk", 1.0)])
