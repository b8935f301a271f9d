from dataclasses import replace

import numpy as np
import pytest

from kinema.mocap.creatures import PLANS, make_creature
from kinema.mocap.creatures.pacing import pace_of
from kinema.mocap.creatures.perform import kind_of_creature


def pacing(name):
    return kind_of_creature(make_creature(name)).pacing


def test_tempo_goes_with_the_root_of_the_leg_length():
    cat, horse = pacing("cat"), pacing("horse")
    assert horse.unit / cat.unit == pytest.approx(np.sqrt(horse.length / cat.length), rel=1e-6)
    assert horse.gravity == pytest.approx(9.81)


def test_bodies_in_wrong_units_move_as_if_they_had_usual_legs():
    body = kind_of_creature(make_creature("horse")).body
    vast = pace_of(replace(body, leg=150.0), "four")
    assert vast.unit == pytest.approx(np.sqrt(2.5 / 9.81))


@pytest.mark.parametrize("name", PLANS)
def test_slow_is_slower_than_fast_and_walking_than_running(name):
    speeds = pacing(name).speeds
    assert all(slow < usual < fast for slow, usual, fast in speeds.values())
    assert "run" not in speeds or speeds["walk"][2] < speeds["run"][0]


def test_bodies_do_what_their_build_says():
    assert pacing("crab").sideways == pytest.approx(np.pi / 2) and pacing("spider").sideways == 0
    assert pacing("octopus").aloft == ("swim",) and pacing("eagle").aloft == ("fly", "glide")
    assert pacing("eagle").altitude > 0.5 and pacing("dog").altitude == 0
    assert [pacing(name).follows for name in ("snake", "fish", "centipede", "dog")] == [True, True, True, False]
    assert pacing("crocodile").turning > 1.5 and pacing("dog").turning == 1.0
