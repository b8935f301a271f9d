"""Which joint moves which."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Skeleton
from kinema.errors import SkeletonError
from kinema.retargeting.anatomy import Anatomy
from kinema.retargeting.mapping import (
    Link,
    Match,
    _along,
    _bone_ends,
    _carrier,
    _in_order,
    _limb,
    _spine,
    match,
    match_chains,
)
from kinema.retargeting.overrides import Overrides
from kinema.roles import Chain, Roles


def matched(source: Skeleton, target: Skeleton, overrides: Overrides | None = None) -> Match:
    return match((Anatomy.of(source), Anatomy.of(target)), overrides)


def body(plan: str, *chains: Chain) -> Roles:
    """Roles with these chains and nothing else."""
    return Roles(0, chains=chains, plan=plan)  # type: ignore[arg-type]


def legs(kind: str, count: int = 1) -> list[Chain]:
    return [Chain(kind, side, (1, 2, 3), order) for order in range(count) for side in ("left", "right")]  # type: ignore[arg-type]


def test_equal_rigs_match_joint_by_joint(biped: Skeleton) -> None:
    found = matched(biped, biped)
    assert all(link.target == link.first == link.second for link in found.links)
    assert len(found.links) == biped.joint_count
    assert found.unmatched_target == found.unmatched_source == ()


def test_a_longer_rig_lists_what_nothing_moves(biped: Skeleton, rig: Skeleton) -> None:
    found = matched(biped, rig)
    assert "LeftHandIndex1" in found.unmatched_target and "LeftForeArm" not in found.unmatched_target
    assert not any("Twist" in name for name in found.unmatched_target)
    by_name = {rig.names[link.target]: biped.names[link.first] for link in found.links}
    assert by_name["LeftForeArm"] == "LeftForeArm" and by_name["RightFoot"] == "RightFoot"


def test_across_body_plans_legs_keep_the_order_of_steps() -> None:
    human = body("biped", *legs("leg"), *legs("arm"))
    horse = body("quadruped", *legs("leg"), *legs("front_leg"))
    spider = body("many-legged", *legs("leg", 4))
    onto_horse = match_chains(human, horse)
    assert onto_horse["left_leg"] == "left_leg"
    assert onto_horse["left_front_leg"] == "right_leg"  # diagonal pairs: a trot
    assert match_chains(horse, human)["left_arm"] == "left_front_leg"
    onto_spider = match_chains(human, spider)
    assert [onto_spider[name] for name in ("left_leg", "left_leg_2", "left_leg_3", "left_leg_4")] == [
        "left_leg",
        "right_leg",
        "left_leg",
        "right_leg",
    ]


def test_nothing_moves_legs_where_the_source_has_none() -> None:
    assert match_chains(body("limbless"), body("biped", *legs("leg"))) == {}


def test_the_user_overrules(biped: Skeleton) -> None:
    joints = {"LeftToeBase": None, "Neck": "Head"}
    said = Overrides.create({"chains": {"left_arm": "right_arm", "head": None}, "joints": joints})
    links = {biped.names[link.target]: biped.names[link.first] for link in matched(biped, biped, said).links}
    assert links["LeftForeArm"] == "RightForeArm" and links["Neck"] == "Head"
    assert "Head" not in links and "LeftToeBase" not in links


def test_overrides_name_what_is_there(biped: Skeleton) -> None:
    with pytest.raises(SkeletonError, match="no chain is named 'left_wing'"):
        matched(biped, biped, Overrides.create({"chains": {"left_arm": "left_wing"}}))
    with pytest.raises(SkeletonError, match="no joint is named 'Tail'"):
        matched(biped, biped, Overrides.create({"joints": {"Tail": None}}))


def test_spines_of_other_length_are_resampled(biped: Skeleton) -> None:
    """Two spine joints onto three: the last as the last, those before between hips and chest in order."""
    names = list(biped.names)
    extra = names.index("Chest")
    target = Skeleton.create(
        [*names[:extra], "Spine1", *names[extra:]],
        [p if p < extra else p + 1 for p in biped.parents[:extra].tolist()]
        + [extra - 1]
        + [
            extra if j == extra else (p if p < extra else p + 1)
            for j, p in enumerate(biped.parents.tolist())
            if j >= extra
        ],
        [*biped.rest_translations[:extra], [0, 0.08, 0], *biped.rest_translations[extra:]],
    )
    links = {target.names[link.target]: link for link in matched(biped, target).links}
    chest = links["Chest"]
    assert biped.names[chest.second if chest.share > 0 else chest.first] == "Chest"
    assert chest.share in (0.0, 1.0)
    assert 0 < links["Spine1"].share < 1


def test_a_mesh_without_a_rig_is_told_as_such(biped: Skeleton) -> None:
    mesh = Skeleton.create(["Body"], [-1], [[0, 0, 0]])
    with pytest.raises(SkeletonError, match="the target has 1 joint: a mesh without a rig"):
        matched(biped, mesh)


def row(count: int, bone: float = 0.1) -> Skeleton:
    """Joints in a row along +Z."""
    offsets = np.tile([0.0, 0.0, bone], (count, 1))
    return Skeleton.create([f"j{index}" for index in range(count)], np.arange(count) - 1, offsets)


def in_order(theirs: tuple[str, int], ours: tuple[str, int]) -> list[Link]:
    """Links of two chains, each a kind and a number of joints."""
    (kind, count), (own, number) = theirs, ours
    chains = Chain(kind, "left", tuple(range(count))), Chain(own, "left", tuple(range(number)))
    return _in_order(row(count), chains[0], row(number), chains[1], False)


def test_fingers_end_alike_and_stubs_do_not_move_them() -> None:
    """With a bone of the palm before them or without one; two joints do not show how three of another kind bend."""
    palm = in_order(("index", 4), ("index", 3))
    assert [(link.first, link.target) for link in palm] == [(1, 0), (2, 1), (3, 2)]
    longer = in_order(("index", 3), ("index", 4))
    assert [(link.first, link.target) for link in longer] == [(0, 1), (1, 2), (2, 3)]
    assert [link.target for link in in_order(("index", 3), ("index", 2))] == [0, 1]
    assert in_order(("index", 3), ("index", 1)) == in_order(("index", 1), ("index", 3)) == []
    assert in_order(("finger", 3), ("middle", 2)) == in_order(("finger", 2), ("middle", 4)) == []
    same = in_order(("finger", 2), ("middle", 2))
    assert [(link.first, link.target, link.share) for link in same] == [(0, 0, 0.0), (1, 1, 0.0)]


def test_joints_along_a_chain_turn_as_the_source_does_where_their_bones_end() -> None:
    """Tails of four and of two joints, all bones equally long: the second of two ends where the fourth of four does."""
    tail, short = Chain("tail", None, (0, 1, 2, 3)), Chain("tail", None, (0, 1))
    found = _along(row(4), tail, row(2), short)
    assert [link.target for link in found] == [0, 1]
    places = [(1 - link.share) * link.first + link.share * link.second for link in found]
    assert places == pytest.approx([1.0, 3.0], abs=1e-3)
    back = _along(row(2), short, row(4), tail)
    places = [(1 - link.share) * link.first + link.share * link.second for link in back]
    assert places == pytest.approx([0.0, 0.0, 0.5, 1.0], abs=1e-3)
    assert all(0 <= link.first <= link.second <= 1 for link in back)


def test_joints_in_one_place_are_spread_evenly() -> None:
    tail, short = Chain("tail", None, (0, 1, 2, 3)), Chain("tail", None, (0, 1))
    found = _along(row(4, bone=0.0), tail, row(2), short)
    assert all(np.isfinite(link.share) and 0 <= link.share <= 1 for link in found)
    assert found[-1].second == 3 and found[-1].share == pytest.approx(1.0)


def test_a_user_may_give_a_chain_away_and_take_it_back(biped: Skeleton) -> None:
    """What is said of chains replaces what was found; what is said of joints replaces both."""
    found = match_chains(biped.roles, biped.roles, Overrides.create({"chains": {"left_arm": None}}))
    assert "left_arm" not in found and found["right_arm"] == "right_arm"
    said = Overrides.create({"chains": {"left_arm": None}, "joints": {"LeftForeArm": "RightForeArm"}})
    links = {biped.names[link.target]: biped.names[link.first] for link in matched(biped, biped, said).links}
    assert links["LeftForeArm"] == "RightForeArm" and "LeftHand" not in links


def test_legs_stand_in_for_each_other_by_side_and_order() -> None:
    """Six legs onto eight: the last of a side moves what has no partner; a bird's wings take the arms."""
    insect, spider = body("many-legged", *legs("leg", 3)), body("many-legged", *legs("leg", 4))
    onto = match_chains(insect, spider)
    assert onto["left_leg_3"] == "left_leg_3" and onto["left_leg_4"] == "left_leg_3"
    assert onto["right_leg_4"] == "right_leg_3"
    horse = body("quadruped", *legs("leg"), *legs("front_leg"))
    onto = match_chains(horse, spider)
    assert [onto[f"left_leg{order}"] for order in ("", "_2", "_3", "_4")] == [
        "left_leg",
        "left_leg",
        "left_front_leg",
        "left_leg",
    ]
    bird, human = body("biped", *legs("leg"), *legs("wing")), body("biped", *legs("leg"), *legs("arm"))
    assert match_chains(human, bird)["right_wing"] == "right_arm"
    assert match_chains(bird, human)["left_arm"] == "left_wing"
    assert match_chains(human, body("quadruped", *legs("front_leg")))["right_front_leg"] == "left_leg"
    arms_only = body("biped", *legs("arm"))
    assert match_chains(arms_only, body("quadruped", *legs("front_leg")))["right_front_leg"] == "right_arm"


def test_one_finger_moves_what_has_one_name_each() -> None:
    mitten = body("biped", Chain("finger", "left", (1, 2, 3)))
    hand = body("biped", *(Chain(kind, "left", (1, 2, 3)) for kind in ("thumb", "index", "middle", "ring")))
    assert match_chains(mitten, hand) == {"left_index": "left_finger", "left_middle": "left_finger"}
    assert match_chains(hand, mitten) == {"left_finger": "left_middle"}


def test_props_move_by_name_where_what_carries_them_moves(biped: Skeleton) -> None:
    """A skirt below the hips follows the source's; a part of nothing that moves, or a name taken, does not."""
    names, offsets = [*biped.names, "Skirt", "skirtEnd"], [*biped.rest_translations, [0, -0.2, 0.1], [0, -0.2, 0]]
    parents = [*biped.parents.tolist(), 0, biped.joint_count]
    dressed = Skeleton.create(names, parents, offsets)
    lower = Skeleton.create([*biped.names, "SKIRT", "SKIRTEND"], parents, offsets)
    links = {lower.names[link.target]: dressed.names[link.first] for link in matched(dressed, lower).links}
    assert links["SKIRT"] == "Skirt" and links["SKIRTEND"] == "skirtEnd"
    bare = {lower.names[link.target] for link in matched(biped, lower).links}
    assert not {"SKIRT", "SKIRTEND"} & bare


@pytest.mark.parametrize(("kind", "first"), [("spine", 0.5), ("neck", 0.5), ("tail", 0.0)])
def test_the_joint_that_carries_a_spine_or_a_neck_turns_its_beginning(kind: str, first: float) -> None:
    """Two joints onto four, on a body: the first of a spine turns half as its first does, from the hips on."""
    source = Skeleton.create(["Hips", "Neck1", "Neck2", "Head"], [-1, 0, 1, 2], np.tile([0, 0.2, 0], (4, 1)))
    theirs, ours = Chain(kind, None, (1, 2)), Chain(kind, None, (0, 1, 2, 3))
    found = _along(source, theirs, row(4), ours)
    places = [(1 - link.share) * link.first + link.share * link.second for link in found]
    assert places == pytest.approx([0.5, 1.0, 1.5, 2.0] if first else [1.0, 1.0, 1.5, 2.0], abs=1e-3)


def test_limbs_match_part_by_part_though_one_has_more_joints(biped: Skeleton) -> None:
    """Legs without toes onto legs with them, and arms without shoulders onto arms with them."""
    gone = {biped.index(f"{side}ToeBase") for side in ("Left", "Right")}
    kept = [joint for joint in range(biped.joint_count) if joint not in gone]
    parents = [-1 if biped.parents[j] < 0 else kept.index(int(biped.parents[j])) for j in kept]
    tips = [(kept.index(biped.index("Head")), (0.0, 0.15, 0.0))]
    toeless = Skeleton.create([biped.names[j] for j in kept], parents, biped.rest_translations[kept], tips=tips)
    for source, target in ((toeless, biped), (biped, toeless)):
        links = {target.names[link.target]: link for link in matched(source, target).links}
        for part in ("UpLeg", "Leg", "Foot"):
            link = links[f"Left{part}"]
            assert source.names[link.first] == source.names[link.second] == f"Left{part}" and link.share == 0.0
        assert "LeftToeBase" not in links


def test_only_straight_legs_are_aligned_by_their_bones(biped: Skeleton) -> None:
    by_bones = {biped.names[link.target] for link in matched(biped, biped).links if link.by_bones}
    assert by_bones == {f"{side}{part}" for side in ("Left", "Right") for part in ("UpLeg", "Leg", "Foot", "ToeBase")}


def test_legs_of_one_side_stand_in_for_those_of_that_side() -> None:
    """Three legs on the left and one on the right, onto four on each side."""
    limping = body("many-legged", *legs("leg", 3)[::2], Chain("leg", "right", (1, 2, 3)))
    onto = match_chains(limping, body("many-legged", *legs("leg", 4)))
    assert onto["left_leg_4"] == "left_leg_3"
    assert [onto[f"right_leg{order}"] for order in ("", "_2", "_3", "_4")] == ["right_leg", "left_leg"] * 2


def test_the_place_of_a_bone_is_its_share_of_the_chain() -> None:
    """Bones of 10 and 30 cm and a last one as long as the mean; a bone without length takes next to nothing."""
    offsets = [[0, 0, 0], [0, 0, 0.1], [0, 0.3, 0]]
    chain = Chain("tail", None, (0, 1, 2))
    assert _bone_ends(Skeleton.create([*"abc"], [-1, 0, 1], offsets), chain) == pytest.approx([1 / 6, 2 / 3, 1])
    flat = Skeleton.create([*"abc"], [-1, 0, 1], [[0, 0, 0], [0, 0, 0], [0, 0.2, 0]])
    assert _bone_ends(flat, chain) == pytest.approx([1 / 3001, 2001 / 3001, 1], rel=1e-3)
    assert _bone_ends(flat, Chain("tail", None, (2,))) == [1.0]


@pytest.mark.parametrize(
    ("theirs", "ours", "expected"),
    [
        ("hips hips", "hips spine", [0, 0]),
        ("hips spine", "hips hips", [0, 0]),
        ("hips spine", "hips spine", [0, 1]),
        ("spine spine", "hips spine spine", [0, 0, 1]),
    ],
)
def test_hips_of_a_spine_follow_the_hips_and_the_rest_the_rest(theirs: str, ours: str, expected: list[int]) -> None:
    """Spines by the parts of their joints; where one has nothing but hips, all of it follows the hips."""

    def trunk(parts: str) -> tuple[Skeleton, Chain]:
        count = len(parts.split())
        skeleton = row(count)
        vars(skeleton)["roles"] = Roles(0, parts=tuple(parts.split()), plan="biped")
        return skeleton, Chain("spine", None, tuple(range(count)))

    links = _spine(*trunk(theirs), *trunk(ours))
    found = {link.target: link.first + link.share * (link.second - link.first) for link in links}
    assert [found[joint] for joint in sorted(found)] == pytest.approx(expected)


def test_a_detached_foot_is_the_end_of_its_leg() -> None:
    """The foot of a leg of two joints is another joint; where the source has none it follows the shin."""
    whole = Roles(0, parts=("hips", "thigh", "shin", "foot"), plan="biped")
    two = Roles(0, parts=("hips", "thigh", "shin", "foot"), plan="biped")
    long, short = Chain("leg", "left", (1, 2, 3)), Chain("leg", "left", (1, 2))

    def links(theirs: Chain, ours: Chain, ends: tuple[int | None, int | None]) -> dict[int, int]:
        return {link.target: link.first for link in _limb(whole, theirs, two, ours, True, ends)}

    assert links(long, short, (None, 3)) == {1: 1, 2: 2, 3: 3}
    assert links(short, long, (3, None)) == {1: 1, 2: 2, 3: 3}
    assert links(short, short, (None, 3)) == {1: 1, 2: 2, 3: 2}
    assert links(short, short, (3, None)) == {1: 1, 2: 2}
    assert links(long, long, (None, None)) == {1: 1, 2: 2, 3: 3}
    assert links(Chain("leg", "left", (1,)), long, (None, None)) == {}


def test_bent_legs_are_aligned_by_how_they_stand(biped: Skeleton) -> None:
    offsets = biped.rest_translations.copy()
    half = np.radians(25.0)
    for name, sign in (("Leg", 1), ("Foot", -1)):
        joints = [biped.index(f"{side}{name}") for side in ("Left", "Right")]
        offsets[joints] = 0.4 * np.array([0, -np.cos(half), sign * np.sin(half)])
    bent = Skeleton.create(biped.names, biped.parents, offsets)
    assert not any(link.by_bones for link in matched(bent, biped).links + matched(biped, bent).links)


def test_the_last_joint_of_the_spine_carries_the_neck(biped: Skeleton) -> None:
    assert _carrier(biped, "neck") == biped.index("Chest") and _carrier(biped, "spine") == biped.index("Hips")
