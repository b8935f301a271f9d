"""Which joint moves which."""

from __future__ import annotations

import pytest

from kinema import Skeleton
from kinema.errors import SkeletonError
from kinema.retargeting.anatomy import Anatomy
from kinema.retargeting.mapping import Match, match, match_chains
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
