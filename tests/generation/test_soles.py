from __future__ import annotations

from dataclasses import replace

import numpy as np

from kinema.generation.rig import AnyRig
from kinema.generation.soles import find_feet, on_soles
from kinema.skeleton import Skeleton


def test_limbs_end_where_the_body_branches(dog: AnyRig, spider: AnyRig) -> None:
    for rig in (dog, spider):
        feet = [int(joint) for joint in np.flatnonzero(rig.rest_positions[:, 1] < 0.06) if joint not in rig.parents]
        limbs = [each.limb for each in find_feet(rig, feet)]
        assert len(limbs) == len(feet)
        assert all(rig.depths[limb.top] < rig.depths[limb.middle] for limb in limbs)
    assert not find_feet(dog, [0])


def test_a_foot_is_all_that_hangs_on_an_ankle(toed: AnyRig, dog: AnyRig) -> None:
    names = [toed.skeleton.names[joint] for joint in toed.joints]
    ends = [names.index(f"left_toe_{toe}_end") for toe in range(3)]
    (foot,) = find_feet(toed, ends)
    assert foot.ends == ends
    assert {names[joint] for joint in foot.joints} == {name for name in names if "left_toe" in name} | {"left_foot"}
    assert [names[joint] for joint in (foot.limb.top, foot.limb.middle, foot.limb.end)] == [
        "left_thigh",
        "left_shin",
        "left_foot",
    ]
    paws = [int(joint) for joint in np.flatnonzero(dog.rest_positions[:, 1] < 0.06) if joint not in dog.parents]
    assert [each.ends for each in find_feet(dog, paws)] == [[paw] for paw in paws]


def test_what_helps_to_twist_a_limb_is_no_branch(toed: AnyRig) -> None:
    skeleton = toed.skeleton
    names, places = [*skeleton.names], [*skeleton.rest_translations]
    parents = [*skeleton.parents]
    for above in ("left_thigh", "left_shin"):
        for share in (0.3, 0.7):
            names.append(f"{above}_twist_{share}")
            parents.append(skeleton.index(above))
            places.append(np.asarray([0.0, -0.45 * share, 0.0]))
    rig = AnyRig.of(Skeleton.create(names, parents, places))
    found = [rig.skeleton.names[joint] for joint in rig.joints]
    limb = find_feet(rig, [found.index("left_toe_0_end")])[0].limb
    assert [found[joint] for joint in (limb.top, limb.middle, limb.end)] == ["left_thigh", "left_shin", "left_foot"]


def test_feet_stand_on_what_is_lowest(toed: AnyRig) -> None:
    names = [toed.skeleton.names[joint] for joint in toed.joints]
    ankle, toes = names.index("left_foot"), [names.index(f"left_toe_{toe}_end") for toe in range(3)]
    planted = np.zeros((4, toed.count), np.bool_)
    planted[0, ankle] = planted[1, toes] = planted[2, names.index("head")] = True
    found = on_soles(toed, planted)
    assert np.flatnonzero(found[0]).tolist() == [min(toes)]
    assert np.flatnonzero(found[1]).tolist() == sorted(toes)
    assert not found[2:].any()
    assert np.flatnonzero(on_soles(toed, planted[:1])[0]).tolist() == [ankle]
    assert np.flatnonzero(on_soles(toed, planted[:1], toes)[0]).tolist() == [min(toes)]


def test_what_is_higher_on_the_leg_of_a_foot_does_not_stand(toed: AnyRig) -> None:
    names = [toed.skeleton.names[joint] for joint in toed.joints]
    shin, toe = names.index("left_shin"), names.index("left_toe_0_end")
    low = replace(toed, rest_positions=toed.rest_positions.copy())
    low.rest_positions[shin, 1] = 0.249  # above the highest ankles
    planted = np.zeros((4, toed.count), np.bool_)
    planted[0, shin] = planted[1, toe] = True
    assert not on_soles(low, planted)[0].any()
    assert on_soles(low, planted)[1, toe]
