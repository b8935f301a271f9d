import numpy as np
import pytest

from kinema.mocap.creatures import Act


def beat(tools, name):
    """How far the end of the tail goes aside and up, relative to the root."""
    motion = tools.clip(name, (Act("swim", 4.0),))
    body = tools.creature(name).anatomy
    away = motion[60:].global_positions[:, [body.tails[0][-1]]] - motion[60:].global_positions[:, [body.root]]
    return np.ptp(away[:, 0, 0]), np.ptp(away[:, 0, 1])


@pytest.mark.parametrize("name", ["dolphin", "whale"])
def test_whales_beat_up_and_down(name, tools):
    aside, up = beat(tools, name)
    assert up > 3 * aside and up > 0.05 * tools.creature(name).skeleton.height


@pytest.mark.parametrize("name", ["fish", "shark", "eel"])
def test_fish_beat_to_both_sides(name, tools):
    aside, up = beat(tools, name)
    assert aside > 3 * up


def test_fish_bank_and_turn_where_they_are_told(tools):
    motion = tools.clip("shark", (Act("swim", 1.0), Act("swim", 3.0, turn=1.5)))
    body = tools.creature("shark").anatomy
    places = motion[-1].global_positions
    way = places[body.head] - places[body.tails[0][1]]
    assert np.arctan2(way[0], way[2]) == pytest.approx(1.5, abs=0.3)


def test_the_dead_float_on_their_backs(tools):
    motion = tools.clip("fish", (Act("die", 3.0),))
    root = tools.creature("fish").anatomy.root
    assert motion[-1].global_positions[root, 1] > motion[0].global_positions[root, 1]
    assert abs(motion[-1].global_rotations[root, 0]) < 0.4
