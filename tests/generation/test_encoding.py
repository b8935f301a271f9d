from __future__ import annotations

import numpy as np

from kinema.generation.encoding import (
    NAMED,
    RELATIONS,
    ROLED,
    SHAPED,
    SIZES,
    WIDTH,
    encode_rig,
    hashed_name,
    mirror_partners,
    sides,
)
from kinema.generation.rig import AnyRig
from kinema.mocap.creatures import make_creature
from kinema.skeleton import Skeleton


def test_hops_and_relations_are_those_of_the_tree() -> None:
    names = ["hips", "a", "b", "left_c", "right_c"]
    rig = AnyRig.of(Skeleton.create(names, [-1, 0, 1, 0, 0], [[0, 1, 0], [0, 0, 1], [0, 0, 1], [1, 0, 0], [-1, 0, 0]]))
    place = {rig.skeleton.names[joint]: column for column, joint in enumerate(rig.joints.tolist())}
    encoding = encode_rig(rig)

    def relation(of: str, to: str) -> str:
        return RELATIONS[encoding.relations[place[of], place[to]]]

    assert relation("b", "b") == "self"
    assert (relation("b", "a"), relation("a", "b")) == ("parent", "child")
    assert (relation("b", "hips"), relation("hips", "b")) == ("ancestor", "descendant")
    assert relation("a", "left_c") == "sibling"
    assert relation("left_c", "right_c") == "partner"
    assert relation("b", "left_c") == "other"
    assert encoding.hops[place["b"], place["left_c"]] == 3
    assert (encoding.hops == encoding.hops.T).all()


def test_every_part_of_the_numbers_is_of_order_one_and_where_it_is_said(spider: AnyRig) -> None:
    joints = encode_rig(spider).joints
    assert joints.shape == (spider.count, WIDTH)
    assert np.abs(joints).max() < 12
    assert (joints[:, ROLED].sum(1) == 1).all()
    np.testing.assert_allclose(np.linalg.norm(joints[:, NAMED], axis=1), 1, atol=1e-6)
    assert SHAPED.stop == ROLED.start


def test_a_body_in_wrong_units_is_told_as_one_of_a_size_that_bodies_have() -> None:
    dog = make_creature("dog").skeleton
    rigs = [
        AnyRig.of(Skeleton.create(dog.names, dog.parents, dog.rest_translations * scale, dog.rest_rotations))
        for scale in (1e-3, 1.0, 1e2)
    ]
    assert [encode_rig(rig).size for rig in rigs] == [np.log(SIZES[0]), np.log(rigs[1].unit), np.log(SIZES[1])]


def test_mirror_images_have_mirrored_places_and_the_same_place_in_the_tree() -> None:
    rig = AnyRig.of(make_creature("horse").skeleton)
    partners = mirror_partners(rig)
    assert (partners != np.arange(rig.count)).sum() >= 20
    joints = encode_rig(rig).joints
    np.testing.assert_allclose(joints[:, 0], -joints[partners, 0], atol=0.02)
    heat = slice(15, 23)
    np.testing.assert_allclose(joints[:, heat], joints[partners][:, heat], atol=1e-5)


def test_partners_and_sides_are_seen_in_the_rest_pose_and_read_in_names_where_it_shows_none() -> None:
    spider = AnyRig.of(make_creature("spider").skeleton)
    names = [spider.skeleton.names[joint] for joint in spider.joints.tolist()]
    partners = mirror_partners(spider)
    assert partners[names.index("head")] == names.index("head")
    assert names[partners[names.index("fang_left")]] == "fang_right"
    left = [side == "left" for side in sides(spider)]
    np.testing.assert_array_equal(left, spider.rest_positions[:, 0] > 0.01)


def test_what_has_no_mirror_image_goes_by_its_name(striding_horse: AnyRig) -> None:
    names = [striding_horse.skeleton.names[joint] for joint in striding_horse.joints.tolist()]
    cannon = names.index("leg_left_cannon_1")
    assert names[mirror_partners(striding_horse)[cannon]] == "leg_right_cannon_1"
    assert sides(striding_horse)[cannon] == "left"


def test_names_are_alike_when_their_letters_are() -> None:
    leg, legs, eye = hashed_name("LeftUpLeg"), hashed_name("left_upleg_01"), hashed_name("Eyeball")
    assert leg @ legs > leg @ eye
    assert np.isfinite(hashed_name("")).all()
