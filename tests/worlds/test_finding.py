from __future__ import annotations

import numpy as np
import pytest

from kinema.errors import SceneError
from kinema.instructions.programme import Place, Thing
from kinema.worlds.finding import find_thing
from kinema.worlds.obstacles import Obstacle
from kinema.worlds.spots import Walker

NEAR = Obstacle(0.0, 2.0, 1.0, 1.0, names=("car", "vehicle"), colour="red", height=1.4)
FAR = Obstacle(0.0, 9.0, 1.0, 1.0, names=("car", "vehicle"), colour="grey", height=1.6)
LAMP = Obstacle(3.0, 9.0, 0.3, 0.3, round=True, names=("lamp", "street lamp"))
ALL = (FAR, LAMP, NEAR)
WALKER = Walker(np.zeros(2), 0.0)


def test_the_nearest_is_meant_unless_something_else_is_said() -> None:
    assert find_thing(Thing("car"), ALL, WALKER) is NEAR
    assert find_thing(Thing("vehicle", ordinal=2), ALL, WALKER) is FAR
    assert find_thing(Thing("car", ordinal=-1), ALL, WALKER) is FAR
    assert find_thing(Thing("car", pick="farthest"), ALL, WALKER) is FAR
    assert find_thing(Thing("car", pick="other"), ALL, WALKER) is FAR
    assert find_thing(Thing("car", colour="gray"), ALL, WALKER) is FAR
    assert find_thing(Thing("car", qualities=("big",)), ALL, WALKER) is FAR
    assert find_thing(Thing("car", where=Place("beside", Thing("lamp"))), ALL, WALKER) is FAR
    assert find_thing(Thing("car"), ALL, Walker(np.asarray([0.0, 12.0]), 0.0)) is FAR


def test_names_may_be_longer_or_in_the_plural() -> None:
    assert find_thing(Thing("cars"), ALL, WALKER) is NEAR
    assert find_thing(Thing("old street lamp"), ALL, WALKER) is LAMP


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        (Thing("dog"), "there is no dog here; there are: car, lamp"),
        (Thing("car", colour="blue"), "no car here is blue; there are: grey, red"),
        (Thing("lamp", colour="blue"), "no lamp here is blue; no colour of any is known"),
        (Thing("car", ordinal=3), "only 2 things here that are called car"),
        (Thing("car", qualities=("wooden",)), "nothing is known of which car here is wooden"),
    ],
)
def test_what_is_not_there_is_said_with_what_is(wanted: Thing, said: str) -> None:
    with pytest.raises(SceneError, match=said):
        find_thing(wanted, ALL, WALKER)


def test_scenes_without_names_say_how_to_give_them() -> None:
    with pytest.raises(SceneError, match=r"things\.json"):
        find_thing(Thing("car"), (), WALKER)
