from __future__ import annotations

import numpy as np
import pytest

from kinema.errors import SceneError, UsageError
from kinema.instructions.grammar.reader import parse
from kinema.worlds.grounding import SceneGround
from kinema.worlds.itinerary import SPEEDS, SceneAct, itinerary
from kinema.worlds.obstacles import Obstacle

CAR = Obstacle(0.0, 5.0, 2.0, 4.0, names=("car",), height=1.4)
TREE = Obstacle(5.0, 0.0, 0.5, 0.5, round=True, names=("tree",), height=4.0)
CELLS = 201


@pytest.fixture(scope="module")
def ground() -> SceneGround:
    """A level field of 20 m with a car and a tree."""
    axis = np.linspace(-10.0, 10.0, CELLS)
    points = np.stack(np.meshgrid(axis, axis), axis=-1)
    free = ~(CAR.holds(points) | TREE.holds(points))
    level = np.zeros((CELLS, CELLS), np.float32)
    return SceneGround(level, level + 1.0, free, 0.1, (-10.0, -10.0))


def acts(said: str, ground: SceneGround, heading: float = 0.0) -> list[SceneAct]:
    return itinerary(parse(said), ground, (CAR, TREE), (0.0, 0.0), heading)


def test_a_sentence_becomes_ways_and_gestures_in_their_order(ground: SceneGround) -> None:
    first, second, third = acts("walk to the tree, wave, then run back", ground)
    assert TREE.distances(first.way[-1:])[0] < 0.8 and first.speed == SPEEDS["walk"]
    assert len(second.way) == 0 and [doing.action for doing in second.staying] == ["wave"]
    assert second.seconds == pytest.approx(second.staying[0].lasts)
    np.testing.assert_allclose(third.way[-1], [0.0, 0.0], atol=0.15)
    assert third.speed == SPEEDS["run"]


def test_ways_lead_around_what_stands_there(ground: SceneGround) -> None:
    (only,) = acts("walk behind the car", ground)
    assert only.way[-1][1] > 7.0
    between = np.concatenate([np.linspace(a, b, 20) for a, b in zip(only.way[:-1], only.way[1:], strict=True)])
    assert CAR.distances(between).min() > 0.2


def test_what_goes_along_with_something_is_done_on_the_way(ground: SceneGround) -> None:
    (only,) = acts("walk to the tree while waving", ground)
    assert [doing.action for doing in only.going] == ["wave"]
    (low,) = acts("sneak to the tree", ground)
    assert [doing.action for doing in low.going] == ["sneak"]


def test_turns_backward_steps_and_paces(ground: SceneGround) -> None:
    turn, walk = acts("turn left and walk three metres", ground)
    assert turn.heading == pytest.approx(np.pi / 2)
    np.testing.assert_allclose(walk.way[-1], [3.0, 0.0], atol=0.15)
    (back,) = acts("walk backwards two metres", ground)
    assert back.facing == pytest.approx(np.pi)
    np.testing.assert_allclose(back.way[-1], [0.0, -2.0], atol=0.15)
    (slow,) = acts("walk slowly to the tree", ground)
    assert slow.speed < SPEEDS["walk"]


def test_things_are_gone_to_and_carried(ground: SceneGround) -> None:
    going, taking, back = acts("pick up the tree and run back", ground)
    assert TREE.distances(going.way[-1:])[0] < 1.2
    assert taking.staying[0].aim is not None and taking.heading is not None
    assert [doing.action for doing in back.going] == ["carry"]


def test_things_are_handled_with_the_hand_that_is_said(ground: SceneGround) -> None:
    for said, side in (("touch the tree with the left hand", "left"), ("touch the tree", "right")):
        assert acts(said, ground)[-1].staying[0].side == side


def test_pointing_faces_what_it_points_at(ground: SceneGround) -> None:
    (only,) = acts("point at the tree", ground)
    assert only.heading == pytest.approx(np.pi / 2, abs=0.05)
    aim = only.staying[0].aim
    assert aim is not None and TREE.distances(aim[None, [0, 2]])[0] < 0.05


def test_cameras_begin_with_what_they_go_along_with(ground: SceneGround) -> None:
    going, waving = acts("walk to the tree, then wave while the camera zooms in on the car", ground)
    assert not going.cameras
    (move, aim), *_ = waving.cameras
    assert move.move == "zoom in" and aim is not None and CAR.distances(aim[None, [0, 2]])[0] < 0.05


@pytest.mark.parametrize(
    ("said", "error", "reason"),
    [
        ("walk to the dog", SceneError, "there is no dog here; there are: car, tree"),
        ("swim to the tree", UsageError, "nobody can swim yet; there are: walk, run"),
        (
            "wait for 500 seconds, then wait for 400 seconds",
            UsageError,
            "would take 15 minutes; 10 are acted out at most",
        ),
        ("sleep", UsageError, "nobody can sleep yet"),
        ("walk forty metres", SceneError, "no ground to walk on"),
    ],
)
def test_what_cannot_be_done_is_said(ground: SceneGround, said: str, error: type[Exception], reason: str) -> None:
    with pytest.raises(error, match=reason):
        acts(said, ground)
