from __future__ import annotations

import pytest

from kinema.errors import UsageError
from kinema.instructions.grammar.consistency import check, compatible, get_up, leads_on, merged, repeats
from kinema.instructions.programme import CameraMove, Gesture, Handling, Locomotion, Place, Step, Thing

TREE = Place("to", Thing("tree"))


def test_a_step_repeats_what_says_more() -> None:
    assert repeats(Gesture(action="dance"), Gesture(action="dance", seconds=3.0))
    assert not repeats(Gesture(action="dance", seconds=3.0), Gesture(action="dance"))
    assert repeats(Locomotion(), Locomotion(gait="run", place=TREE))
    assert not repeats(Locomotion(gait="run"), Locomotion(gait="walk", place=TREE))


def test_standing_is_getting_up_after_sitting() -> None:
    groups: list[list[Step]] = [[Gesture(action="sit")], [Gesture(action="stand")], [Gesture(action="stand")]]
    get_up(groups)
    assert [step.action for group in groups for step in group if isinstance(step, Gesture)] == [
        "sit",
        "stand up",
        "wait",
    ]


def test_what_is_done_to_a_thing_comes_after_the_way_to_it() -> None:
    assert leads_on(Locomotion(place=TREE), Handling(action="touch", thing=Thing("tree")))
    assert not leads_on(Locomotion(place=TREE), Gesture(action="wave"))


def test_cameras_do_one_thing_at_once() -> None:
    follow, behind, still = CameraMove(move="follow"), CameraMove(view="behind"), CameraMove(move="static")
    assert merged(follow, behind) == CameraMove(move="follow", view="behind")
    assert not compatible(follow, still)
    with pytest.raises(UsageError, match="two things"):
        merged(follow, still)


@pytest.mark.parametrize(
    "group",
    [
        [Locomotion(("slowly", "quickly"))],
        [Locomotion(), Locomotion(gait="run")],
        [Locomotion(), Gesture(action="sit")],
        [CameraMove(("slowly",), move="static")],
    ],
)
def test_contradictions_are_refused(group: list[Step]) -> None:
    with pytest.raises(UsageError, match="contradicts"):
        check(group, ["said"])
